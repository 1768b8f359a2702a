//! Modules, put in the place where they are run.

use quotient_core::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::{Bound, Expander, Scope};
use crate::kernel::{Combine, Kind, Node, Program, Signal, SignalId, Term, What};
use crate::syntax::{
    Direction, ExpressionKind, File, Module, Name, Renaming, RenamingClass, SignalDecl, Statement,
    StatementKind,
};
use crate::value::{Type, Value};

impl<'a> Expander<'a> {
    /// The whole program.
    pub(super) fn program(&mut self, main: Option<&str>) -> Option<Program> {
        self.doubled_modules();
        let module = self.main(main)?;
        self.constants(module, &[]);
        for declared in &module.signals {
            let id = self.declare(declared);
            self.bind(&declared.name, id, declared.direction);
        }
        let interface = self.signals.len();
        let relations = module.relations.iter();
        let relations = relations.map(|one| self.promise(one)).collect();
        self.running.push(module.name.text.clone());
        let mut body = self.statement(&module.body);
        self.running.pop();
        if !crate::checks::is_shallow(&body) {
            let message = "written out, the program nests too deeply";
            self.wrong("too-deep", module.name.span, message, "");
            return None;
        }
        if !self.mistakes.is_empty() {
            return None;
        }
        self.mistakes
            .extend(crate::checks::check(self.source, &body, &self.variables));
        let mut next = (0, 0);
        body.number(&mut next);
        Some(Program {
            name: module.name.text.clone(),
            signals: std::mem::take(&mut self.signals),
            interface,
            variables: std::mem::take(&mut self.variables),
            relations,
            body,
            pauses: next.1,
        })
    }

    fn doubled_modules(&mut self) {
        let file: &'a File = self.file;
        let modules = &file.modules;
        for (number, module) in modules.iter().enumerate() {
            let name = &module.name;
            if modules[..number]
                .iter()
                .any(|one| one.name.text == name.text)
            {
                let message = format!("there are two modules `{}`", name.text);
                self.wrong("twice", name.span, message, "rename one of them");
            }
            self.told_apart("signal", module.signals.iter().map(|one| &one.name));
            self.told_apart("constant", module.constants.iter().map(|one| &one.name));
        }
    }

