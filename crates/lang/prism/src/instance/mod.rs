//! A model with all its constants known: what the engine builds and the checker re-reads.

mod compose;
mod constants;
mod declared;
mod lowered;
mod resolve;
mod term;
mod time;
mod value;

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::Kind;
use quotient_probability as engine;

use crate::syntax::{Earns, ModelTree, Module, PropertiesTree, Sort, System, Tree};

pub(crate) use constants::{given_values, in_force};
pub(crate) use resolve::{Names, Renaming};
pub(crate) use term::Term;
pub(crate) use time::Time;
pub(crate) use value::Value;

/// The texts that an instance comes from.
#[derive(Debug, Clone)]
pub(crate) struct Texts {
    pub(crate) model: ModelTree,
    pub(crate) source: Source,
    pub(crate) properties: PropertiesTree,
    pub(crate) properties_source: Source,
}

/// A model with all its constants known.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) kind: Kind,
    /// Whether it is a Markov automaton, which is a decision process otherwise.
    pub(crate) markovian: bool,
    pub(crate) source: Source,
    pub(crate) names: Names,
    pub(crate) variables: Vec<Variable>,
    pub(crate) modules: Vec<(String, Span)>,
    pub(crate) commands: Vec<Command>,
    pub(crate) events: Vec<Event>,
    /// Names of actions; numbered from 1.
    pub(crate) actions: Vec<String>,
    pub(crate) init: Option<Term>,
    pub(crate) labels: Vec<(String, Term, Span)>,
    pub(crate) rewards: Vec<Structure>,
    /// How time passes, in a model with clocks.
    pub(crate) time: Option<Time>,
}

#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) truth: bool,
    pub(crate) init: i64,
    /// The module that may change it; none if it is global.
    pub(crate) module: Option<usize>,
    /// Whether it is a clock.
    pub(crate) clock: bool,
}

impl Variable {
    /// A value of it, as it is written.
    pub(crate) fn text(&self, value: i64) -> String {
        match self.truth {
            true => (value != 0).to_string(),
            false => value.to_string(),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) module: usize,
    pub(crate) action: String,
    pub(crate) guard: Term,
    /// Whether its weights are rates, in a Markov automaton.
    pub(crate) rated: bool,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Update {
    pub(crate) weight: Term,
    pub(crate) assignments: Vec<(usize, Term)>,
    pub(crate) span: Span,
}

/// Commands that happen together: one of each list.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) action: u32,
    pub(crate) parts: Vec<Vec<u32>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Structure {
    pub(crate) name: Option<String>,
    pub(crate) items: Vec<Item>,
}

/// By what something is earned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Earned {
    State,
    /// An action, from 1; 0 is none.
    Action(u32),
    /// Any step.
    Step,
    /// A command, by number.
    Command(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) earns: Earned,
    pub(crate) guard: Term,
    pub(crate) value: Term,
    pub(crate) span: Span,
}

/// A module with its renaming.
struct Ready<'t> {
    name: &'t str,
    span: Span,
    module: &'t Module,
    renaming: Renaming,
}

