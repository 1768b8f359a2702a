//! Steps as transitions of different processes.

use std::collections::BTreeMap;

use quotient_arrays::{Formula, Relation, Term, Transition, Update, Value as New, VariableId};

use super::conditions::{Part, Scope, all_of, evaluate, in_range};
use super::{Field, Finite, Global, Lowered, Misfit, is_all, misfit};
use crate::model::{Action, Assigned, Chosen, Domain, Expr, Protocol, Step, Value, Who};

/// The most transitions that one step may become.
const MOST_TRANSITIONS: usize = 512;

type Cases = Vec<(Formula, New)>;

impl Lowered {
    /// A step, once for each way in which those it names may be the same or different, and for
    /// each value that it may choose.
    pub(super) fn transitions(
        &self,
        protocol: &Protocol,
        step: &Step,
    ) -> Result<Vec<Transition>, Misfit> {
        let turned = self.turned(&step.guard, true, step.people.len());
        let transitions = self.transitions_when(protocol, step, &turned);
        // Where that is too much, it may still fit as it was said.
        transitions.or_else(|_| self.transitions_when(protocol, step, &step.guard))
    }

    /// The same with a condition that says the same.
    fn transitions_when(
        &self,
        protocol: &Protocol,
        step: &Step,
        guard: &Expr,
    ) -> Result<Vec<Transition>, Misfit> {
        let mut all = Vec::new();
        let domains = step.choices.iter().map(|(_, domain)| domain.values());
        for choices in crate::compile::product(domains) {
            for actions in &step.alternatives {
                for actions in settled(protocol, actions, &choices)? {
                    let guard = guard.with_choices(&choices);
                    self.cast(protocol, step, &guard, &actions, &mut all)?;
                }
            }
        }
        Ok(all)
    }

    /// Tries all ways in which the people of a step may be the same or different.
    fn cast(
        &self,
        protocol: &Protocol,
        step: &Step,
        guard: &Expr,
        actions: &[Action],
        all: &mut Vec<Transition>,
    ) -> Result<(), Misfit> {
        let mut casts = vec![Scope::of_places(0)];
        for _ in &step.people {
            let more = casts.iter();
            let more = more.flat_map(|cast| (0..=cast.places).map(|place| cast.with(place)));
            casts = more.collect();
            if casts.len() > MOST_TRANSITIONS {
                return misfit("a step names too many processes");
            }
        }
        for cast in casts {
            if contradicts(guard, &cast) {
                continue;
            }
            for (scope, parts) in self.prenex(guard, true, &cast)? {
                let places = scope.places;
                let Some(condition) = self.together(protocol, &parts, places)? else {
                    continue;
                };
                let scope = Scope {
                    people: cast.people.clone(),
                    places,
                };
                let updates = self.updates(protocol, actions, &parts, &scope)?;
                all.push(Transition {
                    name: step.name.clone(),
                    processes: places,
                    guard: condition,
                    updates,
                    span: step.span,
                });
                if all.len() > MOST_TRANSITIONS {
                    return misfit("a step has too many alternatives");
                }
            }
        }
        Ok(())
    }

