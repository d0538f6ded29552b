//! The page that is filled.

use super::pack::Pack;
use crate::results::checksum;
use base64::Engine as _;
use serde_json::Value;

/// What `npm run build` in `web/` makes: the page of runs and modes.
pub(super) const RUN: &str = include_str!("../../assets/report.html");

/// That of studies.
pub(super) const STUDY: &str = include_str!("../../assets/study.html");

/// Where the template has room.
const TOLD: &str = "@PLIANT-TOLD@";
const NUMBERS: &str = "@PLIANT-NUMBERS@";

/// Before this a page says who wrote it, and of what.
const TITLE: &str = "<title>";

/// What a page is of: results by what no others have; nothing where that is not known.
fn of(identities: &[Option<&str>]) -> String {
    let known: Option<Vec<&str>> = identities.iter().copied().collect();
    let known = known.unwrap_or_default().join(" ");
    format!("<meta name=\"pliant-runs\" content=\"{known}\" />")
}

/// Whether a page is of these results, and as it was written.
pub(super) fn is_of(page: &[u8], identities: &[Option<&str>]) -> bool {
    let of = of(identities);
    let is_known = identities.iter().all(Option::is_some);
    is_known
        && page.windows(of.len()).any(|some| some == of.as_bytes())
        && checksum::is_sealed(page)
}

/// Fills a template with a page of a kind, of these results.
pub(super) fn fill(
    template: &str,
    kind: &str,
    told: &Value,
    pack: &Pack,
    identities: &[Option<&str>],
) -> String {
    let told = serde_json::json!({
        "kind": kind,
        "version": env!("CARGO_PKG_VERSION"),
        "told": told,
    });
    // in JSON the sign can stand only inside of words, and no word then ends the element
    let told = told.to_string().replace('<', "\\u003c");
    let numbers = base64::engine::general_purpose::STANDARD.encode(&pack.bytes);
    let mut page = String::with_capacity(template.len() + told.len() + numbers.len());
    let version = env!("CARGO_PKG_VERSION");
    let head = format!(
        "<meta name=\"generator\" content=\"pliant {version}\" />\n    {}\n    \
         <meta name=\"pliant-checksum\" content=\"{}\" />\n    {TITLE}",
        of(identities),
        checksum::blank()
    );
    let mut rest = template;
    for (mark, content) in [(TITLE, &head), (TOLD, &told), (NUMBERS, &numbers)] {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(content);
            rest = after;
        }
    }
    page.push_str(rest);
    checksum::seal_page(&page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_room_once_each_in_this_order() {
        for template in [RUN, STUDY] {
            for mark in [TITLE, TOLD, NUMBERS] {
                assert_eq!(template.matches(mark).count(), 1, "{mark}");
            }
            assert!(template.find(TITLE) < template.find(TOLD));
            assert!(template.find(TOLD) < template.find(NUMBERS));
        }
    }

    #[test]
    fn no_name_ends_the_element() {
        let before = fill(RUN, "run", &serde_json::json!(""), &Pack::default(), &[]);
        let told = serde_json::json!("</script><script>alert(1)</script><!-- @PLIANT-NUMBERS@");
        let page = fill(RUN, "run", &told, &Pack::default(), &[]);
        for sign in ["</script", "<script", "<!--"] {
            assert_eq!(page.matches(sign).count(), before.matches(sign).count(), "{sign}");
        }
    }

    #[test]
    fn no_name_is_taken_for_the_checksum() {
        let name = format!("bob {}", checksum::blank());
        let identity = [Some("run")];
        let page = fill(RUN, "run", &serde_json::json!(name), &Pack::default(), &identity);
        assert_eq!(page.matches(&name).count(), 1);
        assert!(is_of(page.as_bytes(), &identity));
        assert!(!is_of(page.replace("bob", "rob").as_bytes(), &identity));
    }
}
