//! A model as decision diagrams.
//!
//! * `order`: in which orders the bits may stand;
//! * `trial`: which of them is the best;
//! * `layout`: which variables of the diagrams stand for which bits;
//! * `compile`: expressions as sets;
//! * `definitions`: which constraints are mere assignments;
//! * `ways`: which constraint lists steps way by way;
//! * `relation`: images with early quantification;
//! * `choice`: images way by way;
//! * `machine`: the part of the model that a question depends on.

mod choice;
mod compile;
mod definitions;
mod layout;
mod machine;
mod order;
mod relation;
mod trial;
mod ways;

pub(crate) use layout::Layout;
pub(crate) use machine::Machine;

use quotient_core::{Budget, Stop};

use crate::diagrams::{Config, Diagrams, Set, Var};
use crate::model::{Expression, Model, VariableId};

/// Whether a constraint lists steps way by way.
pub(crate) fn lists_steps(model: &Model) -> bool {
    ways::choice(model).is_some()
}

/// All constraints of a model as diagrams, each on its own.
pub(crate) struct System {
    pub(crate) model: Model,
    pub(crate) diagrams: Diagrams,
    pub(crate) layout: Layout,
    pub(crate) config: Config,
    init: Vec<Constraint>,
    /// Invariants and legal codes, over current variables.
    legal: Vec<Constraint>,
    /// Steps, invariants and legal codes of the next state, legal inputs.
    steps: Vec<Constraint>,
    /// The one constraint on steps that lists them way by way; it is not among the others.
    listed: Option<Listed>,
    /// When to look for a better order.
    effort: Effort,
    /// How often the order has changed: sets from before are lost.
    pub(crate) generation: u32,
}

/// A constraint that is a choice of ways.
struct Listed {
    whole: Expression,
    /// What each way says, and the bits that keep their values in it.
    ways: Vec<(Set, Vec<u32>)>,
}

/// A constraint and what it depends on.
#[derive(Clone)]
struct Constraint {
    set: Set,
    support: Vec<Var>,
    /// The variable that it gives a value to, whatever the values of the others: a question
    /// that does not depend on that variable does not depend on the constraint.
    defines: Option<VariableId>,
    /// Whether it says only that the defined variable has a value at all.
    is_code: bool,
}

impl System {
    /// Builds the diagrams of all constraints. For each group in `rigid` the bits of its
    /// variables get a copy that never changes.
    pub(crate) fn new(
        model: Model,
        rigid: &[Vec<VariableId>],
        config: Config,
        budget: &Budget,
    ) -> Result<System, Stop> {
        let orders = order::static_orders(&model, budget)?;
        let bits = trial::best(&model, orders, config, budget)?;
        System::in_order(model, rigid, &bits, config, budget)
    }

    /// The same with the bits in this order, from the top.
    fn in_order(
        mut model: Model,
        rigid: &[Vec<VariableId>],
        bits: &[u32],
        config: Config,
        budget: &Budget,
    ) -> Result<System, Stop> {
        let (layout, order) = Layout::new(&model, bits, rigid);
        let diagrams = Diagrams::new(order, config, budget.clone())?;
        let sources = Sources::of(&mut model);
        let mut system = System {
            model,
            diagrams,
            layout,
            config,
            init: Vec::new(),
            legal: Vec::new(),
            steps: Vec::new(),
            listed: None,
            effort: Effort::new(config),
            generation: 0,
        };
        for (variable, has_value) in sources.codes {
            system.add_code(variable, has_value)?;
        }
        for expression in sources.invariants {
            system.add_invariant(expression)?;
        }
        for expression in sources.init {
            let constraint = system.constraint(expression, false)?;
            system.init.push(constraint);
        }
        let choice = ways::choice(&system.model);
        let listed = choice.as_ref().map(|&(at, _)| at);
        for (at, expression) in sources.steps.into_iter().enumerate() {
            if listed == Some(at) {
                continue;
            }
            let constraint = system.constraint(expression, true)?;
            system.steps.push(constraint);
            system.reorder_if_worth(&mut [], &mut [])?;
        }
        if let Some((at, ways)) = choice {
            system.list(at, ways)?;
        }
        system.settle_definitions();
        Ok(system)
    }

