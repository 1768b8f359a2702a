//! What would make a formula true?
//!
//! A query is a CTL formula with placeholders. Each placeholder gets a copy of the variables of
//! interest that never changes, and is replaced by "the variables have the values of the
//! copy": one ordinary run then answers for all values at once (Gurfinkel, Chechik and
//! Devereux 2003, in the encoding by rigid variables). Substituting all candidates at once is
//! right whatever the polarity of the placeholder.

mod answer;
mod general;
mod ready;
mod refine;

pub use answer::{Answer, Observed, Solution, Unknown};
pub use general::GeneralAnswer;

use std::cell::RefCell;

use oxidd::BooleanFunction;
use quotient_core::{Context, Stop};
use quotient_lattice::{Booleans, Component, Components};
use quotient_logic::{Formula, Kind as Form, Placeholder, Polarity};
use rustc_hash::FxHashMap;

use crate::checker::Refusal;
use crate::ctl::{Evaluation, Evaluator, Leaves, Program, TRUTH};
use crate::diagrams::{Config, Set, Var};
use crate::fixpoint::Arena;
use crate::model::{Expression, Kind, Model, VariableId};
use crate::reach::Reach;
use crate::system::{Machine, System};

/// What a query speaks about: an atom of its formula, or what a placeholder may speak about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// A statement about the state.
    Holds(Expression),
    /// The value of a variable; only in the list of a placeholder.
    Value(VariableId),
}

/// Which initial states an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initial {
    /// Solutions that work from all of them: the formula holds in the model.
    #[default]
    All,
    /// Solutions that work from some of them.
    Some,
    /// Which solution works from which of them.
    Each,
}

/// How to answer a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskOptions {
    /// For which initial states.
    pub initial: Initial,
    /// The most solutions to list; all are counted.
    pub limit: usize,
    /// Whether to search with a few variables first and more and more of them: for positive
    /// queries with one unknown only.
    pub refine: bool,
}

impl Default for AskOptions {
    fn default() -> Self {
        AskOptions {
            initial: Initial::All,
            limit: 1000,
            refine: false,
        }
    }
}

/// A query about a model, ready to be answered.
///
/// ```
/// use quotient_core::Context;
/// use quotient_symbolic::{AskOptions, Config, Domain, Kind, Model, Query};
/// // A counter that stops at 3: which states are reachable, which stable?
/// let mut model = Model::new();
/// let n = model.add_variable("n", Kind::State, Domain::Range(0, 5));
/// let zero = model.is_value(n, 0);
/// model.add_init(zero);
/// for value in 0..6 {
///     let (here, there) = (model.is_value(n, value), model.next_is_value(n, (value + 1).min(3)));
///     let step = model.implies(here, there);
///     model.add_transition(step);
/// }
/// let ask = |formula| {
///     let mut query = Query::new(model.clone(), formula, Config::small(), &Context::default()).unwrap();
///     query.ask(&AskOptions::default()).unwrap()
/// };
/// assert_eq!(ask(Query::reachable(None)).count, "4");
/// assert_eq!(ask(Query::stable(None)).solutions[0].to_string(), "n = 3");
/// ```
pub struct Query {
    system: System,
    machine: Machine,
    reach: Reach,
    formula: Formula<Term>,
    program: Program,
    unknowns: Vec<Unknown>,
    /// For each unknown, the copies of the bits of its terms.
    copies: Vec<Vec<TermCopy>>,
    /// For each step that is a placeholder its unknown.
    unknown_at: Vec<Option<usize>>,
    names: FxHashMap<Expression, String>,
    story: quotient_core::Story,
}

/// A term with what it is observed by, and the variables that never change.
struct TermCopy {
    term: Term,
    /// Pairs of a set (a bit of the term) and the variable that copies it.
    bits: Vec<(Set, Var)>,
}

impl Query {
    /// Prepares a query: builds the model with copies for the placeholders and explores it.
    pub fn new(
        model: Model,
        formula: Formula<Term>,
        config: Config,
        context: &Context,
    ) -> Result<Query, Refusal> {
        let program = Program::new(&formula).map_err(Refusal::NotCtl)?;
        check_terms(&model, &formula)?;
        let (unknowns, unknown_at) = unknowns(&model, &formula, &program);
        let groups: Vec<Vec<VariableId>> = unknowns
            .iter()
            .map(|unknown| unknown.terms.iter().filter_map(value_term).collect())
            .collect();
        let mut system = System::new(model, &groups, config, &context.budget)?;
        // All variables: answers count initial states.
        let everything = vec![true; system.model.variables().len()];
        let mut machine = system.machine(everything)?;
        let mut reach = Reach::begin(&machine);
        reach.explore(&mut system, &mut machine, None, &context.story)?;
        // Only initial states where a fair path begins count.
        let arena = Arena {
            diagrams: &system.diagrams,
            machine: &machine,
            states: &reach.all,
        };
        let known = RefCell::default();
        machine.init = Evaluator::new(arena, true, &known).start()?;
        let mut query = Query {
            system,
            machine,
            reach,
            formula,
            program,
            copies: Vec::new(),
            unknown_at,
            unknowns,
            names: FxHashMap::default(),
            story: context.story.clone(),
        };
        query.copy_terms()?;
        Ok(query)
    }

