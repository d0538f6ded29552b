//! The gallery as pages that open from disk: one of all documents, and one of each.

use super::{
    GalleryDocument, GalleryFigure, GalleryResult, GalleryRow, GalleryTable, GalleryVerdict,
};
use pliant::name::shown;
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
                "what none of the documents has, held against closed forms and balances"
            }
        }
    }
}

impl GalleryVerdict {
    /// Its class in the style.
    fn class(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotReproducible => "lost",
            Self::NoPrintedNumber => "silent",
            Self::Beyond => "beyond",
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
    let mut pages = vec![(INDEX.to_owned(), index(&found))];
    for (document, entries) in &found {
        pages.push((document.page(), of_document(*document, entries, draw)));
    }
    pages
}

/// Text inside of an element or an attribute.
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in shown(words).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A unit with its exponents raised.
fn unit(words: &str) -> String {
    if words == "1" {
        return String::new();
    }
    let mut out = text(words);
    for (plain, raised) in [("^2", "²"), ("^3", "³"), ("^4", "⁴")] {
        out = out.replace(plain, raised);
    }
    out
}

/// Five significant digits.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-5..1e7).contains(&size) {
        return format!("{value:.4e}").replace('-', "−");
    }
    let decimals = (0..10).find(|&k| size * 10_f64.powi(k) >= 9999.5).unwrap_or(10);
    let long = format!("{value:.*}", usize::try_from(decimals).unwrap_or(0));
    let short =
        if long.contains('.') { long.trim_end_matches('0').trim_end_matches('.') } else { &long };
    short.replace('-', "−")
}

/// A part of one, for people.
fn part(value: f64) -> String {
    let percent = 100.0 * value;
    let sign = if percent < 0.0 { "−" } else { "+" };
    match percent.abs() {
        size if size < 0.005 => "0 %".to_owned(),
        size if size < 10.0 => format!("{sign}{size:.2} %"),
        size if size < 1000.0 => format!("{sign}{size:.0} %"),
        size => format!("× {}", number(size / 100.0 + if percent < 0.0 { 0.0 } else { 1.0 })),
    }
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
         <footer>Computed by pliant {version}. All rows: <a href=\"gallery.json\">gallery.json</a>.</footer>\n\
         </body>\n</html>\n",
        text(title)
    )
}

/// How many rows have each verdict, as a bar and in words.
fn tally<'a>(rows: impl Iterator<Item = &'a GalleryRow>) -> String {
    let mut counts = [0_usize; GalleryVerdict::ALL.len()];
    for row in rows {
        if let Some(k) = GalleryVerdict::ALL.iter().position(|verdict| *verdict == row.verdict) {
            counts[k] += 1;
        }
    }
    let of = || GalleryVerdict::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
    let mut out = String::from("<div class=\"tally\"><div class=\"bar\" aria-hidden=\"true\">");
    for (verdict, count) in of() {
        let _ = write!(out, "<span class=\"{}\" style=\"flex:{count}\"></span>", verdict.class());
    }
    out.push_str("</div><p>");
    for (verdict, count) in of() {
        let _ = write!(
            out,
            "<span class=\"count {}\"><b>{count}</b> {}</span> ",
            verdict.class(),
            verdict.word()
        );
    }
    out + "</p></div>"
}

