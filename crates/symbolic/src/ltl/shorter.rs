//! Runs without detours.
//!
//! A run is found in the product with a tableau, whose bits may differ where the model is in the
//! same state: the run then goes round in the model more often than anybody needs to see.

use std::cmp::Reverse;

use quotient_logic::{Formula, Kind as Says};
use rustc_hash::FxHashMap;

use crate::model::{Expression, Kind, Model};
use crate::trace::Trace;

/// Longer runs are left as they are.
const MOST_STATES: usize = 4_000;
/// How much may be evaluated: nodes of expressions, one for each state.
const MOST_WORK: usize = 4_000_000;
/// How many cuts are tried.
const MOST_TRIALS: usize = 400;
/// How many pairs of equal states are looked at for a cut.
const MOST_PAIRS: usize = 20_000;

/// The run cut where a state of the model comes twice, as long as what is left is fair and still
/// violates the formula; as it is where that is not known (formulas about the past, intervals).
pub(crate) fn shortened(model: &Model, formula: &Formula<Expression>, trace: Trace) -> Trace {
    let Some(back_to) = trace.back_to else {
        return trace;
    };
    let Some(known) = Known::new(model, formula, &trace, back_to) else {
        return trace;
    };
    let mut run = Lasso {
        places: (0..trace.states.len()).collect(),
        back_to,
    };
    let mut trials = MOST_TRIALS;
    while let Some(shorter) = known.shorter(&run, &mut trials) {
        run = shorter;
    }
    if run.places.len() == trace.states.len() {
        return trace;
    }
    let states = run.places.iter().map(|&at| trace.states[at].clone());
    Trace {
        states: states.collect(),
        back_to: Some(run.back_to),
        variables: trace.variables,
    }
}

/// Places of the run that was found, in the order in which they are gone through now.
struct Lasso {
    places: Vec<usize>,
    back_to: usize,
}

/// What has to be known of the places of a run.
struct Known<'a> {
    formula: &'a Formula<Expression>,
    model: &'a Model,
    /// Places where the model is in the same state have the same number.
    states: Vec<usize>,
    /// By condition, where it holds. The state after a place never changes by a cut, so this stays.
    holds: FxHashMap<Expression, Vec<bool>>,
}

impl<'a> Known<'a> {
    fn new(
        model: &'a Model,
        formula: &'a Formula<Expression>,
        trace: &Trace,
        back_to: usize,
    ) -> Option<Known<'a>> {
        let count = trace.states.len();
        let mut conditions = model.justice().to_vec();
        let pairs = model.compassion().iter();
        conditions.extend(pairs.flat_map(|pair| [pair.when, pair.then]));
        atoms(formula, &mut conditions);
        let nodes = model.nodes_below(conditions.iter().copied()).len();
        if count > MOST_STATES || count * nodes.max(1) > MOST_WORK {
            return None;
        }
        let bits: Vec<u32> = (0..model.bit_count() as u32)
            .filter(|&bit| model.variable(model.owner(bit)).kind != Kind::Input)
            .collect();
        let mut numbers: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let states = trace.states.iter().map(|state| {
            let own: Vec<bool> = bits.iter().map(|&bit| state.get(bit)).collect();
            let new = numbers.len();
            *numbers.entry(own).or_insert(new)
        });
        let states: Vec<usize> = states.collect();
        // Nothing comes twice: there is nothing to cut.
        if numbers.len() == count {
            return None;
        }
        let mut holds: FxHashMap<Expression, Vec<bool>> = FxHashMap::default();
        for condition in conditions {
            holds.entry(condition).or_insert_with(|| {
                let all = 0..count;
                all.map(|at| {
                    let next = if at + 1 < count { at + 1 } else { back_to };
                    model.evaluate(condition, &trace.states[at], Some(&trace.states[next]))
                })
                .collect()
            });
        }
        Some(Known {
            formula,
            model,
            states,
            holds,
        })
    }

    /// The shortest run that one cut makes, if some cut can be made.
    fn shorter(&self, run: &Lasso, trials: &mut usize) -> Option<Lasso> {
        let mut cuts = self.cuts(run);
        cuts.sort_by_key(|&(gain, ..)| Reverse(gain));
        for (_, first, second, closes) in cuts {
            *trials = trials.checked_sub(1)?;
            let cut = run.cut(first, second, closes);
            if self.is_good(&cut) {
                return Some(cut);
            }
        }
        None
    }

    /// Pairs of places with the same state: how many places less there are if the run goes back
    /// from the second to the first (or leaves out what is between them).
    fn cuts(&self, run: &Lasso) -> Vec<(usize, usize, usize, bool)> {
        let count = run.places.len();
        let mut before: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut cuts = Vec::new();
        for (second, &place) in run.places.iter().enumerate() {
            let same = before.entry(self.states[place]).or_default();
            for &first in same.iter() {
                cuts.push((count - second, first, second, true));
                if run.back_to <= first || run.back_to >= second {
                    cuts.push((second - first, first, second, false));
                }
            }
            same.push(second);
            if cuts.len() > MOST_PAIRS {
                break;
            }
        }
        cuts
    }

    /// Whether a run is fair and violates the formula.
    fn is_good(&self, run: &Lasso) -> bool {
        let round = &run.places[run.back_to..];
        let comes = |one: &Expression| round.iter().any(|&at| self.holds[one][at]);
        let fair = self.model.justice().iter().all(comes)
            && (self.model.compassion().iter()).all(|pair| !comes(&pair.when) || comes(&pair.then));
        let holds = |atom: &Expression, step: usize| self.holds[atom][run.places[step]];
        let truth = || {
            let count = run.places.len();
            self.formula.on_lasso(count, run.back_to, &holds)
        };
        fair && truth().is_some_and(|truth| !truth[0])
    }
}

impl Lasso {
    /// The run that goes back from one place to another with the same state, or goes on from the
    /// second where it was at the first.
    fn cut(&self, first: usize, second: usize, closes: bool) -> Lasso {
        if closes {
            return Lasso {
                places: self.places[..second].to_vec(),
                back_to: first,
            };
        }
        let mut places = self.places[..first].to_vec();
        places.extend_from_slice(&self.places[second..]);
        let back_to = match self.back_to <= first {
            true => self.back_to,
            false => self.back_to - (second - first),
        };
        Lasso { places, back_to }
    }
}

fn atoms(formula: &Formula<Expression>, found: &mut Vec<Expression>) {
    match &formula.kind {
        Says::Atom(atom) => found.push(*atom),
        Says::Constant(_) | Says::Placeholder(_) => {}
        Says::Unary(_, operand) => atoms(operand, found),
        Says::Binary(_, left, right) => {
            atoms(left, found);
            atoms(right, found);
        }
    }
}
