//! What can be wrong with an entry of the gallery.

codes! { GALLERY:
    GALLERY_ROW = "pliant::gallery::row", "a row that does not fit its table",
        "A row of an entry has a value for each variable of its table, and in `printed` what the\n\
        document prints for each column, digit by digit and apart by spaces:\n\
        `{ values = \"0.04 0.01\", printed = \"0.000065 14.59\" }`. Where the document prints nothing\n\
        for a column there is a `-`; a row without `printed` has no printed number at all. What is not\n\
        reproducible says why.\n";

    GALLERY_NAME = "pliant::gallery::unknown-cell", "a name that the entry does not have",
        "Checks, figures and cells name rows and columns by their `id`, of letters a to z, digits\n\
        and `_`, each of them once in an entry. A cell of a table is the id of its row, a point and\n\
        the id of its column: `fast.error`. Variables of a table are listed in `variables`, and stand\n\
        in braces where their values go: `duration={T} s`.\n";

    GALLERY_COLUMN = "pliant::gallery::column", "a column that cannot be computed",
        "Columns that are taken of a run, of its arm or of its loops need a `scenario` in their table.\n\
        The figures of a run are those of studies, such as `waist.largest_error` or `frequency.1`;\n\
        tracking has numbers where a controller follows a plan. `pliant explain keys column` lists\n\
        the kinds of columns.\n";
}
