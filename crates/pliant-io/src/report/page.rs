//! The page that is filled.

use super::pack::Pack;
use base64::Engine as _;
use serde_json::Value;

/// What `npm run build` in `web/` makes.
const TEMPLATE: &str = include_str!("../../assets/report.html");

/// Where the template has room.
const TOLD: &str = "@PLIANT-TOLD@";
const NUMBERS: &str = "@PLIANT-NUMBERS@";

/// Fills a page of a kind.
pub(super) fn fill(kind: &str, told: &Value, pack: &Pack) -> String {
    let told = serde_json::json!({
        "kind": kind,
        "version": env!("CARGO_PKG_VERSION"),
        "told": told,
    });
    // in JSON the sign can stand only inside of words, and no word then ends the element
    let told = told.to_string().replace('<', "\\u003c");
    let numbers = base64::engine::general_purpose::STANDARD.encode(&pack.bytes);
    let mut page = String::with_capacity(TEMPLATE.len() + told.len() + numbers.len());
    let mut rest = TEMPLATE;
    for (mark, content) in [(TOLD, &told), (NUMBERS, &numbers)] {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(content);
            rest = after;
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_room_once_each_in_this_order() {
        for mark in [TOLD, NUMBERS] {
            assert_eq!(TEMPLATE.matches(mark).count(), 1, "{mark}");
        }
        assert!(TEMPLATE.find(TOLD) < TEMPLATE.find(NUMBERS));
    }

    #[test]
    fn no_name_ends_the_element() {
        let before = fill("run", &serde_json::json!(""), &Pack::default());
        let told = serde_json::json!("</script><script>alert(1)</script><!-- @PLIANT-NUMBERS@");
        let page = fill("run", &told, &Pack::default());
        for sign in ["</script", "<script", "<!--"] {
            assert_eq!(page.matches(sign).count(), before.matches(sign).count(), "{sign}");
        }
    }
}
