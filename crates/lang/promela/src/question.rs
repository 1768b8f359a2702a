//! What is asked of a program, as formulas over what can be seen in a state.

use std::collections::HashSet;

use quotient_logic::{Binary, Formula, Unary};

use crate::lex::At;
use crate::program::{Check, Code, Location, Program};
use crate::space::{CLAIM_END, Mode, Space};
use crate::state::{CLAIM, LAST, State};

/// What can be seen in a state.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// An expression is not zero.
    Code(Code),
    /// Some process is at a label of this kind.
    Progress,
    Accept,
    /// The claim is at a label of acceptance.
    ClaimAccept,
    /// The claim has come to its end.
    ClaimEnd,
    /// Nobody can move.
    Stuck,
    /// A process is not there, cannot move, or moved last.
    Fair(usize),
}

/// What kind of question it is.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    Assertions,
    EndStates,
    /// Runs: the claim that moves along, and the formula that all runs fulfil.
    Runs {
        claim: Option<usize>,
        formula: Formula<u32>,
        atoms: Vec<Atom>,
    },
    /// The event trace with this number.
    Events(usize),
    /// Something that is not searched for.
    Beyond(&'static str),
}

/// A question.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) at: Option<At>,
    pub(crate) asked: Asked,
}

fn always_again(formula: Formula<u32>) -> Formula<u32> {
    let again = Formula::unary(Unary::Finally(None), formula);
    Formula::unary(Unary::Globally(None), again)
}

impl Question {
    /// A formula of the file or of a user.
    pub(crate) fn of(check: &Check) -> Question {
        let atoms = check.atoms.iter().cloned().map(Atom::Code);
        Question {
            name: check.name.clone(),
            kind: "ltl",
            text: check.text.clone(),
            at: check.at,
            asked: Asked::Runs {
                claim: None,
                formula: check.formula.clone(),
                atoms: atoms.collect(),
            },
        }
    }

    /// How the program is run for it.
    pub(crate) fn mode(&self, mode: Mode) -> Mode {
        let watch = match self.asked {
            Asked::Events(number) => Some(number),
            _ => None,
        };
        Mode { watch, ..mode }
    }

    /// Whether it is about runs that go on for ever.
    pub(crate) fn is_about_runs(&self) -> bool {
        matches!(self.asked, Asked::Runs { .. })
    }
}

/// All questions of a program, in order.
pub(crate) fn questions(program: &Program) -> Vec<Question> {
    let labelled = |fits: fn(&Location) -> bool| {
        let all = program.proctypes.iter();
        all.flat_map(|one| &one.locations).any(fits)
    };
    let own = |name: &str, kind, text: &str, asked| Question {
        name: name.to_owned(),
        kind,
        text: text.to_owned(),
        at: None,
        asked,
    };
    let runs = |claim, formula, atoms| Asked::Runs {
        claim,
        formula,
        atoms,
    };
    let mut all = vec![
        own(
            "assertions",
            "assertion",
            "no assertion fails, and nothing goes wrong in a step",
            Asked::Assertions,
        ),
        own(
            "end-states",
            "end states",
            "where nobody can move, all processes are at their end or at an end label",
            Asked::EndStates,
        ),
    ];
    if labelled(|location| location.progress) {
        let either = Formula::binary(Binary::Or, Formula::atom(0), Formula::atom(1));
        let atoms = vec![Atom::Progress, Atom::Stuck];
        let text = "runs that go on for ever pass progress labels again and again";
        all.push(own(
            "progress",
            "progress",
            text,
            runs(None, always_again(either), atoms),
        ));
    }
    if labelled(|location| location.accept) {
        let atoms = vec![Atom::Accept];
        let text = "no run passes an accept label again and again, or stops at one";
        all.push(own(
            "acceptance",
            "acceptance",
            text,
            runs(None, !always_again(Formula::atom(0)), atoms),
        ));
    }
    for (number, claim) in program.claims.iter().enumerate() {
        let never = Formula::unary(Unary::Globally(None), !Formula::atom(1));
        let accepts = always_again(Formula::binary(
            Binary::Or,
            Formula::atom(0),
            Formula::atom(2),
        ));
        let formula = Formula::binary(Binary::And, never, !accepts);
        let atoms = vec![Atom::ClaimAccept, Atom::ClaimEnd, Atom::Accept];
        let text = "no run does what the claim describes";
        let mut one = own(
            &claim.name,
            "never claim",
            text,
            runs(Some(number), formula, atoms),
        );
        one.at = Some(claim.at);
        all.push(one);
    }
    for (number, one) in program.traces.iter().enumerate() {
        let (asked, text) = match &one.watch {
            None => (
                Asked::Beyond("the event trace does more than send and receive"),
                "the events are as the trace says",
            ),
            Some(watch) if watch.negated => (
                Asked::Events(number),
                "the first events are not all those of the trace",
            ),
            Some(_) => (Asked::Events(number), "the events are as the trace says"),
        };
        let mut one_more = own(&one.name, "event trace", text, asked);
        one_more.at = Some(one.at);
        all.push(one_more);
    }
    // Names are unique; those that the file gives stay as they are.
    let mut taken: HashSet<String> = program.checks.iter().map(|one| one.name.clone()).collect();
    for one in &mut all {
        while !taken.insert(one.name.clone()) {
            one.name.push('\'');
        }
    }
    all.extend(program.checks.iter().map(Question::of));
    all
}

