//! Formulas with some of their parts underlined.

use quotient_core::{Source, Span};
use quotient_language::text::wrap;

/// The text of a formula on one line, without comments, with `~` below some of its parts.
/// Long formulas are broken at spaces, each line with its own marks.
pub(super) fn marked(source: &Source, formula: Span, parts: &[Span], width: usize) -> String {
    let letters = one_line(source, formula);
    let mark = |at: usize| {
        let inside = parts.iter().any(|part| part.range().contains(&at));
        if inside { '~' } else { ' ' }
    };
    let mut out = String::new();
    let mut tell = |line: &[(usize, char)]| {
        let text: String = line.iter().map(|&(_, letter)| letter).collect();
        let marks: String = line.iter().map(|&(at, _)| mark(at)).collect();
        for told in [&text, &marks].map(|line| line.trim_end()) {
            if !told.is_empty() {
                out.push_str(told);
                out.push('\n');
            }
        }
    };
    let text: String = letters.iter().map(|&(_, letter)| letter).collect();
    let mut rest = &letters[..];
    for line in wrap(&text, width).split('\n') {
        let (own, after) = rest.split_at(line.chars().count());
        // A word that is wider than a line is broken.
        own.chunks(width.max(1)).for_each(&mut tell);
        rest = after.get(1..).unwrap_or_default();
    }
    out
}

/// The text of a formula on one line, taken apart where parts begin and end of which something is said.
pub(super) fn pieces(
    source: &Source,
    formula: Span,
    parts: &[(Span, String)],
) -> Vec<(String, Option<String>)> {
    let mut pieces: Vec<(String, Option<usize>)> = Vec::new();
    for (at, letter) in one_line(source, formula) {
        let own = parts
            .iter()
            .position(|(part, _)| part.range().contains(&at));
        match pieces.last_mut() {
            Some((text, part)) if *part == own => text.push(letter),
            _ => pieces.push((letter.to_string(), own)),
        }
    }
    let said = |part: usize| parts[part].1.clone();
    let pieces = pieces.into_iter();
    pieces.map(|(text, part)| (text, part.map(said))).collect()
}

/// The text of a part on one line.
pub(super) fn text_of(source: &Source, part: Span) -> String {
    let letters = one_line(source, part);
    letters.iter().map(|&(_, letter)| letter).collect()
}

/// The characters with their places in the source: comments are left out, and white space is
/// one space.
fn one_line(source: &Source, span: Span) -> Vec<(usize, char)> {
    let Some(text) = source.text().get(span.range()) else {
        return Vec::new();
    };
    let mut letters: Vec<(usize, char)> = Vec::new();
    let mut in_comment = false;
    for (at, letter) in text.char_indices() {
        in_comment = match letter {
            '\n' => false,
            '-' => in_comment || text[at..].starts_with("--"),
            _ => in_comment,
        };
        let space = in_comment || letter.is_whitespace();
        let after_space = letters.last().is_none_or(|&(_, last)| last == ' ');
        if !space {
            letters.push((span.range().start + at, letter));
        } else if !after_space {
            letters.push((span.range().start + at, ' '));
        }
    }
    if letters.last().is_some_and(|&(_, last)| last == ' ') {
        letters.pop();
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_underlined_where_they_stand() {
        let source = Source::new("m", "SPEC AG (a -> -- why\n   AF b)");
        let whole = Span::new(5, source.text().len());
        let start = source.text().find('b').unwrap();
        let part = Span::new(start, start + 1);
        let shown = marked(&source, whole, &[part], 60);
        assert_eq!(shown, "AG (a -> AF b)\n            ~\n");
        let narrow = marked(&source, whole, &[part], 8);
        assert_eq!(narrow, "AG (a ->\nAF b)\n   ~\n");
    }

    #[test]
    fn no_line_ends_inside_a_comparison() {
        let source = Source::new("m", "SPEC AG (mode = waiting -> AF mode != busy_for_long)");
        let whole = Span::new(5, source.text().len());
        let start = source.text().find("mode !=").unwrap();
        let part = Span::new(start, source.text().len() - 1);
        let shown = marked(&source, whole, &[part], 40);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "AG (mode = waiting -> AF");
        assert_eq!(lines[1], "mode != busy_for_long)");
        assert_eq!(lines[2], "~".repeat(21));
        let narrow = marked(&source, whole, &[], 10);
        assert!(narrow.lines().all(|line| line.len() <= 10), "{narrow}");
        assert!(narrow.contains("\nbusy_for_l\nong)\n"), "{narrow}");
    }

    #[test]
    fn pieces_together_are_the_formula_and_say_why_each_does_not_matter() {
        let source = Source::new("m", "SPEC AG (a -> -- why\n   AF b)");
        let whole = Span::new(5, source.text().len());
        let [begin, end] = [source.text().find("AF").unwrap(), source.text().len() - 1];
        let parts = [(Span::new(begin, end), "never".to_owned())];
        let found = pieces(&source, whole, &parts);
        let plain = |text: &str| (text.to_owned(), None);
        let said = ("AF b".to_owned(), Some("never".to_owned()));
        assert_eq!(found, [plain("AG (a -> "), said, plain(")")]);
    }
}
