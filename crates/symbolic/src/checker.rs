//! The front door: questions about one model.

mod barrier;
mod distance;
mod invariant;
mod outcome;
mod quotient;
mod room;
mod sanity;

pub use distance::Distance;
pub use invariant::Direction;
pub use outcome::{Outcome, Refusal, Specification};
pub use quotient::Quotient;
pub use sanity::{Reachable, Sanity};

use std::cell::RefCell;

use quotient_core::{Context, Stop, Story, Verdict};
use quotient_lattice::{Booleans, Component, Components, Lattice};
use quotient_logic::{Formula, Fragment, Kind as Form, Unary};

use crate::ctl::{Evaluation, Evaluator, Known, Leaves, Program, Step, TRUTH};
use crate::diagrams::{Config, Set};
use crate::evidence::Certificate;
use crate::explain::{Explainer, Showing};
use crate::fixpoint::Arena;
use crate::model::{Expression, Kind, Model};
use crate::path::Path;
use crate::reach::Reach;
use crate::system::{Machine, System};

/// A model, ready for questions.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_logic::parse_names;
/// use quotient_symbolic::{Checker, Config, Domain, Kind, Model, Specification};
/// // A bit that flips.
/// let mut model = Model::new();
/// let lamp = model.add_variable("lamp", Kind::State, Domain::Boolean);
/// let (now, next) = (model.bit(lamp, 0), model.next_bit(lamp, 0));
/// let flip = model.xor(now, next);
/// model.add_transition(flip);
/// let mut checker = Checker::new(model, Config::small(), &Context::default())?;
/// let formula = parse_names(&Source::new("formula", "AG (AF on & AF !on)")).unwrap();
/// let formula = formula.map_atoms(|_| now);
/// let outcome = checker.check(&Specification::Ctl(formula)).unwrap();
/// assert_eq!(outcome.verdict, Verdict::Holds);
/// # Ok::<(), quotient_core::Stop>(())
/// ```
pub struct Checker {
    pub(crate) system: System,
    pub(crate) story: Story,
    /// Parts of the model with what is known about their reachable states.
    explored: Vec<Explored>,
}

/// A machine with its reachable states so far.
pub(crate) struct Explored {
    pub(crate) machine: Machine,
    pub(crate) reach: Reach,
    generation: u32,
    /// Whether the order was looked at since all states are known.
    settled: bool,
    /// What formulas asked before say about all reachable states.
    known: RefCell<Known>,
}

/// From this many nodes on, a better order is looked for before a backward search.
const BIG: usize = 4_000;

impl Checker {
    /// Builds the decision diagrams of a model.
    pub fn new(model: Model, config: Config, context: &Context) -> Result<Checker, Stop> {
        Ok(Checker {
            system: Checker::system(&model, config, &context.budget)?,
            story: context.story.clone(),
            explored: Vec::new(),
        })
    }

    /// From now on, questions may use this budget and tell their story here.
    pub fn set_context(&mut self, context: &Context) {
        self.system.diagrams.budget = context.budget.clone();
        self.story = context.story.clone();
    }

    /// The model, to build expressions for formulas with.
    pub fn model(&self) -> &Model {
        &self.system.model
    }

    /// Answers whether a specification holds, with evidence. Running out of the budget is the
    /// verdict [`Verdict::Unknown`].
    pub fn check(&mut self, specification: &Specification) -> Result<Outcome, Refusal> {
        self.outcome_with_room(|checker| checker.check_here(specification))
    }

    /// The same with the room that there is.
    fn check_here(&mut self, specification: &Specification) -> Result<Outcome, Refusal> {
        let answer = match specification {
            Specification::Invariant(expression) => {
                match self.refuse_inputs(&Formula::atom(*expression)) {
                    Ok(()) => self.check_invariant(*expression, Direction::Forward),
                    // What mentions inputs or next values is about steps.
                    Err(_) => self.check_step_invariant(*expression),
                }
            }
            Specification::StepInvariant(expression) => self.check_step_invariant(*expression),
            Specification::Ctl(formula) => {
                self.refuse_inputs(formula)?;
                let program = Program::new(formula).map_err(Refusal::NotCtl)?;
                if Fragment::of(formula).query {
                    return Err(Refusal::Query(formula.span));
                }
                let compassion_ignored = !self.system.model.compassion().is_empty();
                let answer = self.check_ctl(formula, &program);
                answer.map(|outcome| Outcome {
                    compassion_ignored,
                    ..outcome
                })
            }
            Specification::Ltl(formula) => {
                let fragment = Fragment::of(formula);
                if !fragment.ltl {
                    return Err(Refusal::NotLtl(formula.span));
                }
                if fragment.query {
                    return Err(Refusal::Query(formula.span));
                }
                self.check_ltl(formula)
            }
        };
        Ok(answer.unwrap_or_else(|stop| Outcome::of(Verdict::Unknown(stop))))
    }

