//! A text as a model: pick a system of it and get what the engine checks.

use quotient_compose::{Action, NodeId, Operation, Progress, System};
use quotient_core::{Budget, Diagnostic, Source, nearest};
use quotient_lts::Origin;
use rustc_hash::FxHashSet;

use crate::Error;
use crate::compile::{Compiler, Composition, Machine};
use crate::parse::{MOST_ERRORS, parse};
use crate::progress::{menus, never_happening, progress_checks};
use crate::syntax::{AssertionKind, Definition, Name, Specification};
use crate::temporal::{AssertionCheck, assertion_check, mistakes_in_assertions};

/// An FSP text that has been read.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_fsp::{Model, Options};
///
/// let text = "
///     PING = (ping -> pong -> PING).
///     property ORDER = (ping -> pong -> ORDER).
///     ||GAME = (PING || ORDER).
/// ";
/// let model = Model::read(&Source::new("game.lts", text)).unwrap();
/// let compiled = model.compile(&Options::default(), &Budget::unlimited()).unwrap();
/// assert_eq!(compiled.name, "GAME");
/// assert_eq!(compiled.components, ["PING", "ORDER"]);
/// ```
#[derive(Debug, Clone)]
pub struct Model {
    source: Source,
    specification: Specification,
    warnings: Vec<Diagnostic>,
}

/// What to take from a model.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The composite or process to check, perhaps with parameters as in `DINERS(3)`; the last
    /// composite of the text when absent, and all processes side by side when there is none.
    pub system: Option<String>,
    /// Properties to compose with the system.
    pub properties: Vec<String>,
    /// Constants whose value in the text is replaced; or, where there is no such constant,
    /// parameters of the system.
    pub constants: Vec<(String, i32)>,
    /// What the imported files say: name as in the text, content.
    pub imports: Vec<(String, Source)>,
}

/// A system of a model, ready for the engine.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The composite or process, with its parameters.
    pub name: String,
    /// The components and operations; its root is what is to be checked: hiding and
    /// minimisation of the outermost composite are left out, since they change no verdict and
    /// would only make traces say less.
    pub system: System,
    /// The composite exactly as written, hidden and minimised.
    pub whole: NodeId,
    /// The names of the components, in order.
    pub components: Vec<String>,
    /// The progress properties of the text; none means that every action should go on.
    pub progress: Vec<Progress>,
    /// Progress properties whose actions nobody does.
    pub(crate) progress_warnings: Vec<Diagnostic>,
    /// The menus of the text: the actions that a simulation offers to choose from.
    pub menus: Vec<(String, Vec<String>)>,
    /// What looked odd on the way.
    pub warnings: Vec<Diagnostic>,
}

impl Model {
    /// Reads a text.
    pub fn read(source: &Source) -> Result<Model, Vec<Diagnostic>> {
        let (specification, warnings) = parse(source)?;
        Ok(Model {
            source: source.clone(),
            specification,
            warnings,
        })
    }

