//! What may go to a terminal.

use std::borrow::Cow;

/// A text whose control characters show as what they are: names in files must not move the
/// cursor, change colours or print themselves as something else. Line ends and tabs stay.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_odd = |letter: char| {
        (letter.is_control() && letter != '\n' && letter != '\t')
            // Marks that turn the direction of writing, end lines or cannot be seen at all.
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{00ad}')
            || matches!(letter, '\u{061c}' | '\u{180e}' | '\u{115f}' | '\u{1160}' | '\u{3164}')
            || matches!(letter, '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().map(|letter| match is_odd(letter) {
        true => letter.escape_unicode().to_string(),
        false => letter.to_string(),
    });
    Cow::Owned(letters.collect())
}

/// The columns of the terminal; 80 where there is none or it does not say.
pub(crate) fn width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .filter(|&columns| (40..=400).contains(&columns))
        .unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(harmless("a\tb\n"), "a\tb\n");
        assert_eq!(harmless("\u{1b}[2Jx\r"), "\\u{1b}[2Jx\\u{d}");
        assert_eq!(harmless("é\u{202e}"), "é\\u{202e}");
        assert_eq!(harmless("OR\u{200b}DER"), "OR\\u{200b}DER");
        assert_eq!(
            harmless("a\u{61c}b\u{3164}\u{e0041}"),
            "a\\u{61c}b\\u{3164}\\u{e0041}"
        );
    }
}