    /// Refuses names that one list says twice: the text would mean either of them.
    pub(super) fn told_apart<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen = FxHashSet::default();
        for name in names {
            if !seen.insert(name.text.as_str()) {
                let message = format!("there is a {what} `{}` here already", name.text);
                self.wrong("twice", name.span, message, "");
            }
        }
    }

    /// The module to begin with: the one that is named, or the first that no other one runs.
    fn main(&mut self, wanted: Option<&str>) -> Option<&'a Module> {
        let file: &'a File = self.file;
        let modules: &'a [Module] = &file.modules;
        if let Some(wanted) = wanted {
            let found = modules.iter().find(|one| one.name.text == wanted);
            if found.is_none() {
                let names = modules.iter().map(|one| one.name.text.as_str());
                let message = format!("there is no module `{wanted}`");
                let mistake = Diagnostic::error("no-such-module", message)
                    .in_source(self.source)
                    .did_you_mean(wanted, names);
                self.mistakes.push(mistake);
            }
            return found;
        }
        let mut run = Vec::new();
        for module in modules {
            runs(&module.body, &mut run);
        }
        let top = |module: &&Module| !run.contains(&module.name.text.as_str());
        modules.iter().find(top).or(modules.first())
    }

    /// Makes a signal of a declaration.
    pub(super) fn declare(&mut self, declared: &SignalDecl) -> SignalId {
        let kind = declared.kind.as_ref().map(|kind| Type::named(&kind.0.text));
        if declared.direction == Direction::Sensor && kind.is_none() {
            let message = format!("the sensor `{}` has no type", declared.name.text);
            self.wrong("sensor", declared.name.span, message, "write `: integer`");
        }
        let start = declared.start.as_ref().and_then(|start| {
            let term = self.term(start)?;
            self.fits(&term, kind.as_ref()?);
            Some(term)
        });
        let combine = declared
            .combine
            .as_ref()
            .map(|name| match name.text.as_str() {
                "+" => Combine::Plus,
                "*" => Combine::Times,
                "and" => Combine::And,
                "or" => Combine::Or,
                other => Combine::Host(other.to_owned()),
            });
        self.signals.push(Signal {
            name: declared.name.text.clone(),
            direction: declared.direction,
            kind,
            start,
            combine,
            span: declared.name.span,
        });
        self.signals.len() - 1
    }

    pub(super) fn bind(&mut self, name: &Name, id: SignalId, direction: Direction) {
        let bound = Bound {
            signal: Some(id),
            emittable: !matches!(direction, Direction::Input | Direction::Sensor),
            sensor: direction == Direction::Sensor,
        };
        self.scope.signals.insert(name.text.clone(), bound);
    }

    /// The constants of a module, some of which a `run` gives.
    fn constants(&mut self, module: &Module, given: &[(String, Term)]) {
        let functions = module.functions.iter().map(|name| name.text.clone());
        self.scope.functions = functions.collect();
        for constant in &module.constants {
            let name = &constant.name.text;
            let kind = Type::named(&constant.kind.0.text);
            let span = constant.name.span;
            let renamed = given.iter().find(|(inner, _)| inner == name);
            let term = if let Some((_, term)) = renamed {
                self.fits(term, &kind);
                let mut term = term.clone();
                term.kind = kind;
                term
            } else if let Some(text) = self.given.get(name).cloned() {
                self.used.push(name.clone());
                match Value::spelled(&kind, &text) {
                    Some(value) => self.literal(value, kind, span),
                    None => {
                        let message = format!("`{text}` is no value of type {kind}");
                        self.wrong("constant", span, message, "");
                        continue;
                    }
                }
            } else if let Some(value) = &constant.value {
                let Some(mut term) = self.term(value) else {
                    continue;
                };
                self.fits(&term, &kind);
                term.kind = kind;
                term
            } else {
                Term {
                    what: What::Host(name.clone(), Vec::new()),
                    kind,
                    span,
                }
            };
            self.scope.constants.insert(name.clone(), term);
        }
    }

    /// `run M [ … ]`: the body of the module, its interface bound to signals here.
    pub(super) fn run(&mut self, name: &Name, renamings: &[Renaming], span: Span) -> Node {
        let file: &'a File = self.file;
        let modules: &'a [Module] = &file.modules;
        let Some(module) = modules.iter().find(|one| one.name.text == name.text) else {
            let names: Vec<&str> = modules.iter().map(|one| one.name.text.as_str()).collect();
            let mistake = Diagnostic::error(
                "no-such-module",
                format!("there is no module `{}`", name.text),
            )
            .at(self.source, name.span, "")
            .did_you_mean(&name.text, names)
            .help("it may stand in another file (.strl) in the same folder");
            self.mistakes.push(mistake);
            return self.nothing(span);
        };
        if self.running.contains(&name.text) {
            let message = format!("`{}` runs itself", name.text);
            self.wrong(
                "recursion",
                name.span,
                message,
                "modules cannot be recursive",
            );
            return self.nothing(span);
        }
        if self.is_hopeless() {
            return self.nothing(span);
        }
        let Some(inner) = self.inner_scope(module, renamings, span) else {
            return self.nothing(span);
        };
        let outer = std::mem::replace(&mut self.scope, inner);
        let traps = self.scope.traps.len();
        self.running.push(name.text.clone());
        let body = self.statement(&module.body);
        self.running.pop();
        debug_assert_eq!(self.scope.traps.len(), traps);
        self.scope = outer;
        body
    }

    /// The names that a module sees when it is run here.
    fn inner_scope(
        &mut self,
        module: &Module,
        renamings: &[Renaming],
        span: Span,
    ) -> Option<Scope> {
        let mut given = Vec::new();
        for class in [RenamingClass::Constant, RenamingClass::Signal] {
            let these = renamings.iter().filter(|one| one.class == class);
            self.told_apart("renaming of", these.map(|one| &one.inner));
        }
        for renaming in renamings
            .iter()
            .filter(|one| one.class == RenamingClass::Constant)
        {
            let inner = &renaming.inner;
            if !module
                .constants
                .iter()
                .any(|one| one.name.text == inner.text)
            {
                let message = format!("`{}` has no constant `{}`", module.name.text, inner.text);
                self.wrong("run", inner.span, message, "");
            }
            let term = self.term(&renaming.outer)?;
            if matches!(term.what, What::Variable(_)) {
                let message = "a variable changes: it cannot stand for a constant";
                self.wrong("run", renaming.outer.span, message, "");
            }
            given.push((inner.text.clone(), term));
        }
        let mut signals = Vec::new();
        for renaming in renamings
            .iter()
            .filter(|one| one.class == RenamingClass::Signal)
        {
            if !module
                .signals
                .iter()
                .any(|one| one.name.text == renaming.inner.text)
            {
                let message = format!(
                    "`{}` has no signal `{}` in its interface",
                    module.name.text, renaming.inner.text
                );
                self.wrong(
                    "run",
                    renaming.inner.span,
                    message,
                    "write `signal OUTER / INNER`",
                );
            }
        }
        for declared in &module.signals {
            let inner = &declared.name.text;
            let renaming = renamings
                .iter()
                .find(|one| one.class == RenamingClass::Signal && one.inner.text == *inner);
            let (outer, place) = match renaming.map(|one| (&one.outer.kind, one.outer.span)) {
                Some((ExpressionKind::Name(outer), place)) => (outer.clone(), place),
                _ => (inner.clone(), span),
            };
            let bound = match outer.as_str() {
                "tick" => Bound {
                    signal: None,
                    emittable: false,
                    sensor: false,
                },
                _ => self.signal(&outer, place)?,
            };
            self.agrees(declared, &bound, place);
            let emits = matches!(declared.direction, Direction::Output | Direction::Both);
            signals.push((
                inner.clone(),
                Bound {
                    emittable: emits && bound.emittable,
                    sensor: bound.sensor || declared.direction == Direction::Sensor,
                    ..bound
                },
            ));
        }
        let outer = std::mem::take(&mut self.scope);
        self.constants(module, &given);
        let mut scope = std::mem::replace(&mut self.scope, outer);
        scope.signals = signals.into_iter().collect();
        Some(scope)
    }

    /// Whether a signal can stand for one of a module's interface.
    fn agrees(&mut self, declared: &SignalDecl, bound: &Bound, place: Span) {
        let emits = matches!(declared.direction, Direction::Output | Direction::Both);
        if emits && !bound.emittable {
            let message = format!(
                "`{}` is emitted by the module, and stands here for an input",
                declared.name.text
            );
            self.wrong(
                "run",
                place,
                message,
                "declare the outer signal as `inputoutput`",
            );
        }
        let inner = declared.kind.as_ref().map(|kind| Type::named(&kind.0.text));
        let outer = bound.signal.and_then(|id| self.signals[id].kind.clone());
        if inner.is_some() && inner != outer {
            let said = |kind: &Option<Type>| match kind {
                Some(kind) => format!("of type {kind}"),
                None => "without a value".to_owned(),
            };
            let message = format!(
                "`{}` is a signal {}, and stands here for one {}",
                declared.name.text,
                said(&inner),
                said(&outer)
            );
            self.wrong("type", place, message, "");
        }
    }

    /// Something of the host that is called.
    pub(super) fn host(&mut self, name: &str, written: &[Name], span: Span) -> Node {
        let mut variables = Vec::new();
        for name in written {
            match self.scope.variables.get(&name.text) {
                Some(&variable) => variables.push(variable),
                None => {
                    let message = format!("there is no variable `{}` here", name.text);
                    let help = "the first list of a call has variables that it may change; values stand \
                                in the second";
                    self.wrong("no-such-variable", name.span, message, help);
                }
            }
        }
        self.node(Kind::Host(name.to_owned(), variables), span)
    }
}

