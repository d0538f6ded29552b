//! The gallery as pages that open from disk: one of all documents, and one of each.

use super::page_entry::{of_entry, of_lack};
use super::page_table::WIDE;
use super::page_text::text;
use super::{
    GalleryDocument, GalleryFigure, GalleryLack, GalleryResult, GalleryRow, GalleryVerdict,
    counted, tally,
};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How the pages look, by day and by night.
const STYLE: &str = include_str!("../../assets/gallery.css");

/// The page of all documents, in the folder of the pages.
pub const INDEX: &str = "index.html";

/// Pages by the names of their files.
pub type GalleryPages = Vec<(String, String)>;

impl GalleryDocument {
    /// The file of its page, without an ending.
    pub(super) fn slug(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::KorayemShafei => "korayem-shafei",
            Self::Akmehmet => "akmehmet",
            Self::Manipulators => "003",
            Self::TheodoreGhosal => "theodore-ghosal",
            Self::Beyond => "beyond",
        }
    }

    /// The file of its page, in the folder of the pages.
    pub fn page(self) -> String {
        format!("{}.html", self.slug())
    }

    /// Its heading.
    fn heading(self) -> &'static str {
        match self {
            Self::King => "King",
            Self::KorayemShafei => "Korayem and Shafei",
            Self::Akmehmet => "Akmehmet",
            Self::Manipulators => "Flexible Robot Manipulators, section 3.5",
            Self::TheodoreGhosal => "Theodore and Ghosal",
            Self::Beyond => "Beyond the documents",
        }
    }

    /// What it is.
    fn reference(self) -> &'static str {
        match self {
            Self::King => {
                "J. O. King, Recursive Models and Controllers of Flexible Manipulators, doctoral thesis, \
                 University of Alberta, 1988"
            }
            Self::KorayemShafei => {
                "M. H. Korayem and A. M. Shafei, Motion Equations Proper for Forward Dynamics of Robotic \
                 Manipulator with Flexible Links by Using Recursive Gibbs-Appell Formulation, Scientia \
                 Iranica B 16 (2009) 479–495"
            }
            Self::Akmehmet => {
                "A. Akmehmet, A Study of Manipulator Dynamics and Control, master's thesis, Boğaziçi \
                 University, 1984"
            }
            Self::Manipulators => {
                "Flexible Robot Manipulators: Modelling, Simulation and Control, Institution of \
                 Engineering and Technology, 2008"
            }
            Self::TheodoreGhosal => {
                "R. J. Theodore and A. Ghosal, Modeling of Flexible-Link Manipulators with Prismatic \
                 Joints, IEEE Transactions on Systems, Man, and Cybernetics B 27 (1997) 296–305"
            }
            Self::Beyond => {
                "What none of the documents has, held against closed forms, balances and published tables"
            }
        }
    }
}

/// What a page of a document has: what was computed, and what was not.
struct Found<'a> {
    document: GalleryDocument,
    entries: Vec<&'a GalleryResult>,
    lacks: Vec<&'a GalleryLack>,
}

impl Found<'_> {
    fn rows(&self) -> impl Iterator<Item = &GalleryRow> + Clone {
        self.entries.iter().flat_map(|entry| &entry.rows)
    }
}

/// The pages of results: `index.html`, and a page of each document. They name what was to be computed and
/// is not. Figures are drawn by the caller, as texts of SVG.
pub fn pages(
    results: &[GalleryResult],
    lacks: &[GalleryLack],
    draw: &dyn Fn(&GalleryFigure) -> String,
) -> GalleryPages {
    let of = |document: GalleryDocument| Found {
        document,
        entries: results.iter().filter(|result| result.document == document).collect(),
        lacks: lacks.iter().filter(|lack| lack.document == Some(document)).collect(),
    };
    let found = GalleryDocument::ALL.into_iter().map(of);
    let found: Vec<Found<'_>> =
        found.filter(|one| !one.entries.is_empty() || !one.lacks.is_empty()).collect();
    let documents: Vec<GalleryDocument> = found.iter().map(|one| one.document).collect();
    let homeless: Vec<_> = lacks.iter().filter(|lack| lack.document.is_none()).collect();
    let mut pages = vec![(INDEX.to_owned(), index(&found, &homeless))];
    for one in &found {
        pages.push((one.document.page(), of_document(&documents, one, draw)));
    }
    pages
}

/// Pages of documents in a folder that some pages there do not have: those of an earlier gallery.
pub fn stale(folder: &Path, pages: &GalleryPages) -> Vec<PathBuf> {
    let others = GalleryDocument::ALL.map(GalleryDocument::page);
    let others = others.into_iter().filter(|page| pages.iter().all(|(name, _)| name != page));
    others.map(|page| folder.join(page)).filter(|path| is_of_a_document(path)).collect()
}

