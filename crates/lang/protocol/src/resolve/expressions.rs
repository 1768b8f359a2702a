//! Expressions.

use quotient_core::Span;

use super::constants::fold;
use super::quantifiers::Quantifier;
use super::{Resolved, Resolver, Scope};
use crate::model::{Arithmetic, Bound, Comparison, Domain, Expr, Person, Value, Who};
use crate::syntax::tree::{Expression, Kind, Name, Operator};

/// What kind of thing an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Number,
    Symbol,
    Process(Who),
    /// A global variable that holds a process: the number of its mark.
    Holder(usize),
    /// A variable of a process that holds a process.
    Pointer(Who, usize),
    /// What is different for each process.
    Identity(Who, usize),
    Nobody,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Bool => "a truth value",
            Sort::Number => "a number",
            Sort::Symbol => "a named value",
            Sort::Process(_) | Sort::Holder(_) | Sort::Pointer(..) => "a process",
            Sort::Identity(..) => "an identity",
            Sort::Nobody => "none",
        }
    }
}

impl Resolver<'_> {
    pub(super) fn boolean(&self, expression: &Expression, scope: &mut Scope) -> Resolved<Expr> {
        // `turn.x = 1` speaks of whoever `turn` holds: there is such a process, and its `x` is 1.
        if let Some(holder) = self.holder_used_as_owner(expression, scope) {
            let who = scope.people.len();
            let held = self.held_by(&holder, who, scope)?;
            scope.people.push(Person { name: holder.text });
            let body = self.boolean(expression, scope);
            scope.people.pop();
            let body = Box::new(Expr::And(vec![held, body?]));
            return Ok(Expr::Quantified {
                exists: true,
                bound: Bound::default(),
                body,
            });
        }
        match self.sorted(expression, scope)? {
            (expr, Sort::Bool) => Ok(expr),
            (_, sort) => Err(self
                .error(
                    "type-mismatch",
                    format!("a condition was expected, this is {}", sort.name()),
                    expression.span,
                )
                .help("compare it with something, as in `x = 1`")),
        }
    }

    /// A value for a variable of the given domain.
    pub(super) fn value(
        &self,
        expression: &Expression,
        domain: &Domain,
        scope: &mut Scope,
    ) -> Resolved<Expr> {
        let expected = match domain {
            Domain::Bool => Sort::Bool,
            Domain::Range(..) | Domain::Parameter => Sort::Number,
            Domain::Symbols(_) => Sort::Symbol,
        };
        let (expr, sort) = self.sorted(expression, scope)?;
        if sort != expected {
            let message = format!("{} was expected, this is {}", expected.name(), sort.name());
            return Err(self
                .error("type-mismatch", message, expression.span)
                .help("look at the type of the variable where it is declared"));
        }
        match expr {
            Expr::Constant(value) if !domain.contains(value) => {
                Err(self.outside(value, domain, expression.span))
            }
            _ => Ok(expr),
        }
    }

    pub(super) fn sorted(
        &self,
        expression: &Expression,
        scope: &mut Scope,
    ) -> Resolved<(Expr, Sort)> {
        let span = expression.span;
        match &expression.kind {
            Kind::Number(number) => match i32::try_from(*number) {
                Ok(number) => Ok((Expr::Constant(number), Sort::Number)),
                Err(_) => Err(self.error("huge-number", "this number is too large", span)),
            },
            Kind::Name(name) => self.named(name, span, scope),
            Kind::Field(owner, field) => self.field(owner, field, scope),
            Kind::Pair(owner, field, index) => {
                let (owner, index, pair) = self.pair(owner.as_ref(), field, index, scope)?;
                let sort = sort_of(&self.pairs[pair].domain);
                Ok((Expr::Pair(owner, index, pair), sort))
            }
            Kind::Call(name, arguments) => self.call(name, arguments, span, scope),
            Kind::Not(inner) => Ok((Expr::Not(Box::new(self.boolean(inner, scope)?)), Sort::Bool)),
            Kind::Negate(inner) => {
                let inner = self.number(inner, scope)?;
                let expr =
                    self.computed(Arithmetic::Subtract, Expr::Constant(0), inner, span, scope)?;
                Ok((expr, Sort::Number))
            }
            Kind::Temporal(..) | Kind::Binary(Operator::Until | Operator::Unless, ..) => {
                Err(self.not_in_time(span))
            }
            Kind::Binary(operator, left, right) => self.binary(*operator, left, right, span, scope),
            Kind::If(condition, yes, no) => {
                let condition = Box::new(self.boolean(condition, scope)?);
                let ((yes, sort), (no, other)) =
                    (self.sorted(yes, scope)?, self.sorted(no, scope)?);
                if sort != other {
                    return Err(self.error(
                        "type-mismatch",
                        "both branches must be of one type",
                        span,
                    ));
                }
                Ok((Expr::If(condition, Box::new(yes), Box::new(no)), sort))
            }
            Kind::Quantified {
                exists,
                side,
                names,
                of,
                body,
            } => {
                let of = of.as_ref().map(|name| self.who(name, scope)).transpose()?;
                if !exists && matches!(body.kind, Kind::Binary(Operator::And, ..)) {
                    self.speaks_of_all(body, names)?;
                }
                let first = scope.people.len();
                let form = Quantifier {
                    exists: *exists,
                    side: *side,
                    of,
                    first,
                    body,
                };
                Ok((self.quantified(&form, names, scope)?, Sort::Bool))
            }
            Kind::Count { side, name, body } => {
                Ok((self.how_many(*side, name, body, span, scope)?, Sort::Number))
            }
            Kind::Set(_) => Err(self
                .error("bare-set", "a set can only stand behind `in`", span)
                .help("as in `x in { a, b }`")),
            Kind::Matches(channel, text, place) => Ok((
                Expr::Matches(self.channel(channel)?, text.clone(), *place),
                Sort::Bool,
            )),
        }
    }

    fn named(&self, name: &str, span: Span, scope: &mut Scope) -> Resolved<(Expr, Sort)> {
        if let Some(choice) = scope.choices.iter().position(|(choice, _)| choice == name) {
            return Ok((Expr::Choice(choice), sort_of(&scope.choices[choice].1)));
        }
        if let Some(who) = scope.people.iter().rposition(|person| person.name == name) {
            return Ok((Expr::TRUE, Sort::Process(who)));
        }
        match name {
            "true" | "false" => return Ok((Expr::Constant(i32::from(name == "true")), Sort::Bool)),
            "none" => return Ok((Expr::TRUE, Sort::Nobody)),
            "n" if scope.sizes => return Ok((Expr::Size, Sort::Number)),
            "root" if self.is_tree() && scope.has_self => {
                return Ok((Expr::First(0), Sort::Bool));
            }
            "leaf" if self.is_tree() && scope.has_self => {
                return Ok((Expr::Last(0), Sort::Bool));
            }
            "first" if scope.has_self && !self.is_tree() => {
                return Ok((Expr::First(0), Sort::Bool));
            }
            "last" if scope.has_self && !self.is_tree() => {
                return Ok((Expr::Last(0), Sort::Bool));
            }
            _ => {}
        }
        if let Some(global) = self
            .globals
            .iter()
            .position(|variable| variable.name == name)
        {
            return Ok((Expr::Global(global), sort_of(&self.globals[global].domain)));
        }
        if let Some(field) = self
            .fields
            .iter()
            .position(|variable| variable.name == name)
        {
            if self.fields[field].mark.is_some() {
                return Ok((Expr::TRUE, Sort::Holder(field)));
            }
            if scope.has_self {
                return Ok((Expr::Field(0, field), sort_of(&self.fields[field].domain)));
            }
            let name = Name {
                text: name.to_owned(),
                span,
            };
            return Err(self.whose(&name));
        }
        if let Some(pair) = self.pairs.iter().position(|pair| pair.name == name) {
            let name = Name {
                text: name.to_owned(),
                span,
            };
            return match (self.carried(pair, 0, &name), scope.has_self) {
                (Ok(_), false) => Err(self.whose(&name)),
                (carried, _) => carried,
            };
        }
        if self
            .file
            .macros
            .iter()
            .any(|definition| definition.name.text == name)
        {
            return self.call(
                &Name {
                    text: name.to_owned(),
                    span,
                },
                &[],
                span,
                scope,
            );
        }
        if let Some(symbol) = self.symbols.iter().position(|symbol| symbol == name) {
            return Ok((Expr::Constant(symbol as Value), Sort::Symbol));
        }
        Err(self.unknown(name, span, scope))
    }

    fn field(&self, owner: &Name, field: &Name, scope: &mut Scope) -> Resolved<(Expr, Sort)> {
        let who = self.who(owner, scope)?;
        if let Some(pair) = self.pairs.iter().position(|pair| pair.name == field.text) {
            return self.carried(pair, who, field);
        }
        let number = self.field_named(field)?;
        Ok((
            Expr::Field(who, number),
            sort_of(&self.fields[number].domain),
        ))
    }

    pub(super) fn field_named(&self, field: &Name) -> Resolved<usize> {
        let own = |variable: &&crate::model::Variable| variable.mark.is_none();
        if let Some(found) = self
            .fields
            .iter()
            .position(|variable| own(&variable) && variable.name == field.text)
        {
            return Ok(found);
        }
        let known = self
            .fields
            .iter()
            .filter(own)
            .map(|variable| variable.name.as_str());
        Err(self
            .error(
                "unknown-variable",
                format!("a process has no variable `{}`", field.text),
                field.span,
            )
            .did_you_mean(&field.text, known.clone())
            .note(format!(
                "its variables are {}",
                known.collect::<Vec<_>>().join(", ")
            )))
    }

    pub(super) fn mark_named(&self, name: &str) -> Option<usize> {
        self.fields
            .iter()
            .position(|variable| variable.mark.is_some() && variable.name == name)
    }

    /// The process that a name stands for.
    pub(super) fn who(&self, name: &Name, scope: &Scope) -> Resolved<Who> {
        if let Some(who) = scope
            .people
            .iter()
            .rposition(|person| person.name == name.text)
        {
            return Ok(who);
        }
        if let Some((owner, link)) = name.link() {
            return Err(self.no_way(name, &owner, &link));
        }
        let error = self.error(
            "unknown-process",
            format!("`{}` is not a process here", name.text),
            name.span,
        );
        if self.mark_named(&name.text).is_some() {
            return Err(error.help(format!(
                "name whom it holds first, as in `with q: when {} = q …`",
                name.text
            )));
        }
        if matches!(name.text.as_str(), "left" | "right") {
            return Err(
                error.help("neighbours exist only in a step of a process in a line or a ring")
            );
        }
        let known = scope.people.iter().map(|person| person.name.as_str());
        let help = match scope.has_self {
            true => "name it in the step, as in `step NAME with q: …`, or quantify over it",
            false => "quantify over it, as in `exists p: …`",
        };
        Err(error.did_you_mean(&name.text, known).help(help))
    }

    pub(super) fn channel(&self, name: &Name) -> Resolved<usize> {
        let names = self.channels.iter().map(|channel| channel.name.as_str());
        match names.clone().position(|known| known == name.text) {
            Some(channel) => Ok(channel),
            None => Err(self
                .error(
                    "unknown-channel",
                    format!("there is no stack, queue or log `{}`", name.text),
                    name.span,
                )
                .did_you_mean(&name.text, names)),
        }
    }

    pub(super) fn number(&self, expression: &Expression, scope: &mut Scope) -> Resolved<Expr> {
        match self.sorted(expression, scope)? {
            (expr, Sort::Number) => Ok(expr),
            (_, sort) => {
                let message = format!("a number was expected, this is {}", sort.name());
                Err(self
                    .error("type-mismatch", message, expression.span)
                    .help("a variable with a range, as in `0..3`, is a number"))
            }
        }
    }

    fn binary(
        &self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<(Expr, Sort)> {
        let arithmetic = match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Subtract => Arithmetic::Subtract,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Divide => Arithmetic::Divide,
            Operator::Modulo => Arithmetic::Modulo,
            _ => {
                return Ok((
                    self.condition_of(operator, left, right, span, scope)?,
                    Sort::Bool,
                ));
            }
        };
        let (left, right) = (self.number(left, scope)?, self.number(right, scope)?);
        if arithmetic == Arithmetic::Divide
            && !(scope.sizes && matches!(right, Expr::Constant(1..=1000)))
        {
            return Err(self
                .error("bad-division", "nothing can be divided here", span)
                .note(
                    "only what counts are compared with, and what `assume` says, can be a fraction",
                )
                .help(
                    "write `2 * x > y` for `x > y / 2`; a `count` can be compared with `n / 2`",
                ));
        }
        if arithmetic == Arithmetic::Modulo && is_divided(&left) {
            return Err(self.error(
                "bad-modulus",
                "`mod` needs a whole number on its left: what is divided is a fraction",
                span,
            ));
        }
        if arithmetic == Arithmetic::Modulo && !matches!(right, Expr::Constant(by) if by > 0) {
            return Err(self.error(
                "bad-modulus",
                "`mod` needs a positive constant on its right",
                span,
            ));
        }
        let expr = self.computed(arithmetic, left, right, span, scope)?;
        Ok((expr, Sort::Number))
    }

    // Long because it has an arm for each operator.
    pub(super) fn condition_of(
        &self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<Expr> {
        let not = |expr: Expr| Expr::Not(Box::new(expr));
        let comparison = match operator {
            Operator::And => {
                return Ok(Expr::And(vec![
                    self.boolean(left, scope)?,
                    self.boolean(right, scope)?,
                ]));
            }
            Operator::Or => {
                return Ok(Expr::Or(vec![
                    self.boolean(left, scope)?,
                    self.boolean(right, scope)?,
                ]));
            }
            Operator::Implies => {
                return Ok(Expr::Or(vec![
                    not(self.boolean(left, scope)?),
                    self.boolean(right, scope)?,
                ]));
            }
            Operator::Iff => return self.iff(left, right, scope),
            Operator::In => return self.membership(left, right, scope),
            Operator::Equal => Comparison::Equal,
            Operator::Different => Comparison::Different,
            Operator::Less => Comparison::Less,
            Operator::LessOrEqual => Comparison::LessOrEqual,
            Operator::Greater => Comparison::Greater,
            _ => Comparison::GreaterOrEqual,
        };
        if (self.counts(left) || self.counts(right))
            && let Some(expr) = self.sums(comparison, left, right, span, scope)?
        {
            return Ok(expr);
        }
        let ((first, sort), (second, other)) =
            (self.sorted(left, scope)?, self.sorted(right, scope)?);
        if self.is_tree()
            && matches!((sort, other), (Sort::Process(_), Sort::Process(_)))
            && !matches!(comparison, Comparison::Equal | Comparison::Different)
        {
            let message = "processes of a tree stand above and below each other only";
            let error = self.error("no-order", message, span);
            return Err(error.help("write `above(p, q)` or `child(p, q)`"));
        }
        if let Some(ordered) = self.ordered_places(comparison, sort, other, scope.people.len()) {
            return Ok(ordered);
        }
        let equal = match (sort, other) {
            // Whoever takes part because a variable holds them is somebody.
            (Sort::Process(who), Sort::Nobody) | (Sort::Nobody, Sort::Process(who))
                if self.holds_a_process(&scope.people[who].name) =>
            {
                Expr::Constant(0)
            }
            (Sort::Process(p), Sort::Process(q)) => match comparison {
                Comparison::Less => return Ok(Expr::Before(p, q)),
                Comparison::Greater => return Ok(Expr::Before(q, p)),
                Comparison::LessOrEqual => return Ok(not(Expr::Before(q, p))),
                Comparison::GreaterOrEqual => return Ok(not(Expr::Before(p, q))),
                _ => Expr::Same(p, q),
            },
            (Sort::Identity(one, order), Sort::Identity(two, same)) if order == same => {
                return Ok(self.compared_identities(comparison, (one, two), order));
            }
            (Sort::Pointer(owner, pair), other) | (other, Sort::Pointer(owner, pair)) => {
                match self.pointed((owner, pair), other, scope.people.len()) {
                    Some(expr) => expr,
                    None => {
                        let message = format!("a process cannot be compared with {}", other.name());
                        return Err(self.error("type-mismatch", message, span));
                    }
                }
            }
            (Sort::Holder(mark), Sort::Process(who)) | (Sort::Process(who), Sort::Holder(mark)) => {
                Expr::Field(who, mark)
            }
            (Sort::Holder(mark), Sort::Nobody) | (Sort::Nobody, Sort::Holder(mark)) => {
                Expr::Nobody(mark)
            }
            (Sort::Holder(mark), Sort::Holder(same)) => {
                let who = scope.people.len();
                let both = Expr::And(vec![Expr::Field(who, mark), Expr::Field(who, same)]);
                let together = Expr::Quantified {
                    exists: true,
                    bound: Bound::default(),
                    body: Box::new(both),
                };
                Expr::Or(vec![
                    together,
                    Expr::And(vec![Expr::Nobody(mark), Expr::Nobody(same)]),
                ])
            }
            (Sort::Bool, Sort::Bool) => self.iff(left, right, scope)?,
            (sort, other) if sort == other => {
                if sort == Sort::Symbol {
                    self.comparable(&first, &second, right.span, scope)?;
                    self.comparable(&second, &first, left.span, scope)?;
                    self.share_a_value((&first, &second), span, scope)?;
                }
                let ordered = !matches!(comparison, Comparison::Equal | Comparison::Different);
                if ordered && sort != Sort::Number {
                    let message = format!("{} has no order", sort.name());
                    return Err(self
                        .error("no-order", message, span)
                        .help("compare by `=`, or name values by `in { … }`"));
                }
                return Ok(fold(Expr::Compare(
                    comparison,
                    Box::new(first),
                    Box::new(second),
                )));
            }
            (sort, other) => {
                let message = format!("{} cannot be compared with {}", sort.name(), other.name());
                return Err(self
                    .error("type-mismatch", message, span)
                    .help("truth values are asked for by `x` or `not x`, others by `x = v`"));
            }
        };
        match comparison {
            Comparison::Equal => Ok(equal),
            Comparison::Different => Ok(not(equal)),
            _ => Err(self
                .error("no-order", "these have no order", span)
                .help("only numbers and places of processes are compared by `<`")),
        }
    }

    fn iff(&self, left: &Expression, right: &Expression, scope: &mut Scope) -> Resolved<Expr> {
        let (left, right) = (self.boolean(left, scope)?, self.boolean(right, scope)?);
        if left.is_plain() && right.is_plain() {
            return Ok(fold(Expr::Compare(
                Comparison::Equal,
                Box::new(left),
                Box::new(right),
            )));
        }
        let not = |expr: &Expr| Expr::Not(Box::new(expr.clone()));
        let neither = Expr::And(vec![not(&left), not(&right)]);
        Ok(Expr::Or(vec![Expr::And(vec![left, right]), neither]))
    }
}

pub(super) fn sort_of(domain: &Domain) -> Sort {
    match domain {
        Domain::Bool => Sort::Bool,
        Domain::Range(..) | Domain::Parameter => Sort::Number,
        Domain::Symbols(_) => Sort::Symbol,
    }
}

/// Whether a number may be a fraction.
fn is_divided(expr: &Expr) -> bool {
    match expr {
        Expr::Arithmetic(Arithmetic::Divide, ..) => true,
        Expr::Arithmetic(_, left, right) | Expr::If(_, left, right) => {
            is_divided(left) || is_divided(right)
        }
        _ => false,
    }
}
