//! The questions of a text: each has a name and an answer of its own.

use quotient_core::{Diagnostic, Span, Trouble};
use quotient_language::Property;
use quotient_lts::evidence::NO_DEADLOCK;
use rustc_hash::FxHashSet;

use super::definition::{base, of_assertion, of_component, of_progress};
use super::modal;
use super::opened::{Opened, Safety};
use super::way::is_name;
use crate::syntax::{AssertionKind, Definition};
use crate::{Compiled, Model, short_names};

/// A question about the system.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// What front ends know of it.
    pub(super) property: Property,
    pub(super) kind: Kind,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// That something can always happen, or all has ended well.
    Deadlock,
    /// That some components never err, by the name that the engine has for them.
    Safety(String),
    /// The same for a property process of the system that allows its actions in any order.
    Idle,
    /// The same for a property process that is not part of the system and is added to it.
    Watcher(String),
    /// A progress property, one of its instances.
    Progress(String),
    /// That every action goes on.
    EveryAction,
    /// An assertion or a formula.
    Assertion(String),
    /// That the system is the same as another.
    Comparison,
    /// A formula of the mu-calculus.
    Modal,
}

/// The name under which it is asked that every action goes on.
pub(super) const EVERY_ACTION: &str = "progress";

impl Opened {
    /// What is asked if nothing is named: all, unless settings ask for less.
    pub(super) fn questions(&self) -> Vec<Asked> {
        let Ok(base) = &self.base else {
            return Vec::new();
        };
        if let Some(against) = &self.against {
            return vec![against.question(base)];
        }
        if let Some(formula) = &self.wishes.modal {
            return vec![modal::question(formula)];
        }
        let mut all = self.all_questions(base);
        if let Some(wanted) = &self.wishes.ltl {
            let is_wanted = |asked: &Asked| asked.kind == Kind::Assertion(wanted.clone());
            return match all.iter().position(is_wanted) {
                Some(at) => vec![all.swap_remove(at)],
                None => vec![self.assertion(wanted)],
            };
        }
        let kept = all.into_iter().filter(|asked| match asked.kind {
            Kind::Progress(_) | Kind::EveryAction => {
                self.wishes.progress || !self.wishes.by_assumptions()
            }
            Kind::Deadlock | Kind::Assertion(_) => {
                !self.wishes.progress && !self.wishes.by_assumptions()
            }
            Kind::Safety(_) | Kind::Idle | Kind::Watcher(_) | Kind::Comparison | Kind::Modal => {
                !self.wishes.progress
            }
        });
        let kept: Vec<Asked> = kept.collect();
        match kept.is_empty() && self.wishes.by_assumptions() {
            // The engine says that there is nothing to prove.
            true => vec![deadlock(base)],
            false => kept,
        }
    }

    /// All questions of the text, whatever settings ask for; names are unique.
    fn all_questions(&self, base: &Compiled) -> Vec<Asked> {
        let mut all = vec![deadlock(base)];
        let (idle, erring): (Vec<&Safety>, Vec<&Safety>) = match self.safety() {
            Ok(safety) => safety.iter().partition(|one| one.idle),
            Err(_) => Default::default(),
        };
        all.extend(erring.into_iter().map(|one| self.safety_question(one)));
        for progress in &base.progress {
            let name = progress.name.clone();
            let span = of_progress(&self.model, &name);
            all.push(self.asked(&name, "progress", span, Kind::Progress(name.clone())));
        }
        if base.progress.is_empty() && self.wishes.progress {
            all.push(every_action(base));
        }
        for name in asserted(&self.model) {
            all.push(self.assertion(name));
        }
        // They come last: what others are called does not depend on them.
        all.extend(idle.into_iter().map(|one| self.safety_question(one)));
        let mut names: FxHashSet<String> = FxHashSet::default();
        for asked in &mut all {
            let Property { name, kind, .. } = &mut asked.property;
            // A property, a progress property and an assertion may be called the same, and so
            // may several components.
            let others = (2..).map(|number| format!("{name} ({kind} {number})"));
            let mut spelled = [name.clone(), format!("{name} ({kind})")]
                .into_iter()
                .chain(others);
            let free = spelled.find(|spelled| !names.contains(spelled));
            let free = free.unwrap_or_default();
            names.insert(free.clone());
            *name = free;
        }
        all
    }

    fn asked(&self, name: &str, kind: &str, span: Option<Span>, asked: Kind) -> Asked {
        let text = span.and_then(|span| self.model.source().text().get(span.range()));
        Asked {
            property: Property {
                name: name.to_owned(),
                number: None,
                kind: kind.to_owned(),
                text: text.unwrap_or(name).to_owned(),
                span,
                in_file: true,
            },
            kind: asked,
        }
    }

    fn safety_question(&self, safety: &Safety) -> Asked {
        let spans: Vec<Option<Span>> = safety
            .components
            .iter()
            .map(|component| of_component(&self.model, component))
            .collect();
        let first = spans.first().copied().flatten();
        let kind = match safety.idle {
            true => Kind::Idle,
            false => Kind::Safety(safety.full.clone()),
        };
        let mut asked = self.asked(&safety.short, "safety", first, kind);
        // Components that err and are no properties are taken together.
        for span in spans.iter().skip(1).flatten() {
            let text = self.model.source().text().get(span.range());
            asked.property.text.push('\n');
            asked.property.text.push_str(text.unwrap_or_default());
        }
        asked
    }

    /// An assertion of the text, or the formula that it was opened with.
    fn assertion(&self, name: &str) -> Asked {
        let span = of_assertion(&self.model, name).filter(|_| is_name(name));
        let kind = Kind::Assertion(name.to_owned());
        let mut asked = self.asked(name, "assert", span, kind);
        asked.property.in_file = span.is_some();
        asked
    }