/// Whether what stands in a file is the page of a document.
fn is_of_a_document(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(2048).read_to_end(&mut start));
    read.is_ok() && String::from_utf8_lossy(&start).contains(&format!("{TITLED}</title>"))
}

/// How the titles of pages of documents end.
const TITLED: &str = " – the gallery of pliant";

/// A page around its content.
fn page(title: &str, content: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"pliant {version}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{content}\
         <footer>Computed by pliant {version}. All rows: <a href=\"gallery.json\" download>gallery.json</a>.</footer>\n\
         </body>\n</html>\n",
        text(title)
    )
}

/// How many rows there are of each kind, as a bar and in words.
fn tallied<'a>(rows: impl Iterator<Item = &'a GalleryRow> + Clone) -> String {
    let counts = tally(rows.clone());
    let mut out = format!("<div class=\"tally\">{}", bar(rows.clone()));
    let all = rows.clone().count();
    let printed = rows.filter(|row| row.printed.is_some()).count();
    let _ = write!(
        out,
        "<p><span class=\"count\"><b>{all}</b> rows, <b>{printed}</b> with a printed number:</span> "
    );
    for (verdict, word, count) in &counts {
        let (class, mark) = (verdict.class(), marked(*verdict));
        let words = counted(*count, word);
        let words = words.replacen(&count.to_string(), &format!("<b>{count}</b>"), 1);
        let _ = write!(out, "<span class=\"count {class}\">{mark}{words}</span> ");
    }
    out + "</p></div>"
}

/// How many rows there are of each kind, as lengths.
fn bar<'a>(rows: impl Iterator<Item = &'a GalleryRow>) -> String {
    let mut out = String::from("<div class=\"bar\" aria-hidden=\"true\">");
    for (verdict, _, count) in tally(rows) {
        let class = verdict.class();
        let _ = write!(out, "<span class=\"{class}\" style=\"flex:{count}\"></span>");
    }
    out + "</div>"
}

/// The mark of a verdict before a word or a number.
fn marked(verdict: GalleryVerdict) -> String {
    match verdict.mark() {
        "" => String::new(),
        mark => format!("<span class=\"mark\" aria-hidden=\"true\">{mark}</span>\u{a0}"),
    }
}

/// Entries with their places and how many of their rows have each verdict; links begin with the page.
fn contents(found: &Found<'_>, page: &str) -> String {
    let mut out = String::from("<ul class=\"entries\">\n");
    let mut line = |[id, title, place]: [&String; 3], counts: &str| {
        let [id, title, place] = [id, title, place].map(|words| text(words));
        let _ = writeln!(
            out,
            "<li><span><a href=\"{page}#{id}\">{title}</a> <span class=\"place\">{place}</span></span>\
             <span class=\"counts\">{counts}</span></li>"
        );
    };
    for entry in &found.entries {
        let mut counts = String::new();
        for (verdict, word, count) in tally(&entry.rows) {
            let (class, words) = (verdict.class(), counted(count, word));
            let _ = write!(counts, "<span class=\"{class}\">{words}</span> ");
        }
        line([&entry.id, &entry.title, &entry.place], &counts);
    }
    for lack in &found.lacks {
        line([&lack.id, &lack.title, &lack.place], "<span class=\"missing\">not computed</span>");
    }
    out + "</ul>\n"
}

/// How many rows of each document have each verdict, as a table.
fn summary(found: &[Found<'_>]) -> String {
    let all = tally(found.iter().flat_map(Found::rows));
    let mut out = format!(
        "<section class=\"card\" id=\"summary\"><h2><a href=\"#summary\">Summary</a></h2>{WIDE} \
         aria-label=\"Summary\"><table class=\"summary\"><thead><tr><th scope=\"col\">document</th>\
         <th scope=\"col\" class=\"value\">rows</th><th scope=\"col\" class=\"value\">printed</th>"
    );
    for (verdict, word, _) in &all {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"value {}\">{}{word}</th>",
            verdict.class(),
            marked(*verdict)
        );
    }
    out.push_str("</tr></thead><tbody>\n");
    let mut line = |heading: String, rows: Vec<&GalleryRow>| {
        let printed = rows.iter().filter(|row| row.printed.is_some()).count();
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{heading}</th><td>{}</td><td>{printed}</td>",
            rows.len()
        );
        let counts = tally(rows);
        for (verdict, word, _) in &all {
            let count = counts.iter().find(|(_, own, _)| own == word).map(|(.., count)| *count);
            let (class, count) = match count {
                Some(count) => (verdict.class(), count.to_string()),
                None => ("none", "–".to_owned()),
            };
            let _ = write!(out, "<td class=\"{class}\">{count}</td>");
        }
        out.push_str("</tr>\n");
    };
    for one in found {
        let heading = text(one.document.heading());
        let heading = format!("<a href=\"{}\">{heading}</a>", one.document.page());
        line(heading, one.rows().collect());
    }
    if found.len() > 1 {
        line("all".to_owned(), found.iter().flat_map(Found::rows).collect());
    }
    out + "</tbody></table></div></section>\n"
}