    /// What actions change. Later ones count more; all read before any writes.
    fn updates(
        &self,
        protocol: &Protocol,
        actions: &[Action],
        parts: &[Part],
        scope: &Scope,
    ) -> Result<Vec<Update>, Misfit> {
        let mut cases: BTreeMap<VariableId, Cases> = BTreeMap::new();
        let index = scope.places;
        let is_index =
            |who: usize| Formula::Compare(Term::Process(index), Relation::Same, Term::Process(who));
        for action in actions.iter().rev() {
            match action {
                Action::SetGlobal(global, assigned) => {
                    let Global::Own(finite) = &self.globals[*global] else {
                        return misfit("a parameter is set");
                    };
                    let domain = &protocol.globals[*global].domain;
                    let news = self.news(finite, domain, assigned, parts, scope)?;
                    cases.entry(finite.variable).or_default().extend(news);
                }
                Action::SetField(who, field, assigned) => {
                    let Field::Own(finite) = &self.fields[*field] else {
                        return misfit("a variable holds a process");
                    };
                    let domain = &protocol.fields[*field].domain;
                    let news = self.news(finite, domain, assigned, parts, scope)?;
                    let own = is_index(scope.people[*who]);
                    let news = news.into_iter();
                    let news = news.map(|(when, new)| (all_of(vec![own.clone(), when]), new));
                    cases.entry(finite.variable).or_default().extend(news);
                }
                Action::SetMark(mark, target) => {
                    let Field::Holder { variable, nobody } = &self.fields[*mark] else {
                        return misfit("a variable holds no process");
                    };
                    let none = New::Is(Term::Constant(usize::from(target.is_none())));
                    cases
                        .entry(*nobody)
                        .or_default()
                        .push((Formula::TRUE, none));
                    if let Some(who) = target {
                        let who = New::Is(Term::Process(scope.people[*who]));
                        cases
                            .entry(*variable)
                            .or_default()
                            .push((Formula::TRUE, who));
                    }
                }
                Action::SetPair(..) | Action::SetPointer(..) => {
                    self.set_pair(protocol, action, &Expr::TRUE, parts, scope, &mut cases)?;
                }
                Action::Broadcast(broadcast) => {
                    let own = scope.people.len();
                    let reached = scope.with(index);
                    let when = Expr::And(vec![
                        in_range(&broadcast.bound, own),
                        broadcast.only.clone(),
                    ]);
                    let when = self.formula(protocol, &when, true, &reached)?;
                    let mut parts = parts.to_vec();
                    parts.push((broadcast.only.clone(), true, reached.people.clone()));
                    let only = Expr::And(vec![
                        in_range(&broadcast.bound, own),
                        broadcast.only.clone(),
                    ]);
                    for action in broadcast.pairs.iter().rev() {
                        self.set_pair(protocol, action, &only, &parts, scope, &mut cases)?;
                    }
                    for (field, assigned) in broadcast.assignments.iter().rev() {
                        let Field::Own(finite) = &self.fields[*field] else {
                            return misfit("a variable holds a process");
                        };
                        let domain = &protocol.fields[*field].domain;
                        let news = self.news(finite, domain, assigned, &parts, &reached)?;
                        let news = news.into_iter();
                        let news = news.map(|(more, new)| (all_of(vec![when.clone(), more]), new));
                        cases.entry(finite.variable).or_default().extend(news);
                    }
                }
                Action::Move(..) => return misfit("processes move"),
                Action::Create(..) | Action::Remove(_) => {
                    return misfit("processes are created or removed");
                }
                Action::Channel(..) => return misfit("there are channels"),
            }
        }
        let update = |(variable, cases)| Update { variable, cases };
        Ok(cases.into_iter().map(update).collect())
    }

