//! Lines that fit.

use unicode_width::UnicodeWidthStr;

/// Breaks a text at blanks so that no line is wider than `width`, where words allow.
///
/// ```
/// assert_eq!(quotient_language::text::wrap("one two three", 8), "one two\nthree");
/// ```
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut used = 0;
    for (number, word) in text.split(' ').enumerate() {
        let wide = word.width();
        if number > 0 && used + 1 + wide > width {
            out.push('\n');
            used = 0;
        } else if number > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used = match word.rfind('\n') {
            Some(newline) => word[newline + 1..].width(),
            None => used + wide,
        };
    }
    out
}

/// A text of several lines, each within the width, what is left over indented.
pub fn wrap_indented(text: &str, width: usize, indent: usize) -> String {
    let margin = format!("\n{:indent$}", "");
    let lines = text
        .lines()
        .map(|line| wrap(line, width).replace('\n', &margin));
    lines.collect::<Vec<_>>().join("\n")
}

/// `1 state`, `2 states`; words that end in `s` or `y` take what English does.
///
/// ```
/// use quotient_language::text::count;
/// assert_eq!(count(1, "process"), "1 process");
/// assert_eq!(count(0, "process"), "0 processes");
/// assert_eq!(count(2, "property"), "2 properties");
/// ```
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        return format!("{number} {what}");
    }
    match what.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ if what.ends_with('s') => format!("{number} {what}es"),
        _ => format!("{number} {what}s"),
    }
}
