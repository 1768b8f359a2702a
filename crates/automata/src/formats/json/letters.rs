//! The letters of JSON automata: names, and pairs `"[a,b]"` in transducers; or regular
//! expressions over names and over pairs `a,b`.

use quotient_core::{Diagnostic, Source, Span};

use super::pattern::{Pattern, is_expression};
use crate::formats::Kind;
use crate::formats::cursor::undeclared;
use crate::formats::draft::{DraftLabel, Letters, Names};

/// The letters of a problem; if the file declares them, others are refused.
pub(super) struct JsonLetters<'a> {
    pub(super) source: &'a Source,
    pub(super) names: Names,
    pub(super) declared: bool,
}

impl JsonLetters<'_> {
    /// The labels that a text stands for: one, or as many as an expression needs.
    pub(super) fn labels(
        &mut self,
        text: &str,
        kind: Kind,
        span: Span,
    ) -> Result<Vec<DraftLabel>, Diagnostic> {
        if self.is_expression(text, kind) {
            let pattern = Pattern::parse(text).map_err(|why| {
                Diagnostic::error(
                    "syntax",
                    format!("`{text}` is no regular expression: {why}"),
                )
                .at(
                    self.source,
                    span,
                    "not in `alphabet`, so read as an expression",
                )
            })?;
            let labels = match kind {
                Kind::Automaton => self.matching(&pattern, text, span)?,
                Kind::Transducer => self.matching_pairs(&pattern, text, span)?,
            };
            return match labels.is_empty() {
                false => Ok(labels),
                true => Err(
                    undeclared(self.source, span, "letter", text, self.names.iter())
                        .note("read as a regular expression, it matches nothing in `alphabet`"),
                ),
            };
        }
        Ok(vec![match kind {
            Kind::Automaton => DraftLabel::Copy(Letters::one(self.letter(text, span)?)),
            Kind::Transducer => {
                let (input, output) = self.pair(text, span)?;
                DraftLabel::Pair(Some(Letters::one(input)), Some(Letters::one(output)))
            }
        }])
    }

    /// Only where the letters are declared can an expression be told from a letter.
    fn is_expression(&self, text: &str, kind: Kind) -> bool {
        let expression = match (kind, inside(text)) {
            (Kind::Automaton, _) => self.names.get(text).is_none() && is_expression(text),
            (Kind::Transducer, Some(inside)) => {
                is_expression(inside) && !self.is_known_pair(inside)
            }
            (Kind::Transducer, None) => is_expression(text) || text.contains(','),
        };
        self.declared && expression
    }

    fn is_known_pair(&self, inside: &str) -> bool {
        let mut commas = inside.match_indices(',').take(16);
        commas.any(|(cut, _)| {
            let (input, output) = (inside[..cut].trim(), inside[cut + 1..].trim());
            self.names.get(input).is_some() && self.names.get(output).is_some()
        })
    }

    fn matching(
        &self,
        pattern: &Pattern,
        text: &str,
        span: Span,
    ) -> Result<Vec<DraftLabel>, Diagnostic> {
        let mut letters = Vec::new();
        for (letter, name) in (0u32..).zip(self.names.iter()) {
            if self.matches(pattern, name, text, span)? {
                letters.push(letter);
            }
        }
        Ok(match letters.is_empty() {
            true => Vec::new(),
            false => vec![DraftLabel::Copy(Letters::listed(letters, false))],
        })
    }

    /// The pairs that match: those that copy in one label, the others in one for each set of
    /// letters that some inputs are rewritten to.
    fn matching_pairs(
        &self,
        pattern: &Pattern,
        text: &str,
        span: Span,
    ) -> Result<Vec<DraftLabel>, Diagnostic> {
        let names: Vec<&str> = self.names.iter().collect();
        let mut copied = Vec::new();
        let mut rewritten: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (input, from) in (0u32..).zip(&names) {
            let mut outputs = Vec::new();
            for (output, to) in (0u32..).zip(&names) {
                if self.matches(pattern, &format!("{from},{to}"), text, span)? {
                    match input == output {
                        true => copied.push(input),
                        false => outputs.push(output),
                    }
                }
            }
            if outputs.is_empty() {
                continue;
            }
            match rewritten.iter_mut().find(|(_, same)| *same == outputs) {
                Some((inputs, _)) => inputs.push(input),
                None => rewritten.push((vec![input], outputs)),
            }
        }
        let mut labels: Vec<DraftLabel> = rewritten
            .into_iter()
            .map(|(inputs, outputs)| {
                let [inputs, outputs] = [inputs, outputs].map(|list| Letters::listed(list, false));
                DraftLabel::Pair(Some(inputs), Some(outputs))
            })
            .collect();
        if !copied.is_empty() {
            labels.push(DraftLabel::Copy(Letters::listed(copied, false)));
        }
        Ok(labels)
    }

    fn matches(
        &self,
        pattern: &Pattern,
        subject: &str,
        text: &str,
        span: Span,
    ) -> Result<bool, Diagnostic> {
        pattern.matches(subject).ok_or_else(|| {
            let message = format!("matching `{text}` with a letter takes too long");
            Diagnostic::error("too-large", message)
                .at(self.source, span, "this expression")
                .help("nested repetitions are slow: write it without them")
        })
    }

    pub(super) fn letter(&mut self, name: &str, span: Span) -> Result<u32, Diagnostic> {
        match self.names.get(name) {
            Some(letter) => Ok(letter),
            None if !self.declared => Ok(self.names.intern(name)),
            None => Err(
                undeclared(self.source, span, "letter", name, self.names.iter())
                    .help("or add it to `alphabet`"),
            ),
        }
    }

    /// The two letters of `"[a,b]"`.
    pub(super) fn pair(&mut self, text: &str, span: Span) -> Result<(u32, u32), Diagnostic> {
        let Some(inside) = inside(text) else {
            return Err(
                Diagnostic::error("syntax", format!("`{text}` is no pair of letters")).at(
                    self.source,
                    span,
                    "expected `\"[input,output]\"`",
                ),
            );
        };
        let commas: Vec<usize> = inside
            .match_indices(',')
            .map(|(at, _)| at)
            .take(16)
            .collect();
        let known = |cut: usize| {
            let (input, output) = (inside[..cut].trim(), inside[cut + 1..].trim());
            self.names.get(input).zip(self.names.get(output))
        };
        let mut fitting = commas.iter().filter_map(|&cut| known(cut));
        match (fitting.next(), fitting.next(), commas.as_slice()) {
            (Some(pair), None, _) => Ok(pair),
            (Some(_), Some(_), _) => Err(Diagnostic::error(
                "ambiguous-label",
                format!("`{text}` can be read in several ways"),
            )
            .at(self.source, span, "which `,` separates input and output?")
            .help("use letters without commas")),
            (None, _, &[cut, ..]) => {
                let (input, output) = (inside[..cut].trim(), inside[cut + 1..].trim());
                Ok((self.letter(input, span)?, self.letter(output, span)?))
            }
            _ => Err(
                Diagnostic::error("syntax", format!("`{text}` is no pair of letters")).at(
                    self.source,
                    span,
                    "expected `\"[input,output]\"`",
                ),
            ),
        }
    }
}

/// Whether a letter looks like a pair.
pub(super) fn is_pair(text: &str) -> bool {
    inside(text).is_some_and(|inside| inside.contains(','))
}

fn inside(text: &str) -> Option<&str> {
    text.trim().strip_prefix('[')?.strip_suffix(']')
}
