//! Several kinds of processes, each with a number of its own: what `process NAME { … }` adds to a file.
//!
//! The kind of a process is a variable `kind` that nobody sets. Variables of the same name in two kinds
//! are one variable, which begins as each kind says. Of a kind that is declared by `one process boss`
//! there is one: a global `boss` holds it.

use quotient_core::Span;

use super::faults::Faults;
use super::lexer::Token;
use super::owners::{Owners, kind_in};
use super::parser::{Parsed, Parser};
use super::tree::*;

/// One of several kinds of processes.
#[derive(Debug, Clone)]
pub(crate) struct KindOfProcess {
    pub(crate) name: Name,
    /// Whether there is exactly one.
    pub(crate) one: bool,
    pub(crate) locals: Vec<Declaration>,
    pub(crate) faults: Option<Faults>,
}

/// The variable that says of which kind a process is.
pub(crate) const KIND: &str = "kind";
/// That a process is of a kind; no definition can have this name.
pub(crate) const IS_OF_KIND: &str = " kind";

/// What is wrong, where, and what to do about it.
pub(super) type Wrong = (String, Span, &'static str);

pub(crate) fn word(text: &str, span: Span) -> Expression {
    Expression {
        kind: Kind::Name(text.to_owned()),
        span,
    }
}

pub(super) fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    let span = left.span.to(right.span);
    Expression {
        kind: Kind::Binary(operator, Box::new(left), Box::new(right)),
        span,
    }
}

/// That the process of a name (`self` where there is none) is of a kind.
pub(super) fn is_of_kind(name: Option<&Name>, kind: &Name) -> Expression {
    let who = name.map_or("self", |name| name.text.as_str());
    let arguments = vec![word(who, kind.span), word(&kind.text, kind.span)];
    let call = Name {
        text: IS_OF_KIND.to_owned(),
        span: kind.span,
    };
    Expression {
        kind: Kind::Call(call, arguments),
        span: kind.span,
    }
}

/// What is said of some processes, said of those of a kind: where there are some (`exists`), that they
/// are of it, too; where it is said of all, of those that are.
pub(super) fn of_kind(
    kinds: &[Option<Name>],
    names: &[Name],
    exists: bool,
    body: Expression,
) -> Expression {
    let named = names.iter().zip(kinds);
    let all = named.filter_map(|(name, kind)| Some(is_of_kind(Some(name), kind.as_ref()?)));
    let Some(all) = all.reduce(|left, right| binary(Operator::And, left, right)) else {
        return body;
    };
    let operator = match exists {
        true => Operator::And,
        false => Operator::Implies,
    };
    binary(operator, all, body)
}

impl Parser<'_> {
    /// `[NAME] [may crash] { … }` behind `process`.
    pub(super) fn processes(&mut self, file: &mut File, span: Span, one: bool) -> Parsed<()> {
        file.process = Some(span);
        let named = !self.peek_word("may") && self.peek() != &Token::Mark("{");
        let name = match one || named {
            true => Some(self.name("a name for this kind of processes")?),
            false => None,
        };
        let faults = match self.takes_word("may") {
            true => Some(self.faults()?),
            false => None,
        };
        let mut locals = Vec::new();
        self.expect("{")?;
        while !self.takes("}") {
            self.no_channel()?;
            locals.push(match self.takes_word("location") {
                true => self.locations()?,
                false => self.declaration()?,
            });
            while self.takes(";") || self.takes(",") {}
        }
        match name {
            None => {
                file.locals.extend(locals);
                file.faults.extend(faults);
            }
            Some(name) => file.kinds.push(KindOfProcess {
                name,
                one,
                locals,
                faults,
            }),
        }
        Ok(())
    }

    /// Names of processes, joined by commas, with the kind of each: one that is said is that of all behind it, up
    /// to the next one.
    pub(super) fn names_of_kinds(&mut self) -> Parsed<(Vec<Name>, Vec<Option<Name>>)> {
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        let mut last: Option<Name> = None;
        loop {
            last = self.kind_of_process()?.or(last);
            names.push(self.name("a name for the process")?);
            kinds.push(last.clone());
            if !self.takes(",") {
                return Ok((names, kinds));
            }
        }
    }

    /// The kind of the processes whose names follow, if one is said.
    pub(super) fn kind_of_process(&mut self) -> Parsed<Option<Name>> {
        // What may stand behind the name of a process.
        const BEHIND: &[&str] = &[
            "left", "right", "where", "choose", "one", "of", "on", "with",
        ];
        const BEHIND_IN_A_TREE: &[&str] = &["above", "below", "child"];
        let behind =
            |next: &str| BEHIND.contains(&next) || self.tree && BEHIND_IN_A_TREE.contains(&next);
        match (self.peek(), self.peek_ahead()) {
            (Token::Name(_), Token::Name(next)) if !behind(next) => {
                self.name("a kind of processes").map(Some)
            }
            _ => Ok(None),
        }
    }
}

