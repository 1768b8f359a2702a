//! Configurations as text.

use std::fmt;
use std::str::FromStr;

use quotient_core::{Diagnostic, Source, Span};

use super::*;

const ABSTRACTIONS: [&str; 8] = [
    "exact",
    "predicates",
    "past-predicates",
    "length",
    "past-length",
    "traces",
    "past-traces",
    "past-prefix-traces",
];
const PREDICATES: [&str; 4] = ["init", "bad", "guards", "actions"];
const REFINEMENTS: [&str; 3] = ["all-states", "important-states", "key-states"];

/// Every kind of method with a word about it, for people to choose from. The texts can be
/// parsed as they are; lists and numbers in them are examples.
pub fn all_methods() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "forward exact",
            "exact sets, step by step: finds violations",
        ),
        (
            "forward predicates(bad)",
            "merge states whose futures meet the same predicates: any of init, bad, guards, actions",
        ),
        (
            "forward past-predicates(bad, actions)",
            "the same with the pasts of states",
        ),
        (
            "forward predicates(bad) important-states",
            "a false alarm adds only predicates that matter where it arose",
        ),
        (
            "forward predicates(bad) key-states",
            "a false alarm adds one or two predicates if they suffice",
        ),
        (
            "forward length(1, +1)",
            "merge states that accept the same words up to a length; first number: 1, init, bad \
             or half of these; increment: also +M or +X, the states of M_k or X_k, or half",
        ),
        (
            "forward past-length(1, +1)",
            "the same with the words that lead to a state",
        ),
        (
            "forward traces(1, +1)",
            "merge states that can read the same words up to a length",
        ),
        (
            "forward past-traces(1, +1)",
            "the same with what is read on the way into a state",
        ),
        (
            "forward past-prefix-traces(1, +1)",
            "the same with the beginnings of what leads to a state",
        ),
        (
            "backward length(1, +1)",
            "any of these, from the bad configurations by pre-images",
        ),
        (
            "learn",
            "learn an invariant from the configurations reached at each length",
        ),
    ]
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Configuration::Abstract {
            direction,
            abstraction,
        } = self
        else {
            return f.write_str("learn");
        };
        f.write_str(match direction {
            Direction::Forward => "forward ",
            Direction::Backward => "backward ",
        })?;
        match abstraction {
            Abstraction::Exact => f.write_str("exact"),
            Abstraction::Predicates {
                languages,
                initial,
                refinement,
            } => {
                let chosen = [initial.init, initial.bad, initial.guards, initial.actions];
                let names: Vec<&str> = (PREDICATES.iter().zip(chosen))
                    .filter_map(|(&name, chosen)| chosen.then_some(name))
                    .collect();
                let name = match languages {
                    Languages::Future => "predicates",
                    Languages::Past => "past-predicates",
                };
                write!(f, "{name}({})", names.join(", "))?;
                match refinement {
                    Refinement::AllStates => Ok(()),
                    Refinement::ImportantStates => f.write_str(" important-states"),
                    Refinement::KeyStates => f.write_str(" key-states"),
                }
            }
            Abstraction::Lengths { languages, bound } => match languages {
                Languages::Future => write!(f, "length({bound})"),
                Languages::Past => write!(f, "past-length({bound})"),
            },
            Abstraction::Traces { traces, bound } => match traces {
                Traces::Future => write!(f, "traces({bound})"),
                Traces::PastSuffixes => write!(f, "past-traces({bound})"),
                Traces::PastPrefixes => write!(f, "past-prefix-traces({bound})"),
            },
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, +{}", self.initial, self.increment)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Measure::Number(number) => write!(f, "{number}")?,
            Measure::Init => f.write_str("init")?,
            Measure::Bad => f.write_str("bad")?,
            Measure::Set => f.write_str("M")?,
            Measure::Alarm => f.write_str("X")?,
        }
        f.write_str(if self.half { "/2" } else { "" })
    }
}

impl FromStr for Configuration {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Configuration, Diagnostic> {
        let mut parser = Parser {
            source: Source::new("method", text),
            tokens: tokens(text),
            next: 0,
        };
        let configuration = parser.configuration()?;
        match parser.take() {
            None => Ok(configuration),
            Some((word, span)) => Err(parser.unexpected(&word, span, "nothing more", &REFINEMENTS)),
        }
    }
}

