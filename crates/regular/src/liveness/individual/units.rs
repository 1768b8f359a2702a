//! Steps on processes that carry a mark and the news that they made a step.

use quotient_automata::{Alphabet, Label, Letter, Predicate, State, Transducer};

use super::letters::{Letters, Unit};

/// The step over an alphabet of processes: whoever is rewritten, or taken away and put
/// elsewhere, made a step and keeps its mark. `may_be_marked` says whether it may be the
/// marked one.
pub(super) fn on_units(part: &Transducer, letters: &Letters, may_be_marked: bool) -> Transducer {
    let count = letters.old().count() as u32;
    let names = (0..count * 4).map(|number| number.to_string());
    let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
    let units = |of: &Predicate, test: &dyn Fn(&Unit) -> bool| {
        let all = of.letters().flat_map(processes_of);
        Predicate::of(&alphabet, all.filter(|unit| test(unit)).map(Unit::number))
    };
    // States of the transducer, three times: no process is away; an unmarked one is; the
    // marked one is.
    let states = part.len() as u32;
    let away = |state: State, marked: bool| State(state.0 + states * (1 + u32::from(marked)));
    let mut builder = Transducer::builder(&alphabet).states(3 * states);
    part.initial()
        .iter()
        .for_each(|&state| builder.add_initial(state));
    part.accepting()
        .ones()
        .for_each(|state| builder.add_accepting(State(state as u32)));
    for edge in part.edges() {
        let (source, target) = (edge.source, edge.target);
        let everywhere = [
            (source, target),
            (away(source, false), away(target, false)),
            (away(source, true), away(target, true)),
        ];
        for marked in [false, true] {
            let acts = |unit: &Unit| unit.marked == marked && (may_be_marked || !marked);
            let acted = |unit: &Unit| acts(unit) && unit.stepped;
            match part.label(edge) {
                Label::Copy(letters) => {
                    let copy = Label::Copy(units(letters, &|_| true));
                    for (source, target) in everywhere {
                        builder.add_edge(source, &copy, target);
                    }
                }
                Label::Pair(Some(input), Some(output)) => {
                    let rewrite =
                        Label::Pair(Some(units(input, &acts)), Some(units(output, &acted)));
                    for (source, target) in everywhere {
                        builder.add_edge(source, &rewrite, target);
                    }
                }
                Label::Pair(Some(input), None) => {
                    let take = Label::Pair(Some(units(input, &acts)), None);
                    builder.add_edge(source, &take, away(target, marked));
                }
                Label::Pair(None, Some(output)) => {
                    let put = Label::Pair(None, Some(units(output, &acted)));
                    builder.add_edge(away(source, marked), &put, target);
                }
                Label::Pair(None, None) => {
                    for (source, target) in everywhere {
                        builder.add_edge(source, &Label::SILENT, target);
                    }
                }
            }
        }
    }
    builder.build()
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
