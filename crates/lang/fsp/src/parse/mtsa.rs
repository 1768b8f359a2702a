//! What MTSA, the modal transition system analyser, has beyond LTSA.
//!
//! Its files are read as far as processes, properties, progress and fluents go. What describes
//! controllers that are to be found is read over, with a warning that says so.

use quotient_core::Diagnostic;

use super::Parser;
use crate::token::Kind;

/// Words before something in braces that only a search for controllers needs.
const IN_BRACES: [&str; 6] = [
    "controllerSpec",
    "goal",
    "distribution",
    "exploration",
    "graphUpdate",
    "updatingController",
];

/// Words before a scenario in braces that a triggered scenario is made of.
const SCENARIOS: [&str; 2] = ["eTS", "uTS"];

/// Words before a composite that has to be found or made in another way.
const FOUND: [&str; 9] = [
    "abstract",
    "checkCompatibility",
    "closure",
    "clousure",
    "controller",
    "heuristic",
    "nonblocking",
    "starenv",
    "syncController",
];

/// Words before a composite that is one like others.
const PLAIN: [&str; 4] = ["component", "optimistic", "pessimistic", "plant"];

impl Parser<'_> {
    /// Whether a definition begins that is read over.
    pub(super) fn at_mtsa(&self) -> bool {
        let word = self.word();
        match self.kind_after(1) {
            Kind::Upper => IN_BRACES.contains(&word) || SCENARIOS.contains(&word),
            Kind::Parallel => FOUND.contains(&word),
            // Several words before a composite.
            Kind::Lower => FOUND.contains(&word) && self.kind_after(2) == Kind::Parallel,
            _ => false,
        }
    }

    /// Whether the next word changes nothing about the composite that it stands before.
    pub(super) fn at_plain_mtsa(&self) -> bool {
        PLAIN.contains(&self.word()) && self.kind_after(1) == Kind::Parallel
    }

    /// Reads over a definition, and says so.
    pub(super) fn read_over(&mut self) {
        let (word, start) = (self.word(), self.token().span);
        let scenario = SCENARIOS.contains(&word);
        let in_braces = scenario || IN_BRACES.contains(&word);
        while !matches!(self.kind(), Kind::Upper | Kind::End) {
            self.advance();
        }
        let name = self.word().to_owned();
        let span = start.to(self.token().span);
        self.advance();
        match in_braces {
            true => self.pass_braces(),
            false => {
                self.take(Kind::Becomes);
                while self.kind() != Kind::End && !self.at_definition() && !self.at_other_mtsa() {
                    self.advance();
                }
            }
        }
        let why = match scenario {
            true => "triggered scenarios are not checked",
            false => "controllers are not looked for",
        };
        let message = format!("`{name}` is read over: {why}");
        let warning = Diagnostic::warning("mtsa", message)
            .at(self.source, span, "a construct of MTSA")
            .help("safety, progress and assertions of the other definitions are checked");
        self.warnings.push(warning);
        self.read_over.insert(name);
    }

    fn at_other_mtsa(&self) -> bool {
        self.kind() == Kind::Lower && (self.at_mtsa() || self.at_plain_mtsa())
    }

    /// Passes over `= { … }`, braces inside of it and a dot behind it.
    fn pass_braces(&mut self) {
        let mut depth = 0usize;
        while self.kind() != Kind::End {
            match self.advance().kind {
                Kind::LeftCurly => depth += 1,
                Kind::RightCurly if depth <= 1 => break,
                Kind::RightCurly => depth -= 1,
                _ => {}
            }
        }
        self.take(Kind::Dot);
    }
}
