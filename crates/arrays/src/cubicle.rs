//! Systems as texts of Cubicle's language.

use std::collections::BTreeSet;

use crate::{Domain, Formula, OpaqueId, Place, Relation, System, Term, Update, Value};

impl System {
    /// The system as a text of Cubicle's language, or why it cannot be said there.
    ///
    /// Names are made such as the language has them: those of variables and values begin with a
    /// capital letter, and each names one thing. Every way in which something bad may happen is an
    /// `unsafe` of its own.
    ///
    /// ```
    /// use quotient_arrays::{Domain, EnumerationId, System, Variable};
    /// let system = System {
    ///     enumerations: vec![vec!["off".into(), "on".into()]],
    ///     variables: vec![Variable::array("light", 1, Domain::Enumeration(EnumerationId::new(0)))],
    ///     ..System::default()
    /// };
    /// let text = system.cubicle()?;
    /// assert!(text.contains("type t1 = Off | On") && text.contains("array Light[proc] : t1"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn cubicle(&self) -> Result<String, String> {
        if self.always != Formula::TRUE {
            return Err("what is so in every state cannot be said in Cubicle's language".into());
        }
        if (self.variables.iter()).any(|variable| variable.domain == Domain::Real) {
            return Err("numbers with fractions are not written".into());
        }
        let mut writer = Writer::new(self);
        writer.declarations();
        let processes = names(self.start.processes.max(1));
        let start = writer.formula(&self.start.formula, &processes)?;
        writer.line(&format!("\ninit ({}) {{ {start} }}", processes.join(" ")));
        for (processes, formula) in self.bad.iter().flat_map(|bad| &bad.ways) {
            let processes = names(*processes);
            let formula = writer.formula(formula, &processes)?;
            writer.line(&format!(
                "\nunsafe ({}) {{ {formula} }}",
                processes.join(" ")
            ));
        }
        let mut taken = BTreeSet::new();
        for transition in &self.transitions {
            let processes = names(transition.processes);
            let name = unused(&plain(&transition.name, false), &mut taken);
            writer.line(&format!("\ntransition {name} ({})", processes.join(" ")));
            let guard = writer.formula(&transition.guard, &processes)?;
            writer.line(&format!("requires {{ {guard} }}\n{{"));
            for update in &transition.updates {
                let update = writer.update(update, &processes)?;
                writer.line(&format!("  {update};"));
            }
            writer.line("}");
        }
        Ok(writer.text)
    }
}

impl System {
    /// A formula about processes `#1`, `#2`, … as Cubicle's language writes it, with the names of the
    /// system as they are. What the language cannot say (counts of processes) is left out.
    ///
    /// ```
    /// use quotient_arrays::{Domain, EnumerationId, Formula, Place, Relation, System, Term};
    /// use quotient_arrays::{Variable, VariableId};
    /// let system = System {
    ///     enumerations: vec![vec!["Out".into(), "In".into()]],
    ///     variables: vec![Variable::array("At", 1, Domain::Enumeration(EnumerationId::new(0)))],
    ///     ..System::default()
    /// };
    /// let cell = Term::Cell(Place { variable: VariableId::new(0), at: vec![1] });
    /// let formula = Formula::Compare(cell, Relation::Same, Term::Constant(1));
    /// assert_eq!(system.written(&formula), "At[#2] = In");
    /// ```
    pub fn written(&self, formula: &Formula) -> String {
        let scope = numbered();
        let written = Writer::plain(self).formula(formula, &scope);
        written.unwrap_or_else(|_| "0 = 0".to_owned())
    }

    /// The name of a cell: `Cache[#2]`.
    pub fn cell_name(&self, place: &Place) -> String {
        Writer::plain(self).cell(place, &numbered())
    }
}

/// `#1`, `#2`, …: more than any formula speaks of.
fn numbered() -> Vec<String> {
    (1..=64).map(|one| format!("#{one}")).collect()
}

/// Names for so many processes.
fn names(processes: usize) -> Vec<String> {
    (1..=processes).map(|one| format!("p{one}")).collect()
}

