//! Random protocols, beside the plainest way to solve them on short words.

use quotient_automata::game::{Choosing, Game, ORDER_KIND, TRAP_KIND};
use quotient_automata::{Alphabet, Label, Letter, Nfa, Predicate, State, Transducer};
use quotient_certify::certify_game;
use quotient_core::{Budget, Conclusion, Context, Evidence};
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};
use quotient_trial::trial;

use crate::prove;

/// What a process and its right neighbour may become when the process is picked: both before,
/// both after.
type Rules = Vec<([u32; 2], [u32; 2])>;

const BITS: [u32; 2] = [0, 1];

fn rules(u: &mut Unstructured<'_>) -> Drawn<Rules> {
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(1..=5)? {
        let mut bit = || u.int_in_range(0..=1);
        rules.push(([bit()?, bit()?], [bit()?, bit()?]));
    }
    Ok(rules)
}

fn only(alphabet: &Alphabet, letter: u32) -> Predicate {
    Predicate::of(alphabet, [Letter(letter)])
}

fn pair(alphabet: &Alphabet, read: u32, written: u32) -> Label {
    Label::Pair(Some(only(alphabet, read)), Some(only(alphabet, written)))
}

/// The words with at least (or at most) so many ones, as processes of one letter, or two.
fn counted(alphabet: &Alphabet, ones: u32, exactly: bool, marks: bool) -> Nfa {
    let mut builder = Nfa::builder(alphabet).states(2 * (ones + 1));
    builder.add_initial(State(0));
    builder.add_accepting(State(ones));
    let mark = only(alphabet, 2);
    let back = |from: u32, to: u32, letter: u32, builder: &mut quotient_automata::NfaBuilder| {
        let letter = only(alphabet, letter);
        if marks {
            builder.add_edge(State(from), &letter, State(ones + 1 + to));
        } else {
            builder.add_edge(State(from), &letter, State(to));
        }
    };
    for seen in 0..=ones {
        back(seen, seen, 0, &mut builder);
        if seen < ones {
            back(seen, seen + 1, 1, &mut builder);
        } else if !exactly {
            back(seen, seen, 1, &mut builder);
        }
        builder.add_edge(State(ones + 1 + seen), &mark, State(seen));
    }
    builder.build()
}

/// One process is picked (0 becomes 2, 1 becomes 3), then a rule is used on it and its right
/// neighbour; a process may stay as it is if `lazy`.
fn protocol(rules: &Rules, lazy: bool, everywhere: bool, goal: u32) -> Game {
    let alphabet = Alphabet::new(["0", "1", "0!", "1!"]).unwrap();
    let copy = Label::Copy(Predicate::of(&alphabet, BITS.map(Letter)));
    let mut first = Transducer::builder(&alphabet)
        .initial(0)
        .edge(0, &copy, 0)
        .edge(1, &copy, 1)
        .accepting(1);
    let mut second = first.clone();
    for bit in BITS {
        first = first.edge(0, &pair(&alphabet, bit, bit + 2), 1);
        if lazy {
            second = second.edge(0, &pair(&alphabet, bit + 2, bit), 1);
        }
    }
    for &([own, next], [own_after, next_after]) in rules {
        let between = second.fresh_state();
        second = second
            .edge(0, &pair(&alphabet, own + 2, own_after), between)
            .edge(between, &pair(&alphabet, next, next_after), 1);
    }
    Game {
        initial: counted(&alphabet, 1, false, false),
        goal: counted(&alphabet, goal, true, false),
        first: first.build(),
        second: second.build(),
        everywhere,
        fairness: None,
    }
}

/// The same with marks (2, chosen 3) after each process, and a fair scheduler that may choose
/// ones, or all.
fn fair_protocol(rules: &Rules, lazy: bool, all: bool, goal: u32) -> Game {
    let alphabet = Alphabet::new(["0", "1", "delim", "chosen"]).unwrap();
    let copy = Label::Copy(Predicate::of(&alphabet, BITS.map(Letter)));
    let mark = Label::Copy(only(&alphabet, 2));
    let choose = pair(&alphabet, 2, 3);
    let copied = Transducer::builder(&alphabet)
        .initial(0)
        .edge(0, &copy, 1)
        .edge(1, &mark, 0)
        .edge(2, &copy, 3)
        .edge(3, &mark, 2)
        .accepting(2);
    let one = Label::Copy(only(&alphabet, 1));
    let mut first = copied
        .clone()
        .edge(0, if all { &copy } else { &one }, 4)
        .edge(4, &choose, 2);
    if !all {
        // Nobody can be chosen.
        let zero = Label::Copy(only(&alphabet, 0));
        first = first
            .initial(5)
            .accepting(5)
            .edge(5, &zero, 6)
            .edge(6, &mark, 5);
    }
    let mut second = copied;
    if lazy {
        second = second.edge(0, &copy, 4).edge(4, &pair(&alphabet, 3, 2), 2);
    }
    for &([own, next], [own_after, next_after]) in rules {
        let states: Vec<State> = (0..2).map(|_| second.fresh_state()).collect();
        second = second
            .edge(0, &pair(&alphabet, own, own_after), states[0])
            .edge(states[0], &pair(&alphabet, 3, 2), states[1])
            .edge(states[1], &pair(&alphabet, next, next_after), 3);
    }
    Game {
        initial: counted(&alphabet, 1, false, true),
        goal: counted(&alphabet, goal, true, true),
        first: first.build(),
        second: second.build(),
        everywhere: true,
        fairness: Some(Choosing {
            waiting: Letter(2),
            chosen: Letter(3),
        }),
    }
}

