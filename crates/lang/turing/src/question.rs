//! What is asked about a machine.

use quotient_core::{Span, Stop};

use crate::expression::{Expression, Lack};
use crate::layout::is_symbol;
use crate::linear::Linear;
use crate::machine::{Machine, State, Symbol};
use crate::pattern::Pattern;
use crate::streams::Stream;
use crate::tape::{Configuration, Half, Tape};

/// A tape to begin with; the head stands on cell 0, the first of `right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    /// The cells to the left of the head, nearest first, and then a cycle for ever.
    pub(crate) left: (Vec<Symbol>, Vec<Symbol>),
    /// The cells from the head to the right, and then a cycle for ever.
    pub(crate) right: (Vec<Symbol>, Vec<Symbol>),
}

/// What is wanted of the end of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) ones: Option<u64>,
    pub(crate) steps: Option<u64>,
    pub(crate) state: Option<State>,
    /// Where the head is in the end; it begins on cell 0.
    pub(crate) cell: Option<i64>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The run from this tape stops, and as wanted.
    Halts(Start, Wanted),
    /// The run from this tape goes on for ever.
    Diverges(Start),
    /// So does the run from every word of a set, the head on its first letter.
    DivergesOnAll(Pattern<Symbol>),
    /// For all arguments up to a bound the run stops with so many ones, or goes on for ever
    /// where the function has no value.
    Computes(Function),
    /// The same for all numbers.
    ComputesForAll(Function),
    /// For all numbers, if the run stops, then the function has a value, and so many ones are left.
    ComputesIfItStops(Function),
    /// Two streams are the same, symbol by symbol for ever.
    Streams(Stream, Stream),
}

/// A partial function of some arguments, each from 0 up to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) arguments: usize,
    pub(crate) value: Expression,
    pub(crate) condition: Option<Expression>,
    /// The steps that it takes where the function has a value.
    pub(crate) steps: Option<Expression>,
    pub(crate) bound: u64,
}

/// A question with its name.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Option<Span>,
    pub(crate) asked: Asked,
}

/// The most cells of a tape that is written or given by numbers.
const CELLS: u64 = 100_000;

/// The most symbols of a cycle.
const CYCLE: usize = 1_000;

/// The most tuples of arguments of one question.
const CASES: u64 = 10_000;

impl Function {
    /// The value for these arguments; none where it is undefined: where the condition is not
    /// fulfilled, or the expression divides by zero or is negative. Where numbers become too large
    /// on the way it is not known: a function is not undefined because a program cannot count.
    pub(crate) fn value(&self, arguments: &[u64]) -> Result<Option<u64>, Stop> {
        let value = match &self.condition {
            Some(condition) => condition
                .value(arguments)
                .and_then(|fulfilled| match fulfilled {
                    0 => Err(Lack::Undefined),
                    _ => self.value.value(arguments),
                }),
            None => self.value.value(arguments),
        };
        match value {
            Ok(value) => Ok(u64::try_from(value).ok()),
            Err(Lack::Undefined) => Ok(None),
            Err(Lack::TooLarge) => Err(Stop::inconclusive(
                "the numbers in the function become too large",
            )),
        }
    }

    /// Whether a run that stops on these arguments takes the steps that are asked for, if any are.
    pub(crate) fn takes(&self, arguments: &[u64], steps: u64) -> Result<bool, Stop> {
        match self.steps.as_ref().map(|wanted| wanted.value(arguments)) {
            None => Ok(true),
            Some(Ok(wanted)) => Ok(u64::try_from(wanted) == Ok(steps)),
            Some(Err(Lack::Undefined)) => Ok(false),
            Some(Err(Lack::TooLarge)) => Err(Stop::inconclusive(
                "the number of steps asked for becomes too large",
            )),
        }
    }

