//! Tables and claims of pages.

use super::page_text::{number, number_beside, part, printed, text, unit};
use super::{GalleryResult, GalleryRow, GalleryTable, GalleryVerdict};
use std::fmt::Write as _;

impl GalleryVerdict {
    /// Its class in the style.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotReproducible => "lost",
            Self::NoPrintedNumber => "silent",
            Self::Beyond => "beyond",
        }
    }

    /// The same for who sees no colours.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Reproduced => "✓",
            Self::Differs => "≠",
            Self::NotReproducible => "✗",
            Self::NoPrintedNumber | Self::Beyond => "",
        }
    }
}

/// Reasons below a table, each told once and referred to by its number.
struct Notes {
    /// What their anchors begin with.
    of: String,
    told: Vec<String>,
}

impl Notes {
    fn below(of: String) -> Self {
        Self { of, told: Vec::new() }
    }

    fn mark(&mut self, why: Option<&String>) -> String {
        let Some(why) = why else { return String::new() };
        let known = self.told.iter().position(|one| one == why);
        let at = 1 + known.unwrap_or_else(|| {
            self.told.push(why.clone());
            self.told.len() - 1
        });
        format!("<sup><a href=\"#{}.note-{at}\">{at}</a></sup>", self.of)
    }

    fn list(&self) -> String {
        if self.told.is_empty() {
            return String::new();
        }
        let mut out = String::from("<ol class=\"notes\">");
        for (k, why) in self.told.iter().enumerate() {
            let _ = write!(out, "<li id=\"{}.note-{}\">{}</li>", self.of, k + 1, text(why));
        }
        out + "</ol>\n"
    }
}

/// A link to a place of the page, at that place.
fn anchor(id: &str, what: &str) -> String {
    format!(
        "<th scope=\"row\" class=\"anchor\"><a href=\"#{id}\" title=\"link to this {what}\">#</a></th>"
    )
}

/// The cells of a number: what is printed, where the column has that, ours, and the difference.
fn cells(row: &GalleryRow, has_printed: bool, notes: &mut Notes) -> String {
    let (class, word) = (row.verdict.class(), row.verdict.word());
    let decimals = row.decimals.unwrap_or(0);
    let ours = row.ours.map_or("–".to_owned(), |ours| number_beside(ours, decimals));
    let why = notes.mark(row.why.as_ref());
    let ours = format!(
        "<td class=\"{class}\" title=\"{word}\"><span class=\"ours\">{ours}</span>{why}</td>"
    );
    if !has_printed {
        return ours;
    }
    let part = row.relative_difference.map(part).unwrap_or_default();
    format!(
        "<td class=\"printed\">{}</td>{ours}<td class=\"part {class}\">{part} {}</td>",
        printed(row),
        row.verdict.mark()
    )
}

/// A region that scrolls where the page is narrow.
pub(super) const WIDE: &str = "<div class=\"wide\" tabindex=\"0\" role=\"region\"";

