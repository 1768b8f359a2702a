//! Arrays and datatypes: each element and each member is a variable of its own, and an index that
//! is only known in a state is a choice among all of them.

use std::collections::{BTreeMap, HashMap};

use quotient_core::{Diagnostic, Span};

use super::expression::{Expressions, More, Scope, if_else, two};
use super::json::{Json, Part};
use crate::syntax::{Join, Name, Node, Tree};

/// What an expression is worth: one value, those of an array, or those of members by name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Worth {
    One(Tree),
    Many(Vec<Worth>),
    Members(BTreeMap<String, Worth>),
}

/// An array that is read is put in place element by element: no model needs more of them.
const MOST_ELEMENTS: i64 = 4096;

impl Worth {
    /// All values, one after the other.
    pub(crate) fn leaves(&self) -> Vec<&Tree> {
        match self {
            Worth::One(tree) => vec![tree],
            Worth::Many(parts) => parts.iter().flat_map(Worth::leaves).collect(),
            Worth::Members(members) => members.values().flat_map(Worth::leaves).collect(),
        }
    }

    /// The same shape, with the names of variables for its elements.
    pub(crate) fn named(&self, name: &str, span: Span) -> Worth {
        match self {
            Worth::One(_) => Worth::One(Tree {
                node: Node::Name(name.to_owned()),
                span,
            }),
            Worth::Many(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, part)| part.named(&format!("{name}[{at}]"), span));
                Worth::Many(parts.collect())
            }
            Worth::Members(members) => {
                let each = |(member, part): (&String, &Worth)| {
                    let named = part.named(&format!("{name}.{member}"), span);
                    (member.clone(), named)
                };
                Worth::Members(members.iter().map(each).collect())
            }
        }
    }
}

