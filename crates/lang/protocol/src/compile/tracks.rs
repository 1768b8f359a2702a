//! Words with marked positions: how a formula speaks of processes.
//!
//! A formula with free processes is a language of words in which each position also says which
//! of them stand there, one bit a process (a *track*; Büchi 1960). `exists` erases a track.

use std::hash::Hash;

use quotient_automata::{Alphabet, Canonical, Dfa, Letter, Minterms, Nfa, Predicate, State};
use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::letters::{Letters, Part};

/// An alphabet with more marked letters than this is refused.
const MOST_MARKED: usize = 1 << 18;

/// The alphabets of words with 0, 1, 2, … tracks. Letter `x` with the bits `b` has the number
/// `b · |Σ| + x`.
pub(super) struct Tracks<'a> {
    pub(super) letters: &'a Letters,
    pub(super) budget: &'a Budget,
    alphabets: Vec<Alphabet>,
}

impl<'a> Tracks<'a> {
    pub(super) fn new(letters: &'a Letters, budget: &'a Budget) -> Self {
        Tracks {
            letters,
            budget,
            alphabets: vec![letters.alphabet().clone()],
        }
    }

    /// The alphabet with this many tracks.
    pub(super) fn alphabet(&mut self, tracks: usize) -> Result<Alphabet, Stop> {
        while self.alphabets.len() <= tracks {
            let doubled = u32::try_from(self.alphabets.len()).unwrap_or(u32::MAX);
            let size = self
                .letters
                .alphabet()
                .len()
                .checked_mul(1 << doubled.min(30));
            let Some(size) = size.filter(|&size| size <= MOST_MARKED) else {
                return Err(Stop::bound(
                    "letters times processes spoken of at once",
                    MOST_MARKED as u64,
                ));
            };
            // Names of such letters are never seen; distinct numbers are distinct names.
            let names = (0..size).map(|number| number.to_string());
            let alphabet = Alphabet::new(names).unwrap_or_else(|_| self.letters.alphabet().clone());
            self.alphabets.push(alphabet);
        }
        Ok(self.alphabets[tracks].clone())
    }

    /// The letter and the bits of a marked letter.
    pub(super) fn split(&self, marked: Letter) -> (Letter, u32) {
        let size = self.letters.alphabet().len() as u32;
        (Letter(marked.0 % size), marked.0 / size)
    }

    /// The language of a small machine that is told, for each marked letter, what it means to it.
    pub(super) fn machine<S: Clone + Eq + Hash, E: Clone + Eq + Hash>(
        &mut self,
        tracks: usize,
        start: S,
        effect: impl Fn(&Part, u32) -> E,
        next: impl Fn(&S, &E) -> Option<S>,
        accepts: impl Fn(&S) -> bool,
    ) -> Result<Canonical, Stop> {
        let alphabet = self.alphabet(tracks)?;
        let mut groups: FxHashMap<E, Predicate> = FxHashMap::default();
        for marked in alphabet.letters() {
            let (letter, bits) = self.split(marked);
            let group = groups.entry(effect(self.letters.part(letter), bits));
            group
                .or_insert_with(|| Predicate::none(&alphabet))
                .insert(marked);
        }
        let minterms = Minterms::new(&alphabet, groups.values());
        let mut effects: Vec<Option<&E>> = vec![None; minterms.len()];
        for (effect, group) in &groups {
            minterms
                .classes_in(group)
                .into_iter()
                .for_each(|class| effects[class as usize] = Some(effect));
        }
        let mut numbers: FxHashMap<S, u32> = FxHashMap::default();
        let mut states = vec![start.clone()];
        numbers.insert(start, 0);
        let mut table = Vec::new();
        let mut done = 0;
        while done < states.len() {
            self.budget.poll()?;
            let state = states[done].clone();
            for effect in &effects {
                let target = effect.and_then(|effect| next(&state, effect));
                table.push(target.map_or(Dfa::NONE, |target| {
                    let fresh = states.len() as u32;
                    *numbers.entry(target.clone()).or_insert_with(|| {
                        states.push(target);
                        fresh
                    })
                }));
            }
            done += 1;
        }
        let mut accepting = Bits::with_capacity(states.len());
        states
            .iter()
            .enumerate()
            .for_each(|(i, state)| accepting.set(i, accepts(state)));
        Dfa::from_table(&alphabet, minterms, State(0), accepting, table).minimize(self.budget)
    }

    /// Erases the last of this many tracks.
    pub(super) fn project(
        &mut self,
        automaton: &Canonical,
        tracks: usize,
    ) -> Result<Canonical, Stop> {
        let alphabet = self.alphabet(tracks - 1)?;
        let size = alphabet.len() as u32;
        let nfa = automaton.to_nfa();
        let labels: Vec<Option<Predicate>> = nfa
            .labels()
            .iter()
            .map(|label| {
                let letters = label
                    .as_ref()?
                    .letters()
                    .map(|letter| Letter(letter.0 % size));
                Some(Predicate::of(&alphabet, letters))
            })
            .collect();
        let mut builder = Nfa::builder(&alphabet).states(nfa.len() as u32);
        nfa.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        nfa.accepting()
            .ones()
            .for_each(|state| builder.add_accepting(State(state as u32)));
        for edge in nfa.edges() {
            if let Some(letters) = &labels[edge.label as usize] {
                builder.add_edge(edge.source, letters, edge.target);
            }
        }
        builder.build().canonical(self.budget)
    }

    /// The same language whatever the tracks say.
    pub(super) fn lift(&mut self, automaton: &Canonical, tracks: usize) -> Result<Canonical, Stop> {
        let plain = automaton.alphabet().len() as u32;
        let alphabet = self.alphabet(tracks)?;
        let minterms = automaton.minterms();
        let spread = |class: u32| {
            let members = minterms.members(class).letters();
            let marked = members.flat_map(|letter| {
                (0..1u32 << tracks).map(move |bits| Letter(bits * plain + letter.0))
            });
            Predicate::of(&alphabet, marked)
        };
        let groups: Vec<Predicate> = (0..minterms.len() as u32).map(spread).collect();
        let lifted = Minterms::new(&alphabet, &groups);
        let table = automaton.table().to_vec();
        Dfa::from_table(
            &alphabet,
            lifted,
            automaton.initial(),
            automaton.accepting().clone(),
            table,
        )
        .minimize(self.budget)
    }
}
