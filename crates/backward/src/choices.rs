//! What can be so for given processes: one part of a condition is decided after the other.
//!
//! A condition about all processes, such as an order of them, is a long list of small demands. All
//! alternatives of all of them together are too many; but whether they can be met at all is found by
//! deciding one demand and looking at once what that leaves of the others.

use quotient_arrays::{Formula, System};
use quotient_core::{Budget, Stop};

use crate::alternatives::{Alternatives, of_formula};
use crate::cube::{Literal, closed, says_more};

/// Demands that must all be met, each by one of its alternatives.
pub(crate) struct Demands<'a> {
    system: &'a System,
    processes: usize,
    all: Vec<Alternatives>,
}

impl<'a> Demands<'a> {
    /// No demands on so many processes.
    pub(crate) fn new(system: &'a System, processes: usize) -> Demands<'a> {
        Demands {
            system,
            processes,
            all: Vec::new(),
        }
    }

    /// Demands a formula of these processes.
    pub(crate) fn demand(&mut self, formula: &Formula, at: &mut Vec<usize>) -> Result<(), Stop> {
        match formula {
            Formula::And(parts) => parts.iter().try_for_each(|part| self.demand(part, at)),
            Formula::ForallOther(body) => {
                for other in 0..self.processes {
                    if !at.contains(&other) {
                        at.push(other);
                        let demanded = self.demand(body, at);
                        at.pop();
                        demanded?;
                    }
                }
                Ok(())
            }
            other => {
                let any = of_formula(self.system, other, at, self.processes)?;
                if !any.iter().any(Vec::is_empty) && !self.all.contains(&any) {
                    self.all.push(any);
                }
                Ok(())
            }
        }
    }

    /// Calls a visitor with literals that meet all demands, and these, until it has enough. Every way
    /// to meet them is one of those that are visited, or says more than one of them.
    pub(crate) fn each(
        &self,
        literals: Vec<Literal>,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Literal]) -> Result<bool, Stop>,
    ) -> Result<(), Stop> {
        let open: Vec<usize> = (0..self.all.len()).collect();
        match closed(self.system, self.processes, literals) {
            Some(literals) => self.decide(literals, open, budget, visit).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Goes on while the visitor wants more.
    fn decide(
        &self,
        mut literals: Vec<Literal>,
        mut open: Vec<usize>,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Literal]) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        loop {
            budget.charge(1 + open.len() as u64)?;
            // What is met already is left out; what can be met in one way is met at once.
            let mut best: Option<(usize, Vec<Vec<Literal>>)> = None;
            let mut sure = false;
            let mut left = Vec::new();
            for (place, &number) in open.iter().enumerate() {
                let any = &self.all[number];
                if any.iter().any(|one| says_more(&literals, one)) {
                    continue;
                }
                let mut ways = any.iter().filter_map(|one| self.with(&literals, one));
                match (ways.next(), ways.next()) {
                    (None, _) => return Ok(true),
                    (Some(only), None) => {
                        drop(ways);
                        literals = only;
                        sure = true;
                        left.extend(&open[place + 1..]);
                        break;
                    }
                    (Some(one), Some(two)) => {
                        let ways: Vec<_> = [one, two].into_iter().chain(ways).collect();
                        if best.as_ref().is_none_or(|best| ways.len() < best.1.len()) {
                            best = Some((number, ways));
                        }
                        left.push(number);
                    }
                }
            }
            open = left;
            if sure {
                continue;
            }
            let Some((number, ways)) = best else {
                return visit(&literals);
            };
            open.retain(|one| *one != number);
            for literals in ways {
                if !self.decide(literals, open.clone(), budget, visit)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
    }

    /// Literals together with others; nothing if they contradict each other.
    fn with(&self, literals: &[Literal], more: &[Literal]) -> Option<Vec<Literal>> {
        // Most contradictions are seen without closing the literals again.
        let clashes = more.iter().any(|one| match one {
            Literal::In(place, values) => literals.iter().any(|known| match known {
                Literal::In(at, known) => at == place && known & values == 0,
                _ => false,
            }),
            _ => false,
        });
        if clashes {
            return None;
        }
        let all = literals.iter().chain(more).cloned();
        closed(self.system, self.processes, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_arrays::{Domain, EnumerationId, Place, Relation, Term, Variable, VariableId};

    /// Three truth values for each pair of processes, and a flag for each.
    fn system() -> System {
        System {
            enumerations: vec![vec!["no".into(), "yes".into()]],
            variables: vec![
                Variable::array("pair", 2, Domain::Enumeration(EnumerationId::new(0))),
                Variable::array("flag", 1, Domain::Enumeration(EnumerationId::new(0))),
            ],
            ..System::default()
        }
    }

    fn comparison(
        u: &mut quotient_trial::arbitrary::Unstructured<'_>,
    ) -> quotient_trial::arbitrary::Result<Formula> {
        let place =
            |u: &mut quotient_trial::arbitrary::Unstructured<'_>| -> quotient_trial::arbitrary::Result<Term> {
                let one = u.int_in_range(0..=2)?;
                Ok(Term::Cell(match u.ratio(1, 2)? {
                    true => Place {
                        variable: VariableId::new(0),
                        at: vec![one, u.int_in_range(0..=2)?],
                    },
                    false => Place {
                        variable: VariableId::new(1),
                        at: vec![one],
                    },
                }))
            };
        let relation = match u.ratio(1, 2)? {
            true => Relation::Same,
            false => Relation::Different,
        };
        let left = place(u)?;
        let right = match u.ratio(1, 4)? {
            true => place(u)?,
            false => Term::Constant(u.int_in_range(0..=1)?),
        };
        Ok(Formula::Compare(left, relation, right))
    }

    fn holds(state: u32, literal: &Literal) -> bool {
        let value = |place: &Place| match place.at[..] {
            [one, two] => state >> (3 * one + two) & 1,
            _ => state >> (9 + place.at[0]) & 1,
        };
        match literal {
            Literal::In(place, values) => values >> value(place) & 1 == 1,
            Literal::Same(left, right) => value(left) == value(right),
            Literal::Different(left, right) => value(left) != value(right),
            _ => false,
        }
    }

    /// Deciding one demand after the other finds exactly the states that meet all of them.
    #[test]
    fn every_state_that_meets_the_demands_is_found() {
        quotient_trial::trial(|u| {
            let system = system();
            let mut demands = Demands::new(&system, 3);
            let mut clauses = Vec::new();
            for _ in 0..u.int_in_range(1..=6)? {
                let mut any = Vec::new();
                for _ in 0..u.int_in_range(1..=3)? {
                    any.push(Formula::And(vec![comparison(u)?, comparison(u)?]));
                }
                let clause = Formula::Or(any);
                demands.demand(&clause, &mut vec![0, 1, 2]).unwrap();
                clauses.push(of_formula(&system, &clause, &mut vec![0, 1, 2], 3).unwrap());
            }
            let mut found: Vec<Vec<Literal>> = Vec::new();
            let visit = &mut |literals: &[Literal]| {
                found.push(literals.to_vec());
                Ok(true)
            };
            let each = demands.each(Vec::new(), &Budget::unlimited(), visit);
            each.unwrap();
            for state in 0..1 << 12 {
                let all = |literals: &Vec<Literal>| literals.iter().all(|one| holds(state, one));
                let met = clauses.iter().all(|any| any.iter().any(all));
                assert_eq!(met, found.iter().any(all), "{state:b} {clauses:?}");
            }
            Ok(())
        })
        .budget_ms(500);
    }
}
