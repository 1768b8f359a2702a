//! Questions about one model, answered in the words of its source.

use quotient_core::{Budget, Context, Diagnostic, Evidence, Stop, Trouble, Verdict};
use quotient_language::text::count;
use quotient_logic::Formula;
use quotient_symbolic as symbolic;
use quotient_symbolic::{Certificate, Checker, Config, Expression, Showing, Trace};

use crate::compile::Compiled;
use crate::file::File;
use crate::program::{Specification, VariableId};
use crate::run::Run;
use crate::shape::is_about_steps;
use crate::syntax::SpecificationKind;

/// A model that is ready for questions: read, compiled, and with its decision diagrams.
///
/// ```
/// use quotient_core::{Budget, Context, Source, Verdict};
/// use quotient_smv::{Config, File, Session};
/// let source = Source::new("m.smv", "
///     MODULE main VAR x : 0..3;
///     ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : x; esac;
///     SPEC AF x = 3
///     INVARSPEC x != 2
/// ");
/// let file = File::read(&source).unwrap();
/// let mut session = Session::open(file, Config::small(), &Context::default()).unwrap();
/// assert_eq!(session.check(0).unwrap().verdict, Verdict::Holds);
/// let answer = session.check(1).unwrap();
/// assert_eq!(answer.verdict, Verdict::Violated);
/// assert_eq!(answer.run.unwrap().states.len(), 3);
/// ```
pub struct Session {
    file: File,
    compiled: Compiled,
    checker: Checker,
    questions: Vec<Question>,
    has_initial_state: Option<bool>,
}

/// A specification over expressions of the engine's model.
struct Question {
    formula: Formula<Expression>,
    asked: symbolic::Specification,
}

/// The answer to a specification.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Whether it holds.
    pub verdict: Verdict,
    /// A run that shows why it is violated, or, for a formula about some path, why it holds.
    pub run: Option<Run>,
    /// How far the run shows it.
    pub showing: Option<Showing>,
    /// For what holds in every reachable state: a set of states that proves it. For what is
    /// violated: a set that is not left from the last state of the run, without what the formula
    /// asks for there.
    pub certificate: Option<Certificate>,
    /// For what holds: why, where that is no set of states of the model alone.
    pub proof: Option<Proof>,
}

/// Why something holds, where no set of states of the model shows it.
#[derive(Debug, Clone)]
pub enum Proof {
    /// A bound on what would happen again and again on a path that violates it.
    Bound(quotient_states::Bound),
    /// Induction over several steps.
    Induction(quotient_states::Induction),
}

impl Proof {
    /// It as evidence.
    pub fn evidence(&self) -> Evidence {
        match self {
            Proof::Bound(bound) => Evidence::of_holds(quotient_states::Bound::KIND, bound),
            Proof::Induction(steps) => Evidence::of_holds(quotient_states::Induction::KIND, steps),
        }
    }

    /// It in a line.
    pub(crate) fn line(&self) -> String {
        match self {
            Proof::Bound(bound) => match bound.rounds {
                0 => "what would come again and again on a path that violates it never does"
                    .to_owned(),
                rounds => format!(
                    "what would come again and again on a path that violates it does so at most {}",
                    count(rounds, "time")
                ),
            },
            Proof::Induction(steps) => {
                let states = count(steps.depth.saturating_sub(1), "state");
                format!("by induction: it is so after {states} in which it is")
            }
        }
    }
}

/// The set of a certificate as plain data.
pub(crate) fn as_set(certificate: Certificate) -> quotient_states::StateSet {
    quotient_states::StateSet {
        variables: certificate.variables,
        nodes: certificate.nodes,
        root: certificate.root,
    }
}

impl Answer {
    /// A verdict alone.
    pub(crate) fn bare(verdict: Verdict) -> Answer {
        Answer {
            verdict,
            run: None,
            showing: None,
            certificate: None,
            proof: None,
        }
    }
}

impl Session {
    /// Compiles a model with all its specifications and builds its decision diagrams.
    /// Formulas of the command line are added to the file before
    /// ([`File::add_specification`]).
    pub fn open(file: File, config: Config, context: &Context) -> Result<Session, Trouble> {
        let compiled = Compiled::new(file.program(), &context.budget)?;
        Session::of(file, compiled, config, context)
    }

