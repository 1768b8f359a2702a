//! What processes carry for each other: values for each, and whom they hold.

use quotient_core::{Diagnostic, Span};

use super::expressions::Sort;
use super::{Resolved, Resolver, Scope};
use crate::model::{Action, Bound, Comparison, Expr, Initial, Value, Who};
use crate::syntax::kinds::KIND;
use crate::syntax::tree::{self, Expression, Kind, Name, Operator};

impl Resolver<'_> {
    pub(super) fn whose(&self, name: &Name) -> Diagnostic {
        let text = &name.text;
        let message = format!("whose `{text}`? It is a variable of each process");
        self.error("whose-variable", message, name.span)
            .help(format!("name the process, as in `forall p: p.{text} = …`"))
    }

    /// Two identities compared: the order of the processes that has nothing to do with their places.
    pub(super) fn compared_identities(
        &self,
        comparison: Comparison,
        (one, two): (Who, Who),
        order: usize,
    ) -> Expr {
        let not = |expr: Expr| Expr::Not(Box::new(expr));
        match comparison {
            Comparison::Less => Expr::Pair(one, two, order),
            Comparison::Greater => Expr::Pair(two, one, order),
            Comparison::LessOrEqual => not(Expr::Pair(two, one, order)),
            Comparison::GreaterOrEqual => not(Expr::Pair(one, two, order)),
            Comparison::Equal => Expr::Same(one, two),
            Comparison::Different => not(Expr::Same(one, two)),
        }
    }

    /// What an identity, or what is carried for each process, is in an expression.
    pub(super) fn carried(&self, pair: usize, who: Who, name: &Name) -> Resolved<(Expr, Sort)> {
        let variable = &self.pairs[pair];
        match (variable.mark, &variable.initial) {
            (Some(_), _) => Ok((Expr::TRUE, Sort::Pointer(who, pair))),
            (None, Initial::Order) => Ok((Expr::TRUE, Sort::Identity(who, pair))),
            (None, _) => Err(self.for_whom(name)),
        }
    }

    pub(super) fn for_whom(&self, name: &Name) -> Diagnostic {
        let text = &name.text;
        let message = format!("`{text}` has a value for each process");
        self.error("for-whom", message, name.span)
            .help(format!("name the process, as in `{text}[q]`"))
    }

    /// A variable with a value for each process: whose it is, for whom, and its number.
    pub(super) fn pair(
        &self,
        owner: Option<&Name>,
        field: &Name,
        index: &Name,
        scope: &Scope,
    ) -> Resolved<(Who, Who, usize)> {
        let own = |variable: &crate::model::Variable| {
            variable.mark.is_none() && variable.initial != Initial::Order
        };
        let known = self.pairs.iter();
        let known = known
            .clone()
            .position(|pair| own(pair) && pair.name == field.text);
        let Some(pair) = known else {
            let message = format!("`{}` does not have a value for each process", field.text);
            return Err(self
                .error("no-pair", message, field.span)
                .help(format!("declare it as `{}[process] : bool`", field.text)));
        };
        let owner = match owner {
            Some(owner) => self.who(owner, scope)?,
            None if scope.has_self => 0,
            None => return Err(self.whose(field)),
        };
        Ok((owner, self.who(index, scope)?, pair))
    }

    /// Whether what a variable of a process holds and something else are the same.
    pub(super) fn pointed(
        &self,
        (owner, pair): (Who, usize),
        other: Sort,
        depth: usize,
    ) -> Option<Expr> {
        let not = |expr: Expr| Expr::Not(Box::new(expr));
        let some = |body: Expr| Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(body),
        };
        let held = |who: Who| Expr::Pair(owner, who, pair);
        let nobody = || not(some(held(depth)));
        let together = |other: Expr, none: Expr| {
            let both = some(Expr::And(vec![held(depth), other]));
            Expr::Or(vec![both, Expr::And(vec![nobody(), none])])
        };
        Some(match other {
            Sort::Process(who) => held(who),
            Sort::Nobody => nobody(),
            Sort::Holder(mark) => together(Expr::Field(depth, mark), Expr::Nobody(mark)),
            Sort::Pointer(who, number) => {
                let other = |target: Who| Expr::Pair(who, target, number);
                together(other(depth), not(some(other(depth))))
            }
            Sort::Bool | Sort::Number | Sort::Symbol | Sort::Identity(..) => return None,
        })
    }

    /// Which of two processes stands first, where a variable holds one of them; false where it holds
    /// nobody.
    pub(super) fn ordered_places(
        &self,
        comparison: Comparison,
        left: Sort,
        right: Sort,
        depth: usize,
    ) -> Option<Expr> {
        // Who is compared, and what makes it the one that is meant.
        let mut people = depth;
        let mut held = Vec::new();
        let mut who = |sort: Sort| {
            let new = people;
            held.push(match sort {
                Sort::Process(who) => return Some(who),
                Sort::Holder(mark) => Expr::Field(new, mark),
                Sort::Pointer(owner, pair) => Expr::Pair(owner, new, pair),
                _ => return None,
            });
            people += 1;
            Some(new)
        };
        let (left, right) = (who(left)?, who(right)?);
        let not = |expr: Expr| Expr::Not(Box::new(expr));
        let ordered = match comparison {
            Comparison::Less => Expr::Before(left, right),
            Comparison::Greater => Expr::Before(right, left),
            Comparison::LessOrEqual => not(Expr::Before(right, left)),
            Comparison::GreaterOrEqual => not(Expr::Before(left, right)),
            Comparison::Equal | Comparison::Different => return None,
        };
        let somebody = |body: Expr, held: Expr| Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(Expr::And(vec![held, body])),
        };
        // The last one is said first: its quantifier is the innermost.
        Some(held.into_iter().rev().fold(ordered, somebody))
    }

    /// Sets what a process carries for another or whom it holds, if that is what is set.
    pub(super) fn assign_pair(
        &mut self,
        target: &tree::Target,
        value: &tree::Value,
        scope: &mut Scope,
    ) -> Resolved<Option<Action>> {
        let mut orders = self.pairs.iter();
        if orders.any(|one| one.initial == Initial::Order && one.name == target.field.text) {
            let message = format!("`{}` never changes: it is an identity", target.field.text);
            return Err(self
                .error("identity-set", message, target.field.span)
                .help("keep what changes in a variable of its own"));
        }
        if let Some(index) = &target.index {
            let owner = target.owner.as_ref();
            let (owner, index, pair) = self.pair(owner, &target.field, index, scope)?;
            let domain = self.pairs[pair].domain.clone();
            let assigned = self.assigned(value, &domain, scope)?;
            return Ok(Some(Action::SetPair(owner, index, pair, assigned)));
        }
        let Some(pair) = self.pointer_named(&target.field.text) else {
            return Ok(None);
        };
        let owner = match &target.owner {
            Some(owner) => self.who(owner, scope)?,
            None => 0,
        };
        let optional = self.pairs[pair].mark.is_some_and(|mark| mark.optional);
        let held = self.held(optional, value, &target.field, scope)?;
        Ok(Some(Action::SetPointer(owner, pair, held)))
    }

    /// Who has failed takes no step of the protocol: the process itself, or whom a variable holds where a step
    /// speaks of nobody else.
    pub(super) fn has_not_failed(&self, step: &tree::Step, scope: &Scope) -> Option<Expr> {
        let failed = |field: &crate::model::Variable| {
            let mut faults = self.file.faults.iter();
            faults.any(|faults| faults.variable == field.name)
        };
        let failed = (0..self.fields.len()).filter(|number| failed(&self.fields[*number]));
        let not = failed.map(|number| Expr::Not(Box::new(Expr::Field(0, number))));
        let mut not: Vec<Expr> = not.collect();
        match (!scope.people.is_empty() && !step.fault, not.len()) {
            (false, _) | (true, 0) => None,
            (true, 1) => not.pop(),
            (true, _) => Some(Expr::And(not)),
        }
    }

    /// That a process is of a kind.
    pub(super) fn is_of_kind(&self, who: Who, kind: &Name) -> Resolved<(Expr, Sort)> {
        let number = self.fields.iter().position(|field| field.name == KIND);
        let symbol = self.symbols.iter().position(|symbol| *symbol == kind.text);
        if let (Some(number), Some(symbol)) = (number, symbol)
            && let symbol = symbol as Value
            && self.fields[number].domain.contains(symbol)
        {
            let left = Box::new(Expr::Field(who, number));
            let right = Box::new(Expr::Constant(symbol));
            return Ok((Expr::Compare(Comparison::Equal, left, right), Sort::Bool));
        }
        let kinds = number.map_or(Vec::new(), |number| self.fields[number].domain.values());
        let kinds = kinds
            .into_iter()
            .filter_map(|kind| self.symbols.get(kind as usize));
        Err(self
            .error(
                "unknown-kind",
                format!("there is no kind of processes `{}`", kind.text),
                kind.span,
            )
            .did_you_mean(
                &kind.text,
                kinds.map(String::as_str).chain(["left", "right", "other"]),
            )
            .help(
                "kinds are declared by `process NAME { … }`; several processes are joined by `,`",
            ))
    }

    pub(super) fn pointer_named(&self, name: &str) -> Option<usize> {
        let mut pairs = self.pairs.iter();
        pairs.position(|pair| pair.mark.is_some() && pair.name == name)
    }

    /// Where processes are held or have values for each other, none comes, goes or moves.
    pub(super) fn stays(&self, span: Span) -> quotient_core::Diagnostic {
        self.error(
            "stays",
            "processes cannot come, go or move where they hold each other",
            span,
        )
        .help("keep a variable that says whether a process takes part")
    }

    /// A variable holding a process in the place of a process, as in `turn.x`, within the parts
    /// of an expression that are not conditions themselves.
    pub(super) fn holder_used_as_owner(
        &self,
        expression: &Expression,
        scope: &Scope,
    ) -> Option<Name> {
        match &expression.kind {
            Kind::Field(owner, _) => self.first_link(owner, scope),
            Kind::Pair(owner, _, index) => {
                let mut names = owner.iter().chain([index]);
                names.find_map(|name| self.first_link(name, scope))
            }
            Kind::Binary(Operator::And | Operator::Or | Operator::Implies | Operator::Iff, ..) => {
                None
            }
            Kind::Binary(_, left, right) => self
                .holder_used_as_owner(left, scope)
                .or_else(|| self.holder_used_as_owner(right, scope)),
            Kind::Negate(inner) => self.holder_used_as_owner(inner, scope),
            Kind::Set(all) => all
                .iter()
                .find_map(|one| self.holder_used_as_owner(one, scope)),
            _ => None,
        }
    }

    /// The first of the links that lead to a process which was not followed yet: of `p.next.next`
    /// that is `p.next`, then all of it.
    fn first_link(&self, name: &Name, scope: &Scope) -> Option<Name> {
        let known = |name: &Name| scope.people.iter().any(|person| person.name == name.text);
        if known(name) {
            return None;
        }
        let Some((owner, link)) = name.link() else {
            let held = self.mark_named(&name.text).is_some()
                || scope.has_self && self.pointer_named(&name.text).is_some();
            return held.then(|| name.clone());
        };
        self.pointer_named(&link.text)?;
        match known(&owner) {
            true => Some(name.clone()),
            false => self.first_link(&owner, scope),
        }
    }
}
