//! Tree to model: looks up names, expands definitions, checks types.

mod bearers;
mod constants;
mod declarations;
mod definitions;
mod expressions;
mod fits;
mod followed;
mod gathered;
mod membership;
mod numbers;
mod pairs;
mod quantifiers;
mod readings;
mod rounding;
mod steps;
mod sums;
mod temporal;
mod values;
mod vocabulary;
mod warnings;

use quotient_core::{Diagnostic, Source, Span};

use crate::model::{Demand, Domain, Expr, Import, Person, Property, Protocol, Variable};
use crate::syntax::tree::{self, File, Name, Topology};

pub(crate) use fits::evaluate;

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
        let wrong = || Diagnostic::error("syntax", "the text is no protocol");
        Protocol::read(source, load)
            .map_err(|mistakes| mistakes.into_iter().next().unwrap_or_else(wrong))
    }

    /// The same with all mistakes of the text: those of the syntax, or else those of meaning.
    pub(crate) fn read(
        source: &Source,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Result<Protocol, Vec<Diagnostic>> {
        let file = crate::syntax::parser::parse(source)?;
        let mut resolver = Resolver::new(source, &file);
        resolver.protocol(load).map_err(|mut mistakes| {
            let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
            mistakes.sort_by_key(place);
            mistakes
        })
    }
}

pub(crate) struct Resolver<'a> {
    source: &'a Source,
    file: &'a File,
    symbols: Vec<String>,
    globals: Vec<Variable>,
    fields: Vec<Variable>,
    pairs: Vec<Variable>,
    channels: Vec<crate::model::Channel>,
    imports: Vec<Import>,
    warnings: Vec<Diagnostic>,
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
    /// Where processes may be counted: whether `n` is their number outside of that.
    counting: Option<bool>,
    /// The variables that hold nobody where they are copied.
    nobody: Vec<String>,
    expansions: u32,
}

type Resolved<T> = Result<T, Diagnostic>;

/// What was resolved, or one more mistake.
fn kept<T>(resolved: Resolved<T>, mistakes: &mut Vec<Diagnostic>) -> Option<T> {
    resolved.map_err(|mistake| mistakes.push(mistake)).ok()
}

impl<'a> Resolver<'a> {
    fn new(source: &'a Source, file: &'a File) -> Self {
        let (symbols, globals, fields, pairs, channels) = Default::default();
        Resolver {
            source,
            file,
            symbols,
            globals,
            fields,
            pairs,
            channels,
            imports: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Looks everything up. What declarations are wrong about makes no sense further on; of the
    /// rest every part is looked at.
    fn protocol(
        &mut self,
        load: &mut dyn FnMut(&str) -> Result<Source, String>,
    ) -> Result<Protocol, Vec<Diagnostic>> {
        let file = self.file;
        self.imports = self.imported(load).map_err(|mistake| vec![mistake])?;
        self.declarations().map_err(|mistake| vec![mistake])?;
        let mut mistakes = Vec::new();
        let assumptions = kept(self.assumptions(), &mut mistakes);
        let initially = kept(self.initially(), &mut mistakes);
        let steps = file.steps.iter();
        let steps: Vec<Option<_>> = steps
            .map(|step| kept(self.steps_of(step), &mut mistakes))
            .collect();
        let names = file.steps.iter().map(|step| &step.name);
        kept(self.distinct(names, "step"), &mut mistakes);
        let names = file.properties.iter().map(|property| &property.name);
        kept(self.distinct(names, "property"), &mut mistakes);
        let properties = file.properties.iter();
        let properties: Vec<Option<_>> = properties
            .map(|property| kept(self.property(property), &mut mistakes))
            .collect();
        self.warn_of_fractions();
        let (Some(assumptions), Some(initially), true) =
            (assumptions, initially, mistakes.is_empty())
        else {
            return Err(mistakes);
        };
        Ok(Protocol {
            source: self.source.clone(),
            title: file.title.clone(),
            topology: file
                .topology
                .map_or(Topology::Line, |(topology, _)| topology),
            has_processes: file.process.is_some(),
            assumptions: assumptions.0,
            constraints: assumptions.1,
            symbols: std::mem::take(&mut self.symbols),
            globals: std::mem::take(&mut self.globals),
            fields: std::mem::take(&mut self.fields),
            pairs: std::mem::take(&mut self.pairs),
            channels: std::mem::take(&mut self.channels),
            initially,
            initially_places: file.initially.iter().map(tree::Condition::span).collect(),
            steps: steps.into_iter().flatten().flatten().collect(),
            step_places: (file.steps.iter())
                .map(|step| (step.name.text.clone(), step.span))
                .collect(),
            surely: None,
            properties: properties.into_iter().flatten().collect(),
            warnings: std::mem::take(&mut self.warnings),
        })
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
            tree::Demand::Temporal { names, formula } => {
                Demand::Happens(Box::new(self.happens(names, formula)?))
            }
        };
        Ok(Property {
            name: property.name.text.clone(),
            span: property.span,
            demand,
            lemma: property.lemma,
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
