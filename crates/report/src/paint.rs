//! Colours for the text of answers.
//!
//! They come last, when all that a model could have put into the text is harmless: lines are
//! recognised by how they begin and end.

const BOLD: &str = "\u{1b}[1m";
const UNDERLINED: &str = "\u{1b}[4m";
const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

/// Words that a table begins with.
const HEADS: &[&str] = &["step", "attempt", "state", "name", "number"];

/// A text with verdicts in green, red or yellow, words that introduce a remark in bold, and the heads
/// of tables underlined.
///
/// ```
/// let text = quotient_report::painted("mutex: holds\n  3 states looked at\n");
/// assert_eq!(text, "mutex: \u{1b}[1;32mholds\u{1b}[0m\n  3 states looked at\n");
/// ```
pub fn painted(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.map(line).collect()
}

fn line(line: &str) -> String {
    let (body, end) = match line.strip_suffix('\n') {
        Some(body) => (body, "\n"),
        None => (line, ""),
    };
    let shown = match body.starts_with(' ') {
        true => inside(body),
        false => outside(body),
    };
    shown + end
}

/// A line at the margin: the verdict on a property, or a remark.
fn outside(body: &str) -> String {
    for (verdict, colour) in [("holds", GREEN), ("violated", RED)] {
        if let Some(before) = body.strip_suffix(verdict)
            && before.ends_with(": ")
        {
            return format!("{before}{colour}{verdict}{PLAIN}");
        }
    }
    if let Some((before, reason)) = body.split_once(": unknown") {
        return format!("{before}: {YELLOW}unknown{PLAIN}{reason}");
    }
    for (word, colour) in [("doubt:", YELLOW), ("help:", BOLD), ("story", BOLD)] {
        if let Some(rest) = body.strip_prefix(word) {
            return format!("{colour}{word}{PLAIN}{rest}");
        }
    }
    body.to_owned()
}

/// A line that belongs to an answer: underlined if it is the head of a table.
fn inside(body: &str) -> String {
    let cells = body.trim_start();
    let first = cells.split_whitespace().next().unwrap_or_default();
    let is_head = HEADS.contains(&first) && cells[first.len()..].starts_with("  ");
    let is_marks = !cells.is_empty() && cells.chars().all(|letter| "^ ~".contains(letter));
    let indent = &body[..body.len() - cells.len()];
    match (is_head, is_marks) {
        (true, _) => format!("{indent}{UNDERLINED}{cells}{PLAIN}"),
        (_, true) => format!("{indent}{YELLOW}{cells}{PLAIN}"),
        _ => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left without colours.
    fn plain(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest));
        first + &rest.collect::<String>()
    }

    #[test]
    fn colours_change_nothing_else() {
        let text = "1. p: violated\n  step  action\n  1     a\n  ^^^\nq: unknown (out of time)\ndoubt: x\nhelp: y\nholds";
        let shown = painted(text);
        assert_eq!(plain(&shown), text);
        assert!(
            shown.contains("\u{1b}[1;31mviolated\u{1b}[0m\n  \u{1b}[4mstep  action\u{1b}[0m\n")
        );
        assert!(shown.contains("\u{1b}[1;33munknown\u{1b}[0m (out of time)"));
        assert!(shown.ends_with("\nholds"));
    }
}
