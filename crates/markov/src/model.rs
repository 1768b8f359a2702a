//! Sparse models.

use quotient_bits::Bits;

use crate::Rational;

/// What the weights of a model are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A discrete chain: one choice a state, weights are probabilities.
    Dtmc,
    /// A decision process: several choices a state, weights are probabilities.
    Mdp,
    /// A continuous chain: one choice a state, weights are rates.
    Ctmc,
}

impl Kind {
    /// The word of the field for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Dtmc => "dtmc",
            Kind::Mdp => "mdp",
            Kind::Ctmc => "ctmc",
        }
    }
}

/// A sparse model: a state has choices, a choice has branches, a branch has a weight and a target.
///
/// Chains have exactly one choice a state. All numbers of states and choices fit 32 bits.
///
/// ```
/// use quotient_markov::{Builder, Kind};
/// let mut builder = Builder::new(Kind::Dtmc);
/// builder.choice(0);
/// builder.branch(0, 0.5);
/// builder.branch(1, 0.5);
/// builder.end_state();
/// builder.choice(0);
/// builder.branch(1, 1.0);
/// builder.end_state();
/// let coin = builder.finish(vec![0]);
/// assert_eq!((coin.states(), coin.branches()), (2, 3));
/// ```
#[derive(Debug, Clone)]
pub struct Markov {
    /// What the weights are.
    pub kind: Kind,
    /// The initial states, in order.
    pub initial: Vec<u32>,
    /// The first choice of each state, and the number of choices at the end.
    pub rows: Vec<u32>,
    /// The first branch of each choice, and the number of branches at the end.
    pub columns: Vec<u32>,
    /// The target of each branch.
    pub targets: Vec<u32>,
    /// The weight of each branch.
    pub weights: Vec<f64>,
    /// The weights exactly, where they were kept: a number for each branch, into `exact`.
    pub numbers: Vec<u32>,
    /// The different exact weights.
    pub exact: Vec<Rational>,
    /// No weight differs from the true one by more than this share of it.
    pub error: f64,
    /// The action of each choice: 0 is none, others are names in `actions` from 1.
    pub labels: Vec<u32>,
    /// The names of actions.
    pub actions: Vec<String>,
    /// States that had no choice of their own and got a loop.
    pub deadlocks: Bits,
    /// Of a Markov automaton, which is a decision process otherwise: how fast each state is left,
    /// and nothing where a choice is made at once. Empty for other models.
    pub exits: Vec<f64>,
}

/// What states and choices earn.
#[derive(Debug, Clone, Default)]
pub struct Rewards {
    /// What a state earns, per step or per unit of time.
    pub states: Vec<f64>,
    /// What a choice earns, on average over its branches; of a continuous chain per unit of
    /// time. Empty if nothing is earned by choices.
    pub choices: Vec<f64>,
    /// The state rewards exactly, where they were kept.
    pub exact_states: Vec<Rational>,
    /// The rewards of choices exactly, where they were kept.
    pub exact_choices: Vec<Rational>,
    /// No reward differs from the true one by more than this share of it.
    pub error: f64,
}

impl Markov {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len() - 1
    }

    /// The number of choices of all states.
    pub fn choices(&self) -> usize {
        self.columns.len() - 1
    }

    /// The number of branches of all choices.
    pub fn branches(&self) -> usize {
        self.targets.len()
    }

    /// The choices of a state.
    #[inline]
    pub fn choices_of(&self, state: usize) -> std::ops::Range<usize> {
        self.rows[state] as usize..self.rows[state + 1] as usize
    }

    /// The branches of a choice.
    #[inline]
    pub fn branches_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.columns[choice] as usize..self.columns[choice + 1] as usize
    }

    /// The branches of all choices of a state.
    #[inline]
    pub fn branches_from(&self, state: usize) -> std::ops::Range<usize> {
        let choices = self.choices_of(state);
        self.columns[choices.start] as usize..self.columns[choices.end] as usize
    }

    /// The successors of a state by any choice, possibly several times.
    pub fn successors(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.targets[self.branches_from(state)]
            .iter()
            .map(|&target| target as usize)
    }

    /// The sum of the weights of a choice: of a continuous chain the rate of leaving.
    pub fn sum(&self, choice: usize) -> f64 {
        self.weights[self.branches_of(choice)].iter().sum()
    }

    /// The name of the action of a choice, if it has one.
    pub fn action(&self, choice: usize) -> Option<&str> {
        let number = (self.labels[choice] as usize).checked_sub(1)?;
        self.actions.get(number).map(String::as_str)
    }

    /// The exact weight of a branch, where it was kept.
    pub fn exact_weight(&self, branch: usize) -> Option<&Rational> {
        self.exact.get(*self.numbers.get(branch)? as usize)
    }
}

