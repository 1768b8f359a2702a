//! Definitions and what is built in: calls are replaced by what they stand for.

use quotient_core::Span;

use super::expressions::Sort;
use super::{Resolved, Resolver, Scope};
use crate::model::{Expr, Who};
use crate::syntax::kinds::IS_OF_KIND;
use crate::syntax::parser_properties::TIMES;
use crate::syntax::tree::{Expression, Kind, Macro, Name};

/// Definitions may use definitions, this deep.
const DEEPEST_EXPANSION: u32 = 60;

impl Resolver<'_> {
    /// What can be called without a definition.
    fn built_in(&self) -> [&'static str; 4] {
        match self.is_tree() {
            true => ["child", "root", "leaf", "above"],
            false => ["next", "first", "last", "empty"],
        }
    }

    /// In a tree the same relations have other names.
    fn as_in_a_line<'n>(&self, name: &'n str) -> &'n str {
        match (self.is_tree(), name) {
            (true, "root") => "first",
            (true, "leaf") => "last",
            (true, "child") => "next",
            (true, "next" | "first" | "last") => "",
            (_, name) => name,
        }
    }

    pub(super) fn call(
        &self,
        name: &Name,
        arguments: &[Expression],
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<(Expr, Sort)> {
        let processes = |resolver: &Self, scope: &Scope| -> Resolved<Vec<Who>> {
            arguments
                .iter()
                .map(|argument| resolver.who(&as_name(argument), scope))
                .collect()
        };
        match (self.as_in_a_line(&name.text), arguments) {
            ("above", [_, _]) if self.is_tree() => {
                let who = processes(self, scope)?;
                return Ok((Expr::Before(who[0], who[1]), Sort::Bool));
            }
            ("next", [_, _]) => {
                let who = processes(self, scope)?;
                return Ok((Expr::Next(who[0], who[1]), Sort::Bool));
            }
            ("first", [_]) => return Ok((Expr::First(processes(self, scope)?[0]), Sort::Bool)),
            (IS_OF_KIND, [who, kind]) => {
                let who = self.who(&as_name(who), scope)?;
                return self.is_of_kind(who, &as_name(kind));
            }
            ("last", [_]) => return Ok((Expr::Last(processes(self, scope)?[0]), Sort::Bool)),
            ("empty", [channel]) => {
                return Ok((Expr::Empty(self.channel(&as_name(channel))?), Sort::Bool));
            }
            _ => {}
        }
        let Some(definition) = self
            .file
            .macros
            .iter()
            .find(|known| known.name.text == name.text)
        else {
            let known = self
                .file
                .macros
                .iter()
                .map(|known| known.name.text.as_str());
            return Err(self
                .error(
                    "unknown-definition",
                    format!("there is no definition `{}`", name.text),
                    name.span,
                )
                .did_you_mean(
                    &name.text,
                    known.chain(self.built_in()).chain(TIMES.iter().copied()),
                )
                .help("definitions are written `define NAME(x, y) = …`"));
        };
        if definition.parameters.len() != arguments.len() {
            return Err(self
                .error(
                    "wrong-arguments",
                    format!(
                        "`{}` takes {} arguments, not {}",
                        name.text,
                        definition.parameters.len(),
                        arguments.len()
                    ),
                    span,
                )
                .at(self.source, definition.name.span, "defined here")
                .help(format!("write `{}`", form(definition))));
        }
        scope.expansions += 1;
        if scope.expansions > DEEPEST_EXPANSION {
            return Err(self
                .error(
                    "circular-definition",
                    "this definition uses itself",
                    definition.name.span,
                )
                .help("a definition stands for its text, so it cannot be recursive"));
        }
        let mut body = definition.body.clone();
        self.no_parameter_is_bound(&mut body, &definition.parameters)?;
        rename_bound(&mut body, &|name| {
            scope.people.iter().any(|person| person.name == name)
                || arguments
                    .iter()
                    .any(|argument| as_name(argument).root() == name)
        });
        self.substitute(&mut body, &definition.parameters, arguments)?;
        let sorted = match self.holder_used_as_owner(&body, scope) {
            Some(_) => self.boolean(&body, scope).map(|expr| (expr, Sort::Bool)),
            None => self.sorted(&body, scope),
        };
        scope.expansions -= 1;
        sorted
    }

    /// Refuses `define f(p) = exists p: …`, where nobody knows which `p` is meant.
    fn no_parameter_is_bound(&self, body: &mut Expression, parameters: &[Name]) -> Resolved<()> {
        let bound = bound_names(body).into_iter().map(|name| &*name);
        for name in bound {
            if parameters.iter().any(|known| known.text == name.text) {
                return Err(self
                    .error(
                        "name-taken",
                        format!("`{}` already names something here", name.text),
                        name.span,
                    )
                    .help("choose another name: this one is a parameter of the definition"));
            }
        }
        for part in body.kind.parts() {
            self.no_parameter_is_bound(part, parameters)?;
        }
        Ok(())
    }

    /// Puts the arguments in place of the parameters.
    fn substitute(
        &self,
        body: &mut Expression,
        parameters: &[Name],
        arguments: &[Expression],
    ) -> Resolved<()> {
        let argument = |name: &str| {
            parameters
                .iter()
                .position(|known| known.text == name)
                .map(|i| &arguments[i])
        };
        match &mut body.kind {
            Kind::Name(name) => {
                if let Some(argument) = argument(name) {
                    *body = argument.clone();
                }
            }
            Kind::Field(owner, _) => {
                if let Some(argument) = argument(owner.root()) {
                    if !matches!(argument.kind, Kind::Name(_) | Kind::Field(..)) {
                        return Err(self.error(
                            "not-a-process",
                            "a process was expected here",
                            argument.span,
                        ));
                    }
                    *owner = owner.with_root(&as_name(argument));
                }
            }
            Kind::Pair(owner, _, index) => {
                for name in owner.iter_mut().chain([index]) {
                    if let Some(argument) = argument(name.root()) {
                        *name = name.with_root(&as_name(argument));
                    }
                }
            }
            Kind::Quantified {
                of: Some(of), body, ..
            } => {
                if let Some(argument) = argument(&of.text) {
                    *of = as_name(argument);
                }
                self.substitute(body, parameters, arguments)?;
            }
            kind => {
                for part in kind.parts() {
                    self.substitute(part, parameters, arguments)?;
                }
            }
        }
        Ok(())
    }
}

