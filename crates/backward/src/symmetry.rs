//! States that differ only by who is who.

use quotient_arrays::{Domain, Instance, Start, State, System, VariableId};

/// More orders of processes that look alike than this are not tried.
const MOST_ORDERS: usize = 120;

/// How states are written so that those that differ only by who is who look the same.
///
/// A system that never asks which of two processes comes first does the same whoever is who. So one
/// state of each such class is enough to know what can be reached: there are up to `n!` times fewer
/// of them, and guesses are measured against larger instances.
pub(crate) struct Symmetry<'a> {
    system: &'a System,
    /// For each cell, its variable and the processes it belongs to.
    places: Vec<(VariableId, Vec<usize>)>,
    processes: usize,
    /// Where each variable begins in a state.
    begins: Vec<usize>,
    /// Whether who is who can be seen by the own values of each process alone.
    plain: bool,
}

impl<'a> Symmetry<'a> {
    /// The symmetry of an instance; nothing where processes have an order.
    pub(crate) fn of(system: &'a System, instance: &Instance<'_>) -> Option<Symmetry<'a>> {
        // What is always so is looked at as if it were a start.
        let always = System {
            variables: system.variables.clone(),
            start: Start {
                processes: 0,
                formula: system.always.clone(),
            },
            ..System::default()
        };
        if system.is_ordered() || always.is_ordered() {
            return None;
        }
        let processes = instance.processes();
        let place = |cell| {
            let place = instance.place(cell);
            (place.variable, place.at)
        };
        let first = |variable: VariableId| {
            let arity = system.variables[variable.index()].arity;
            instance.cell(variable, &vec![0; arity])
        };
        let mut variables = system.variables.iter();
        Some(Symmetry {
            system,
            places: (0..instance.cells()).map(place).collect(),
            processes,
            begins: VariableId::all(system.variables.len()).map(first).collect(),
            plain: variables.all(|one| one.arity < 2 && one.domain != Domain::Process),
        })
    }

    /// The state as it is written for its whole class; where too many processes look alike, one of
    /// a few ways in which it may be written.
    pub(crate) fn written(&self, state: &State) -> State {
        let looks: Vec<Vec<i64>> = (0..self.processes)
            .map(|one| self.look(state, one))
            .collect();
        let mut order: Vec<usize> = (0..self.processes).collect();
        order.sort_by(|one, two| looks[*one].cmp(&looks[*two]));
        if self.plain {
            return self.renamed(state, &order);
        }
        let mut least = self.renamed(state, &order);
        for _ in 1..MOST_ORDERS {
            if !next_order(&mut order, &looks) {
                break;
            }
            least = least.min(self.renamed(state, &order));
        }
        least
    }

    /// What can be seen of a process without naming others.
    fn look(&self, state: &State, one: usize) -> Vec<i64> {
        let mut look = Vec::new();
        for (variable, data) in self.system.variables.iter().enumerate() {
            let begin = self.begins[variable];
            let holds = data.domain == Domain::Process;
            // Whom a cell holds says only whether it is this one.
            let seen = |value: i64| match holds {
                true => i64::from(usize::try_from(value) == Ok(one)),
                false => value,
            };
            match data.arity {
                0 if holds => look.push(seen(state[begin])),
                0 => {}
                1 => look.push(seen(state[begin + one])),
                _ => {
                    let cell = |from: usize, to: usize| begin + from * self.processes + to;
                    look.push(seen(state[cell(one, one)]));
                    let all = 0..self.processes;
                    let mut rows: Vec<i64> =
                        all.clone().map(|to| seen(state[cell(one, to)])).collect();
                    let mut columns: Vec<i64> =
                        all.map(|from| seen(state[cell(from, one)])).collect();
                    rows.sort_unstable();
                    columns.sort_unstable();
                    look.extend(rows);
                    look.extend(columns);
                }
            }
        }
        look
    }

    /// The same state with each process at its place in an order.
    fn renamed(&self, state: &State, order: &[usize]) -> State {
        let mut becomes = vec![0; order.len()];
        for (place, one) in order.iter().enumerate() {
            becomes[*one] = place;
        }
        let cell = |(variable, at): &(VariableId, Vec<usize>)| {
            let from = at
                .iter()
                .fold(0, |index, place| index * self.processes + order[*place]);
            let value = state[self.begins[variable.index()] + from];
            match self.system.variables[variable.index()].domain {
                Domain::Process => {
                    let held = usize::try_from(value).ok();
                    let held = held.and_then(|held| becomes.get(held));
                    held.map_or(value, |held| *held as i64)
                }
                _ => value,
            }
        };
        self.places.iter().map(cell).collect()
    }
}

