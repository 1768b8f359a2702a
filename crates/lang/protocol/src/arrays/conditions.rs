//! Conditions as formulas about different processes.

use quotient_arrays::{Formula, Relation, Term};

use super::{Field, Finite, Global, Lowered, Misfit, misfit};
use crate::model::{Bound, Comparison, Expr, Protocol, Topology, Value, Who};

/// Who is spoken of: for each process of the protocol's scope its place among those of the
/// formula, which are different unless the last is the index of an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) people: Vec<usize>,
    /// How many places there are.
    pub(super) places: usize,
}

impl Scope {
    pub(super) fn of_places(places: usize) -> Scope {
        Scope {
            people: Vec::new(),
            places,
        }
    }

    /// With one more process, at a place that may be new.
    pub(super) fn with(&self, place: usize) -> Scope {
        let mut people = self.people.clone();
        people.push(place);
        Scope {
            people,
            places: self.places.max(place + 1),
        }
    }
}

/// A part of a condition: the expression, whether it must be true or false, who is who.
pub(super) type Part = (Expr, bool, Vec<usize>);

/// The most different processes that a step or a property may need.
const MOST_PLACES: usize = 6;
/// The most alternatives of a condition.
const MOST_WAYS: usize = 256;
/// The most joint values of the variables of a comparison.
const MOST_JOINT: usize = 4096;

impl Lowered {
    /// The ways in which there may be processes such that a condition is true (false): who they
    /// are, and what is left to demand of them.
    pub(super) fn prenex(
        &self,
        expr: &Expr,
        positive: bool,
        scope: &Scope,
    ) -> Result<Vec<(Scope, Vec<Part>)>, Misfit> {
        match expr {
            Expr::Not(inner) => self.prenex(inner, !positive, scope),
            Expr::And(all) | Expr::Or(all) if matches!(expr, Expr::And(_)) == positive => {
                let mut ways = vec![(scope.clone(), Vec::new())];
                for part in all {
                    let mut next = Vec::new();
                    for (so_far, parts) in &ways {
                        let here = Scope {
                            people: scope.people.clone(),
                            places: so_far.places,
                        };
                        for (more, others) in self.prenex(part, positive, &here)? {
                            next.push((more, [&parts[..], &others[..]].concat()));
                        }
                    }
                    ways = few(next)?;
                }
                let back = |(more, parts): (Scope, Vec<Part>)| {
                    let people = scope.people.clone();
                    let places = more.places;
                    (Scope { people, places }, parts)
                };
                Ok(ways.into_iter().map(back).collect())
            }
            Expr::And(all) | Expr::Or(all) if needs_somebody(expr, positive) => {
                let mut ways = Vec::new();
                for part in all {
                    ways.extend(self.prenex(part, positive, scope)?);
                }
                few(ways)
            }
            Expr::Quantified {
                exists,
                bound,
                body,
            } if *exists == positive && self.holds_somebody(expr, scope).is_none() => {
                let mut ways = Vec::new();
                for place in 0..=scope.places {
                    if place >= MOST_PLACES {
                        return misfit("a condition speaks of too many processes");
                    }
                    let inner = scope.with(place);
                    let apart = |who: &Who| inner.people[*who] != place;
                    if !bound.different_from.iter().all(apart) {
                        continue;
                    }
                    for (more, mut parts) in self.prenex(body, positive, &inner)? {
                        let ranges = range(bound, scope.people.len());
                        let ranges = ranges.into_iter();
                        parts.extend(ranges.map(|part| (part, true, inner.people.clone())));
                        ways.push((more, parts));
                    }
                }
                few(ways)
            }
            Expr::Count { .. } if needs_somebody(expr, positive) => {
                let expr = counted(expr, scope.people.len())?;
                self.prenex(&expr, positive, scope)
            }
            _ => {
                let part = (expr.clone(), positive, scope.people.clone());
                Ok(vec![(scope.clone(), vec![part])])
            }
        }
    }

