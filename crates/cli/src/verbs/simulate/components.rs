//! Runs of systems of components: LTSA's animator for a terminal.

use std::collections::VecDeque;
use std::io::Read;

use clap::Args;
use quotient_core::{Diagnostic, Source, Verdict, nearest};
use quotient_fsp::{Animation, Choice, Compiled, Options, Status};
use serde_json::{Value, json};

use super::Simulate;
use super::prompt::{Order, ask};
use super::random::Random;
use crate::check::components::{
    constant, failure, read, told_table, waiting_json, waiting_line, wrapped,
};
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// What is only asked of systems of components.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Components (FSP)")]
pub(super) struct Wishes {
    /// The composite or process to run; by default the last composite.
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// Give a constant of the text, or a parameter of the system, another value.
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = constant)]
    constants: Vec<(String, i32)>,
    /// Choose only the actions of this menu of the text; others happen by themselves.
    #[arg(long, value_name = "NAME")]
    menu: Option<String>,
    /// Take these actions, as in `start,tick,tick`; `-` reads them from standard input.
    #[arg(long, value_name = "LIST", conflicts_with = "interactive")]
    pub(super) actions: Option<String>,
}

/// A run with who chooses its steps.
struct Run<'a> {
    animation: Animation,
    /// The actions that are chosen by the user; all if there is none.
    menu: Option<&'a [String]>,
    random: Random,
    most: usize,
}

/// An action that was wanted and cannot happen.
struct Refused {
    action: String,
    because: Vec<String>,
}

impl Simulate {
    /// Runs a system of components.
    pub(super) fn run_components(
        &self,
        source: &Source,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let wishes = &self.components;
        let (model, imports) = read(source, session)?;
        let options = Options {
            system: wishes.system.clone(),
            constants: wishes.constants.clone(),
            imports,
            ..Options::default()
        };
        let compiled = model.compile(&options, &session.budget).map_err(failure)?;
        let network = compiled.network(&session.budget)?;
        let mut run = Run {
            animation: Animation::new(&network, &session.budget)?,
            menu: self.menu(&compiled, source)?,
            random: Random::new(self.seed),
            most: self.most_steps(),
        };
        let mut refused = None;
        match &wishes.actions {
            Some(list) => refused = run.script(&wanted(list)?, session)?,
            None if self.interactive => run.interactive(&compiled, session)?,
            None => run.at_random(session)?,
        }
        let chance = !self.interactive && (wishes.actions.is_none() || run.menu.is_some());
        let seed = chance.then_some(self.seed);
        Ok(Reply {
            verdict: refused.is_some().then_some(Verdict::Violated),
            text: text(&run.animation, refused.as_ref(), seed),
            result: result(&run.animation, &compiled, refused.as_ref(), self.seed),
            warnings: compiled.warnings,
            ..Reply::default()
        })
    }

    fn menu<'c>(
        &self,
        compiled: &'c Compiled,
        source: &Source,
    ) -> Result<Option<&'c [String]>, Diagnostic> {
        let Some(wanted) = &self.components.menu else {
            return Ok(None);
        };
        if !self.interactive && self.components.actions.is_none() {
            let message = "--menu says what you choose, and here nothing is chosen";
            return Err(Diagnostic::error("usage", message)
                .in_source(source)
                .help("add --interactive or --actions"));
        }
        let known = compiled.menus.iter();
        let mut found = known.clone().filter(|(name, _)| name == wanted);
        match found.next() {
            Some((_, actions)) => Ok(Some(actions)),
            None => Err(
                Diagnostic::error("no-such-menu", format!("there is no menu `{wanted}`"))
                    .in_source(source)
                    .did_you_mean(wanted, known.map(|(name, _)| name.as_str())),
            ),
        }
    }
}

/// The actions of a list; indices may be in brackets.
fn wanted(list: &str) -> Result<Vec<String>, Diagnostic> {
    let mut text = list.to_owned();
    if list == "-" {
        text.clear();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        read.map_err(|error| Diagnostic::error("unreadable", format!("standard input: {error}")))?;
    }
    let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    let words = words.filter(|word| !word.is_empty());
    Ok(words.map(plain_label).collect())
}

