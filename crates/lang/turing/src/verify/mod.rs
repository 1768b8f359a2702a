//! The check of evidence: a plain simulator of its own, and nothing of what found the evidence.
//!
//! What it uses besides is plain data: the table of the machine, the question, and the tapes to
//! begin with. Numbers in evidence are believed only after they were counted.

mod closed;
mod functions;
mod paired;
mod weighted;

use quotient_core::{Budget, Claim, Evidence, Rejection, Stop};

use crate::begin::Beginning;
use crate::family::{Family, expanded, goes_on};
use crate::machine::{Machine, Side, State, Symbol};
use crate::proof::{Body, Case, KIND, Proof};
use crate::question::{Asked, Start, Wanted};
use crate::streams::Stream;
use closed::closed;
#[cfg(test)]
pub(crate) use closed::closed as never_left;
pub(crate) use paired::right_where_it_stops;
#[cfg(test)]
pub(crate) use weighted::balanced as never_unbalanced;

/// The most steps that are counted.
const STEPS: u64 = 200_000_000;

/// Checks evidence about a question; the facts that were established.
///
/// It proves exactly what the question says: for a run that stops, that it stops after that many
/// steps and as was wanted; for one that does not, that it never stops; for a function, that for
/// all arguments up to the bound; for a set of words, that for each of them. Against a question,
/// one input is enough.
// Long because it has an arm for each kind of certificate.
pub(crate) fn verify(
    machine: &Machine,
    asked: &Asked,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if evidence.kind != KIND {
        return Err(Rejection::unreadable(format!(
            "`{}` is no evidence about machines",
            evidence.kind
        )));
    }
    let body: Body = (evidence.read()).map_err(|error| Rejection::unreadable(error.to_string()))?;
    let holds = evidence.claim == Claim::Holds;
    let mut facts = Vec::new();
    match asked {
        Asked::Halts(start, wanted) => {
            let case = only(&body)?;
            plain(case)?;
            let end = outcome(machine, start, &case.proof, budget)?;
            decided(
                end.as_ref().is_some_and(|end| end.is_as(wanted)),
                holds,
                &case.proof,
            )?;
            facts.push(case.proof.line());
        }
        Asked::Diverges(start) => {
            let case = only(&body)?;
            plain(case)?;
            let end = outcome(machine, start, &case.proof, budget)?;
            decided(end.is_none(), holds, &case.proof)?;
            facts.push(case.proof.line());
        }
        Asked::DivergesOnAll(pattern) => {
            let case = only(&body)?;
            if !case.arguments.is_empty() {
                return Err(Rejection::wrong("the question has no arguments"));
            }
            match (&case.proof, &case.word, holds) {
                (Proof::RegularInvariant(invariant), None, true) => {
                    let beginning = Beginning::words(pattern, machine.blank);
                    closed(machine, &beginning, invariant, budget)?;
                }
                (Proof::Halts { .. }, Some(word), false) => {
                    let symbol = |letter| machine.symbols.iter().position(|&one| one == letter);
                    let symbols = word
                        .chars()
                        .map(|letter| u8::try_from(symbol(letter)?).ok());
                    let symbols: Option<Vec<Symbol>> = symbols.collect();
                    let symbols = symbols.filter(|symbols| pattern.contains(symbols));
                    let Some(symbols) = symbols else {
                        return Err(Rejection::wrong(format!("`{word}` is not in the set")));
                    };
                    let start = Start::word(symbols, machine.blank);
                    outcome(machine, &start, &case.proof, budget)?;
                    facts.push(format!("`{word}` is in the set"));
                }
                _ => {
                    return Err(Rejection::wrong(
                        "this does not settle a question about a set",
                    ));
                }
            }
            facts.push(case.proof.line());
        }
        Asked::Computes(function) => {
            functions::up_to_a_bound(machine, function, &body.cases, holds, budget)?;
            let count = body.cases.len();
            facts.push(format!("{count} inputs were run or shown to run for ever"));
        }
        Asked::ComputesForAll(function) => {
            facts.push(functions::for_all(
                machine,
                function,
                &body.cases,
                holds,
                budget,
            )?);
        }
        Asked::ComputesIfItStops(function) => {
            facts.push(functions::if_it_stops(
                machine,
                function,
                &body.cases,
                holds,
                budget,
            )?);
        }
        Asked::Streams(one, other) => {
            let case = only(&body)?;
            plain(case)?;
            same_streams(one, other, &case.proof, holds, budget)?;
            facts.push(case.proof.line());
        }
    }
    Ok(facts)
}

