//! Programs to few statements: modules put in place, names resolved, types checked, and all that
//! is derived written out (Berry's definitions).

mod data;
mod delay;
mod module;
mod statement;
mod trap;

pub(crate) use module::runs;
use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::FxHashMap;

use crate::kernel::{
    Condition, Kind, Node, Program, Promise, Signal, SignalId, Term, Variable, VariableId,
};
use crate::syntax::{Event, File, Name};
use crate::value::{Type, Value};

/// More statements than this are refused: modules that run modules double quickly.
const MOST_NODES: usize = 200_000;
/// Statements of modules that run modules may nest as deep as this.
const DEEPEST: usize = 250;
/// After so many mistakes the rest is mostly noise.
const MOST_MISTAKES: usize = 20;

/// Writes a program out. `main` is the module to begin with; `constants` are those of the host.
pub(crate) fn expand(
    source: &Source,
    file: &File,
    main: Option<&str>,
    constants: &[(String, String)],
) -> Result<Program, Vec<Diagnostic>> {
    let mut expander = Expander {
        source,
        file,
        given: constants.iter().cloned().collect(),
        used: Vec::new(),
        signals: Vec::new(),
        variables: Vec::new(),
        scope: Scope::default(),
        traps: Vec::new(),
        nesting: 0,
        nodes: 0,
        running: Vec::new(),
        mistakes: Vec::new(),
    };
    let program = expander.program(main);
    if let Some((name, _)) = constants
        .iter()
        .find(|(name, _)| !expander.used.contains(name))
    {
        let message = format!("no module that is used has a constant `{name}`");
        expander
            .mistakes
            .push(Diagnostic::error("no-such-constant", message));
    }
    match program {
        Some(program) if expander.mistakes.is_empty() => Ok(program),
        _ => Err(expander.mistakes),
    }
}

/// What names mean at a place.
#[derive(Debug, Clone, Default)]
struct Scope {
    signals: FxHashMap<String, Bound>,
    variables: FxHashMap<String, VariableId>,
    constants: FxHashMap<String, Term>,
    functions: Vec<String>,
    traps: Vec<TrapInfo>,
}

/// What a name of a signal stands for.
#[derive(Debug, Clone)]
struct Bound {
    /// Nothing stands for `tick`, which is always present.
    signal: Option<SignalId>,
    emittable: bool,
    sensor: bool,
}

/// A trap that can be left.
#[derive(Debug, Clone)]
struct TrapInfo {
    name: String,
    label: Label,
    /// A signal that says that it was left, and with what value.
    signal: Option<SignalId>,
    /// Whether the place is inside of the trap: handlers are not.
    inside: bool,
}

/// A trap by its depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Label(usize);

struct Expander<'a> {
    source: &'a Source,
    file: &'a File,
    given: FxHashMap<String, String>,
    used: Vec<String>,
    signals: Vec<Signal>,
    variables: Vec<Variable>,
    scope: Scope,
    traps: Vec<()>,
    nesting: usize,
    nodes: usize,
    running: Vec<String>,
    mistakes: Vec<Diagnostic>,
}

