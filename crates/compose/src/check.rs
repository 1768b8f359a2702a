//! The front door: a question about a system, and its answers with evidence.

mod beside;
mod bystanders;
mod drawn;
mod large;
mod liveness;
mod outcome;
mod safety;

use quotient_core::{Context, Evidence, Stop, Verdict};

use crate::{
    Exploration, Lasso, Network, Progress, Proof, Question, Starvation, Statistics, Strategy,
    System, Trace,
};

/// How to find the answer.
#[derive(Debug, Clone, Default)]
pub enum Way {
    /// Search small systems whole and prove large ones by assumptions, whichever is done
    /// first; show assumptions where they are cheap to find.
    #[default]
    Automatic,
    /// Search the whole system.
    Monolithic,
    /// Draw all states as one decision diagram. What it shows holds; whether anything is violated it
    /// does not say.
    Diagram,
    /// Prove every property by assumptions. Deadlocks are not asked for: they are no matter
    /// of one component under assumptions.
    Assumptions(Strategy),
}

/// How to go about a question.
#[derive(Debug, Clone)]
pub struct Options {
    /// How to find the answer.
    pub way: Way,
    /// How many threads may be used.
    pub threads: usize,
    /// States that the automatic way searches before it thinks of assumptions; fewer where
    /// there are many components, since each state then takes longer.
    pub search_first: u64,
    /// The answers that are wanted, by what they are about; all where nothing is said.
    pub only: Option<Vec<String>>,
}

impl Options {
    /// Whether an answer is wanted.
    pub(crate) fn wants(&self, about: &str) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| only.iter().any(|wanted| wanted == about))
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            way: Way::default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            search_first: 6_000_000,
            only: None,
        }
    }
}

/// One answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it is about: `no deadlock`, the name of a property, …
    pub about: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The method that found it, for people.
    pub method: String,
    /// What was found.
    pub finding: Finding,
    /// The same for others to check; none for an unknown verdict.
    pub evidence: Option<Evidence>,
    /// What assumptions took, where some were tried.
    pub statistics: Option<Statistics>,
    /// The components that only watch for something else and were left out, by number: what was
    /// found is told of the others.
    pub left_out: Vec<usize>,
}

impl Answer {
    /// The components that it is about, of the network of a system: those that it leaves out do
    /// nothing.
    pub fn network(&self, whole: &Network) -> Network {
        whole.quieted(|at| self.left_out.contains(&at))
    }
}

/// What stands behind a verdict.
#[derive(Debug, Clone)]
pub enum Finding {
    /// All states were looked at.
    Explored(Exploration),
    /// A proof by assumptions.
    Proof(Proof),
    /// A violation, replayed.
    Trace(Trace),
    /// A violation of progress.
    Starvation(Starvation),
    /// A violation of a formula.
    Lasso(Lasso),
    /// An execution, without a cycle, after which what is asked is broken whatever happens.
    Doomed(Lasso),
    /// Nothing.
    Nothing,
}

/// Who is told what is known before all is done.
type Known<'a> = dyn FnMut(&Answer) + 'a;

/// Answers with the network that their events and components refer to.
#[derive(Debug, Clone)]
pub struct Report {
    /// The components of the system.
    pub network: Network,
    /// The answers; at least one.
    pub answers: Vec<Answer>,
}

impl Report {
    /// The verdict of all answers together.
    pub fn verdict(&self) -> Verdict {
        Verdict::all(self.answers.iter().map(|answer| answer.verdict.clone()))
    }

    /// The components that an answer is about: those of the system, those that it leaves out
    /// doing nothing.
    pub fn network_of(&self, answer: &Answer) -> Network {
        answer.network(&self.network)
    }
}

/// What can be violated in a network, each by itself: names, and the numbers of the components
/// that must not err. Components that only watch are properties by themselves; those that err
/// and restrict others are taken together.
pub fn safety_properties(network: &Network) -> Vec<(String, Vec<usize>)> {
    safety::named(network)
}

/// Answers a question about a system: every property gets its own answer, whatever the others
/// get.
///
/// ```
/// use quotient_compose::{LtsBuilder, Options, Question, System, check, operations::complete};
/// use quotient_core::{Context, Verdict};
/// let mut system = System::new();
/// let (send, ack) = (system.actions.intern("send"), system.actions.intern("ack"));
/// let mut sender = LtsBuilder::new();
/// sender.edge(0, send, 1).edge(1, ack, 0);
/// let sender = sender.build();
/// let order = complete(&sender);
/// let parts = [system.process("SENDER", sender), system.process("ORDER", order)];
/// system.parallel(parts);
/// let report = check(&system, &Question::default(), &Options::default(), &Context::default()).unwrap();
/// assert_eq!(report.verdict(), Verdict::Holds);
/// ```
pub fn check(
    system: &System,
    question: &Question,
    options: &Options,
    cx: &Context,
) -> Result<Report, Stop> {
    check_telling(system, question, options, cx, &mut |_, _| {})
}

/// The same, and tells each verdict as soon as it is known, with the network that the answer refers
/// to. Whatever is done after that (a nearer violation, an assumption that explains why something holds)
/// may end with the budget or without one; what was told stays true. The same verdict may be told
/// again with more to show for it.
pub fn check_telling(
    system: &System,
    question: &Question,
    options: &Options,
    cx: &Context,
    tell: &mut dyn FnMut(&Network, &Answer),
) -> Result<Report, Stop> {
    let network = match (question, &options.way) {
        (Question::Safety { .. }, Way::Assumptions(_)) => Network::new(system, &cx.budget)?,
        _ => Network::with_priorities(system, &cx.budget)?,
    };
    let mut cx = cx.clone();
    let known: &mut Known<'_> = &mut |answer: &Answer| {
        if answer.verdict.is_definite() {
            tell(&network, answer);
        }
    };
    let answers = match question {
        Question::Safety { deadlock } => {
            safety::answers(&network, *deadlock, options, &mut cx, known)
        }
        Question::Progress(properties) => {
            let wanted = properties.iter().filter(|one| options.wants(&one.name));
            let wanted: Vec<Progress> = wanted.cloned().collect();
            match wanted.is_empty() && !properties.is_empty() {
                true => Vec::new(),
                false => liveness::progress(&network, &wanted, &cx, known),
            }
        }
        Question::Formula {
            name,
            formula,
            fluents,
            fair,
        } => {
            let asked = (name.as_str(), formula, fluents.as_slice(), *fair);
            vec![liveness::formula(&network, asked, &cx)]
        }
    };
    Ok(Report { network, answers })
}