impl Expressions<'_> {
    /// What an expression is worth, also if that is an array.
    pub(crate) fn worth(
        &self,
        part: &Part,
        scope: &Scope,
        more: &More<'_>,
    ) -> Result<Worth, Diagnostic> {
        let inner = |name: &str| self.worth(self.field(part, name)?, scope, more);
        match (&part.value, part.text_of("op")) {
            (Json::Text(name), _) => {
                if let Some(worth) = scope.arrays.get(name) {
                    return Ok(worth.clone());
                }
                let own = scope.renamed.get(name).unwrap_or(name);
                let known = self.arrays.borrow().get(own).cloned();
                match known.filter(|_| !scope.values.contains_key(name)) {
                    Some(worth) => Ok(worth),
                    None => Ok(Worth::One(self.tree_with(part, scope, more)?)),
                }
            }
            (_, Some("av")) => {
                let elements = part.all("elements").iter();
                let elements = elements.map(|one| self.worth(one, scope, more));
                Ok(Worth::Many(elements.collect::<Result<_, _>>()?))
            }
            (_, Some("ac")) => self.constructed(part, scope, more),
            (_, Some("aa")) => {
                let of = inner("exp")?;
                let index = self.tree_with(self.field(part, "index")?, scope, more)?;
                self.element(of, &index, part.span)
            }
            (_, Some("dv")) => {
                let mut members = BTreeMap::new();
                for one in part.all("values") {
                    let member = self.text(one, "member")?.to_owned();
                    let value = self.worth(self.field(one, "value")?, scope, more)?;
                    members.insert(member, value);
                }
                Ok(Worth::Members(members))
            }
            (_, Some("da")) => self.member(inner("exp")?, part),
            (_, Some("ite")) => {
                let (one, other) = (inner("then")?, inner("else")?);
                let condition = self.tree_with(self.field(part, "if")?, scope, more)?;
                self.either(&condition, one, other, part.span)
            }
            (_, Some("call")) => self.call(part, scope, more),
            _ => Ok(Worth::One(self.tree_with(part, scope, more)?)),
        }
    }

    /// `ac`: an array whose elements are given by one expression.
    fn constructed(
        &self,
        part: &Part,
        scope: &Scope,
        more: &More<'_>,
    ) -> Result<Worth, Diagnostic> {
        let variable = self.text(part, "var")?;
        let length = self.field(part, "length")?;
        let tree = self.tree_with(length, scope, more)?;
        let count = self
            .whole(&tree)
            .filter(|count| (0..=MOST_ELEMENTS).contains(count));
        let Some(count) = count else {
            let message = "the length of an array is a number from 0 to 4096 that does not change";
            return Err(self.error("array", message, length.span));
        };
        let body = self.field(part, "exp")?;
        let mut parts = Vec::new();
        let mut scope = scope.clone();
        for at in 0..count {
            let tree = Tree {
                node: Node::Whole(at),
                span: part.span,
            };
            scope.values.insert(variable.to_owned(), tree);
            parts.push(self.worth(body, &scope, more)?);
        }
        Ok(Worth::Many(parts))
    }

    /// A member of a datatype.
    fn member(&self, of: Worth, part: &Part) -> Result<Worth, Diagnostic> {
        let name = self.text(part, "member")?;
        let found = match of {
            Worth::Members(mut members) => members.remove(name),
            _ => None,
        };
        found.ok_or_else(|| {
            let message = format!("there is no member `{name}` here");
            self.error("undeclared", message, part.span)
        })
    }

    /// An element of an array. Beyond its ends a model says nothing; here it is the last element,
    /// or the first.
    fn element(&self, of: Worth, index: &Tree, span: Span) -> Result<Worth, Diagnostic> {
        let Worth::Many(mut parts) = of else {
            return Err(self.error("array", "this is no array", span));
        };
        if let Some(at) = self.whole(index) {
            let place = usize::try_from(at).ok().filter(|&at| at < parts.len());
            return place.map(|at| parts.swap_remove(at)).ok_or_else(|| {
                let message = format!("an array of {} elements has no element {at}", parts.len());
                self.error("array", message, span)
            });
        }
        self.nearest(&parts, 0, index, span)
    }

    /// The element among these, the first of which has this number: by halves, so that no array
    /// is deep.
    fn nearest(
        &self,
        parts: &[Worth],
        first: usize,
        index: &Tree,
        span: Span,
    ) -> Result<Worth, Diagnostic> {
        match parts {
            [] => Err(self.error("array", "this array has no elements", span)),
            [one] => Ok(one.clone()),
            _ => {
                let half = parts.len() / 2;
                let one = self.nearest(&parts[..half], first, index, span)?;
                let other = self.nearest(&parts[half..], first + half, index, span)?;
                let node = Node::Whole((first + half) as i64);
                let border = Tree { node, span };
                let below = two(Join::Less, index.clone(), border);
                self.either(&below, one, other, span)
            }
        }
    }

    fn either(
        &self,
        condition: &Tree,
        one: Worth,
        other: Worth,
        span: Span,
    ) -> Result<Worth, Diagnostic> {
        self.count(1, span)?;
        match (one, other) {
            (Worth::One(one), Worth::One(other)) => Ok(Worth::One(match one == other {
                true => one,
                false => {
                    self.count(size(condition), span)?;
                    if_else(condition.clone(), one, other)
                }
            })),
            (Worth::Many(one), Worth::Many(other)) if one.len() == other.len() => {
                let pairs = one.into_iter().zip(other);
                let parts = pairs.map(|(one, other)| self.either(condition, one, other, span));
                Ok(Worth::Many(parts.collect::<Result<_, _>>()?))
            }
            (Worth::Members(one), Worth::Members(mut other)) if one.keys().eq(other.keys()) => {
                let mut members = BTreeMap::new();
                for (name, one) in one {
                    if let Some(other) = other.remove(&name) {
                        members.insert(name, self.either(condition, one, other, span)?);
                    }
                }
                Ok(Worth::Members(members))
            }
            _ => Err(self.error("array", "these arrays differ in their lengths", span)),
        }
    }

    /// What an assignment to an array, or to an element of one, gives to which variables. What is
    /// not meant by the index keeps its value, which is the one in `before` if there is one.
    pub(crate) fn array_assigned(
        &self,
        reference: &Part,
        value: &Part,
        scope: &Scope,
        before: &HashMap<String, Tree>,
    ) -> Result<Vec<(String, Tree)>, Diagnostic> {
        let none: &More<'_> = &|_, _| Ok(None);
        let target = self.target(reference, scope)?;
        let value = self.worth(value, scope, none)?;
        let mut found = Vec::new();
        for (variable, condition) in target {
            let (names, values) = (variable.leaves(), value.leaves());
            if names.len() != values.len() {
                let message = "what is assigned has another length than the array";
                return Err(self.error("array", message, reference.span));
            }
            for (name, value) in names.into_iter().zip(values) {
                let Node::Name(text) = &name.node else {
                    continue;
                };
                let other = before.get(text).unwrap_or(name).clone();
                let tree = match &condition {
                    None => value.clone(),
                    Some(condition) => {
                        self.count(size(condition) + size(value), reference.span)?;
                        if_else(condition.clone(), value.clone(), other)
                    }
                };
                found.push((text.clone(), tree));
            }
        }
        Ok(found)
    }

    /// The variables that a reference may mean, each with the condition under which it does.
    fn target(
        &self,
        reference: &Part,
        scope: &Scope,
    ) -> Result<Vec<(Worth, Option<Tree>)>, Diagnostic> {
        let none: &More<'_> = &|_, _| Ok(None);
        if reference.text_of("op") == Some("da") {
            let all = self.target(self.field(reference, "exp")?, scope)?;
            let each = all.into_iter();
            let each = each.map(|(of, condition)| Ok((self.member(of, reference)?, condition)));
            return each.collect();
        }
        if reference.text_of("op") != Some("aa") {
            let worth = self.worth(reference, scope, none)?;
            return Ok(vec![(worth, None)]);
        }
        let index = self.tree(self.field(reference, "index")?, scope)?;
        let fixed = self.whole(&index);
        let mut found = Vec::new();
        for (worth, condition) in self.target(self.field(reference, "exp")?, scope)? {
            let Worth::Many(parts) = worth else {
                return Err(self.error("array", "this is no array", reference.span));
            };
            if fixed.is_some_and(|at| at < 0 || at >= parts.len() as i64) {
                let message = format!("an array of {} elements is assigned beyond", parts.len());
                return Err(self.error("array", message, reference.span));
            }
            for (at, part) in parts.into_iter().enumerate() {
                let here = match fixed {
                    Some(fixed) if fixed != at as i64 => continue,
                    Some(_) => condition.clone(),
                    None => {
                        let here = is_at(&index, at);
                        self.count(size(&index), reference.span)?;
                        Some(match &condition {
                            Some(before) => two(Join::And, before.clone(), here),
                            None => here,
                        })
                    }
                };
                found.push((part, here));
            }
        }
        Ok(found)
    }

    /// The whole number that an expression always is, as far as constants tell.
    pub(crate) fn whole(&self, tree: &Tree) -> Option<i64> {
        let part = |tree: &Tree| self.whole(tree);
        match &tree.node {
            Node::Whole(number) => Some(*number),
            Node::Name(name) => self.constants.borrow().get(name).copied(),
            Node::Negative(of) => part(of)?.checked_neg(),
            Node::Two(join, left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                match join {
                    Join::Plus => left.checked_add(right),
                    Join::Minus => left.checked_sub(right),
                    Join::Times => left.checked_mul(right),
                    _ => None,
                }
            }
            Node::Call(Name::Floor | Name::Ceil | Name::Round, parts) => part(parts.first()?),
            Node::Call(Name::Mod, parts) => {
                let (left, right) = (part(parts.first()?)?, part(parts.get(1)?)?);
                left.checked_rem_euclid(right)
            }
            Node::Call(name @ (Name::Min | Name::Max), parts) => {
                let all: Option<Vec<i64>> = parts.iter().map(part).collect();
                match name {
                    Name::Min => all?.into_iter().min(),
                    _ => all?.into_iter().max(),
                }
            }
            _ => None,
        }
    }
}

fn is_at(index: &Tree, at: usize) -> Tree {
    let span = index.span;
    let node = Node::Whole(at as i64);
    two(Join::Equal, index.clone(), Tree { node, span })
}

/// How many parts a tree has, at least one.
fn size(tree: &Tree) -> usize {
    1 + match &tree.node {
        Node::Not(of) | Node::Negative(of) => size(of),
        Node::Two(_, left, right) => size(left) + size(right),
        Node::If(one, two, three) => size(one) + size(two) + size(three),
        Node::Call(_, parts) => parts.iter().map(size).sum(),
        _ => 0,
    }
}