impl Expander<'_> {
    fn wrong(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: &str) {
        if self.mistakes.len() >= MOST_MISTAKES {
            return;
        }
        let mistake = Diagnostic::error(code, message).at(self.source, span, "");
        self.mistakes.push(match help {
            "" => mistake,
            help => mistake.help(help),
        });
    }

    fn node(&mut self, kind: Kind, span: Span) -> Node {
        self.nodes += 1;
        if self.nodes == MOST_NODES {
            let message = format!("written out, the program has more than {MOST_NODES} statements");
            self.wrong("too-large", span, message, "");
        }
        Node::new(kind, span)
    }

    fn is_hopeless(&self) -> bool {
        self.nodes >= MOST_NODES || self.mistakes.len() >= MOST_MISTAKES
    }

    fn nothing(&mut self, span: Span) -> Node {
        self.node(Kind::Nothing, span)
    }

    fn pause(&mut self, span: Span) -> Node {
        self.node(Kind::Pause, span)
    }

    fn sequence(&mut self, steps: Vec<Node>, span: Span) -> Node {
        let mut steps: Vec<Node> = (steps.into_iter())
            .filter(|step| !matches!(step.kind, Kind::Nothing))
            .collect();
        match steps.len() {
            0 => self.nothing(span),
            1 => steps.swap_remove(0),
            _ => self.node(Kind::Sequence(steps), span),
        }
    }

    fn parallel(&mut self, mut branches: Vec<Node>, span: Span) -> Node {
        match branches.len() {
            1 => branches.swap_remove(0),
            _ => self.node(Kind::Parallel(branches), span),
        }
    }

    fn looped(&mut self, body: Node, span: Span) -> Node {
        self.node(Kind::Loop(Box::new(body)), span)
    }

    fn halt(&mut self, span: Span) -> Node {
        let pause = self.pause(span);
        self.looped(pause, span)
    }

    fn present(&mut self, condition: Condition, then: Node, otherwise: Node, span: Span) -> Node {
        let kind = Kind::Present(condition, Box::new(then), Box::new(otherwise));
        self.node(kind, span)
    }

    /// Leaves if the condition is true.
    fn exit_when(&mut self, condition: Condition, label: Label, span: Span) -> Node {
        let (exit, nothing) = (self.exit(label, span), self.nothing(span));
        self.present(condition, exit, nothing, span)
    }

    fn exit(&mut self, label: Label, span: Span) -> Node {
        let level = self.traps.len() - 1 - label.0;
        self.node(Kind::Exit(level), span)
    }

    /// A trap around what a function makes.
    fn trap(&mut self, span: Span, body: impl FnOnce(&mut Self, Label) -> Node) -> Node {
        let label = Label(self.traps.len());
        self.traps.push(());
        let body = body(self, label);
        self.traps.pop();
        self.node(Kind::Trap(Box::new(body)), span)
    }

    /// A new local signal without a value.
    fn fresh(&mut self, name: &str, span: Span) -> SignalId {
        self.signals.push(Signal {
            name: name.to_owned(),
            direction: crate::syntax::Direction::Local,
            kind: None,
            start: None,
            combine: None,
            span,
        });
        self.signals.len() - 1
    }

    /// What a name of a signal stands for.
    fn signal(&mut self, name: &str, span: Span) -> Option<Bound> {
        let found = self.scope.signals.get(name).cloned();
        if found.is_none() {
            let names: Vec<String> = self.scope.signals.keys().cloned().collect();
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.sort_unstable();
            let mistake = Diagnostic::error("no-such-signal", format!("no signal `{name}` here"))
                .at(self.source, span, "")
                .did_you_mean(name, names);
            if !self.is_hopeless() {
                self.mistakes.push(mistake);
            }
        }
        found
    }

    /// A condition on signals.
    fn condition(&mut self, event: &Event) -> Condition {
        match event {
            Event::Tick => Condition::Constant(true),
            Event::Signal(name) => self.presence(name, Condition::Signal),
            Event::Before(name) => self.presence(name, Condition::Before),
            Event::Not(inner) => self.condition(inner).negated(),
            Event::And(left, right) => {
                Condition::And(vec![self.condition(left), self.condition(right)])
            }
            Event::Or(left, right) => {
                Condition::Or(vec![self.condition(left), self.condition(right)])
            }
        }
    }

    fn presence(&mut self, name: &Name, make: fn(SignalId) -> Condition) -> Condition {
        let Some(bound) = self.signal(&name.text, name.span) else {
            return Condition::Constant(false);
        };
        if bound.sensor {
            let message = format!(
                "`{}` is a sensor: it has a value and no presence",
                name.text
            );
            self.wrong("sensor", name.span, message, "test its value with `if`");
        }
        bound.signal.map_or(Condition::Constant(true), make)
    }

    fn promise(&mut self, relation: &crate::syntax::Relation) -> Promise {
        self.is_about_inputs(relation);
        match relation {
            crate::syntax::Relation::Exclusive(names) => {
                let mut all = Vec::new();
                for name in names {
                    if let Condition::Signal(signal) = self.presence(name, Condition::Signal) {
                        all.push(signal);
                    }
                }
                Promise::Exclusive(all)
            }
            crate::syntax::Relation::Implies(left, right) => {
                Promise::Implies(self.condition(left), self.condition(right))
            }
        }
    }

    /// Refuses a relation about what is no input, or twice about the same one: the environment
    /// promises nothing about outputs, and no signal comes without itself.
    fn is_about_inputs(&mut self, relation: &crate::syntax::Relation) {
        use crate::syntax::{Direction, Relation};
        let mut names = match relation {
            Relation::Exclusive(names) => names.clone(),
            Relation::Implies(left, right) => [left.names(), right.names()].concat(),
        };
        for at in 1..names.len() {
            let (before, name) = (&names[..at], &names[at]);
            if matches!(relation, Relation::Exclusive(_))
                && before.iter().any(|one| one.text == name.text)
            {
                let message = format!("`{}` is in this relation already", name.text);
                self.wrong("relation", name.span, message, "");
            }
        }
        names.retain(|name| {
            let bound = self.scope.signals.get(&name.text);
            let signal = bound.and_then(|bound| bound.signal);
            signal.is_some_and(|signal| {
                !matches!(
                    self.signals[signal].direction,
                    Direction::Input | Direction::Both
                )
            })
        });
        for name in names {
            let message = format!("`{}` is no input: relations are about inputs", name.text);
            self.wrong("relation", name.span, message, "");
        }
    }

    /// A value for a constant term.
    fn literal(&self, value: Value, kind: Type, span: Span) -> Term {
        Term {
            what: crate::kernel::What::Constant(value),
            kind,
            span,
        }
    }
}