/// Asks only for runs that are fair to each of so many processes: one that can always move at
/// last does.
pub(crate) fn fair(
    formula: &Formula<u32>,
    atoms: &[Atom],
    most: usize,
) -> (Formula<u32>, Vec<Atom>) {
    let mut formula = formula.clone();
    let mut atoms = atoms.to_vec();
    for process in 0..most {
        let fair = always_again(Formula::atom(atoms.len() as u32));
        atoms.push(Atom::Fair(process));
        formula = Formula::binary(Binary::Or, !fair, formula);
    }
    (formula, atoms)
}

/// Which atoms are true in a state, as bits.
pub(crate) fn seen(space: &Space<'_>, atoms: &[Atom], state: &State) -> u64 {
    let mut bits = 0;
    for (number, atom) in atoms.iter().enumerate() {
        bits |= u64::from(holds(space, atom, state)) << number;
    }
    bits
}

fn holds(space: &Space<'_>, atom: &Atom, state: &State) -> bool {
    let machine = &space.machine;
    match atom {
        Atom::Code(code) => space.truth(code, state),
        Atom::Progress => machine.is_at(state, |location| location.progress),
        Atom::Accept => state.cells[CLAIM] >= 0 && machine.is_at(state, |location| location.accept),
        Atom::ClaimAccept => {
            let claim = space.claim.map(|claim| &space.program().claims[claim]);
            let at = usize::try_from(state.cells[CLAIM]).ok();
            let location = at
                .zip(claim)
                .and_then(|(at, claim)| claim.locations.get(at));
            location.is_some_and(|location| location.accept)
        }
        Atom::ClaimEnd => state.cells[CLAIM] == CLAIM_END as i32,
        Atom::Stuck => machine.steps(state, &mut |_, _| {}).moves == 0,
        Atom::Fair(process) => {
            let last = state.cells[LAST];
            let moved = [last & 511, last >> 9].contains(&(*process as i32 + 1));
            if moved || *process >= state.processes.len() {
                return true;
            }
            let mut found = Vec::new();
            for timeout in [false, true] {
                machine.moves(state, *process, timeout, &mut found);
                if timeout || !found.is_empty() || can_others(space, state) {
                    break;
                }
            }
            found.is_empty()
        }
    }
}

/// Whether anybody can move without a timeout.
fn can_others(space: &Space<'_>, state: &State) -> bool {
    let mut found = Vec::new();
    for process in 0..state.processes.len() {
        space.machine.moves(state, process, false, &mut found);
        if !found.is_empty() {
            return true;
        }
    }
    false
}

/// Whether every process is where it may end.
pub(crate) fn ends_well(program: &Program, state: &State) -> bool {
    (0..state.processes.len()).all(|one| {
        let (process, location) = state.process(one);
        program.proctypes[process].locations[location as usize].end
    })
}
