void pdtrmr2d_(void);
void pdsyntrd_(void);

void pdsyntrd_(void) { pdtrmr2d_(); }
