//! Whom variables hold, spoken of by what a step does: `turn.x := 1`, `pred.locked := false`,
//! `next := q.next`.
//!
//! Whoever is held takes part in the step, as a witness does that the step need not name. Where
//! nobody is held, nobody can be spoken of: then the step cannot be taken; but a variable that is
//! copied may hold nobody, which is a step of its own.

use quotient_core::Diagnostic;

use super::{Resolved, Resolver, Scope};
use crate::model::{Bound, Expr, Fairness, Person, Step, Who};
use crate::syntax::tree::{self, Expression, Kind, Name};

/// More variables that may hold nobody are not copied by one step.
const MOST_COPIED: usize = 3;

/// A variable that holds a process, as a step names it.
struct Followed {
    /// Whose it is, if it is not a global and not of the process itself.
    owner: Option<Name>,
    field: Name,
    /// Whether it is only copied, and nobody may be copied, too.
    copied: bool,
    may_be_nobody: bool,
}

impl Followed {
    /// What the process that it holds is called.
    fn text(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{}.{}", owner.text, self.field.text),
            None => self.field.text.clone(),
        }
    }
}

impl Resolver<'_> {
    /// A step, or what it is with each of the variables that it copies holding somebody or nobody.
    pub(super) fn steps_of(&mut self, step: &tree::Step) -> Resolved<Vec<Step>> {
        let followed = self.followed(step).into_iter().filter(|one| one.copied);
        let copied: Vec<String> = followed.map(|one| one.text()).collect();
        if copied.is_empty() {
            return Ok(vec![self.step(step, &[])?]);
        }
        let text = copied.join("`, `");
        if step.fairness != Fairness::OfItsProcess || copied.len() > MOST_COPIED {
            let message = match copied.len() > MOST_COPIED {
                true => format!("this step copies too much: `{text}` may hold nobody"),
                false => format!("a step that is said to be fair cannot copy `{text}`"),
            };
            return Err(self
                .error("none-not-allowed", message, step.name.span)
                .help("make two steps of it, one for where it holds nobody"));
        }
        let ways = 0..1usize << copied.len();
        let ways = ways.map(|mask| {
            let nobody = copied.iter().enumerate();
            let nobody = nobody.filter(|(at, _)| mask >> at & 1 == 1);
            let nobody: Vec<String> = nobody.map(|(_, text)| text.clone()).collect();
            self.step(step, &nobody)
        });
        ways.collect()
    }

    /// Lets whoever is held by a variable that the actions follow take part.
    pub(super) fn follow(
        &self,
        step: &tree::Step,
        scope: &mut Scope,
        guard: &mut Vec<Expr>,
    ) -> Resolved<()> {
        self.alike_in_all_alternatives(step)?;
        for followed in self.followed(step) {
            let text = followed.text();
            let name = Name {
                text: text.clone(),
                span: followed.field.span,
            };
            let held = self.held_by(&name, scope.people.len(), scope)?;
            if followed.copied && !scope.has_self {
                let message = format!("a step that no process takes cannot copy `{text}`");
                return Err(self
                    .error("none-not-allowed", message, followed.field.span)
                    .help("make two steps of it, one for where it holds nobody"));
            }
            if scope.nobody.contains(&text) {
                guard.push(match held {
                    Expr::Field(_, mark) => Expr::Nobody(mark),
                    held => Expr::Not(Box::new(Expr::Quantified {
                        exists: true,
                        bound: Bound::default(),
                        body: Box::new(held),
                    })),
                });
                continue;
            }
            scope.people.push(Person { name: text });
            guard.push(held);
        }
        Ok(())
    }

    /// That a process is the one that a variable holds: a global, a variable of the process itself,
    /// or a link of another one.
    pub(super) fn held_by(&self, name: &Name, held: Who, scope: &Scope) -> Resolved<Expr> {
        let (owner, link) = match name.link() {
            Some((owner, link)) => (self.who(&owner, scope)?, link),
            None => match self.mark_named(&name.text) {
                Some(mark) => return Ok(Expr::Field(held, mark)),
                None => (0, name.clone()),
            },
        };
        let pair = self.pointer_named(&link.text).unwrap_or_default();
        Ok(Expr::Pair(owner, held, pair))
    }

    /// That links lead to nobody who could be spoken of here.
    pub(super) fn no_way(&self, name: &Name, owner: &Name, link: &Name) -> Diagnostic {
        let text = &name.text;
        if self.pointer_named(&link.text).is_none() {
            let message = format!("`{}` is no variable that holds a process", link.text);
            let error = self.error("unknown-process", message, name.span);
            return error.help(format!(
                "what holds a process is declared as `{} : process`, or `process or none`",
                link.text
            ));
        }
        let message = format!("whom `{text}` holds cannot be spoken of here");
        let error = self.error("unknown-process", message, name.span);
        error.help(format!(
            "name it: `exists q: {text} = q and …`, or in a step `with q: when {text} = q`{}",
            match owner.text == "self" {
                true => "",
                false => ", and a step of its own where that is the process itself",
            }
        ))
    }

    /// Whether a name is that of a variable that holds a process.
    pub(super) fn holds_a_process(&self, name: &str) -> bool {
        self.mark_named(name).is_some() || self.pointer_named(name).is_some()
    }

    /// The variables that hold those of whom the actions of a step speak, each once.
    fn followed(&self, step: &tree::Step) -> Vec<Followed> {
        let mut all = Vec::new();
        // Who reads one by one goes by what it sees itself.
        if step.one_by_one.is_none() && step.import.is_none() {
            for actions in &step.alternatives {
                self.follow_actions(actions, &mut all);
            }
        }
        all
    }

    /// Whoever must be held takes part in all that a step may do: where only one alternative speaks of it, the
    /// others could not be taken either where nobody is held.
    fn alike_in_all_alternatives(&self, step: &tree::Step) -> Resolved<()> {
        let alternatives = step.alternatives.iter().map(|actions| {
            let mut all = Vec::new();
            self.follow_actions(actions, &mut all);
            all.retain(|one| !one.copied && one.may_be_nobody);
            all
        });
        let alternatives: Vec<Vec<Followed>> = alternatives.collect();
        for one in alternatives.iter().flatten() {
            let has = |all: &Vec<Followed>| all.iter().any(|other| other.text() == one.text());
            if !alternatives.iter().all(has) {
                let text = one.text();
                let message = format!("only one alternative speaks of whom `{text}` holds");
                return Err(self
                    .error("none-not-allowed", message, one.field.span)
                    .note("where it holds nobody, the other could not be taken either")
                    .help("make a step of each alternative"));
            }
        }
        Ok(())
    }

    fn follow_actions(&self, actions: &[tree::Action], all: &mut Vec<Followed>) {
        for action in actions {
            match action {
                tree::Action::Assign { target, value } => {
                    self.follow_assignment(target, value, all);
                }
                tree::Action::Broadcast {
                    name,
                    only,
                    assignments,
                    ..
                } => {
                    only.iter()
                        .for_each(|only| self.follow_expression(only, all));
                    for (target, value) in assignments {
                        self.follow_assignment(target, value, all);
                    }
                    // Nobody takes part for each of those whom `for` reaches.
                    let of_each = |one: &Followed| {
                        let owner = one.owner.as_ref();
                        owner.is_some_and(|owner| owner.root() == name.text)
                    };
                    all.retain(|one| !of_each(one));
                }
                tree::Action::Channel { value, .. } => self.follow_expression(value, all),
                _ => {}
            }
        }
    }

    fn follow_assignment(
        &self,
        target: &tree::Target,
        value: &tree::Value,
        all: &mut Vec<Followed>,
    ) {
        for owner in target.owner.iter().chain(&target.index) {
            self.follow_name(owner, all);
        }
        let tree::Value::Exactly(expression) = value else {
            return;
        };
        let field = &target.field.text;
        let mark = match target.owner {
            None => self
                .mark_named(field)
                .and_then(|mark| self.fields[mark].mark),
            Some(_) => None,
        };
        let pointer = self
            .pointer_named(field)
            .and_then(|pair| self.pairs[pair].mark);
        let Some(mark) = mark.or(pointer) else {
            return self.follow_expression(expression, all);
        };
        match &expression.kind {
            Kind::Name(name) if self.holds_a_process(name) => {
                let name = Name {
                    text: name.clone(),
                    span: expression.span,
                };
                self.copy(None, &name, mark.optional, all);
            }
            Kind::Field(owner, name) if self.pointer_named(&name.text).is_some() => {
                self.follow_name(owner, all);
                self.copy(Some(owner), name, mark.optional, all);
            }
            _ => {}
        }
    }

    /// Follows the owners of all variables that an expression speaks of.
    fn follow_expression(&self, expression: &Expression, all: &mut Vec<Followed>) {
        match &expression.kind {
            Kind::Field(owner, _) => self.follow_name(owner, all),
            Kind::Pair(owner, _, index) => {
                owner
                    .iter()
                    .chain([index])
                    .for_each(|name| self.follow_name(name, all));
            }
            Kind::Not(inner) | Kind::Negate(inner) => self.follow_expression(inner, all),
            Kind::Binary(_, left, right) => {
                self.follow_expression(left, all);
                self.follow_expression(right, all);
            }
            Kind::If(condition, yes, no) => {
                [condition, yes, no]
                    .into_iter()
                    .for_each(|part| self.follow_expression(part, all));
            }
            _ => {}
        }
    }

    fn follow_name(&self, name: &Name, all: &mut Vec<Followed>) {
        match name.link() {
            None if self.holds_a_process(&name.text) => self.add_followed(None, name, false, all),
            Some((owner, link)) if self.pointer_named(&link.text).is_some() => {
                self.follow_name(&owner, all);
                self.add_followed(Some(&owner), &link, false, all);
            }
            _ => {}
        }
    }

    /// A variable whose value another one gets; nobody is copied where both may hold nobody.
    fn copy(&self, owner: Option<&Name>, name: &Name, optional: bool, all: &mut Vec<Followed>) {
        let copied = optional && self.may_hold_nobody(owner, name);
        self.add_followed(owner, name, copied, all);
    }

    /// Whether a global, a variable of the process or one of another process may hold nobody.
    fn may_hold_nobody(&self, owner: Option<&Name>, name: &Name) -> bool {
        let held = match owner {
            None => self.mark_named(&name.text).map(|mark| &self.fields[mark]),
            Some(_) => None,
        };
        let held = held.or_else(|| Some(&self.pairs[self.pointer_named(&name.text)?]));
        held.and_then(|held| held.mark)
            .is_some_and(|mark| mark.optional)
    }

    fn add_followed(
        &self,
        owner: Option<&Name>,
        name: &Name,
        copied: bool,
        all: &mut Vec<Followed>,
    ) {
        let new = Followed {
            owner: owner.cloned(),
            field: name.clone(),
            copied,
            may_be_nobody: self.may_hold_nobody(owner, name),
        };
        let text = new.text();
        match all.iter_mut().find(|known| known.text() == text) {
            // Whoever is spoken of must be there.
            Some(known) => known.copied &= copied,
            None => all.push(new),
        }
    }
}
