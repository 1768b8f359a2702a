//! Is this a run from an initial to a bad configuration?

use std::collections::HashSet;

use quotient_automata::evidence::RunEvidence;
use quotient_automata::{Alphabet, Label, Letter, Nfa, State, Transducer};
use quotient_core::{Budget, Stop};

use super::WordProblem;
use crate::Rejection;
use crate::sets::accepts;

/// Replays a run step by step.
pub(super) fn check(
    run: &RunEvidence,
    problem: &WordProblem<'_>,
    bad: &Nfa,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let alphabet = problem.relation.alphabet();
    let words: Vec<Vec<Letter>> = run
        .words
        .iter()
        .map(|names| letters(alphabet, names))
        .collect::<Result<_, _>>()?;
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Err(Rejection::wrong("the run has no configurations"));
    };
    if run.steps.len() != words.len() - 1 {
        return Err(Rejection::wrong(
            "a run has one step fewer than configurations",
        ));
    }
    if !accepts(problem.initial, first, budget)? {
        return Err(Rejection::wrong(
            "the run does not begin in an initial configuration",
        ));
    }
    for (number, (name, pair)) in run.steps.iter().zip(words.windows(2)).enumerate() {
        let parts = problem.relation.parts().iter();
        let mut named = parts.filter(|(known, _)| known == name).peekable();
        if named.peek().is_none() {
            return Err(Rejection::wrong(format!(
                "step {}: there is no transducer `{name}`",
                number + 1
            )));
        }
        let mut is_step = false;
        for (_, step) in named {
            is_step = is_step || relates(step, &pair[0], &pair[1], budget)?;
        }
        if !is_step {
            let (before, after) = (alphabet.show(&pair[0]), alphabet.show(&pair[1]));
            let message = format!(
                "step {}: `{name}` does not lead from `{before}` to `{after}`",
                number + 1
            );
            return Err(Rejection::wrong(message));
        }
    }
    if !accepts(bad, last, budget)? {
        return Err(Rejection::wrong(
            "the run does not end in a bad configuration",
        ));
    }
    Ok(vec![
        "the run begins in an initial configuration".to_owned(),
        format!(
            "each of its {} steps is a step of the system",
            run.steps.len()
        ),
        "it ends in a bad configuration".to_owned(),
    ])
}

fn letters(alphabet: &Alphabet, names: &[String]) -> Result<Vec<Letter>, Rejection> {
    let letter = |name: &String| {
        alphabet
            .letter(name)
            .ok_or_else(|| Rejection::wrong(format!("`{name}` is not a letter of the problem")))
    };
    names.iter().map(letter).collect()
}

/// Whether a transducer writes the second word when it reads the first: tries all ways, each
/// place of both words with each state once.
fn relates(
    step: &Transducer,
    first: &[Letter],
    second: &[Letter],
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut seen: HashSet<(State, usize, usize)> = HashSet::new();
    let mut waiting: Vec<(State, usize, usize)> =
        step.initial().iter().map(|&state| (state, 0, 0)).collect();
    while let Some((state, read, written)) = waiting.pop() {
        budget.poll()?;
        if !seen.insert((state, read, written)) {
            continue;
        }
        if step.is_accepting(state) && read == first.len() && written == second.len() {
            return Ok(true);
        }
        let (input, output) = (first.get(read), second.get(written));
        for edge in step.edges_from(state) {
            let advance = match step.label(edge) {
                Label::Copy(letters) => {
                    let same = input.is_some() && input == output;
                    same.then_some((1, 1))
                        .filter(|_| input.is_some_and(|&letter| letters.contains(letter)))
                }
                Label::Pair(reads, writes) => {
                    let fits = |wanted: &Option<quotient_automata::Predicate>,
                                letter: Option<&Letter>| match wanted
                    {
                        None => Some(0),
                        Some(letters) => letter
                            .filter(|letter| letters.contains(**letter))
                            .map(|_| 1),
                    };
                    fits(reads, input).zip(fits(writes, output))
                }
            };
            if let Some((more_read, more_written)) = advance {
                waiting.push((edge.target, read + more_read, written + more_written));
            }
        }
    }
    Ok(false)
}
