//! The labels of transitions, by the type of the section.

use quotient_core::{Diagnostic, Trouble};

use super::bits::{formula, pattern};
use super::lines::{Word, no_transition};
use super::read::{Labels, Section};
use super::{ANY, EPSILON};
use crate::formats::cursor::undeclared;
use crate::formats::draft::{Draft, DraftLabel, Letters, Names};

impl<'a> Section<'a> {
    /// A letter, `()`, or letters joined by `|`; `None` for ε.
    pub(super) fn explicit(
        &mut self,
        label: &[Word<'a>],
        draft: &mut Draft,
    ) -> Result<Option<Letters>, Trouble> {
        if let [only] = label {
            return self.letter(only, draft);
        }
        let names: Vec<&Word<'a>> = label
            .iter()
            .filter(|word| !["(", ")", "|"].into_iter().any(|mark| word.is(mark)))
            .collect();
        if let Some(operator) = names.iter().find(|word| word.is("&") || word.is("!")) {
            return Err(Diagnostic::error(
                "syntax",
                format!("`{}` between letters", operator.text),
            )
            .at(self.source, operator.span, "expected a letter")
            .help("formulas over bits belong in a section `@NFA-bits`")
            .into());
        }
        let joined = label.iter().filter(|word| word.is("|")).count();
        match names.as_slice() {
            [] => Ok(None),
            _ if names.len() == joined + 1 => {
                let mut letters = Vec::new();
                for word in names {
                    match self.letter(word, draft)? {
                        Some(Letters::In(one)) => letters.extend_from_slice(&one),
                        _ => {
                            return Err(Diagnostic::error(
                                "syntax",
                                "ε is not a member of a set of letters",
                            )
                            .at(self.source, word.span, "expected a letter")
                            .into());
                        }
                    }
                }
                Ok(Some(Letters::listed(letters, false)))
            }
            [_, second, ..] => Err(Diagnostic::error(
                "syntax",
                format!("expected one letter, found `{}` too", second.text),
            )
            .at(self.source, second.span, "a second letter")
            .help("a letter with blanks is quoted; words to read and write belong in `@NFT`")
            .into()),
            [only] => Err(no_transition(self.source, &[(*only).clone()], "one letter").into()),
        }
    }

    fn letter(&mut self, word: &Word<'a>, draft: &mut Draft) -> Result<Option<Letters>, Trouble> {
        if word.is(EPSILON) || self.epsilons.iter().any(|epsilon| *epsilon == word.text) {
            return Ok(None);
        }
        if word.is(ANY) {
            return Ok(Some(Letters::NotIn([].into())));
        }
        if let Some(alphabet) = &self.alphabet
            && alphabet.get(&word.text).is_none()
            && !self.forget_ranks(&word.text, draft)
        {
            let alphabet = self.alphabet.get_or_insert_default();
            return Err(undeclared(
                self.source,
                word.span,
                "letter",
                &word.text,
                alphabet.iter(),
            )
            .help("or add it to `%Alphabet`")
            .into());
        }
        self.settle_letters(draft);
        Ok(Some(Letters::one(draft.letters.intern(&word.text))))
    }

    /// Whether a letter is declared with a rank, as in `%Alphabet a:1`, though transitions have
    /// it without: then all letters of the section lose theirs.
    fn forget_ranks(&mut self, name: &str, draft: &mut Draft) -> bool {
        let Some(alphabet) = &mut self.alphabet else {
            return false;
        };
        let ranked: Vec<(String, String)> = alphabet
            .iter()
            .filter_map(|letter| Some((letter.to_owned(), without_rank(letter)?.to_owned())))
            .collect();
        let is_settled = |letter: &str| draft.letters.get(letter).is_some();
        let is_known = ranked.iter().any(|(_, plain)| plain == name);
        // Letters of the file that would be the same are not told apart any more.
        let is_late = self.settled > 0 && ranked.iter().any(|(_, plain)| is_settled(plain));
        if !is_known || is_late {
            return false;
        }
        for (letter, plain) in &ranked {
            alphabet.rename(letter, plain);
            if self.settled > 0 {
                draft.letters.rename(letter, plain);
            }
        }
        true
    }

    /// Where no transition tells whether `%Alphabet a:1` has ranks, it has if every letter is
    /// declared with `:1` and without quotes.
    pub(super) fn forget_unused_ranks(&mut self, draft: &mut Draft) {
        if self.settled > 0 || self.quoted_letters {
            return;
        }
        let Some(alphabet) = &self.alphabet else {
            return;
        };
        let first = alphabet.iter().next().and_then(without_rank);
        let name = first.map(str::to_owned);
        let are_ranked = alphabet.iter().all(|letter| letter.ends_with(":1"));
        if let (Some(name), true) = (name, are_ranked) {
            self.forget_ranks(&name, draft);
        }
    }

    /// Takes the declared letters into the file's. That is done when a transition tells whether
    /// they have ranks, or none did: a letter with a rank would be one more.
    pub(super) fn settle_letters(&mut self, draft: &mut Draft) {
        let letters = self.alphabet.iter().flat_map(Names::iter);
        for letter in letters.skip(self.settled) {
            draft.letters.intern(letter);
            self.settled += 1;
        }
    }

    /// The number of a label over bits; each spelling is read once.
    pub(super) fn bit_label(
        &mut self,
        label: &[Word<'a>],
        draft: &mut Draft,
    ) -> Result<u32, Trouble> {
        let (Some(first), Some(last)) = (label.first(), label.last()) else {
            return Err(no_transition(self.source, label, "a formula").into());
        };
        let spelling = &self.source.text()[first.span.start..last.span.end];
        if let Some(&number) = self.seen.get(spelling) {
            return Ok(number);
        }
        let bits = draft.bits.get_or_insert_default();
        let formula = match (self.labels, self.positions, label) {
            (Labels::Vectors, Some(count), [vector]) => {
                pattern(self.source, vector, count, &mut bits.names)?
            }
            (Labels::Vectors, ..) => {
                return Err(no_transition(self.source, label, "one vector").into());
            }
            _ => formula(self.source, label, &mut bits.names)?,
        };
        let number = bits.formulas.len() as u32;
        bits.formulas.push(formula);
        let number = self
            .machine
            .label(DraftLabel::Copy(Letters::Formula(number)));
        self.seen.insert(spelling, number);
        Ok(number)
    }

    /// `(a b) (c)`, `a b`, or one letter between states of two levels.
    pub(super) fn word_pair(
        &mut self,
        words: &[Word<'a>],
        source: u32,
        label: &[Word<'a>],
        target: u32,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        if let [only] = label {
            let letters = self.letter(only, draft)?;
            let label = letters.map_or(DraftLabel::SILENT, DraftLabel::Copy);
            self.machine.edge(source, label, target);
            return Ok(());
        }
        let mut sides: Vec<Vec<Letters>> = Vec::new();
        let mut open = false;
        for word in label {
            if word.is("(") && !open {
                open = true;
                sides.push(Vec::new());
            } else if word.is(")") && open {
                open = false;
            } else if ["(", ")", "&", "|", "!"]
                .into_iter()
                .any(|mark| word.is(mark))
            {
                return Err(
                    no_transition(self.source, words, "`state (input) (output) state`").into(),
                );
            } else {
                if !open {
                    sides.push(Vec::new());
                }
                let letters = self.letter(word, draft)?;
                sides.last_mut().expect("pushed above").extend(letters);
            }
        }
        let [input, output] = sides.as_mut_slice() else {
            return Err(no_transition(self.source, words, "`state (input) (output) state`").into());
        };
        if open {
            return Err(no_transition(self.source, words, "`)` before the target").into());
        }
        let (input, output) = (std::mem::take(input), std::mem::take(output));
        self.machine.word_edge(source, input, output, target);
        Ok(())
    }
}

/// A name without the number after its last colon, if it has one.
pub(super) fn without_rank(letter: &str) -> Option<&str> {
    let (plain, rank) = letter.rsplit_once(':')?;
    let is_rank = !rank.is_empty() && rank.bytes().all(|byte| byte.is_ascii_digit());
    (is_rank && !plain.is_empty()).then_some(plain)
}