    /// The same of a model that was compiled before, with its specifications.
    pub(crate) fn of(
        file: File,
        mut compiled: Compiled,
        config: Config,
        context: &Context,
    ) -> Result<Session, Trouble> {
        let mut questions = Vec::new();
        for specification in file.program().specifications() {
            let formula = &specification.formula;
            let formula = compiled.formula(file.program(), formula, &context.budget)?;
            let invariant = compiled.propositional(&formula);
            let asked = match (specification.kind, invariant) {
                (SpecificationKind::Ltl, _) => symbolic::Specification::Ltl(formula.clone()),
                (SpecificationKind::Invariant, Some(expression)) => {
                    // What the text says counts, not what is left of it: `next(x) != next(x)` is
                    // about steps.
                    match is_about_steps(file.program(), &specification.formula) {
                        true => symbolic::Specification::StepInvariant(expression),
                        false => symbolic::Specification::Invariant(expression),
                    }
                }
                _ => symbolic::Specification::Ctl(formula.clone()),
            };
            questions.push(Question { formula, asked });
        }
        let checker = Checker::new(compiled.model().clone(), config, context)?;
        Ok(Session {
            file,
            compiled,
            checker,
            questions,
            has_initial_state: None,
        })
    }

    /// The file that was read.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The compiled model, to translate between it and the program.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The engine, for questions that are not asked here.
    pub fn checker(&mut self) -> &mut Checker {
        &mut self.checker
    }

    /// The specifications, in the order of the source.
    pub fn specifications(&self) -> &[Specification] {
        self.file.program().specifications()
    }

    /// The formula of a specification, over expressions of the engine's model. A placeholder
    /// over a variable that is not Boolean is one over its bits.
    pub fn formula(&self, specification: usize) -> &Formula<Expression> {
        &self.questions[specification].formula
    }

    /// Answers the specification with that number. Running out of the budget is an unknown
    /// verdict; an error means that the engine cannot answer such a formula.
    ///
    /// # Panics
    /// If there is no specification with that number.
    pub fn check(&mut self, specification: usize) -> Result<Answer, Diagnostic> {
        let outcome = self
            .checker
            .check(&self.questions[specification].asked)
            .map_err(|refusal| refusal.diagnostic(self.file.program().source()))?;
        Ok(Answer {
            verdict: outcome.verdict,
            run: outcome.trace.map(|trace| self.run(&trace)),
            showing: outcome.showing,
            certificate: outcome.certificate,
            proof: None,
        })
    }

    /// Whether the model has an initial state; a SAT solver looks for one, once.
    pub fn has_initial_state(&mut self, budget: &Budget) -> Result<bool, Stop> {
        if let Some(known) = self.has_initial_state {
            return Ok(known);
        }
        let found = self.compiled.has_initial_state(budget)?;
        self.has_initial_state = Some(found);
        Ok(found)
    }

    /// A run of the engine's model in values of the program.
    pub fn run(&self, trace: &Trace) -> Run {
        let program = self.file.program();
        let states = trace.states.iter();
        let mut variables: Vec<VariableId> = program
            .variable_ids()
            .filter(|&id| trace.variables.contains(&self.compiled.variable(id)))
            .collect();
        variables.sort_unstable();
        Run {
            states: states
                .map(|state| self.compiled.state(program, state))
                .collect(),
            back_to: trace.back_to,
            variables,
        }
    }

    /// Doubts about the model as a whole, as warnings: no initial state, a reachable state
    /// without successor, no fair path. It explores all reachable states.
    pub fn doubts(&mut self) -> Result<Vec<Doubt>, Stop> {
        let sanity = self.checker.sanity()?;
        let source = self.file.program().source();
        let mut doubts = Vec::new();
        if sanity.no_initial_state {
            let warning = Diagnostic::warning(
                "smv-no-initial-state",
                "no state is initial: every specification about all paths holds trivially",
            );
            let warning = warning
                .in_source(source)
                .help("look for INIT, INVAR and `init` assignments that contradict each other");
            doubts.push(Doubt { warning, run: None });
            return Ok(doubts);
        }
        if let Some(trace) = sanity.deadlock {
            let warning = Diagnostic::warning(
                "smv-deadlock",
                "a reachable state has no successor: the transition relation is not total",
            );
            let warning = warning
                .in_source(source)
                .note("paths that end are not looked at, so specifications say less than they seem to")
                .help("look for TRANS and INVAR constraints that exclude every next state");
            let run = Some(self.run(&trace));
            doubts.push(Doubt { warning, run });
        }
        if sanity.no_fair_path {
            let program = self.file.program();
            let is_plain = program.justice().is_empty() && program.compassion().is_empty();
            let (message, help) = match is_plain {
                true => (
                    "every path ends: everything about all infinite paths holds",
                    "let the model go on, if only by staying where it is",
                ),
                false => (
                    "no fair path starts in a reachable state: everything about all paths holds",
                    "check the FAIRNESS constraints",
                ),
            };
            let warning = Diagnostic::warning("smv-no-fair-path", message);
            let warning = warning.in_source(source).help(help);
            doubts.push(Doubt { warning, run: None });
        }
        Ok(doubts)
    }
}

/// A warning about the model as a whole, perhaps with a run that shows it.
#[derive(Debug, Clone)]
pub struct Doubt {
    /// What is doubtful.
    pub warning: Diagnostic,
    /// A run to the place.
    pub run: Option<Run>,
}
