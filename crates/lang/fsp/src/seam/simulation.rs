//! Runs of a system: LTSA's animator as data.

use quotient_core::{Context, Diagnostic, Trouble, nearest};
use quotient_language::{Choice, Json, Random, Simulation, Status, Trace};
use serde_json::json;

use super::opened::Opened;
use super::place::Places;
use super::told::{Told, movers, shown_label, stuck, table, waiting_json, waiting_line};
use crate::{Animation, Model, Step, plain_label};

/// More are not listed.
const MOST_CHOICES: usize = 100;

/// A run of a system that somebody makes.
struct Run {
    model: Model,
    name: String,
    animation: Animation,
    /// The actions that are for the user to choose; all if there is none.
    menu: Option<Vec<String>>,
}

impl Opened {
    /// A run that begins.
    pub(super) fn run(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let menu = match &self.wishes.menu {
            None => None,
            Some(wanted) => {
                let known = &self.system()?.menus;
                let found = known.iter().find(|(name, _)| name == wanted);
                let (_, actions) = found.ok_or_else(|| {
                    let message = format!("there is no menu `{wanted}`");
                    Diagnostic::error("no-such-menu", message)
                        .in_source(self.model.source())
                        .did_you_mean(wanted, known.iter().map(|(name, _)| name.as_str()))
                })?;
                Some(actions.clone())
            }
        };
        let system = self.system()?;
        let network = system.network(&cx.budget)?;
        Ok(Box::new(Run {
            animation: Animation::new(&network, &cx.budget)?,
            name: system.name.clone(),
            model: self.model.clone(),
            menu,
        }))
    }
}

impl Run {
    fn is_offered(&self, step: &Step) -> bool {
        let menu = self.menu.as_ref();
        menu.is_none_or(|menu| !step.hidden && menu.contains(&step.label))
    }

    /// The actions that can happen now.
    fn possible(&self) -> Vec<String> {
        let choices = self.animation.choices().into_iter();
        let mut labels: Vec<String> = choices.map(|choice| shown_label(&choice.step)).collect();
        labels.dedup();
        labels
    }

    fn told(&self) -> Told {
        let (teller, initial, steps) = self.animation.run();
        Told::new(teller, initial, steps, false)
    }
}

impl Simulation for Run {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        cx.budget.poll()?;
        let all = self.animation.choices();
        let mut places = Places::new(&self.model);
        let choices = all.iter().take(MOST_CHOICES).map(|choice| {
            let step = &choice.step;
            let mut twins = all.iter().filter(|other| other.step.label == step.label);
            // Where an action leads to several states, say which it is.
            let leads_to = match twins.nth(1).is_some() {
                true => movers(step).join(", "),
                false => String::new(),
            };
            Choice {
                action: shown_label(step),
                leads_to,
                automatic: !self.is_offered(step),
                place: places.of(step),
            }
        });
        Ok(choices.collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        cx.budget.poll()?;
        let mut choices = self.animation.choices();
        if choice >= choices.len() {
            return Err(Trouble::usage("there is no such step now"));
        }
        self.animation.take(choices.swap_remove(choice));
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        cx.budget.poll()?;
        let mut choices = self.animation.choices();
        if choices.is_empty() {
            return Ok(false);
        }
        let chosen = random.below(choices.len());
        self.animation.take(choices.swap_remove(chosen));
        Ok(true)
    }

    fn undo(&mut self) -> bool {
        self.animation.back()
    }

    fn trace(&self) -> Trace {
        let told = self.told();
        let mut trace = told.trace(&[], &mut Places::new(&self.model));
        if self.animation.status() == crate::Status::Deadlock {
            trace.ending = stuck("deadlock", &told.replay.end);
        }
        trace
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        cx.budget.poll()?;
        let status = self.animation.status();
        let mut notes = Vec::new();
        match &status {
            crate::Status::Running | crate::Status::Deadlock => {}
            crate::Status::Ended => notes.push("ended well (END)".to_owned()),
            crate::Status::Error(component) => {
                notes.push(format!("property violation: {component} is in ERROR"));
            }
        }
        let end = self.animation.told().end;
        let whereabouts =
            end.iter()
                .map(|waiting| match (&waiting.state, waiting.waits.is_empty()) {
                    (Some(state), false) => format!("{} at {state}", waiting.component),
                    (None, false) => {
                        let ready = waiting.waits.iter().map(|wait| wait.action.as_str());
                        let mut ready: Vec<&str> = ready.collect();
                        ready.dedup();
                        format!("{} ready for {}", waiting.component, ready.join(", "))
                    }
                    (_, true) => waiting_line(waiting),
                });
        Ok(Status {
            deadlock: status == crate::Status::Deadlock,
            notes,
            whereabouts: whereabouts.collect(),
            more: self.animation.choices().len() > MOST_CHOICES,
        })
    }

    fn refusal(&self, action: &str) -> Vec<String> {
        let label = action.trim().trim_matches(['(', ')']);
        match self.animation.refusals(label) {
            None => {
                let labels = self.animation.labels();
                let near = nearest(label, labels.iter().copied());
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let mut because = vec!["no component has this action".to_owned()];
                because.extend(near);
                because
            }
            Some(unready) if unready.is_empty() => {
                vec!["something else goes first, or the run is over".to_owned()]
            }
            Some(unready) => unready.iter().map(waiting_line).collect(),
        }
    }

    fn spelled(&self, action: &str) -> String {
        let plain = plain_label(action.trim().trim_matches(['(', ')']));
        let hidden = format!("({plain})");
        match self.possible().contains(&hidden) {
            true => hidden,
            false => plain,
        }
    }

    fn details(&mut self, cx: &Context) -> Result<Vec<(String, Json)>, Trouble> {
        cx.budget.poll()?;
        let told = self.animation.told();
        let status = self.animation.status();
        let mut table = table(&told.steps, &[], &[]);
        table["waiting"] = told.end.iter().map(waiting_json).collect();
        let error = match &status {
            crate::Status::Error(component) => json!(component),
            _ => Json::Null,
        };
        let own = |name: &str, value: Json| (name.to_owned(), value);
        Ok(vec![
            own("system", json!(self.name)),
            own("deadlock", json!(status == crate::Status::Deadlock)),
            own("ended", json!(status == crate::Status::Ended)),
            own("error", error),
            own("possible", json!(self.possible())),
            own("table", table),
        ])
    }
}
