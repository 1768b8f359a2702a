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

quotient_bits::id! {
    /// A state of a model.
    pub StateId, "a model has fewer than 2^32 states"
}

quotient_bits::id! {
    /// A choice of a model: those of its first state, then those of the next.
    pub ChoiceId, "a model has fewer than 2^32 choices"
}

quotient_bits::id! {
    /// The action of a choice: [`ActionId::NONE`], or one that has a name.
    pub ActionId, "a model has fewer than 2^32 actions"
}

quotient_bits::id! {
    /// One of the different exact weights of a model.
    pub WeightId, "a model has fewer than 2^32 different weights"
}

impl ActionId {
    /// No action. The names of others are numbered from 1.
    pub const NONE: ActionId = ActionId::new(0);
}

impl WeightId {
    /// The weight one, which every model that keeps its weights exactly has.
    pub const ONE: WeightId = WeightId::new(0);
}

impl From<u32> for StateId {
    fn from(number: u32) -> StateId {
        StateId::new(number)
    }
}

impl From<u32> for ActionId {
    fn from(number: u32) -> ActionId {
        ActionId::new(number)
    }
}

/// The choices of a state, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices(std::ops::Range<u32>);

impl Choices {
    /// No choice.
    pub const NONE: Choices = Choices(0..0);

    /// One choice alone.
    #[inline]
    pub fn only(choice: ChoiceId) -> Choices {
        Choices(choice.number()..choice.number() + 1)
    }

    /// The first of them, if there is any; what belongs to the others stands behind it in tables.
    #[inline]
    pub fn first(&self) -> ChoiceId {
        ChoiceId::new(self.0.start)
    }

    /// Where in tables of choices they stand.
    #[inline]
    pub fn places(&self) -> std::ops::Range<usize> {
        self.0.start as usize..self.0.end as usize
    }

    /// Whether a choice is one of them.
    #[inline]
    pub fn contains(&self, choice: ChoiceId) -> bool {
        self.0.contains(&choice.number())
    }
}

impl Iterator for Choices {
    type Item = ChoiceId;