    /// Whether the atoms of a formula are about states alone: they mention no inputs and no next
    /// values.
    pub fn is_about_states(&self, formula: &Formula<Expression>) -> bool {
        self.refuse_inputs(formula).is_ok()
    }

    /// Atoms of branching-time formulas are about states alone.
    pub(crate) fn refuse_inputs(&self, formula: &Formula<Expression>) -> Result<(), Refusal> {
        let model = &self.system.model;
        for occurrence in formula.occurrences() {
            let Form::Atom(atom) = occurrence.formula.kind else {
                continue;
            };
            for (bit, next) in model.support([atom]) {
                let variable = model.variable(model.owner(bit));
                if next || variable.kind == Kind::Input {
                    return Err(Refusal::NotAboutState {
                        variable: variable.name.clone(),
                        span: occurrence.formula.span,
                    });
                }
            }
        }
        Ok(())
    }

    /// The part of the model that matters for some atoms.
    pub(crate) fn part_for(
        &mut self,
        atoms: impl IntoIterator<Item = Expression>,
    ) -> Result<Explored, Stop> {
        let mut cone = self.system.cone(atoms);
        let generation = self.system.generation;
        self.explored.retain(|one| one.generation == generation);
        let covers = |big: &[bool], small: &[bool]| big.iter().zip(small).all(|(b, s)| *b || !s);
        let known = self
            .explored
            .iter()
            .position(|one| covers(&one.machine.variables, &cone));
        let known = known.map(|known| self.explored.swap_remove(known));
        // One part remembers results, so that they do not pile up.
        for other in &mut self.explored {
            other.known.take();
        }
        if let Some(known) = known {
            return Ok(known);
        }
        // One search over a little more is better than a second search over almost the same.
        let everything = vec![true; cone.len()];
        let before = self.explored.iter().map(|one| &one.machine.variables);
        for larger in before.chain([&everything]) {
            let union: Vec<bool> = cone.iter().zip(larger).map(|(a, b)| *a || *b).collect();
            if self.system.bits_of(&union) * 4 <= self.system.bits_of(&cone) * 5 {
                cone = union;
                break;
            }
        }
        let machine = self.system.machine(cone)?;
        Ok(Explored {
            reach: Reach::begin(&machine),
            machine,
            generation,
            settled: false,
            known: RefCell::default(),
        })
    }

    /// Keeps a part for later questions.
    pub(crate) fn put_back(&mut self, mut part: Explored) {
        part.generation = self.system.generation;
        self.explored.push(part);
    }

    /// Explores all reachable states of a part.
    pub(crate) fn explore(&mut self, part: &mut Explored) -> Result<(), Stop> {
        let Explored { machine, reach, .. } = &mut *part;
        reach.explore(&mut self.system, machine, None, &self.story)?;
        if !part.settled {
            part.known.take();
        }
        // What follows goes backward, often for long: a good order pays.
        if !part.settled && self.system.diagrams.size(&part.reach.all) >= BIG {
            self.system.expect_more_work();
            let mut rings: Vec<&mut Set> = part.reach.rings.iter_mut().collect();
            let guiding = &mut [&mut part.reach.all];
            self.system
                .reorder_machine(&mut part.machine, guiding, &mut rings)?;
        }
        part.settled = true;
        Ok(())
    }

    fn check_ctl(
        &mut self,
        formula: &Formula<Expression>,
        program: &Program,
    ) -> Result<Outcome, Stop> {
        if let Some(invariant) = self.as_invariant(formula) {
            let outcome = self.check_invariant(invariant, Direction::Forward)?;
            // A violation counts if an infinite path goes through it, as all do when the
            // relation is total.
            if outcome.verdict != Verdict::Violated || self.is_total([invariant])? {
                return Ok(outcome);
            }
        }
        let mut part = self.part_for(formula.atoms().into_iter().copied())?;
        self.explore(&mut part)?;
        let answer = self.check_program(formula, program, &part);
        self.put_back(part);
        answer
    }

    /// Whether every legal state, reachable or not, has a successor, in the part of the model
    /// that matters for some atoms.
    fn is_total(&mut self, atoms: impl IntoIterator<Item = Expression>) -> Result<bool, Stop> {
        let part = self.part_for(atoms)?;
        let (diagrams, machine) = (&self.system.diagrams, &part.machine);
        let before = machine.relation.preimage(diagrams, &machine.legal)?;
        let total = diagrams.is_subset(&machine.legal, &before)?;
        self.put_back(part);
        Ok(total)
    }