    /// For arguments that are sums of numbers: the value as such a sum for all of them, or that
    /// there is none for any of them. Nothing if it is not like that.
    pub(crate) fn on_class(&self, arguments: &[Linear]) -> Option<Option<Linear>> {
        if let Some(condition) = &self.condition {
            let Some(condition) = condition.linear(arguments)? else {
                return Some(None);
            };
            match (condition.is_constant(), condition.count) {
                (true, 0) => return Some(None),
                (true, _) => {}
                _ => return None,
            }
        }
        let Some(value) = self.value.linear(arguments)? else {
            return Some(None);
        };
        Some(value.is_natural()?.then_some(value))
    }

    /// All arguments, in order.
    pub(crate) fn cases(&self) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for _ in 0..self.arguments {
            let longer = |short: Vec<u64>| {
                (0..=self.bound).map(move |next| [short.as_slice(), &[next]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }
}

impl Start {
    /// The tape that stands for numbers: `n + 1` ones each, with a blank between them.
    pub(crate) fn numbers(numbers: &[u64], one: Symbol, blank: Symbol) -> Option<Start> {
        let cells = numbers
            .iter()
            .try_fold(0u64, |sum, &one| sum.checked_add(one)?.checked_add(2));
        cells.filter(|&cells| cells <= CELLS)?;
        let mut word = Vec::new();
        for (place, &number) in numbers.iter().enumerate() {
            if place > 0 {
                word.push(blank);
            }
            word.extend((0..=number).map(|_| one));
        }
        Some(Start::word(word, blank))
    }

    /// A word from the head on, and blanks around it.
    pub(crate) fn word(word: Vec<Symbol>, blank: Symbol) -> Start {
        Start {
            left: (Vec::new(), vec![blank]),
            right: (word, vec![blank]),
        }
    }

    /// The configuration that a machine begins with.
    pub(crate) fn configuration(&self, machine: &Machine) -> Configuration {
        let mut right = Half::new(&self.right.0, &self.right.1);
        let tape = Tape {
            left: Half::new(&self.left.0, &self.left.1),
            scanned: right.pop(),
            right,
        };
        Configuration {
            tape,
            state: machine.start,
        }
    }

    /// Reads `8`, `2, 1`, `blank` or `tape ...(10)1[1]0(1)...`; else what is wrong with it.
    pub(crate) fn read(text: &str, machine: &mut Machine) -> Result<Start, String> {
        let text = text.trim();
        let blank = machine.blank;
        if text == "blank" {
            return Ok(Start::word(Vec::new(), blank));
        }
        if let Some(tape) = text.strip_prefix("tape") {
            return read_tape(tape, machine);
        }
        let numbers: Result<Vec<u64>, _> = text.split(',').map(|one| one.trim().parse()).collect();
        let Ok(numbers) = numbers else {
            return Err(format!(
                "`{text}` is no input: `8`, `2, 1`, `blank` or `tape 11[1]0`"
            ));
        };
        let one = machine.symbol('1').ok_or("too many symbols")?;
        Start::numbers(&numbers, one, blank).ok_or_else(|| format!("more than {CELLS} cells"))
    }
}

/// Reads `...(10)1[1]0(1)...`, where all but the head's cell may be left out.
fn read_tape(text: &str, machine: &mut Machine) -> Result<Start, String> {
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let mut rest = text.as_str();
    let mut left_cycle = None;
    if let Some(after) = rest.strip_prefix("...(") {
        let (cycle, after) = after.split_once(')').ok_or("a `)` is missing")?;
        (left_cycle, rest) = (Some(cycle), after);
    }
    let mut right_cycle = None;
    if let Some(before) = rest.strip_suffix(")...") {
        let (before, cycle) = before.rsplit_once('(').ok_or("a `(` is missing")?;
        (right_cycle, rest) = (Some(cycle), before);
    }
    let (left, right) = match rest.split_once('[') {
        None => ("", rest.to_owned()),
        Some((left, after)) => {
            let (head, after) = after.split_once(']').ok_or("a `]` is missing")?;
            if head.chars().count() != 1 {
                return Err("the head stands on one cell: `[1]`".to_owned());
            }
            (left, format!("{head}{after}"))
        }
    };
    let mut symbols = |text: &str, most: usize| -> Result<Vec<Symbol>, String> {
        if text.chars().count() > most {
            return Err(format!("more than {most} cells"));
        }
        let symbol = |letter: char| match letter {
            '(' | ')' | '[' | ']' => Err(format!("`{letter}` is out of place")),
            '.' => {
                Err("`...` stands beside a cycle in parentheses: `...(0)1[1]0(01)...`".to_owned())
            }
            _ if !is_symbol(letter) => Err(format!("`{letter}` is no symbol")),
            letter => machine
                .symbol(letter)
                .ok_or_else(|| "too many symbols".to_owned()),
        };
        text.chars().map(symbol).collect()
    };
    let mut cycle = |text: Option<&str>| match text {
        None => Ok(Vec::new()),
        Some("") => Err("a cycle has at least one cell".to_owned()),
        Some(text) => symbols(text, CYCLE),
    };
    let mut left_cycle = cycle(left_cycle)?;
    let mut right_cycle = cycle(right_cycle)?;
    let mut left = symbols(left, CELLS as usize)?;
    let right = symbols(&right, CELLS as usize)?;
    for cycle in [&mut left_cycle, &mut right_cycle] {
        if cycle.is_empty() {
            cycle.push(machine.blank);
        }
    }
    left.reverse();
    left_cycle.reverse();
    Ok(Start {
        left: (left, left_cycle),
        right: (right, right_cycle),
    })
}

/// Reads a question; else what is wrong with it.
pub(crate) fn read(text: &str, machine: &mut Machine) -> Result<Asked, String> {
    let (verb, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match verb {
        "halts" => read_halts(rest, machine),
        "diverges" => {
            let input = rest
                .strip_prefix("on")
                .ok_or("`on` and an input were expected")?
                .trim();
            let Some(pattern) = input.strip_prefix("every ") else {
                return Ok(Asked::Diverges(Start::read(input, machine)?));
            };
            let pattern = Pattern::read(pattern.trim())?;
            let pattern = pattern.map(|letter| machine.symbol(letter));
            Ok(Asked::DivergesOnAll(pattern.ok_or("too many symbols")?))
        }
        "computes" => read_computes(rest),
        "streams" => {
            let (one, other) = rest.split_once('=').ok_or("`… = …` was expected")?;
            let one = Stream::read(one, machine)?;
            Ok(Asked::Streams(one, Stream::read(other, machine)?))
        }
        _ => Err(format!(
            "`{verb}` is no question: `halts`, `diverges`, `computes` or `streams`"
        )),
    }
}

/// What may be wanted of the end of a run.
const WISHES: [&str; 4] = [" with ", " after ", " in state ", " at cell "];

fn read_halts(text: &str, machine: &mut Machine) -> Result<Asked, String> {
    let mut rest = text
        .strip_prefix("on")
        .ok_or("`on` and an input were expected")?
        .to_owned();
    let mut wanted = Wanted::default();
    let number = |text: &str, unit: &str| -> Result<u64, String> {
        let text = text.trim();
        let text = text
            .strip_suffix(unit)
            .or_else(|| text.strip_suffix(unit.trim_end_matches('s')));
        let number = text.and_then(|text| text.trim().parse().ok());
        number.ok_or_else(|| format!("a number of {unit} was expected"))
    };
    // In any order, the last one first.
    while let Some((place, word)) = (WISHES.iter())
        .filter_map(|word| Some((rest.rfind(word)?, word.trim())))
        .max()
    {
        let wish = rest.split_off(place);
        let wish = wish.trim().strip_prefix(word).unwrap_or_default().trim();
        let twice = match word {
            "at cell" => {
                let cell = wish.parse();
                let cell = cell.map_err(|_| "the number of a cell was expected")?;
                wanted.cell.replace(cell).is_some()
            }
            "in state" => {
                let state = machine.states.iter().position(|one| one == wish);
                let state = state.ok_or_else(|| format!("there is no state `{wish}`"))?;
                wanted.state.replace(state).is_some()
            }
            "after" => wanted.steps.replace(number(wish, "steps")?).is_some(),
            _ => wanted.ones.replace(number(wish, "ones")?).is_some(),
        };
        if twice {
            return Err(format!("`{word}` is given twice"));
        }
    }
    Ok(Asked::Halts(Start::read(&rest, machine)?, wanted))
}

/// The names of the arguments: one at least, and no two the same.
fn read_names(text: &str) -> Result<Vec<&str>, String> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    for (place, name) in names.iter().enumerate() {
        let begins = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let goes_on = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        if name.is_empty() {
            return Err("the name of an argument is missing: `f(m, n)`".to_owned());
        }
        if !begins || !goes_on || ["and", "or", "if"].contains(name) {
            return Err(format!("`{name}` is no name of an argument"));
        }
        if names[..place].contains(name) {
            return Err(format!("two arguments are called `{name}`"));
        }
    }
    Ok(names)
}

/// Reads `f(m, n) = m - n if m >= n up to 11`.
fn read_computes(text: &str) -> Result<Asked, String> {
    const SHAPE: &str = "`f(n) = n / 2 if n % 2 == 0 up to 20` was expected";
    let (text, partly) = match text.strip_suffix("wherever it stops") {
        Some(text) => (text.trim_end(), true),
        None => (text, false),
    };
    let (head, rest) = text.split_once('=').ok_or(SHAPE)?;
    let (_, names) = head.trim().split_once('(').ok_or(SHAPE)?;
    let names = names.strip_suffix(')').ok_or(SHAPE)?;
    let names = read_names(names)?;
    let (rest, bound) = match rest.rsplit_once(" up to ") {
        Some((rest, bound)) => (rest, Some(bound)),
        None => (rest, None),
    };
    let for_all = bound.is_none();
    if partly && !(for_all && names.len() == 1) {
        let why = "`wherever it stops` is for functions of one argument, without a bound";
        return Err(why.to_owned());
    }
    if for_all && names.len() > 3 {
        return Err("functions of more than three arguments need a bound: `up to 5`".to_owned());
    }
    let bound: u64 = bound
        .map_or(Ok(0), |bound| bound.trim().parse())
        .map_err(|_| "a number was expected after `up to`")?;
    let (rest, steps) = match rest.rsplit_once(" after ") {
        Some((rest, steps)) => {
            let steps = steps
                .trim()
                .strip_suffix("steps")
                .ok_or("`steps` was expected")?;
            (rest, Some(Expression::read(steps, &names)?))
        }
        None => (rest, None),
    };
    if for_all && steps.is_some() {
        return Err("a number of steps is asked for with a bound: `up to 11`".to_owned());
    }
    let (value, condition) = match rest.split_once(" if ") {
        Some((value, condition)) => (value, Some(Expression::read(condition, &names)?)),
        None => (rest, None),
    };
    let function = Function {
        arguments: names.len(),
        value: Expression::read(value, &names)?,
        condition,
        steps,
        bound,
    };
    let each = bound.saturating_add(1);
    let cases = names
        .iter()
        .fold(1u64, |cases, _| cases.saturating_mul(each));
    if cases > CASES || each.saturating_mul(names.len() as u64) > CELLS {
        return Err(format!("more than {CASES} inputs"));
    }
    Ok(match (for_all, partly) {
        (_, true) => Asked::ComputesIfItStops(function),
        (true, false) => Asked::ComputesForAll(function),
        (false, false) => Asked::Computes(function),
    })
}