/// The page of all documents.
fn index(found: &[(GalleryDocument, Vec<&GalleryResult>)]) -> String {
    let all = || found.iter().flat_map(|(_, entries)| entries).flat_map(|entry| &entry.rows);
    let mut out = format!(
        "<header><h1>The gallery</h1><p class=\"lead\">What five documents on robot arms print, beside \
         what pliant computes. Every number of ours was computed when these pages were written; none is \
         stored.</p>{}</header>\n<main>\n",
        tally(all())
    );
    for (document, entries) in found {
        let slug = document.slug();
        let _ = writeln!(
            out,
            "<section class=\"card\"><h2><a href=\"{slug}.html\">{}</a></h2>\
             <p class=\"reference\">{}</p>{}<ul class=\"entries\">",
            text(document.heading()),
            text(document.reference()),
            tally(entries.iter().flat_map(|entry| &entry.rows))
        );
        for entry in entries {
            let id = text(&entry.id);
            let (place, title) = (text(&entry.place), text(&entry.title));
            let _ = writeln!(
                out,
                "<li><a href=\"{slug}.html#{id}\">{title}</a> <span class=\"place\">{place}</span></li>"
            );
        }
        out.push_str("</ul></section>\n");
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

/// The page of a document.
fn of_document(
    document: GalleryDocument,
    entries: &[&GalleryResult],
    draw: &dyn Fn(&GalleryFigure) -> String,
) -> String {
    let mut out = format!(
        "<nav><a href=\"index.html\">The gallery</a></nav>\n<header><h1>{}</h1>\
         <p class=\"lead\">{}</p>{}</header>\n<main>\n",
        text(document.heading()),
        text(document.reference()),
        tally(entries.iter().flat_map(|entry| &entry.rows))
    );
    if entries.len() > 1 {
        out.push_str("<ul class=\"entries contents\">\n");
        for entry in entries {
            let (id, title, place) = (text(&entry.id), text(&entry.title), text(&entry.place));
            let _ = writeln!(
                out,
                "<li><a href=\"#{id}\">{title}</a> <span class=\"place\">{place}</span></li>"
            );
        }
        out.push_str("</ul>\n");
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
    for table in &entry.tables {
        of_table(out, entry, table);
    }
    if !entry.claims.is_empty() {
        of_claims(out, entry);
    }
    if !entry.figures.is_empty() {
        out.push_str("<div class=\"figures\">\n");
        for figure in &entry.figures {
            let label = text(&format!("{}: {}", figure.place, figure.title));
            let drawing = draw(figure).replacen(
                "<svg ",
                &format!("<svg role=\"img\" aria-label=\"{label}\" "),
                1,
            );
            let _ = writeln!(
                out,
                "<figure>{drawing}<figcaption><b>{}.</b> {} <span class=\"source\">Source: {}.</span>\
                 </figcaption></figure>",
                text(&figure.place),
                text(&figure.title),
                text(&figure.source)
            );
        }
        out.push_str("</div>\n");
    }
    let _ = writeln!(
        out,
        "<p class=\"again\">To compute it again: <code>pliant gallery {id}</code></p></article>"
    );
}

/// Reasons, each told once and referred to by its number.
#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    fn mark(&mut self, why: Option<&String>) -> String {
        let Some(why) = why else { return String::new() };
        let known = self.0.iter().position(|one| one == why);
        let at = known.unwrap_or_else(|| {
            self.0.push(why.clone());
            self.0.len() - 1
        });
        format!("<sup>{}</sup>", at + 1)
    }

    fn list(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let each: Vec<String> = self.0.iter().map(|why| text(why)).collect();
        format!("<ol class=\"notes\"><li>{}</li></ol>\n", each.join("</li><li>"))
    }
}

/// No document prints longer numbers.
const MOST_DIGITS: usize = 12;

/// Printed above, ours below.
fn cell(row: &GalleryRow, notes: &mut Notes) -> String {
    let ours = row.ours.map_or("–".to_owned(), number);
    // as it is printed, not rounded; what claims make of printed numbers has digits without end
    let digits = |printed: f64| {
        let all = printed.to_string().replace('-', "−");
        if all.len() > MOST_DIGITS { number(printed) } else { all }
    };
    let printed = row.printed.map_or("–".to_owned(), digits);
    let part = row.relative_difference.map(part).unwrap_or_default();
    format!(
        "<td class=\"{}\" title=\"{}\"><span class=\"printed\">{printed}</span>\
         <span class=\"ours\">{ours}{}</span><span class=\"part\">{part}</span></td>",
        row.verdict.class(),
        row.verdict.word(),
        notes.mark(row.why.as_ref())
    )
}

fn of_table(out: &mut String, entry: &GalleryResult, table: &GalleryTable) {
    let mut notes = Notes::default();
    let has_names = table.lines.iter().any(|line| line.name.is_some());
    let _ = write!(
        out,
        "<h3>{}</h3><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><thead><tr>",
        text(&table.place)
    );
    if has_names {
        out.push_str("<th scope=\"col\"></th>");
    }
    for variable in &table.variables {
        let _ = write!(out, "<th scope=\"col\">{}</th>", unit(variable));
    }
    for (name, of) in &table.columns {
        let of = unit(of);
        let of = if of.is_empty() { of } else { format!(" <span class=\"unit\">{of}</span>") };
        let _ = write!(out, "<th scope=\"col\" class=\"quantity\">{}{of}</th>", text(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    for line in &table.lines {
        out.push_str("<tr>");
        if has_names {
            let name = line.name.as_deref().unwrap_or_default();
            let _ = write!(out, "<th scope=\"row\">{}</th>", text(name));
        }
        for value in &line.values {
            let _ = write!(out, "<th scope=\"row\" class=\"value\">{}</th>", text(value));
        }
        for at in &line.cells {
            if let Some(row) = entry.rows.get(*at) {
                out.push_str(&cell(row, &mut notes));
            }
        }
        out.push_str("</tr>\n");
    }
    let from = table.scenario.as_ref().map(|name| format!(" Computed from {}.", text(name)));
    let _ = write!(
        out,
        "</tbody></table></div><p class=\"key\">In each cell: printed, ours, and the difference.{}</p>\n{}",
        from.unwrap_or_default(),
        notes.list()
    );
}

fn of_claims(out: &mut String, entry: &GalleryResult) {
    let mut notes = Notes::default();
    out.push_str(
        "<h3>What the document concludes</h3><div class=\"wide\" tabindex=\"0\" role=\"region\" \
         aria-label=\"What the document concludes\"><table class=\"claims\"><thead><tr>\
         <th scope=\"col\">claim</th><th scope=\"col\">place</th><th scope=\"col\" class=\"quantity\">\
         the number that decides</th></tr></thead><tbody>\n",
    );
    for row in entry.claims.iter().filter_map(|at| entry.rows.get(*at)) {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"where\">{}</td>{}</tr>",
            text(&row.quantity),
            text(&row.place),
            cell(row, &mut notes)
        );
    }
    out.push_str("</tbody></table></div>\n");
    out.push_str(&notes.list());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_in_five_digits() {
        let told = [6.4e-5, 0.196_851_4, 2_606.588_3, 3190.0, 1.5e9, 0.0, -2.0].map(number);
        assert_eq!(told, ["0.000064", "0.19685", "2606.6", "3190", "1.5000e9", "0", "−2"]);
        let parts = [-0.0643, 0.0, 0.21, -0.5, 12.0].map(part);
        assert_eq!(parts, ["−6.43 %", "0 %", "+21 %", "−50 %", "× 13"]);
    }

    #[test]
    fn what_entries_say_is_text() {
        assert_eq!(text("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
        assert_eq!(unit("kg m^2"), "kg m²");
    }
}