    /// `AG p` and `!EF p` without fairness are about an invariant: the search may stop early.
    fn as_invariant(&mut self, formula: &Formula<Expression>) -> Option<Expression> {
        let (operator, path, denied) = match &formula.kind {
            Form::Unary(Unary::ForAll, path) => (Unary::Globally(None), path, false),
            Form::Unary(Unary::Not, some) => match &some.kind {
                Form::Unary(Unary::Exists, path) => (Unary::Finally(None), path, true),
                _ => return None,
            },
            _ => return None,
        };
        let Form::Unary(found, inner) = &path.kind else {
            return None;
        };
        let plain = self.system.model.justice().is_empty() && Fragment::of(inner).propositional;
        (plain && *found == operator).then(|| {
            let inner = outcome::expression_of(&mut self.system.model, inner);
            if denied { !inner } else { inner }
        })
    }

    fn check_program(
        &self,
        formula: &Formula<Expression>,
        program: &Program,
        part: &Explored,
    ) -> Result<Outcome, Stop> {
        let mut evaluator = self.evaluator(part);
        let components = Components::of(&Booleans);
        let leaves = Atoms::new(&self.system, formula, program)?;
        let mut evaluation = Evaluation::new(program, &Booleans, &components, &leaves, TRUTH);
        let root = program.root();
        let holds = evaluation.holds_initially(&mut evaluator, root, TRUTH)?;
        let mut start = evaluator.start()?;
        if !holds {
            let value = evaluation.value(&mut evaluator, root, TRUTH)?;
            start = self.system.diagrams.minus(&start, &value)?;
        }
        let mut outcome = Outcome::of(match holds {
            true => Verdict::Holds,
            false => Verdict::Violated,
        });
        let Some(start) = evaluator.arena.pick(&start)? else {
            return Ok(outcome);
        };
        let mut path = Path {
            states: vec![start],
            ..Path::default()
        };
        let mut explainer = Explainer {
            evaluator: &mut evaluator,
            evaluation: &mut evaluation,
            steps: &program.steps,
        };
        let showing = explainer.explain(root, holds, &mut path)?;
        // A formula that holds on all paths has nothing to show.
        let goes_on = path.states.len() > 1 || path.back_to.is_some();
        if !holds || (showing == Showing::Whole && goes_on) {
            outcome.trace = Some(self.system.trace(&part.machine, &path)?);
            outcome.showing = Some(showing);
        }
        if !holds && showing == Showing::UpToAllPaths {
            outcome.certificate = self.barrier(program, part, &mut evaluator, &mut evaluation)?;
        }
        if let (true, Step::Temporal { left, .. }) =
            (holds && outcome::is_always(formula), program.steps[root])
        {
            // States without a fair path need not satisfy it; then they prove nothing.
            let good = evaluation.value(&mut evaluator, left, TRUTH)?;
            if self.system.diagrams.is_subset(&part.reach.all, &good)? {
                outcome.certificate = Some(Certificate::new(&self.system, &part.reach.all));
            }
        }
        Ok(outcome)
    }

    pub(crate) fn evaluator<'a>(&'a self, part: &'a Explored) -> Evaluator<'a> {
        let arena = Arena {
            diagrams: &self.system.diagrams,
            machine: &part.machine,
            states: &part.reach.all,
        };
        Evaluator::new(arena, true, &part.known)
    }

    fn check_ltl(&mut self, formula: &Formula<Expression>) -> Result<Outcome, Stop> {
        let mut outcome = self.check_linear(formula)?;
        let model = &self.system.model;
        let trace = outcome.trace.take();
        outcome.trace = trace.map(|trace| crate::ltl::shortened(model, formula, trace));
        Ok(outcome)
    }

    fn check_linear(&mut self, formula: &Formula<Expression>) -> Result<Outcome, Stop> {
        if let Some(outcome) = self.check_branching(formula)? {
            return Ok(outcome);
        }
        let (config, budget) = (self.system.config, self.system.diagrams.budget.clone());
        let model = &self.system.model;
        let trace = crate::ltl::violation(model, formula, config, &budget, &self.story)?;
        Ok(match trace {
            None => Outcome::of(Verdict::Holds),
            Some(trace) => Outcome {
                trace: Some(trace),
                showing: Some(Showing::Whole),
                ..Outcome::of(Verdict::Violated)
            },
        })
    }

