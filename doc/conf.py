# SPDX-License-Identifier: BSD-3-Clause
"""Configures Sphinx for the guide (sphinx-build doc build/doc) and the manual pages (sphinx-build -b man doc build/man)."""
import pathlib
import re

tree = pathlib.Path(__file__).resolve().parent.parent

project = "xredist"
author = copyright = "the xredist authors"
version = release = re.search(r'define XREDIST_VERSION "(.*)"',
                              (tree / "include/xredist/version.h").read_text()).group(1)

html_title = f"xredist {release}"
html_theme_options = {"page_width": "auto", "body_max_width": "auto", "sidebar_width": "210px",
                      "show_relbar_bottom": True, "show_powered_by": False}
html_css_files = ["guide.css"]
html_copy_source = False
html_use_index = False
html_static_path = ["static"]
highlight_language = "none"
smartquotes = False

# source, name, description, section
man_pages = [(f"man/{name}.{section}", name, description, [], section) for name, section, description in [
    ("xredist", 7, "redistribution of block-cyclic matrices: libraries, options and messages"),
    ("pdgemr2d", 3, "copy a submatrix or a trapezoid between two block-cyclic distributions"),
    ("xredist_pblas", 3, "PBLAS's transposes and sums by redistribution"),
    ("xredist_pivots", 3, "P?LASWP and P?LAPIV by one exchange"),
    ("xredist_gridmap", 3, "choose the BLACS grid that keeps the most elements in place"),
    ("xredist_plan_create", 3, "make and execute plans of redistributions"),
    ("xredist_array_plan_create", 3, "make plans for arrays of any number of dimensions"),
    ("xredist_fit", 3, "choose the layout that a solver wants, and tell its results to all processes"),
    ("xredist_write", 3, "write distributed matrices and arrays to files, and read them"),
    ("xredist_relabel", 3, "choose the process grid that keeps the most elements in place"),
    ("xredist_version", 3, "version of the library, and the destination of its messages"),
    ("xredist_fortran", 3, "Fortran modules of xredist"),
    ("xdredist", 1, "time and check redistributions of block-cyclic matrices"),
    ("xredist-try", 1, "compare a program's own redistributions with those of xredist"),
    ("xredist-roll", 1, "print which processes of a job wait, and where the others are"),
    ("xredist-cluster", 1, "measure redistributions on a cluster for some minutes"),
    ("xschedule", 1, "show schedules of redistributions as tables and pictures"),
]]
man_make_section_directory = True


def family(stem):
    return [form.format(letter) + stem + old for old in ("", "o") for form in ("p{}", "Cp{}") for letter in "isdcz"]


# Other names of each page.
aliases = {
    "pdgemr2d": [*family("gemr2d"), *family("trmr2d"),
                 *(f"C{letter}{stem}" for stem in ("gelacpy", "trlacpy") for letter in "isdcz")],
    "xredist_write": ["xredist_read", "xredist_file_query", "xredist_array_write", "xredist_array_read",
                      "xredist_array_file_query", "xredist_write_blacs", "xredist_read_blacs"],
    "xredist_plan_create": ["xredist_plan_create_blacs", "xredist_plan_destroy", "xredist_plan_query",
                            "xredist_plan_describe", "xredist_plan_tune", "xredist_local_size",
                            "xredist_local_to_global", "xredist_global_to_local", "xredist_set_option",
                            "xredist_set_option_blacs", "xredist_get_option",
                            "xredist_fail", "xredist_agree", "xredist_wait_mpi", "xredist_watch_enter",
                            "xredist_watch_leave", "xredist_watch_wait", "xredist_comm_blacs", "xredist_layout_blacs",
                            "xredist_alloc", "xredist_free", "xredist_pages_create", "xredist_pages_give_up",
                            "xredist_pages_destroy",
                            "xredist_error", "xredist_execute", "xredist_start", "xredist_test", "xredist_wait",
                            "xredist_test_member", "xredist_wait_member"],
    "xredist_array_plan_create": ["xredist_array_local_shape", "xredist_array_relabel", "xredist_axes"],
    "xredist_fit": ["xredist_fit_blacs", "xredist_fit_free", "xredist_rules_for", "xredist_tell", "xredist_tell_blacs"],
    "xredist_fortran": ["xredist_error_text", "xredist_set_option_comm"],
    "xredist_version": ["xredist_build", "xredist_set_log"],
    "xdredist": ["xiredist", "xsredist", "xcredist", "xzredist"],
}


