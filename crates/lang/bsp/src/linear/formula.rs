//! Formulas of linear time about the processors along a run: `G (waits A at 0 -> F x at 1 = 3)`.

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Formula, Fragment, Kind, Unary, parse};

use crate::machine::{self, Local};
use crate::program::{Name, Program, Value};

/// What is said of a machine between two steps.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// Every processor has ended with a value.
    Done,
    /// Nothing can move any more: somebody waits, and nobody has failed.
    Deadlock,
    /// Some processor has failed.
    Fault,
    /// A processor has ended with a value.
    Ended(usize),
    /// A processor has failed.
    Failed(usize),
    /// A processor waits, at a barrier of a group if one is named.
    Waits(usize, Option<usize>),
    /// A variable of a processor has a value that compares so.
    Compared(usize, Name, Relation, Value),
}

/// How a value compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Greater,
}

/// In the order in which they are tried: longer ones first.
const RELATIONS: [(&str, Relation); 7] = [
    (">=", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("!=", Relation::Unequal),
    ("<>", Relation::Unequal),
    ("=", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

/// A processor is followed for so many steps that are not seen; then there is a state, as some run so for ever.
pub(crate) const MOST_UNSEEN: u64 = 200_000;

/// More atoms have no bits of their own.
pub(crate) const MOST_ATOMS: usize = 50;

impl Atom {
    /// The processor that it is about; none if it is about all of them.
    pub(crate) fn processor(&self) -> Option<usize> {
        match self {
            Atom::Done | Atom::Deadlock | Atom::Fault => None,
            Atom::Ended(one)
            | Atom::Failed(one)
            | Atom::Waits(one, _)
            | Atom::Compared(one, ..) => Some(*one),
        }
    }

    /// Whether it is true of a processor, if it is about one.
    pub(crate) fn holds_for(&self, local: &Local) -> bool {
        match self {
            Atom::Done | Atom::Deadlock | Atom::Fault => false,
            Atom::Ended(_) => local.value().is_some(),
            Atom::Failed(_) => local.fault().is_some(),
            Atom::Waits(_, None) => local.waits().is_some(),
            Atom::Waits(_, group) => local.waits() == *group,
            Atom::Compared(_, name, relation, wanted) => {
                let value = local.environment.variables.get(name);
                value.is_some_and(|value| compares(value, *relation, wanted))
            }
        }
    }

    /// Whether it is true of a machine.
    pub(crate) fn holds(&self, program: &Program, locals: &[Local]) -> bool {
        match self {
            Atom::Done => locals.iter().all(|local| local.value().is_some()),
            Atom::Fault => locals.iter().any(|local| local.fault().is_some()),
            Atom::Deadlock => {
                let quiet = |local: &Local| !local.is_running() && local.fault().is_none();
                locals.iter().all(quiet)
                    && locals.iter().any(|local| local.waits().is_some())
                    && machine::complete(program, locals).is_empty()
            }
            _ => {
                let local = self.processor().and_then(|one| locals.get(one));
                local.is_some_and(|local| self.holds_for(local))
            }
        }
    }
}

/// Values of different types do not compare at all.
fn compares(value: &Value, relation: Relation, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Int(one), Value::Int(other)) => match relation {
            Relation::Less => one < other,
            Relation::AtMost => one <= other,
            Relation::Equal => one == other,
            Relation::Unequal => one != other,
            Relation::AtLeast => one >= other,
            Relation::Greater => one > other,
        },
        (Value::Bool(one), Value::Bool(other)) => match relation {
            Relation::Equal => one == other,
            Relation::Unequal => one != other,
            _ => false,
        },
        _ => false,
    }
}

/// What atoms about all processors depend on, of one of them: whether it waits, has ended or failed.
///
/// Where some processor runs there is no deadlock, so that it matters when it begins to wait or ends; that it fails
/// makes none.
pub(crate) fn share(atoms: &[Atom], local: &Local) -> u64 {
    let mut bits = 0;
    for atom in atoms {
        bits |= match atom {
            Atom::Done => u64::from(local.value().is_some()),
            Atom::Fault => u64::from(local.fault().is_some()) << 1,
            Atom::Deadlock => {
                u64::from(local.value().is_some()) | u64::from(local.waits().is_some()) << 2
            }
            _ => 0,
        };
    }
    bits
}

/// Reads the formula that stands at a place of a source.
pub(crate) fn read(
    program: &Program,
    source: &Source,
    span: Span,
) -> Result<Formula<Atom>, Diagnostic> {
    // All else is blanked out, so that places stay what they are.
    let blank = |text: &str| -> String {
        let blank = |letter: char| match letter {
            '\n' => "\n".to_owned(),
            other => " ".repeat(other.len_utf8()),
        };
        text.chars().map(blank).collect()
    };
    let text = source.text();
    let mut alone = blank(&text[..span.start]);
    alone.push_str(&text[span.range()]);
    alone.push_str(&blank(&text[span.end..]));
    let alone = Source::new(source.name(), alone);
    let formula = parse(&alone, |source, start| {
        Reader { program, source }.atom(start)
    })?;
    let fragment = Fragment::of(&formula);
    let plain = fragment.ltl && !fragment.past && !fragment.query;
    if !plain || formula.on_lasso(1, 0, &|_, _| true).is_none() {
        let message = "a formula about runs has no path quantifiers, intervals, past or `?`";
        return Err(Diagnostic::error("not-ltl", message).at(source, span, ""));
    }
    if has_next(&formula) {
        let message = "a formula about runs has no `X`: processors have no common pace";
        return Err(Diagnostic::error("not-ltl", message).at(source, span, ""));
    }
    if formula.atoms().len() > MOST_ATOMS {
        let message = format!("a formula speaks of at most {MOST_ATOMS} things");
        return Err(Diagnostic::error("too-long", message).at(source, span, ""));
    }
    Ok(formula)
}

fn has_next(formula: &Formula<Atom>) -> bool {
    match &formula.kind {
        Kind::Constant(_) | Kind::Atom(_) | Kind::Placeholder(_) => false,
        Kind::Unary(operator, inner) => *operator == Unary::Next || has_next(inner),
        Kind::Binary(_, left, right) => has_next(left) || has_next(right),
    }
}

struct Reader<'a> {
    program: &'a Program,
    source: &'a Source,
}