/// Compares two streams symbol by symbol: as far as both words and one common turn of both
/// cycles go, or at the place where they are said to differ.
fn same_streams(
    one: &Stream,
    other: &Stream,
    proof: &Proof,
    holds: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let turns = one.cycle.len() * other.cycle.len();
    let all = one.word.len().max(other.word.len()) + turns;
    let shows = match (proof, holds) {
        (Proof::Agree { symbols }, true) if usize::try_from(*symbols) == Ok(one.enough(other)) => {
            let mut same = true;
            for place in 0..all {
                if place % 1024 == 0 {
                    budget.charge(1024)?;
                }
                same &= one.at(place) == other.at(place);
            }
            same
        }
        (Proof::Differ { place }, false) => {
            usize::try_from(*place).is_ok_and(|place| one.at(place) != other.at(place))
        }
        _ => false,
    };
    match shows {
        true => Ok(()),
        false => Err(Rejection::wrong("the streams are not as the evidence says")),
    }
}

fn only(body: &Body) -> Result<&Case, Rejection> {
    match &body.cases[..] {
        [case] => Ok(case),
        _ => Err(Rejection::wrong("one case was expected")),
    }
}

fn plain(case: &Case) -> Result<(), Rejection> {
    match case.arguments.is_empty() && case.word.is_none() {
        true => Ok(()),
        false => Err(Rejection::wrong(
            "the question says the input, the evidence does not",
        )),
    }
}

fn decided(right: bool, claimed: bool, proof: &Proof) -> Result<(), Rejection> {
    match right == claimed {
        true => Ok(()),
        false => Err(Rejection::wrong(format!(
            "{}, which does not show the claim",
            proof.line()
        ))),
    }
}

/// How a run ended.
struct End {
    ones: Option<u64>,
    steps: u64,
    state: State,
    cell: i64,
}

impl End {
    fn is_as(&self, wanted: &Wanted) -> bool {
        (wanted.ones.is_none() || wanted.ones == self.ones)
            && wanted.steps.is_none_or(|steps| steps == self.steps)
            && wanted.state.is_none_or(|state| state == self.state)
            && wanted.cell.is_none_or(|cell| cell == self.cell)
    }
}

