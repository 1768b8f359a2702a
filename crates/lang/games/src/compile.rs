//! From a file to a game.

use quotient_automata::game::{Choosing, Game};
use quotient_automata::{Alphabet, Label as Move, Letter, Nfa, Predicate, State, Transducer};
use quotient_core::{Budget, Diagnostic, Source, Trouble};

use crate::read::{Block, EVERYWHERE, File, Label};

/// Letters with a meaning of their own where there is `Enabled`.
const WAITING: &str = "delim";
const CHOSEN: &str = "chosen";
const ENABLED: &str = "enabled";
const DISABLED: &str = "disabled";

/// Tables are in the square of the number of letters.
const MOST_LETTERS: usize = 200;

/// The game of a file.
pub(crate) fn compile(file: &File, source: &Source, budget: &Budget) -> Result<Game, Trouble> {
    let fair = file.block("Enabled").is_some();
    let alphabet = alphabet(file, source, fair)?;
    let set = |name: &str| file.block(name).map(|block| automaton(block, &alphabet));
    let transducer = |name: &str| file.block(name).map(|block| moves(block, &alphabet));
    // The reader has made sure that the blocks are there.
    let lost = || Trouble::usage("a block is missing");
    let initial = set("I0").ok_or_else(lost)?;
    let goal = set("F").ok_or_else(lost)?;
    let second = transducer("P2").ok_or_else(lost)?;
    let everywhere = file.has_option(EVERYWHERE);
    let Some(enabled) = set("Enabled") else {
        let first = transducer("P1").ok_or_else(lost)?;
        return Ok(Game {
            initial,
            goal,
            first,
            second,
            everywhere,
            fairness: None,
        });
    };
    let letter = |name: &str| alphabet.letter(name).ok_or_else(lost);
    let letters = Letters {
        waiting: letter(WAITING)?,
        chosen: letter(CHOSEN)?,
        enabled: letter(ENABLED)?,
        disabled: letter(DISABLED)?,
    };
    let enabled = enabled.without_epsilon(budget)?;
    let described = letters.described(&enabled);
    Ok(Game {
        initial: initial.intersection(&described, budget)?,
        goal,
        first: letters.choosing(&enabled),
        second: writing(&second, &described, budget)?,
        everywhere,
        fairness: Some(Choosing {
            waiting: letters.waiting,
            chosen: letters.chosen,
        }),
    })
}

/// All letters of all blocks, in the order of the file.
fn alphabet(file: &File, source: &Source, fair: bool) -> Result<Alphabet, Trouble> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let labels = file.blocks.iter().flat_map(|block| &block.edges);
    let written = labels.flat_map(|edge| match &edge.label {
        Label::Silent => vec![],
        Label::Letter(letter) => vec![letter.as_str()],
        Label::Pair(read, written) => vec![read.as_str(), written.as_str()],
    });
    let own: &[&str] = match fair {
        true => &[WAITING, CHOSEN, ENABLED, DISABLED],
        false => &[],
    };
    for name in written.chain(own.iter().copied()) {
        if seen.insert(name) {
            names.push(name);
        }
    }
    if names.len() > MOST_LETTERS {
        let message = format!("{} letters are too many", names.len());
        let error = Diagnostic::error("too-many-letters", message).in_source(source);
        return Err(error
            .note(format!("at most {MOST_LETTERS} can be read"))
            .into());
    }
    Alphabet::new(names).map_err(|error| Diagnostic::error("letters", error.to_string()).into())
}

/// An automaton as the file writes it.
pub(crate) fn automaton(block: &Block, alphabet: &Alphabet) -> Nfa {
    let mut builder = Nfa::builder(alphabet).states(block.states.len() as u32);
    for &state in &block.initial {
        builder.add_initial(State(state));
    }
    for &state in &block.accepting {
        builder.add_accepting(State(state));
    }
    for edge in &block.edges {
        let (from, to) = (State(edge.from), State(edge.to));
        match &edge.label {
            Label::Letter(letter) => {
                let letters = one(alphabet, letter);
                builder.add_edge(from, &letters, to);
            }
            _ => builder.add_epsilon(from, to),
        }
    }
    builder.build()
}

