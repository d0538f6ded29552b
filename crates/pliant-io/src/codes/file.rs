//! What can be wrong with any file.

codes! { FILE:
    SYNTAX = "pliant::file::syntax", "the file is not well-formed",
        "The text breaks the rules of its format before pliant can look at what it says.\n";
}