/// The table of this number of an entry.
pub(super) fn of_table(out: &mut String, entry: &GalleryResult, number: usize) {
    let table: &GalleryTable = &entry.tables[number];
    let id = format!("{}.table-{}", text(&entry.id), number + 1);
    let mut notes = Notes::below(id.clone());
    let has_names = table.lines.iter().any(|line| line.name.is_some());
    let row = |line: usize, column: usize| {
        table.lines.get(line).and_then(|line| entry.rows.get(*line.cells.get(column)?))
    };
    let has_printed: Vec<bool> = (0..table.columns.len())
        .map(|k| (0..table.lines.len()).any(|j| row(j, k).is_some_and(|row| row.printed.is_some())))
        .collect();
    let has_labels = has_printed.contains(&true);
    let rows = if has_labels { " rowspan=\"2\"" } else { "" };
    let _ = write!(
        out,
        "<section class=\"table\" id=\"{id}\"><h3><a href=\"#{id}\">{}</a></h3>\
         {WIDE} aria-label=\"{0}\"><table><thead><tr><th{rows}></th>",
        text(&table.place)
    );
    if has_names {
        let _ = write!(out, "<th scope=\"col\"{rows}></th>");
    }
    for variable in &table.variables {
        let _ = write!(out, "<th scope=\"col\"{rows} class=\"value\">{}</th>", unit(variable));
    }
    for ((name, of), has_printed) in table.columns.iter().zip(&has_printed) {
        let of = unit(of);
        let of = if of.is_empty() { of } else { format!(" <span class=\"unit\">{of}</span>") };
        let span = if *has_printed { " colspan=\"3\"" } else { rows };
        let _ = write!(out, "<th scope=\"col\"{span} class=\"quantity\">{}{of}</th>", text(name));
    }
    if has_labels {
        out.push_str("</tr><tr class=\"labels\">");
        for _ in has_printed.iter().filter(|has| **has) {
            out.push_str("<th scope=\"col\">printed</th><th scope=\"col\">pliant</th><th scope=\"col\">diff.</th>");
        }
    }
    out.push_str("</tr></thead><tbody>\n");
    for (j, line) in table.lines.iter().enumerate() {
        let own = match &line.id {
            Some(own) => format!("{}.{}", text(&entry.id), text(own)),
            None => format!("{id}.row-{}", j + 1),
        };
        let _ = write!(out, "<tr id=\"{own}\">{}", anchor(&own, "row"));
        if has_names {
            let name = line.name.as_deref().unwrap_or_default();
            let _ = write!(out, "<th scope=\"row\">{}</th>", text(name));
        }
        for value in &line.values {
            let _ = write!(out, "<th scope=\"row\" class=\"value\">{}</th>", text(value));
        }
        for (k, has_printed) in has_printed.iter().enumerate() {
            if let Some(row) = row(j, k) {
                out.push_str(&cells(row, *has_printed, &mut notes));
            }
        }
        out.push_str("</tr>\n");
    }
    let from = table.scenario.as_ref().map(|name| {
        let file = format!("{}.{}", text(&entry.id), text(name));
        let is_shown = entry.files.iter().any(|(own, _)| own == name);
        let name = format!("<code>{}</code>", text(name));
        let name = if is_shown { format!("<a href=\"#{file}\">{name}</a>") } else { name };
        format!("<p class=\"key\">Computed from {name}.</p>\n")
    });
    let _ = writeln!(
        out,
        "</tbody></table></div>{}{}</section>",
        from.unwrap_or_default(),
        notes.list()
    );
}

/// The claims of an entry.
pub(super) fn of_claims(out: &mut String, entry: &GalleryResult, heading: &str) {
    let id = format!("{}.claims", text(&entry.id));
    let mut notes = Notes::below(id.clone());
    let rows = || entry.claims.iter().filter_map(|claim| Some((entry.rows.get(claim.row)?, claim)));
    let has_printed = rows().any(|(row, _)| row.printed.is_some());
    let _ = writeln!(
        out,
        "<section class=\"table\" id=\"{id}\"><h3><a href=\"#{id}\">{heading}</a></h3>\
         {WIDE} aria-label=\"{heading}\"><table class=\"claims\"><thead><tr>\
         <th></th><th scope=\"col\">claim</th><th scope=\"col\">place</th>\
         <th scope=\"col\" class=\"quantity\">holds where</th>{}\
         <th scope=\"col\" class=\"quantity\">pliant</th><th scope=\"col\"></th></tr></thead><tbody>",
        if has_printed { "<th scope=\"col\" class=\"quantity\">of the print</th>" } else { "" }
    );
    for (k, (row, claim)) in rows().enumerate() {
        let own = format!("{id}-{}", k + 1);
        let said = printed(row);
        let said = if has_printed {
            let is = if said.is_empty() { "" } else { " data-is=\"of the print\"" };
            format!("<td class=\"printed\"{is}>{said}</td>")
        } else {
            said
        };
        let (class, of) = (row.verdict.class(), unit(&row.unit));
        let _ = writeln!(
            out,
            "<tr id=\"{own}\">{}<th scope=\"row\">{}</th><td class=\"where\">{}</td>\
             <td class=\"printed\" data-is=\"holds where\">{} {of}</td>{said}\
             <td class=\"{class}\" data-is=\"pliant\"><span class=\"ours\">{} {of}</span>{}</td>\
             <td class=\"part {class}\">{} {}</td></tr>",
            anchor(&own, "claim"),
            text(&row.quantity),
            text(&row.place),
            text(&claim.bound),
            row.ours.map_or("–".to_owned(), number),
            notes.mark(row.why.as_ref()),
            if row.verdict == GalleryVerdict::Reproduced { "holds" } else { "does not hold" },
            row.verdict.mark()
        );
    }
    let _ = writeln!(out, "</tbody></table></div>{}</section>", notes.list());
}
