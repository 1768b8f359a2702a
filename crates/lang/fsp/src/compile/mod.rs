//! Processes and composites to labelled transition systems.

mod body;
mod composite;
mod composition;
mod constraint;
mod draft;
mod inside;
mod labels;
mod machine;
mod part;
mod process;
mod sequence;
mod system;

use std::rc::Rc;
use std::sync::Arc;

use quotient_core::{Budget, Diagnostic, Source, Span};
use quotient_lts::{Actions, Lts, System, aldebaran};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::{Globals, Value, duplicate};
use crate::syntax::{
    Assertion, AssertionKind, Composite, Definition, LocalProcess, Name, Process, Specification,
};
use crate::{Options, Trouble};

pub(crate) use composition::Composition;
pub(crate) use inside::named_inside;
pub(crate) use machine::{Machine, Term};

/// Turns the definitions of one text into components.
pub(crate) struct Compiler<'a> {
    pub(crate) specification: &'a Specification,
    pub(crate) globals: Rc<Globals<'a>>,
    pub(crate) processes: FxHashMap<&'a str, &'a Process>,
    pub(crate) composites: FxHashMap<&'a str, &'a Composite>,
    imports: FxHashMap<&'a str, Arc<Lts>>,
    assertions: FxHashMap<&'a str, &'a Assertion>,
    /// The components and what is done with them; the names of all actions.
    pub(crate) system: System,
    pub(crate) budget: &'a Budget,
    /// What `P(1)` has been compiled to.
    compiled: FxHashMap<String, Term>,
    /// The definitions being compiled, for recursion without end.
    open: Vec<String>,
    /// How many bodies of composites lie in each other.
    depth: usize,
    warnings: Vec<Diagnostic>,
    /// The places warned about.
    warned: FxHashSet<(&'static str, Span)>,
    /// What is set from outside: a constant or parameter, its value, and whether a parameter has
    /// taken it.
    settings: Vec<(String, i32, bool)>,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(
        source: &'a Source,
        specification: &'a Specification,
        options: &Options,
        budget: &'a Budget,
    ) -> Result<Compiler<'a>, Trouble> {
        let globals = Globals::new(source, specification, &options.constants, budget)?;
        let mut compiler = Compiler {
            specification,
            globals: Rc::new(globals),
            processes: FxHashMap::default(),
            composites: FxHashMap::default(),
            imports: FxHashMap::default(),
            assertions: FxHashMap::default(),
            system: System::new(),
            budget,
            compiled: FxHashMap::default(),
            open: Vec::new(),
            depth: 0,
            warnings: Vec::new(),
            warned: FxHashSet::default(),
            settings: options
                .constants
                .iter()
                .map(|(name, value)| (name.clone(), *value, false))
                .collect(),
        };
        let mut places: FxHashMap<(u8, &str), &Name> = FxHashMap::default();
        for definition in &specification.definitions {
            // Names of one kind are looked up together; one that may be a component or stand in
            // a formula is of several.
            let (kinds, name): (&[u8], &Name) = match definition {
                Definition::Process(process) => {
                    compiler.processes.insert(&process.name.text, process);
                    (&[0], &process.name)
                }
                Definition::Composite(composite) => {
                    compiler.composites.insert(&composite.name.text, composite);
                    (&[1], &composite.name)
                }
                Definition::Import(name, file) => {
                    let lts = import(source, name, file, options, &mut compiler.system.actions)?;
                    compiler.imports.insert(&name.text, Arc::new(lts));
                    (&[0], name)
                }
                Definition::Assertion(assertion) => {
                    compiler.assertions.insert(&assertion.name.text, assertion);
                    match assertion.kind {
                        AssertionKind::Assert => (&[2], &assertion.name),
                        _ => (&[0, 1, 2], &assertion.name),
                    }
                }
                Definition::Fluent(fluent) => (&[2], &fluent.name),
                Definition::Progress(progress) => (&[3], &progress.name),
                _ => continue,
            };
            for &kind in kinds {
                if let Some(first) = places.insert((kind, &name.text), name) {
                    return Err(duplicate(source, name, first.span).into());
                }
            }
        }
        Ok(compiler)
    }

    pub(crate) fn source(&self) -> &'a Source {
        self.globals.source
    }

    /// Forgets what was being compiled when a mistake was met.
    pub(crate) fn start_again(&mut self) {
        self.open.clear();
        self.depth = 0;
    }

    /// What looked odd so far; empties the list.
    pub(crate) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    /// Warns once for each place.
    fn warn(&mut self, span: Span, diagnostic: Diagnostic) {
        if self.warned.insert((diagnostic.code, span)) {
            self.warnings.push(diagnostic);
        }
    }

    /// What sequences use with parameters: `P(2); Q`. Without a composite LTSA composes all that
    /// it has compiled, and so these too.
    pub(crate) fn instances(&self) -> Vec<Machine> {
        let with_parameters = self.compiled.iter().filter(|(name, _)| name.contains('('));
        let mut machines: Vec<Machine> = with_parameters
            .map(|(name, term)| Machine {
                name: name.clone(),
                term: term.clone().into_component(),
                property: None,
            })
            .collect();
        machines.sort_by(|left, right| left.name.cmp(&right.name));
        machines
    }

    /// Something to watch a system with: what is no property yet and does not say itself what
    /// is wrong becomes one.
    pub(crate) fn as_property(&mut self, composition: &Composition) -> Result<Machine, Trouble> {
        let mut machine = composition.created(&mut self.system);
        let says_itself = match &machine.term {
            Term::Process(lts, _) => lts.has_error(),
            Term::Node(_) => composition.is_property(),
        };
        if !says_itself {
            let node = machine.node(&mut self.system);
            machine.term = Term::Node(self.system.property(node));
        }
        Ok(machine)
    }

    /// Whether a composite may use this name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.processes.contains_key(name)
            || self.composites.contains_key(name)
            || self.imports.contains_key(name)
            || self.assertions.contains_key(name)
    }

    /// There is no process or composite of this name.
    pub(crate) fn undefined(&self, name: &Name) -> Diagnostic {
        let is_it = |local: &&LocalProcess| local.name.text == name.text;
        let inside = self.processes.values();
        let inside = inside.filter_map(|one| Some((one, one.locals[1..].iter().find(is_it)?)));
        let inside = inside.min_by_key(|(_, local)| local.name.span.start);
        if let Some((process, local)) = inside {
            let message = format!(
                "`{}` is a local process of `{}`",
                name.text, process.name.text
            );
            let help = "write `.` instead of `,` before it to make it a process of its own";
            return Diagnostic::error("undefined-process", message)
                .at(self.source(), name.span, "only seen inside of it")
                .at(self.source(), local.name.span, "defined here")
                .help(help);
        }
        let known = self.processes.keys().chain(self.composites.keys());
        let mut known: Vec<&str> = known.copied().collect();
        known.sort_unstable();
        Diagnostic::error(
            "undefined-process",
            format!("there is no process `{}`", name.text),
        )
        .at(self.source(), name.span, "not defined")
        .did_you_mean(&name.text, known)
    }

    /// Checks that a definition is used with the number of parameters that it has.
    pub(crate) fn check_arity(
        &self,
        name: &Name,
        parameters: usize,
        arguments: Option<&[Value]>,
    ) -> Result<(), Trouble> {
        match arguments {
            Some(arguments) if arguments.len() != parameters => Err(Diagnostic::error(
                "parameter-count",
                format!(
                    "`{}` needs {parameters} {}, given {}",
                    name.text,
                    if parameters == 1 {
                        "parameter"
                    } else {
                        "parameters"
                    },
                    arguments.len()
                ),
            )
            .at(self.source(), name.span, format!("needs {parameters}"))
            .into()),
            _ => Ok(()),
        }
    }
}

/// A process from an Aldebaran file.
fn import(
    source: &Source,
    name: &Name,
    file: &str,
    options: &Options,
    actions: &mut Actions,
) -> Result<Lts, Trouble> {
    match options.imports.iter().find(|(given, _)| given == file) {
        Some((_, content)) => Ok(aldebaran::read(content, actions)?),
        None => Err(Diagnostic::error(
            "missing-import",
            format!("the imported file `{file}` is not there"),
        )
        .at(source, name.span, "imported here")
        .into()),
    }
}

/// A definition with its parameters: `P(1,a)`.
fn instance(name: &str, arguments: Option<&[Value]>) -> String {
    match arguments {
        None => name.to_string(),
        Some(arguments) => {
            let values: Vec<String> = arguments.iter().map(Value::to_string).collect();
            format!("{name}({})", values.join(","))
        }
    }
}
