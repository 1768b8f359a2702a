//! Whether a marking can be reached, where markings that differ only by an exchange of parts of
//! the net count as one.

use std::ops::ControlFlow;

use quotient_core::Stop;
use quotient_explicit::{Ending, Graph, Limits, StateId, System, real_run, search_together};
use quotient_language::Answer;
use serde_json::json;

use crate::alike;
use crate::check::{Checker, MOST_MARKINGS, MOST_NUMBERS, TOO_MANY, Task};
use crate::evidence::{ORBITS, Orbits};
use crate::exchange::Family;
use crate::formula::Formula;
use crate::found::Found;
use crate::space::Space;

/// The most questions that are searched for one by one.
const MOST_TASKS: usize = 16;

/// Markings whose blocks are in order stand for all.
struct Ordered<'a> {
    space: &'a Space<'a>,
    families: &'a [Family],
}

impl System for Ordered<'_> {
    fn width(&self) -> usize {
        self.space.width()
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        self.space.initial(emit);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        self.space.successors(state, emit)
    }

    fn canonical(&self, state: &mut [u64]) -> bool {
        for family in self.families {
            self.sort(family, state);
        }
        true
    }
}

impl Ordered<'_> {
    fn sort(&self, family: &Family, state: &mut [u64]) {
        let tokens = |block: &[usize], at: usize| self.space.tokens(state, block[at]);
        let is_sorted = family.windows(2).all(|two| {
            let differs = (0..two[0].len()).map(|at| tokens(&two[0], at).cmp(&tokens(&two[1], at)));
            differs.reduce(std::cmp::Ordering::then) != Some(std::cmp::Ordering::Greater)
        });
        if is_sorted {
            return;
        }
        let each = |block: &Vec<usize>| (0..block.len()).map(|at| tokens(block, at)).collect();
        let mut blocks: Vec<Vec<u64>> = family.iter().map(each).collect();
        blocks.sort_unstable();
        for (block, tokens) in family.iter().zip(blocks) {
            for (&place, tokens) in block.iter().zip(tokens) {
                self.space.put(state, place, tokens);
            }
        }
    }
}

/// Answers open questions about markings, each by a search of its own, if parts of the net can be
/// exchanged that the question does not tell apart.
pub(crate) fn solve(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    tasks: &mut [Task],
) -> Result<(), Stop> {
    let open = |task: &Task| task.is_open() && task.goal().is_some();
    if !checker.symmetry || !tasks.iter().any(open) {
        return Ok(());
    }
    let families = alike::families(checker.net, &checker.cx.budget)?;
    if families.is_empty() {
        return Ok(());
    }
    for task in tasks.iter_mut().filter(|task| open(task)).take(MOST_TASKS) {
        let Some((formula, value)) = task.goal() else {
            continue;
        };
        let families = alike::unseen(checker.net, &families, formula);
        if families.is_empty() {
            continue;
        }
        let wanted = (formula, value);
        task.answer = answered(checker, start, most, bits, &families, wanted, task)?;
    }
    Ok(())
}

fn answered(
    checker: &Checker<'_>,
    start: &[u64],
    most: usize,
    bits: &mut [u32],
    families: &[Family],
    (formula, value): (&Formula, bool),
    task: &Task,
) -> Result<Option<Answer>, Stop> {
    loop {
        same_room(families, start, bits);
        let space = Space::new(checker.net, start, bits);
        let system = Ordered {
            space: &space,
            families,
        };
        let mut found = None;
        let worth = |state: &[u64], _: usize| {
            let tokens = |place: usize| space.tokens(state, place);
            formula.holds_with(checker.net, &tokens) == value
        };
        let visit = &mut |_: &Graph, id: StateId, _: &[u64], _: usize| {
            found = Some(id);
            ControlFlow::Break(())
        };
        let limits = Limits { states: most };
        let budget = &checker.cx.budget;
        let threads = checker.threads;
        let (graph, ending) =
            search_together(&system, &limits, budget, threads, Some(&worth), visit);
        match ending {
            Ending::Complete | Ending::Enough => {
                let Some(id) = found else {
                    return Ok(Some(never(checker, task, &system, &graph)));
                };
                let run = real_run(&system, &graph, id);
                return Ok(run.map(|(_, labels)| {
                    let fired: Vec<usize> = labels.iter().map(|&label| label as usize).collect();
                    checker.reached(task, start, Found::Fewest(fired))
                }));
            }
            Ending::Unfit(place) => {
                let Some(bits) = bits.get_mut(place as usize).filter(|bits| **bits < 64) else {
                    return Err(Stop::bound("the number of tokens", u64::MAX));
                };
                *bits = (*bits * 2).min(64);
            }
            Ending::Stopped(Stop::Bound { .. }) => return Ok(None),
            Ending::Stopped(stop) => return Err(stop),
        }
    }
}

/// Places that are exchanged have room for the same numbers of tokens.
fn same_room(families: &[Family], start: &[u64], bits: &mut [u32]) {
    for family in families {
        for at in 0..family.first().map_or(0, Vec::len) {
            let needed = |block: &Vec<usize>| {
                let place = block[at];
                bits[place].max(64 - start[place].leading_zeros())
            };
            let most = family.iter().map(needed).max().unwrap_or(1);
            for block in family {
                bits[block[at]] = most;
            }
        }
    }
}

/// No marking is as asked.
fn never(checker: &Checker<'_>, task: &Task, system: &Ordered<'_>, graph: &Graph) -> Answer {
    let number = graph.len();
    let parts: usize = system.families.iter().map(Vec::len).sum();
    let mut answer = Answer::new(&task.asked.name, task.verdict(false))
        .because(format!(
            "{number} markings stand for all, since {parts} parts of the net can be exchanged, and none is such"
        ))
        .by("symmetry");
    answer.details.push(("markings".to_owned(), json!(number)));
    let numbers = number.saturating_mul(system.space.places());
    if number > MOST_MARKINGS || numbers > MOST_NUMBERS {
        answer.notes.push(TOO_MANY.to_owned());
        return answer;
    }
    let mut markings = Vec::new();
    for id in StateId::all(number) {
        let mut marking = Vec::new();
        system.space.unpack(&graph.state(id), &mut marking);
        markings.push(marking);
    }
    let name = |&place: &usize| checker.net.places[place].id.clone();
    let block = |block: &Vec<usize>| block.iter().map(name).collect();
    let family = |family: &Family| family.iter().map(block).collect();
    let body = Orbits {
        families: system.families.iter().map(family).collect(),
        markings,
    };
    answer.with_evidence(task.evidence(false, ORBITS, &body))
}
