//! The game on words of one length, written out, and who wins it.

use quotient_automata::game::Game;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::machine::{Set, Steps, Symbol, Word, symbol};

/// A game as tables.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) initial: Set,
    pub(crate) goal: Set,
    pub(crate) first: Steps,
    pub(crate) second: Steps,
    pub(crate) everywhere: bool,
    /// The letter of a chosen process, if the first player must be fair.
    pub(crate) chosen: Option<Symbol>,
}

impl Tables {
    pub(crate) fn of(game: &Game, budget: &Budget) -> Result<Tables, Stop> {
        let length = || Stop::inconclusive("some move changes the length of a word");
        Ok(Tables {
            initial: Set::of(&game.initial, budget)?,
            goal: Set::of(&game.goal, budget)?,
            first: Steps::of(&game.first, budget)?.ok_or_else(length)?,
            second: Steps::of(&game.second, budget)?.ok_or_else(length)?,
            everywhere: game.everywhere,
            chosen: game.fairness.map(|choosing| symbol(choosing.chosen)),
        })
    }

    /// The moves of the first player from a word, each with the answers to it; nothing if there
    /// are more than so many.
    pub(crate) fn moves(
        &self,
        word: &[Symbol],
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let mut moves = Vec::new();
        let mut left = most;
        let Some(all) = self.first.images(word, left, budget)? else {
            return Ok(None);
        };
        for made in all {
            let process = self.process(&made);
            let goal = self.goal.accepts(&made);
            let answers = match goal {
                true => Vec::new(),
                false => match self.second.images(&made, left, budget)? {
                    Some(answers) => answers,
                    None => return Ok(None),
                },
            };
            left -= answers.len();
            moves.push(Move {
                made,
                goal,
                process,
                answers,
            });
        }
        Ok(Some(moves))
    }

    /// The process that the first player chose.
    fn process(&self, made: &[Symbol]) -> Option<u32> {
        let chosen = self.chosen?;
        let place = made.iter().position(|&letter| letter == chosen)?;
        Some(place as u32)
    }
}

/// A move of the first player, with all answers.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) made: Word,
    pub(crate) goal: bool,
    pub(crate) process: Option<u32>,
    pub(crate) answers: Vec<Word>,
}

/// A move in an [`Arena`].
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) made: Word,
    /// Whether the move itself leads to the goal.
    pub(crate) goal: bool,
    pub(crate) process: Option<u32>,
    pub(crate) answers: Vec<u32>,
}

/// All words that can be reached from some of one length, with all moves. Plays end at the goal.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    pub(crate) words: Vec<Word>,
    pub(crate) goal: Vec<bool>,
    pub(crate) choices: Vec<Vec<Choice>>,
    /// How many of the words are those that it began with: they come first.
    pub(crate) starts: usize,
    /// The word before and the move from it, of those that it did not begin with.
    parents: Vec<Option<(u32, u32)>>,
    /// How many answers there are.
    pub(crate) size: usize,
}

/// How large an arena may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Most {
    pub(crate) words: usize,
    pub(crate) answers: usize,
}

impl Arena {
    /// The game from these words; nothing if it is too large.
    pub(crate) fn build(
        tables: &Tables,
        starts: Vec<Word>,
        most: Most,
        budget: &Budget,
    ) -> Result<Option<Arena>, Stop> {
        let mut arena = Arena {
            starts: starts.len(),
            ..Arena::default()
        };
        let mut numbers: FxHashMap<Word, u32> = FxHashMap::default();
        for word in starts {
            numbers.insert(word.clone(), arena.words.len() as u32);
            arena.parents.push(None);
            arena.words.push(word);
        }
        let mut at = 0;
        while at < arena.words.len() {
            budget.poll()?;
            if arena.words.len() > most.words || arena.size > most.answers {
                return Ok(None);
            }
            let goal = tables.goal.accepts(&arena.words[at]);
            arena.goal.push(goal);
            arena.choices.push(Vec::new());
            let moves = match goal {
                true => Some(Vec::new()),
                false => tables.moves(&arena.words[at].clone(), most.answers, budget)?,
            };
            let Some(moves) = moves else {
                return Ok(None);
            };
            for (number, one) in (0u32..).zip(moves) {
                let mut answers = Vec::with_capacity(one.answers.len());
                for answer in one.answers {
                    let next = arena.words.len() as u32;
                    let number_of = *numbers.entry(answer).or_insert_with_key(|answer| {
                        arena.words.push(answer.clone());
                        arena.parents.push(Some((at as u32, number)));
                        next
                    });
                    answers.push(number_of);
                }
                arena.size += 1 + answers.len();
                arena.choices[at].push(Choice {
                    made: one.made,
                    goal: one.goal,
                    process: one.process,
                    answers,
                });
            }
            at += 1;
        }
        Ok(Some(arena))
    }

    /// The words from which the second player wins.
    pub(crate) fn won(&self, fair: bool, budget: &Budget) -> Result<Vec<bool>, Stop> {
        match fair {
            true => self.won_fairly(budget),
            false => self.won_always(budget),
        }
    }

