//! Lines that fit.

use unicode_width::UnicodeWidthStr;

/// Words that belong to what stands on both sides of them.
const TIES: &[&str] = &["=", "!=", "==", "<", "<=", ">", ">=", ":="];

/// Breaks a text at blanks so that no line is wider than `width`, where words allow, and no line
/// ends inside a comparison or an assignment that fits on one.
///
/// ```
/// use quotient_language::text::wrap;
/// assert_eq!(wrap("one two three", 8), "one two\nthree");
/// assert_eq!(wrap("x = 1 and y = 2", 11), "x = 1 and\ny = 2");
/// ```
pub fn wrap(text: &str, width: usize) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut out = String::with_capacity(text.len());
    let mut used = 0;
    // Where the words end that stay on the line of the present one.
    let mut together = 0;
    for (number, word) in words.iter().enumerate() {
        let mut wide = word.width();
        let tied = number < together;
        if !tied {
            (together, wide) = unit(&words, number, width);
        }
        if number > 0 && !tied && used + 1 + wide > width {
            out.push('\n');
            used = 0;
        } else if number > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used = match word.rfind('\n') {
            Some(newline) => word[newline + 1..].width(),
            None => used + word.width(),
        };
    }
    out
}

/// Where the words end that belong together with one, and how wide they are; a word alone if all
/// of them do not fit on a line.
fn unit(words: &[&str], start: usize, width: usize) -> (usize, usize) {
    let tie = |word: &str| TIES.contains(&word);
    let (mut end, mut wide) = (start + 1, words[start].width());
    while let Some(next) = words.get(end)
        && (tie(words[end - 1]) || tie(next))
        && !words[end - 1].is_empty()
        && !words[end - 1].contains('\n')
    {
        wide += 1 + next.width();
        end += 1;
        if wide > width {
            return (start + 1, words[start].width());
        }
    }
    (end, wide)
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
