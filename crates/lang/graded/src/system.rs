//! Systems: states, propositions with grades, programs as sparse matrices.

use std::collections::HashMap;
use std::sync::Arc;

use quotient_core::{Diagnostic, Source, Span};

use crate::algebra::ActionLattice;
use crate::imperative::{MOST_STATES, Space};
use crate::import::{Imported, Label, Name};
use crate::tree::{Action, Check, Formula, Place, Program, Spot, Tree};
use crate::typed::{Modality, Relation, Steps, Typed};
use crate::words::short;

/// Files that a text names, read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attached<'a> {
    pub(crate) transitions: Vec<(&'a Source, Imported<'a>)>,
    pub(crate) labels: &'a [(Source, Vec<Label>)],
}

/// So many mistakes of files are told at once.
const MOST_MISTAKES: usize = 20;

/// A weighted transition system over an algebra.
#[derive(Debug, Clone)]
pub(crate) struct System<A: ActionLattice> {
    pub(crate) algebra: A,
    pub(crate) states: Vec<String>,
    pub(crate) initial: Vec<usize>,
    pub(crate) propositions: Vec<(String, Arc<Vec<A::Grade>>)>,
    pub(crate) programs: Vec<Arc<Relation<A::Grade>>>,
    pub(crate) space: Space,
    /// The first so many states are called by their numbers.
    counted: usize,
    /// The numbers of the others.
    numbers: HashMap<String, usize>,
}

