//! Going on after a mistake, so that all mistakes of a text are told at once.

use quotient_core::{Diagnostic, Source};

use super::{MOST_ERRORS, Parser};
use crate::token::Kind;

impl Parser<'_> {
    /// Notes a mistake in the definition that began at word `start`, and goes on with the next
    /// definition.
    pub(super) fn recover(&mut self, mistake: Diagnostic, start: usize) {
        self.errors.push(mistake);
        if self.errors.len() == MOST_ERRORS {
            self.at = self.tokens.len() - 1;
            return;
        }
        // What uses a set or range is right even if its definition is not.
        if let [what, name, ..] = self.tokens[start..]
            && name.kind == Kind::Upper
        {
            let name = self.text(name.span).to_string();
            match what.kind {
                Kind::Set => self.sets.insert(name),
                Kind::Range => self.ranges.insert(name),
                _ => false,
            };
        }
        // A word that is none of FSP and a name: what is defined is known to be wrong.
        let words = match self.tokens[start].kind {
            Kind::Lower => 2,
            _ => 1,
        };
        self.at = self.at.max(start + words).min(self.tokens.len() - 1);
        while self.kind() != Kind::End && !self.at_definition() {
            self.at += 1;
        }
    }

    /// Whether a definition begins here, as far as three words can tell.
    pub(super) fn at_definition(&self) -> bool {
        match self.kind() {
            Kind::Const | Kind::Range | Kind::Set => true,
            Kind::Property | Kind::Progress | Kind::Minimal | Kind::Deterministic => true,
            Kind::Fluent | Kind::Assert | Kind::Constraint | Kind::LtlProperty => true,
            Kind::Menu | Kind::Animation | Kind::Import => true,
            Kind::Parallel => self.defines(1),
            // After a comma it is a local process.
            Kind::Upper => self.defines(0) && self.tokens[self.at - 1].kind != Kind::Comma,
            _ => false,
        }
    }

    /// `P =` or `P(N=`, some words further on.
    fn defines(&self, at: usize) -> bool {
        let kinds: [Kind; 4] = std::array::from_fn(|word| self.kind_after(at + word));
        matches!(
            kinds,
            [Kind::Upper, Kind::Becomes, ..]
                | [Kind::Upper, Kind::LeftRound, Kind::Upper, Kind::Becomes]
        )
    }
}

/// What is no word and what is no sentence, in the order of the text. A line with something that
/// is no word is seldom a sentence: of such a line only the words are told.
pub(super) fn all_mistakes(
    source: &Source,
    not_words: Vec<Diagnostic>,
    mut not_sentences: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let text = source.text();
    let place = |mistake: &Diagnostic| mistake.labels.first().map_or(0, |label| label.span.start);
    let line = |mistake: &Diagnostic| text[..place(mistake)].rfind('\n');
    let bad_lines: Vec<_> = not_words.iter().map(line).collect();
    not_sentences.retain(|mistake| !bad_lines.contains(&line(mistake)));
    let mut mistakes = not_words;
    mistakes.append(&mut not_sentences);
    mistakes.sort_by_key(place);
    mistakes.truncate(MOST_ERRORS);
    mistakes
}