/// Makes a model state by state.
#[derive(Debug, Clone)]
pub struct Builder {
    model: Markov,
    keeps_exact: bool,
}

impl Builder {
    /// A model without states.
    pub fn new(kind: Kind) -> Builder {
        Builder {
            keeps_exact: false,
            model: Markov {
                kind,
                initial: Vec::new(),
                rows: vec![0],
                columns: vec![0],
                targets: Vec::new(),
                weights: Vec::new(),
                numbers: Vec::new(),
                exact: Vec::new(),
                error: 0.0,
                labels: Vec::new(),
                actions: Vec::new(),
                deadlocks: Bits::new(),
                exits: Vec::new(),
            },
        }
    }

    /// A model without states that keeps its weights exactly; number 0 is one.
    pub fn keeping_exact(kind: Kind) -> Builder {
        let mut builder = Builder::new(kind);
        builder.keeps_exact = true;
        builder.model.exact.push(crate::whole(1));
        builder
    }

    /// Adds an exact weight; its number.
    pub fn weight(&mut self, weight: Rational) -> u32 {
        self.model.exact.push(weight);
        (self.model.exact.len() - 1) as u32
    }

    /// Begins a choice of the present state; 0 is no action, others are numbers from 1 into the
    /// names of actions.
    pub fn choice(&mut self, action: u32) {
        self.close();
        self.model.labels.push(action);
    }

    /// Notes that weights may differ from the true ones by this share of themselves.
    pub fn note_error(&mut self, error: f64) {
        self.model.error = self.model.error.max(error);
    }

    /// By what share of itself a weight may differ from the true one so far.
    pub fn error(&self) -> f64 {
        self.model.error
    }

    /// Adds a branch to the choice begun last. Branches of one choice to one target should be
    /// added together by the caller.
    pub fn branch(&mut self, target: u32, weight: f64) {
        self.model.targets.push(target);
        self.model.weights.push(weight);
    }

    /// Adds the number of an exact weight for the branch added last.
    pub fn exactly(&mut self, number: u32) {
        self.model.numbers.push(number);
    }

    /// Notes how fast the present state of a Markov automaton is left; nothing if at once.
    pub fn leaves(&mut self, rate: f64) {
        self.model.exits.push(rate);
    }

    /// Ends the present state. A state without choices gets a loop, and is noted as a deadlock.
    pub fn end_state(&mut self) {
        let state = self.model.rows.len() - 1;
        if self.model.labels.len() == self.model.rows[state] as usize {
            self.choice(0);
            self.branch(state as u32, 1.0);
            if self.keeps_exact {
                self.exactly(0);
            }
            self.model.deadlocks.grow(state + 1);
            self.model.deadlocks.insert(state);
        }
        self.close();
        self.model.rows.push(self.model.labels.len() as u32);
    }

    /// The number of branches so far.
    pub fn branches(&self) -> usize {
        self.model.targets.len()
    }

    /// The number of choices so far.
    pub fn choices(&self) -> usize {
        self.model.labels.len()
    }

    /// The number of choices of all states that were ended.
    pub fn closed_choices(&self) -> usize {
        self.model
            .rows
            .last()
            .map_or(0, |&choices| choices as usize)
    }

    /// The number of states that were ended.
    pub fn states(&self) -> usize {
        self.model.rows.len() - 1
    }

    fn close(&mut self) {
        if self.model.columns.len() == self.model.labels.len() {
            self.model.columns.push(self.model.targets.len() as u32);
        }
    }

    /// The model, with its initial states.
    pub fn finish(mut self, initial: Vec<u32>) -> Markov {
        self.model.initial = initial;
        self.model.deadlocks.grow(self.model.rows.len() - 1);
        self.model.targets.shrink_to_fit();
        self.model.weights.shrink_to_fit();
        self.model
    }
}