/// A transducer as the file writes it.
pub(crate) fn moves(block: &Block, alphabet: &Alphabet) -> Transducer {
    let mut builder = Transducer::builder(alphabet).states(block.states.len() as u32);
    for &state in &block.initial {
        builder.add_initial(State(state));
    }
    for &state in &block.accepting {
        builder.add_accepting(State(state));
    }
    for edge in &block.edges {
        let label = match &edge.label {
            Label::Pair(read, written) => {
                Move::Pair(Some(one(alphabet, read)), Some(one(alphabet, written)))
            }
            _ => Move::SILENT,
        };
        builder.add_edge(State(edge.from), &label, State(edge.to));
    }
    builder.build()
}

/// The predicate of one letter; all are in the alphabet.
fn one(alphabet: &Alphabet, name: &str) -> Predicate {
    Predicate::of(alphabet, alphabet.letter(name))
}

/// The letters of choosing.
struct Letters {
    waiting: Letter,
    chosen: Letter,
    enabled: Letter,
    disabled: Letter,
}

impl Letters {
    /// The words that `Enabled` describes, as they are in play.
    fn described(&self, enabled: &Nfa) -> Nfa {
        let alphabet = enabled.alphabet();
        let own = Predicate::of(alphabet, [self.enabled, self.disabled]);
        let waiting = Predicate::of(alphabet, [self.waiting]);
        enabled.relabelled(alphabet, |letters| {
            let rest = letters.minus(&own);
            match letters.intersects(&own) {
                true => rest.or(&waiting),
                false => rest,
            }
        })
    }

    /// The scheduler: it chooses one of the processes that `Enabled` says can be chosen; or
    /// changes nothing, if it says that of none.
    fn choosing(&self, enabled: &Nfa) -> Transducer {
        let alphabet = enabled.alphabet();
        let size = enabled.len() as u32;
        // Before the choice, after it, and without one.
        let place = |state: State, copy: u32| State(copy * size + state.0);
        let mut builder = Transducer::builder(alphabet).states(3 * size);
        let waiting = Predicate::of(alphabet, [self.waiting]);
        let chosen = Predicate::of(alphabet, [self.chosen]);
        let own = Predicate::of(alphabet, [self.enabled, self.disabled]);
        for &state in enabled.initial() {
            builder.add_initial(place(state, 0));
            builder.add_initial(place(state, 2));
        }
        for state in enabled
            .states()
            .filter(|&state| enabled.is_accepting(state))
        {
            builder.add_accepting(place(state, 1));
            builder.add_accepting(place(state, 2));
        }
        for edge in enabled.edges() {
            let Some(letters) = enabled.label(edge) else {
                continue;
            };
            let (can, cannot) = (
                letters.contains(self.enabled),
                letters.contains(self.disabled),
            );
            for copy in 0..3 {
                let (from, to) = (place(edge.source, copy), place(edge.target, copy));
                builder.add_edge(from, &Move::Copy(letters.minus(&own)), to);
                if cannot || (can && copy != 2) {
                    builder.add_edge(from, &Move::Copy(waiting.clone()), to);
                }
            }
            if can {
                let label = Move::Pair(Some(waiting.clone()), Some(chosen.clone()));
                builder.add_edge(place(edge.source, 0), &label, place(edge.target, 1));
            }
        }
        builder.build()
    }
}

/// The moves that write a word of a set.
fn writing(moves: &Transducer, set: &Nfa, budget: &Budget) -> Result<Transducer, Trouble> {
    let set = set.without_epsilon(budget)?;
    let size = set.len() as u32;
    let place = |state: State, inside: State| State(state.0 * size + inside.0);
    let mut builder = Transducer::builder(moves.alphabet()).states(moves.len() as u32 * size);
    for &state in moves.initial() {
        for &inside in set.initial() {
            builder.add_initial(place(state, inside));
        }
    }
    for state in moves.states().filter(|&state| moves.is_accepting(state)) {
        for inside in set.states().filter(|&inside| set.is_accepting(inside)) {
            builder.add_accepting(place(state, inside));
        }
    }
    for edge in moves.edges() {
        budget.charge(1 + u64::from(size))?;
        let Move::Pair(Some(read), Some(written)) = moves.label(edge) else {
            for inside in set.states() {
                let (from, to) = (place(edge.source, inside), place(edge.target, inside));
                builder.add_edge(from, &Move::SILENT, to);
            }
            continue;
        };
        for other in set.edges() {
            if let Some(letters) = set.label(other) {
                let label = Move::Pair(Some(read.clone()), Some(written.and(letters)));
                let (from, to) = (
                    place(edge.source, other.source),
                    place(edge.target, other.target),
                );
                builder.add_edge(from, &label, to);
            }
        }
    }
    Ok(builder.build())
}
