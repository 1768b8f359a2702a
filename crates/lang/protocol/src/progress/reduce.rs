//! Progress reduced to safety.
//!
//! Where nothing grows, a run that goes on for ever comes back to a configuration. The reduced
//! system guesses when, saves a copy of every letter beside it (the *freeze*), and goes on until
//! every letter is as it was saved and every process took a step or was seen unable to. If a
//! process that waits never got what it waits for, that loop is a violation under weak fairness.
//! For a formula, an automaton goes along that accepts the runs of which it is not true.
//! (Biere, Artho and Schuppan 2002; Bouajjani, Habermehl and Vojnar 2004 for words.)

use quotient_automata::liveness::in_place;
use quotient_automata::{
    Alphabet, Label, Letter, Nfa, Predicate, Problem, Property, Relation, State, Transducer, Word,
};
use quotient_bits::Bits;
use quotient_core::{Budget, Diagnostic, Stop, Trouble};
use rustc_hash::FxHashMap;

use super::watched::{AGAIN, Watched};
use crate::Compiled;
use crate::compile::Part;
use crate::model::{Action, Protocol};

/// The step that saves a copy of everything.
pub(super) const FREEZE: &str = "the loop begins";
/// What follows the name of a step in the loop.
pub(super) const IN_LOOP: &str = " (in the loop)";

/// More pairs of a letter and a saved letter than this are refused.
const MOST_PAIRS: usize = 20_000;

/// The question whether a process may wait for ever, as one about words.
pub(crate) struct Reduced {
    pub(crate) problem: Problem,
    /// The protocol before the loop and in it, with their letters.
    pub(super) before: Compiled,
    pub(super) in_loop: Compiled,
    /// How many processes are watched.
    pub(super) marks: usize,
    /// Whether it is one that waits, not those of a formula.
    pub(crate) waits: bool,
    /// Whether more can happen than in the protocol, because steps read one by one.
    pub(crate) approximate: bool,
    /// The letters in the loop, numbered after those before it: the letter and the saved one.
    pairs: Vec<(Letter, Letter)>,
}

impl Reduced {
    pub(super) fn new(
        protocol: &Protocol,
        property: &str,
        watched: &Watched<'_>,
        budget: &Budget,
    ) -> Result<Reduced, Trouble> {
        let before = watched.before();
        let waits = watched.may_freeze();
        let before_compiled = before.compile_plainly(budget)?;
        let waits = before.language(&before_compiled, &waits, budget)?;
        let in_loop = watched.in_loop().compile_plainly(budget)?;
        let mut loop_parts = Vec::new();
        let parts = in_loop.relation().parts().iter();
        for (name, part) in parts.filter(|(name, _)| name != AGAIN) {
            let Some(part) = in_place(part) else {
                let message = format!("step `{name}` moves processes both ways");
                return Err(Diagnostic::error("no-progress", message)
                    .in_source(&protocol.source)
                    .help("write one step for each direction, to check progress")
                    .into());
            };
            loop_parts.push((name, part));
        }
        let compiled = (&before_compiled, &in_loop);
        let pairs = pairs(protocol, watched, compiled, &loop_parts, budget)?;
        let alphabet = alphabet(&before_compiled, &in_loop, &pairs)?;
        let reduced = Tracks::new(watched, compiled, &alphabet, &pairs);
        let mut parts = Vec::new();
        for (name, part) in before_compiled.relation().parts() {
            parts.push((name.clone(), reduced.before_the_loop(part)));
        }
        parts.push((FREEZE.to_owned(), reduced.freeze(&waits)));
        for (name, part) in loop_parts {
            budget.poll()?;
            parts.push((format!("{name}{IN_LOOP}"), reduced.on_current(&part)));
        }
        let bad = Property {
            name: property.to_owned(),
            bad: reduced.closed_loop(),
        };
        let initial = reduced.widened(before_compiled.initial());
        let relation = Relation::new(&alphabet, parts);
        let problem = Problem::new(initial, vec![bad], relation)
            .map_err(|error| Diagnostic::error("no-problem", error.to_string()))?;
        Ok(Reduced {
            problem,
            before: before_compiled,
            in_loop,
            marks: watched.marks(),
            waits: watched.waits(),
            approximate: watched.is_approximate(),
            pairs,
        })
    }

