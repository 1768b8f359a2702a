//! Traps on short words, then orders of more and more shapes: the method on the loop of `core`.

use std::collections::VecDeque;

use quotient_automata::game::Game;
use quotient_automata::{Canonical, Dfa};
use quotient_core::{Attempt, Budget, Context, Method, Stop, What};

use crate::arena::{Arena, Most, Move, Tables};
use crate::encode::{Encoder, Found};
use crate::invariant::Rounds;
use crate::machine::{Set, Symbol, Word};
use crate::proof::{Proof, Trap};
use crate::rank::{Part, Relation};
use crate::shapes::levels;
use crate::verify::{Claim, FOREIGN};

/// How large the games are that are written out to look for traps.
const SMALL: Most = Most {
    words: 1_500,
    answers: 40_000,
};

/// The same when no simple order was found.
const LARGE: Most = Most {
    words: 30_000,
    answers: 600_000,
};

/// How much of all of them is looked at before the search for an order, and later.
const FIRST_ANSWERS: usize = 60_000;
const MORE_ANSWERS: usize = 2_000_000;

/// The longest words that are looked at one by one.
const LONGEST: usize = 40;

/// How much work one guess of a set may take.
const GUESSING: u64 = 5_000_000;

/// How many words a search for an order begins with.
const FIRST_EXAMPLES: usize = 250;

/// How many counterexamples one shape may take, and how long.
const MOST_EXAMPLES: usize = 120;

/// How long the solver may take for one shape, in decisions; twice as long with each level.
const PATIENCE: u64 = 60_000;

/// The level of shapes before which longer words are looked at once more.
const LOOK_AGAIN: usize = 3;

/// The method: [`crate::prove`] runs it.
pub struct Search<'a> {
    game: &'a Game,
    tables: Tables,
    rounds: Rounds,
    /// The next length of words to write the game out for.
    length: usize,
    /// How much was written out so far.
    answers: usize,
    candidates: Vec<Candidate>,
    /// How the next candidates are to be found: by what length of continuations.
    guesses: VecDeque<Option<usize>>,
    work: VecDeque<Work>,
    level: usize,
    trial: Option<Trial>,
}

/// A set that the play may stay in.
struct Candidate {
    automaton: Dfa,
    set: Set,
    /// The letters of its words, and the number of each among them.
    letters: Vec<Symbol>,
    numbers: Vec<Symbol>,
    examples: Vec<Word>,
}

/// A shape to try for a candidate.
struct Work {
    candidate: usize,
    shape: Vec<Part>,
    patience: u64,
}

/// A shape being tried.
struct Trial {
    work: Work,
    encoder: Encoder,
    refinements: usize,
}