/// Whether a transducer without silent moves relates two words.
fn relates(moves: &Transducer, left: &[Letter], right: &[Letter]) -> bool {
    let mut states: Vec<State> = moves.initial().to_vec();
    for (a, b) in left.iter().zip(right) {
        let edges = states.iter().flat_map(|&state| moves.edges_from(state));
        let fits = |label: &Label| match label {
            Label::Copy(letters) => a == b && letters.contains(*a),
            Label::Pair(Some(read), Some(written)) => read.contains(*a) && written.contains(*b),
            Label::Pair(..) => panic!("there are no such labels here"),
        };
        states = edges
            .filter(|edge| fits(moves.label(edge)))
            .map(|edge| edge.target)
            .collect();
    }
    states.iter().any(|&state| moves.is_accepting(state))
}

/// All words of a length.
fn all_words(letters: u32, length: usize) -> Vec<Vec<Letter>> {
    (0..length).fold(vec![Vec::new()], |words, _| {
        let longer = |word: &Vec<Letter>| {
            let mut word = word.clone();
            word.push(Letter(0));
            word
        };
        words
            .iter()
            .flat_map(|word| {
                (0..letters).map(move |letter| {
                    let mut word = longer(word);
                    *word.last_mut().unwrap() = Letter(letter);
                    word
                })
            })
            .collect()
    })
}

/// For each word of the first player, what it can make of it with all answers: by trying all
/// words.
struct Plain {
    words: Vec<Vec<Letter>>,
    goal: Vec<bool>,
    moves: Vec<Vec<(usize, Vec<usize>)>>,
}

fn plainly(game: &Game, words: Vec<Vec<Letter>>) -> Plain {
    let moves = words.iter().map(|word| {
        let made = words.iter().enumerate();
        let made = made.filter(|(_, made)| relates(&game.first, word, made));
        made.map(|(number, made)| {
            let answers = words.iter().enumerate();
            let answers = answers.filter(|(_, answer)| relates(&game.second, made, answer));
            (number, answers.map(|(answer, _)| answer).collect())
        })
        .collect()
    });
    Plain {
        goal: words.iter().map(|word| game.goal.accepts(word)).collect(),
        moves: moves.collect(),
        words,
    }
}

/// The words from which the second player must win.
fn asked(game: &Game, plain: &Plain) -> Vec<bool> {
    let mut asked: Vec<bool> = (plain.words.iter())
        .map(|word| game.initial.accepts(word))
        .collect();
    if !game.everywhere {
        return asked;
    }
    loop {
        let before = asked.clone();
        for word in (0..asked.len()).filter(|&word| before[word] && !plain.goal[word]) {
            for (made, answers) in &plain.moves[word] {
                if !plain.goal[*made] {
                    answers.iter().for_each(|&answer| asked[answer] = true);
                }
            }
        }
        if asked == before {
            return asked;
        }
    }
}

/// Whether the second player wins wherever it must: round by round.
fn wins_plainly(game: &Game, length: usize) -> bool {
    let plain = plainly(game, all_words(4, length));
    let mut won = plain.goal.clone();
    loop {
        let before = won.clone();
        for (word, won) in won.iter_mut().enumerate() {
            let fine = |(made, answers): &(usize, Vec<usize>)| {
                plain.goal[*made] || answers.iter().any(|&answer| before[answer])
            };
            *won |= plain.moves[word].iter().all(fine);
        }
        if won == before {
            break;
        }
    }
    let asked = asked(game, &plain);
    (0..won.len()).all(|word| won[word] || !asked[word])
}

