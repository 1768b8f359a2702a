//! Tree to model: looks up names, expands definitions, checks types.

mod constants;
mod declarations;
mod definitions;
mod expressions;
mod quantifiers;
mod readings;
mod steps;
mod vocabulary;

use quotient_core::{Diagnostic, Source, Span};

use crate::model::{Demand, Domain, Expr, Import, Person, Property, Protocol, Variable};
use crate::syntax::tree::{self, File, Name, Topology};

/// All sizes of domains multiplied stay below this: a letter for each would be too many.
pub(crate) const MOST_VALUES: usize = 10_000;

impl Protocol {
    /// Reads a protocol from its text.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, critical }
    ///     step enter: when at = idle and forall other p: p.at = idle then at := critical
    ///     step leave: when at = critical then at := idle
    ///     property mutex: never exists p, q: p.at = critical and q.at = critical
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// assert_eq!(protocol.property_names().collect::<Vec<_>>(), ["mutex"]);
    /// # Ok::<(), quotient_core::Diagnostic>(())
    /// ```
    pub fn parse(source: &Source) -> Result<Protocol, Diagnostic> {
        Protocol::parse_with(source, &mut |_| Err("no files can be read here".to_owned()))
    }

    /// Reads a protocol from its text, and the files that it imports by a function from their
    /// names to their texts, or to the reason why there is none.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, busy }
    ///     step go: when at = idle then at := busy
    ///     property odd: never import \"odd.tmb\"
    /// ";
    /// let odd = "Ops x:0 idle:1 busy:1\nAutomaton odd\nStates a b\nFinal States b\n\
    ///            Transitions\nx() -> a\nbusy(a) -> b\n";
    /// let source = Source::new("lock.protocol", text);
    /// let protocol = Protocol::parse_with(&source, &mut |path| match path {
    ///     "odd.tmb" => Ok(Source::new(path, odd)),
    ///     _ => Err("there is no such file".to_owned()),
    /// })?;
    /// assert_eq!(protocol.property_names().collect::<Vec<_>>(), ["odd"]);
    /// # Ok::<(), quotient_core::Diagnostic>(())
    /// ```
    pub fn parse_with(
        source: &Source,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Result<Protocol, Diagnostic> {
        Protocol::read(source, load).map_err(|mistakes| {
            mistakes
                .into_iter()
                .next()
                .unwrap_or_else(|| Diagnostic::error("syntax", "the text is wrong"))
        })
    }

    /// The same with all mistakes of the text.
    pub(crate) fn read(
        source: &Source,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Result<Protocol, Vec<Diagnostic>> {
        Protocol::read_first(source, load).map_err(|mistake| vec![mistake])
    }

    fn read_first(
        source: &Source,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Result<Protocol, Diagnostic> {
        let file = crate::syntax::parser::parse(source)?;
        let mut resolver = Resolver::new(source, &file);
        resolver.imports = resolver.imported(load)?;
        resolver.declarations()?;
        let assumptions = resolver.assumptions()?;
        let initially = resolver.initially()?;
        let steps = file
            .steps
            .iter()
            .map(|step| resolver.step(step))
            .collect::<Result<Vec<_>, _>>()?;
        resolver.distinct(file.steps.iter().map(|step| &step.name), "step")?;
        resolver.distinct(
            file.properties.iter().map(|property| &property.name),
            "property",
        )?;
        let properties = file
            .properties
            .iter()
            .map(|property| resolver.property(property))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Protocol {
            source: source.clone(),
            title: file.title.clone(),
            topology: file
                .topology
                .map_or(Topology::Line, |(topology, _)| topology),
            has_processes: file.process.is_some(),
            assumptions,
            symbols: resolver.symbols,
            globals: resolver.globals,
            fields: resolver.fields,
            channels: resolver.channels,
            initially,
            steps,
            step_places: (file.steps.iter())
                .map(|step| (step.name.text.clone(), step.span))
                .collect(),
            surely: None,
            properties,
        })
    }
}

pub(crate) struct Resolver<'a> {
    source: &'a Source,
    file: &'a File,
    symbols: Vec<String>,
    globals: Vec<Variable>,
    fields: Vec<Variable>,
    channels: Vec<crate::model::Channel>,
    imports: Vec<Import>,
}

/// The names that an expression may use beside the declared ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// Processes by depth; in a step, the first is `self`.
    people: Vec<Person>,
    /// Whether bare names of process variables speak of the first of them.
    has_self: bool,
    choices: Vec<(String, Domain)>,
    /// Whether `n` is the number of processes.
    sizes: bool,
    expansions: u32,
}