/// How a definition is used.
fn form(definition: &Macro) -> String {
    let parameters: Vec<&str> = definition
        .parameters
        .iter()
        .map(|parameter| parameter.text.as_str())
        .collect();
    match parameters.is_empty() {
        true => definition.name.text.clone(),
        false => format!("{}({})", definition.name.text, parameters.join(", ")),
    }
}

/// The name that an argument is, perhaps a link that leads to a process; anything else is a name that
/// nobody has.
pub(super) fn as_name(expression: &Expression) -> Name {
    let text = match &expression.kind {
        Kind::Name(name) => name.clone(),
        Kind::Field(owner, link) => format!("{}.{}", owner.text, link.text),
        _ => "this expression".to_owned(),
    };
    Name {
        text,
        span: expression.span,
    }
}

/// Gives the processes that a definition quantifies over other names where theirs are taken: who
/// uses a definition need not know what it calls them.
fn rename_bound(body: &mut Expression, taken: &dyn Fn(&str) -> bool) {
    let mut renamed = Vec::new();
    for name in bound_names(body) {
        let old = name.text.clone();
        while taken(&name.text) {
            name.text.push('\'');
        }
        if name.text != old {
            renamed.push((old, name.text.clone()));
        }
    }
    if let Kind::Quantified { body: inner, .. } | Kind::Count { body: inner, .. } = &mut body.kind {
        for (old, new) in &renamed {
            rename(inner, old, new);
        }
    }
    for part in body.kind.parts() {
        rename_bound(part, taken);
    }
}

/// The processes that an expression itself quantifies over.
fn bound_names(expression: &mut Expression) -> Vec<&mut Name> {
    match &mut expression.kind {
        Kind::Quantified { names, .. } => names.iter_mut().collect(),
        Kind::Count { name, .. } => vec![name],
        _ => Vec::new(),
    }
}

/// Puts one name in place of another.
fn rename(expression: &mut Expression, old: &str, new: &str) {
    match &mut expression.kind {
        Kind::Name(name) if name == old => *name = new.to_owned(),
        Kind::Field(owner, _) => rename_root(owner, old, new),
        Kind::Quantified { of: Some(of), .. } if of.text == old => of.text = new.to_owned(),
        Kind::Pair(owner, _, index) => {
            let names = owner.iter_mut().chain([index]);
            names.for_each(|name| rename_root(name, old, new));
        }
        _ => {}
    }
    for part in expression.kind.parts() {
        rename(part, old, new);
    }
}

/// The same for the process from which links are followed.
fn rename_root(name: &mut Name, old: &str, new: &str) {
    if name.root() == old {
        name.text = format!("{new}{}", &name.text[old.len()..]);
    }
}

impl Kind {
    /// The expressions directly inside.
    fn parts(&mut self) -> Vec<&mut Expression> {
        match self {
            Kind::Number(_)
            | Kind::Name(_)
            | Kind::Field(..)
            | Kind::Pair(..)
            | Kind::Matches(..) => Vec::new(),
            Kind::Call(_, all) | Kind::Set(all) => all.iter_mut().collect(),
            Kind::Not(inner) | Kind::Negate(inner) | Kind::Temporal(_, inner) => vec![inner],
            Kind::Binary(_, left, right) => vec![left, right],
            Kind::If(condition, yes, no) => vec![condition, yes, no],
            Kind::Quantified { body, .. } | Kind::Count { body, .. } => vec![body],
        }
    }
}
