//! Whose variables are named: where a process is said to be of a kind, only those that this kind has,
//! and only values that they can have there.
//!
//! Kinds share variables of the same name, and every process has all of them behind the scenes; what is
//! said of a variable that a kind does not have would be true or false for no reason.

use quotient_core::Span;

use super::kinds::{IS_OF_KIND, KIND, KindOfProcess, Wrong, word};
use super::tree::*;

/// The kinds, and who is known to be of which.
pub(super) struct Owners<'a> {
    kinds: &'a [KindOfProcess],
    /// Names of processes with their kinds, if these are known; the last of a name counts.
    known: Vec<(&'a str, Option<&'a str>)>,
    /// Names that stand for no variable here.
    values: Vec<&'a str>,
}

impl<'a> Owners<'a> {
    /// Looks at all that a file says.
    pub(super) fn check(kinds: &'a [KindOfProcess], file: &'a File) -> Result<(), Wrong> {
        let mut owners = Owners {
            kinds,
            known: Vec::new(),
            values: Vec::new(),
        };
        if kinds.is_empty() {
            return Ok(());
        }
        for condition in &file.initially {
            owners.condition(condition)?;
        }
        for step in &file.steps {
            owners.step(step)?;
        }
        for property in &file.properties {
            match &property.demand {
                Demand::Never(condition) => owners.condition(condition)?,
                Demand::Always(expression) => owners.expression(expression)?,
                Demand::Temporal { formula, .. } => owners.expression(formula)?,
                Demand::LeadsTo { name, from, to } => {
                    let before = owners.known.len();
                    owners.expression(from)?;
                    let of = kind_in(from, &name.text);
                    owners.known.push((&name.text, of));
                    owners.expression(to)?;
                    owners.known.truncate(before);
                }
                Demand::NoDeadlock => {}
            }
        }
        Ok(())
    }

    fn condition(&mut self, condition: &'a Condition) -> Result<(), Wrong> {
        match condition {
            Condition::Holds(expression) => self.expression(expression),
            Condition::Word(..) | Condition::Import(..) => Ok(()),
        }
    }

    fn step(&mut self, step: &'a Step) -> Result<(), Wrong> {
        self.known.push(("self", None));
        for (name, _) in &step.witnesses {
            self.known.push((&name.text, None));
        }
        for (name, kind) in &step.kinds {
            let name = name.as_ref().map_or("self", |name| name.text.as_str());
            self.known.push((name, Some(&kind.text)));
        }
        self.values = step
            .choices
            .iter()
            .map(|(name, _)| name.text.as_str())
            .collect();
        if let Some(guard) = &step.guard {
            self.expression(guard)?;
        }
        for action in step.alternatives.iter().flatten() {
            self.action(action)?;
        }
        self.known.clear();
        self.values.clear();
        Ok(())
    }

    fn action(&mut self, action: &'a Action) -> Result<(), Wrong> {
        match action {
            Action::Assign { target, value } => self.assigned(target, value),
            Action::Broadcast {
                name,
                only,
                assignments,
                ..
            } => {
                let before = self.known.len();
                let of = only.as_ref().and_then(|only| kind_in(only, &name.text));
                self.known.push((&name.text, of));
                if let Some(only) = only {
                    self.expression(only)?;
                }
                for (target, value) in assignments {
                    self.assigned(target, value)?;
                }
                self.known.truncate(before);
                Ok(())
            }
            Action::Channel { value, .. } => self.expression(value),
            Action::Message { value, .. } => value
                .as_ref()
                .map_or(Ok(()), |value| self.expression(value)),
            Action::Create { values, span, .. } => self.created(values, *span),
            Action::Move { .. } | Action::Remove { .. } => Ok(()),
        }
    }

    fn assigned(&mut self, target: &'a Target, value: &'a Value) -> Result<(), Wrong> {
        let owner = target.owner.as_ref();
        let owner = owner.map_or("self", |owner| owner.text.as_str());
        self.has(owner, &target.field)?;
        match value {
            Value::Exactly(value) => {
                self.fits(owner, &target.field, value)?;
                self.expression(value)
            }
            Value::Any(Some(Type::Values(values)), _) => values.iter().try_for_each(|value| {
                self.fits(owner, &target.field, &word(&value.text, value.span))
            }),
            Value::OneOf(values, _) => values.iter().try_for_each(|value| {
                self.fits(owner, &target.field, value)?;
                self.expression(value)
            }),
            Value::Any(Some(_), _) => Ok(()),
            Value::Any(None, span) => self.any_of_one_kind(owner, &target.field, *span),
        }
    }

