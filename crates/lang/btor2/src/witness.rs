//! Runs in words: checked by the evaluator, and written as BTOR2 witnesses.

use std::borrow::Cow;
use std::fmt::Write;

use quotient_core::{Budget, Rejection};
use quotient_netlist::Run;
use quotient_netlist::words::{
    Blasted, Evaluator, Model, Node, Operand, Sort, Value, Word, WordRun,
};

/// The steps of a run, calculated by the evaluator of words: of the bits only the inputs are
/// taken, and the states that may start or become anything.
pub(crate) fn steps<'a>(model: &'a Model, blasted: &Blasted, run: &Run) -> Vec<Evaluator<'a>> {
    let mut all: Vec<Evaluator<'a>> = Vec::new();
    for state in run.states(&blasted.circuit) {
        let mut choose = |node, sort| blasted.value(node, sort, &state);
        let next = match all.last() {
            None => Evaluator::new(model, &mut choose),
            Some(last) => {
                let mut next = last.clone();
                next.step(&mut choose);
                next
            }
        };
        all.push(next);
    }
    all
}

/// The most rounds of a run that goes on for ever.
const MOST_ROUNDS: usize = 256;

/// The steps of a run that goes on for ever, with its round repeated until all states are back, those on
/// which nothing depends among them: readers of other tools wait for these. Nothing if that takes more steps
/// than `most`.
pub(crate) fn returning<'a>(
    model: &'a Model,
    blasted: &Blasted,
    run: &Run,
    most: usize,
) -> Option<Vec<Evaluator<'a>>> {
    let back_to = run.back_to?;
    let bits = run.states(&blasted.circuit);
    let round = bits.get(back_to..).filter(|round| !round.is_empty())?;
    let all = vec![true; model.states().len()];
    let mut steps = steps(model, blasted, run);
    for rounds in 1..=MOST_ROUNDS {
        let last = steps.last()?;
        let mut begins = (0..rounds).map(|number| back_to + number * round.len());
        if begins.any(|begin| last.leads_to(&steps[begin], &all)) {
            return Some(steps);
        }
        if steps.len() + round.len() > most {
            return None;
        }
        for state in round {
            let mut next = steps.last()?.clone();
            next.step(&mut |node, sort| blasted.value(node, sort, state));
            steps.push(next);
        }
    }
    None
}

/// Checks that a run, in words, begins as the model does, fulfils the constraints and ends with a
/// signal on, or has all the signals on for ever again. Nothing of the translation to bits is
/// believed but which bits are the inputs.
pub(crate) fn check(
    model: &Model,
    blasted: &Blasted,
    shown: Shown<'_>,
    run: &Run,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let circuit = &blasted.circuit;
    let fits = run.start.0.len() == circuit.latches().len()
        && (run.inputs.iter()).all(|step| step.0.len() == circuit.inputs().len());
    if !fits {
        return Err(Rejection::unreadable("the run is of another model"));
    }
    let mut watch = Watch::new(model, shown, (run.inputs.len(), run.back_to), budget)?;
    let mut here: Option<Evaluator<'_>> = None;
    run.walk(circuit, |state| {
        let mut choose = |node, sort| blasted.value(node, sort, &state);
        let next = match here.take() {
            None => Evaluator::new(model, &mut choose),
            Some(mut next) => {
                next.step(&mut choose);
                next
            }
        };
        watch.look(here.insert(next))
    })?;
    watch.shows()
}

/// The same of a run in words.
pub(crate) fn check_words(
    model: &Model,
    shown: Shown<'_>,
    run: &WordRun,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let mut watch = Watch::new(model, shown, (run.steps.len(), run.back_to), budget)?;
    if !run.walk(model, |step| watch.look(step))? {
        return Err(Rejection::unreadable("the run is of another model"));
    }
    watch.shows()
}

/// What a run is to show.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'q> {
    /// This signal is on in the end.
    Once(Operand),
    /// Each of these is on in every round.
    Forever(&'q [Operand]),
}

/// What is looked for in the steps of a run, one after the other.
struct Watch<'a> {
    model: &'a Model,
    shown: Shown<'a>,
    budget: &'a Budget,
    /// How many steps there are, and with which one the run goes on after the last.
    length: usize,
    back_to: Option<usize>,
    steps: usize,
    /// The step that the run comes back to.
    first: Option<Evaluator<'a>>,
    /// Of each state whether the signals or the constraints depend on it.
    matter: Vec<bool>,
    /// Whether the last step leads there, as far as that matters.
    closed: bool,
    /// Which signals have been on: in the last step, or since the one that the run comes back to.
    on: Vec<bool>,
}