/// Whether the second player wins wherever it must if it also wins when a process could be chosen
/// for so many rounds and was not: a game with counters.
fn wins_with_patience(game: &Game, processes: usize, patience: usize) -> bool {
    let words = all_words(2, processes).into_iter().map(|bits| {
        let marked = bits.into_iter().flat_map(|bit| [bit, Letter(2)]);
        marked.collect::<Vec<Letter>>()
    });
    let mut words: Vec<Vec<Letter>> = words.collect();
    let plain_words = words.len();
    for word in 0..plain_words {
        for process in 0..processes {
            let mut chosen = words[word].clone();
            chosen[2 * process + 1] = Letter(3);
            words.push(chosen);
        }
    }
    let plain = plainly(game, words);
    let chosen = |made: usize| {
        let place = plain.words[made].iter().position(|&l| l == Letter(3));
        place.map(|place| place / 2)
    };
    let counters = patience.pow(processes as u32);
    // `won[word * counters + patience of each process]`
    let mut won = vec![false; plain_words * counters];
    loop {
        let mut changed = false;
        for word in 0..plain_words {
            let can: Vec<bool> = (0..processes)
                .map(|process| {
                    let mut moves = plain.moves[word].iter();
                    moves.any(|(made, _)| chosen(*made) == Some(process))
                })
                .collect();
            for left in 0..counters {
                if won[word * counters + left] {
                    continue;
                }
                let fine = |(made, answers): &(usize, Vec<usize>)| {
                    let mut after = 0;
                    let mut scale = 1;
                    for (process, can) in can.iter().enumerate() {
                        let own = left / scale % patience;
                        let kept = match !can || chosen(*made) == Some(process) {
                            true => patience - 1,
                            false if own == 0 => return true,
                            false => own - 1,
                        };
                        after += kept * scale;
                        scale *= patience;
                    }
                    plain.goal[*made]
                        || answers.iter().any(|&answer| won[answer * counters + after])
                };
                if plain.goal[word] || plain.moves[word].iter().all(fine) {
                    won[word * counters + left] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let asked = asked(game, &plain);
    (0..plain_words).all(|word| !asked[word] || won[word * counters + counters - 1])
}

/// What the engine says, with evidence that the checker accepts: the length of a trap, or
/// nothing if the second player wins; none if it does not know.
fn answer(game: &Game) -> Option<Option<usize>> {
    let budget = Budget::unlimited().child_with_work(5_000_000);
    let mut cx = Context {
        budget,
        ..Context::default()
    };
    let outcome = prove(game, &mut cx);
    let (said, evidence) = match outcome.conclusion {
        Conclusion::Holds(proof) => (None, Evidence::of_holds(ORDER_KIND, &proof.evidence)),
        Conclusion::Violated(trap) => {
            let body = trap.evidence(game.initial.alphabet());
            (Some(trap.length()), Evidence::of_violated(TRAP_KIND, &body))
        }
        Conclusion::Unknown(_) => return None,
    };
    certify_game(&evidence, game, "goal", &Budget::unlimited()).unwrap();
    Some(said)
}

#[test]
fn random_protocols_are_as_the_plain_way_says() {
    trial(|u| {
        let (lazy, everywhere, goal) = (u.arbitrary()?, u.arbitrary()?, u.int_in_range(0..=2)?);
        let game = protocol(&rules(u)?, lazy, everywhere, goal);
        match answer(&game) {
            None => {}
            Some(None) => (0..=3).for_each(|length| assert!(wins_plainly(&game, length))),
            Some(Some(length)) if length <= 3 => assert!(!wins_plainly(&game, length)),
            Some(Some(_)) => {}
        }
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn random_fair_protocols_are_as_counters_say() {
    trial(|u| {
        let (lazy, all, goal) = (u.arbitrary()?, u.arbitrary()?, u.int_in_range(0..=2)?);
        let game = fair_protocol(&rules(u)?, lazy, all, goal);
        match answer(&game) {
            None => {}
            Some(None) => {
                assert!(wins_with_patience(&game, 2, 4));
                assert!(wins_with_patience(&game, 3, 2));
            }
            Some(Some(length)) if length <= 4 => {
                assert!(!wins_with_patience(&game, length / 2, 12));
            }
            Some(Some(_)) => {}
        }
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn tokens_that_go_right_and_merge_become_one() {
    let rules = vec![([1, 0], [0, 1]), ([1, 1], [0, 1])];
    let game = protocol(&rules, true, true, 1);
    // The last process can be picked for ever.
    assert_eq!(answer(&game), Some(Some(2)));
    // But not by a fair scheduler.
    let game = fair_protocol(&rules, true, true, 1);
    assert_eq!(answer(&game), Some(None));
}

#[test]
fn a_scheduler_that_must_choose_a_process_without_a_move_wins() {
    let game = fair_protocol(&vec![([1, 0], [0, 1])], false, true, 1);
    assert!(matches!(answer(&game), Some(Some(_))));
}