def example_page(kind):
    """Returns a page as xredist-try or xschedule writes it, with the data in pictures (pictures/draw pages)."""
    parts = {name: (tree / "pages" / name).read_text() for name in ("page.html", "page.css", "page.js", f"{kind}.js")}
    marks = {"style": parts["page.css"], "script": parts["page.js"] + parts[f"{kind}.js"], "title": f"xredist: example ({kind})",
             "data": (tree / f"doc/pictures/{kind}.json").read_text()}
    return re.sub(r"\{\{(style|script|title|data)\}\}", lambda mark: marks[mark[1]], parts["page.html"])


def add_example_pages(app, error):
    if not error and app.builder.name == "html":
        for kind in ("trial", "schedule"):
            pathlib.Path(app.outdir, f"example-{kind}.html").write_text(example_page(kind), encoding="utf-8")


def add_aliases(app, error):
    """Writes a page that includes the other page for each alias, lists the aliases under NAME, where apropos finds them,
    and turns hyphenation off (.nh), which would break names."""
    if error or app.builder.name != "man":
        return
    for _, name, _, _, section in man_pages:
        others = [other for other in aliases.get(name, []) if other != name]
        folder = pathlib.Path(app.outdir, f"man{section}")
        page = folder / f"{name}.{section}"
        for other in others:
            (folder / f"{other}.{section}").write_text(f".so man{section}/{page.name}\n")
        head = f".SH NAME\n{name} "
        text = page.read_text()
        assert text.count(head) == 1, f"{page} has no line of names"
        text = text.replace(head, f".nh\n.SH NAME\n{', '.join([name, *others])} ")
        page.write_text(re.sub(r"^\.ft [CP]\n", "", text, flags=re.M))  # groff 1.23 does not know the font C


def setup(app):
    from docutils import nodes
    from sphinx.directives.code import LiteralInclude  # here, because the tests read the lists above without Sphinx

    class Header(LiteralInclude):
        """Includes a public header without its guard and its macros, or a module: comments as text, the rest as code."""
        def run(self):
            self.fortran = self.arguments[0].endswith(".f90")
            text = re.sub(r'^/\* SPDX.*\n|^#include "xredist/(?:begin|end).h"\n\n?|^/\* last, because.*\n|^#ifdef __cplusplus\n(?s:.*?)^#endif\n'
                          r"|^#(ifndef|define) \w+_H\n|^#endif\n?$| XREDIST_ZERO", "",
                          super().run()[0].astext(), flags=re.M)
            text = re.sub(r"^XREDIST_API ([^;]*)", lambda x: x[1].replace("\n" + 12 * " ", "\n"), text, flags=re.M)
            found, end = [], 0
            for comment in re.finditer(r"^(?:![>!].*\n?)+" if self.fortran else r"^/\*(?s:.*?)\*/\n?", text, flags=re.M):
                found += self.code(text[end:comment.start()])
                marks = r"^![>!] ?" if self.fortran else r"^/\* ?| *\*/$|^ \* ?"
                for chunk in re.sub(marks, "", comment.group(), flags=re.M).strip("\n").split("\n\n"):
                    found += self.chunk(chunk)
                end = comment.end()
            return found + self.code(text[end:])

        def code(self, text, language=None):
            text = text.strip("\n")
            language = language or ("fortran" if self.fortran else "c")
            return [nodes.literal_block(text, text, language=language)] if text else []

        def chunk(self, text):
            """Returns a paragraph, after a heading or not, a list, or indented and aligned lines as they are."""
            if heading := re.match(r"(.*)\n---+\n", text):
                return [nodes.paragraph("", "", nodes.strong("", heading[1])), *self.chunk(text[heading.end():])]
            if text.startswith("- "):
                items = re.split(r"^- ", text, flags=re.M)[1:]
                return [nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", " ".join(item.split())))
                                                for item in items))]
            if re.search(r"^ |\S {3}", text, flags=re.M):
                return self.code(text, "none")
            return [nodes.paragraph("", text)]

    app.add_directive("header", Header)
    app.connect("build-finished", add_aliases)
    app.connect("build-finished", add_example_pages)
