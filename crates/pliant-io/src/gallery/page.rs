//! The gallery as pages that open from disk: one of all documents, and one of each.

use super::page_table::{of_claims, of_table};
use super::page_text::text;
use super::{GalleryDocument, GalleryFigure, GalleryResult, GalleryRow, tally};
use std::fmt::Write as _;

/// How the pages look, by day and by night.
const STYLE: &str = include_str!("../../assets/gallery.css");

/// The page of all documents, in the folder of the pages.
pub const INDEX: &str = "index.html";

/// Pages by the names of their files.
pub type GalleryPages = Vec<(String, String)>;

impl GalleryDocument {
    /// The file of its page, without an ending.
    fn slug(self) -> &'static str {
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

/// The pages of results: `index.html`, and a page of each document. Figures are drawn by the caller, as
/// texts of SVG.
pub fn pages(results: &[GalleryResult], draw: &dyn Fn(&GalleryFigure) -> String) -> GalleryPages {
    let of = |document: GalleryDocument| -> Vec<&GalleryResult> {
        results.iter().filter(|result| result.document == document).collect()
    };
    let found = GalleryDocument::ALL.into_iter().map(|document| (document, of(document)));
    let found: Vec<_> = found.filter(|(_, entries)| !entries.is_empty()).collect();
    let documents: Vec<GalleryDocument> = found.iter().map(|(document, _)| *document).collect();
    let mut pages = vec![(INDEX.to_owned(), index(&found))];
    for (document, entries) in &found {
        pages.push((document.page(), of_document(*document, &documents, entries, draw)));
    }
    pages
}

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
    let mut out = String::from("<div class=\"tally\"><div class=\"bar\" aria-hidden=\"true\">");
    for (verdict, _, count) in &counts {
        let _ = write!(out, "<span class=\"{}\" style=\"flex:{count}\"></span>", verdict.class());
    }
    let all = rows.clone().count();
    let printed = rows.filter(|row| row.printed.is_some()).count();
    let _ = write!(
        out,
        "</div><p><span class=\"count\"><b>{all}</b> rows, <b>{printed}</b> with a printed number:</span> "
    );
    for (verdict, word, count) in &counts {
        let class = verdict.class();
        let _ = write!(out, "<span class=\"count {class}\"><b>{count}</b> {word}</span> ");
    }
    out + "</p></div>"
}

/// Entries with their places and how many of their rows have each verdict; links begin with the page.
fn contents(entries: &[&GalleryResult], page: &str) -> String {
    let mut out = String::from("<ul class=\"entries\">\n");
    for entry in entries {
        let (id, title, place) = (text(&entry.id), text(&entry.title), text(&entry.place));
        let _ = write!(
            out,
            "<li><span><a href=\"{page}#{id}\">{title}</a> <span class=\"place\">{place}</span></span>\
             <span class=\"counts\">"
        );
        for (verdict, word, count) in tally(&entry.rows) {
            let class = verdict.class();
            let _ = write!(out, "<span class=\"{class}\" title=\"{word}\">{count} {word}</span> ");
        }
        out.push_str("</span></li>\n");
    }
    out + "</ul>\n"
}

/// The page of all documents.
fn index(found: &[(GalleryDocument, Vec<&GalleryResult>)]) -> String {
    let all = || found.iter().flat_map(|(_, entries)| entries).flat_map(|entry| &entry.rows);
    let mut out = format!(
        "<header><h1>The gallery</h1><p class=\"lead\">What five documents on robot arms print, beside \
         what pliant computes. Every number of ours was computed when these pages were written.</p>{}\
         <p>All rows as data: <a href=\"gallery.json\" download>gallery.json</a>.</p>\
         </header>\n<main>\n",
        tallied(all())
    );
    for (document, entries) in found {
        let page = document.page();
        let _ = writeln!(
            out,
            "<section class=\"card\" id=\"{}\"><h2><a href=\"{page}\">{}</a></h2>\
             <p class=\"reference\">{}</p>{}{}</section>",
            document.slug(),
            text(document.heading()),
            text(document.reference()),
            tallied(entries.iter().flat_map(|entry| &entry.rows)),
            contents(entries, &page)
        );
    }
    out.push_str(LEGEND);
    page("The gallery of pliant", &(out + "</main>\n"))
}

