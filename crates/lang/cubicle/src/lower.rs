//! A tree to a system: names get their meaning.

mod quantifiers;
mod terms;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use quotient_arrays::{
    Bad, Domain, EnumerationId, Formula, OpaqueId, Place, Relation, Start, System, Term,
    Transition, Update, Value, Variable, VariableId,
};
use quotient_core::{Diagnostic, Source, Span};

use quantifiers::somebody;

use crate::predicates;
use crate::tree::{Assignment, Declared, Expression, Name, Part, Quantified, Step, Tree, Written};

/// The most values of an enumeration.
const MOST_VALUES: usize = 62;
/// The most processes that a formula or a transition may name.
const MOST_PROCESSES: usize = 6;

/// A system with what only people need.
#[derive(Debug, Clone)]
pub(crate) struct Lowered {
    pub(crate) system: System,
    /// Things that are said never to happen, to be used if they can be shown.
    pub(crate) names: Names,
    /// How many millionths make one unit of numbers with fractions.
    unit: i64,
}

/// The enumeration of truth values: every system has it, before all others.
const TRUTH: EnumerationId = EnumerationId::new(0);

/// What names mean.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    types: BTreeMap<String, Domain>,
    variables: BTreeMap<String, VariableId>,
    /// The enumeration and the number of a value.
    values: BTreeMap<String, Vec<(EnumerationId, usize)>>,
}

pub(crate) fn lower(source: &Source, tree: &Tree) -> Result<Lowered, Vec<Diagnostic>> {
    let mut lower = Lower::new(source, tree.unit.max(1));
    let expanded = predicates::expanded(source, tree);
    let tree = match &expanded {
        Ok(tree) => tree,
        Err(mistakes) => return Err(mistakes.clone()),
    };
    lower.types(tree);
    for declared in &tree.variables {
        lower.variable(declared);
    }
    lower.start(tree);
    for (number, bad) in tree.bad.iter().enumerate() {
        let name = match tree.bad.len() {
            1 => "safe".to_string(),
            _ => format!("safe {}", number + 1),
        };
        lower.bad(bad, name);
    }
    for (number, lemma) in tree.lemmas.iter().enumerate() {
        lower.bad(lemma, format!("invariant {}", number + 1));
    }
    for (number, step) in tree.transitions.iter().enumerate() {
        lower.transition(step, own_name(&tree.transitions, number));
    }
    match lower.mistakes.is_empty() {
        true => Ok(Lowered {
            system: lower.system,
            names: lower.names,
            unit: lower.unit,
        }),
        false => Err(lower.mistakes),
    }
}

/// A formula about processes `#1`, `#2`, … of a system that was read.
pub(crate) fn lower_formula(
    source: &Source,
    lowered: &Lowered,
    processes: usize,
    formula: &Expression,
) -> Result<Formula, Vec<Diagnostic>> {
    let mut lower = Lower {
        system: lowered.system.clone(),
        names: lowered.names.clone(),
        ..Lower::new(source, lowered.unit)
    };
    let names: Vec<String> = (1..=processes).map(|one| format!("#{one}")).collect();
    let formula = lower.formula(formula, &names);
    match formula {
        Some(formula) if lower.mistakes.is_empty() => Ok(formula),
        _ => Err(lower.mistakes),
    }
}

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Of(Domain),
    /// A value that several enumerations have.
    Unsure,
}

struct Lower<'a> {
    source: &'a Source,
    system: System,
    names: Names,
    mistakes: Vec<Diagnostic>,
    unit: i64,
    /// Places that may be any process, also one of those before them: indices of an assignment.
    loose: Range<usize>,
    /// How many choices of processes were written out.
    choices: usize,
}

impl<'a> Lower<'a> {
    fn new(source: &'a Source, unit: i64) -> Lower<'a> {
        Lower {
            source,
            system: System::default(),
            names: Names::default(),
            mistakes: Vec::new(),
            unit,
            loose: 0..0,
            choices: 0,
        }
    }
}

impl Lower<'_> {
    fn mistake(&mut self, code: &'static str, message: String, name: &Name) -> &mut Diagnostic {
        let mistake = Diagnostic::error(code, message).at(self.source, name.span, "");
        self.mistakes.push(mistake);
        let last = self.mistakes.len() - 1;
        &mut self.mistakes[last]
    }

