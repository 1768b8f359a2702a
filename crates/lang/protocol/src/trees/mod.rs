//! Protocols whose processes stand in a tree, as systems of trees.
//!
//! A configuration is a tree with a letter for each process; every process has at most two
//! children. Steps become transducers that keep the shape of the tree, properties sets of trees.

mod conditions;
mod letters;
mod plain;
mod steps;
#[cfg(test)]
mod tests;

use quotient_core::{Budget, Diagnostic, Span, Trouble};
use quotient_trees::{Transducer, TreeAutomaton, complement, intersection, minimise};

use crate::model::{Condition, Demand, Expr, Mark, Nature, Protocol};
use conditions::{Conditions, misfit};
use letters::Letters;

pub(crate) use plain::Plain;

/// A protocol in a tree, compiled.
#[derive(Debug)]
pub(crate) struct InTrees {
    letters: Letters,
    pub(crate) initial: TreeAutomaton,
    /// Where it says what no first tree satisfies, if it does.
    pub(crate) never_begins: Option<Span>,
    pub(crate) steps: Vec<(String, Transducer)>,
    /// What must not happen, by property.
    pub(crate) bad: Vec<(String, Span, TreeAutomaton)>,
}

impl InTrees {
    /// What the protocol means, without automata.
    pub(crate) fn plain<'a>(&'a self, protocol: &'a Protocol) -> Plain<'a> {
        Plain {
            protocol,
            letters: &self.letters,
        }
    }
}

impl Protocol {
    /// Compiles a protocol whose processes stand in a tree.
    pub(crate) fn compile_trees(&self, budget: &Budget) -> Result<InTrees, Trouble> {
        self.fits_trees()?;
        let letters = Letters::of(self, budget)?;
        let mut conditions = Conditions::new(&letters, budget);
        let mut steps = Vec::new();
        let mut domains = Vec::new();
        for step in &self.steps {
            let compiled = steps::compiled(&mut conditions, step)?;
            if step.nature != Nature::Fault {
                domains.push(compiled.domain);
            }
            steps.push((step.name.clone(), compiled.relation));
        }
        let begins = letters.initial;
        let mut initial =
            conditions.made(0, 1, &[0], &|letter, _, _| (letter < begins).then_some(0))?;
        let mut never_begins = None;
        for (condition, place) in self.initially.iter().zip(&self.initially_places) {
            let Condition::Holds(expr) = condition else {
                return Err(misfit("words"));
            };
            let set = conditions.of(expr, 0)?;
            initial = intersection(&initial, &set, budget)?;
            if initial.is_empty() && never_begins.is_none() {
                never_begins = Some(*place);
            }
        }
        let initial = minimise(&initial, budget)?;
        let mut bad = Vec::new();
        for property in &self.properties {
            let set = match &property.demand {
                Demand::Never(Condition::Holds(expr)) => conditions.of(expr, 0)?,
                Demand::NoDeadlock => {
                    let mut stuck = TreeAutomaton::all(conditions.alphabet(0));
                    for domain in &domains {
                        let unable = complement(domain, budget)?;
                        stuck = minimise(&intersection(&stuck, &unable, budget)?, budget)?;
                    }
                    stuck
                }
                Demand::Never(_) => return Err(misfit("words")),
                Demand::LeadsTo(..) | Demand::Happens(_) => {
                    let message = "what must happen is not asked of trees";
                    let error = Diagnostic::error("no-trees", message);
                    let error = error.at(&self.source, property.span, "");
                    let help = "ask what must not happen: `never`, `always` or `no deadlock`";
                    return Err(error.help(help).into());
                }
            };
            bad.push((property.name.clone(), property.span, set.trimmed()));
        }
        drop(conditions);
        Ok(InTrees {
            letters,
            initial,
            never_begins,
            steps,
            bad,
        })
    }

    /// Says why a protocol does not fit into trees, if it does not.
    fn fits_trees(&self) -> Result<(), Trouble> {
        let refused = |what: &str, span: Span| {
            let message = format!("a tree cannot keep {what}");
            let error = Diagnostic::error("no-trees", message).at(&self.source, span, "");
            let help =
                "in a tree there are processes with variables of their own, and nothing else";
            Err::<(), Trouble>(error.help(help).into())
        };
        if !self.has_processes {
            return refused("nobody: there are no processes", Span::default());
        }
        if let Some(global) = self.globals.first() {
            return refused("what all see", global.span);
        }
        let held = |mark: &Option<Mark>| mark.is_some();
        if let Some(field) = self.fields.iter().find(|field| held(&field.mark)) {
            return refused("whom a variable holds", field.span);
        }
        if let Some(pair) = self.pairs.first() {
            return refused("what processes have for each other", pair.span);
        }
        if !self.channels.is_empty() {
            return refused("stacks, queues or logs", Span::default());
        }
        if !self.assumptions.is_empty() || !self.constraints.is_empty() {
            return refused("how many processes there are", Span::default());
        }
        let sizes = |expr: &Expr| expr.mentions(&|part| matches!(part, Expr::Size));
        match self.steps.iter().find(|step| sizes(&step.guard)) {
            Some(step) => refused("how many processes there are", step.span),
            None => Ok(()),
        }
    }
}