impl Reader<'_> {
    fn wrong(&self, code: &'static str, message: String, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span, "")
    }

    /// The word that begins behind blanks, and where it ends.
    fn word(&self, at: usize) -> (Span, &str) {
        let text = self.source.text();
        let start = text.len() - text[at..].trim_start().len();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '\'';
        let rest = &text[start..];
        let end = start + rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        (Span::new(start, end), &text[start..end])
    }

    /// Reads `done`, `ended at 1`, `waits A at 0` or `x at 1 = 3`.
    fn atom(&self, start: usize) -> Result<Option<(Atom, usize)>, Diagnostic> {
        let (span, word) = self.word(start);
        let whole = match word {
            "" => return Ok(None),
            "done" => Some(Atom::Done),
            "deadlock" => Some(Atom::Deadlock),
            "fault" => Some(Atom::Fault),
            _ => None,
        };
        if let Some(atom) = whole {
            return Ok(Some((atom, span.end)));
        }
        let (atom, end) = match word {
            "ended" => self.at(span.end).map(|(one, end)| (Atom::Ended(one), end)),
            "failed" => self.at(span.end).map(|(one, end)| (Atom::Failed(one), end)),
            "waits" => self.waits(span.end),
            _ => self.compared(span, word),
        }?;
        Ok(Some((atom, end)))
    }

    /// Reads `at 1`.
    fn at(&self, from: usize) -> Result<(usize, usize), Diagnostic> {
        let (span, word) = self.word(from);
        if word != "at" {
            let message = "expected `at` and the number of a processor".to_owned();
            return Err(self.wrong("syntax", message, span));
        }
        let (span, word) = self.word(span.end);
        let number: Option<usize> = word.parse().ok();
        let number = number.ok_or_else(|| {
            self.wrong(
                "syntax",
                "expected the number of a processor".to_owned(),
                span,
            )
        })?;
        let most = crate::read::MOST_PROCESSORS;
        match number < most {
            true => Ok((number, span.end)),
            false => {
                let message = format!("processors have numbers below {most}");
                Err(self.wrong("bad-number", message, span))
            }
        }
    }

    /// Reads `at 1` or `A at 1`.
    fn waits(&self, from: usize) -> Result<(Atom, usize), Diagnostic> {
        let (span, word) = self.word(from);
        if word == "at" {
            let (one, end) = self.at(from)?;
            return Ok((Atom::Waits(one, None), end));
        }
        let groups = &self.program.groups;
        let Some(group) = groups.iter().position(|group| group.name == word) else {
            let names = groups.iter().map(|group| group.name.as_str());
            return Err(self
                .wrong("no-group", format!("there is no group `{word}`"), span)
                .did_you_mean(word, names));
        };
        let (one, end) = self.at(span.end)?;
        Ok((Atom::Waits(one, Some(group)), end))
    }

    /// Reads what follows `x`: `at 1 = 3`, or `at 1` if it is true or false.
    fn compared(&self, span: Span, text: &str) -> Result<(Atom, usize), Diagnostic> {
        let name = crate::outcome::only_name(self.program, text)
            .map_err(|(code, message)| self.wrong(code, message, span))?;
        let (one, end) = self.at(span.end)?;
        let all = self.source.text();
        let rest = all[end..].trim_start();
        let relation = RELATIONS
            .iter()
            .find(|(sign, _)| rest.starts_with(sign) && !rest.starts_with("<->"));
        let Some((sign, relation)) = relation else {
            let atom = Atom::Compared(one, name, Relation::Equal, Value::Bool(true));
            return Ok((atom, end));
        };
        let begin = all.len() - rest[sign.len()..].trim_start().len();
        let minus = all[begin..].starts_with('-');
        let (span, word) = self.word(begin + usize::from(minus));
        let value = match (word, minus) {
            ("true", false) => Some(Value::Bool(true)),
            ("false", false) => Some(Value::Bool(false)),
            (digits, minus) => {
                let number: Option<i64> = digits.parse().ok();
                number.map(|number| Value::Int(if minus { -number } else { number }))
            }
        };
        let ordered = !matches!(relation, Relation::Equal | Relation::Unequal);
        match value {
            Some(Value::Bool(_)) if ordered => {
                let message = "truth values are equal or not, none is larger".to_owned();
                Err(self.wrong("bad-number", message, span))
            }
            Some(value) => Ok((Atom::Compared(one, name, *relation, value), span.end)),
            None => {
                let message = "expected a number of 64 bits, `true` or `false`".to_owned();
                Err(self.wrong("bad-number", message, span))
            }
        }
    }
}
