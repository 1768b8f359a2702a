//! Questions about images that are answered without building the image.

mod search;
mod subsets;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Label, Letter, Nfa, Predicate, State, Transducer, Word};
use search::Search;
use subsets::Subsets;

impl Transducer {
    /// Looks for a word of `from` that is related to a word of `target`: nothing if the image
    /// of `from` and `target` are disjoint. Of all such pairs it finds one whose second word
    /// is as short as can be.
    pub fn image_meets(
        &self,
        from: &Nfa,
        target: &Nfa,
        budget: &Budget,
    ) -> Result<Option<(Word, Word)>, Stop> {
        assert!(self.alphabet() == from.alphabet() && self.alphabet() == target.alphabet());
        let mut search = Search::new();
        for &p in self.initial() {
            for &a in from.initial() {
                for &b in target.initial() {
                    search.start((p, a, b));
                }
            }
        }
        let mut settled = rustc_hash::FxHashSet::default();
        while let Some((place, (p, a, b))) = search.next() {
            if !settled.insert((p, a, b)) {
                continue;
            }
            budget.charge(1)?;
            if self.is_accepting(p) && from.is_accepting(a) && target.is_accepting(b) {
                return Ok(Some(search.words(place)));
            }
            for edge in silent(target, b) {
                search.go(place, None, None, (p, a, edge));
            }
            for_each_move(self, from, p, a, |p, a, read, written| match written {
                None => search.go(place, read.first(), None, (p, a, b)),
                Some(written) => {
                    for edge in target.edges_from(b) {
                        let Some(letters) = target.label(edge) else {
                            continue;
                        };
                        if let Some((read, written)) = read.choose(written, letters) {
                            search.go(place, read, Some(written), (p, a, edge.target));
                        }
                    }
                }
            });
        }
        Ok(None)
    }

    /// Looks for a word of `from` that is related to a word outside `within`: nothing if the
    /// image of `from` is included in `within`. Of all such pairs it finds one whose second
    /// word is as short as can be.
    ///
    /// `within` is determinised only as far as the image goes, and only for sets that are
    /// not above one met before at the same place (antichains: De Wulf, Doyen, Henzinger and
    /// Raskin 2006).
    pub fn image_escapes(
        &self,
        from: &Nfa,
        within: &Nfa,
        budget: &Budget,
    ) -> Result<Option<(Word, Word)>, Stop> {
        assert!(self.alphabet() == from.alphabet() && self.alphabet() == within.alphabet());
        let mut subsets = Subsets::new(within);
        let start = subsets.initial();
        let mut search = Search::new();
        for &p in self.initial() {
            for &a in from.initial() {
                search.start((p, a, start));
            }
        }
        let mut settled: FxHashMap<(State, State), Vec<u32>> = FxHashMap::default();
        while let Some((place, (p, a, set))) = search.next() {
            let known = settled.entry((p, a)).or_default();
            if known.iter().any(|&below| subsets.is_subset(below, set)) {
                continue;
            }
            known.retain(|&above| !subsets.is_subset(set, above));
            known.push(set);
            budget.charge(1)?;
            if self.is_accepting(p) && from.is_accepting(a) && !subsets.is_accepting(set) {
                return Ok(Some(search.words(place)));
            }
            for_each_move(self, from, p, a, |p, a, read, written| match written {
                None => search.go(place, read.first(), None, (p, a, set)),
                Some(written) => {
                    for (letters, next) in subsets.moves(set) {
                        if let Some((read, written)) = read.choose(written, letters) {
                            search.go(place, read, Some(written), (p, a, *next));
                        }
                    }
                }
            });
        }
        Ok(None)
    }
}

/// What a joint move of the transducer and the language it reads takes in.
enum Read {
    Nothing,
    /// Any of these letters.
    Any(Predicate),
    /// The letter that is written.
    Same,
}

impl Read {
    fn first(&self) -> Option<Letter> {
        match self {
            Read::Any(letters) => letters.first(),
            Read::Nothing | Read::Same => None,
        }
    }

    /// Letters to read and to write, where what is written must also be one of `letters`.
    fn choose(&self, written: &Predicate, letters: &Predicate) -> Option<(Option<Letter>, Letter)> {
        let letter = written.and(letters).first()?;
        match self {
            Read::Same => Some((Some(letter), letter)),
            _ => Some((self.first(), letter)),
        }
    }
}

/// Calls `visit(transducer state, language state, read, written)` for every joint move.
fn for_each_move(
    transducer: &Transducer,
    language: &Nfa,
    p: State,
    a: State,
    mut visit: impl FnMut(State, State, Read, Option<&Predicate>),
) {
    for next in silent(language, a) {
        visit(p, next, Read::Nothing, None);
    }
    for edge in transducer.edges_from(p) {
        let label = transducer.label(edge);
        let Some(input) = label.input() else {
            visit(edge.target, a, Read::Nothing, label.output());
            continue;
        };
        for step in language.edges_from(a) {
            let Some(met) = language.label(step).as_ref().map(|l| l.and(input)) else {
                continue;
            };
            if met.is_empty() {
                continue;
            }
            match label {
                Label::Copy(_) => visit(edge.target, step.target, Read::Same, Some(&met)),
                Label::Pair(_, output) => {
                    visit(edge.target, step.target, Read::Any(met), output.as_ref());
                }
            }
        }
    }
}

/// Where ε-moves lead.
fn silent(nfa: &Nfa, state: State) -> impl Iterator<Item = State> {
    nfa.edges_from(state)
        .iter()
        .filter(|edge| nfa.label(edge).is_none())
        .map(|edge| edge.target)
}