/// What the verdicts mean.
const LEGEND: &str = "<section class=\"card legend\"><h2>How to read it</h2><dl>\
    <dt class=\"reproduced\">reproduced</dt><dd>Ours is within the tolerance of its table, or within one \
    unit of the last printed digit; a claim holds.</dd>\
    <dt class=\"differs\">differs</dt><dd>It is not, and a note says why.</dd>\
    <dt class=\"lost\">not reproducible</dt><dd>No reading of the document gives the number: what is \
    printed and what is computed, with the reason.</dd>\
    <dt class=\"silent\">no printed number</dt><dd>The document prints none, or its figure is lost.</dd>\
    <dt class=\"beyond\">beyond</dt><dd>No document has it.</dd></dl>\
    <p>Each entry is a folder with an arm, a scenario and the printed numbers. \
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
    document: GalleryDocument,
    documents: &[GalleryDocument],
    entries: &[&GalleryResult],
    draw: &dyn Fn(&GalleryFigure) -> String,
) -> String {
    let mut out = format!(
        "{}<header><h1>{}</h1><p class=\"lead\">{}</p>{}</header>\n<main>\n",
        links(documents, document),
        text(document.heading()),
        text(document.reference()),
        tallied(entries.iter().flat_map(|entry| &entry.rows))
    );
    if entries.len() > 1 {
        let _ = writeln!(out, "<div class=\"contents\">{}</div>", contents(entries, ""));
    }
    for entry in entries {
        of_entry(&mut out, entry, draw);
    }
    page(&format!("{} – the gallery of pliant", document.heading()), &(out + "</main>\n"))
}

fn of_entry(out: &mut String, entry: &GalleryResult, draw: &dyn Fn(&GalleryFigure) -> String) {
    let id = text(&entry.id);
    let _ = writeln!(
        out,
        "<article id=\"{id}\"><p class=\"place\">{}</p><h2><a href=\"#{id}\">{}</a></h2>",
        text(&entry.place),
        text(&entry.title)
    );
    for paragraph in &entry.about {
        let _ = writeln!(out, "<p>{}</p>", text(paragraph));
    }
    out.push_str("<div class=\"tables\">\n");
    for number in 0..entry.tables.len() {
        of_table(out, entry, number);
    }
    if !entry.claims.is_empty() {
        let is_beyond = entry.document == GalleryDocument::Beyond;
        of_claims(out, entry, if is_beyond { "Checks" } else { "Claims" });
    }
    out.push_str("</div>\n");
    if !entry.figures.is_empty() {
        out.push_str("<div class=\"figures\">\n");
        for (k, figure) in entry.figures.iter().enumerate() {
            let own = format!("{id}.figure-{}", k + 1);
            let label = text(&format!("{}: {}", figure.place, figure.title));
            let drawing = draw(figure).replacen(
                "<svg ",
                &format!("<svg role=\"img\" aria-label=\"{label}\" "),
                1,
            );
            let _ = writeln!(
                out,
                "<figure id=\"{own}\">{drawing}<figcaption><a href=\"#{own}\"><b>{}.</b></a> {}. \
                 <span class=\"source\">Source: {}.</span></figcaption></figure>",
                text(&figure.place),
                text(&figure.title),
                text(&figure.source)
            );
        }
        out.push_str("</div>\n");
    }
    let _ = writeln!(
        out,
        "<p class=\"again\">To compute it again: <code>pliant gallery {id}</code>; its files, to change: \
         <code>pliant gallery {id} --copy FOLDER</code>.</p></article>"
    );
}