    /// `any` is one of the values of a kind: where kinds have different ones, it is said of which.
    fn any_of_one_kind(&self, owner: &str, field: &Name, span: Span) -> Result<(), Wrong> {
        let declared = self.kinds.iter().flat_map(|kind| &kind.locals);
        let declared = declared.filter(|local| local.name.text == field.text);
        let mut values = declared.filter_map(|local| match &local.kind {
            Type::Values(values) => Some(values.iter().map(|value| value.text.as_str())),
            _ => None,
        });
        let first: Vec<&str> = values.next().into_iter().flatten().collect();
        let differs = values.any(|values| values.collect::<Vec<_>>() != first);
        if self.kind_of(owner).is_some() || !differs {
            return Ok(());
        }
        let wrong = format!(
            "`{}` has different values in different kinds of processes",
            field.text
        );
        let help = "say of which kind the process is, or which values are meant: `any { a, b }`";
        Err((wrong, span, help))
    }

    /// A new process is of a kind that is said, and of which there may be several.
    fn created(&mut self, values: &'a [(Name, Expression)], span: Span) -> Result<(), Wrong> {
        const NEW: &str = "a new process";
        let given = values.iter().find(|(name, _)| name.text == KIND);
        let kind = given.and_then(|(_, value)| match &value.kind {
            Kind::Name(kind) => self.kinds.iter().find(|known| known.name.text == *kind),
            _ => None,
        });
        let Some(kind) = kind else {
            let wrong = "it is not said of which kind the new process is".to_owned();
            let span = given.map_or(span, |(_, value)| value.span);
            return Err((wrong, span, "name one, as in `create … { kind = reader }`"));
        };
        if kind.one {
            let wrong = format!("there is one process of the kind `{}`", kind.name.text);
            return Err((wrong, span, "declare the kind without `one`"));
        }
        self.known.push((NEW, Some(&kind.name.text)));
        for (name, value) in values.iter().filter(|(name, _)| name.text != KIND) {
            self.has(NEW, name)?;
            self.fits(NEW, name, value)?;
            self.expression(value)?;
        }
        self.known.pop();
        Ok(())
    }

    fn expression(&mut self, expression: &'a Expression) -> Result<(), Wrong> {
        match &expression.kind {
            Kind::Field(owner, field) => self.has(&owner.text, field),
            Kind::Pair(owner, field, _) => {
                let owner = owner.as_ref().map_or("self", |owner| owner.text.as_str());
                self.has(owner, field)
            }
            Kind::Name(name) => {
                let name = Name {
                    text: name.clone(),
                    span: expression.span,
                };
                match self.is_variable(&name.text) {
                    true => self.has("self", &name),
                    false => Ok(()),
                }
            }
            Kind::Number(_) | Kind::Matches(..) => Ok(()),
            Kind::Call(name, _) if name.text == IS_OF_KIND => Ok(()),
            Kind::Call(_, all) | Kind::Set(all) => {
                all.iter().try_for_each(|one| self.expression(one))
            }
            Kind::Not(inner) | Kind::Negate(inner) | Kind::Temporal(_, inner) => {
                self.expression(inner)
            }
            Kind::If(condition, yes, no) => {
                self.expression(condition)?;
                self.expression(yes)?;
                self.expression(no)
            }
            Kind::Binary(operator, left, right) => {
                if matches!(
                    operator,
                    Operator::Equal | Operator::Different | Operator::In
                ) {
                    self.compared(left, right)?;
                    self.compared(right, left)?;
                }
                // `exists reader r: …` says first that `r` is a reader.
                let before = self.known.len();
                if matches!(operator, Operator::And | Operator::Implies) {
                    let mut kinds = Vec::new();
                    if said_of_kinds(left, &mut kinds) {
                        self.known.extend(kinds);
                    }
                }
                self.expression(left)?;
                self.expression(right)?;
                self.known.truncate(before);
                Ok(())
            }
            Kind::Quantified { names, body, .. } => {
                let before = self.known.len();
                self.known
                    .extend(names.iter().map(|name| (name.text.as_str(), None)));
                self.expression(body)?;
                self.known.truncate(before);
                Ok(())
            }
            Kind::Count { name, body, .. } => {
                self.known.push((&name.text, None));
                self.expression(body)?;
                self.known.pop();
                Ok(())
            }
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        let mut locals = self.kinds.iter().flat_map(|kind| &kind.locals);
        let person = self.known.iter().any(|(known, _)| *known == name);
        !person && !self.values.contains(&name) && locals.any(|local| local.name.text == name)
    }

    fn kind_of(&self, owner: &str) -> Option<&'a KindOfProcess> {
        let (_, kind) = self.known.iter().rfind(|(name, _)| *name == owner)?;
        let kind = (*kind)?;
        self.kinds.iter().find(|known| known.name.text == kind)
    }

