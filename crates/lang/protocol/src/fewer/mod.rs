//! The same protocol with fewer variables.
//!
//! A property often depends on few of the variables, and words have room only for so many joint values.
//! So variables are left out: what asks for one is made easier to be true, what sets one is left out, and
//! what is set to a value that depends on one becomes any value. Whatever the protocol does, the smaller
//! one does, too, so that what never happens there never happens here. What happens there is tried with
//! all variables; where that fails, a variable comes back ([`method`]).

mod bent;
mod method;
mod parts;
#[cfg(test)]
mod tests;
mod tried;

use crate::model::{
    Condition, Demand, Domain, Expr, Initial, Property, Protocol, Step, Value, Variable,
};
use bent::Bent;

pub(crate) use method::{Fewer, Shown};
pub(crate) use parts::parts;

/// Which variables stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) globals: Vec<bool>,
    pub(crate) fields: Vec<bool>,
}

/// A variable of the whole protocol, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Which {
    Global(usize),
    Field(usize),
}

impl Kept {
    /// All that cannot be left out: variables that say where somebody stands or how many there are.
    pub(crate) fn fewest(protocol: &Protocol) -> Kept {
        let of = |variables: &[Variable]| {
            let all = variables.iter();
            all.map(|variable| !may_go(variable)).collect()
        };
        Kept {
            globals: of(&protocol.globals),
            fields: of(&protocol.fields),
        }
    }

    /// These by name, and all that cannot be left out; or why not: there is none of a name, or words would
    /// have no letters.
    pub(crate) fn named(
        protocol: &Protocol,
        globals: &[String],
        fields: &[String],
    ) -> Result<Kept, String> {
        let mut kept = Kept::fewest(protocol);
        for (names, variables, kept, of) in [
            (globals, &protocol.globals, &mut kept.globals, "all"),
            (fields, &protocol.fields, &mut kept.fields, "a process"),
        ] {
            for name in names {
                let mut all = variables.iter();
                let at = all.position(|variable| variable.name == *name);
                let at = at.ok_or_else(|| format!("`{name}` is no variable of {of}"))?;
                kept[at] = true;
            }
        }
        match kept.has_letters(protocol) {
            true => Ok(kept),
            false => Err("without any variable there is nothing to look at".to_owned()),
        }
    }

    /// Whether there is something that words are of.
    fn has_letters(&self, protocol: &Protocol) -> bool {
        protocol.has_processes || !protocol.channels.is_empty() || self.globals.contains(&true)
    }

    pub(crate) fn has(&self, which: Which) -> bool {
        match which {
            Which::Global(global) => self.globals[global],
            Which::Field(field) => self.fields[field],
        }
    }

    pub(crate) fn set(&mut self, which: Which, stays: bool) {
        match which {
            Which::Global(global) => self.globals[global] = stays,
            Which::Field(field) => self.fields[field] = stays,
        }
    }

    /// All variables that are left out.
    pub(crate) fn missing(&self) -> Vec<Which> {
        let globals = (0..self.globals.len()).map(Which::Global);
        let fields = (0..self.fields.len()).map(Which::Field);
        let all = globals.chain(fields);
        all.filter(|which| !self.has(*which)).collect()
    }

    /// What stays of these values.
    pub(crate) fn of_globals(&self, values: &[Value]) -> Vec<Value> {
        chosen(values, &self.globals)
    }

    pub(crate) fn of_fields(&self, values: &[Value]) -> Vec<Value> {
        chosen(values, &self.fields)
    }
}

fn chosen(values: &[Value], kept: &[bool]) -> Vec<Value> {
    let both = values.iter().zip(kept);
    both.filter(|(_, kept)| **kept)
        .map(|(value, _)| *value)
        .collect()
}

/// Whether a variable can be left out at all.
fn may_go(variable: &Variable) -> bool {
    variable.mark.is_none()
        && variable.domain != Domain::Parameter
        && matches!(variable.initial, Initial::Values(_))
}

/// What a variable that is left out would be needed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed(pub(crate) Vec<Which>);

impl Protocol {
    /// Whether variables can be left out where a property is asked.
    pub(crate) fn can_do_with_fewer(&self, property: &str) -> bool {
        let mut named = self.properties.iter().filter(|one| one.name == property);
        let can_be_asked = named.next().is_some_and(|one| match &one.demand {
            Demand::Never(condition) => matches!(condition, Condition::Holds(_)),
            Demand::NoDeadlock => self.constraints.is_empty(),
            Demand::LeadsTo(..) | Demand::Happens(_) => false,
        });
        can_be_asked
            && self.topology != crate::Topology::Tree
            && !self.reads_one_by_one()
            && !self.needs_languages()
            && self.pairs.is_empty()
            && self.surely.is_none()
            && !Kept::fewest(self).missing().is_empty()
    }

    /// The protocol with these variables alone, and of its properties one: with what a part of it
    /// forbids ([`parts`]), or that some step can be taken.
    ///
    /// Whatever the protocol does, this one does with what is left of the values. Where some step
    /// can be taken for sure here, one can be taken there.
    pub(crate) fn with_fewer(
        &self,
        kept: &Kept,
        property: &Property,
        part: &Demand,
    ) -> Result<Protocol, Needed> {
        if !kept.has_letters(self) && !self.globals.is_empty() {
            return Err(Needed(vec![Which::Global(0)]));
        }
        let bent = Bent::new(self, kept);
        let never_changed = |step: &Step| step.alternatives.iter().all(Vec::is_empty);
        let mut steps = Vec::new();
        for step in &self.steps {
            bent.fits(step)?;
            bent.has_few_contents(step)?;
            steps.push(bent.step(step, true));
        }
        let deadlock = matches!(part, Demand::NoDeadlock);
        let surely = deadlock.then(|| {
            let all = self.steps.iter();
            all.map(|step| bent.step(step, false)).collect()
        });
        // A step that does nothing leads nowhere, but can be taken.
        steps.retain(|step| deadlock || !never_changed(step));
        let demand = match part {
            Demand::Never(Condition::Holds(expr)) => {
                Demand::Never(Condition::Holds(bent.condition(expr, true)))
            }
            other => other.clone(),
        };
        let initially = self.initially.iter().map(|condition| match condition {
            Condition::Holds(expr) => Condition::Holds(bent.condition(expr, true)),
            other => other.clone(),
        });
        let easier = |all: &[Expr]| {
            let all = all.iter().map(|one| bent.condition(one, true));
            all.filter(|one| *one != Expr::TRUE).collect()
        };
        let stay = |variables: &[Variable], kept: &[bool]| {
            let both = variables.iter().zip(kept);
            both.filter(|(_, kept)| **kept)
                .map(|(variable, _)| variable.clone())
                .collect()
        };
        Ok(Protocol {
            assumptions: easier(&self.assumptions),
            constraints: easier(&self.constraints),
            globals: stay(&self.globals, &kept.globals),
            fields: stay(&self.fields, &kept.fields),
            initially: initially.collect(),
            steps,
            surely,
            properties: vec![Property {
                demand,
                lemma: false,
                ..property.clone()
            }],
            warnings: Vec::new(),
            ..self.clone()
        })
    }

    /// The name of a variable.
    pub(crate) fn variable(&self, which: Which) -> &str {
        match which {
            Which::Global(global) => &self.globals[global].name,
            Which::Field(field) => &self.fields[field].name,
        }
    }
}
