//! Formulas and states as the language writes them.

use quotient_arrays::{Domain, Formula, Instance, Place, Relation, System, Term};

/// A formula about processes `#1`, `#2`, ….
pub(crate) fn formula(system: &System, formula: &Formula) -> String {
    match formula {
        Formula::And(parts) if parts.is_empty() => "0 = 0".into(),
        Formula::Or(parts) if parts.is_empty() => "0 = 1".into(),
        Formula::And(parts) => joined(system, parts, " && "),
        Formula::Or(parts) => format!("({})", joined(system, parts, " || ")),
        Formula::Compare(left, relation, right) => compare(system, left, *relation, right),
        // Evidence has none; for people.
        Formula::ForallOther(body) => format!("forall_other j. ({})", self::formula(system, body)),
        Formula::ExistsOther(body) => format!("exists_other j. ({})", self::formula(system, body)),
        // The language does not count processes.
        Formula::Enough(_) | Formula::Many(..) | Formula::Few(..) => "0 = 0".into(),
    }
}

fn joined(system: &System, parts: &[Formula], with: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|part| formula(system, part)).collect();
    parts.join(with)
}

fn compare(system: &System, left: &Term, relation: Relation, right: &Term) -> String {
    let domain = [left, right].into_iter().find_map(|term| match term {
        Term::Cell(place) => Some(system.variables[place.variable].domain),
        _ => None,
    });
    let sign = match relation {
        Relation::Same => "=",
        Relation::Different => "<>",
        Relation::Less => "<",
        Relation::AtMost => "<=",
    };
    format!(
        "{} {sign} {}",
        term(system, left, domain),
        term(system, right, domain)
    )
}

fn term(system: &System, term: &Term, domain: Option<Domain>) -> String {
    match term {
        Term::Cell(place) => cell(system, place),
        Term::Process(one) => format!("#{}", one + 1),
        Term::Constant(value) => match domain {
            Some(Domain::Enumeration(number)) => system.enumerations[number][*value].clone(),
            _ => value.to_string(),
        },
        Term::Sum(parts, constant) => {
            let mut text = String::new();
            for (factor, place) in parts {
                // A factor is written as a repeated sum: the language has no products.
                for _ in 0..factor.unsigned_abs() {
                    text.push_str(match (text.is_empty(), *factor < 0) {
                        (true, false) => "",
                        (true, true) => "- ",
                        (false, false) => " + ",
                        (false, true) => " - ",
                    });
                    text.push_str(&cell(system, place));
                }
            }
            match (text.is_empty(), *constant) {
                (true, constant) => constant.to_string(),
                (false, 0) => text,
                (false, constant) if constant < 0 => {
                    format!("{text} - {}", constant.unsigned_abs())
                }
                (false, constant) => format!("{text} + {constant}"),
            }
        }
    }
}

fn cell(system: &System, place: &Place) -> String {
    let name = &system.variables[place.variable].name;
    let at: Vec<String> = place.at.iter().map(|one| format!("#{}", one + 1)).collect();
    match at.is_empty() {
        true => name.clone(),
        false => format!("{name}[{}]", at.join(",")),
    }
}

/// The name of a cell of an instance: `Cache[#2]`.
pub(crate) fn column(system: &System, instance: &Instance<'_>, number: usize) -> String {
    cell(system, &instance.place(number))
}

/// A value of a cell of an instance.
pub(crate) fn value(system: &System, instance: &Instance<'_>, number: usize, value: i64) -> String {
    let variable = instance.place(number).variable;
    match system.variables[variable].domain {
        Domain::Enumeration(of) => {
            let names = &system.enumerations[of];
            let name = usize::try_from(value)
                .ok()
                .and_then(|value| names.get(value));
            name.cloned().unwrap_or_else(|| value.to_string())
        }
        Domain::Process => format!("#{}", value + 1),
        Domain::Opaque(_) => format!("value {}", value + 1),
        Domain::Integer | Domain::Real => value.to_string(),
    }
}

/// A step: its transition and who takes it.
pub(crate) fn step(system: &System, which: usize, at: &[usize]) -> (String, Vec<String>) {
    let by = at.iter().map(|one| format!("#{}", one + 1)).collect();
    (system.transitions[which].name.clone(), by)
}