/// The next order in which processes that look alike have changed places; none after the last.
fn next_order(order: &mut [usize], looks: &[Vec<i64>]) -> bool {
    let mut begin = 0;
    while begin < order.len() {
        let look = &looks[order[begin]];
        let alike = order[begin..]
            .iter()
            .take_while(|one| looks[**one] == *look);
        let end = begin + alike.count();
        if next_permutation(&mut order[begin..end]) {
            return true;
        }
        // The last one: this group begins anew, and the next one goes on.
        begin = end;
    }
    false
}

/// The next permutation of different numbers in their order; the first one after the last, and no.
fn next_permutation(numbers: &mut [usize]) -> bool {
    let falls = numbers.windows(2).rposition(|pair| pair[0] < pair[1]);
    let Some(place) = falls else {
        numbers.reverse();
        return false;
    };
    let larger = numbers.iter().rposition(|one| *one > numbers[place]);
    if let Some(larger) = larger {
        numbers.swap(place, larger);
    }
    numbers[place + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_arrays::{EnumerationId, Formula, Relation, Term, Variable};

    #[test]
    fn all_orders_of_those_that_look_alike_are_tried() {
        let looks = [vec![0], vec![1], vec![0], vec![1], vec![1]];
        let mut order = vec![0, 2, 1, 3, 4];
        let mut seen = vec![order.clone()];
        while next_order(&mut order, &looks) {
            assert!(!seen.contains(&order));
            seen.push(order.clone());
        }
        assert_eq!(seen.len(), 12);
    }

    fn system() -> System {
        System {
            enumerations: vec![vec!["a".into(), "b".into()]],
            variables: vec![
                Variable::array("Flag", 0, Domain::Enumeration(EnumerationId::new(0))),
                Variable::array("Owner", 0, Domain::Process),
                Variable::array("At", 1, Domain::Enumeration(EnumerationId::new(0))),
                Variable::array("Next", 1, Domain::Process),
                Variable::array("Saw", 2, Domain::Enumeration(EnumerationId::new(0))),
            ],
            ..System::default()
        }
    }

    /// The same state with other names: who was `one` is `to[one]` now, cell by cell.
    fn by_hand(system: &System, instance: &Instance<'_>, state: &State, to: &[usize]) -> State {
        let mut other = state.clone();
        for (cell, value) in state.iter().enumerate() {
            let place = instance.place(cell);
            let at: Vec<usize> = place.at.iter().map(|one| to[*one]).collect();
            let held = system.variables[place.variable.index()].domain == Domain::Process;
            other[instance.cell(place.variable, &at)] = match held {
                true => i64::try_from(to[usize::try_from(*value).unwrap()]).unwrap(),
                false => *value,
            };
        }
        other
    }

    #[test]
    fn a_class_is_written_in_one_way_and_different_ones_differently() {
        let system = system();
        quotient_trial::trial(|u| {
            let processes = u.int_in_range(1..=4)?;
            let instance = Instance::new(&system, processes);
            let symmetry = Symmetry::of(&system, &instance).unwrap();
            let mut draw = || -> quotient_trial::arbitrary::Result<State> {
                let values = (0..instance.cells()).map(|cell| instance.values(cell));
                let values: Vec<Vec<i64>> = values.collect();
                values.iter().map(|all| u.choose(all).copied()).collect()
            };
            let (one, two) = (draw()?, draw()?);
            let mut names: Vec<usize> = (0..processes).collect();
            let mut same = false;
            loop {
                let renamed = by_hand(&system, &instance, &one, &names);
                assert_eq!(symmetry.written(&renamed), symmetry.written(&one));
                same |= renamed == two;
                if !next_permutation(&mut names) {
                    break;
                }
            }
            assert_eq!(symmetry.written(&one) == symmetry.written(&two), same);
            Ok(())
        })
        .size_min(64)
        .budget_ms(200);
    }

    #[test]
    fn where_processes_have_an_order_there_are_no_classes() {
        let mut ordered = system();
        let (one, two) = (Term::Process(0), Term::Process(1));
        ordered.always = Formula::ForallOther(Box::new(Formula::ForallOther(Box::new(
            Formula::Compare(one, Relation::AtMost, two),
        ))));
        assert!(Symmetry::of(&ordered, &Instance::new(&ordered, 2)).is_none());
        let plain = system();
        assert!(Symmetry::of(&plain, &Instance::new(&plain, 2)).is_some());
    }
}