impl<'a> Search<'a> {
    /// Prepares the search.
    pub fn new(game: &'a Game, budget: &Budget) -> Result<Search<'a>, Stop> {
        Ok(Search {
            tables: Tables::of(game, budget)?,
            rounds: Rounds::new(game, budget)?,
            game,
            length: 0,
            answers: 0,
            candidates: Vec::new(),
            guesses: [
                None,
                Some(1),
                Some(2),
                Some(3),
                Some(4),
                Some(5),
                Some(6),
                Some(8),
            ]
            .into(),
            work: VecDeque::new(),
            level: 0,
            trial: None,
        })
    }

    /// The longest words that were looked at one by one, all with no trap.
    pub fn looked_at(&self) -> Option<usize> {
        self.length.checked_sub(1)
    }

    /// Looks for a trap on longer and longer words, until so much was looked at.
    fn look_for_trap(
        &mut self,
        answers: usize,
        most: Most,
        cx: &Context,
    ) -> Result<Option<Trap>, Stop> {
        while self.answers < answers && self.length <= LONGEST {
            let length = self.length;
            let words = self.tables.initial.words(length, most.words, &cx.budget)?;
            let Some(words) = words else { break };
            let Some(arena) = Arena::build(&self.tables, words, most, &cx.budget)? else {
                break;
            };
            self.length += 1;
            self.answers += arena.size + arena.words.len();
            cx.story.tell(|| What::Step {
                attempt: cx.attempt,
                step: length as u64,
                sizes: [
                    ("words", arena.words.len() as u64),
                    ("answers", arena.size as u64),
                ]
                .into(),
            });
            let fair = self.tables.chosen.is_some();
            let won = arena.won(fair, &cx.budget)?;
            let asked = match self.tables.everywhere {
                true => arena.words.len(),
                false => arena.starts,
            };
            if let Some(lost) = (0..asked as u32).find(|&word| !won[word as usize]) {
                return Ok(Some(Trap {
                    play: arena.play_to(lost),
                    trap: arena.trap_from(lost, &won, fair),
                }));
            }
        }
        Ok(None)
    }

    /// Another set to try, if there is one.
    fn next_candidate(&mut self, cx: &Context) -> Result<bool, Stop> {
        while let Some(guess) = self.guesses.pop_front() {
            let mut found = Vec::new();
            if guess.is_none() && !self.tables.everywhere {
                found.push(self.rounds.initial().minimize(&cx.budget)?);
            }
            let own = cx.budget.child_with_work(GUESSING);
            match self.rounds.closed(guess, &own) {
                Ok(set) => found.extend(set),
                // Only this guess takes too long.
                Err(Stop::Work) => cx.budget.poll()?,
                Err(stop) => return Err(stop),
            }
            let mut fresh = false;
            for set in found {
                fresh |= self.add_candidate(set, cx)?;
            }
            if fresh {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Keeps a set if it is new, and no short word speaks against it.
    fn add_candidate(&mut self, canonical: Canonical, cx: &Context) -> Result<bool, Stop> {
        let automaton = canonical.into_dfa();
        if self
            .candidates
            .iter()
            .any(|known| known.automaton == automaton)
        {
            return Ok(false);
        }
        let set = Set::of_dfa(&automaton);
        let letters = set.used();
        let mut numbers = vec![FOREIGN; set.letters];
        for (number, &letter) in (0..).zip(&letters) {
            numbers[letter as usize] = number;
        }
        let Some(examples) = self.examples(&set, &cx.budget)? else {
            return Ok(false);
        };
        cx.story.note(format!(
            "an invariant with {} states over {} letters",
            automaton.len(),
            letters.len()
        ));
        self.candidates.push(Candidate {
            automaton,
            set,
            letters,
            numbers,
            examples,
        });
        Ok(true)
    }

    /// The shortest words of a set; nothing if one of them is lost when the play stays in it.
    fn examples(&self, set: &Set, budget: &Budget) -> Result<Option<Vec<Word>>, Stop> {
        let mut examples = Vec::new();
        let mut answers = 0;
        for length in 0..=LONGEST {
            if answers > FIRST_ANSWERS {
                break;
            }
            let Some(words) = set.words(length, SMALL.words, budget)? else {
                break;
            };
            let Some(arena) = Arena::build(&self.tables, words, SMALL, budget)? else {
                break;
            };
            answers += arena.size + arena.words.len();
            let won = arena.won(self.tables.chosen.is_some(), budget)?;
            if won[..arena.starts].iter().any(|&won| !won) {
                return Ok(None);
            }
            if examples.is_empty() || examples.len() + arena.starts <= FIRST_EXAMPLES {
                let open = (0..arena.starts).filter(|&word| !arena.goal[word]);
                examples.extend(open.map(|word| arena.words[word].clone()));
            }
        }
        Ok(Some(examples))
    }

    /// What is to be tried next.
    fn next_work(&mut self, cx: &Context) -> Result<Work, Stop> {
        loop {
            if let Some(work) = self.work.pop_front() {
                return Ok(work);
            }
            // Most sets that are guessed first are the right ones: simple orders are tried with
            // them before others are guessed.
            let known = self.candidates.len();
            if self.level == 0 || self.level % 2 == 1 {
                self.next_candidate(cx)?;
            }
            let shapes = |level: usize, candidate: usize, letters: usize| {
                levels(level, letters).into_iter().map(move |shape| Work {
                    candidate,
                    shape,
                    patience: PATIENCE << level.min(8),
                })
            };
            let mut work = VecDeque::new();
            let mut any = false;
            for (number, candidate) in self.candidates.iter().enumerate() {
                let letters = candidate.letters.len();
                let from = if number < known { self.level } else { 0 };
                for level in from..=self.level {
                    let more = shapes(level, number, letters);
                    work.extend(more);
                }
                any |= !levels(self.level, letters).is_empty();
            }
            if !any && work.is_empty() && self.guesses.is_empty() {
                return Err(Stop::exhausted("no order of the shapes known fits"));
            }
            self.level += 1;
            self.work = work;
        }
    }

    /// Begins with a shape: all examples of its candidate are told to the solver.
    fn begin(&mut self, work: Work, cx: &Context) -> Result<(), Stop> {
        let candidate = &self.candidates[work.candidate];
        let mut encoder = Encoder::new(&work.shape, candidate.letters.len(), &cx.budget)?;
        for word in &candidate.examples {
            constrain(&mut encoder, &self.tables, candidate, word, &cx.budget)?;
        }
        self.trial = Some(Trial {
            work,
            encoder,
            refinements: 0,
        });
        Ok(())
    }
}

impl Method for Search<'_> {
    type Proof = Proof;
    type Trace = Trap;
    type Spurious = Word;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Trap, Word>, Stop> {
        if cx.attempt == 0
            && let Some(trap) = self.look_for_trap(FIRST_ANSWERS, SMALL, cx)?
        {
            return Ok(Attempt::Refuted(trap));
        }
        loop {
            if self.trial.is_none() {
                if self.work.is_empty() && self.level == LOOK_AGAIN {
                    let trap = self.look_for_trap(MORE_ANSWERS, LARGE, cx)?;
                    if let Some(trap) = trap {
                        return Ok(Attempt::Refuted(trap));
                    }
                }
                let work = self.next_work(cx)?;
                self.begin(work, cx)?;
            }
            let Some(trial) = &mut self.trial else {
                continue;
            };
            let candidate = &self.candidates[trial.work.candidate];
            let found = trial.encoder.solve(trial.work.patience, &cx.budget)?;
            let Found::Components(components) = found else {
                self.trial = None;
                continue;
            };
            let Some(order) = Relation::of(&components, candidate.letters.len()) else {
                self.trial = None;
                continue;
            };
            let claim = Claim {
                tables: &self.tables,
                invariant: &candidate.set,
                order: &order,
                numbers: &candidate.numbers,
            };
            match claim.counterexample(&cx.budget)? {
                None => {
                    let alphabet = self.game.initial.alphabet();
                    return Ok(Attempt::Proved(Proof::new(
                        &candidate.automaton,
                        &order,
                        &candidate.letters,
                        alphabet,
                    )));
                }
                Some(_) if trial.refinements >= MOST_EXAMPLES => self.trial = None,
                Some(word) => return Ok(Attempt::FalseAlarm(word)),
            }
        }
    }

    fn refine(&mut self, word: Word, cx: &mut Context) -> Result<(), Stop> {
        let Some(trial) = &mut self.trial else {
            return Ok(());
        };
        trial.refinements += 1;
        let candidate = &mut self.candidates[trial.work.candidate];
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: "a longer word".to_owned(),
            sizes: [("length", word.len() as u64)].into(),
        });
        constrain(
            &mut trial.encoder,
            &self.tables,
            candidate,
            &word,
            &cx.budget,
        )?;
        candidate.examples.push(word);
        Ok(())
    }
}

/// Tells the solver that the second player gets on from a word.
fn constrain(
    encoder: &mut Encoder,
    tables: &Tables,
    candidate: &Candidate,
    word: &Word,
    budget: &Budget,
) -> Result<(), Stop> {
    let number = |word: &Word| -> Vec<Symbol> {
        let letters = word.iter();
        letters
            .map(|&letter| candidate.numbers[letter as usize])
            .collect()
    };
    let own = number(word);
    let mut helpful = Vec::new();
    let mut choosing = false;
    let mut helped = false;
    let moves = tables.moves(word, LARGE.answers, budget)?;
    for one in moves.ok_or_else(|| Stop::bound("the moves of a word", LARGE.answers as u64))? {
        budget.charge(1 + one.answers.len() as u64)?;
        choosing |= one.process.is_some();
        let reaches = |one: &Move| one.answers.iter().any(|answer| tables.goal.accepts(answer));
        if one.goal || reaches(&one) {
            helped |= one.process.is_some();
            continue;
        }
        let mut greater = Vec::new();
        for answer in one.answers.iter().filter(|a| candidate.set.accepts(a)) {
            if answer != word {
                greater.push(encoder.greater(&own, &number(answer))?);
            }
        }
        let stays =
            one.process.is_some() && one.answers.contains(word) && candidate.set.accepts(word);
        if one.process.is_some() {
            let helps = encoder.fresh();
            helpful.push(helps);
            encoder.add(greater.iter().copied().chain([!helps]))?;
        }
        if !stays {
            encoder.add(greater)?;
        }
    }
    if choosing && !helped {
        encoder.add(helpful)?;
    }
    Ok(())
}