    /// The model, to name variables in answers.
    pub fn model(&self) -> &Model {
        &self.system.model
    }

    /// Says what to call a statement in answers.
    pub fn name_statement(&mut self, statement: Expression, name: impl Into<String>) {
        self.names.insert(statement, name.into());
    }

    fn copy_terms(&mut self) -> Result<(), Stop> {
        for (group, unknown) in self.unknowns.iter().enumerate() {
            let mut copies = Vec::new();
            for &term in &unknown.terms {
                let bits = match term {
                    Term::Holds(expression) => {
                        let copy = self.system.diagrams.add_variable();
                        vec![(self.system.compile(expression)?, copy)]
                    }
                    Term::Value(variable) => {
                        let bits = self.system.model.variable(variable).bits();
                        let pair = |bit| {
                            let own = self.system.layout.variable(bit, false);
                            let copy = self.system.layout.rigid(group, bit);
                            Ok((self.system.diagrams.variable(own)?, copy.unwrap_or(own)))
                        };
                        bits.map(pair).collect::<Result<Vec<_>, Stop>>()?
                    }
                };
                copies.push(TermCopy { term, bits });
            }
            self.copies.push(copies);
        }
        Ok(())
    }

    /// The solutions that are minterms: a value for each term of each unknown.
    pub fn ask(&mut self, options: &AskOptions) -> Result<Answer, Refusal> {
        let solved = match options.refine {
            true => self.solve_by_refinement(options.initial)?,
            false => {
                let sets: Result<Vec<Set>, Stop> = (0..self.unknowns.len())
                    .map(|unknown| self.matches(unknown, self.copies[unknown].len()))
                    .collect();
                self.solve(&sets?, options.initial)?
            }
        };
        self.answer(solved, options)
    }

    /// "The first terms of the unknown have the values of their copies."
    fn matches(&self, unknown: usize, terms: usize) -> Result<Set, Stop> {
        let diagrams = &self.system.diagrams;
        let mut all = diagrams.constant(true);
        for (set, copy) in self.copies[unknown][..terms]
            .iter()
            .flat_map(|one| &one.bits)
        {
            let differs = diagrams.xor(set, &diagrams.variable(*copy)?)?;
            all = diagrams.minus(&all, &differs)?;
        }
        Ok(all)
    }

    /// The values of the copies for which the formula holds, with these sets for the
    /// unknowns; over states and copies for [`Initial::Each`], over copies otherwise.
    fn solve(&self, unknowns: &[Set], initial: Initial) -> Result<Set, Stop> {
        let value = self.value_with(unknowns)?;
        let diagrams = &self.system.diagrams;
        let states = diagrams.cube(self.machine.state.iter().copied())?;
        let init = &self.machine.init;
        let found = match initial {
            Initial::All => {
                let fails = diagrams.minus(init, &value)?;
                diagrams.not(&diagrams.exists(&fails, &states)?)?
            }
            Initial::Some => diagrams.and_exists(init, &value, &states)?,
            Initial::Each => diagrams.and(init, &value)?,
        };
        let mut legal = found;
        for copies in &self.copies {
            legal = diagrams.and(&legal, &self.legal_copies(copies)?)?;
        }
        Ok(legal)
    }

    /// The copies of variables stand for values. (Copies of other terms always do.)
    fn legal_copies(&self, copies: &[TermCopy]) -> Result<Set, Stop> {
        let diagrams = &self.system.diagrams;
        let mut legal = diagrams.constant(true);
        for copy in copies {
            if let Term::Value(variable) = copy.term {
                let mut model = self.system.model.clone();
                let has_value = self.system.compile(model.has_value(variable))?;
                let bits = self.system.model.variable(variable).bits();
                let own = bits.map(|bit| self.system.layout.variable(bit, false));
                let pairs: Vec<(Var, Var)> =
                    own.zip(copy.bits.iter().map(|&(_, copy)| copy)).collect();
                let renaming = diagrams.renaming(&pairs)?;
                let renamed = diagrams.rename(&has_value, &renaming)?;
                legal = diagrams.and(&legal, &renamed)?;
            }
        }
        Ok(legal)
    }