impl File {
    /// Adds what kinds, messages and faults stand for.
    pub(super) fn desugared(&mut self) -> Result<(), Wrong> {
        Owners::check(&self.kinds, self)?;
        self.add_rounds()?;
        self.add_messages()?;
        let own = self.add_kinds()?;
        self.add_faults();
        for step in &mut self.steps {
            own.iter().for_each(|known| known.narrow_broadcasts(step));
            let kinds = std::mem::take(&mut step.kinds);
            for (name, kind) in &kinds {
                let mine = own.iter().filter(|known| known.kind == kind.text);
                mine.for_each(|known| known.narrow(step, name.as_ref()));
            }
            for (name, kind) in kinds.iter().rev() {
                let is = is_of_kind(name.as_ref(), kind);
                step.guard = Some(match step.guard.take() {
                    Some(guard) => binary(Operator::And, is, guard),
                    None => is,
                });
            }
        }
        Ok(())
    }

    fn add_kinds(&mut self) -> Result<Vec<OwnValues>, Wrong> {
        let kinds = std::mem::take(&mut self.kinds);
        let Some(first) = kinds.first() else {
            return Ok(Vec::new());
        };
        let alike = |(number, kind): (usize, &KindOfProcess)| {
            let earlier = kinds[..number].iter();
            earlier
                .clone()
                .any(|known| known.name.text == kind.name.text)
        };
        if let Some((_, twice)) = kinds.iter().enumerate().find(|one| alike(*one)) {
            let message = format!("the kind `{}` is declared twice", twice.name.text);
            return Err((message, twice.name.span, "give one of them another name"));
        }
        self.locals.insert(
            0,
            Declaration {
                name: Name {
                    text: KIND.to_owned(),
                    span: first.name.span,
                },
                paired: false,
                kind: Type::Values(kinds.iter().map(|kind| kind.name.clone()).collect()),
                initial: None,
            },
        );
        for kind in &kinds {
            if kind.one {
                self.add_one(&kind.name);
            }
            if let Some(faults) = &kind.faults {
                self.faults.push(Faults {
                    of: Some(kind.name.clone()),
                    ..faults.clone()
                });
            }
        }
        let mut own = Vec::new();
        let mut done: Vec<&str> = Vec::new();
        for declared in kinds.iter().flat_map(|kind| &kind.locals) {
            let name = declared.name.text.as_str();
            if done.contains(&name) {
                continue;
            }
            done.push(name);
            let all: Vec<(&Name, &Declaration)> = kinds
                .iter()
                .flat_map(|kind| kind.locals.iter().map(move |local| (&kind.name, local)))
                .filter(|(_, local)| local.name.text == name)
                .collect();
            own.extend(self.add_shared(&all)?);
        }
        Ok(own)
    }

    /// A global holds the one process of a kind.
    fn add_one(&mut self, kind: &Name) {
        let span = kind.span;
        self.globals.push(Declaration {
            name: kind.clone(),
            paired: false,
            kind: Type::Process(false, span),
            initial: Some(word("any", span)),
        });
        let somebody = Name {
            text: "somebody".to_owned(),
            span,
        };
        let held = binary(
            Operator::Equal,
            word(&kind.text, span),
            word(&somebody.text, span),
        );
        let body = binary(Operator::Iff, is_of_kind(Some(&somebody), kind), held);
        self.initially
            .push(Condition::Holds(for_all(somebody, body)));
    }

    /// A variable that some kinds have. Where they begin it differently, each begins as it says.
    fn add_shared(&mut self, all: &[(&Name, &Declaration)]) -> Result<Vec<OwnValues>, Wrong> {
        let [(_, first), rest @ ..] = all else {
            return Ok(Vec::new());
        };
        let same = |other: &Declaration| {
            other.paired == first.paired
                && plain(&other.kind) == plain(&first.kind)
                && told(other.initial.as_ref()).is_some()
                && told(other.initial.as_ref()) == told(first.initial.as_ref())
        };
        if rest.iter().all(|(_, other)| same(other)) {
            self.locals.push((*first).clone());
            return Ok(Vec::new());
        }
        let mut owned = Vec::new();
        let mut values: Vec<Name> = Vec::new();
        let mut begins: Vec<Expression> = Vec::new();
        let mut each = Vec::new();
        for (kind, declared) in all {
            let (Type::Values(own), false) = (&declared.kind, declared.paired) else {
                let message = format!(
                    "`{}` is declared in another way by another kind of processes",
                    declared.name.text
                );
                let help = "give it another name, or the same type and start in both";
                return Err((message, declared.name.span, help));
            };
            for value in own {
                if !values.iter().any(|known| known.text == value.text) {
                    values.push(value.clone());
                }
            }
            owned.push(OwnValues {
                kind: kind.text.clone(),
                field: declared.name.text.clone(),
                values: own.clone(),
            });
            let starts = starts(declared, own);
            for start in &starts {
                let same = |known: &Expression| {
                    told(Some(known)).is_some() && told(Some(known)) == told(Some(start))
                };
                if !begins.iter().any(same) {
                    begins.push(start.clone());
                }
            }
            self.own_starts.push((
                kind.text.clone(),
                declared.name.text.clone(),
                Expression {
                    kind: Kind::Set(starts.clone()),
                    span: declared.name.span,
                },
            ));
            each.push((*kind, declared, starts));
        }
        for (kind, declared, starts) in each {
            let somebody = Name {
                text: "somebody".to_owned(),
                span: declared.name.span,
            };
            let span = declared.name.span;
            let field = Expression {
                kind: Kind::Field(somebody.clone(), declared.name.clone()),
                span,
            };
            let among = Expression {
                kind: Kind::Set(starts),
                span,
            };
            let body = binary(Operator::In, field, among);
            let body = binary(Operator::Implies, is_of_kind(Some(&somebody), kind), body);
            self.initially
                .push(Condition::Holds(for_all(somebody, body)));
        }
        self.locals.push(Declaration {
            name: first.name.clone(),
            paired: false,
            kind: Type::Values(values),
            initial: Some(Expression {
                kind: Kind::Set(begins),
                span: first.name.span,
            }),
        });
        Ok(owned)
    }
}