type Resolved<T> = Result<T, Diagnostic>;

impl<'a> Resolver<'a> {
    fn new(source: &'a Source, file: &'a File) -> Self {
        let (symbols, globals, fields, channels) = Default::default();
        Resolver {
            source,
            file,
            symbols,
            globals,
            fields,
            channels,
            imports: Vec::new(),
        }
    }

    /// The files that are named, each read once.
    fn imported(
        &self,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Resolved<Vec<Import>> {
        let never = |property: &'a tree::Property| match &property.demand {
            tree::Demand::Never(condition) => Some(condition),
            _ => None,
        };
        let conditions = self.file.initially.iter();
        let conditions = conditions.chain(self.file.properties.iter().filter_map(never));
        let named = conditions.filter_map(|condition| match condition {
            tree::Condition::Import(path, span) => Some((path, *span)),
            _ => None,
        });
        let steps = self.file.steps.iter().filter_map(|step| {
            let (path, span) = step.import.as_ref()?;
            Some((path, *span))
        });
        named
            .chain(steps)
            .map(|(path, span)| match load(path) {
                Ok(source) => Ok(Import {
                    path: path.clone(),
                    span,
                    source,
                }),
                Err(reason) => {
                    let message = format!("cannot import `{path}`: {reason}");
                    Err(self
                        .error("unreadable-import", message, span)
                        .note("paths are seen from the folder of the protocol"))
                }
            })
            .collect()
    }

    fn import(&self, span: Span) -> Option<Import> {
        let known = self.imports.iter().find(|import| import.span == span);
        known.cloned()
    }

    fn error(&self, code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span, "")
    }

    fn distinct<'n>(&self, names: impl Iterator<Item = &'n Name>, what: &str) -> Resolved<()> {
        let mut seen: Vec<&Name> = Vec::new();
        for name in names {
            if let Some(first) = seen.iter().find(|seen| seen.text == name.text) {
                return Err(self
                    .error(
                        "duplicate",
                        format!("{what} `{}` is declared twice", name.text),
                        name.span,
                    )
                    .at(self.source, first.span, "first declared here")
                    .help("give one of them another name"));
            }
            seen.push(name);
        }
        Ok(())
    }

    fn property(&self, property: &tree::Property) -> Resolved<Property> {
        let demand = match &property.demand {
            tree::Demand::Never(condition) => Demand::Never(self.condition(condition)?),
            tree::Demand::Always(expression) => {
                let always = self.boolean(expression, &mut Scope::default())?;
                Demand::Never(crate::model::Condition::Holds(Expr::Not(Box::new(always))))
            }
            tree::Demand::NoDeadlock => Demand::NoDeadlock,
            tree::Demand::LeadsTo { name, from, to } => {
                self.needs_processes(name.span)?;
                let person = Person {
                    name: name.text.clone(),
                };
                let mut scope = Scope {
                    people: vec![person],
                    ..Scope::default()
                };
                Demand::LeadsTo(
                    self.boolean(from, &mut scope)?,
                    self.boolean(to, &mut scope)?,
                )
            }
        };
        Ok(Property {
            name: property.name.text.clone(),
            span: property.span,
            demand,
        })
    }

    fn condition(&self, condition: &tree::Condition) -> Resolved<crate::model::Condition> {
        Ok(match condition {
            tree::Condition::Holds(expression) => {
                crate::model::Condition::Holds(self.boolean(expression, &mut Scope::default())?)
            }
            tree::Condition::Word(text, span) => crate::model::Condition::Word(text.clone(), *span),
            tree::Condition::Import(path, span) => match self.import(*span) {
                Some(import) => crate::model::Condition::Import(import),
                None => {
                    let message = format!("`{path}` was not read");
                    return Err(self.error("unreadable-import", message, *span));
                }
            },
        })
    }

    fn needs_processes(&self, span: Span) -> Resolved<()> {
        if self.file.process.is_some() {
            return Ok(());
        }
        Err(self
            .error(
                "no-processes",
                "there are no processes in this protocol",
                span,
            )
            .help("declare what a process looks like: `process { location idle, busy }`"))
    }
}