impl Instance {
    /// Puts constants, formulas and renamings in place; all mistakes are told at once.
    pub(crate) fn new(
        texts: &Texts,
        given: &[(String, String)],
    ) -> Result<Instance, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let mut names = Names::of_formulas(texts);
        let model = &texts.model;
        constants::formulas_twice(texts, &mut mistakes);
        constants::compute(texts, given, &mut names, &mut mistakes);
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let ready = ready(model, &texts.source, &mut mistakes);
        let mut instance = Instance {
            kind: model.kind,
            markovian: model.markovian,
            source: texts.source.clone(),
            names,
            variables: Vec::new(),
            modules: ready
                .iter()
                .map(|one| (one.name.to_owned(), one.span))
                .collect(),
            commands: Vec::new(),
            events: Vec::new(),
            actions: Vec::new(),
            init: None,
            labels: Vec::new(),
            rewards: Vec::new(),
            time: None,
        };
        instance.declare(model, &ready, &mut mistakes);
        for (number, module) in ready.iter().enumerate() {
            instance.read_commands(number, module, &mut mistakes);
        }
        let mut system = model.system.clone();
        if model.timed {
            instance.let_time_pass(texts, &ready, &mut system, &mut mistakes);
        }
        instance.put_together(system.as_ref(), &mut mistakes);
        instance.rates_alone(&mut mistakes);
        instance.read_rest(texts, &mut mistakes);
        if model.timed {
            instance.earn_by_time(&mut mistakes);
        }
        match mistakes.is_empty() {
            true => Ok(instance),
            false => Err(constants::told_once(mistakes)),
        }
    }

    fn read_commands(&mut self, number: usize, module: &Ready<'_>, mistakes: &mut Vec<Diagnostic>) {
        for command in &module.module.commands {
            let renaming = Some(&module.renaming);
            let action = module
                .renaming
                .get(&command.action)
                .unwrap_or(&command.action);
            let guard = self.condition(&command.guard, renaming, mistakes);
            let mut updates = Vec::new();
            for update in &command.updates {
                let weight = match &update.weight {
                    None => Some(Term::Value(Value::Whole(1))),
                    Some(tree) => self.number(tree, renaming, mistakes),
                };
                let mut assignments: Vec<(usize, Term)> = Vec::new();
                for (name, span, value) in &update.assignments {
                    let name = module.renaming.get(name).unwrap_or(name);
                    match self.assignment(number, name, *span, value, &module.renaming) {
                        Ok((variable, _)) if assignments.iter().any(|one| one.0 == variable) => {
                            let message = format!("`{name}` gets two values in one update");
                            mistakes.push(Diagnostic::error("twice", message).at(
                                &self.source,
                                *span,
                                "",
                            ));
                        }
                        Ok(assignment) => assignments.push(assignment),
                        Err(mistake) => mistakes.push(mistake),
                    }
                }
                if let Some(weight) = weight {
                    let span = update.span;
                    updates.push(Update {
                        weight,
                        assignments,
                        span,
                    });
                }
            }
            if let Some(guard) = guard {
                self.commands.push(Command {
                    module: number,
                    action: action.clone(),
                    guard,
                    rated: self.is_rated(command, mistakes),
                    updates,
                    span: command.span,
                });
            }
        }
    }

    fn assignment(
        &self,
        module: usize,
        name: &str,
        span: Span,
        value: &Tree,
        renaming: &Renaming,
    ) -> Result<(usize, Term), Diagnostic> {
        let Some(&(variable, truth)) = self.names.variables.get(name) else {
            let message = format!("`{name}` is not a variable");
            let known = self.names.variables.keys().map(String::as_str);
            return Err(Diagnostic::error("undeclared", message)
                .at(&self.source, span, "")
                .did_you_mean(name, known));
        };
        let owner = self.variables[variable].module;
        if owner.is_some_and(|owner| owner != module) {
            let message = format!("`{name}` belongs to another module");
            return Err(Diagnostic::error("foreign-variable", message)
                .at(&self.source, span, "")
                .help("a variable that several modules change is declared `global`"));
        }
        let term = self.names.term(value, &self.source, Some(renaming))?;
        let sort = if truth { Sort::Truth } else { Sort::Whole };
        resolve::expect(&term, sort, &self.source, value.span, &format!("`{name}`"))?;
        Ok((variable, term))
    }

    fn condition(
        &self,
        tree: &Tree,
        renaming: Option<&Renaming>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<Term> {
        let term = self.names.term(tree, &self.source, renaming);
        let term = term.and_then(|term| {
            resolve::expect(&term, Sort::Truth, &self.source, tree.span, "a condition")?;
            Ok(term)
        });
        term.map_err(|mistake| mistakes.push(mistake)).ok()
    }

    fn number(
        &self,
        tree: &Tree,
        renaming: Option<&Renaming>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<Term> {
        let term = self.names.term(tree, &self.source, renaming);
        let term = term.and_then(|term| {
            resolve::number(&term, &self.source, tree.span)?;
            Ok(term)
        });
        term.map_err(|mistake| mistakes.push(mistake)).ok()
    }

    /// What can happen: commands alone, or together as the system says.
    fn put_together(&mut self, system: Option<&System>, mistakes: &mut Vec<Diagnostic>) {
        let (events, actions, wrong) = compose::events(self, system);
        self.events = events;
        self.actions = actions;
        mistakes.extend(wrong);
    }

    fn read_rest(&mut self, texts: &Texts, mistakes: &mut Vec<Diagnostic>) {
        if let Some(init) = &texts.model.init {
            self.init = self.condition(init, None, mistakes);
        }
        let of_model = texts.model.labels.iter().map(|one| (one, &texts.source));
        let of_file = texts.properties.labels.iter();
        let of_file = of_file.map(|one| (one, &texts.properties_source));
        for (label, source) in of_model.chain(of_file) {
            let term = self.names.term(&label.tree, source, None);
            let term = term.and_then(|term| {
                resolve::expect(&term, Sort::Truth, source, label.tree.span, "a label")?;
                Ok(term)
            });
            match term {
                Ok(_) if self.labels.iter().any(|(name, ..)| *name == label.name) => {
                    let message = format!("the label \"{}\" is declared twice", label.name);
                    mistakes.push(Diagnostic::error("twice", message).at(source, label.span, ""));
                }
                Ok(term) => self.labels.push((label.name.clone(), term, label.span)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        for structure in &texts.model.rewards {
            let mut items = Vec::new();
            for item in &structure.items {
                let earns = match &item.earns {
                    Earns::State => Earned::State,
                    Earns::Step => Earned::Step,
                    Earns::Command(number) => Earned::Command(*number as u32),
                    Earns::Action(name) if name.is_empty() => Earned::Action(0),
                    Earns::Action(name) => {
                        let at = self.actions.iter().position(|one| one == name);
                        // What nobody does is never earned by.
                        Earned::Action(at.map_or(u32::MAX, |at| at as u32 + 1))
                    }
                };
                let guard = self.condition(&item.guard, None, mistakes);
                let value = self.number(&item.value, None, mistakes);
                if let (Some(guard), Some(value)) = (guard, value) {
                    let span = item.span;
                    items.push(Item {
                        earns,
                        guard,
                        value,
                        span,
                    });
                }
            }
            let name = structure.name.clone();
            self.rewards.push(Structure { name, items });
        }
    }

    /// The program for the engine; only these reward structures earn anything.
    pub(crate) fn program(&self, rewards: &[usize]) -> engine::Program {
        let update = |update: &Update| engine::Update {
            weight: update.weight.lower(&self.variables),
            assignments: update
                .assignments
                .iter()
                .map(|(variable, value)| (*variable, value.lower(&self.variables)))
                .collect(),
        };
        let command = |command: &Command| engine::Command {
            guard: command.guard.lower(&self.variables),
            rated: command.rated,
            updates: command.updates.iter().map(update).collect(),
        };
        let earning = |item: &Item| engine::Earning {
            earns: match item.earns {
                Earned::State => engine::Earns::State,
                Earned::Action(action) => engine::Earns::Action(action),
                Earned::Step => engine::Earns::Step,
                Earned::Command(command) => engine::Earns::Command(command),
            },
            guard: item.guard.lower(&self.variables),
            value: item.value.lower(&self.variables),
        };
        let variable = |variable: &Variable| engine::Variable {
            name: variable.name.clone(),
            low: variable.low,
            high: variable.high,
        };
        let event = |event: &Event| engine::Event {
            action: event.action,
            parts: event.parts.clone(),
        };
        engine::Program {
            kind: self.kind,
            markovian: self.markovian,
            variables: self.variables.iter().map(variable).collect(),
            commands: self.commands.iter().map(command).collect(),
            events: self.events.iter().map(event).collect(),
            actions: self.actions.clone(),
            starts: match &self.init {
                Some(condition) => engine::Starts::Where(condition.lower(&self.variables)),
                None => engine::Starts::At(self.variables.iter().map(|one| one.init).collect()),
            },
            rewards: (0..self.rewards.len())
                .map(|number| match rewards.contains(&number) {
                    true => self.rewards[number].items.iter().map(earning).collect(),
                    false => Vec::new(),
                })
                .collect(),
        }
    }

    /// The word of the field for its kind.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self.markovian {
            true => "ma",
            false => self.kind.name(),
        }
    }

    /// A state in words.
    pub(crate) fn state_text(&self, values: &[i64]) -> String {
        let cells = self.variables.iter().zip(values);
        let cells: Vec<String> = cells
            .map(|(variable, &value)| format!("{}={}", variable.name, variable.text(value)))
            .collect();
        cells.join(", ")
    }
}

/// The modules in their order, renamed ones with what they are renamed from.
fn ready<'t>(
    model: &'t ModelTree,
    source: &Source,
    mistakes: &mut Vec<Diagnostic>,
) -> Vec<Ready<'t>> {
    let mut all: Vec<Ready<'t>> = Vec::new();
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for &(is_renamed, place) in &model.order {
        let (name, span) = match is_renamed {
            true => (&model.renamed[place].name, model.renamed[place].span),
            false => (&model.modules[place].name, model.modules[place].span),
        };
        if let Some(&before) = seen.get(name.as_str()) {
            let message = format!("there are two modules `{name}`");
            let error = Diagnostic::error("twice", message).at(source, span, "");
            mistakes.push(error.at(source, before, "the first"));
            continue;
        }
        seen.insert(name, span);
        if !is_renamed {
            all.push(Ready {
                name,
                span,
                module: &model.modules[place],
                renaming: Renaming::new(),
            });
            continue;
        }
        let renamed = &model.renamed[place];
        let base = all.iter().find(|one| one.name == renamed.of);
        let Some(base) = base else {
            // It may come later in the text.
            let later = model.modules.iter().find(|one| one.name == renamed.of);
            match later {
                Some(module) => all.push(Ready {
                    name,
                    span,
                    module,
                    renaming: pairs(renamed),
                }),
                None => {
                    let message = format!("there is no module `{}` to rename", renamed.of);
                    mistakes.push(Diagnostic::error("undeclared", message).at(
                        source,
                        renamed.of_span,
                        "",
                    ));
                }
            }
            continue;
        };
        let mut renaming = pairs(renamed);
        for (old, new) in &base.renaming {
            let new = renaming.get(new).unwrap_or(new).clone();
            renaming.insert(old.clone(), new);
        }
        let module = base.module;
        all.push(Ready {
            name,
            span,
            module,
            renaming,
        });
    }
    all
}

fn pairs(renamed: &crate::syntax::Renamed) -> Renaming {
    let pairs = renamed.pairs.iter();
    pairs
        .map(|(old, new, _)| (old.clone(), new.clone()))
        .collect()
}