/// Checks what is shown about one run: how it ends, or that it never does.
fn outcome(
    machine: &Machine,
    start: &Start,
    proof: &Proof,
    budget: &Budget,
) -> Result<Option<End>, Rejection> {
    let mut run = Run::new(machine, start);
    match proof {
        Proof::Halts { steps } => {
            run.go(*steps, budget)?;
            if run.action().is_some() {
                return Err(Rejection::wrong(format!(
                    "it does not stop after {steps} steps"
                )));
            }
            return Ok(Some(End {
                ones: run.ones(),
                steps: *steps,
                state: run.state,
                cell: run.head,
            }));
        }
        Proof::Repeat { after, period } => {
            run.go(*after, budget)?;
            let old = run.clone();
            positive(*period)?;
            run.go(*period, budget)?;
            let ahead = old.ahead(Side::Right).max(run.ahead(Side::Right));
            let behind = old.ahead(Side::Left).max(run.ahead(Side::Left));
            same(&old, &run, -behind, ahead, budget)?;
        }
        Proof::BlankRun { after, side } => {
            run.go(*after, budget)?;
            run.blank_ahead(*side, budget)?;
            runs_away(machine, run.state, *side)?;
        }
        Proof::TranslatedCycle {
            after,
            period,
            side,
            reach,
        } => {
            run.go(*after, budget)?;
            let mut old = run.clone();
            positive(*period)?;
            // From here on the extent is that of the cycle alone.
            run.low = run.head;
            run.high = run.head;
            run.go(*period, budget)?;
            let (back, shift) = match side {
                Side::Right => (old.head - run.low, run.head - old.head),
                Side::Left => (run.high - old.head, old.head - run.head),
            };
            let reach = i64::try_from(*reach).ok().filter(|&reach| reach >= back);
            let (Some(reach), true) = (reach, shift >= 0) else {
                return Err(Rejection::wrong("the head goes further back than is said"));
            };
            run.low = run.low.min(old.low);
            run.high = run.high.max(old.high);
            old.low = run.low;
            old.high = run.high;
            let ahead = old.ahead(*side).max(run.ahead(*side));
            // Further behind both halves only repeat themselves.
            let behind = match side {
                Side::Right => Side::Left,
                Side::Left => Side::Right,
            };
            let reach = reach.min(old.ahead(behind).max(run.ahead(behind)));
            match side {
                Side::Right => same(&old, &run, -reach, ahead, budget)?,
                Side::Left => same(&old, &run, -ahead, reach, budget)?,
            }
        }
        Proof::GuardedFamily { after, family } => {
            run.go(*after, budget)?;
            run.is_first_of(family, budget)?;
            let mut goes = goes_on(family, machine, false, budget)?;
            goes = goes || goes_on(family, machine, true, budget)?;
            if !goes {
                return Err(Rejection::wrong(
                    "the configurations of the family do not become the next ones",
                ));
            }
        }
        Proof::RegularInvariant(invariant) => {
            closed(machine, &Beginning::tape(start), invariant, budget)?;
        }
        Proof::WeightedInvariant(set) => {
            weighted::balanced(machine, &Beginning::tape(start), set, budget)?;
        }
        Proof::Agree { .. }
        | Proof::Differ { .. }
        | Proof::AllOfClass { .. }
        | Proof::ClassInvariant { .. }
        | Proof::PairedInvariant { .. } => {
            return Err(Rejection::wrong("this is not about one run"));
        }
    }
    Ok(None)
}

fn positive(period: u64) -> Result<(), Rejection> {
    match period {
        0 => Err(Rejection::wrong("a period of no steps shows nothing")),
        _ => Ok(()),
    }
}

/// Whether two moments have the same state, and the same symbols from one distance of the head
/// to another.
fn same(
    old: &Run<'_>,
    new: &Run<'_>,
    from: i64,
    to: i64,
    budget: &Budget,
) -> Result<(), Rejection> {
    if old.state != new.state {
        return Err(Rejection::wrong("the state is not the same again"));
    }
    for distance in from..=to {
        if distance % 1024 == 0 {
            budget.charge(1024)?;
        }
        if old.at(old.head + distance) != new.at(new.head + distance) {
            let message = format!("the symbol at distance {distance} of the head is another one");
            return Err(Rejection::wrong(message));
        }
    }
    Ok(())
}

/// Whether the head on blanks moves only to this side until its state is there again.
fn runs_away(machine: &Machine, state: State, side: Side) -> Result<(), Rejection> {
    let mut here = state;
    for _ in 0..machine.states.len() {
        here = match machine.action(here, machine.blank) {
            Some(action) if action.shift == Some(side) => action.to,
            _ => return Err(Rejection::wrong("the head does not run on over blanks")),
        };
        if here == state {
            return Ok(());
        }
    }
    Err(Rejection::wrong("the state does not come again"))
}

/// A run on cells with numbers; those where the head never was are as at the start.
#[derive(Clone)]
struct Run<'a> {
    machine: &'a Machine,
    start: &'a Start,
    /// The cells from 0 to the right, and those from -1 to the left, as far as they were written.
    written: [Vec<Symbol>; 2],
    head: i64,
    state: State,
    low: i64,
    high: i64,
}