/// `a[1].b` as the traces spell it: `a.1.b`.
pub(super) fn plain_label(label: &str) -> String {
    let dotted = label.replace('[', ".").replace(']', "");
    dotted.trim_start_matches('.').replace("..", ".")
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        self.animation.len() >= self.most
    }

    /// What the user may choose, and what happens by itself.
    fn parted(&self) -> (Vec<Choice>, Vec<Choice>) {
        let choices = self.animation.choices();
        choices.into_iter().partition(|choice| match self.menu {
            None => true,
            Some(menu) => !choice.step.hidden && menu.contains(&choice.step.label),
        })
    }

    /// Takes one of some steps.
    fn take_one(&mut self, mut choices: Vec<Choice>) {
        if !choices.is_empty() {
            let choice = self.random.below(choices.len());
            self.animation.take(choices.swap_remove(choice));
        }
    }

    fn at_random(&mut self, session: &Session) -> Result<(), Failure> {
        while !self.is_over() {
            session.budget.poll()?;
            let choices = self.animation.choices();
            if choices.is_empty() {
                break;
            }
            self.take_one(choices);
        }
        Ok(())
    }

    /// Takes actions one by one. With a menu, what is not in it happens by itself while a
    /// wanted action cannot.
    fn script(&mut self, wanted: &[String], session: &Session) -> Result<Option<Refused>, Failure> {
        // What happens by itself may go round for ever without what is wanted.
        const PATIENCE: usize = 10_000;
        let mut wanted: VecDeque<&String> = wanted.iter().collect();
        let mut waited = 0;
        while let Some(&label) = wanted.front() {
            session.budget.poll()?;
            if self.is_over() {
                break;
            }
            let mut fitting = self.animation.choices();
            fitting.retain(|choice| choice.step.label == *label);
            if !fitting.is_empty() {
                self.take_one(fitting);
                wanted.pop_front();
                waited = 0;
                continue;
            }
            let (_, others) = self.parted();
            waited += 1;
            if others.is_empty() || waited > PATIENCE {
                return Ok(Some(self.refused(label)));
            }
            self.take_one(others);
        }
        Ok(None)
    }

    /// Why an action cannot happen now.
    fn refused(&self, label: &str) -> Refused {
        let because = match self.animation.refusals(label) {
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
        };
        Refused {
            action: label.to_owned(),
            because,
        }
    }

    fn interactive(&mut self, compiled: &Compiled, session: &Session) -> Result<(), Failure> {
        while !self.is_over() {
            session.budget.poll()?;
            let (offered, others) = self.parted();
            if offered.is_empty() && others.is_empty() && self.animation.is_empty() {
                break;
            }
            match ask(&self.animation, compiled, &offered, &others) {
                Order::Take(choice) => self.animation.take(choice),
                Order::Any if others.is_empty() => self.take_one(offered),
                Order::Any => self.take_one(others),
                Order::Run => self.settle(session)?,
                Order::Back => {
                    self.animation.back();
                }
                Order::End => break,
            }
        }
        Ok(())
    }

    /// Lets happen what happens by itself, until all that is left is to choose.
    fn settle(&mut self, session: &Session) -> Result<(), Failure> {
        const MOST: usize = 100;
        for _ in 0..MOST {
            session.budget.poll()?;
            let (_, others) = self.parted();
            if others.is_empty() || self.is_over() {
                break;
            }
            self.take_one(others);
        }
        Ok(())
    }
}

fn text(animation: &Animation, refused: Option<&Refused>, seed: Option<u64>) -> String {
    let told = animation.told();
    let status = animation.status();
    let end = match status {
        Status::Deadlock => told.end.as_slice(),
        _ => &[],
    };
    let mut text = told_table(&told.steps, end).text;
    if let Some(refused) = refused {
        text.push_str(&format!("`{}` cannot happen now:\n", refused.action));
        for line in &refused.because {
            text.push_str(&format!("  {}\n", wrapped(line, 74, 6)));
        }
    }
    match status {
        Status::Running => {
            let line = format!("possible now: {}", possible(animation).join(", "));
            text.push_str(&format!("{}\n", wrapped(&line, 76, 2)));
        }
        Status::Deadlock => {}
        Status::Ended => text.push_str("ended well (END)\n"),
        Status::Error(component) => {
            text.push_str(&format!("property violation: {component} is in ERROR\n"));
        }
    }
    if let Some(seed) = seed {
        text.push_str(&format!("seed {seed}\n"));
    }
    text
}

fn result(
    animation: &Animation,
    compiled: &Compiled,
    refused: Option<&Refused>,
    seed: u64,
) -> Value {
    let told = animation.told();
    let status = animation.status();
    let mut table = told_table(&told.steps, &[]).json;
    table["waiting"] = told.end.iter().map(waiting_json).collect();
    let mut result = json!({
        "system": compiled.name,
        "seed": seed,
        "deadlock": status == Status::Deadlock,
        "ended": status == Status::Ended,
        "error": match &status {
            Status::Error(component) => Some(component),
            _ => None,
        },
        "possible": possible(animation),
        "table": table,
    });
    if let Some(refused) = refused {
        result["refused"] = json!({ "action": refused.action, "because": refused.because });
    }
    result
}

/// The actions that can happen now, without those that are hidden.
fn possible(animation: &Animation) -> Vec<String> {
    let choices = animation.choices().into_iter();
    let mut labels: Vec<String> = choices
        .map(|choice| super::prompt::spelled(&choice))
        .collect();
    labels.dedup();
    labels
}
