//! An opened net: what it can be asked.

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Trouble};
use quotient_explicit::Party;
use quotient_language::{Answer, Ask, Doubt, Model, Property, Settings, Shown, Simulation, Viewed};

use crate::certify;
use crate::net::{Net, Place};
use crate::properties::Asked;
use crate::walk::Walk;
use crate::{check, show};

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
}

impl Model for NetModel {
    fn properties(&self) -> Vec<Property> {
        let property = |(number, asked): (usize, &Asked)| Property {
            name: asked.name.clone(),
            number: Some(number + 1),
            kind: asked.kind.to_owned(),
            text: asked.text.clone(),
            span: asked.span.filter(|_| self.own),
            in_file: true,
        };
        self.asked.iter().enumerate().map(property).collect()
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
        let asked = self.asked.iter().find(|one| one.name == property.name);
        let asked = asked
            .ok_or_else(|| Rejection::wrong(format!("there is no property `{}`", property.name)))?;
        certify::certify(&self.net, &asked.name, &asked.question, evidence, budget)
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
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
        let unused = self.net.places.iter().zip(used).filter(|(_, used)| !used);
        let doubt = |place: &str| {
            Doubt::new(
                "unused-place",
                format!("no transition touches the place `{place}`"),
            )
        };
        Ok(unused.map(|(place, _)| doubt(&place.label)).collect())
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(self, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Walk::new(&self.net)))
    }
}