    /// Sets what a process carries for another, or whom it holds. One of the two may be the one
    /// that a broadcast reaches, if it satisfies a condition.
    fn set_pair(
        &self,
        protocol: &Protocol,
        action: &Action,
        only: &Expr,
        parts: &[Part],
        scope: &Scope,
        cases: &mut BTreeMap<VariableId, Cases>,
    ) -> Result<(), Misfit> {
        let (first, second) = (scope.places, scope.places + 1);
        let reached = scope.people.len();
        let is = |index: usize, place: usize| {
            Formula::Compare(Term::Process(index), Relation::Same, Term::Process(place))
        };
        match action {
            Action::SetPair(owner, other, pair, assigned) => {
                let Field::Own(finite) = &self.pairs[*pair] else {
                    return misfit("a variable holds a process");
                };
                // The one that is reached is the index on its side.
                let at = if *owner == reached { first } else { second };
                let mut inner = scope.with(at);
                inner.places = second + 1;
                let mut when = vec![self.formula(protocol, only, true, &inner)?];
                for (who, index) in [(*owner, first), (*other, second)] {
                    match (who == reached, index == at) {
                        (true, true) => {}
                        (true, false) => when.push(is(first, second)),
                        (false, _) => when.push(is(index, scope.people[who])),
                    }
                }
                let domain = &protocol.pairs[*pair].domain;
                let news = self.news(finite, domain, assigned, parts, &inner)?;
                let news = news.into_iter().map(|(more, new)| {
                    let all = [&when[..], &[more]].concat();
                    (all_of(all), new)
                });
                cases.entry(finite.variable).or_default().extend(news);
            }
            Action::SetPointer(owner, pair, target) => {
                let Field::Holder { variable, nobody } = &self.pairs[*pair] else {
                    return misfit("a variable holds no process");
                };
                let inner = scope.with(first);
                let mut when = vec![self.formula(protocol, only, true, &inner)?];
                if *owner != reached {
                    when.push(is(first, scope.people[*owner]));
                }
                let when = all_of(when);
                let none = New::Is(Term::Constant(usize::from(target.is_none())));
                cases.entry(*nobody).or_default().push((when.clone(), none));
                if let Some(who) = target {
                    let who = New::Is(Term::Process(inner.people[*who]));
                    cases.entry(*variable).or_default().push((when, who));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The new values of a variable, each with when it gets it.
    fn news(
        &self,
        finite: &Finite,
        domain: &Domain,
        assigned: &Assigned,
        parts: &[Part],
        scope: &Scope,
    ) -> Result<Cases, Misfit> {
        let number = |value: Value| finite.values.iter().position(|known| *known == value);
        let expr = match &assigned.value {
            Chosen::AnyOf(values) if is_all(domain, values) => {
                return Ok(vec![(Formula::TRUE, New::Any)]);
            }
            Chosen::AnyOf(_) => return misfit("a step sets many to any of a few values"),
            Chosen::Exactly(expr) => expr,
        };
        if let Some((other, at)) = self.cell(expr, scope)
            && self.alike(other, finite)
        {
            let copied = Term::Cell(other.place(&at));
            return Ok(vec![(Formula::TRUE, New::Is(copied))]);
        }
        let mut cases = Vec::new();
        for (when, known) in self.joint_values(expr, scope)? {
            let value = evaluate(expr, &known).and_then(number);
            match value {
                Some(number) => cases.push((all_of(when), New::Is(Term::Constant(number)))),
                None if excluded(&known, parts, scope) => {}
                None => return misfit("a value may not fit into its variable"),
            }
        }
        Ok(cases)
    }
}

/// Actions with what they choose settled: each choice of a value for one process is one of them.
fn settled(
    protocol: &Protocol,
    actions: &[Action],
    choices: &[Value],
) -> Result<Vec<Vec<Action>>, Misfit> {
    let mut all: Vec<Vec<Action>> = vec![Vec::new()];
    for action in actions {
        let ways: Vec<Action> = match action {
            Action::SetGlobal(global, assigned) => {
                let domain = &protocol.globals[*global].domain;
                let ways = ways(assigned, domain, choices).into_iter();
                ways.map(|one| Action::SetGlobal(*global, one)).collect()
            }
            Action::SetField(who, field, assigned) => {
                let domain = &protocol.fields[*field].domain;
                let ways = ways(assigned, domain, choices).into_iter();
                ways.map(|one| Action::SetField(*who, *field, one))
                    .collect()
            }
            Action::Broadcast(broadcast) => {
                let mut broadcast = broadcast.clone();
                broadcast.only = broadcast.only.with_choices(choices);
                for (_, assigned) in &mut broadcast.assignments {
                    *assigned = chosen(assigned, choices);
                }
                for action in &mut broadcast.pairs {
                    if let Action::SetPair(_, _, _, assigned) = action {
                        *assigned = chosen(assigned, choices);
                    }
                }
                vec![Action::Broadcast(broadcast)]
            }
            Action::SetPair(owner, other, pair, assigned) => {
                let domain = &protocol.pairs[*pair].domain;
                let ways = ways(assigned, domain, choices).into_iter();
                let set = |one| Action::SetPair(*owner, *other, *pair, one);
                ways.map(set).collect()
            }
            other => vec![other.clone()],
        };
        let more = all.iter().flat_map(|before| {
            ways.iter().map(move |way| {
                let mut before = before.clone();
                before.push(way.clone());
                before
            })
        });
        all = more.collect();
        if all.len() > MOST_TRANSITIONS {
            return misfit("a step chooses among too many values");
        }
    }
    Ok(all)
}

fn chosen(assigned: &Assigned, choices: &[Value]) -> Assigned {
    match &assigned.value {
        Chosen::Exactly(expr) => Assigned {
            value: Chosen::Exactly(expr.with_choices(choices)),
            span: assigned.span,
        },
        Chosen::AnyOf(_) => assigned.clone(),
    }
}

/// An assignment that may give a few values, once for each.
fn ways(assigned: &Assigned, domain: &Domain, choices: &[Value]) -> Vec<Assigned> {
    match &assigned.value {
        Chosen::AnyOf(values) if !is_all(domain, values) => {
            let exactly = |value: &Value| Assigned {
                value: Chosen::Exactly(Expr::Constant(*value)),
                span: assigned.span,
            };
            values.iter().map(exactly).collect()
        }
        _ => vec![chosen(assigned, choices)],
    }
}

/// Whether a part of the guard says that two of one place are different, or at two places the same.
fn contradicts(guard: &Expr, cast: &Scope) -> bool {
    let same = |one: &Who, two: &Who| cast.people[*one] == cast.people[*two];
    match guard {
        Expr::And(all) => all.iter().any(|part| contradicts(part, cast)),
        Expr::Same(one, two) => !same(one, two),
        Expr::Before(one, two) => same(one, two),
        Expr::Not(inner) => match &**inner {
            Expr::Same(one, two) => same(one, two),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the guard excludes these values: a part of it speaks of no others and is false.
fn excluded(known: &[(Expr, Value)], parts: &[Part], scope: &Scope) -> bool {
    parts.iter().any(|(expr, positive, people)| {
        let same_people = scope.people.starts_with(people) || people.starts_with(&scope.people);
        let mut told = expr.is_plain();
        expr.walk(&mut |part| {
            let is_atom = matches!(part, Expr::Global(_) | Expr::Field(..) | Expr::Pair(..));
            told &= !is_atom || known.iter().any(|(atom, _)| atom == part);
        });
        // Where it has no value, nothing is known.
        let value = evaluate(expr, known).map(|value| value != 0);
        same_people && told && value == Some(!positive)
    })
}
