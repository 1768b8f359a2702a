//! An opened pathway: what it can be asked.

use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};
use quotient_language::{
    Answer, Ask, Doubt, Model, Property, Query, Settings, Shown, Simulation, Viewed,
};

use crate::explore::explore;
use crate::pathway::{Asked, Left, Pathway};
use crate::walk::Walk;
use crate::{ask, certify, check, published, read, show};

/// The most aggregates that are looked at for doubts.
const MOST_LOOKED_AT: usize = 100_000;

/// A pathway with its questions.
pub(crate) struct PathwayModel {
    pub(crate) name: String,
    pub(crate) pathway: Pathway,
    /// What was left out of the text.
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) settings: Settings,
}

/// The first word of a question.
fn kind(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}

impl PathwayModel {
    /// A question of the file by its name, or one that a user asks: `can F16P`.
    pub(crate) fn question(&self, name: &str) -> Result<Asked, Trouble> {
        let known = self.pathway.questions.iter().find(|one| one.name == name);
        match known {
            Some(asked) => Ok(asked.clone()),
            None => Ok(read::question(&self.pathway, name)?),
        }
    }

    /// The start and the reactions as the published function takes them, if it can.
    pub(crate) fn published(&self) -> Option<(Vec<published::Complex>, Vec<published::Formula>)> {
        let mut list = Vec::new();
        for portion in &self.pathway.start {
            let complex = &self.pathway.species[portion.species].0;
            let number = portion.amount.filter(|number| *number <= 1000)?;
            list.extend((0..number).map(|_| complex.clone()));
        }
        let formula = |reaction: &crate::pathway::Reaction| {
            let left = match &reaction.left {
                Left::Interaction(parts) => parts.clone(),
                Left::Gathered(all) if all.len() == 2 => {
                    let parts = all.iter().map(|&one| self.pathway.species[one].0.clone());
                    parts.collect::<Vec<_>>().concat()
                }
                Left::Gathered(_) => return None,
            };
            let products = reaction.products.iter();
            let products = products.map(|&one| self.pathway.species[one].0.clone());
            Some((left, products.collect()))
        };
        let formulas: Option<Vec<_>> = self.pathway.reactions.iter().map(formula).collect();
        Some((list, formulas?))
    }
}

impl Model for PathwayModel {
    fn title(&self) -> Option<String> {
        self.pathway.title.clone()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.clone()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let all = self.properties();
        if let Some(property) = all.into_iter().find(|one| one.name == name) {
            return Ok(property);
        }
        let asked = self.question(name)?;
        Ok(Property {
            name: asked.name,
            number: None,
            kind: kind(&asked.text),
            text: asked.text,
            span: None,
            in_file: false,
        })
    }

    fn properties(&self) -> Vec<Property> {
        let property = |(number, asked): (usize, &Asked)| Property {
            name: asked.name.clone(),
            number: Some(number + 1),
            kind: kind(&asked.text),
            text: asked.text.clone(),
            span: asked.span,
            in_file: true,
        };
        self.pathway
            .questions
            .iter()
            .enumerate()
            .map(property)
            .collect()
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        check::check(self, ask, cx, tell)
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let asked = self.question(&property.name);
        let asked = asked.map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        certify::certify(
            &self.pathway,
            &asked.name,
            &asked.question,
            evidence,
            budget,
        )
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = Vec::new();
        let pathway = &self.pathway;
        for (number, reaction) in pathway.reactions.iter().enumerate() {
            if !pathway.rules.iter().any(|rule| rule.reaction == number) {
                let text = format!("nothing makes up the left side of `{}`", reaction.name);
                let mut doubt = Doubt::new("impossible-reaction", text);
                doubt.span = Some(reaction.span);
                doubts.push(doubt);
            }
        }
        if let Some(start) = pathway.only_start() {
            let explored = explore(pathway, &start, MOST_LOOKED_AT, &cx.budget)?;
            if explored.is_complete() {
                for (number, reaction) in pathway.reactions.iter().enumerate() {
                    let rules = pathway.rules.iter().zip(&explored.used);
                    let mut own = rules.filter(|(rule, _)| rule.reaction == number).peekable();
                    if own.peek().is_some() && own.all(|(_, used)| !used) {
                        let text = format!("`{}` never happens", reaction.name);
                        let mut doubt = Doubt::new("unused-reaction", text);
                        doubt.span = Some(reaction.span);
                        doubts.push(doubt);
                    }
                }
            }
            if explored.ends.len() > 1 {
                let text = format!(
                    "the result depends on the order of reactions: there are {} ends",
                    explored.ends.len()
                );
                doubts.push(Doubt::new("order-dependent", text));
            }
        }
        if let Some((list, formulas)) = self.published() {
            let deduction = published::deduce(&list, &formulas, None, false);
            if deduction.pairs_itself() {
                let text = "in the published function an element reacts with itself";
                doubts.push(Doubt::new("pairs-itself", text));
            }
            if deduction.cut_short {
                let text = "the published function stops before nothing reacts any more";
                doubts.push(Doubt::new("cut-short", text));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(self, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Walk::new(&self.pathway)))
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        ask::ask(self, query, cx)
    }
}
