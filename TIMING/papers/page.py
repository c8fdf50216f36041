#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page.py DIR: prints what each paper found and what the CSV files of DIR say, as Markdown."""
import pathlib
import sys

import desprez
import kalns_ni
import prylli_tourancheau
import walker_otto
from markdown import computer, page, short, table
from records import machines

SECTIONS = (("Walker & Otto, figures 11 and 12", walker_otto.figures, "walker-otto.csv"),
            ("Walker & Otto, table 1", walker_otto.table_1, "walker-otto.csv"),
            ("Prylli & Tourancheau, figure 3", prylli_tourancheau.scanning, "scanning.csv"),
            ("Prylli & Tourancheau, figure 4", prylli_tourancheau.lu, "lu.csv", "lu-redistribution.csv"),
            ("Desprez et al., figures 2 to 4", desprez.ratios, "desprez-ratios.csv"),
            ("Kalns & Ni, figures 17 to 19", kalns_ni.ratios, "kalns-ni.csv", "kalns-ni-ratios.csv"))


def main(folder):
    head = ["# The papers' experiments", "",
            "`TIMING/reproduce` writes this page from the CSV files of its folder. In each section, **Then** is what "
            "the paper did and found, and **Here** is what is done and found now.", "", *computer(folder),
            "These machines of `TIMING/papers/machines.dat` are simulated:",
            *table(["machine", "Gbit/s of a port", "ms per message", "packing, ns per byte"],
                   [[name, short(x.rate / 1.25e8), short(1e3 * x.message), short(1e9 * x.pack)]
                    for name, x in machines().items()])]
    page(head, SECTIONS, folder)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