    /// The word as one before the loop, or as the current letters of one in the loop; nothing if
    /// it is a mixture.
    pub(super) fn current(&self, word: &Word) -> Option<(Word, bool)> {
        let old = self.before.alphabet().len();
        let is_frozen = word.first().is_some_and(|letter| letter.index() >= old);
        let current = |letter: &Letter| match letter.index().checked_sub(old) {
            Some(pair) => is_frozen.then(|| self.pairs[pair].0),
            None => (!is_frozen).then_some(*letter),
        };
        let word: Option<Word> = word.iter().map(current).collect();
        Some((word?, is_frozen))
    }
}

/// What may stand at a place in the loop together with what was saved there.
fn pairs(
    protocol: &Protocol,
    watched: &Watched<'_>,
    (before, in_loop): (&Compiled, &Compiled),
    parts: &[(&String, Transducer)],
    budget: &Budget,
) -> Result<Vec<(Letter, Letter)>, Stop> {
    let letters = in_loop.alphabet().len();
    let moves = (protocol.steps.iter())
        .flat_map(|step| step.alternatives.iter().flatten())
        .any(|action| matches!(action, Action::Move(..)));
    // Where nobody moves, a place only changes by what is written over it.
    let mut next: Vec<Bits> = vec![Bits::with_capacity(letters); letters];
    for part in parts.iter().map(|(_, part)| part) {
        for edge in part.edges() {
            if let Label::Pair(Some(input), Some(output)) = part.label(edge) {
                for letter in input.letters() {
                    let written = output.letters().map(Letter::index);
                    next[letter.index()].extend(written);
                }
            }
        }
    }
    let is_process = |letter: Letter| matches!(in_loop.letters.part(letter), Part::Process(_));
    let mut pairs = Vec::new();
    for saved in before.alphabet().letters() {
        let starts = unstepped(watched, before, in_loop, saved);
        let mut here = Bits::with_capacity(letters);
        here.extend(starts.iter().map(|start| start.index()));
        if moves && starts.iter().any(|&start| is_process(start)) {
            let others = in_loop
                .alphabet()
                .letters()
                .filter(|&letter| is_process(letter));
            here.extend(others.map(Letter::index));
        }
        let mut waiting: Vec<usize> = here.ones().collect();
        while let Some(letter) = waiting.pop() {
            for after in next[letter].ones() {
                if !here.put(after) {
                    waiting.push(after);
                }
            }
        }
        budget.charge(1)?;
        pairs.extend(here.ones().map(|current| (Letter(current as u32), saved)));
        if pairs.len() > MOST_PAIRS {
            return Err(Stop::bound("letters with a saved copy", MOST_PAIRS as u64));
        }
    }
    Ok(pairs)
}

/// The letters in the loop of a process that has not taken a step.
fn unstepped(
    watched: &Watched<'_>,
    before: &Compiled,
    in_loop: &Compiled,
    letter: Letter,
) -> Vec<Letter> {
    let parts = watched.at_the_freeze(before.letters.part(letter));
    let letters = parts.iter().map(|part| in_loop.letters.letter(part));
    letters.flatten().collect()
}

fn alphabet(
    before: &Compiled,
    in_loop: &Compiled,
    pairs: &[(Letter, Letter)],
) -> Result<Alphabet, Diagnostic> {
    let mut names: Vec<String> = before.alphabet().names().map(str::to_owned).collect();
    let mut known: rustc_hash::FxHashSet<String> = names.iter().cloned().collect();
    for &(current, saved) in pairs {
        let (current, saved) = (
            in_loop.alphabet().name(current),
            before.alphabet().name(saved),
        );
        let mut name = format!("{current}.{saved}");
        while !known.insert(name.clone()) {
            name.push('\'');
        }
        names.push(name);
    }
    Alphabet::new(names).map_err(|error| Diagnostic::error("ambiguous-letters", error.to_string()))
}

/// Automata and transducers over the letters of the reduced system.
struct Tracks<'a> {
    watched: &'a Watched<'a>,
    before: &'a Compiled,
    in_loop: &'a Compiled,
    alphabet: &'a Alphabet,
    pairs: &'a [(Letter, Letter)],
    numbers: FxHashMap<(Letter, Letter), Letter>,
}