    fn types(&mut self, tree: &Tree) {
        let truth = ["False", "True"].map(|text| text.to_string());
        self.system.enumerations.push(truth.to_vec());
        for (number, value) in truth.iter().enumerate() {
            self.names
                .values
                .insert(value.clone(), vec![(TRUTH, number)]);
        }
        for (name, domain) in [
            ("bool", Domain::Enumeration(TRUTH)),
            ("mbool", Domain::Enumeration(TRUTH)),
            ("proc", Domain::Process),
            ("int", Domain::Integer),
            ("real", Domain::Real),
        ] {
            self.names.types.insert(name.into(), domain);
        }
        for (number, (name, values)) in tree.types.iter().enumerate() {
            if values.len() > MOST_VALUES {
                let message = format!("the type has {} values", values.len());
                let mistake = self.mistake("large-type", message, name);
                *mistake = mistake
                    .clone()
                    .help(format!("a type may have {MOST_VALUES}"));
            }
            let domain = match values.is_empty() {
                true => Domain::Opaque(OpaqueId::from_index(number)),
                false => {
                    Domain::Enumeration(EnumerationId::from_index(self.system.enumerations.len()))
                }
            };
            if self.names.types.insert(name.text.clone(), domain).is_some() {
                self.mistake(
                    "twice",
                    format!("there is a type `{}` already", name.text),
                    name,
                );
            }
            if values.is_empty() {
                continue;
            }
            for (at, value) in values.iter().enumerate() {
                if values[..at].iter().any(|before| before.text == value.text) {
                    let message = format!("the type has a value `{}` already", value.text);
                    self.mistake("twice", message, value);
                }
            }
            let enumeration = self.system.enumerations.len();
            self.system
                .enumerations
                .push(values.iter().map(|value| value.text.clone()).collect());
            for (number, value) in values.iter().enumerate() {
                let known = self.names.values.entry(value.text.clone()).or_default();
                known.push((EnumerationId::from_index(enumeration), number));
            }
        }
    }

    fn variable(&mut self, declared: &Declared) {
        let name = &declared.name;
        for index in &declared.indices {
            if index.text != "proc" {
                let message = format!("arrays are indexed by `proc`, not by `{}`", index.text);
                self.mistake("index", message, index);
            }
        }
        if declared.indices.len() > 2 {
            self.mistake("index", "arrays have at most two indices".into(), name);
        }
        let Some(domain) = self.names.types.get(&declared.of.text).copied() else {
            let of = &declared.of;
            let known: Vec<String> = self.names.types.keys().cloned().collect();
            let message = format!("there is no type `{}`", of.text);
            let mistake = self.mistake("no-such-type", message, of);
            *mistake = mistake
                .clone()
                .did_you_mean(&of.text, known.iter().map(String::as_str));
            return;
        };
        let number = self.system.variables.len();
        if self
            .names
            .variables
            .insert(name.text.clone(), VariableId::from_index(number))
            .is_some()
        {
            self.mistake(
                "twice",
                format!("there is a variable `{}` already", name.text),
                name,
            );
        }
        self.system.variables.push(Variable {
            name: name.text.clone(),
            arity: declared.indices.len(),
            domain,
        });
    }

    fn processes(&mut self, names: &[Name]) -> Vec<String> {
        for (number, name) in names.iter().enumerate() {
            self.is_free(name);
            if names[..number].iter().any(|other| other.text == name.text) {
                self.mistake("twice", format!("`{}` is named twice", name.text), name);
            }
        }
        if let Some(name) = names.get(MOST_PROCESSES) {
            let message = format!("more than {MOST_PROCESSES} processes at once");
            self.mistake("many-processes", message, name);
        }
        names.iter().map(|name| name.text.clone()).collect()
    }

    fn start(&mut self, tree: &Tree) {
        match &tree.start {
            None => self.mistakes.push(
                Diagnostic::error("no-start", "the model does not say how it begins")
                    .in_source(self.source)
                    .help(
                        "write `init (z) { … }` with what holds of every process `z` at the start",
                    ),
            ),
            Some(start) => {
                let processes = self.processes(&start.processes);
                let told = self.mistakes.len();
                let formula = self.formula(&start.formula, &processes);
                if let Some(formula) = self.or_told(formula, told, start.span) {
                    self.system.start = Start {
                        processes: processes.len(),
                        formula,
                    };
                }
            }
        }
    }

    fn bad(&mut self, bad: &Quantified, name: String) {
        let (more, formula) = match bad.processes.is_empty() {
            // There are some, whoever they are: these are the processes.
            true => somebody(&bad.formula, true),
            false => (Vec::new(), bad.formula.clone()),
        };
        let processes = self.processes(&[&bad.processes[..], &more[..]].concat());
        let told = self.mistakes.len();
        let formula = self.formula(&formula, &processes);
        if let Some(formula) = self.or_told(formula, told, bad.span) {
            self.system.bad.push(Bad {
                name,
                ways: vec![(processes.len(), formula)],
                span: bad.span,
            });
        }
    }