    /// The same where the formula can be asked of states: then nothing has to be built for it. What
    /// is violated without a run that goes on for ever is left to others, and so is what may be violated
    /// with strong fairness only.
    fn check_branching(&mut self, formula: &Formula<Expression>) -> Result<Option<Outcome>, Stop> {
        let branching = match crate::ltl::in_branching_time(formula) {
            Some(branching) if self.refuse_inputs(formula).is_ok() => branching,
            _ => return Ok(None),
        };
        let Ok(program) = Program::new(&branching) else {
            return Ok(None);
        };
        let outcome = self.check_ctl(&branching, &program)?;
        let is_weak = self.system.model.compassion().is_empty();
        let run = outcome.trace.as_ref();
        let is_shown = outcome.showing == Some(Showing::Whole)
            && run.is_some_and(|run| {
                run.back_to.is_some() && run.variables.len() == self.model().variables().len()
            });
        Ok(match outcome.verdict {
            // What holds on all paths holds on the fair ones.
            Verdict::Holds => Some(Outcome {
                trace: None,
                showing: None,
                ..outcome
            }),
            Verdict::Violated if is_weak && is_shown => Some(Outcome {
                certificate: None,
                ..outcome
            }),
            _ => None,
        })
    }

    /// The value of a CTL formula over any lattice, at all initial states together.
    ///
    /// An atom is a function into the lattice: `value` gives, for an atom and a
    /// join-irreducible element, the expression that says in which states the atom is at
    /// least that element.
    pub fn check_over<L: Lattice, A: Clone>(
        &mut self,
        lattice: &L,
        formula: &Formula<A>,
        mut value: impl FnMut(&A, &L::Element) -> Expression,
    ) -> Result<L::Element, Refusal> {
        let program = Program::new(formula).map_err(Refusal::NotCtl)?;
        let components = Components::of(lattice);
        let atoms = formula.atoms();
        let mut expressions = Vec::new();
        for atom in &atoms {
            for component in components.all() {
                let expression = value(atom, components.irreducible(component));
                self.refuse_inputs(&Formula::new(Form::Atom(expression), formula.span))?;
                expressions.push(expression);
            }
        }
        let element = self.with_room(|checker| -> Result<L::Element, Stop> {
            let mut part = checker.part_for(expressions.iter().copied())?;
            checker.explore(&mut part)?;
            let sets: Result<Vec<Set>, Stop> = expressions
                .iter()
                .map(|&expression| checker.system.compile(expression))
                .collect();
            let leaves = Table {
                sets: sets?,
                components: components.len(),
                leaf_of: outcome::leaf_numbers(&program),
            };
            let mut evaluator = checker.evaluator(&part);
            let mut evaluation = Evaluation::new(&program, lattice, &components, &leaves, TRUTH);
            let element = evaluation.initially(&mut evaluator)?;
            checker.put_back(part);
            Ok(element)
        })?;
        Ok(element)
    }
}

/// Plain atoms, true or false.
pub(crate) struct Atoms {
    sets: Vec<Option<Set>>,
}

impl Atoms {
    pub(crate) fn new(
        system: &System,
        formula: &Formula<Expression>,
        program: &Program,
    ) -> Result<Atoms, Stop> {
        let occurrences = formula.occurrences();
        let set = |&position: &usize| match occurrences[position].formula.kind {
            Form::Atom(atom) => system.compile(atom).map(Some),
            _ => Ok(None),
        };
        let sets: Result<Vec<Option<Set>>, Stop> = program.positions.iter().map(set).collect();
        Ok(Atoms { sets: sets? })
    }

    pub(crate) fn set(&self, step: usize) -> Result<Set, Stop> {
        let set = self.sets[step].clone();
        set.ok_or(Stop::inconclusive("a placeholder is no atom"))
    }
}

impl Leaves<Booleans> for Atoms {
    fn atom(&self, step: usize, _: Component) -> Result<Set, Stop> {
        self.set(step)
    }

    fn mark(&self, _: usize) -> Option<(bool, bool)> {
        None
    }
}

/// Atoms with values in a lattice, one set for each component.
struct Table {
    sets: Vec<Set>,
    components: usize,
    /// The number of the leaf at each step.
    leaf_of: Vec<usize>,
}

impl<L: Lattice> Leaves<L> for Table {
    fn atom(&self, step: usize, component: Component) -> Result<Set, Stop> {
        Ok(self.sets[self.leaf_of[step] * self.components + component.index()].clone())
    }

    fn mark(&self, _: usize) -> Option<(L::Element, L::Element)> {
        None
    }
}