/// A property with its meaning.
#[derive(Debug, Clone)]
pub(crate) struct Question<G> {
    pub(crate) check: Check,
    pub(crate) formula: Typed<G>,
    pub(crate) bound: Option<(&'static str, G)>,
    /// The states it is asked at, and whether one of them is enough.
    pub(crate) states: Vec<usize>,
    pub(crate) somewhere: bool,
}

impl<A: ActionLattice> System<A> {
    /// The system of a file; all mistakes are told.
    pub(crate) fn build(
        algebra: A,
        tree: &Tree,
        attached: &Attached<'_>,
        source: &Source,
    ) -> Result<System<A>, Vec<Diagnostic>> {
        let space = Space::new(&tree.variables, source).map_err(|mistake| vec![mistake])?;
        let mut system = System {
            algebra,
            states: Vec::new(),
            initial: Vec::new(),
            propositions: Vec::new(),
            programs: Vec::new(),
            space,
            counted: 0,
            numbers: HashMap::new(),
        };
        let mut mistakes = Vec::new();
        system.name_states(tree, attached, source, &mut mistakes);
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        for spot in &tree.initial {
            match system.state(spot, source) {
                Ok(state) => system.initial.push(state),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let start = system.start_of_files(attached, &mut mistakes);
        if system.initial.is_empty() {
            system.initial = match start {
                Some(state) => vec![state],
                None => system.space.starts(),
            };
        }
        system.grade_propositions(tree, attached, source, &mut mistakes);
        system.add_programs(tree, attached, source, &mut mistakes);
        match mistakes.is_empty() {
            true => Ok(system),
            false => Err(mistakes),
        }
    }

    fn name_states(
        &mut self,
        tree: &Tree,
        attached: &Attached<'_>,
        source: &Source,
        mistakes: &mut Vec<Diagnostic>,
    ) {
        if !tree.variables.is_empty() {
            if let Some(spot) = tree.states.first() {
                let message = "a system of variables has no other states";
                mistakes.push(Diagnostic::error("states-twice", message).at(source, spot.span, ""));
            }
            self.states = (0..self.space.size)
                .map(|state| self.space.name(state))
                .collect();
            self.numbers = self.states.iter().cloned().zip(0..).collect();
            return;
        }
        self.states = tree.states.iter().map(|spot| spot.text.clone()).collect();
        let announced = attached
            .transitions
            .iter()
            .filter_map(|(_, file)| file.states)
            .max();
        let counted = tree.count.map(|(count, _)| count).max(announced);
        if let (Some((count, span)), true) = (tree.count, counted > Some(MOST_STATES)) {
            let message = format!("{count} states are too many: at most {MOST_STATES} are taken");
            mistakes.push(Diagnostic::error("too-many-states", message).at(source, span, ""));
            return;
        }
        for (place, spot) in tree.states.iter().enumerate() {
            if self.numbers.insert(spot.text.clone(), place).is_some() {
                let message = format!("there are two states `{}`", spot.text);
                mistakes
                    .push(Diagnostic::error("declared-twice", message).at(source, spot.span, ""));
            }
        }
        let counted = counted.unwrap_or(0);
        match tree.states.is_empty() {
            true => {
                self.counted = counted;
                self.states = (0..counted).map(|number| number.to_string()).collect();
            }
            false => {
                for number in 0..counted {
                    self.add_state(&number.to_string());
                }
            }
        }
        // Rows of a table name their states.
        for (_, file) in &attached.transitions {
            for edge in &file.edges {
                for name in [&edge.from, &edge.to] {
                    if let Name::Text(name) = name {
                        self.add_state(name);
                    }
                }
            }
        }
        if self.states.is_empty() {
            mistakes.push(
                Diagnostic::error("no-states", "there are no states")
                    .in_source(source)
                    .help("list them after `states`, or declare variables"),
            );
        }
    }

    /// Adds a state, unless there is one with its name.
    fn add_state(&mut self, name: &str) {
        if self.number(name).is_none() {
            self.numbers.insert(name.to_owned(), self.states.len());
            self.states.push(name.to_owned());
        }
    }

    /// The state with a name.
    fn number(&self, name: &str) -> Option<usize> {
        // Only a number as it is usually written is the name of a counted state.
        let usual = name.len() == 1 || !name.starts_with(['0', '+']);
        let number = name.parse::<usize>().ok().filter(|_| usual);
        match number {
            Some(number) if number < self.counted => Some(number),
            _ => self.numbers.get(name).copied(),
        }
    }

    /// The state that is called by a number.
    fn numbered(&self, number: usize) -> Option<usize> {
        match number < self.counted {
            true => Some(number),
            false => self.numbers.get(&number.to_string()).copied(),
        }
    }

    /// The state that the first file of transitions begins with, if one says so.
    fn start_of_files(
        &self,
        attached: &Attached<'_>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<usize> {
        let mut files = attached.transitions.iter();
        let (file, number) = files.find_map(|(file, read)| Some((file, read.initial?)))?;
        let found = self.numbered(number);
        if found.is_none() {
            let message = format!("it begins at {number}, which is no state of this system");
            mistakes.push(Diagnostic::error("unknown-state", message).in_source(file));
        }
        found
    }

    fn grade_propositions(
        &mut self,
        tree: &Tree,
        attached: &Attached<'_>,
        source: &Source,
        mistakes: &mut Vec<Diagnostic>,
    ) {
        let zero = self.algebra.zero();
        let empty = || vec![zero.clone(); self.states.len()];
        let mut found: Vec<(String, Vec<A::Grade>)> = Vec::new();
        for (file, label) in labels_of(attached) {
            if found.iter().any(|(other, _)| *other == label.name) {
                let message = format!("there are two labels `{}`", label.name);
                mistakes.push(Diagnostic::error("declared-twice", message).in_source(file));
            }
            let mut grades = empty();
            for (number, span) in &label.states {
                match self.numbered(*number) {
                    Some(state) => grades[state] = self.algebra.one(),
                    None if mistakes.len() > MOST_MISTAKES => break,
                    None => {
                        let message = format!("there is no state `{number}`");
                        let mistake = Diagnostic::error("unknown-state", message);
                        mistakes.push(mistake.at(file, *span, ""));
                    }
                }
            }
            found.push((label.name.clone(), grades));
        }
        for proposition in &tree.propositions {
            let name = &proposition.name;
            if found.iter().any(|(other, _)| *other == name.text) {
                let message = format!("there are two propositions `{}`", name.text);
                mistakes
                    .push(Diagnostic::error("declared-twice", message).at(source, name.span, ""));
            }
            let mut grades = empty();
            if let Some((condition, grade)) = &proposition.when {
                let grade = grade
                    .as_ref()
                    .map_or(Ok(self.algebra.one()), |spot| self.grade(spot, source));
                match grade.and_then(|grade| self.condition(condition, &grade, source)) {
                    Ok(found) => grades = found,
                    Err(mistake) => mistakes.push(mistake),
                }
            }
            for (state, grade) in &proposition.at {
                let grade = grade
                    .as_ref()
                    .map_or(Ok(self.algebra.one()), |spot| self.grade(spot, source));
                match (self.state(state, source), grade) {
                    (Ok(state), Ok(grade)) => grades[state] = grade,
                    (Err(mistake), _) | (_, Err(mistake)) => mistakes.push(mistake),
                }
            }
            found.push((name.text.clone(), grades));
        }
        self.propositions = found
            .into_iter()
            .map(|(name, grades)| (name, Arc::new(grades)))
            .collect();
    }

    fn add_programs(
        &mut self,
        tree: &Tree,
        attached: &Attached<'_>,
        source: &Source,
        mistakes: &mut Vec<Diagnostic>,
    ) {
        let mut edges: Vec<(String, Vec<(u32, u32, A::Grade)>)> = Vec::new();
        for definition in &tree.programs {
            let place = slot(&mut edges, &definition.name.text);
            for (from, to, weight) in &definition.edges {
                let ends = self
                    .state(from, source)
                    .and_then(|from| Ok((from, self.state(to, source)?)));
                let weight = weight
                    .as_ref()
                    .map_or(Ok(self.algebra.one()), |spot| self.grade(spot, source));
                match (ends, weight) {
                    (Ok((from, to)), Ok(weight)) => {
                        edges[place].1.push((from as u32, to as u32, weight))
                    }
                    (Err(mistake), _) | (_, Err(mistake)) => mistakes.push(mistake),
                }
            }
            for action in &definition.actions {
                match self.action(action, source) {
                    Ok(mut found) => edges[place].1.append(&mut found),
                    Err(mistake) => mistakes.push(mistake),
                }
            }
        }
        for (file, imported) in &attached.transitions {
            for edge in &imported.edges {
                let weight = match edge.weight {
                    Some((text, span)) => self.grade_of(text, span, file),
                    None => Ok(self.algebra.one()),
                };
                let number = |name: &Name<'_>| match name {
                    Name::Number(number) => self.numbered(*number),
                    Name::Text(name) => self.number(name),
                };
                match (number(&edge.from), number(&edge.to), weight) {
                    (Some(from), Some(to), Ok(weight)) => {
                        let place = slot(&mut edges, edge.program);
                        edges[place].1.push((from as u32, to as u32, weight));
                    }
                    (_, _, Err(mistake)) => mistakes.push(mistake),
                    _ => {
                        let message = "a transition begins or ends at no state of this system";
                        let mistake = Diagnostic::error("unknown-state", message);
                        mistakes.push(mistake.in_source(file));
                    }
                }
                if mistakes.len() > MOST_MISTAKES {
                    return;
                }
            }
        }
        let relation = |(name, edges): (String, Vec<_>)| {
            Arc::new(Relation::new(&name, self.states.len(), &edges))
        };
        self.programs = edges.into_iter().map(relation).collect();
    }

    fn state(&self, spot: &Spot, source: &Source) -> Result<usize, Diagnostic> {
        self.number(&spot.text).ok_or_else(|| {
            let names = self.states.iter().take(1000).map(String::as_str);
            Diagnostic::error(
                "unknown-state",
                format!("there is no state `{}`", spot.text),
            )
            .at(source, spot.span, "")
            .did_you_mean(&spot.text, names)
        })
    }

    pub(crate) fn grade(&self, spot: &Spot, source: &Source) -> Result<A::Grade, Diagnostic> {
        self.grade_of(&spot.text, spot.span, source)
    }

    fn grade_of(&self, text: &str, span: Span, source: &Source) -> Result<A::Grade, Diagnostic> {
        self.algebra.read(text).ok_or_else(|| {
            let message = format!("`{}` is no grade of `{}`", short(text), self.algebra.name());
            Diagnostic::error("unknown-grade", message)
                .at(source, span, "")
                .note(format!("a grade is {}", self.algebra.spelling()))
        })
    }

    /// What a property means here.
    pub(crate) fn question(
        &self,
        check: &Check,
        source: &Source,
    ) -> Result<Question<A::Grade>, Diagnostic> {
        let formula = self.formula(&check.formula, source)?;
        let bound = match &check.bound {
            Some((sign, spot)) => Some((*sign, self.grade(spot, source)?)),
            None => None,
        };
        let all = || (0..self.states.len()).collect();
        let (states, somewhere) = match &check.place {
            Place::Everywhere => (all(), false),
            Place::Somewhere => (all(), true),
            Place::Start if self.initial.is_empty() => (all(), false),
            Place::Start => (self.initial.clone(), false),
            Place::At(spots) => {
                let states = spots.iter().map(|spot| self.state(spot, source));
                (states.collect::<Result<_, _>>()?, false)
            }
        };
        Ok(Question {
            check: check.clone(),
            formula,
            bound,
            states,
            somewhere,
        })
    }

    /// The meaning of a formula.
    pub(crate) fn formula(
        &self,
        of: &Formula,
        source: &Source,
    ) -> Result<Typed<A::Grade>, Diagnostic> {
        let again = |part: &Formula| self.formula(part, source).map(Box::new);
        Ok(match of {
            Formula::True => Typed::Constant(self.algebra.top()),
            Formula::False => Typed::Constant(self.algebra.zero()),
            Formula::Grade(spot) => Typed::Constant(self.grade(spot, source)?),
            Formula::Condition(condition) => {
                let grades = self.condition(condition, &self.algebra.one(), source)?;
                Typed::Vector(Arc::new(grades))
            }
            Formula::Proposition(spot) => {
                let found = self
                    .propositions
                    .iter()
                    .find(|(name, _)| *name == spot.text);
                let found = found.ok_or_else(|| {
                    let names = self.propositions.iter().map(|(name, _)| name.as_str());
                    let message = format!("there is no proposition `{}`", spot.text);
                    Diagnostic::error("unknown-proposition", message)
                        .at(source, spot.span, "")
                        .did_you_mean(&spot.text, names)
                })?;
                Typed::Vector(found.1.clone())
            }
            Formula::Not(inner) => Typed::Not(again(inner)?),
            Formula::And(one, other) => Typed::And(again(one)?, again(other)?),
            Formula::Or(one, other) => Typed::Or(again(one)?, again(other)?),
            Formula::Implies(one, other) => Typed::Implies(again(one)?, again(other)?),
            Formula::Iff(one, other) => Typed::Iff(again(one)?, again(other)?),
            Formula::Diamond(program, inner) => Typed::Modal(
                Modality::Diamond,
                self.steps(program, source)?,
                again(inner)?,
            ),
            Formula::Box(program, inner) => {
                Typed::Modal(Modality::Box, self.steps(program, source)?, again(inner)?)
            }
        })
    }

    fn steps(&self, of: &Program, source: &Source) -> Result<Steps<A::Grade>, Diagnostic> {
        let again = |part: &Program| self.steps(part, source).map(Box::new);
        Ok(match of {
            Program::Named(spot) => {
                let found = self
                    .programs
                    .iter()
                    .find(|program| program.name == spot.text);
                let found = found.ok_or_else(|| {
                    let names = self.programs.iter().map(|program| program.name.as_str());
                    let message = format!("there is no program `{}`", spot.text);
                    Diagnostic::error("unknown-program", message)
                        .at(source, spot.span, "")
                        .did_you_mean(&spot.text, names)
                })?;
                Steps::Relation(found.clone())
            }
            Program::Assign(target, value) => {
                let assign = vec![(target.clone(), value.clone())];
                let action = Action {
                    when: None,
                    assign,
                    grade: None,
                };
                let edges = self.action(&action, source)?;
                let name = format!("{} := …", target.text);
                Steps::Relation(Arc::new(Relation::new(&name, self.states.len(), &edges)))
            }
            Program::Then(one, other) => Steps::Then(again(one)?, again(other)?),
            Program::Choice(one, other) => Steps::Choice(again(one)?, again(other)?),
            Program::Star(inner) => Steps::Star(again(inner)?),
            Program::Test(formula) => Steps::Test(Box::new(self.formula(formula, source)?)),
        })
    }
}

/// All labels, each with its file.
fn labels_of<'a>(attached: &Attached<'a>) -> impl Iterator<Item = (&'a Source, &'a Label)> {
    let files = attached.labels.iter();
    files.flat_map(|(file, labels)| labels.iter().map(move |label| (file, label)))
}

/// The place of a program among those found so far.
fn slot<G>(edges: &mut Vec<(String, Vec<G>)>, name: &str) -> usize {
    let found = edges.iter().position(|(other, _)| other == name);
    found.unwrap_or_else(|| {
        edges.push((name.to_owned(), Vec::new()));
        edges.len() - 1
    })
}