    #[inline]
    fn next(&mut self) -> Option<ChoiceId> {
        self.0.next().map(ChoiceId::new)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Choices {
    #[inline]
    fn next_back(&mut self) -> Option<ChoiceId> {
        self.0.next_back().map(ChoiceId::new)
    }
}

impl ExactSizeIterator for Choices {}

/// A sparse model: a state has choices, a choice has branches, a branch has a weight and a target.
///
/// Chains have exactly one choice a state. All numbers of states and choices fit 32 bits: what belongs to
/// each state, choice or branch stands in a table of its own, in their order.
///
/// ```
/// use quotient_markov::{ActionId, Builder, Kind, StateId};
/// let mut builder = Builder::new(Kind::Dtmc);
/// builder.choice(ActionId::NONE);
/// builder.branch(0, 0.5);
/// builder.branch(1, 0.5);
/// builder.end_state();
/// builder.choice(ActionId::NONE);
/// builder.branch(1, 1.0);
/// builder.end_state();
/// let coin = builder.finish([0]);
/// let next: Vec<StateId> = coin.successors(StateId::new(0)).collect();
/// assert_eq!(next, [StateId::new(0), StateId::new(1)]);
/// assert_eq!((coin.states(), coin.branches()), (2, 3));
/// ```
#[derive(Debug, Clone)]
pub struct Markov {
    /// What the weights are.
    pub kind: Kind,
    /// The initial states, in order.
    pub initial: Vec<StateId>,
    /// The first choice of each state, and the number of choices at the end.
    pub rows: Vec<u32>,
    /// The first branch of each choice, and the number of branches at the end.
    pub columns: Vec<u32>,
    /// The target of each branch.
    pub targets: Vec<StateId>,
    /// The weight of each branch.
    pub weights: Vec<f64>,
    /// The weights exactly, where they were kept: one of `exact` for each branch.
    pub numbers: Vec<WeightId>,
    /// The different exact weights.
    pub exact: Vec<Rational>,
    /// No weight differs from the true one by more than this share of it.
    pub error: f64,
    /// The action of each choice.
    pub labels: Vec<ActionId>,
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
    pub fn choices_of(&self, state: StateId) -> Choices {
        let state = state.index();
        Choices(self.rows[state]..self.rows[state + 1])
    }

    /// The branches of a choice: where in the tables of branches they stand.
    #[inline]
    pub fn branches_of(&self, choice: ChoiceId) -> std::ops::Range<usize> {
        let choice = choice.index();
        self.columns[choice] as usize..self.columns[choice + 1] as usize
    }

    /// The branches of all choices of a state: where in the tables of branches they stand.
    #[inline]
    pub fn branches_from(&self, state: StateId) -> std::ops::Range<usize> {
        let choices = self.choices_of(state).places();
        self.columns[choices.start] as usize..self.columns[choices.end] as usize
    }

    /// The successors of a state by any choice, possibly several times.
    pub fn successors(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        self.targets[self.branches_from(state)].iter().copied()
    }

    /// The sum of the weights of a choice: of a continuous chain the rate of leaving.
    pub fn sum(&self, choice: ChoiceId) -> f64 {
        self.weights[self.branches_of(choice)].iter().sum()
    }

    /// The name of the action of a choice, if it has one.
    pub fn action(&self, choice: ChoiceId) -> Option<&str> {
        self.name_of(self.labels[choice.index()])
    }

    /// The name of an action, if it is one.
    pub fn name_of(&self, action: ActionId) -> Option<&str> {
        let name = self.actions.get(action.index().checked_sub(1)?)?;
        Some(name)
    }

    /// The exact weight of a branch, where it was kept.
    pub fn exact_weight(&self, branch: usize) -> Option<&Rational> {
        self.exact.get(self.numbers.get(branch)?.index())
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

    /// A model without states that keeps its weights exactly; the first is one.
    pub fn keeping_exact(kind: Kind) -> Builder {
        let mut builder = Builder::new(kind);
        builder.keeps_exact = true;
        builder.model.exact.push(crate::whole(1));
        builder
    }

    /// Adds an exact weight.
    pub fn weight(&mut self, weight: Rational) -> WeightId {
        self.model.exact.push(weight);
        WeightId::from_index(self.model.exact.len() - 1)
    }

    /// Begins a choice of the present state.
    pub fn choice(&mut self, action: impl Into<ActionId>) {
        self.close();
        self.model.labels.push(action.into());
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
    pub fn branch(&mut self, target: impl Into<StateId>, weight: f64) {
        self.model.targets.push(target.into());
        self.model.weights.push(weight);
    }

    /// Says which exact weight the branch added last has.
    pub fn exactly(&mut self, weight: WeightId) {
        self.model.numbers.push(weight);
    }

    /// Notes how fast the present state of a Markov automaton is left; nothing if at once.
    pub fn leaves(&mut self, rate: f64) {
        self.model.exits.push(rate);
    }

    /// Ends the present state. A state without choices gets a loop, and is noted as a deadlock.
    pub fn end_state(&mut self) {
        let state = self.model.rows.len() - 1;
        if self.model.labels.len() == self.model.rows[state] as usize {
            self.choice(ActionId::NONE);
            self.branch(StateId::from_index(state), 1.0);
            if self.keeps_exact {
                self.exactly(WeightId::ONE);
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
    pub fn finish(mut self, initial: impl IntoIterator<Item = impl Into<StateId>>) -> Markov {
        self.model.initial = initial.into_iter().map(Into::into).collect();
        self.model.deadlocks.grow(self.model.rows.len() - 1);
        self.model.targets.shrink_to_fit();
        self.model.weights.shrink_to_fit();
        self.model
    }
}