    /// All parts together; nothing if they cannot be together.
    pub(super) fn together(
        &self,
        protocol: &Protocol,
        parts: &[Part],
        places: usize,
    ) -> Result<Option<Formula>, Misfit> {
        let mut all = Vec::new();
        for (expr, positive, people) in parts {
            let scope = Scope {
                people: people.clone(),
                places,
            };
            match self.formula(protocol, expr, *positive, &scope)? {
                Formula::And(more) => all.extend(more),
                Formula::Or(none) if none.is_empty() => return Ok(None),
                one => all.push(one),
            }
        }
        Ok(Some(Formula::And(all)))
    }

    /// A condition about the processes of a scope, or its opposite.
    // Long because it has an arm for each kind of condition.
    pub(super) fn formula(
        &self,
        protocol: &Protocol,
        expr: &Expr,
        positive: bool,
        scope: &Scope,
    ) -> Result<Formula, Misfit> {
        let people = &scope.people;
        let place = |who: Who| Term::Process(people[who]);
        let truth = |yes: bool| match yes == positive {
            true => Formula::TRUE,
            false => Formula::FALSE,
        };
        let signed = |formula: Formula| match positive {
            true => formula,
            false => formula.negated(),
        };
        match expr {
            Expr::Constant(value) => Ok(truth(*value != 0)),
            Expr::Not(inner) => self.formula(protocol, inner, !positive, scope),
            Expr::And(all) | Expr::Or(all) => {
                let parts = all
                    .iter()
                    .map(|part| self.formula(protocol, part, positive, scope));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(match matches!(expr, Expr::And(_)) == positive {
                    true => all_of(parts),
                    false => any_of(parts),
                })
            }
            Expr::If(condition, yes, no) => {
                let case = |truth: bool, then: &Expr| -> Result<Formula, Misfit> {
                    Ok(all_of(vec![
                        self.formula(protocol, condition, truth, scope)?,
                        self.formula(protocol, then, positive, scope)?,
                    ]))
                };
                Ok(any_of(vec![case(true, yes)?, case(false, no)?]))
            }
            Expr::Same(left, right) => match people[*left] == people[*right] {
                true => Ok(truth(true)),
                // Places are different processes, but for the index of an update.
                false => Ok(signed(Formula::Compare(
                    place(*left),
                    Relation::Same,
                    place(*right),
                ))),
            },
            Expr::Before(left, right) => Ok(signed(Formula::Compare(
                place(*left),
                Relation::Less,
                place(*right),
            ))),
            Expr::Next(left, right) => {
                let (left, right) = (people[*left], people[*right]);
                let ring = protocol.topology == Topology::Ring;
                Ok(signed(neighbours(ring, left, right, scope.places)))
            }
            Expr::First(who) | Expr::Last(who) => {
                let first = matches!(expr, Expr::First(_));
                Ok(signed(at_end(first, people[*who], scope.places)))
            }
            Expr::Nobody(mark) => match &self.fields[*mark] {
                Field::Holder { nobody, .. } => Ok(signed(self.flag(*nobody, &[]))),
                Field::Own(_) => misfit("a variable holds no process"),
            },
            Expr::Quantified {
                exists,
                bound,
                body,
            } => match self.holds_somebody(expr, scope) {
                Some(holds) => Ok(signed(holds)),
                None => {
                    self.quantified(protocol, *exists == positive, positive, bound, body, scope)
                }
            },
            Expr::Count { .. } => {
                let expr = counted(expr, people.len())?;
                self.formula(protocol, &expr, positive, scope)
            }
            Expr::Global(_) | Expr::Field(..) | Expr::Pair(..) | Expr::Compare(..) => {
                self.joint(expr, positive, scope)
            }
            Expr::Threshold {
                bound,
                body,
                comparison,
                threshold,
            } => {
                let inner = scope.with(scope.places);
                let mut all = range(bound, people.len());
                all.push((**body).clone());
                let body = self.formula(protocol, &Expr::And(all), true, &inner)?;
                Ok(signed(self.counted(body, *comparison, threshold)?))
            }
            Expr::Choice(_) | Expr::Size | Expr::Arithmetic(..) | Expr::HowMany { .. } => {
                misfit("a condition cannot be told")
            }
            Expr::Sums(..) => misfit("counts are added that no single count stands for"),
            Expr::Empty(_) | Expr::Matches(..) => misfit("there are channels"),
        }
    }

