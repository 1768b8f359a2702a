//! Does the first player keep the play in a set of words?

use std::collections::HashMap;

use quotient_automata::game::{Game, TrapEvidence};
use quotient_automata::{Alphabet, Letter};
use quotient_core::{Budget, Stop};

use super::steps::Steps;
use crate::Rejection;
use crate::sets::accepts;

/// Replays the play into the trap, then looks at every word of the trap.
pub(super) fn check(
    body: &TrapEvidence,
    game: &Game,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let alphabet = game.initial.alphabet();
    let play = words(&body.play, alphabet)?;
    let trap = words(&body.trap, alphabet)?;
    let first = Steps::of(&game.first, budget)?;
    let second = Steps::of(&game.second, budget)?;
    if let Some(choosing) = game.fairness {
        first.only_choose(choosing)?;
    }
    let length = trap.first().map_or(0, Vec::len);
    if trap.iter().any(|word| word.len() != length) {
        return Err(Rejection::wrong("the words of the trap differ in length"));
    }
    let mut numbers = HashMap::new();
    for (number, word) in trap.iter().enumerate() {
        numbers.insert(word.clone(), number);
    }
    let wrong = |text: &str| Err(Rejection::wrong(text));
    let (Some(begin), Some(end)) = (play.first(), play.last()) else {
        return wrong("there is no play into the trap");
    };
    if play.len() % 2 == 0 || !numbers.contains_key(end) {
        return wrong("the play does not end in the trap, where the first player moves");
    }
    if !accepts(&game.initial, begin, budget)? {
        return wrong("the play does not begin with an initial word");
    }
    if play.len() > 1 && !game.everywhere {
        return wrong("only plays from the beginning count, and the trap is reached later");
    }
    for (at, pair) in play.windows(2).enumerate() {
        let player = if at % 2 == 0 { &first } else { &second };
        if accepts(&game.goal, &pair[0], budget)? {
            return wrong("the play goes on after the goal");
        }
        if !player.images(&pair[0], budget)?.contains(&pair[1]) {
            return wrong("a move of the play is not one of the player");
        }
    }
    let choices = choices(&trap, &numbers, game, &first, &second, budget)?;
    if game.fairness.is_none() {
        if choices.iter().any(|choices| choices.holding.is_empty()) {
            return wrong("the play can leave the trap");
        }
    } else {
        for process in 0..length {
            if !serves(process, &choices, budget)? {
                return wrong("the first player is not fair to some process");
            }
        }
        // Words without places have no processes, but the play must stay.
        if choices.iter().any(|choices| choices.holding.is_empty()) {
            return wrong("the play can leave the trap");
        }
    }
    Ok(vec![
        format!("the play begins with an initial word of length {length}"),
        format!("the first player keeps it among {} words", trap.len()),
        "none of them is in the goal".to_owned(),
    ])
}

/// What the first player can do in a word of the trap.
struct Choices {
    /// The processes that can be chosen, by place.
    can: Vec<usize>,
    /// Moves after which all answers are in the trap: who was chosen, and the answers.
    holding: Vec<(Option<usize>, Vec<usize>)>,
}

fn choices(
    trap: &[Vec<Letter>],
    numbers: &HashMap<Vec<Letter>, usize>,
    game: &Game,
    first: &Steps,
    second: &Steps,
    budget: &Budget,
) -> Result<Vec<Choices>, Rejection> {
    let chosen = game.fairness.map(|choosing| choosing.chosen);
    let mut all = Vec::new();
    for word in trap {
        if accepts(&game.goal, word, budget)? {
            return Err(Rejection::wrong("a word of the trap is in the goal"));
        }
        let mut own = Choices {
            can: Vec::new(),
            holding: Vec::new(),
        };
        for made in first.images(word, budget)? {
            let process = chosen.and_then(|chosen| made.iter().position(|&a| a == chosen));
            own.can.extend(process);
            if accepts(&game.goal, &made, budget)? {
                continue;
            }
            let answers = second.images(&made, budget)?;
            let inside: Option<Vec<usize>> = answers
                .iter()
                .map(|answer| numbers.get(answer).copied())
                .collect();
            own.holding.extend(inside.map(|answers| (process, answers)));
        }
        all.push(own);
    }
    Ok(all)
}

/// Whether from every word the first player can get to where a process is chosen or cannot be,
/// whatever the answers, and without leaving the trap.
fn serves(process: usize, choices: &[Choices], budget: &Budget) -> Result<bool, Stop> {
    let mut served = vec![false; choices.len()];
    loop {
        let mut changed = false;
        for word in 0..choices.len() {
            budget.charge(1 + choices[word].holding.len() as u64)?;
            let cannot = !choices[word].can.contains(&process);
            let leads = |(who, answers): &(Option<usize>, Vec<usize>)| {
                cannot || *who == Some(process) || answers.iter().all(|&answer| served[answer])
            };
            if !served[word] && choices[word].holding.iter().any(leads) {
                served[word] = true;
                changed = true;
            }
        }
        if !changed {
            return Ok(served.iter().all(|&served| served));
        }
    }
}

/// Words by the names of their letters, in order.
fn words(names: &[Vec<String>], alphabet: &Alphabet) -> Result<Vec<Vec<Letter>>, Rejection> {
    let letter = |name: &String| {
        let unknown = || Rejection::unreadable(format!("the game has no letter `{name}`"));
        alphabet.letter(name).ok_or_else(unknown)
    };
    names
        .iter()
        .map(|word| word.iter().map(letter).collect())
        .collect()
}