/// The values that a variable has in one of several kinds.
struct OwnValues {
    kind: String,
    field: String,
    values: Vec<Name>,
}

impl OwnValues {
    /// `x := any` of a process of this kind gives one of its own values.
    fn narrow(&self, step: &mut Step, who: Option<&Name>) {
        let who = who.map_or("self", |name| name.text.as_str());
        for action in step.alternatives.iter_mut().flatten() {
            if let Action::Assign { target, value } = action {
                self.narrow_assigned(target, value, who);
            }
        }
    }

    /// The same for all of this kind whose variables a step sets.
    fn narrow_broadcasts(&self, step: &mut Step) {
        for action in step.alternatives.iter_mut().flatten() {
            if let Action::Broadcast {
                name,
                only: Some(only),
                assignments,
                ..
            } = action
                && kind_in(only, &name.text) == Some(&self.kind)
            {
                for (target, value) in assignments {
                    self.narrow_assigned(target, value, &name.text);
                }
            }
        }
    }

    fn narrow_assigned(&self, target: &Target, value: &mut Value, who: &str) {
        let owner = target.owner.as_ref();
        if let Value::Any(narrower @ None, _) = value
            && target.field.text == self.field
            && owner.map_or("self", |owner| owner.text.as_str()) == who
        {
            *narrower = Some(Type::Values(self.values.clone()));
        }
    }
}

/// The values that a variable may begin with.
fn starts(declared: &Declaration, own: &[Name]) -> Vec<Expression> {
    match &declared.initial {
        Some(Expression {
            kind: Kind::Set(all),
            ..
        }) => all.clone(),
        Some(one) if text(one) != "any" => vec![one.clone()],
        _ => own
            .iter()
            .map(|value| word(&value.text, value.span))
            .collect(),
    }
}

pub(super) fn for_all(name: Name, body: Expression) -> Expression {
    for_each_of(Side::Any, name, body)
}

pub(super) fn for_all_others(name: Name, body: Expression) -> Expression {
    for_each_of(Side::Other, name, body)
}

fn for_each_of(side: Side, name: Name, body: Expression) -> Expression {
    let span = body.span;
    Expression {
        kind: Kind::Quantified {
            exists: false,
            side,
            names: vec![name],
            of: None,
            body: Box::new(body),
        },
        span,
    }
}

/// A name as it is written.
fn text(expression: &Expression) -> &str {
    match &expression.kind {
        Kind::Name(text) => text,
        _ => "",
    }
}

/// What a variable begins with, without places; nothing where that is not known without names being
/// looked up.
fn told(initial: Option<&Expression>) -> Option<String> {
    let Some(initial) = initial else {
        return Some("any".to_owned());
    };
    match &initial.kind {
        Kind::Set(all) => all.iter().map(|one| Some(told(Some(one))? + ",")).collect(),
        Kind::Name(name) => Some(name.clone()),
        _ => Some(number(initial)?.to_string()),
    }
}

/// The number that an expression without names is.
fn number(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        Kind::Number(number) => Some(*number),
        Kind::Negate(inner) => number(inner)?.checked_neg(),
        Kind::Binary(operator, left, right) => {
            let (left, right) = (number(left)?, number(right)?);
            match operator {
                Operator::Add => left.checked_add(right),
                Operator::Subtract => left.checked_sub(right),
                Operator::Multiply => left.checked_mul(right),
                Operator::Modulo => left.checked_rem_euclid(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A type without places.
fn plain(kind: &Type) -> String {
    match kind {
        Type::Bool => "bool".to_owned(),
        Type::Range(low, high, _) => format!("{low}..{high}"),
        Type::Values(values) => values
            .iter()
            .map(|value| value.text.clone() + ",")
            .collect(),
        Type::Named(name) => name.text.clone(),
        Type::Process(optional, _) => format!("process {optional}"),
        Type::Identity(_) => "identity".to_owned(),
    }
}