    /// The value of the formula with these sets for the unknowns.
    fn value_with(&self, unknowns: &[Set]) -> Result<Set, Stop> {
        let occurrences = self.formula.occurrences();
        let mut sets = Vec::new();
        for (step, &position) in self.program.positions.iter().enumerate() {
            sets.push(
                match (&occurrences[position].formula.kind, self.unknown_at[step]) {
                    (_, Some(unknown)) => Some(unknowns[unknown].clone()),
                    (Form::Atom(Term::Holds(atom)), None) => Some(self.system.compile(*atom)?),
                    _ => None,
                },
            );
        }
        let arena = Arena {
            diagrams: &self.system.diagrams,
            machine: &self.machine,
            states: &self.reach.all,
        };
        let known = RefCell::default();
        let mut evaluator = Evaluator::new(arena, true, &known);
        let components = Components::of(&Booleans);
        let leaves = Given(sets);
        let mut evaluation = Evaluation::new(&self.program, &Booleans, &components, &leaves, TRUTH);
        evaluation.value(&mut evaluator, self.program.root(), TRUTH)
    }

    /// Whether the formula holds with a constant for all unknowns.
    fn holds_with(&self, constant: bool) -> Result<bool, Stop> {
        let sets = vec![self.system.diagrams.constant(constant); self.unknowns.len()];
        let value = self.value_with(&sets)?;
        let fails = self.system.diagrams.minus(&self.machine.init, &value)?;
        Ok(!fails.satisfiable())
    }

    /// The polarity that all placeholders share, if they do.
    fn polarity(&self) -> Polarity {
        let first = self.unknowns.first().map(|unknown| unknown.polarity);
        let first = first.unwrap_or(Polarity::Positive);
        match self
            .unknowns
            .iter()
            .all(|unknown| unknown.polarity == first)
        {
            true => first,
            false => Polarity::Mixed,
        }
    }
}

/// Sets for all leaves.
struct Given(Vec<Option<Set>>);

impl Leaves<Booleans> for Given {
    fn atom(&self, step: usize, _: Component) -> Result<Set, Stop> {
        let set = self.0[step].clone();
        set.ok_or(Stop::inconclusive("a variable is no statement"))
    }

    fn mark(&self, _: usize) -> Option<(bool, bool)> {
        None
    }
}

fn value_term(term: &Term) -> Option<VariableId> {
    match term {
        Term::Value(variable) => Some(*variable),
        Term::Holds(_) => None,
    }
}

/// Statements are about states; values stand only in the lists of placeholders.
fn check_terms(model: &Model, formula: &Formula<Term>) -> Result<(), Refusal> {
    for occurrence in formula.occurrences() {
        let span = occurrence.formula.span;
        let terms: Vec<Term> = match &occurrence.formula.kind {
            Form::Atom(Term::Value(variable)) => {
                let name = &model.variable(*variable).name;
                return Err(Refusal::BadQuery(format!(
                    "`{name}` is a variable, and a statement is needed here"
                )));
            }
            Form::Atom(term) => vec![*term],
            Form::Placeholder(hole) => hole.over.clone().unwrap_or_default(),
            _ => continue,
        };
        for term in terms {
            let variables: Vec<(VariableId, bool)> = match term {
                Term::Value(variable) => vec![(variable, false)],
                Term::Holds(expression) => model
                    .support([expression])
                    .into_iter()
                    .map(|(bit, next)| (model.owner(bit), next))
                    .collect(),
            };
            for (variable, next) in variables {
                let variable = model.variable(variable);
                if next || variable.kind == Kind::Input {
                    return Err(Refusal::NotAboutState {
                        variable: variable.name.clone(),
                        span,
                    });
                }
            }
        }
    }
    Ok(())
}

/// The different placeholders: those over the same terms are one unknown.
fn unknowns(
    model: &Model,
    formula: &Formula<Term>,
    program: &Program,
) -> (Vec<Unknown>, Vec<Option<usize>>) {
    let everything: Vec<Term> = model
        .variable_ids()
        .filter(|(_, variable)| variable.kind != Kind::Input)
        .map(|(id, _)| Term::Value(id))
        .collect();
    let occurrences = formula.occurrences();
    let mut found: Vec<Unknown> = Vec::new();
    let mut unknown_at = Vec::new();
    for &position in &program.positions {
        let Form::Placeholder(Placeholder { over }) = &occurrences[position].formula.kind else {
            unknown_at.push(None);
            continue;
        };
        let terms = over.clone().unwrap_or_else(|| everything.clone());
        let polarity = occurrences[position].polarity;
        let known = found.iter().position(|unknown| unknown.terms == terms);
        unknown_at.push(Some(match known {
            Some(known) => {
                if found[known].polarity != polarity {
                    found[known].polarity = Polarity::Mixed;
                }
                known
            }
            None => {
                found.push(Unknown { terms, polarity });
                found.len() - 1
            }
        }));
    }
    (found, unknown_at)
}
