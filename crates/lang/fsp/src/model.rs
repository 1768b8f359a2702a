//! A text as a model: pick a system of it and get what the engine checks.

mod alone;
mod definitions;
mod formula;
mod mistakes;
mod parts;
mod system;
mod unwatched;

pub(crate) use alone::own_label;
pub(crate) use parts::Part;

use quotient_core::{Budget, Diagnostic, Source};
use quotient_lts::{NodeId, Origin, Progress, System};

use crate::Trouble;
use crate::compile::{Compiler, named_inside};
use crate::parse::parse;
use crate::progress::{menus, never_happening, progress_checks};
use crate::syntax::Specification;
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
    /// The constants of the text with the values that they have here, by name.
    pub constants: Vec<(String, String)>,
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

    /// Compiles a system of the text. If there is a mistake, those in other definitions are told
    /// too.
    pub fn compile(&self, options: &Options, budget: &Budget) -> Result<Compiled, Trouble> {
        self.compile_told(options, true, budget)
    }

    /// The same without the property processes of the system: what the others do for ever is
    /// asked of them alone, since an execution ends where a property breaks.
    pub fn compile_unwatched(
        &self,
        options: &Options,
        budget: &Budget,
    ) -> Result<Compiled, Trouble> {
        self.compile_told(options, false, budget)
    }

    fn compile_told(
        &self,
        options: &Options,
        watched: bool,
        budget: &Budget,
    ) -> Result<Compiled, Trouble> {
        self.compile_system(options, watched, budget)
            .map_err(|error| match error {
                Trouble::Invalid(found) => self.all_mistakes(found, options, budget).into(),
                stopped => stopped,
            })
    }

    fn compile_system(
        &self,
        options: &Options,
        watched: bool,
        budget: &Budget,
    ) -> Result<Compiled, Trouble> {
        let mut compiler = Compiler::new(&self.source, &self.specification, options, budget)?;
        let mut composition = self.system(&mut compiler, options.system.as_deref())?;
        if !watched {
            unwatched::without_watchers(&mut composition.machines, &compiler.system);
        }
        let mut extra = Vec::new();
        for property in options.properties.iter().filter(|_| watched) {
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
        let root = named_inside(&mut compiler.system, root);
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
        if self.composites().next().is_some() {
            warnings.extend(self.acting_alone(&machines, &compiler.system));
        }
        let never = never_happening(
            &self.source,
            &self.specification,
            &progress,
            &compiler.system,
            root,
        );
        let constants = compiler.globals.constants.iter();
        let mut constants: Vec<(String, String)> = constants
            .map(|(name, value)| ((*name).to_owned(), value.to_string()))
            .collect();
        constants.sort_unstable();
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
            constants,
            warnings,
        })
    }

    /// An assertion of the text, over the actions of a system compiled from it with the same
    /// options.
    pub fn assertion(
        &self,
        name: &str,
        options: &Options,
        system: &mut System,
        budget: &Budget,
    ) -> Result<AssertionCheck, Trouble> {
        let mut compiler = Compiler::new(&self.source, &self.specification, options, budget)?;
        std::mem::swap(&mut compiler.system, system);
        let result = assertion_check(&mut compiler, name, None);
        std::mem::swap(&mut compiler.system, system);
        result
    }
}