    fn won_always(&self, budget: &Budget) -> Result<Vec<bool>, Stop> {
        let mut won = self.goal.clone();
        let mut asked: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.words.len()];
        let mut answered: Vec<Vec<bool>> = Vec::with_capacity(self.words.len());
        let mut left: Vec<usize> = vec![0; self.words.len()];
        for (word, choices) in self.choices.iter().enumerate() {
            budget.charge(1 + choices.len() as u64)?;
            for (number, choice) in choices.iter().enumerate() {
                for &answer in &choice.answers {
                    asked[answer as usize].push((word as u32, number as u32));
                }
            }
            answered.push(choices.iter().map(|choice| choice.goal).collect());
            left[word] = choices.iter().filter(|choice| !choice.goal).count();
            won[word] |= left[word] == 0;
        }
        let mut waiting: Vec<usize> = (0..won.len()).filter(|&word| won[word]).collect();
        while let Some(word) = waiting.pop() {
            budget.charge(1 + asked[word].len() as u64)?;
            for &(before, choice) in &asked[word] {
                let before = before as usize;
                if std::mem::replace(&mut answered[before][choice as usize], true) {
                    continue;
                }
                left[before] -= 1;
                if left[before] == 0 && !won[before] {
                    won[before] = true;
                    waiting.push(before);
                }
            }
        }
        Ok(won)
    }

    /// The least set X such that X contains, for each process `h`, the greatest set Y of words
    /// where `h` can be chosen and every choice has an answer in X, or is not `h` and has one
    /// in Y.
    fn won_fairly(&self, budget: &Budget) -> Result<Vec<bool>, Stop> {
        let stuck = |word: usize| self.choices[word].is_empty();
        let mut won: Vec<bool> = (0..self.words.len())
            .map(|word| self.goal[word] || stuck(word))
            .collect();
        let mut processes: Vec<u32> = (self.choices.iter().flatten())
            .filter_map(|choice| choice.process)
            .collect();
        processes.sort_unstable();
        processes.dedup();
        let mut open: Vec<usize> = (0..won.len()).collect();
        loop {
            open.retain(|&word| !won[word]);
            let before = open.len();
            budget.charge(1 + before as u64)?;
            // Without waiting for anybody.
            for &word in &open {
                let sure = |choice: &Choice| {
                    choice.goal || choice.answers.iter().any(|&a| won[a as usize])
                };
                won[word] = self.choices[word].iter().all(sure);
            }
            for &process in &processes {
                open.retain(|&word| !won[word]);
                for word in self.waiting_for(process, &won, &open, budget)? {
                    won[word] = true;
                }
            }
            open.retain(|&word| !won[word]);
            if open.len() == before {
                return Ok(won);
            }
        }
    }

    /// The greatest set of words among these where a process can be chosen, and every choice has
    /// an answer that is won, or is not this process and has an answer in the set.
    fn waiting_for(
        &self,
        process: u32,
        won: &[bool],
        open: &[usize],
        budget: &Budget,
    ) -> Result<Vec<usize>, Stop> {
        let can = |&word: &usize| {
            let mut choices = self.choices[word].iter();
            choices.any(|choice| choice.process == Some(process))
        };
        let mut waiting: Vec<usize> = open.iter().copied().filter(can).collect();
        let mut stays = vec![false; won.len()];
        waiting.iter().for_each(|&word| stays[word] = true);
        loop {
            let before = waiting.len();
            budget.charge(1 + before as u64)?;
            waiting.retain(|&word| {
                let fine = |choice: &Choice| {
                    let fits = |&answer: &u32| {
                        let waits = choice.process != Some(process) && stays[answer as usize];
                        won[answer as usize] || waits
                    };
                    choice.goal || choice.answers.iter().any(fits)
                };
                stays[word] = self.choices[word].iter().all(fine);
                stays[word]
            });
            if waiting.len() == before {
                return Ok(waiting);
            }
        }
    }

    /// A play to a word: words of the first player and what it made of them, by turns.
    pub(crate) fn play_to(&self, word: u32) -> Vec<Word> {
        let mut play = vec![self.words[word as usize].clone()];
        let mut at = word;
        while let Some((before, choice)) = self.parents[at as usize] {
            play.push(self.choices[before as usize][choice as usize].made.clone());
            play.push(self.words[before as usize].clone());
            at = before;
        }
        play.reverse();
        play
    }

    /// The words among which the first player keeps the play from a word that is not won.
    pub(crate) fn trap_from(&self, word: u32, won: &[bool], fair: bool) -> Vec<Word> {
        let mut inside = vec![false; self.words.len()];
        inside[word as usize] = true;
        let mut found = vec![word];
        let mut at = 0;
        while at < found.len() {
            let holds = |choice: &&Choice| {
                !choice.goal && choice.answers.iter().all(|&answer| !won[answer as usize])
            };
            let choices = self.choices[found[at] as usize].iter().filter(holds);
            let some = if fair { usize::MAX } else { 1 };
            for choice in choices.take(some) {
                for &answer in &choice.answers {
                    if !std::mem::replace(&mut inside[answer as usize], true) {
                        found.push(answer);
                    }
                }
            }
            at += 1;
        }
        found
            .into_iter()
            .map(|word| self.words[word as usize].clone())
            .collect()
    }
}
