//! Lines that fit, the first of them from the margin on.

use quotient_language::text::wrap;

/// A text, no line wider than `width` where words allow; all but the first begin `indent` columns
/// further to the right.
///
/// ```
/// let text = quotient_report::hanging("one two three four", 9, 2);
/// assert_eq!(text, "one two\n  three\n  four");
/// ```
pub fn hanging(text: &str, width: usize, indent: usize) -> String {
    let whole = wrap(text, width);
    let Some((first, _)) = whole.split_once('\n') else {
        return whole;
    };
    // A line ends in the place of one blank, or of a line break of the text itself.
    let rest = text.get(first.len() + 1..).unwrap_or_default();
    let margin = format!("\n{:indent$}", "");
    let rest = wrap(rest, width.saturating_sub(indent).max(1)).replace('\n', &margin);
    format!("{first}{margin}{rest}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::hanging;

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_word_is_lost(
            words in prop::collection::vec("[a-z]{1,9}", 0..40),
            width in 20usize..60,
            indent in 0usize..9,
        ) {
            let text = words.join(" ");
            let told = hanging(&text, width, indent);
            let found: Vec<&str> = told.split_whitespace().collect();
            prop_assert_eq!(found, words);
            for (number, line) in told.lines().enumerate() {
                prop_assert!(line.len() <= width, "{}", told);
                let blanks = line.len() - line.trim_start().len();
                prop_assert_eq!(blanks, if number == 0 { 0 } else { indent });
            }
        }
    }
}
