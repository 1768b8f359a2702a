//! Steps that move a letter, in a form that reads and writes one letter at each place.

use rustc_hash::FxHashMap;

use crate::{Label, Letter, Predicate, State, Transducer};

/// Where a step is: in a state of the transducer, and, after a letter was taken away, with the
/// letter that must be read next, because what becomes of it was already written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct At {
    state: State,
    ahead: Option<Letter>,
}

/// The same relation without insertions and deletions, if every run takes away at most one
/// letter at a time and puts one elsewhere, always to its right or always to its left; nothing
/// otherwise. So what a step does can be told place by place, also where somebody moves.
///
/// ```
/// use quotient_automata::{Alphabet, Label, Predicate, Transducer};
/// use quotient_automata::liveness::in_place;
/// let alphabet = Alphabet::new(["a", "b"])?;
/// let (a, copy) = (alphabet.set(["a"])?, Label::Copy(Predicate::all(&alphabet)));
/// let first_becomes_last = Transducer::builder(&alphabet)
///     .initial(0)
///     .edge(0, &Label::Pair(Some(a.clone()), None), 1)
///     .edge(1, &copy, 1)
///     .edge(1, &Label::Pair(None, Some(a)), 2)
///     .accepting(2)
///     .build();
/// let moved = in_place(&first_becomes_last).unwrap();
/// assert!(moved.is_length_preserving());
/// let (before, after) = (alphabet.word("a b b")?, alphabet.word("b b a")?);
/// assert!(moved.relates(&before, &after));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn in_place(part: &Transducer) -> Option<Transducer> {
    // Read the other way round, whoever moved to the left moves to the right.
    synchronous(part).or_else(|| Some(synchronous(&part.inverse())?.inverse()))
}

/// The same relation without insertions and deletions, if every run takes away at most one
/// letter at a time and puts one at some place to its right; nothing otherwise.
pub(super) fn synchronous(part: &Transducer) -> Option<Transducer> {
    let part = &part.reduce();
    if part.is_length_preserving() {
        return Some(part.clone());
    }
    let alphabet = part.alphabet();
    let mut builder = Transducer::builder(alphabet);
    let mut numbers: FxHashMap<At, State> = FxHashMap::default();
    let mut waiting: Vec<At> = Vec::new();
    let mut number = |at: At, waiting: &mut Vec<At>| {
        let next = State(numbers.len() as u32);
        *numbers.entry(at).or_insert_with(|| {
            waiting.push(at);
            next
        })
    };
    let plain = |state: State| At { state, ahead: None };
    for &state in part.initial() {
        builder.add_initial(number(plain(state), &mut waiting));
    }
    while let Some(at) = waiting.pop() {
        let here = number(at, &mut waiting);
        if part.is_accepting(at.state) {
            // A letter went away and none came.
            at.ahead.is_none().then(|| builder.add_accepting(here))?;
        }
        let mut fill = |read: &Predicate, after: State, waiting: &mut Vec<At>| {
            for (to, written) in next_in_line(part, after)? {
                let written = Some(Predicate::of(alphabet, [written]));
                let label = Label::Pair(Some(read.clone()), written);
                builder.add_edge(here, &label, number(to, waiting));
            }
            Some(())
        };
        if let Some(expected) = at.ahead {
            fill(&Predicate::of(alphabet, [expected]), at.state, &mut waiting)?;
            continue;
        }
        for edge in part.edges_from(at.state) {
            match part.label(edge) {
                Label::Pair(None, _) => return None,
                Label::Pair(Some(taken), None) => fill(taken, edge.target, &mut waiting)?,
                _ => {}
            }
        }
        for edge in part.edges_from(at.state) {
            let label = part.label(edge);
            if label.output().is_some() {
                let target = number(plain(edge.target), &mut waiting);
                builder.add_edge(here, label, target);
            }
        }
    }
    Some(builder.build().reduce())
}

/// After a letter was taken away: every way to fill its place, with what is written there. The
/// next letter moves up, or one is put here. Nothing if a second one could be taken away.
fn next_in_line(part: &Transducer, state: State) -> Option<Vec<(At, Letter)>> {
    let mut ways = Vec::new();
    for edge in part.edges_from(state) {
        let to = |ahead| At {
            state: edge.target,
            ahead,
        };
        match part.label(edge) {
            Label::Pair(_, None) => return None,
            Label::Pair(None, Some(output)) => {
                ways.extend(output.letters().map(|letter| (to(None), letter)));
            }
            Label::Copy(letters) => {
                ways.extend(letters.letters().map(|letter| (to(Some(letter)), letter)));
            }
            Label::Pair(Some(input), Some(output)) => {
                for read in input.letters() {
                    ways.extend(output.letters().map(|letter| (to(Some(read)), letter)));
                }
            }
        }
    }
    Some(ways)
}
