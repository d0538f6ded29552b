//! How texts of an arm are written into sources: one function for each place.

use crate::name::shown;
use std::fmt::Write as _;

/// The longest identifier made of a name.
const LONGEST: usize = 48;

/// Words that mean something to C, C++, Rust, `CMake` or Cargo, or name functions and headers of C,
/// and would be whole names here.
const TAKEN: &str = "abs abstract acos acosh alignas alignof all alloc and as asin asinh asm async atan atan2 atanh \
    auto await become bool box break build case catch cbrt ceil char class clean compl complex const \
    constexpr continue core cos cosh crate default delete depend deps do double dyn edit_cache else \
    enum erf erfc example examples exp exp2 explicit expm1 export extern fabs false features final \
    float floor fma fmax fmin fmod fn for frexp friend gamma gen global goto help hypot if imaginary \
    impl import in incremental inline install int isinf isnan j0 j1 jn ldexp let lgamma libm limits \
    log log10 log1p log2 logb long loop m macro main match math mod modf module move mut mutable \
    namespace nan new not nullptr operator or override package package_source pliant pow preinstall \
    priv private proc_macro protected pub public real rebuild_cache ref register reinterpret_cast \
    remainder requires restrict return rint round self short signed sin sinh sizeof sqrt static std \
    stddef stdint stdio stdlib string struct super switch tan tanh template test tgamma this throw \
    trait true trunc try type typedef typeid typename typeof union unsafe unsigned unsized use using \
    virtual void volatile wchar_t where while wide xor y0 y1 yield yn";

/// An identifier of every target: lower-case letters, digits and single underscores, none of them
/// at an end, no word of a language, never empty.
pub(super) fn identifier(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if out.len() == LONGEST {
            break;
        }
    }
    let out = out.trim_end_matches('_');
    match out.chars().next() {
        None => "arm".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("arm_{out}"),
        Some(_) if TAKEN.split(' ').any(|word| word == out) => format!("{out}_arm"),
        Some(_) => out.to_owned(),
    }
}

/// The namespace of a prefix in C++: a word that no header has. Functions of C, which are global, may
/// have any other one.
pub(super) fn namespace(prefix: &str) -> String {
    format!("{prefix}_arm")
}

/// A text inside a comment of any target: one line that neither ends the comment, nor begins
/// another, nor continues the line.
pub(super) fn comment(text: &str) -> String {
    let plain = shown(text).replace('\\', "(backslash)").replace('`', "'");
    // what could form `*/`, `/*`, `//` or a trigraph is kept apart; a slash begins none alone
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        let pair = (out.chars().next_back(), c);
        if matches!(pair, (Some('*'), '/') | (Some('/'), '*' | '/') | (Some('?'), '?')) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// A literal of C or C++ that has this text as its bytes.
pub(super) fn c_literal(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        let _ = match byte {
            b'"' | b'\\' | b'?' => write!(out, "\\{}", char::from(byte)),
            b' '..=b'~' => write!(out, "{}", char::from(byte)),
            // three digits, so that no digit behind belongs to it
            _ => write!(out, "\\{byte:03o}"),
        };
    }
    out.push('"');
    out
}

/// A literal of Rust that has this text as its value.
pub(super) fn rust_literal(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_words_of_no_language() {
        for (name, wanted) in [
            ("king-two-link", "king_two_link"),
            ("Arm 6/7, \"new\"", "arm_6_7_new"),
            ("__x__", "x"),
            ("7 joints", "arm_7_joints"),
            ("плечо", "arm"),
            ("", "arm"),
            ("double", "double_arm"),
            ("Self", "self_arm"),
            ("test", "test_arm"),
        ] {
            assert_eq!(identifier(name), wanted);
        }
        assert_eq!(identifier(&"ab-".repeat(80)).len(), LONGEST - 1);
    }

    #[test]
    fn comments_stay_comments() {
        for (text, wanted) in [
            ("plain, l'épaule 肩", "plain, l'épaule 肩"),
            ("x */ int main", "x * / int main"),
            ("/* // /**/", "/ * / / / ** /"),
            ("end \\", "end (backslash)"),
            ("??/ ???/", "? ?/ ? ? ?/"),
            ("a\nb\u{202e}", "a(backslash)nb(backslash)u{202e}"),
        ] {
            assert_eq!(comment(text), wanted);
        }
    }

    #[test]
    fn literals_have_the_text_as_value() {
        assert_eq!(c_literal("a\"b\\??/%s\n1é"), r#""a\"b\\\?\?/%s\0121\303\251""#);
        assert_eq!(rust_literal("a\"b\\{}é"), r#""a\"b\\{}\u{e9}""#);
    }
}