/// Words, parentheses and commas with their places.
fn tokens(text: &str) -> Vec<(String, Span)> {
    let mut tokens: Vec<(String, Span)> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let span = Span::new(at, at + c.len_utf8());
        if c.is_whitespace() {
            in_word = false;
        } else if matches!(c, '(' | ')' | ',') {
            tokens.push((c.to_string(), span));
            in_word = false;
        } else if let Some((word, place)) = tokens.last_mut().filter(|_| in_word) {
            word.push(c);
            place.end = span.end;
        } else {
            tokens.push((c.to_string(), span));
            in_word = true;
        }
    }
    tokens
}

struct Parser {
    source: Source,
    tokens: Vec<(String, Span)>,
    next: usize,
}

impl Parser {
    fn configuration(&mut self) -> Result<Configuration, Diagnostic> {
        const FIRST: [&str; 3] = ["forward", "backward", "learn"];
        let (word, span) = self.word("a direction or `learn`", &FIRST)?;
        let direction = match word.as_str() {
            "learn" => return Ok(Configuration::Learn),
            "forward" => Direction::Forward,
            "backward" => Direction::Backward,
            _ => return Err(self.unexpected(&word, span, "a direction or `learn`", &FIRST)),
        };
        let abstraction = self.abstraction()?;
        Ok(Configuration::Abstract {
            direction,
            abstraction,
        })
    }

    fn abstraction(&mut self) -> Result<Abstraction, Diagnostic> {
        let (word, span) = self.word("an abstraction", &ABSTRACTIONS)?;
        match word.as_str() {
            "exact" => Ok(Abstraction::Exact),
            "predicates" => self.predicates(Languages::Future),
            "past-predicates" => self.predicates(Languages::Past),
            "length" => self.lengths(Languages::Future),
            "past-length" => self.lengths(Languages::Past),
            "traces" => self.traces(Traces::Future),
            "past-traces" => self.traces(Traces::PastSuffixes),
            "past-prefix-traces" => self.traces(Traces::PastPrefixes),
            _ => Err(self.unexpected(&word, span, "an abstraction", &ABSTRACTIONS)),
        }
    }

    fn predicates(&mut self, languages: Languages) -> Result<Abstraction, Diagnostic> {
        let mut initial = InitialPredicates::default();
        if self.eat("(") {
            while !self.eat(")") {
                let (word, span) = self.word("a kind of predicate", &PREDICATES)?;
                match word.as_str() {
                    "init" => initial.init = true,
                    "bad" => initial.bad = true,
                    "guards" => initial.guards = true,
                    "actions" => initial.actions = true,
                    _ => {
                        let expected = "a kind of predicate";
                        return Err(self.unexpected(&word, span, expected, &PREDICATES));
                    }
                }
                self.separator()?;
            }
        } else {
            initial.bad = true;
        }
        let refinement = match self.take() {
            None => Refinement::AllStates,
            Some((word, span)) => match word.as_str() {
                "all-states" => Refinement::AllStates,
                "important-states" => Refinement::ImportantStates,
                "key-states" => Refinement::KeyStates,
                _ => return Err(self.unexpected(&word, span, "a refinement", &REFINEMENTS)),
            },
        };
        Ok(Abstraction::Predicates {
            languages,
            initial,
            refinement,
        })
    }

    fn lengths(&mut self, languages: Languages) -> Result<Abstraction, Diagnostic> {
        let bound = self.bound()?;
        Ok(Abstraction::Lengths { languages, bound })
    }

    fn traces(&mut self, traces: Traces) -> Result<Abstraction, Diagnostic> {
        let bound = self.bound()?;
        Ok(Abstraction::Traces { traces, bound })
    }

    fn bound(&mut self) -> Result<Bound, Diagnostic> {
        let mut bound = Bound {
            initial: Amount::number(1),
            increment: Amount::number(1),
        };
        if !self.eat("(") {
            return Ok(bound);
        }
        while !self.eat(")") {
            const KNOWN: [&str; 6] = ["init", "bad", "+1", "+M", "+X", "1"];
            let (word, span) = self.word("a length", &KNOWN)?;
            let (target, text) = match word.strip_prefix('+') {
                Some(rest) => (&mut bound.increment, rest),
                None => (&mut bound.initial, word.as_str()),
            };
            match amount(text).filter(|amount| {
                word.starts_with('+') || !matches!(amount.of, Measure::Set | Measure::Alarm)
            }) {
                Some(amount) => *target = amount,
                None => return Err(self.unexpected(&word, span, "a length", &KNOWN)),
            }
            self.separator()?;
        }
        Ok(bound)
    }