    /// Nothing is left out of a model without a word.
    fn or_told<T>(&mut self, result: Option<T>, told: usize, span: Span) -> Option<T> {
        if result.is_none() && self.mistakes.len() == told {
            let mistake = Diagnostic::error("not-understood", "this is not understood");
            self.mistakes.push(mistake.at(self.source, span, ""));
        }
        result
    }

    fn transition(&mut self, step: &Step, name: String) {
        let processes = self.processes(&step.processes);
        let told = self.mistakes.len();
        let guard = self.formula(&step.guard, &processes);
        let guard = self.or_told(guard, told, step.span);
        let mut updates: Vec<Update> = Vec::new();
        for (number, assignment) in step.assignments.iter().enumerate() {
            self.written_once(&step.assignments[..number], assignment, &processes);
            let told = self.mistakes.len();
            let written = self.assignment(assignment, &processes);
            self.loose = 0..0;
            let Some((variable, cases)) = self.or_told(written, told, step.span) else {
                continue;
            };
            match updates
                .iter_mut()
                .find(|update| update.variable == variable)
            {
                // At another process: these cases never apply together.
                Some(update) => update.cases.extend(cases),
                None => updates.push(Update { variable, cases }),
            }
        }
        if let Some(guard) = guard {
            self.system.transitions.push(Transition {
                name,
                processes: processes.len(),
                guard,
                updates,
                span: step.span,
            });
        }
    }

    /// A variable is assigned once, or at different processes of the transition: all assignments
    /// happen at once, so that nobody could say which of two counts.
    fn written_once(&mut self, before: &[Assignment], one: &Assignment, processes: &[String]) {
        let fixed = |one: &Assignment| {
            let mut indices = one.indices.iter();
            indices.all(|index| processes.contains(&index.text))
        };
        let texts = |one: &Assignment| -> Vec<String> {
            one.indices.iter().map(|index| index.text.clone()).collect()
        };
        let apart = |other: &Assignment| {
            let (first, second) = (texts(one), texts(other));
            first.len() == second.len() && first != second && fixed(one) && fixed(other)
        };
        let mut same = before
            .iter()
            .filter(|other| other.variable.text == one.variable.text);
        if same.any(|other| !apart(other)) {
            let message = format!("`{}` is assigned a second time", one.variable.text);
            let mistake = self.mistake("twice", message, &one.variable);
            *mistake = (mistake.clone())
                .help("all assignments happen at once: write one, with `case` or `if`");
        }
    }

