//! Formulas about runs, where memory is too short for all states: they are remembered by their hashes.

use quotient_core::{Budget, Stop};
use quotient_explicit::{Halt, Unsure, Ways, linear_unsure};

use crate::hashed::Waiting;
use crate::packed::{Fewer, Packed};
use crate::question::{Atom, seen};
use crate::search::{Asked, Verdict, broken, with_fairness};
use crate::space::{Mode, Space};

/// The states of a program with what a formula asks of them.
struct Written<'a> {
    space: &'a Space<'a>,
    atoms: &'a [Atom],
}

impl Ways for Written<'_> {
    type State = Box<[u8]>;

    fn initial(&self) -> Vec<Box<[u8]>> {
        vec![Waiting::one(&self.space.start())]
    }

    fn steps(&self, state: &Box<[u8]>, emit: &mut dyn FnMut(u32, Box<[u8]>)) -> Result<(), u64> {
        let state = Waiting::state(self.space.program(), state);
        let mut label = 0;
        self.space.steps(&state, &mut |_, after| {
            emit(label, Waiting::one(after));
            label += 1;
        });
        Ok(())
    }

    fn values(&self, state: &Box<[u8]>) -> u64 {
        let state = Waiting::state(self.space.program(), state);
        seen(self.space, self.atoms, &state)
    }
}

/// Looks for a run that breaks a formula: without one, it stays open.
pub(crate) fn runs(
    program: &crate::program::Program,
    mode: Mode,
    (claim, formula, atoms): Asked<'_>,
    most: usize,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let (formula, atoms) = with_fairness(mode, formula, atoms, most)?;
    let packed = Packed::new(mode.machine(program, false), claim, Fewer::No);
    packed.space.begins()?;
    let written = Written {
        space: &packed.space,
        atoms: &atoms,
    };
    match linear_unsure(&written, &formula, None, budget) {
        Ok(Unsure::Violated(lasso)) => broken(&packed, &atoms, &lasso),
        Ok(Unsure::Nothing { pairs, chance }) => Err(Unsure::open(pairs, chance)),
        Err(Halt::Stopped(stop)) => Err(stop),
        Err(Halt::Unfit(_)) => Err(Stop::inconclusive("a state does not fit")),
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;
    use quotient_language::NoFiles;

    use super::*;
    use crate::question::{self, questions};

    #[test]
    fn what_is_found_by_hashes_is_what_a_search_finds_and_nothing_holds_by_it() {
        let texts = [
            "byte x; active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x = 0 od } ltl a { []<> (x == 3) } ltl b { <> (x == 1) } ltl c { [] (x < 4) }",
            "byte x; active proctype P() { do :: x = 1 - x :: true -> progress: skip od }",
            "byte x; active [2] proctype P() { do :: x < 9 -> x++; accept: skip :: else -> break od } ltl d { <>[] (x == 9) }",
            "byte x; active proctype P() { do :: x < 5 -> x++ :: else -> x = 0 od } never { do :: x < 3 :: x == 3 -> break od }",
        ];
        let (mut broken, mut open) = (0, 0);
        for text in texts {
            let compiled = crate::compile::read(&Source::new("t.pml", text), &mut NoFiles, &[]);
            let program = compiled.ok().unwrap().program;
            let budget = Budget::unlimited();
            for one in questions(&program) {
                let question::Asked::Runs {
                    claim,
                    formula,
                    atoms,
                } = &one.asked
                else {
                    continue;
                };
                let asked = (*claim, formula, &atoms[..]);
                for fair in [false, true] {
                    let mode = Mode {
                        fair,
                        ..Mode::default()
                    };
                    let exact = crate::search::runs(&program, mode, asked, 2, usize::MAX, &budget);
                    match (exact, runs(&program, mode, asked, 2, &budget)) {
                        (Ok(Verdict::Violated(_)), Ok(Verdict::Violated(_))) => broken += 1,
                        (Ok(Verdict::Holds { .. }), Err(stop)) => {
                            open += 1;
                            assert!(stop.to_string().contains("with a chance of"), "{stop}");
                        }
                        _ => panic!("{} of {text}", one.name),
                    }
                }
            }
        }
        assert!(broken > 4 && open > 4, "{broken} broken, {open} open");
    }
}