    /// The question that a user or evidence names.
    pub(super) fn question_named(&mut self, name: &str) -> Result<Asked, Trouble> {
        let name = name.trim();
        let base = self.base.as_ref().map_err(Clone::clone)?;
        if let Some(against) = &self.against {
            let asked = against.question(base);
            return match asked.property.name == name {
                true => Ok(asked),
                false => Err(no_such_property(name, &[asked], &self.model).into()),
            };
        }
        if let Some(formula) = &self.wishes.modal
            && formula == name
        {
            return Ok(modal::question(formula));
        }
        let mut all = self.all_questions(base);
        if let Some(at) = all.iter().position(|asked| asked.property.name == name) {
            return Ok(all.swap_remove(at));
        }
        if name == EVERY_ACTION && base.progress.is_empty() {
            return Ok(every_action(base));
        }
        // By its full name, or by that of its definition where only one component has it.
        let is_meant = |asked: &Asked, fits: &dyn Fn(&str) -> bool| match &asked.kind {
            Kind::Safety(full) => fits(full),
            _ => false,
        };
        let fitting: [&dyn Fn(&str) -> bool; 2] =
            [&|full| full == name, &|full| base_is(full, name)];
        for fits in fitting {
            let mut found = all.iter().filter(|asked| is_meant(asked, fits));
            if let (Some(asked), None) = (found.next(), found.next()) {
                return Ok(asked.clone());
            }
        }
        if self.model.assertions().any(|known| known == name) && !self.watches(name) {
            return Ok(self.assertion(name));
        }
        if self.is_process(name) {
            let span = of_component(&self.model, name);
            return Ok(self.asked(name, "safety", span, Kind::Watcher(name.to_owned())));
        }
        if !is_name(name)
            && let Ok(model) = self.model.with_formula(name)
        {
            self.model = model;
            let mut asked = self.asked(name, "assert", None, Kind::Assertion(name.to_owned()));
            asked.property.in_file = false;
            return Ok(asked);
        }
        Err(no_such_property(name, &all, &self.model).into())
    }

    /// Whether a name is that of a process or composite, perhaps with parameters, or of a
    /// formula that can be composed like one.
    fn is_process(&self, name: &str) -> bool {
        let plain = name.split('(').next().unwrap_or(name).trim();
        let mut known = self.model.processes().chain(self.model.composites());
        known.any(|known| known == plain) || self.watches(plain)
    }

    /// Whether an assertion is meant to be composed like a property process.
    fn watches(&self, name: &str) -> bool {
        let mut definitions = self.model.specification().definitions.iter();
        definitions.any(|definition| match definition {
            Definition::Assertion(one) => {
                one.kind == AssertionKind::Property && one.name.text == name
            }
            _ => false,
        })
    }
}

fn deadlock(base: &Compiled) -> Asked {
    let property = Property {
        name: NO_DEADLOCK.to_owned(),
        kind: "deadlock".to_owned(),
        text: format!("no deadlock in {}", base.name),
        in_file: true,
        ..Property::default()
    };
    let kind = Kind::Deadlock;
    Asked { property, kind }
}

/// LTSA's default: every action goes on.
fn every_action(base: &Compiled) -> Asked {
    let property = Property {
        name: EVERY_ACTION.to_owned(),
        kind: "progress".to_owned(),
        text: format!("every action of {} goes on", base.name),
        in_file: true,
        ..Property::default()
    };
    let kind = Kind::EveryAction;
    Asked { property, kind }
}

fn base_is(full: &str, name: &str) -> bool {
    base(full) == name
}

/// The assertions that are there to be checked: not those that are used as processes.
fn asserted(model: &Model) -> Vec<&str> {
    let definitions = model.specification().definitions.iter();
    let names = definitions.filter_map(|definition| match definition {
        Definition::Assertion(one) if one.kind == AssertionKind::Assert => Some(&*one.name.text),
        _ => None,
    });
    // A formula that a user gave is not one of the text.
    names.filter(|name| is_name(name)).collect()
}

/// What can be violated, with the short names of components: properties by name, with the places
/// of the components that must not err; and the other components that a text calls properties.
pub(super) fn safeties(
    components: &[&str],
    properties: impl IntoIterator<Item = (String, Vec<usize>)>,
    model: &Model,
) -> Vec<Safety> {
    let short = short_names(components);
    let mut erring: FxHashSet<usize> = FxHashSet::default();
    let all = properties.into_iter().map(|(name, parts)| {
        erring.extend(&parts);
        let shorts: Vec<&str> = parts.iter().map(|&at| short[at].as_str()).collect();
        Safety {
            full: name,
            short: shorts.join(", "),
            components: parts.iter().map(|&at| components[at].to_owned()).collect(),
            idle: false,
        }
    });
    let mut all: Vec<Safety> = all.collect();
    let others = components.iter().enumerate();
    let others = others.filter(|(at, _)| !erring.contains(at));
    let idle = others.filter(|(_, component)| model.is_property(base(component)));
    all.extend(idle.map(|(at, &component)| Safety {
        full: component.to_owned(),
        short: short[at].clone(),
        components: vec![component.to_owned()],
        idle: true,
    }));
    all
}

fn no_such_property(name: &str, all: &[Asked], model: &Model) -> Diagnostic {
    let mut known: Vec<&str> = all.iter().map(|asked| &*asked.property.name).collect();
    let outside = model.processes().chain(model.composites());
    for outside in outside.filter(|name| model.is_property(name)) {
        if !known.contains(&outside) {
            known.push(outside);
        }
    }
    let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::error("no-such-property", format!("there is no property `{name}`"))
        .in_source(model.source())
        .note(format!("there is {}", names.join(", ")))
        .did_you_mean(name, known)
}