impl<'a> Run<'a> {
    fn new(machine: &'a Machine, start: &'a Start) -> Run<'a> {
        Run {
            machine,
            start,
            written: [Vec::new(), Vec::new()],
            head: 0,
            state: machine.start,
            low: 0,
            high: 0,
        }
    }

    /// The half of a cell (0 for the right one) and its place there.
    fn place(cell: i64) -> (usize, usize) {
        match usize::try_from(cell) {
            Ok(place) => (0, place),
            Err(_) => (1, cell.unsigned_abs() as usize - 1),
        }
    }

    fn at(&self, cell: i64) -> Symbol {
        let (half, place) = Self::place(cell);
        match self.written[half].get(place) {
            Some(&symbol) => symbol,
            None => self.first(half, place),
        }
    }

    /// What is in a cell at the start.
    fn first(&self, half: usize, place: usize) -> Symbol {
        let (word, cycle) = [&self.start.right, &self.start.left][half];
        match word.get(place) {
            Some(&symbol) => symbol,
            None => cycle[(place - word.len()) % cycle.len()],
        }
    }

    fn write(&mut self, cell: i64, symbol: Symbol) {
        let (half, place) = Self::place(cell);
        while self.written[half].len() <= place {
            let first = self.first(half, self.written[half].len());
            self.written[half].push(first);
        }
        self.written[half][place] = symbol;
    }

    fn action(&self) -> Option<crate::machine::Action> {
        self.machine.action(self.state, self.at(self.head))
    }

    /// Does exactly so many steps.
    fn go(&mut self, steps: u64, budget: &Budget) -> Result<(), Rejection> {
        for done in 0..steps {
            if done.is_multiple_of(1024) {
                budget.charge(1024)?;
            }
            if done == STEPS {
                return Err(Rejection::Stopped(Stop::bound("steps", STEPS)));
            }
            let Some(action) = self.action() else {
                return Err(Rejection::wrong(format!(
                    "the run stops after {done} of {steps} steps"
                )));
            };
            self.write(self.head, action.write);
            self.head += match action.shift {
                None => 0,
                Some(Side::Left) => -1,
                Some(Side::Right) => 1,
            };
            self.state = action.to;
            self.low = self.low.min(self.head);
            self.high = self.high.max(self.head);
        }
        Ok(())
    }

    /// How far from the head to look on a side until all that follows is one cycle further.
    fn ahead(&self, side: Side) -> i64 {
        let (last, half) = match side {
            Side::Right => (self.high, &self.start.right),
            Side::Left => (-self.low, &self.start.left),
        };
        let head = match side {
            Side::Right => self.head,
            Side::Left => -self.head,
        };
        let word = half.0.len() as i64 + 1;
        (last.max(word) - head).max(0) + half.1.len() as i64
    }

    fn blank_ahead(&self, side: Side, budget: &Budget) -> Result<(), Rejection> {
        for distance in 0..=self.ahead(side) {
            if distance % 1024 == 0 {
                budget.charge(1024)?;
            }
            let cell = match side {
                Side::Right => self.head + distance,
                Side::Left => self.head - distance,
            };
            if self.at(cell) != self.machine.blank {
                return Err(Rejection::wrong(format!(
                    "the cell {distance} ahead is not blank"
                )));
            }
        }
        Ok(())
    }

    /// Whether this is the configuration of a family for the number 0, with blanks around it.
    fn is_first_of(&self, family: &Family, budget: &Budget) -> Result<(), Rejection> {
        let other = || Rejection::wrong("the run is not in the family then");
        let left = expanded(&family.left, 0, self.machine).ok_or_else(other)?;
        let right = expanded(&family.right, 0, self.machine).ok_or_else(other)?;
        if self.machine.states[self.state] != family.state {
            return Err(other());
        }
        let blank = self.machine.blank;
        let mut cycles = self.start.left.1.iter().chain(&self.start.right.1);
        if cycles.any(|&symbol| symbol != blank) {
            return Err(other());
        }
        let behind = self.ahead(Side::Left).max(left.len() as i64);
        let ahead = self.ahead(Side::Right).max(right.len() as i64);
        for distance in -behind..=ahead {
            budget.charge(1)?;
            let cell = match usize::try_from(distance) {
                Ok(place) => right.get(place),
                Err(_) => left.get(distance.unsigned_abs() as usize - 1),
            };
            if self.at(self.head + distance) != cell.copied().unwrap_or(blank) {
                return Err(other());
            }
        }
        Ok(())
    }

    /// How many ones there are; none if they are infinitely many.
    fn ones(&self) -> Option<u64> {
        let one = self.machine.one;
        if self.start.left.1.contains(&one) || self.start.right.1.contains(&one) {
            return None;
        }
        let left = self.start.left.0.len() as i64;
        let right = self.start.right.0.len() as i64;
        let cells = self.low.min(-left)..=self.high.max(right);
        Some(cells.filter(|&cell| self.at(cell) == one).count() as u64)
    }
}
