//! Steps on processes that carry a mark and the news that they made a step.

use super::letters::{Letters, Unit};
use crate::{Alphabet, Label, Letter, Predicate, State, Transducer};

/// How a step is made in the loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Whether the marked process may make it.
    pub(super) may_be_marked: bool,
    /// Whether it counts as a step for who makes it.
    pub(super) counts: bool,
}

/// The step over an alphabet of processes: whoever is rewritten, or taken away and put
/// elsewhere, keeps its mark, and made a step if that counts. If it is the marked one, no other
/// is.
pub(super) fn on_units(part: &Transducer, letters: &Letters, manner: Manner) -> Transducer {
    let count = letters.old().count() as u32;
    let names = (0..count * 4).map(|number| number.to_string());
    let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
    let units = |of: &Predicate, test: &dyn Fn(&Unit) -> bool| -> Predicate {
        let all = of.letters().flat_map(processes_of);
        Predicate::of(&alphabet, all.filter(|unit| test(unit)).map(Unit::number))
    };
    let places = Places {
        states: part.len() as u32,
    };
    let mut builder = Transducer::builder(&alphabet).states(places.count());
    for &state in part.initial() {
        builder.add_initial(places.at(state, None, Marked::StaysAsItIs));
        builder.add_initial(places.at(state, None, Marked::WillAct));
    }
    for state in part.accepting().ones() {
        let state = State(state as u32);
        builder.add_accepting(places.at(state, None, Marked::StaysAsItIs));
        builder.add_accepting(places.at(state, None, Marked::Acted));
    }
    for edge in part.edges() {
        let (source, target) = (edge.source, edge.target);
        let copied_or_silent = match part.label(edge) {
            Label::Copy(letters) => Some((
                Label::Copy(units(letters, &|_| true)),
                Label::Copy(units(letters, &|unit| !unit.marked)),
            )),
            Label::Pair(None, None) => Some((Label::SILENT, Label::SILENT)),
            Label::Pair(..) => None,
        };
        if let Some((any, unmarked)) = copied_or_silent {
            for marked in Marked::ALL {
                let label = if marked == Marked::StaysAsItIs {
                    &any
                } else {
                    &unmarked
                };
                for away in Away::ALL {
                    let ends = (
                        places.at(source, away, marked),
                        places.at(target, away, marked),
                    );
                    builder.add_edge(ends.0, label, ends.1);
                }
            }
            continue;
        }
        for (before, after) in Marked::steps(manner.may_be_marked) {
            let marked = before != after;
            for stepped in [false, true] {
                let then = stepped || manner.counts;
                let acts = |unit: &Unit| (unit.marked, unit.stepped) == (marked, stepped);
                let acted = |unit: &Unit| (unit.marked, unit.stepped) == (marked, then);
                let away = Some(Away { marked, stepped });
                match part.label(edge) {
                    Label::Pair(Some(input), Some(output)) => {
                        let label =
                            Label::Pair(Some(units(input, &acts)), Some(units(output, &acted)));
                        for away in Away::ALL {
                            let from = places.at(source, away, before);
                            builder.add_edge(from, &label, places.at(target, away, after));
                        }
                    }
                    Label::Pair(Some(input), None) => {
                        let take = Label::Pair(Some(units(input, &acts)), None);
                        let from = places.at(source, None, before);
                        builder.add_edge(from, &take, places.at(target, away, after));
                    }
                    Label::Pair(None, Some(output)) => {
                        let put = Label::Pair(None, Some(units(output, &acted)));
                        // It acted when it was taken away.
                        let from = places.at(source, away, after);
                        builder.add_edge(from, &put, places.at(target, None, after));
                    }
                    Label::Pair(None, None) | Label::Copy(_) => {}
                }
            }
        }
    }
    builder.build()
}

/// What the marked process does in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marked {
    /// Nothing.
    StaysAsItIs,
    /// It is still to act.
    WillAct,
    /// It acted.
    Acted,
}

impl Marked {
    const ALL: [Marked; 3] = [Marked::StaysAsItIs, Marked::WillAct, Marked::Acted];

    /// Before and after some process acts; the marked one if that makes a difference.
    fn steps(may_act: bool) -> impl Iterator<Item = (Marked, Marked)> {
        let unmarked = Marked::ALL.map(|marked| (marked, marked));
        let marked = may_act.then_some((Marked::WillAct, Marked::Acted));
        unmarked.into_iter().chain(marked)
    }
}

/// A process that was taken away and is not yet put elsewhere.
#[derive(Debug, Clone, Copy)]
struct Away {
    marked: bool,
    stepped: bool,
}

impl Away {
    const ALL: [Option<Away>; 5] = [
        None,
        Away::some(false, false),
        Away::some(false, true),
        Away::some(true, false),
        Away::some(true, true),
    ];

    const fn some(marked: bool, stepped: bool) -> Option<Away> {
        Some(Away { marked, stepped })
    }
}

/// The states of a step, each several times: by the process that is away, and by what the
/// marked one does.
struct Places {
    states: u32,
}

impl Places {
    fn count(&self) -> u32 {
        15 * self.states
    }

    fn at(&self, state: State, away: Option<Away>, marked: Marked) -> State {
        let away = away.map_or(0, |away| {
            1 + u32::from(away.marked) + 2 * u32::from(away.stepped)
        });
        State(state.0 + self.states * (3 * away + marked as u32))
    }
}

fn processes_of(letter: Letter) -> impl Iterator<Item = Unit> {
    [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .map(move |(stepped, marked)| Unit {
            letter,
            stepped,
            marked,
        })
}