    /// Builds the diagrams of a constraint way by way.
    fn list(&mut self, at: usize, ways: Vec<ways::Way>) -> Result<(), Stop> {
        self.listed = Some(Listed {
            whole: self.model.transitions()[at],
            ways: Vec::new(),
        });
        for (number, way) in ways.into_iter().enumerate() {
            let mut set = self.diagrams.constant(true);
            for part in way.says {
                set = self.diagrams.and(&set, &self.compile(part)?)?;
            }
            let listed = self.listed.iter_mut();
            listed.for_each(|listed| listed.ways.push((set.clone(), way.keeps.clone())));
            if number % 32 == 31 {
                self.reorder_if_worth(&mut [], &mut [])?;
            }
        }
        self.reorder_if_worth(&mut [], &mut [])?;
        Ok(())
    }

    /// Makes the next look for a better order worth its cost whatever was done before.
    pub(crate) fn expect_more_work(&mut self) {
        self.effort.expect_more();
    }

    /// Whether enough work was done in the present order to ask whether another one is worth it:
    /// who has many sets to carry asks first, and gathers them only then.
    pub(crate) fn may_reorder(&mut self) -> bool {
        self.effort.is_worth_a_look(self.diagrams.nodes())
    }

    /// Looks for a better order if enough work was done in the present one: one that suits the
    /// guiding sets, or, if there are none, all constraints. Answers whether the order changed:
    /// sets that are neither guiding nor carried are then lost.
    pub(crate) fn reorder_if_worth(
        &mut self,
        guiding: &mut [&mut Set],
        carried: &mut [&mut Set],
    ) -> Result<bool, Stop> {
        if !self.may_reorder() {
            return Ok(false);
        }
        let groups = self.layout.groups();
        let own = [&mut self.init, &mut self.legal, &mut self.steps];
        let mut own: Vec<&mut Set> = own
            .into_iter()
            .flatten()
            .map(|constraint| &mut constraint.set)
            .collect();
        let listed = self.listed.iter_mut().flat_map(|listed| &mut listed.ways);
        own.extend(listed.map(|(set, _)| set));
        let mut guiding: Vec<&mut Set> = guiding.iter_mut().map(|set| &mut **set).collect();
        let mut carried: Vec<&mut Set> = carried.iter_mut().map(|set| &mut **set).collect();
        match guiding.is_empty() {
            true => guiding.append(&mut own),
            false => carried.append(&mut own),
        }
        let size: usize = guiding.iter().map(|set| self.diagrams.size(set)).sum();
        if !self.effort.is_worth(size * groups.len()) {
            return Ok(false);
        }
        let changed = self.diagrams.reorder(&groups, &mut guiding, &mut carried)?;
        self.generation += u32::from(changed);
        self.effort
            .begin(self.diagrams.nodes(), size * groups.len());
        Ok(changed)
    }
}

/// How much was done since the order was last looked at, in nodes made: unlike time, the same
/// in every run.
struct Effort {
    made: usize,
    nodes: usize,
    /// Ask for the cost of a search when this much was made.
    look_at: usize,
}

impl Effort {
    fn new(config: Config) -> Effort {
        Effort {
            made: 0,
            nodes: 0,
            look_at: config.reorder_from.unwrap_or(usize::MAX),
        }
    }

    fn is_worth_a_look(&mut self, nodes: usize) -> bool {
        let new = nodes.saturating_sub(self.nodes);
        self.made = self.made.saturating_add(new);
        self.nodes = nodes;
        self.made >= self.look_at
    }

    /// Sifting moves every group past all nodes: it should not cost much more than what was
    /// done so far.
    fn is_worth(&mut self, cost: usize) -> bool {
        self.look_at = self.look_at.max(cost / 16);
        self.made >= self.look_at
    }

    fn begin(&mut self, nodes: usize, cost: usize) {
        self.made = 0;
        self.nodes = nodes;
        self.look_at = self.look_at.saturating_mul(2).max(cost / 16);
    }

    /// Much work in the present order is coming.
    fn expect_more(&mut self) {
        if self.look_at < usize::MAX {
            self.made = usize::MAX;
        }
    }
}

/// The constraints of a model as expressions.
struct Sources {
    /// Variables with codes that stand for no value.
    codes: Vec<(VariableId, Expression)>,
    invariants: Vec<Expression>,
    init: Vec<Expression>,
    steps: Vec<Expression>,
}

impl Sources {
    fn of(model: &mut Model) -> Sources {
        let variables: Vec<VariableId> = model.variable_ids().map(|(id, _)| id).collect();
        let codes = variables
            .into_iter()
            .map(|id| (id, model.has_value(id)))
            .filter(|&(_, has_value)| has_value != Expression::TRUE);
        Sources {
            codes: codes.collect(),
            invariants: model.invariants().to_vec(),
            init: model.init().to_vec(),
            steps: model.transitions().to_vec(),
        }
    }
}