    /// The text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What the text says.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// The composites, in order.
    pub fn composites(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Composite(composite) => Some(&composite.name),
            _ => None,
        })
    }

    /// The primitive processes, in order; imported ones too.
    pub fn processes(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Process(process) => Some(&process.name),
            Definition::Import(name, _) => Some(name),
            _ => None,
        })
    }

    /// The assertions, in order.
    pub fn assertions(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Assertion(assertion) => Some(&assertion.name),
            _ => None,
        })
    }

    fn constraints(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Assertion(assertion) if assertion.kind == AssertionKind::Constraint => {
                Some(&assertion.name)
            }
            _ => None,
        })
    }

    /// The progress properties, in order.
    pub fn progress_properties(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Progress(progress) => Some(&progress.name),
            _ => None,
        })
    }

    /// The fluents, in order.
    pub fn fluents(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Fluent(fluent) => Some(&fluent.name),
            _ => None,
        })
    }

    /// The menus, in order.
    pub fn menus(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Menu(name, _) => Some(name),
            _ => None,
        })
    }

    /// The constants, in order.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.names(|definition| match definition {
            Definition::Constant(name, _) => Some(name),
            _ => None,
        })
    }

    /// Whether a process or composite is declared a property.
    pub fn is_property(&self, name: &str) -> bool {
        let definitions = self.specification.definitions.iter();
        definitions.into_iter().any(|definition| match definition {
            Definition::Process(process) => process.property && process.name.text == name,
            Definition::Composite(composite) => composite.property && composite.name.text == name,
            _ => false,
        })
    }

    /// The files that the text imports; [`Options::imports`] has to bring them.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        self.specification
            .definitions
            .iter()
            .filter_map(|definition| match definition {
                Definition::Import(_, file) => Some(file.as_str()),
                _ => None,
            })
    }

    fn names(&self, name: fn(&Definition) -> Option<&Name>) -> impl Iterator<Item = &str> {
        let names = self.specification.definitions.iter().filter_map(name);
        names.map(|name| name.text.as_str())
    }

    /// Compiles a system of the text. If there is a mistake, those in other definitions are told
    /// too.
    pub fn compile(&self, options: &Options, budget: &Budget) -> Result<Compiled, Error> {
        self.compile_system(options, budget)
            .map_err(|error| match error {
                Error::Invalid(found) => self.all_mistakes(found, options, budget).into(),
                stopped => stopped,
            })
    }

    fn compile_system(&self, options: &Options, budget: &Budget) -> Result<Compiled, Error> {
        let mut compiler = Compiler::new(&self.source, &self.specification, options, budget)?;
        let composition = self.system(&mut compiler, options.system.as_deref())?;
        let mut extra = Vec::new();
        for property in &options.properties {
            let composition = self.named(&mut compiler, property)?;
            extra.push(compiler.as_property(&composition)?);
        }
        compiler.all_settings_used()?;
        let whole = composition.node(&mut compiler.system);
        let root = composition.unreduced().node(&mut compiler.system);
        let mut machines = composition.machines.clone();
        let root = match extra.is_empty() {
            true => root,
            false => {
                let mut parts = vec![root];
                for machine in &extra {
                    parts.push(machine.node(&mut compiler.system));
                }
                machines.extend(extra);
                compiler.system.parallel(parts)
            }
        };
        let components = machines
            .iter()
            .map(|machine| machine.name.clone())
            .collect();
        let progress = progress_checks(&mut compiler, &self.specification)?;
        let menus = menus(&compiler, &self.specification)?;
        let mistakes = mistakes_in_assertions(&mut compiler)?;
        if !mistakes.is_empty() {
            return Err(mistakes.into());
        }
        let mut warnings = self.warnings.clone();
        warnings.extend(compiler.take_warnings());
        warnings.extend(self.unwatched(&machines, &compiler.system));
        let never = never_happening(
            &self.source,
            &self.specification,
            &progress,
            &compiler.system,
            root,
        );
        let mut system = compiler.system;
        system.set_root(root);
        system.origin = Origin {
            system: options.system.clone(),
            properties: options.properties.clone(),
            constants: options.constants.clone(),
        };
        Ok(Compiled {
            name: composition.name,
            system,
            whole,
            components,
            progress,
            progress_warnings: never,
            menus,
            warnings,
        })
    }

    /// What was found, and the mistakes of all processes and composites, in the order of the text.
    fn all_mistakes(
        &self,
        mut found: Vec<Diagnostic>,
        options: &Options,
        budget: &Budget,
    ) -> Vec<Diagnostic> {
        let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
        let known: Vec<&str> = self.processes().chain(self.composites()).collect();
        for name in known {
            let compiler = Compiler::new(&self.source, &self.specification, options, budget);
            let compiled = compiler.and_then(|mut compiler| compiler.whole(name).map(|_| ()));
            match compiled {
                Ok(()) => {}
                // One circle is met by each of its members.
                Err(Error::Invalid(more)) => {
                    found.extend(more.into_iter().filter(|one| one.code != "recursion"));
                }
                Err(Error::Stopped(_)) => break,
            }
        }
        found.sort_by_key(place);
        found.dedup_by(|one, other| place(one) == place(other) && one.code == other.code);
        found.truncate(MOST_ERRORS);
        found
    }

    /// An assertion of the text, over the actions of a system compiled from it with the same
    /// options.
    pub fn assertion(
        &self,
        name: &str,
        options: &Options,
        system: &mut System,
        budget: &Budget,
    ) -> Result<AssertionCheck, Error> {
        let mut compiler = Compiler::new(&self.source, &self.specification, options, budget)?;
        std::mem::swap(&mut compiler.system, system);
        let result = assertion_check(&mut compiler, name, None);
        std::mem::swap(&mut compiler.system, system);
        result
    }

    /// The system that the options ask for.
    fn system(
        &self,
        compiler: &mut Compiler<'_>,
        name: Option<&str>,
    ) -> Result<Composition, Error> {
        if let Some(name) = name {
            return self.named(compiler, name);
        }
        if let Some(name) = self.composites().last() {
            return self.named(compiler, name);
        }
        if self.processes().next().is_none() {
            let diagnostic = Diagnostic::error("no-process", "there is no process in this text");
            // A comment that never ends may have swallowed it.
            let odd = self.warnings.first().cloned();
            return Err(match odd {
                Some(odd) => Diagnostic {
                    message: format!("{}: {}", diagnostic.message, odd.message),
                    code: diagnostic.code,
                    severity: diagnostic.severity,
                    ..odd
                },
                None => diagnostic.in_source(&self.source),
            }
            .into());
        }
        let mut machines = Vec::new();
        for name in self.processes().chain(self.constraints()) {
            machines.extend(self.named(compiler, name)?.machines);
        }
        let instances = compiler.instances();
        let known: FxHashSet<String> = machines.iter().map(|one| one.name.clone()).collect();
        machines.extend(
            instances
                .into_iter()
                .filter(|one| !known.contains(&one.name)),
        );
        Ok(Composition::plain("DEFAULT".to_string(), machines))
    }

    /// A composite or process by name, with its default parameters.
    fn named(&self, compiler: &mut Compiler<'_>, name: &str) -> Result<Composition, Error> {
        match compiler.whole(name)? {
            Some(composition) => Ok(composition),
            None => {
                let known: Vec<&str> = self.composites().chain(self.processes()).collect();
                let diagnostic = Diagnostic::error(
                    "undefined-process",
                    format!("there is no composite or process `{name}`"),
                )
                .in_source(&self.source);
                let diagnostic = match (nearest(name, known.iter().copied()), known.as_slice()) {
                    (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
                    (None, []) => diagnostic,
                    (None, known) => diagnostic.note(format!("there are {}", known.join(", "))),
                };
                Err(diagnostic.into())
            }
        }
    }

    /// A property that watches an action that nobody does is mostly a slip of the pen.
    fn unwatched(&self, machines: &[Machine], system: &System) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for (number, machine) in machines.iter().enumerate() {
            let Some(span) = machine.property else {
                continue;
            };
            let others: FxHashSet<Action> = machines
                .iter()
                .enumerate()
                .filter(|&(other, machine)| other != number && machine.property.is_none())
                .flat_map(|(_, machine)| machine.alphabet(system))
                .copied()
                .collect();
            if others.is_empty() {
                continue;
            }
            let alone = machine
                .alphabet(system)
                .iter()
                .map(|&action| (action, system.actions.name(action)))
                .filter(|(action, _)| !others.contains(action));
            let mut alone: Vec<&str> = alone.map(|(_, label)| label).collect();
            alone.sort_unstable();
            let Some(first) = alone.first() else {
                continue;
            };
            let mut labels: Vec<&str> = others
                .iter()
                .map(|&action| system.actions.name(action))
                .collect();
            labels.sort_unstable();
            let more = match alone.len() {
                1 => String::new(),
                2 => " (and 1 other)".to_owned(),
                count => format!(" (and {} others)", count - 1),
            };
            let hidden = system.actions.get(first).is_some_and(|action| {
                let nodes = system.root().map_or(0, |root| root.index() + 1);
                (0..nodes).any(|node| hides(system, NodeId::from_index(node), action))
            });
            let (why, help) = match hidden {
                true => ("is hidden", Some("compose the property before hiding")),
                false => ("no component does", None),
            };
            let diagnostic = Diagnostic::warning(
                "unshared-action",
                format!(
                    "the property `{}` watches `{first}`{more}, which {why}",
                    machine.name
                ),
            )
            .at(&self.source, span, "this property");
            warnings.push(match help {
                Some(help) => diagnostic.help(help),
                None => diagnostic.did_you_mean(first, labels),
            });
        }
        warnings
    }
}

/// Whether an action of what a node is made of is not one of the node.
fn hides(system: &System, node: NodeId, action: Action) -> bool {
    let knows = |node: NodeId| system.alphabet(node).binary_search(&action).is_ok();
    let hiding = matches!(
        system.node(node).operation,
        Operation::Hide(..) | Operation::Interface(..)
    );
    hiding && !knows(node) && system.node(node).operands().iter().any(|&part| knows(part))
}