    /// A process of a kind has a variable, or none that is known.
    fn has(&self, owner: &str, field: &Name) -> Result<(), Wrong> {
        let Some(kind) = self.kind_of(owner) else {
            return Ok(());
        };
        let has = |kind: &&KindOfProcess| {
            let mut locals = kind.locals.iter();
            locals.any(|local| local.name.text == field.text)
        };
        let other = self.kinds.iter().find(has);
        match other {
            Some(other) if !has(&kind) => Err((
                format!(
                    "a process of the kind `{}` has no variable `{}`: those of the kind `{}` have",
                    kind.name.text, field.text, other.name.text
                ),
                field.span,
                "name a process of that kind, or declare the variable for both",
            )),
            _ => Ok(()),
        }
    }

    /// What a variable of a process is compared with is a value that it can have.
    fn compared(&self, left: &Expression, right: &Expression) -> Result<(), Wrong> {
        match &left.kind {
            Kind::Field(owner, field) => self.fits(&owner.text, field, right),
            Kind::Name(name) if self.is_variable(name) => {
                let name = Name {
                    text: name.clone(),
                    span: left.span,
                };
                self.fits("self", &name, right)
            }
            _ => Ok(()),
        }
    }

    fn fits(&self, owner: &str, field: &Name, value: &Expression) -> Result<(), Wrong> {
        let Some(kind) = self.kind_of(owner) else {
            return Ok(());
        };
        let declared = |kind: &'a KindOfProcess| {
            let mut locals = kind.locals.iter();
            let local = locals.find(|local| local.name.text == field.text)?;
            match &local.kind {
                Type::Values(values) => Some(values),
                _ => None,
            }
        };
        let Some(own) = declared(kind) else {
            return Ok(());
        };
        let values = match &value.kind {
            Kind::Set(all) => all.iter().collect(),
            _ => vec![value],
        };
        for value in values {
            let Kind::Name(name) = &value.kind else {
                continue;
            };
            let is = |values: &[Name]| values.iter().any(|value| value.text == *name);
            let other = self
                .kinds
                .iter()
                .find(|kind| declared(kind).is_some_and(|values| is(values)));
            if let (false, Some(other), false) =
                (is(own), other, self.values.contains(&name.as_str()))
            {
                return Err((
                    format!(
                        "`{}` of a process of the kind `{}` is never `{name}`: of the kind `{}` it can be",
                        field.text, kind.name.text, other.name.text
                    ),
                    value.span,
                    "name a process of that kind, or a value of this one",
                ));
            }
        }
        Ok(())
    }
}

/// The kind that an expression begins by saying a process is of.
pub(super) fn kind_in<'a>(expression: &'a Expression, name: &str) -> Option<&'a str> {
    let Kind::Binary(Operator::And | Operator::Implies, left, _) = &expression.kind else {
        let mut kinds = Vec::new();
        said_of_kinds(expression, &mut kinds);
        return kinds.iter().find(|one| one.0 == name)?.1;
    };
    let mut kinds = Vec::new();
    match said_of_kinds(left, &mut kinds) {
        true => kinds.iter().find(|one| one.0 == name)?.1,
        false => None,
    }
}

/// Whether an expression says of processes of which kinds they are, and nothing else.
fn said_of_kinds<'a>(
    expression: &'a Expression,
    kinds: &mut Vec<(&'a str, Option<&'a str>)>,
) -> bool {
    match &expression.kind {
        Kind::Call(name, arguments) if name.text == IS_OF_KIND => {
            if let [one, kind] = &arguments[..]
                && let (Kind::Name(one), Kind::Name(kind)) = (&one.kind, &kind.kind)
            {
                kinds.push((one, Some(kind)));
            }
            true
        }
        Kind::Binary(Operator::And, left, right) => {
            said_of_kinds(left, kinds) && said_of_kinds(right, kinds)
        }
        _ => false,
    }
}