    fn known_variable(&mut self, name: &Name) -> Option<VariableId> {
        let found = self.names.variables.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<String> = self.names.variables.keys().cloned().collect();
            let message = format!("there is no variable `{}`", name.text);
            let mistake = self.mistake("no-such-variable", message, name);
            *mistake = mistake
                .clone()
                .did_you_mean(&name.text, known.iter().map(String::as_str));
        }
        found
    }

    fn assignment(
        &mut self,
        assignment: &Assignment,
        processes: &[String],
    ) -> Option<(VariableId, Vec<(Formula, Value)>)> {
        let variable = self.known_variable(&assignment.variable)?;
        let (arity, domain) = {
            let data = &self.system.variables[variable.index()];
            (data.arity, data.domain)
        };
        if assignment.indices.is_empty()
            && let Some(other) = self.whole_array(assignment, variable)
        {
            let at = (processes.len()..processes.len() + arity).collect();
            let cell = Term::Cell(Place {
                variable: other,
                at,
            });
            return Some((variable, vec![(Formula::TRUE, Value::Is(cell))]));
        }
        if assignment.indices.len() != arity {
            self.indices_differ(&assignment.variable, arity, assignment.indices.len());
            return None;
        }
        // An index that is a process of the transition is that process; another name is any.
        let mut scope = processes.to_vec();
        let mut fixed = Vec::new();
        for (number, index) in assignment.indices.iter().enumerate() {
            let place = processes.len() + number;
            match processes.iter().position(|process| *process == index.text) {
                Some(process) => {
                    fixed.push(Formula::Compare(
                        Term::Process(place),
                        Relation::Same,
                        Term::Process(process),
                    ));
                    scope.push(format!(" {number}"));
                }
                None => {
                    self.is_free(index);
                    if scope.contains(&index.text) {
                        let message = format!("`{}` is named twice", index.text);
                        self.mistake("twice", message, index);
                    }
                    scope.push(index.text.clone());
                }
            }
        }
        self.loose = processes.len()..scope.len();
        let mut cases = Vec::new();
        for (condition, value) in &assignment.cases {
            let mut conditions = fixed.clone();
            if let Some(condition) = condition {
                conditions.push(self.formula(condition, &scope)?);
            }
            let value = match value {
                None => Value::Any,
                Some(written) => {
                    let (term, sort) = self.term(written, &scope, Some(domain))?;
                    self.same_sort(written, sort, Sort::Of(domain))?;
                    Value::Is(term)
                }
            };
            cases.push((Formula::And(conditions), value));
        }
        Some((variable, cases))
    }

    /// `A := B`: another array with values of the same kind, at every process.
    fn whole_array(&self, assignment: &Assignment, variable: VariableId) -> Option<VariableId> {
        let [(None, Some(written))] = &assignment.cases[..] else {
            return None;
        };
        let [(1, Part::Named(name, indices))] = &written.parts[..] else {
            return None;
        };
        let variables = &self.system.variables;
        let own = &variables[variable.index()];
        let other = variables.iter().position(|one| {
            one.name == name.text && one.arity == own.arity && one.domain == own.domain
        });
        let other = other.map(VariableId::from_index);
        other.filter(|_| own.arity > 0 && indices.is_empty())
    }

    fn indices_differ(&mut self, name: &Name, expected: usize, given: usize) {
        let message = format!("`{}` has {expected} indices, not {given}", name.text);
        self.mistake("index", message, name);
    }

    fn formula(&mut self, expression: &Expression, scope: &[String]) -> Option<Formula> {
        match expression {
            Expression::And(parts) => self.all(parts, scope).map(Formula::And),
            Expression::Or(parts) => self.all(parts, scope).map(Formula::Or),
            Expression::Not(inner) => Some(self.formula(inner, scope)?.negated()),
            Expression::Forall(name, body) => self.other(true, name, body, scope),
            Expression::Exists(name, body) => self.other(false, name, body, scope),
            Expression::Bare(term) => {
                let domain = Domain::Enumeration(TRUTH);
                let (value, sort) = self.term(term, scope, Some(domain))?;
                self.same_sort(term, sort, Sort::Of(domain))?;
                Some(Formula::Compare(value, Relation::Same, Term::Constant(1)))
            }
            Expression::Compare(left, sign, right) => self.compare(left, sign, right, scope),
            Expression::Quantified(every, names, body) => {
                self.different(*every, names, body, scope)
            }
            Expression::Applied(name, _) => {
                let message = format!("there is no predicate `{}`", name.text);
                self.mistake("no-such-predicate", message, name);
                None
            }
        }
    }

    fn all(&mut self, parts: &[Expression], scope: &[String]) -> Option<Vec<Formula>> {
        // Every part is looked at, so that all mistakes are told.
        let parts: Vec<Option<Formula>> =
            parts.iter().map(|part| self.formula(part, scope)).collect();
        parts.into_iter().collect()
    }

    fn compare(
        &mut self,
        left: &Written,
        sign: &str,
        right: &Written,
        scope: &[String],
    ) -> Option<Formula> {
        let (mut one, mut first) = self.term(left, scope, None)?;
        let hint = match first {
            Sort::Of(domain) => Some(domain),
            Sort::Unsure => None,
        };
        let (two, second) = self.term(right, scope, hint)?;
        if first == Sort::Unsure
            && let Sort::Of(domain) = second
        {
            (one, first) = self.term(left, scope, Some(domain))?;
        }
        self.same_sort(right, second, first)?;
        let relation = match sign {
            "=" | "==" => Relation::Same,
            "<>" | "!=" => Relation::Different,
            "<" | ">" => Relation::Less,
            _ => Relation::AtMost,
        };
        let ordered = matches!(
            first,
            Sort::Of(Domain::Integer | Domain::Real | Domain::Process)
        );
        if matches!(relation, Relation::Less | Relation::AtMost) && !ordered {
            let name = Name {
                text: String::new(),
                span: left.span.to(right.span),
            };
            let message = format!("`{sign}` compares numbers or processes");
            self.mistake("no-order", message, &name);
            return None;
        }
        Some(match sign {
            ">" | ">=" => Formula::Compare(two, relation, one),
            _ => Formula::Compare(one, relation, two),
        })
    }
}

/// The name of a transition; a second one of a name has a number behind it, so that a run can say which.
fn own_name(steps: &[Step], number: usize) -> String {
    let text = &steps[number].name.text;
    let before = steps[..number].iter();
    let many = before.filter(|one| one.name.text == *text).count();
    if many == 0 {
        return text.clone();
    }
    // No number leads to a name that another transition has or gets.
    let mut own = format!("{text}_{}", many + 1);
    while steps.iter().any(|one| one.name.text == own) {
        own.push('_');
    }
    own
}
