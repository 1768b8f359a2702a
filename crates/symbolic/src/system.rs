//! A model as decision diagrams.
//!
//! * `order`: in which order the bits stand;
//! * `layout`: which variables of the diagrams stand for which bits;
//! * `compile`: expressions as sets;
//! * `definitions`: which constraints are mere assignments;
//! * `relation`: images with early quantification;
//! * `machine`: the part of the model that a question depends on.

mod compile;
mod definitions;
mod layout;
mod machine;
mod order;
mod relation;

pub(crate) use layout::Layout;
pub(crate) use machine::Machine;

use quotient_core::{Budget, Stop};

use crate::diagrams::{Config, Diagrams, Set, Var};
use crate::model::{Expression, Model, VariableId};

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
    /// Look for a better order when more nodes than this are in use.
    reorder_at: usize,
    /// Find out how many are in use when there are more than this, garbage included: it costs
    /// all remembered results.
    count_at: usize,
    /// How often the order has changed: sets from before are lost.
    pub(crate) generation: u32,
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
        mut model: Model,
        rigid: &[Vec<VariableId>],
        config: Config,
        budget: &Budget,
    ) -> Result<System, Stop> {
        let bits = order::static_order(&model, budget)?;
        let (layout, order) = Layout::new(&model, &bits, rigid);
        let diagrams = Diagrams::new(order, config, budget.clone());
        let sources = Sources::of(&mut model);
        let mut system = System {
            model,
            diagrams,
            layout,
            config,
            init: Vec::new(),
            legal: Vec::new(),
            steps: Vec::new(),
            reorder_at: config.reorder_from.unwrap_or(usize::MAX),
            count_at: config
                .reorder_from
                .map_or(usize::MAX, |nodes| nodes.saturating_mul(3)),
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
        for expression in sources.steps {
            let constraint = system.constraint(expression, true)?;
            system.steps.push(constraint);
            system.reorder_if_big(&mut [])?;
        }
        system.settle_definitions();
        Ok(system)
    }

    /// Looks for a better order if the diagrams have become big. The sets given are kept, and
    /// answers whether the order changed: all other sets are then lost.
    pub(crate) fn reorder_if_big(&mut self, kept: &mut [&mut Set]) -> Result<bool, Stop> {
        if self.diagrams.nodes() < self.count_at {
            return Ok(false);
        }
        self.diagrams.collect();
        let in_use = self.diagrams.nodes();
        if in_use < self.reorder_at {
            self.count_at = in_use.saturating_add(self.reorder_at.saturating_mul(4));
            return Ok(false);
        }
        let groups = self.layout.groups();
        let own = [&mut self.init, &mut self.legal, &mut self.steps];
        let mut wanted: Vec<&mut Set> = own
            .into_iter()
            .flatten()
            .map(|constraint| &mut constraint.set)
            .collect();
        wanted.extend(kept.iter_mut().map(|set| &mut **set));
        let changed = self.diagrams.reorder(&groups, &mut wanted)?;
        self.generation += u32::from(changed);
        self.reorder_at = (self.diagrams.nodes() * 2).max(self.reorder_at + self.reorder_at / 2);
        self.count_at = self.reorder_at.saturating_mul(3);
        Ok(changed)
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
