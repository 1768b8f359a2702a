//! What never happens, as data for evidence and as text for people.

use quotient_arrays::{Domain as Values, Formula, Place, Relation, System, Term, VariableId};
use serde::{Deserialize, Serialize};

/// A list of things that never happen.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Never {
    pub(crate) never: Vec<Part>,
}

/// There are not so many different processes for which all of this is so.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    pub(crate) processes: usize,
    pub(crate) all: Vec<Vec<Atom>>,
}

/// A comparison: of two terms, `=`, `!=`, `<` or `<=`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Atom {
    left: Told,
    is: String,
    right: Told,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Told {
    /// The value of a variable, with the processes it belongs to, from 1.
    Of(String, Vec<usize>),
    /// A value by its name.
    Value(String),
    /// A process, from 1.
    Process(usize),
    /// Values of variables with factors, and a number.
    Sum(Vec<(i64, String, Vec<usize>)>, i64),
}

const RELATIONS: [(Relation, &str); 4] = [
    (Relation::Same, "="),
    (Relation::Different, "!="),
    (Relation::Less, "<"),
    (Relation::AtMost, "<="),
];

impl Part {
    /// From a conjunction of comparisons and of disjunctions of such.
    pub(crate) fn of(system: &System, processes: usize, formula: &Formula) -> Option<Part> {
        let parts = match formula {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let mut all = Vec::new();
        for part in &parts {
            let any = match part {
                Formula::Or(any) => any.clone(),
                other => vec![other.clone()],
            };
            let atoms = any.iter().map(|one| Atom::of(system, one));
            all.push(atoms.collect::<Option<Vec<_>>>()?);
        }
        Some(Part { processes, all })
    }

    /// As a formula of the system; nothing if it speaks of what is not there.
    pub(crate) fn formula(&self, system: &System) -> Option<Formula> {
        let mut all = Vec::new();
        for any in &self.all {
            let any = any.iter().map(|atom| atom.formula(system, self.processes));
            let mut any = any.collect::<Option<Vec<_>>>()?;
            all.push(match any.len() {
                1 => any.remove(0),
                _ => Formula::Or(any),
            });
        }
        Some(Formula::And(all))
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let all = self.all.iter().map(|any| {
            let atoms: Vec<String> = any.iter().map(Atom::text).collect();
            match atoms.len() {
                1 => atoms.concat(),
                _ => format!("({})", atoms.join(" or ")),
            }
        });
        let all: Vec<String> = all.collect();
        all.join(" and ")
    }
}

impl Atom {
    fn of(system: &System, formula: &Formula) -> Option<Atom> {
        let Formula::Compare(left, relation, right) = formula else {
            return None;
        };
        let domain = [left, right].into_iter().find_map(|term| match term {
            Term::Cell(place) => Some(system.variables[place.variable.index()].domain),
            _ => None,
        });
        let (_, sign) = RELATIONS.iter().find(|(known, _)| known == relation)?;
        Some(Atom {
            left: Told::of(system, left, domain)?,
            is: (*sign).to_owned(),
            right: Told::of(system, right, domain)?,
        })
    }

    fn formula(&self, system: &System, processes: usize) -> Option<Formula> {
        let (relation, _) = RELATIONS.iter().find(|(_, sign)| *sign == self.is)?;
        let place = |told: &Told| match told {
            Told::Of(name, at) => place(system, name, at, processes),
            _ => None,
        };
        let domain = [&self.left, &self.right].into_iter().find_map(place);
        let domain = domain.map(|place| system.variables[place.variable.index()].domain);
        let (left, right) = (
            self.left.term(system, domain, processes)?,
            self.right.term(system, domain, processes)?,
        );
        let kinds = [&left, &right].map(|term| kind(system, term, domain));
        (kinds[0] == kinds[1]).then_some(Formula::Compare(left, *relation, right))
    }