/// That some entries are not computed, if there are any.
fn missing<'a>(lacks: impl Iterator<Item = &'a GalleryLack>) -> String {
    let names: Vec<String> = lacks
        .map(|lack| {
            let page = lack.document.map_or_else(String::new, GalleryDocument::page);
            format!("<a href=\"{page}#{0}\">{0}</a>", text(&lack.id))
        })
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let (many, are) = match names.len() {
        1 => ("1 entry".to_owned(), "is"),
        many => (format!("{many} entries"), "are"),
    };
    format!(
        "<p class=\"missing\" role=\"note\">{many} {are} not computed, and the counts are without: {}.</p>",
        names.join(", ")
    )
}

/// The page of all documents, and of entries whose document is not known.
fn index(found: &[Found<'_>], homeless: &[&GalleryLack]) -> String {
    let mut out = format!(
        "<header><h1>The gallery</h1><p class=\"lead\">What five documents on robot arms print, beside \
         what pliant computes. Every number of ours was computed when these pages were written.</p>{}{}\
         <p>All rows as data: <a href=\"gallery.json\" download>gallery.json</a>. \
         <a href=\"#legend\">How to read it</a></p></header>\n<main>\n{}",
        missing(found.iter().flat_map(|one| &one.lacks).chain(homeless).copied()),
        tallied(found.iter().flat_map(Found::rows)),
        summary(found)
    );
    for one in found {
        let page = one.document.page();
        let _ = writeln!(
            out,
            "<section class=\"card\" id=\"{}\"><h2><a href=\"{page}\">{}</a></h2>\
             <p class=\"reference\">{}</p>{}{}</section>",
            one.document.slug(),
            text(one.document.heading()),
            text(one.document.reference()),
            bar(one.rows()),
            contents(one, &page)
        );
    }
    for lack in homeless {
        of_lack(&mut out, lack);
    }
    out.push_str(LEGEND);
    page("The gallery of pliant", &(out + "</main>\n"))
}

/// What the verdicts mean.
const LEGEND: &str = "<section class=\"card legend\" id=\"legend\"><h2><a href=\"#legend\">How to read it</a></h2><dl>\
    <dt class=\"reproduced\">✓ reproduced</dt><dd>Ours is within the tolerance of its table, or within one \
    unit of the last printed digit, which counts of operations do not have; a claim holds.</dd>\
    <dt class=\"differs\">≠ differs</dt><dd>It is not, and a note says why; a claim does not hold.</dd>\
    <dt class=\"lost\">✗ not reproducible</dt><dd>It is not, and no reading of the document gives the \
    number: what is printed and what is computed, with the reason.</dd>\
    <dt class=\"silent\">no printed number</dt><dd>The document prints none, or its figure is lost.</dd>\
    <dt class=\"beyond\">beyond</dt><dd>No document has it.</dd></dl>\
    <p>The difference is ours less the printed number, as a part of the printed one. \
    Each entry is a folder with an arm, a scenario and the printed numbers, which stand below it. \
    <code>pliant gallery NAME</code> computes one, and <code>pliant gallery NAME --copy FOLDER</code> \
    gives its files to change.</p></section>\n";

/// The links above the page of a document: to the gallery, and to the other documents.
fn links(documents: &[GalleryDocument], here: GalleryDocument) -> String {
    let mut out = String::from("<nav><a href=\"index.html\">The gallery</a>");
    for document in documents {
        let heading = text(document.heading());
        let _ = if *document == here {
            write!(out, " <span aria-current=\"page\">{heading}</span>")
        } else {
            write!(out, " <a href=\"{}\">{heading}</a>", document.page())
        };
    }
    out + "</nav>\n"
}

/// The page of a document.
fn of_document(
    documents: &[GalleryDocument],
    found: &Found<'_>,
    draw: &dyn Fn(&GalleryFigure) -> String,
) -> String {
    let document = found.document;
    let mut out = format!(
        "{}<header><h1>{}</h1><p class=\"lead\">{}</p>{}{}\
         <p class=\"legend\"><a href=\"index.html#legend\">What the verdicts mean</a></p></header>\n<main>\n",
        links(documents, document),
        text(document.heading()),
        text(document.reference()),
        missing(found.lacks.iter().copied()),
        tallied(found.rows())
    );
    if found.entries.len() + found.lacks.len() > 1 {
        let _ = writeln!(out, "<div class=\"contents\">{}</div>", contents(found, ""));
    }
    for entry in &found.entries {
        of_entry(&mut out, entry, draw);
    }
    for lack in &found.lacks {
        of_lack(&mut out, lack);
    }
    page(&format!("{}{TITLED}", document.heading()), &(out + "</main>\n"))
}