struct Writer<'a> {
    system: &'a System,
    variables: Vec<String>,
    /// The values of each enumeration; none where it is that of truth values.
    values: Vec<Vec<String>>,
    text: String,
}

impl<'a> Writer<'a> {
    fn new(system: &'a System) -> Writer<'a> {
        let mut taken: BTreeSet<String> = ["True", "False"].map(str::to_owned).into();
        let variables = system.variables.iter();
        let variables = variables.map(|one| unused(&plain(&one.name, true), &mut taken));
        let variables = variables.collect();
        let values = system.enumerations.iter().map(|values| {
            if is_truth(values) {
                return vec!["False".to_owned(), "True".to_owned()];
            }
            let values = values.iter();
            values
                .map(|value| unused(&plain(value, true), &mut taken))
                .collect()
        });
        Writer {
            system,
            variables,
            values: values.collect(),
            text: String::new(),
        }
    }

    /// With the names of the system as they are.
    fn plain(system: &'a System) -> Writer<'a> {
        let variables = system.variables.iter();
        Writer {
            system,
            variables: variables.map(|variable| variable.name.clone()).collect(),
            values: system.enumerations.clone(),
            text: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn declarations(&mut self) {
        let system = self.system;
        for (number, values) in system.enumerations.iter().enumerate() {
            if !is_truth(values) {
                let values = self.values[number].join(" | ");
                self.line(&format!("type t{} = {values}", number + 1));
            }
        }
        let opaque: BTreeSet<OpaqueId> = (system.variables.iter())
            .filter_map(|variable| match variable.domain {
                Domain::Opaque(number) => Some(number),
                _ => None,
            })
            .collect();
        for number in opaque {
            self.line(&format!("type d{}", number.index() + 1));
        }
        for (number, variable) in system.variables.iter().enumerate() {
            let of = match variable.domain {
                Domain::Enumeration(of) if is_truth(&system.enumerations[of.index()]) => {
                    "bool".to_owned()
                }
                Domain::Enumeration(of) => format!("t{}", of.index() + 1),
                Domain::Process => "proc".to_owned(),
                Domain::Opaque(of) => format!("d{}", of.index() + 1),
                Domain::Integer => "int".to_owned(),
                Domain::Real => "real".to_owned(),
            };
            let name = &self.variables[number];
            let line = match variable.arity {
                0 => format!("var {name} : {of}"),
                1 => format!("array {name}[proc] : {of}"),
                _ => format!("array {name}[proc, proc] : {of}"),
            };
            self.line(&line);
        }
    }

    fn update(&self, update: &Update, processes: &[String]) -> Result<String, String> {
        let arity = self.system.variables[update.variable.index()].arity;
        let indices = ["i", "j"][..arity].iter().map(|index| (*index).to_owned());
        let indices: Vec<String> = indices.collect();
        let scope = [processes, &indices[..]].concat();
        let own = Place {
            variable: update.variable,
            at: (processes.len()..scope.len()).collect(),
        };
        let target = self.cell(&own, &scope);
        let domain = self.system.variables[update.variable.index()].domain;
        let value = |value: &Value| match value {
            Value::Any => "?".to_owned(),
            Value::Is(term) => self.term(term, &scope, Some(domain)),
        };
        if let [(Formula::And(parts), new)] = &update.cases[..]
            && parts.is_empty()
        {
            return Ok(format!("{target} := {}", value(new)));
        }
        let mut text = format!("{target} := case");
        let mut open = true;
        for (condition, new) in &update.cases {
            if !open {
                break;
            }
            open = *condition != Formula::TRUE;
            let condition = match open {
                true => self.formula(condition, &scope)?,
                false => "_".to_owned(),
            };
            text.push_str(&format!("\n    | {condition} : {}", value(new)));
        }
        if open {
            text.push_str(&format!("\n    | _ : {target}"));
        }
        Ok(text)
    }

    fn formula(&self, formula: &Formula, scope: &[String]) -> Result<String, String> {
        let all = |parts: &[Formula], with: &str| -> Result<String, String> {
            let parts = parts.iter().map(|part| self.formula(part, scope));
            Ok(parts.collect::<Result<Vec<_>, _>>()?.join(with))
        };
        let other = |word: &str, body: &Formula| -> Result<String, String> {
            let name = format!("p{}", scope.len() + 1);
            let inner = [scope, std::slice::from_ref(&name)].concat();
            Ok(format!(
                "({word} {name}. ({}))",
                self.formula(body, &inner)?
            ))
        };
        Ok(match formula {
            Formula::And(parts) if parts.is_empty() => "0 = 0".to_owned(),
            Formula::Or(parts) if parts.is_empty() => "0 = 1".to_owned(),
            Formula::And(parts) => all(parts, " && ")?,
            Formula::Or(parts) => {
                let parts = parts.iter().map(|part| match part {
                    Formula::And(_) => Ok(format!("({})", self.formula(part, scope)?)),
                    part => self.formula(part, scope),
                });
                let parts = parts.collect::<Result<Vec<String>, String>>()?;
                format!("({})", parts.join(" || "))
            }
            Formula::Compare(left, relation, right) => {
                let domain = [left, right].into_iter().find_map(|term| match term {
                    Term::Cell(place) => Some(self.system.variables[place.variable.index()].domain),
                    _ => None,
                });
                let sign = match relation {
                    Relation::Same => "=",
                    Relation::Different => "<>",
                    Relation::Less => "<",
                    Relation::AtMost => "<=",
                };
                let (left, right) = (
                    self.term(left, scope, domain),
                    self.term(right, scope, domain),
                );
                format!("{left} {sign} {right}")
            }
            Formula::ForallOther(body) => other("forall_other", body)?,
            Formula::ExistsOther(body) => other("exists_other", body)?,
            Formula::Enough(_) | Formula::Many(..) | Formula::Few(..) => {
                return Err("Cubicle's language does not count processes".into());
            }
        })
    }

    fn term(&self, term: &Term, scope: &[String], domain: Option<Domain>) -> String {
        match term {
            Term::Cell(place) => self.cell(place, scope),
            Term::Process(one) => scope.get(*one).cloned().unwrap_or_default(),
            Term::Constant(value) => match domain {
                Some(Domain::Enumeration(number)) => self.values[number.index()]
                    .get(*value)
                    .cloned()
                    .unwrap_or_else(|| value.to_string()),
                _ => value.to_string(),
            },
            Term::Sum(parts, constant) => {
                let mut text = String::new();
                for (factor, place) in parts {
                    text.push_str(match (text.is_empty(), *factor < 0) {
                        (true, false) => "",
                        (true, true) => "- ",
                        (false, false) => " + ",
                        (false, true) => " - ",
                    });
                    if factor.unsigned_abs() != 1 {
                        text.push_str(&format!("{} * ", factor.unsigned_abs()));
                    }
                    text.push_str(&self.cell(place, scope));
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

    fn cell(&self, place: &Place, scope: &[String]) -> String {
        let name = &self.variables[place.variable.index()];
        let at = place.at.iter();
        let at: Vec<String> = at
            .map(|one| scope.get(*one).cloned().unwrap_or_default())
            .collect();
        match at.is_empty() {
            true => name.clone(),
            false => format!("{name}[{}]", at.join(", ")),
        }
    }
}

fn is_truth(values: &[String]) -> bool {
    values.len() == 2
        && values[0].eq_ignore_ascii_case("false")
        && values[1].eq_ignore_ascii_case("true")
}

/// A name with letters, digits and low lines only, beginning as names of its kind do.
fn plain(name: &str, capital: bool) -> String {
    let kept = name.chars();
    let mut kept: String = kept
        .map(|letter| match letter.is_ascii_alphanumeric() {
            true => letter,
            false => '_',
        })
        .collect();
    while kept.contains("__") {
        kept = kept.replace("__", "_");
    }
    let kept = kept.trim_matches('_');
    let first = kept.chars().next();
    match (first, capital) {
        (Some(first), true) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_uppercase(), &kept[1..])
        }
        (Some(first), false) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_lowercase(), &kept[1..])
        }
        (_, true) => format!("V{kept}"),
        (_, false) => format!("t{kept}"),
    }
}

/// The name, or with a number behind it if it is taken.
fn unused(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}