/// The modules that a statement runs.
pub(crate) fn runs<'a>(statement: &'a Statement, all: &mut Vec<&'a str>) {
    let mut stack = vec![statement];
    while let Some(statement) = stack.pop() {
        match &statement.kind {
            StatementKind::Run { module, .. } => all.push(&module.text),
            StatementKind::Sequence(list) | StatementKind::Parallel(list) => stack.extend(list),
            StatementKind::Present(cases, otherwise) => {
                stack.extend(cases.iter().filter_map(|(_, then)| then.as_ref()));
                stack.extend(otherwise.as_deref());
            }
            StatementKind::If(cases, otherwise) => {
                stack.extend(cases.iter().filter_map(|(_, then)| then.as_ref()));
                stack.extend(otherwise.as_deref());
            }
            StatementKind::Await(cases) => {
                stack.extend(cases.iter().filter_map(|case| case.then.as_ref()));
            }
            StatementKind::Exec(tasks) => {
                stack.extend(tasks.iter().filter_map(|task| task.then.as_ref()));
            }
            StatementKind::Abort { body, cases, .. } => {
                stack.push(body);
                stack.extend(cases.iter().filter_map(|case| case.then.as_ref()));
            }
            StatementKind::Trap { body, handlers, .. } => {
                stack.push(body);
                stack.extend(handlers.iter().map(|(_, handler)| handler));
            }
            StatementKind::Loop(body)
            | StatementKind::LoopEach(body, _)
            | StatementKind::Repeat { body, .. }
            | StatementKind::Every(_, body)
            | StatementKind::Suspend(body, _)
            | StatementKind::Upto(body, _)
            | StatementKind::Signal(_, body)
            | StatementKind::Variable(_, body) => stack.push(body),
            _ => {}
        }
    }
}
