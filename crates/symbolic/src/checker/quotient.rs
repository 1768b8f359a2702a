//! The reachable states seen through some of their variables.

use oxidd::BooleanFunction;
use quotient_core::Stop;

use super::Checker;
use crate::diagrams::{Diagrams, Set, Var};
use crate::model::{Kind, Valuation, VariableId};

/// The reachable states with those taken together that agree on some variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotient {
    /// A valuation for each class: the bits of the variables are the ones that its states agree
    /// on, all others are false.
    pub classes: Vec<Valuation>,
    /// Whether each class has an initial state.
    pub initial: Vec<bool>,
    /// Pairs of classes with a step from a reachable state of the first to one of the second.
    pub edges: Vec<(usize, usize)>,
}

impl Checker {
    /// Takes the reachable states together that agree on some state or frozen variables;
    /// nothing if there are more classes than the limit.
    pub fn quotient(
        &mut self,
        over: &[VariableId],
        limit: usize,
    ) -> Result<Option<Quotient>, Stop> {
        self.with_room(|checker| checker.quotient_here(over, limit))
    }

    fn quotient_here(
        &mut self,
        over: &[VariableId],
        limit: usize,
    ) -> Result<Option<Quotient>, Stop> {
        let mut part = self.everything()?;
        self.explore(&mut part)?;
        let (model, layout) = (&self.system.model, &self.system.layout);
        let diagrams = &self.system.diagrams;
        let seen = over
            .iter()
            .filter(|&&id| model.variable(id).kind != Kind::Input);
        let kept: Vec<Var> = seen
            .flat_map(|&id| model.variable(id).bits())
            .map(|bit| layout.variable(bit, false))
            .collect();
        let state = part.machine.state.iter().copied();
        let hidden = diagrams.cube(state.filter(|variable| !kept.contains(variable)))?;
        let classes = points(diagrams, &part.reach.all, &hidden, &kept, limit)?;
        let Some(classes) = classes else {
            self.put_back(part);
            return Ok(None);
        };
        let mut quotient = Quotient {
            classes: Vec::new(),
            initial: Vec::new(),
            edges: Vec::new(),
        };
        for (number, class) in classes.iter().enumerate() {
            let inside = diagrams.literals(class.iter().copied())?;
            let states = diagrams.and(&inside, &part.reach.all)?;
            let starts = diagrams.and(&states, &part.machine.init)?;
            let after = part.machine.relation.image(diagrams, &states)?;
            let after = points(diagrams, &after, &hidden, &kept, limit)?.unwrap_or_default();
            let targets = after.iter();
            let targets = targets.filter_map(|one| classes.iter().position(|class| class == one));
            quotient
                .edges
                .extend(targets.map(|target| (number, target)));
            quotient.initial.push(starts.satisfiable());
            let blank = Valuation::new(model.bit_count());
            quotient.classes.push(layout.valuation(class, &blank));
        }
        quotient.edges.sort_unstable();
        self.put_back(part);
        Ok(Some(quotient))
    }
}

/// The values of some variables that occur in a set, in order, if there are not too many.
fn points(
    diagrams: &Diagrams,
    set: &Set,
    hidden: &Set,
    kept: &[Var],
    limit: usize,
) -> Result<Option<Vec<Vec<(Var, bool)>>>, Stop> {
    let mut left = diagrams.exists(set, hidden)?;
    let mut found = Vec::new();
    while let Some(some) = diagrams.pick(&left) {
        if found.len() == limit {
            return Ok(None);
        }
        let value = |variable: Var| some.contains(&(variable, true));
        let point: Vec<(Var, bool)> = kept.iter().map(|&one| (one, value(one))).collect();
        let taken = diagrams.literals(point.iter().copied())?;
        left = diagrams.minus(&left, &taken)?;
        found.push(point);
    }
    // The order of the diagrams may change; this one does not.
    found.sort_by_key(|point| point.iter().map(|&(_, value)| value).collect::<Vec<_>>());
    Ok(Some(found))
}