    fn quantified(
        &self,
        protocol: &Protocol,
        some: bool,
        positive: bool,
        bound: &Bound,
        body: &Expr,
        scope: &Scope,
    ) -> Result<Formula, Misfit> {
        let depth = scope.people.len();
        let one = |inner: &Scope| -> Result<Formula, Misfit> {
            let mut parts = Vec::new();
            for range in range(bound, depth) {
                parts.push(self.formula(protocol, &range, some, inner)?);
            }
            parts.push(self.formula(protocol, body, positive, inner)?);
            Ok(match some {
                true => all_of(parts),
                false => any_of(parts),
            })
        };
        let mut cases = Vec::new();
        for place in 0..scope.places {
            cases.push(one(&scope.with(place))?);
        }
        let other = Box::new(one(&scope.with(scope.places))?);
        cases.push(match some {
            true => Formula::ExistsOther(other),
            false => Formula::ForallOther(other),
        });
        Ok(match some {
            true => any_of(cases),
            false => all_of(cases),
        })
    }

    /// A comparison of values, by all joint values of the variables that it speaks of.
    fn joint(&self, expr: &Expr, positive: bool, scope: &Scope) -> Result<Formula, Misfit> {
        if let Expr::Compare(comparison @ (Comparison::Equal | Comparison::Different), one, two) =
            expr
            && let (Some((one, at)), Some((two, too))) =
                (self.cell(one, scope), self.cell(two, scope))
            && self.alike(one, two)
        {
            let relation = match (*comparison == Comparison::Equal) == positive {
                true => Relation::Same,
                false => Relation::Different,
            };
            let (one, two) = (Term::Cell(one.place(&at)), Term::Cell(two.place(&too)));
            return Ok(match (one == two, relation) {
                (true, Relation::Same) => Formula::TRUE,
                (true, _) => Formula::FALSE,
                _ => Formula::Compare(one, relation, two),
            });
        }
        let mut ways = Vec::new();
        for (values, known) in self.joint_values(expr, scope)? {
            let holds = evaluate(expr, &known).is_some_and(|value| value != 0);
            if holds == positive {
                ways.push(values);
            }
        }
        Ok(any_of(ways.into_iter().map(all_of).collect()))
    }