    fn text(&self) -> String {
        let (left, right) = (self.left.text(), self.right.text());
        match (self.is.as_str(), right.as_str()) {
            ("=", "true") | ("!=", "false") => left,
            ("=", "false") | ("!=", "true") => format!("not {left}"),
            (is, _) => format!("{left} {is} {right}"),
        }
    }
}

/// What a term is, for comparing like with like.
fn kind(system: &System, term: &Term, domain: Option<Values>) -> Option<Values> {
    match term {
        Term::Cell(place) => Some(system.variables[place.variable.index()].domain),
        Term::Constant(_) => domain.filter(|domain| matches!(domain, Values::Enumeration(_))),
        Term::Process(_) => Some(Values::Process),
        Term::Sum(..) => Some(Values::Integer),
    }
}

fn place(system: &System, name: &str, at: &[usize], processes: usize) -> Option<Place> {
    let variable = system
        .variables
        .iter()
        .position(|known| known.name == name)?;
    let variable = VariableId::from_index(variable);
    let at: Option<Vec<usize>> = at.iter().map(|one| one.checked_sub(1)).collect();
    let at = at?;
    let fits = at.len() == system.variables[variable.index()].arity
        && at.iter().all(|one| *one < processes);
    fits.then_some(Place { variable, at })
}

impl Told {
    fn of(system: &System, term: &Term, domain: Option<Values>) -> Option<Told> {
        let name = |place: &Place| system.variables[place.variable.index()].name.clone();
        let at = |place: &Place| -> Vec<usize> { place.at.iter().map(|one| one + 1).collect() };
        Some(match term {
            Term::Cell(place) => Told::Of(name(place), at(place)),
            Term::Process(one) => Told::Process(one + 1),
            Term::Constant(value) => match domain? {
                Values::Enumeration(number) => {
                    Told::Value(system.enumerations[number.index()].get(*value)?.clone())
                }
                _ => return None,
            },
            Term::Sum(parts, constant) => {
                let parts = parts.iter();
                let parts = parts.map(|(factor, place)| (*factor, name(place), at(place)));
                Told::Sum(parts.collect(), *constant)
            }
        })
    }

    fn term(&self, system: &System, domain: Option<Values>, processes: usize) -> Option<Term> {
        Some(match self {
            Told::Of(name, at) => Term::Cell(place(system, name, at, processes)?),
            Told::Process(one) => {
                let one = one.checked_sub(1).filter(|one| *one < processes)?;
                Term::Process(one)
            }
            Told::Value(value) => match domain? {
                Values::Enumeration(number) => {
                    let values = system.enumerations[number.index()].iter();
                    Term::Constant(values.clone().position(|known| known == value)?)
                }
                _ => return None,
            },
            Told::Sum(parts, constant) => {
                let mut sum = Vec::new();
                for (factor, name, at) in parts {
                    let place = place(system, name, at, processes)?;
                    if system.variables[place.variable.index()].domain != Values::Integer {
                        return None;
                    }
                    sum.push((*factor, place));
                }
                Term::Sum(sum, *constant)
            }
        })
    }

    fn text(&self) -> String {
        let of = |name: &str, at: &[usize]| match at {
            [] => name.to_owned(),
            [one] => format!("#{one}.{name}"),
            [one, two] => format!("#{one}.{name}[#{two}]"),
            more => format!("{name}{more:?}"),
        };
        match self {
            Told::Of(name, at) => of(name, at),
            Told::Value(value) => value.clone(),
            Told::Process(one) => format!("#{one}"),
            Told::Sum(parts, constant) => {
                let parts = parts.iter();
                let parts = parts.map(|(factor, name, at)| match factor {
                    1 => of(name, at),
                    other => format!("{other} * {}", of(name, at)),
                });
                let mut parts: Vec<String> = parts.collect();
                if *constant != 0 || parts.is_empty() {
                    parts.push(constant.to_string());
                }
                parts.join(" + ")
            }
        }
    }
}
