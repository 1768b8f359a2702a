//! Steps.

use quotient_core::Span;

use super::definitions::as_name;
use super::vocabulary::Words;
use super::{MOST_VALUES, Resolved, Resolver, Scope, Topology};
use crate::model::{
    Action, Assigned, Bound, Broadcast, ChannelKind, Chosen, Expr, Initial, Nature, Operation,
    Person, Position, Step, Variable, Who,
};
use crate::syntax::faults::RECOVER;
use crate::syntax::kinds::KIND;
use crate::syntax::tree::{self, Expression, Kind, Name};

impl Resolver<'_> {
    /// A step, where these variables hold nobody when they are copied.
    pub(super) fn step(&mut self, step: &tree::Step, nobody: &[String]) -> Resolved<Step> {
        let mut scope = Scope {
            nobody: nobody.to_vec(),
            ..Scope::default()
        };
        let mut guard = Vec::new();
        if let Some((_, span)) = &step.import {
            self.nothing_beside_import(step, *span)?;
        }
        for (name, kind) in &step.choices {
            let mut variables = self.fields.iter().chain(&self.globals).chain(&self.pairs);
            if variables.any(|variable| variable.name == name.text) {
                let message = format!("`{}` already names a variable", name.text);
                return Err(self
                    .error("name-taken", message, name.span)
                    .help("choose another name, and compare it in `when` where that is meant"));
            }
            let domain = self.domain(kind)?;
            scope.choices.push((name.text.clone(), domain));
        }
        let sizes = scope
            .choices
            .iter()
            .map(|(_, domain)| domain.values().len());
        if sizes.fold(1, usize::saturating_mul) > MOST_VALUES {
            return Err(self
                .error(
                    "too-many-choices",
                    "this step chooses among too many values",
                    step.name.span,
                )
                .note(format!("at most {MOST_VALUES} joint values can be chosen")));
        }
        self.people(step, &mut scope, &mut guard)?;
        guard.extend(self.has_not_failed(step, &scope));
        if let Some(condition) = &step.guard {
            guard.push(self.boolean(condition, &mut scope)?);
        }
        let readings = match step.one_by_one {
            Some(how) => self.readings(step, how, &scope, &mut guard)?,
            None => Vec::new(),
        };
        let mut alternatives = Vec::new();
        for actions in &step.alternatives {
            let actions = actions.iter().map(|action| self.action(action, &mut scope));
            alternatives.push(actions.collect::<Resolved<Vec<_>>>()?);
        }
        self.keep_all_bearers(step, &alternatives, &mut guard)?;
        self.sent_fits(step, &alternatives, &guard, &mut scope)?;
        if scope.has_self {
            if scope.nobody.is_empty() {
                self.warn_of_neighbours(step);
            }
            for (actions, written) in alternatives.iter().zip(&step.alternatives) {
                self.warn_of_self(&guard, scope.people.len(), actions, written);
            }
        }
        let Scope {
            people, choices, ..
        } = scope;
        let (name, span) = (step.name.text.clone(), step.name.span);
        Ok(Step {
            name,
            span,
            people,
            choices,
            guard: Expr::And(guard),
            readings,
            alternatives,
            import: (step.import.as_ref()).and_then(|(_, span)| self.import(*span)),
            fairness: step.fairness,
            nature: match (step.fault, step.name.text.starts_with(RECOVER)) {
                (false, _) => Nature::Own,
                (true, true) => Nature::Recovery,
                (true, false) => Nature::Fault,
            },
        })
    }

    /// A transducer says itself whom it changes and when.
    fn nothing_beside_import(&self, step: &tree::Step, span: Span) -> Resolved<()> {
        let more = (step.witnesses.first().map(|(name, _)| name.span))
            .or(step.choices.first().map(|(name, _)| name.span))
            .or(step.one_by_one.map(|(span, _)| span));
        if let Some(more) = more {
            let message = "a step from a file has no witnesses, values or way of reading";
            return Err(self.error("bad-import", message, more));
        }
        let reading = self.file.steps.iter().find_map(|step| step.one_by_one);
        if let Some((reading, _)) = reading {
            let message = "a step cannot come from a file where others read one by one";
            return Err(self
                .error("bad-import", message, span)
                .at(self.source, reading, "reads one by one")
                .note("who has seen whom would be lost when the file rewrites letters"));
        }
        Ok(())
    }

    /// Who takes part: the process itself if the step speaks of it, its witnesses, and the
    /// neighbours that it names.
    fn people(&self, step: &tree::Step, scope: &mut Scope, guard: &mut Vec<Expr>) -> Resolved<()> {
        let mut words = Words::default();
        words.of_step(step);
        let is_local = |name: &str| {
            self.fields
                .iter()
                .any(|field| field.mark.is_none() && field.name == name)
                || self.pairs.iter().any(|pair| pair.name == name)
                || match self.is_tree() {
                    true => matches!(name, "self" | "parent" | "root" | "leaf"),
                    false => matches!(name, "self" | "left" | "right" | "first" | "last"),
                }
        };
        let macros = self
            .file
            .macros
            .iter()
            .filter(|definition| words.contains(&definition.name.text));
        let mut inside = Words::default();
        macros.for_each(|definition| inside.of_expression(&definition.body));
        let has_self = self.file.process.is_some()
            && (!step.witnesses.is_empty()
                || words.sided
                || words.iter().chain(inside.iter()).any(is_local));
        if !has_self {
            // Whom a global holds may take part all the same.
            return self.follow(step, scope, guard);
        }
        scope.has_self = true;
        scope.people.push(Person {
            name: "self".to_owned(),
        });
        for (name, side) in &step.witnesses {
            let Bound {
                mut different_from,
                left_of,
                right_of,
            } = self.bound(*side, None, scope, name.span)?;
            different_from.extend(0..scope.people.len());
            let who = scope.people.len();
            guard.extend(self.beside(*side, None, scope));
            self.introduce(name, scope)?;
            guard.extend(
                different_from
                    .into_iter()
                    .map(|other| Expr::Not(Box::new(Expr::Same(other, who)))),
            );
            guard.extend(left_of.map(|pivot| Expr::Before(who, pivot)));
            guard.extend(right_of.map(|pivot| Expr::Before(pivot, who)));
        }
        let unordered = self.is_set();
        let neighbours: &[&str] = match self.is_tree() {
            true => &["parent"],
            false => &["left", "right"],
        };
        for &neighbour in neighbours {
            if !words.contains(neighbour) && !inside.contains(neighbour) {
                continue;
            }
            if unordered {
                return Err(self
                    .error(
                        "no-neighbours",
                        format!("a set has no `{neighbour}` neighbours"),
                        step.name.span,
                    )
                    .help("say `topology line` or `topology ring`"));
            }
            let who = scope.people.len();
            scope.people.push(Person {
                name: neighbour.to_owned(),
            });
            // The two neighbours and the process itself are three processes.
            guard.extend(
                (0..who)
                    .filter(|&other| matches!(scope.people[other].name.as_str(), "self" | "left"))
                    .map(|other| Expr::Not(Box::new(Expr::Same(other, who)))),
            );
            guard.push(if neighbour == "right" {
                Expr::Next(0, who)
            } else {
                Expr::Next(who, 0)
            });
        }
        self.follow(step, scope, guard)
    }

    // Long because it has an arm for each kind of action.
    fn action(&mut self, action: &tree::Action, scope: &mut Scope) -> Resolved<Action> {
        match action {
            tree::Action::Assign { target, value } => self.assign(target, value, scope),
            tree::Action::Broadcast {
                name,
                side,
                only,
                assignments,
            } => {
                let bound = self.bound(*side, None, scope, name.span)?;
                let own = scope.people.len();
                let beside = self.beside(*side, None, scope);
                self.introduce(name, scope)?;
                let only = match only {
                    Some(condition) => self.plain(condition, scope)?,
                    None => Expr::TRUE,
                };
                let only = match beside {
                    Some(beside) => Expr::And(vec![beside, only]),
                    None => only,
                };
                let (mut resolved, mut pairs) = (Vec::new(), Vec::new());
                for (target, value) in assignments {
                    match self.assign(target, value, scope)? {
                        action @ Action::SetPair(..) => pairs.push(action),
                        Action::SetPointer(who, pair, to) if who == own => {
                            pairs.push(Action::SetPointer(who, pair, to));
                        }
                        Action::SetField(who, field, value) if who == own => {
                            resolved.push((field, value))
                        }
                        _ => {
                            return Err(self
                                .error(
                                    "not-the-other",
                                    format!("only variables of `{}` can be set here", name.text),
                                    target.field.span,
                                )
                                .help(format!(
                                    "write `{}.{} := …`",
                                    name.text, target.field.text
                                )));
                        }
                    }
                }
                scope.people.pop();
                Ok(Action::Broadcast(Broadcast {
                    bound,
                    only,
                    assignments: resolved,
                    pairs,
                }))
            }
            tree::Action::Move { who, .. } | tree::Action::Remove { who }
                if !self.pairs.is_empty() =>
            {
                Err(self.stays(who.span))
            }
            tree::Action::Create { span, .. } if !self.pairs.is_empty() => Err(self.stays(*span)),
            tree::Action::Move { who, to } => {
                self.ordered(who.span)?;
                let position = self.position(to, scope)?;
                let who = self.who(who, scope)?;
                if matches!(position, Position::Before(pivot) | Position::After(pivot) if pivot == who)
                {
                    return Err(self.error(
                        "bad-move",
                        "a process cannot move beside itself",
                        as_span(to),
                    ));
                }
                Ok(Action::Move(who, position))
            }
            tree::Action::Create { at, values, span } => {
                self.needs_processes(*span)?;
                let position = self.position(at, scope)?;
                self.distinct(values.iter().map(|(name, _)| name), "value")?;
                let mut created = Vec::new();
                for field in 0..self.fields.len() {
                    created.push(self.created(field, values, *span, scope)?);
                }
                for (name, _) in values {
                    self.field_named(name)?;
                }
                Ok(Action::Create(position, created))
            }
            tree::Action::Remove { who } => Ok(Action::Remove(self.who(who, scope)?)),
            tree::Action::Message { message, .. } => {
                let text = format!("there is no message `{}`", message.text);
                Err(self.error("kinds-and-messages", text, message.span))
            }
            tree::Action::Channel {
                operation,
                channel,
                value,
            } => {
                let number = self.channel(channel)?;
                let fits = matches!(
                    (self.channels[number].kind, operation),
                    (ChannelKind::Stack, Operation::Push | Operation::Pop)
                        | (
                            ChannelKind::Queue | ChannelKind::LossyQueue,
                            Operation::Send | Operation::Receive
                        )
                        | (ChannelKind::Log, Operation::Record)
                );
                if !fits {
                    return Err(self
                        .error(
                            "wrong-operation",
                            format!("`{}` does not do that", channel.text),
                            channel.span,
                        )
                        .help(
                            "stacks `push` and `pop`, queues `send` and `receive`, logs `record`",
                        ));
                }
                let domain = self.channels[number].domain.clone();
                let resolved = self.value(value, &domain, scope)?;
                self.must_be_plain(&resolved, value.span)?;
                Ok(Action::Channel(*operation, number, resolved))
            }
        }
    }

    /// A new process begins like all, unless the step says otherwise.
    fn created(
        &self,
        field: usize,
        values: &[(Name, Expression)],
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<Assigned> {
        let Variable {
            name,
            domain,
            initial,
            mark,
            ..
        } = &self.fields[field];
        if let Some((_, value)) = values
            .iter()
            .find(|(given, _)| given.text == *name && mark.is_none())
        {
            let resolved = self.value(value, domain, scope)?;
            self.must_be_plain(&resolved, value.span)?;
            return Ok(Assigned {
                value: Chosen::Exactly(resolved),
                span: value.span,
            });
        }
        let kind = values.iter().find(|(given, _)| given.text == KIND);
        let own = kind.and_then(|(_, kind)| {
            let Kind::Name(kind) = &kind.kind else {
                return None;
            };
            let mut starts = self.file.own_starts.iter();
            starts.find(|(of, field, _)| of == kind && field == name)
        });
        let values = match (initial, own) {
            (Initial::Values(_), Some((_, _, starts))) if mark.is_none() => {
                let name = Name {
                    text: name.clone(),
                    span,
                };
                self.initial_values(starts, domain, &name)?
            }
            (Initial::Values(values), None) if mark.is_none() => values.clone(),
            _ => vec![0],
        };
        Ok(Assigned {
            value: Chosen::AnyOf(values),
            span,
        })
    }

    fn assign(
        &mut self,
        target: &tree::Target,
        value: &tree::Value,
        scope: &mut Scope,
    ) -> Resolved<Action> {
        if let Some(action) = self.assign_pair(target, value, scope)? {
            return Ok(action);
        }
        if let Some(owner) = &target.owner {
            let who = self.who(owner, scope)?;
            let field = self.field_named(&target.field)?;
            let domain = self.fields[field].domain.clone();
            return Ok(Action::SetField(
                who,
                field,
                self.assigned(value, &domain, scope)?,
            ));
        }
        let name = &target.field;
        if let Some(mark) = self.mark_named(&name.text) {
            let optional = self.fields[mark].mark.is_some_and(|mark| mark.optional);
            return Ok(Action::SetMark(
                mark,
                self.held(optional, value, name, scope)?,
            ));
        }
        if let Some(global) = self
            .globals
            .iter()
            .position(|variable| variable.name == name.text)
        {
            let domain = self.globals[global].domain.clone();
            if domain == crate::model::Domain::Parameter {
                let message = format!("`{}` is a parameter: it never changes", name.text);
                return Err(self.error("parameter", message, name.span));
            }
            return Ok(Action::SetGlobal(
                global,
                self.assigned(value, &domain, scope)?,
            ));
        }
        if self.fields.iter().any(|field| field.name == name.text) && scope.has_self {
            let field = self.field_named(name)?;
            let domain = self.fields[field].domain.clone();
            return Ok(Action::SetField(
                0,
                field,
                self.assigned(value, &domain, scope)?,
            ));
        }
        let known = self
            .fields
            .iter()
            .chain(&self.globals)
            .map(|variable| variable.name.as_str());
        Err(self
            .error(
                "unknown-variable",
                format!("there is no variable `{}` to assign to", name.text),
                name.span,
            )
            .did_you_mean(&name.text, known))
    }

    /// Whom a variable that holds a process is to hold.
    pub(super) fn held(
        &self,
        optional: bool,
        value: &tree::Value,
        name: &Name,
        scope: &Scope,
    ) -> Resolved<Option<Who>> {
        let tree::Value::Exactly(expression) = value else {
            return Err(self
                .error(
                    "any-process",
                    "a step cannot pick any process this way",
                    name.span,
                )
                .help(format!(
                    "name it: `step … with q: … then {} := q`",
                    name.text
                )));
        };
        let name_of_held = match &expression.kind {
            Kind::Field(owner, field) => Name {
                text: format!("{}.{}", owner.text, field.text),
                span: expression.span,
            },
            _ => as_name(expression),
        };
        let nobody = name_of_held.text == "none" || scope.nobody.contains(&name_of_held.text);
        if !nobody {
            return self.who(&name_of_held, scope).map(Some);
        }
        if optional {
            return Ok(None);
        }
        Err(self
            .error(
                "none-not-allowed",
                format!("`{}` always holds a process", name.text),
                expression.span,
            )
            .help("declare it as `process or none`"))
    }

    pub(super) fn assigned(
        &mut self,
        value: &tree::Value,
        domain: &crate::model::Domain,
        scope: &mut Scope,
    ) -> Resolved<Assigned> {
        match value {
            tree::Value::Exactly(expression) => {
                let resolved = self.value(expression, domain, scope)?;
                self.must_be_plain(&resolved, expression.span)?;
                Ok(Assigned {
                    value: Chosen::Exactly(resolved),
                    span: expression.span,
                })
            }
            tree::Value::Any(None, span) => Ok(Assigned {
                value: Chosen::AnyOf(domain.values()),
                span: *span,
            }),
            tree::Value::Any(Some(kind), span) => {
                let narrower = self.domain(kind)?;
                let values = narrower.values();
                let alike = std::mem::discriminant(&narrower) == std::mem::discriminant(domain);
                if !alike || values.iter().any(|&value| !domain.contains(value)) {
                    return Err(self.error(
                        "outside-domain",
                        "not all of these values fit the variable",
                        *span,
                    ));
                }
                Ok(Assigned {
                    value: Chosen::AnyOf(values),
                    span: *span,
                })
            }
            tree::Value::OneOf(all, span) => {
                let mut values = Vec::new();
                for expression in all {
                    let value = self.constant_within(expression, domain)?;
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                Ok(Assigned {
                    value: Chosen::AnyOf(values),
                    span: *span,
                })
            }
        }
    }

    pub(super) fn plain(&self, condition: &Expression, scope: &mut Scope) -> Resolved<Expr> {
        let resolved = self.boolean(condition, scope)?;
        self.must_be_plain(&resolved, condition.span)?;
        Ok(resolved)
    }

    fn must_be_plain(&self, resolved: &Expr, span: Span) -> Resolved<()> {
        if resolved.is_plain() {
            return Ok(());
        }
        Err(self
            .error("not-regular", "what is assigned cannot depend on where processes stand or how many there are", span)
            .note("a transducer changes each letter by what it knows: the letters of the processes that the step names")
            .help("test it in `when`, with one step (or alternative) for each case"))
    }

    pub(super) fn is_set(&self) -> bool {
        let topology = self.file.topology;
        topology.is_some_and(|(topology, _)| topology == Topology::Set)
    }

    pub(super) fn is_tree(&self) -> bool {
        let topology = self.file.topology;
        topology.is_some_and(|(topology, _)| topology == Topology::Tree)
    }

    fn ordered(&self, span: Span) -> Resolved<()> {
        if self.is_set() {
            return Err(self
                .error(
                    "no-order",
                    "processes of a set have no places to move to",
                    span,
                )
                .help("say `topology line` or `topology ring`"));
        }
        Ok(())
    }

    fn position(&self, position: &tree::Position, scope: &Scope) -> Resolved<Position> {
        Ok(match position {
            tree::Position::LeftEnd => Position::LeftEnd,
            tree::Position::RightEnd => Position::RightEnd,
            tree::Position::Before(name) => Position::Before(self.who(name, scope)?),
            tree::Position::After(name) => Position::After(self.who(name, scope)?),
        })
    }
}

fn as_span(position: &tree::Position) -> Span {
    match position {
        tree::Position::Before(name) | tree::Position::After(name) => name.span,
        _ => Span::default(),
    }
}