    /// All joint values of what an expression speaks of: as formulas, and to evaluate it.
    pub(super) fn joint_values(
        &self,
        expr: &Expr,
        scope: &Scope,
    ) -> Result<Vec<(Vec<Formula>, Vec<(Expr, Value)>)>, Misfit> {
        let mut atoms: Vec<Expr> = Vec::new();
        let mut odd = false;
        expr.walk(&mut |part| match part {
            Expr::Global(_) | Expr::Field(..) | Expr::Pair(..) => {
                if !atoms.contains(part) {
                    atoms.push(part.clone());
                }
            }
            Expr::Constant(_)
            | Expr::Not(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Compare(..)
            | Expr::Arithmetic(..)
            | Expr::If(..) => {}
            _ => odd = true,
        });
        if odd {
            return misfit("a value depends on where processes stand");
        }
        let mut all: Vec<(Vec<Formula>, Vec<(Expr, Value)>)> = vec![Default::default()];
        for atom in atoms {
            let values = self.values_of(&atom, scope)?;
            if all.len() * values.len() > MOST_JOINT {
                return misfit("a comparison speaks of too many values");
            }
            let mut next = Vec::new();
            for (formulas, known) in &all {
                for (formula, value) in &values {
                    next.push((
                        [&formulas[..], std::slice::from_ref(formula)].concat(),
                        [&known[..], &[(atom.clone(), *value)]].concat(),
                    ));
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// The values of a variable, each as a formula.
    fn values_of(&self, atom: &Expr, scope: &Scope) -> Result<Vec<(Formula, Value)>, Misfit> {
        if let Some((finite, at)) = self.cell(atom, scope) {
            let values = finite.values.iter();
            let values = values.filter_map(|value| Some((finite.is(&at, *value)?, *value)));
            return Ok(values.collect());
        }
        let (holder, at, who) = match atom {
            Expr::Field(who, field) => (&self.fields[*field], Vec::new(), who),
            Expr::Pair(owner, who, pair) => (&self.pairs[*pair], vec![scope.people[*owner]], who),
            _ => return misfit("a variable is a parameter"),
        };
        let Field::Holder { variable, nobody } = holder else {
            return misfit("a variable is unknown");
        };
        let held = Formula::And(vec![
            self.flag(*nobody, &at).negated(),
            Formula::Compare(
                Term::Cell(quotient_arrays::Place {
                    variable: *variable,
                    at,
                }),
                Relation::Same,
                Term::Process(scope.people[*who]),
            ),
        ]);
        Ok(vec![(held.negated(), 0), (held, 1)])
    }

    /// Whether two variables have the same values.
    pub(super) fn alike(&self, one: &Finite, two: &Finite) -> bool {
        let domain = |finite: &Finite| self.system.variables[finite.variable.index()].domain;
        one.values == two.values && domain(one) == domain(two)
    }

    /// The variable with finitely many values that an expression is, and whose it is.
    pub(super) fn cell(&self, expr: &Expr, scope: &Scope) -> Option<(&Finite, Vec<usize>)> {
        match expr {
            Expr::Global(global) => match &self.globals[*global] {
                Global::Own(finite) => Some((finite, Vec::new())),
                Global::Parameter(_) => None,
            },
            Expr::Pair(owner, other, pair) => match &self.pairs[*pair] {
                Field::Own(finite) => {
                    Some((finite, vec![scope.people[*owner], scope.people[*other]]))
                }
                Field::Holder { .. } => None,
            },
            Expr::Field(who, field) => match &self.fields[*field] {
                Field::Own(finite) => Some((finite, vec![scope.people[*who]])),
                Field::Holder { .. } => None,
            },
            _ => None,
        }
    }
}

/// The value of a plain expression where the values of variables are known.
pub(super) fn evaluate(expr: &Expr, known: &[(Expr, Value)]) -> Option<Value> {
    let value = |expr: &Expr| evaluate(expr, known);
    let holds = |expr: &Expr| value(expr).is_some_and(|value| value != 0);
    let truth = |yes: bool| Some(Value::from(yes));
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Global(_) | Expr::Field(..) | Expr::Pair(..) => {
            let known = known.iter().find(|(one, _)| one == expr);
            known.map(|(_, value)| *value)
        }
        Expr::Not(inner) => truth(!holds(inner)),
        Expr::And(all) => truth(all.iter().all(holds)),
        Expr::Or(all) => truth(all.iter().any(holds)),
        Expr::Compare(comparison, left, right) => {
            truth(comparison.holds(value(left)?, value(right)?))
        }
        Expr::Arithmetic(arithmetic, left, right) => arithmetic.apply(value(left)?, value(right)?),
        Expr::If(condition, yes, no) => match holds(condition) {
            true => value(yes),
            false => value(no),
        },
        _ => None,
    }
}

fn few<T>(ways: Vec<T>) -> Result<Vec<T>, Misfit> {
    match ways.len() > MOST_WAYS {
        true => misfit("a condition has too many alternatives"),
        false => Ok(ways),
    }
}

pub(super) fn all_of(parts: Vec<Formula>) -> Formula {
    if parts.contains(&Formula::FALSE) {
        return Formula::FALSE;
    }
    let mut parts: Vec<Formula> = parts
        .into_iter()
        .filter(|one| *one != Formula::TRUE)
        .collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Formula::And(parts),
    }
}

pub(super) fn any_of(parts: Vec<Formula>) -> Formula {
    if parts.contains(&Formula::TRUE) {
        return Formula::TRUE;
    }
    let mut parts: Vec<Formula> = parts
        .into_iter()
        .filter(|one| *one != Formula::FALSE)
        .collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Formula::Or(parts),
    }
}

/// What a process must be to be in a range; its own number is the depth of the scope.
pub(super) fn range(bound: &Bound, own: Who) -> Vec<Expr> {
    let mut all = Vec::new();
    for other in &bound.different_from {
        all.push(Expr::Not(Box::new(Expr::Same(own, *other))));
    }
    all.extend(bound.left_of.map(|pivot| Expr::Before(own, pivot)));
    all.extend(bound.right_of.map(|pivot| Expr::Before(pivot, own)));
    all
}

pub(super) fn in_range(bound: &Bound, own: Who) -> Expr {
    Expr::And(range(bound, own))
}

/// Whether a condition says that there is somebody.
fn needs_somebody(expr: &Expr, positive: bool) -> bool {
    match expr {
        Expr::Not(inner) => needs_somebody(inner, !positive),
        Expr::And(all) | Expr::Or(all) => all.iter().any(|part| needs_somebody(part, positive)),
        Expr::Quantified { exists, body, .. } => {
            *exists == positive || needs_somebody(body, positive)
        }
        Expr::Count { comparison, .. } => match comparison {
            Comparison::Equal | Comparison::Different => true,
            Comparison::Greater | Comparison::GreaterOrEqual => positive,
            Comparison::Less | Comparison::LessOrEqual => !positive,
        },
        // What sets are known to be large or small is known of alternatives, each by itself.
        Expr::Threshold { .. } => true,
        _ => false,
    }
}

/// A count as quantifiers over different processes.
fn counted(expr: &Expr, depth: usize) -> Result<Expr, Misfit> {
    const MOST: Value = 4;
    let Expr::Count {
        bound,
        body,
        comparison,
        number,
    } = expr
    else {
        return Ok(expr.clone());
    };
    if *number > MOST {
        return misfit("a count is compared with too large a number");
    }
    let at_least = |number: Value| -> Expr {
        let Ok(number) = usize::try_from(number) else {
            return Expr::TRUE;
        };
        let mut inner = Expr::TRUE;
        for which in (0..number).rev() {
            let mut bound = bound.clone();
            bound.different_from.extend(depth..depth + which);
            inner = Expr::Quantified {
                exists: true,
                bound,
                body: Box::new(Expr::And(vec![body.shifted(depth, which), inner])),
            };
        }
        inner
    };
    let not = |expr: Expr| Expr::Not(Box::new(expr));
    Ok(match comparison {
        Comparison::GreaterOrEqual => at_least(*number),
        Comparison::Greater => at_least(number + 1),
        Comparison::Less => not(at_least(*number)),
        Comparison::LessOrEqual => not(at_least(number + 1)),
        Comparison::Equal => Expr::And(vec![at_least(*number), not(at_least(number + 1))]),
        Comparison::Different => Expr::Or(vec![not(at_least(*number)), at_least(number + 1)]),
    })
}

fn before(left: usize, right: usize) -> Formula {
    Formula::Compare(Term::Process(left), Relation::Less, Term::Process(right))
}

/// Nobody of all satisfies what is said of a place.
fn nobody(places: usize, but: &[usize], said: impl Fn(usize) -> Formula) -> Formula {
    let spoken = (0..places).filter(|place| !but.contains(place));
    let mut none: Vec<Formula> = spoken.map(|place| said(place).negated()).collect();
    none.push(Formula::ForallOther(Box::new(said(places).negated())));
    all_of(none)
}

/// The right one is the right neighbour of the left one.
fn neighbours(ring: bool, left: usize, right: usize, places: usize) -> Formula {
    if left == right {
        return Formula::FALSE;
    }
    let between = |low, one, high| Formula::And(vec![before(low, one), before(one, high)]);
    let but = [left, right];
    match ring {
        false => all_of(vec![
            before(left, right),
            nobody(places, &but, |one| between(left, one, right)),
        ]),
        // Two names may be those of one process only where one is the index of an update.
        true => all_of(vec![
            Formula::Or(vec![before(left, right), before(right, left)]),
            nobody(places, &but, |one| {
                Formula::Or(vec![
                    between(left, one, right),
                    between(right, left, one),
                    between(one, right, left),
                ])
            }),
        ]),
    }
}

/// A process stands at the left (right) end.
fn at_end(first: bool, who: usize, places: usize) -> Formula {
    nobody(places, &[who], |one| match first {
        true => before(one, who),
        false => before(who, one),
    })
}
