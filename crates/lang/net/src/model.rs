//! An opened net: what it can be asked.

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Trouble};
use quotient_explicit::Party;
use quotient_language::{Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed};

use crate::asked;
use crate::certify;
use crate::dead;
use crate::fair;
use crate::net::{Net, Place};
use crate::properties::Asked;
use crate::walk::Walk;
use crate::{check, show};

/// Transitions that never fire and are named one by one.
const MOST_DEAD: usize = 10;

/// A net with its questions.
pub(crate) struct NetModel {
    pub(crate) name: String,
    pub(crate) net: Net,
    pub(crate) asked: Vec<Asked>,
    pub(crate) settings: Settings,
    /// Who searches together, where a setting asks for it.
    pub(crate) party: Option<Party>,
    /// Whether the properties stand in the model's own file, so that places in it can be shown.
    pub(crate) own: bool,
    /// Whether formulas of linear time are about fair runs only.
    pub(crate) fair: bool,
}

impl NetModel {
    /// The question of this name or number, or what a formula asks.
    pub(crate) fn question(&self, name: &str) -> Result<Asked, Trouble> {
        let named = self.asked.iter().find(|one| one.name == name);
        let number = || name.parse::<usize>().ok()?.checked_sub(1);
        match named.or_else(|| self.asked.get(number()?)) {
            Some(asked) => Ok(asked.clone()),
            None => {
                let known = self.asked.iter().map(|one| one.name.as_str());
                let source = Source::new("property", name);
                let mut asked = asked::alone(&source, &self.net, known)?;
                if self.fair {
                    fair::fairly(&mut asked);
                }
                Ok(asked)
            }
        }
    }

    /// Where a question stands among those of the file, from 0.
    pub(crate) fn place(&self, asked: &Asked) -> Option<usize> {
        self.asked.iter().position(|one| one.name == asked.name)
    }

    fn described(&self, asked: &Asked) -> Property {
        let place = self.place(asked);
        Property {
            name: asked.name.clone(),
            number: place.map(|place| place + 1),
            kind: asked.kind.to_owned(),
            text: asked.text.clone(),
            span: asked.span.filter(|_| self.own && place.is_some()),
            in_file: place.is_some(),
        }
    }
}

impl Model for NetModel {
    fn properties(&self) -> Vec<Property> {
        let all = self.asked.iter().enumerate();
        all.map(|(place, asked)| Property {
            number: Some(place + 1),
            ..self.described(asked)
        })
        .collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        Ok(self.described(&self.question(name)?))
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        let some = |place: &Place| place.most.is_none_or(|most| place.least <= most);
        Ok(self.net.places.iter().all(some))
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
        let asked = self
            .question(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        certify::certify(&self.net, &asked.name, &asked.question, evidence, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut used = vec![false; self.net.places.len()];
        for transition in &self.net.transitions {
            for guard in &transition.guard {
                used[guard.place] = true;
            }
            for &(place, _) in &transition.effect {
                used[place] = true;
            }
            for assign in &transition.assign {
                used[assign.place] = true;
                for &place in &assign.sum {
                    used[place] = true;
                }
            }
        }
        // What a transition touches that never fires is not known here.
        let known = !self.net.split.iter().any(|one| one.parts.is_empty());
        let unused = self.net.places.iter().zip(used);
        let unused = unused.filter(|(_, used)| known && !used);
        let doubt = |place: &str| {
            Doubt::new(
                "unused-place",
                format!("no transition touches the place `{place}`"),
            )
        };
        let never = self.net.split.iter().filter(|one| one.parts.is_empty());
        let never = never.map(|one| {
            let message = format!(
                "`{}` never fires: wherever it could, what goes before it can",
                one.name
            );
            Doubt::new("dead-step", message)
        });
        let mut doubts: Vec<Doubt> = unused
            .map(|(place, _)| doubt(&place.label))
            .chain(never)
            .collect();
        let dead = dead::never_fire(&self.net, &cx.budget)?;
        let wholes = self.net.wholes().into_iter();
        let dead: Vec<_> = wholes
            .filter(|(_, _, parts)| {
                !parts.is_empty() && dead[parts.clone()].iter().all(|dead| *dead)
            })
            .collect();
        for (_, label, parts) in dead.iter().take(MOST_DEAD) {
            let mut doubt = Doubt::new("dead-step", format!("`{label}` never fires"));
            let span = self.net.transitions[parts.start].span;
            doubt.span = Some(span).filter(|span| span.end > span.start);
            doubts.push(doubt);
        }
        if let Some(more) = dead.len().checked_sub(MOST_DEAD).filter(|&more| more > 0) {
            let message = format!("{more} more transitions never fire");
            doubts.push(Doubt::new("dead-step", message));
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(self, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Walk::new(&self.net)))
    }
}