impl<'a> Tracks<'a> {
    fn new(
        watched: &'a Watched<'a>,
        (before, in_loop): (&'a Compiled, &'a Compiled),
        alphabet: &'a Alphabet,
        pairs: &'a [(Letter, Letter)],
    ) -> Tracks<'a> {
        let old = before.alphabet().len() as u32;
        let numbers = pairs.iter().copied().zip((old..).map(Letter)).collect();
        Tracks {
            watched,
            before,
            in_loop,
            alphabet,
            pairs,
            numbers,
        }
    }

    /// The same letters: those before the loop keep their numbers.
    fn wider(&self, letters: &Predicate) -> Predicate {
        Predicate::of(self.alphabet, letters.letters())
    }

    fn widened(&self, nfa: &Nfa) -> Nfa {
        nfa.relabelled(self.alphabet, |letters| self.wider(letters))
    }

    fn before_the_loop(&self, part: &Transducer) -> Transducer {
        let side = |letters: &Option<Predicate>| letters.as_ref().map(|all| self.wider(all));
        part.relabelled(self.alphabet, |label| match label {
            Label::Pair(input, output) => vec![Label::Pair(side(input), side(output))],
            Label::Copy(letters) => vec![Label::Copy(self.wider(letters))],
        })
    }

    /// The step on the current letters, while the saved ones stay where they are.
    fn on_current(&self, part: &Transducer) -> Transducer {
        let saved: Vec<Letter> = self.before.alphabet().letters().collect();
        let with = |letters: &Predicate, saved: Letter| {
            let pairs = letters
                .letters()
                .filter_map(|current| self.numbers.get(&(current, saved)));
            Predicate::of(self.alphabet, pairs.copied())
        };
        let in_loop = part.relabelled(self.alphabet, |label| match label {
            Label::Copy(letters) => {
                let here = |(_, pair): &(Letter, &(Letter, Letter))| letters.contains(pair.0);
                let old = self.before.alphabet().len() as u32;
                let pairs = (old..).map(Letter).zip(self.pairs).filter(here);
                let pairs = Predicate::of(self.alphabet, pairs.map(|(letter, _)| letter));
                vec![Label::Copy(pairs)]
            }
            Label::Pair(input, output) => (saved.iter())
                .map(|&saved| {
                    let side =
                        |letters: &Option<Predicate>| letters.as_ref().map(|all| with(all, saved));
                    Label::Pair(side(input), side(output))
                })
                .filter(|label| !label.is_impossible())
                .collect(),
        });
        in_loop.reduce()
    }

    /// Saves a copy of every letter where somebody waits.
    fn freeze(&self, somebody_waits: &Nfa) -> Transducer {
        let mut builder = Transducer::builder(self.alphabet).states(somebody_waits.len() as u32);
        let one = |letter: Letter| Some(Predicate::of(self.alphabet, [letter]));
        somebody_waits
            .initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        somebody_waits
            .accepting()
            .ones()
            .for_each(|state| builder.add_accepting(State(state as u32)));
        for edge in somebody_waits.edges() {
            let Some(letters) = somebody_waits.label(edge) else {
                builder.add_edge(edge.source, &Label::SILENT, edge.target);
                continue;
            };
            for letter in letters.letters() {
                for start in unstepped(self.watched, self.before, self.in_loop, letter) {
                    if let Some(&frozen) = self.numbers.get(&(start, letter)) {
                        let save = Label::Pair(one(letter), one(frozen));
                        builder.add_edge(edge.source, &save, edge.target);
                    }
                }
            }
        }
        builder.build().reduce()
    }

    /// Every letter is as it was saved, and every process had its turn.
    fn closed_loop(&self) -> Nfa {
        let back = |&&(current, saved): &&(Letter, Letter)| {
            let (now, then) = (
                self.in_loop.letters.part(current),
                self.before.letters.part(saved),
            );
            self.watched.is_back(now, then)
        };
        let back = self.pairs.iter().filter(back);
        let back = back.filter_map(|pair| self.numbers.get(pair).copied());
        Nfa::builder(self.alphabet)
            .initial(0)
            .edge(0, &Predicate::of(self.alphabet, back), 0)
            .accepting(0)
            .build()
    }
}
