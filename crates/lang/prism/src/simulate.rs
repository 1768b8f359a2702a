//! Runs, step by step, by the naive reading of the model.

use quotient_core::{Budget, Context, Rejection, Span, Trouble};
use quotient_language::{Cell, Choice, Layout, Random, Simulation, Status, Step, Trace};
use quotient_markov::{Kind, nearest};

use crate::instance::Instance;
use crate::naive::{State, happenings, starts};
use crate::show::short;

/// At most so many choices are listed.
const MOST: usize = 100;

/// A run that grows at its end.
pub(crate) struct Simulated {
    instance: Instance,
    starts: Vec<State>,
    /// The states so far, each with how it was reached.
    path: Vec<(State, Option<Taken>)>,
}

/// A step that was taken.
#[derive(Debug, Clone)]
struct Taken {
    action: String,
    by: Vec<String>,
    place: Option<Span>,
    chance: String,
}

/// A step that can be taken.
struct Possible {
    taken: Taken,
    target: State,
    /// How likely it is among all.
    weight: f64,
}

fn trouble(rejection: Rejection) -> Trouble {
    match rejection {
        Rejection::Stopped(stop) => stop.into(),
        other => Trouble::usage(other.to_string()),
    }
}

impl Simulated {
    pub(crate) fn new(instance: Instance, budget: &Budget) -> Result<Simulated, Trouble> {
        let starts = starts(&instance, budget).map_err(trouble)?;
        let mut path = Vec::new();
        if let [only] = &starts[..] {
            path.push((only.clone(), None));
        }
        Ok(Simulated {
            instance,
            starts,
            path,
        })
    }

    fn possible(&self, budget: &Budget) -> Result<Vec<Possible>, Trouble> {
        let Some((state, _)) = self.path.last() else {
            let even = 1.0 / self.starts.len() as f64;
            let start = |state: &State| Possible {
                taken: Taken {
                    action: "begin".to_owned(),
                    by: Vec::new(),
                    place: None,
                    chance: String::new(),
                },
                target: state.clone(),
                weight: even,
            };
            return Ok(self.starts.iter().map(start).collect());
        };
        let all = happenings(&self.instance, state, budget).map_err(trouble)?;
        let many = all.len() as f64;
        let mut possible = Vec::new();
        for one in all {
            let rated = self.instance.kind == Kind::Ctmc || one.is_rated(&self.instance);
            let first = one
                .commands
                .first()
                .map(|&at| &self.instance.commands[at as usize]);
            let action = match one.action {
                0 => first.map_or_else(String::new, |command| {
                    self.instance.modules[command.module].0.clone()
                }),
                named => self.instance.actions[named as usize - 1].clone(),
            };
            let modules = one.commands.iter().map(|&at| {
                let module = self.instance.commands[at as usize].module;
                self.instance.modules[module].0.clone()
            });
            let taken = Taken {
                action,
                by: modules.collect(),
                place: first.map(|command| command.span),
                chance: String::new(),
            };
            for (target, weight) in one.branches {
                let number = nearest(&weight);
                let chance = match rated {
                    true => format!("rate {}", short(number)),
                    false => format!("chance {}", short(number)),
                };
                possible.push(Possible {
                    taken: Taken {
                        chance,
                        ..taken.clone()
                    },
                    target,
                    weight: match rated {
                        true => number,
                        false => number / many,
                    },
                });
            }
        }
        Ok(possible)
    }

    fn step(&mut self, possible: Possible) {
        self.path.push((possible.target, Some(possible.taken)));
    }
}

impl Simulation for Simulated {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let possible = self.possible(&cx.budget)?;
        let before = self.path.last().map(|(state, _)| state.clone());
        let choice = |one: Possible| {
            let mut news = Vec::new();
            for (number, variable) in self.instance.variables.iter().enumerate() {
                let value = one.target[number];
                if before.as_ref().is_none_or(|before| before[number] != value) {
                    news.push(format!("{}={}", variable.name, variable.text(value)));
                }
            }
            let mut leads_to = news.join(", ");
            if !one.taken.chance.is_empty() {
                leads_to = format!("{}: {leads_to}", one.taken.chance);
            }
            Choice {
                action: one.taken.action,
                leads_to,
                automatic: false,
                place: one.taken.place,
            }
        };
        Ok(possible.into_iter().take(MOST).map(choice).collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let possible = self.possible(&cx.budget)?.into_iter().nth(choice);
        match possible {
            Some(possible) => {
                self.step(possible);
                Ok(())
            }
            None => Err(Trouble::usage(format!("there is no choice {}", choice + 1))),
        }
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let mut possible = self.possible(&cx.budget)?;
        let total: f64 = possible.iter().map(|one| one.weight).sum();
        let mut left = random.unit() * total;
        let at = possible.iter().position(|one| {
            left -= one.weight;
            left < 0.0
        });
        match at.or(possible.len().checked_sub(1)) {
            Some(at) => {
                self.step(possible.swap_remove(at));
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn undo(&mut self) -> bool {
        let least = usize::from(self.starts.len() == 1);
        let may = self.path.len() > least;
        if may {
            self.path.pop();
        }
        may
    }

    fn trace(&self) -> Trace {
        let columns = self.instance.variables.iter().map(|one| one.name.clone());
        let mut trace = Trace::new(Layout::Grid, columns);
        for (number, (state, taken)) in self.path.iter().enumerate() {
            let cells = self.instance.variables.iter().zip(state);
            let cells: Vec<Cell> = cells
                .map(|(variable, &value)| Cell::new(variable.text(value)))
                .collect();
            let mut step = match taken {
                Some(taken) if number > 0 => {
                    Step::by(taken.action.clone(), taken.by.clone(), cells)
                }
                _ => Step::start(cells),
            };
            step.place = taken.as_ref().and_then(|taken| taken.place);
            step.remark = taken
                .as_ref()
                .map(|taken| taken.chance.clone())
                .filter(|chance| !chance.is_empty());
            trace.steps.push(step);
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let possible = self.possible(&cx.budget)?;
        let whereabouts = match self.path.last() {
            Some((state, _)) => vec![self.instance.state_text(state)],
            None => Vec::new(),
        };
        let labels = self.path.last().map(|(state, _)| {
            let all = self.instance.labels.iter();
            let holding = all.filter(|(_, term, _)| crate::naive::holds(term, state));
            holding
                .map(|(name, ..)| format!("\"{name}\""))
                .collect::<Vec<_>>()
        });
        let notes = match labels {
            Some(labels) if !labels.is_empty() => vec![format!("here {} holds", labels.join(", "))],
            _ => Vec::new(),
        };
        Ok(Status {
            deadlock: possible.is_empty(),
            notes,
            whereabouts,
            more: possible.len() > MOST,
        })
    }
}
