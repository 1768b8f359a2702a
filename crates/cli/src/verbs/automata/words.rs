//! Words of an automaton, and automata from expressions.

use clap::{Args, Subcommand};
use quotient_automata::formats::Kind;
use quotient_automata::{Alphabet, Expression, Word};
use quotient_core::{Diagnostic, Source, Stop};
use serde_json::json;

use super::Options;
use super::languages::deliver;
use super::output::Output;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

#[derive(Debug, Subcommand)]
pub(super) enum Spelling {
    /// List words of A, shortest first.
    #[command(after_help = "\
Example:
  quotient automata words a.tmb --up-to 4 --most 20")]
    Words(List),
    /// Count the words of A of a length.
    Count(Count),
    /// Make an automaton from a regular expression over named letters.
    #[command(after_help = "\
Expressions: `T N` one after the other, `[a b]` `[^a b]` `.` one letter,
`x | y` `x & y` `~x` either, both, not, `x*` `x+` `x?` `x{2,4}` repeated,
`\"a b\"` a letter with a strange name, `()` the empty word, `[]` nothing.

Examples:
  quotient automata regex 'T N*'
  quotient automata regex '~(. * T . * T . *)' --letters 'T N'
  quotient automata regex 'N*' --alphabet-of model.tmb")]
    Regex(Regex),
    /// Write the words of A as a regular expression.
    Expression(AsExpression),
}

#[derive(Debug, Args)]
pub(super) struct Regex {
    /// The expression.
    expression: String,
    /// The letters of the alphabet, apart by blanks; by default those named.
    #[arg(long, value_name = "LETTERS", conflicts_with = "alphabet_of")]
    letters: Option<String>,
    /// The alphabet of this file.
    #[arg(long, value_name = "FILE")]
    alphabet_of: Option<String>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct AsExpression {
    /// The automaton.
    a: String,
    /// Give up on an expression longer than this many letters and signs.
    #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
    most: usize,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// The automaton.
    a: String,
    /// The longest length.
    #[arg(long, value_name = "LENGTH", default_value_t = 8)]
    up_to: usize,
    /// The most words.
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    most: usize,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(super) struct Count {
    /// The automaton.
    a: String,
    /// The length.
    #[arg(long, value_name = "LENGTH")]
    length: u64,
    #[command(flatten)]
    options: Options,
}

impl Spelling {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Spelling::Words(_) => "words",
            Spelling::Count(_) => "count",
            Spelling::Regex(_) => "regex",
            Spelling::Expression(_) => "expression",
        }
    }

    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        match self {
            Spelling::Words(list) => list.run(session),
            Spelling::Count(count) => count.run(session),
            Spelling::Regex(regex) => regex.run(session),
            Spelling::Expression(expression) => expression.run(session),
        }
    }
}

impl List {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let input = self.options.read(&self.a, Some(Kind::Automaton), session)?;
        let nfa = input.automaton()?;
        let (words, time) = self.options.timed("words", session, || {
            let mut found: Vec<Word> = Vec::new();
            for word in nfa
                .words(self.up_to, &session.budget)?
                .take(self.most.saturating_add(1))
            {
                session.budget.poll()?;
                found.push(word);
            }
            Ok(found)
        })?;
        let more = words.len() > self.most;
        let shown = &words[..words.len().min(self.most)];
        let names = |word: &Word| -> Vec<&str> {
            word.iter()
                .map(|&letter| nfa.alphabet().name(letter))
                .collect()
        };
        let lines: Vec<String> = shown
            .iter()
            .map(|word| nfa.alphabet().show(word) + "\n")
            .collect();
        Ok(Reply {
            product: Some(lines.concat()),
            text: if more {
                "note: there are more; see --most\n".to_owned()
            } else {
                String::new()
            },
            result: json!({ "words": shown.iter().map(names).collect::<Vec<_>>(), "more": more }),
            time,
            warnings: input.document.warnings.clone(),
            ..Reply::default()
        })
    }
}

impl Count {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let input = self.options.read(&self.a, Some(Kind::Automaton), session)?;
        let nfa = input.automaton()?;
        let (number, time) = self.options.timed("counting", session, || {
            nfa.count_words(self.length, &session.budget)
        })?;
        let (number, note) = match number {
            u128::MAX => (number, "note: there are that many or more\n"),
            _ => (number, ""),
        };
        Ok(Reply {
            product: Some(format!("{number}\n")),
            text: note.to_owned(),
            // JSON numbers are not exact beyond 2^53: the count is a string.
            result: json!({ "length": self.length, "count": number.to_string() }),
            time,
            warnings: input.document.warnings.clone(),
            ..Reply::default()
        })
    }
}

impl Regex {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = Source::new("expression", self.expression.as_str());
        let alphabet = match (&self.letters, &self.alphabet_of) {
            (Some(letters), _) => Alphabet::new(letters.split_whitespace())
                .map_err(|error| Diagnostic::error("duplicate-letter", error.to_string()))?,
            (None, Some(file)) => self.options.read(file, None, session)?.document.alphabet,
            (None, None) => Expression::alphabet_named_in(&source)?,
        };
        let expression = Expression::parse(&source, &alphabet)?;
        let (nfa, time) = self
            .options
            .timed("regex", session, || expression.to_nfa(&session.budget))?;
        deliver(nfa.into(), "regex", &[], &self.output, time, session)
    }
}

impl AsExpression {
    fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let input = self.options.read(&self.a, Some(Kind::Automaton), session)?;
        let nfa = input.automaton()?;
        let (expression, time) = self.options.timed("expression", session, || {
            Expression::of(nfa, self.most, &session.budget)
        })?;
        let Some(expression) = expression else {
            return Err(Stop::bound("the size of the expression", self.most as u64).into());
        };
        let text = expression.to_string();
        Ok(Reply {
            result: json!({ "expression": text }),
            product: Some(text + "\n"),
            time,
            warnings: input.document.warnings.clone(),
            ..Reply::default()
        })
    }
}