    /// A comma, unless the list ends here.
    fn separator(&mut self) -> Result<(), Diagnostic> {
        let ends = self.tokens.get(self.next).is_some_and(|(t, _)| t == ")");
        if ends || self.eat(",") {
            return Ok(());
        }
        match self.take() {
            Some((word, span)) => Err(self.unexpected(&word, span, "`,` or `)`", &[])),
            None => Err(self.ends_early("`)`", &[])),
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|(t, _)| t == token);
        self.next += usize::from(found);
        found
    }

    fn take(&mut self) -> Option<(String, Span)> {
        let token = self.tokens.get(self.next).cloned();
        self.next += usize::from(token.is_some());
        token
    }

    fn word(&mut self, expected: &str, known: &[&str]) -> Result<(String, Span), Diagnostic> {
        match self.take() {
            Some(token) => Ok(token),
            None => Err(self.ends_early(expected, known)),
        }
    }

    fn ends_early(&self, expected: &str, known: &[&str]) -> Diagnostic {
        let end = self.source.text().len();
        let text = format!("the method ends where {expected} is expected");
        let diagnostic = Diagnostic::error("method", text);
        let diagnostic = diagnostic.at(&self.source, Span::new(end, end), "");
        listed(diagnostic, known)
    }

    fn unexpected(&self, word: &str, span: Span, expected: &str, known: &[&str]) -> Diagnostic {
        let text = format!("`{word}` is not {expected}");
        let diagnostic = Diagnostic::error("method", text)
            .at(&self.source, span, format!("expected {expected}"))
            .did_you_mean(word, known.iter().copied());
        listed(diagnostic, known)
    }
}

fn listed(diagnostic: Diagnostic, known: &[&str]) -> Diagnostic {
    match known.is_empty() {
        true => diagnostic,
        false => diagnostic.note(format!("known here: {}", known.join(", "))),
    }
}

fn amount(text: &str) -> Option<Amount> {
    let (text, half) = match text.strip_suffix("/2") {
        Some(whole) => (whole, true),
        None => (text, false),
    };
    let of = match text {
        "init" => Measure::Init,
        "bad" => Measure::Bad,
        "M" => Measure::Set,
        "X" => Measure::Alarm,
        number => Measure::Number(number.parse().ok()?),
    };
    Some(Amount { of, half })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_listed_can_be_parsed_and_printed() {
        for (text, _) in all_methods() {
            let configuration: Configuration = text.parse().unwrap();
            assert_eq!(configuration.to_string(), text);
        }
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        for (short, long) in [
            ("backward length", "backward length(1, +1)"),
            ("forward traces(bad/2)", "forward traces(bad/2, +1)"),
            ("forward length(+X/2)", "forward length(1, +X/2)"),
            ("forward  predicates", "forward predicates(bad)"),
            ("forward predicates() all-states", "forward predicates()"),
        ] {
            let configuration: Configuration = short.parse().unwrap();
            assert_eq!(configuration.to_string(), long);
        }
    }

    #[test]
    fn errors_point_at_the_word_and_suggest_the_nearest() {
        for (text, at, help) in [
            ("forwards exact", 0, "did you mean `forward`?"),
            ("forward predicats(bad)", 8, "did you mean `predicates`?"),
            (
                "forward predicates(bad, guard)",
                24,
                "did you mean `guards`?",
            ),
            (
                "forward predicates(bad) key-state",
                24,
                "did you mean `key-states`?",
            ),
        ] {
            let error = text.parse::<Configuration>().unwrap_err();
            assert_eq!(error.labels[0].span.start, at, "{text}");
            assert_eq!(error.help, [help], "{text}");
        }
        for text in [
            "",
            "forward",
            "forward length(",
            "forward length(M)",
            "forward length(1 2)",
            "forward length(-1)",
            "forward exact exact",
            "learn quickly",
            "forward predicates(bad",
            "((((",
        ] {
            assert!(text.parse::<Configuration>().is_err(), "{text}");
        }
    }
}
