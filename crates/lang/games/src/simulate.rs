//! A play, move by move.

use quotient_automata::game::Game;
use quotient_automata::{Letter, Nfa, Transducer};
use quotient_core::{Budget, Context, Stop, Trouble};
use quotient_language::text::count;
use quotient_language::{Cell, Choice, Layout, Simulation, Status, Step, Trace};

type Word = Vec<Letter>;

/// The most choices that are listed.
const MOST: usize = 100;

/// The longest words that are offered to begin with.
const LONGEST: usize = 60;

/// A play: the first choice is an initial word.
pub(crate) struct Play {
    game: Game,
    words: Vec<Word>,
    /// What can be chosen now, and whether there is more.
    next: Option<(Vec<Word>, bool)>,
}

impl Play {
    pub(crate) fn new(game: Game) -> Play {
        Play {
            game,
            words: Vec::new(),
            next: None,
        }
    }

    fn next(&mut self, cx: &Context) -> Result<&(Vec<Word>, bool), Stop> {
        let next = match self.next.take() {
            Some(next) => next,
            None => self.find(&cx.budget)?,
        };
        Ok(self.next.insert(next))
    }

    fn find(&self, budget: &Budget) -> Result<(Vec<Word>, bool), Stop> {
        let mut found: Vec<Word> = match self.words.last() {
            None => {
                let words = self.game.initial.words(LONGEST, budget)?;
                words.take(MOST + 1).collect()
            }
            Some(word) if self.game.goal.accepts(word) => Vec::new(),
            Some(word) => {
                let moves: &Transducer = match self.words.len() % 2 {
                    1 => &self.game.first,
                    _ => &self.game.second,
                };
                let one = Nfa::of_word(self.game.initial.alphabet(), word);
                let made = moves.apply(&one, budget)?.words(word.len(), budget)?;
                made.take(MOST + 1).collect()
            }
        };
        let more = found.len() > MOST;
        found.truncate(MOST);
        Ok((found, more))
    }

    /// Who moves to the word at a place of the play.
    fn player(at: usize) -> &'static str {
        match at {
            0 => "begin",
            at if at % 2 == 1 => "player 1",
            _ => "player 2",
        }
    }
}

impl Simulation for Play {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let player = Play::player(self.words.len());
        let words = self.next(cx)?.0.clone();
        let alphabet = self.game.initial.alphabet();
        let choice = |word: &Word| Choice {
            action: player.to_owned(),
            leads_to: alphabet.show(word),
            ..Choice::default()
        };
        Ok(words.iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let (words, _) = self.next(cx)?;
        let Some(word) = words.get(choice).cloned() else {
            let there = count(words.len(), "choice");
            return Err(Trouble::usage(format!(
                "there are {there}, not number {choice}"
            )));
        };
        self.words.push(word);
        self.next = None;
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.next = None;
        self.words.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let length = self.words.first().map_or(0, Vec::len);
        let mut trace = Trace::new(Layout::Grid, (1..=length).map(|place| place.to_string()));
        let alphabet = self.game.initial.alphabet();
        for (at, word) in self.words.iter().enumerate() {
            let cells = word.iter().map(|&letter| Cell::new(alphabet.name(letter)));
            trace.steps.push(match at {
                0 => Step::start(cells),
                at => Step::of(Play::player(at), cells),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let (words, more) = self.next(cx)?;
        let (stuck, more) = (words.is_empty(), *more);
        let mut notes = Vec::new();
        let reached = (self.words.last()).is_some_and(|word| self.game.goal.accepts(word));
        if reached {
            notes.push("the goal is reached".to_owned());
        } else if stuck {
            notes.push(match self.words.len() {
                0 => "there is no initial word".to_owned(),
                turn if turn % 2 == 1 => "player 1 has no move: player 2 wins".to_owned(),
                _ => "player 2 has no move: player 1 wins".to_owned(),
            });
        }
        Ok(Status {
            deadlock: stuck && !reached,
            notes,
            more,
            ..Status::default()
        })
    }
}