impl<'a> Watch<'a> {
    fn new(
        model: &'a Model,
        shown: Shown<'a>,
        (length, back_to): (usize, Option<usize>),
        budget: &'a Budget,
    ) -> Result<Watch<'a>, Rejection> {
        let (signals, matter) = match (shown, back_to) {
            (Shown::Once(_), None) => (1, Vec::new()),
            (Shown::Forever(signals), Some(_)) => {
                (signals.len(), model.states_that_matter(signals))
            }
            (Shown::Once(_), Some(_)) => {
                let message = "a run to a bad state does not go on for ever";
                return Err(Rejection::wrong(message));
            }
            (Shown::Forever(_), None) => {
                return Err(Rejection::wrong("the run does not go on for ever"));
            }
        };
        Ok(Watch {
            model,
            shown,
            budget,
            length,
            back_to,
            steps: 0,
            first: None,
            matter,
            closed: false,
            on: vec![false; signals],
        })
    }

    fn look(&mut self, step: &Evaluator<'a>) -> Result<(), Rejection> {
        self.budget.charge(self.model.nodes().len() as u64)?;
        let number = self.steps;
        if number == 0 && !step.is_start() {
            return Err(Rejection::wrong("the run does not begin as the model does"));
        }
        for (which, asked) in self.model.constraints.iter().enumerate() {
            if !step.operand(asked.signal).is_on() {
                let message = format!("constraint {which} is violated in step {number}");
                return Err(Rejection::wrong(message));
            }
        }
        match self.shown {
            Shown::Once(signal) => self.on[0] = step.operand(signal).is_on(),
            Shown::Forever(signals) => {
                if self.back_to == Some(number) {
                    self.first = Some(step.clone());
                }
                if let Some(first) = &self.first {
                    for (on, signal) in self.on.iter_mut().zip(signals) {
                        *on |= step.operand(*signal).is_on();
                    }
                    self.closed = number + 1 == self.length && step.leads_to(first, &self.matter);
                }
            }
        }
        self.steps += 1;
        Ok(())
    }

    fn shows(&self) -> Result<Vec<String>, Rejection> {
        let steps = self.steps;
        let constraints = format!("the constraints hold in each of its {steps} steps");
        let shown = match (self.shown, self.back_to) {
            (Shown::Once(_), _) if !self.on[0] => {
                return Err(Rejection::wrong("the signal is off in the last step"));
            }
            (Shown::Once(_), _) => "the signal is on in the last step".to_owned(),
            (Shown::Forever(_), back_to) => {
                let back_to = back_to.unwrap_or(steps);
                if !self.closed {
                    let message = format!("the last step does not lead back to step {back_to}");
                    return Err(Rejection::wrong(message));
                }
                if let Some(off) = self.on.iter().position(|on| !on) {
                    let message = format!("signal {off} is never on from step {back_to} on");
                    return Err(Rejection::wrong(message));
                }
                format!(
                    "the last step leads back to step {back_to}, and each signal is on from there on"
                )
            }
        };
        Ok(vec![
            constraints,
            shown,
            "all of it calculated in words".to_owned(),
        ])
    }
}

/// The widest index of an array that is listed element by element.
const LISTED: u32 = 16;

/// The run as a BTOR2 witness: states that start or become anything, and all inputs. None where an array
/// is filled with something and has too many elements for a list.
pub(crate) fn text(model: &Model, property: &str, steps: &[Evaluator<'_>]) -> Option<String> {
    let mut text = format!("sat\n{property}\n");
    for (number, step) in steps.iter().enumerate() {
        let free = model
            .states()
            .iter()
            .enumerate()
            .filter(|(_, state)| match number {
                0 => state.start.is_none(),
                _ => state.next.is_none(),
            });
        let mut states = String::new();
        for (index, state) in free {
            let value = listed(step.value(state.node), model.sort(state.node))?;
            assigned(
                &mut states,
                index,
                &value,
                &format!("{}#{number}", state.name),
            );
        }
        if number == 0 || !states.is_empty() {
            let _ = write!(text, "#{number}\n{states}");
        }
        let _ = writeln!(text, "@{number}");
        for (index, (node, name)) in model.inputs().iter().enumerate() {
            debug_assert!(matches!(model.nodes()[node.index()].0, Node::Input(_)));
            let value = listed(step.value(*node), model.sort(*node))?;
            assigned(&mut text, index, &value, &format!("{name}@{number}"));
        }
    }
    text.push_str(".\n");
    Some(text)
}

/// A value of which what is not listed is zero, if that is no longer than a list should be.
fn listed(value: &Value, sort: Sort) -> Option<Cow<'_, Value>> {
    match (value, sort) {
        (Value::Array(rest, some), Sort::Array(index, element)) if rest.0.contains(&true) => {
            let all = (0..1_u128 << index.min(LISTED + 1)).map(|at| Word::from_number(at, index));
            let held = |at: Word| {
                let word = some.get(&at).unwrap_or(rest).clone();
                (at, word)
            };
            (index <= LISTED)
                .then(|| Cow::Owned(Value::Array(Word::zero(element), all.map(held).collect())))
        }
        _ => Some(Cow::Borrowed(value)),
    }
}

fn assigned(text: &mut String, index: usize, value: &Value, name: &str) {
    match value {
        Value::Word(word) => {
            let _ = writeln!(text, "{index} {word} {name}");
        }
        // Elements that are not listed may hold anything, so those that are zero are listed, too.
        Value::Array(_, some) => {
            for (at, word) in some {
                let _ = writeln!(text, "{index} [{at}] {word} {name}");
            }
        }
    }
}
