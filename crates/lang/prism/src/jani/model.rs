//! Models of JANI to the trees that models in the language of PRISM are read to.
//!
//! An automaton becomes a module, with one more variable for its location if it has several; an
//! edge becomes a command. Transient variables are formulas: in a state, what its locations give
//! them. Assignments with an index are put into each other, so that all happen at once.

use std::collections::{BTreeMap, HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::Kind;

use super::expression::{Expressions, Scope, if_else, two};
use super::json::Part;
use super::parts::{
    Assigned, Declared, always, assigned, at, constant, declarations, empty, functions, kind,
};
use crate::syntax::{
    CommandTree, Declaration, Join, ModelTree, Module, Named, Node, Sort, Tree, UpdateTree,
};

/// What an edge gives to variables, for each destination.
pub(crate) type Given = Vec<Gives>;

/// What one destination gives: its weight, and the values of transient variables and of those that last.
pub(crate) struct Gives {
    pub(crate) weight: Tree,
    pub(crate) transient: HashMap<String, Tree>,
    pub(crate) lasting: HashMap<String, Tree>,
}

/// A model that was read, with what its properties need.
pub(crate) struct Read<'s> {
    pub(crate) expressions: Expressions<'s>,
    pub(crate) model: ModelTree,
    /// Initial values of transient variables.
    pub(crate) transient: HashMap<String, Tree>,
    /// What edges give to variables, by the number of the command.
    pub(crate) given: Vec<Given>,
}

/// Reads a model; all mistakes are told at once.
pub(crate) fn read<'s>(
    source: &'s Source,
    root: &'s Part,
    given: &[(&str, &str)],
) -> Result<Read<'s>, Vec<Diagnostic>> {
    let mut expressions = Expressions::new(source, functions(source, root)?);
    let datatypes = root.all("datatypes").iter();
    let named = datatypes.filter_map(|one| Some((one.text_of("name")?.to_owned(), one)));
    expressions.datatypes = named.collect();
    let mut read = Read {
        model: empty(kind(&expressions, root).map_err(|wrong| vec![wrong])?),
        expressions,
        transient: HashMap::new(),
        given: Vec::new(),
    };
    let mut reader = Reader {
        mistakes: Vec::new(),
        starts: Vec::new(),
        free: false,
        located: BTreeMap::new(),
        assigned: Vec::new(),
    };
    for (name, value) in given {
        if let Ok(number) = value.parse() {
            let mut constants = read.expressions.constants.borrow_mut();
            constants.insert((*name).to_owned(), number);
        }
    }
    reader.constants(&mut read, root);
    reader.globals(&mut read, root);
    let copies = reader.copies(&read, root);
    reader.check_names(&read, &copies);
    for (number, copy) in copies.iter().enumerate() {
        reader.automaton(&mut read, number, copy);
    }
    reader.transients(&mut read);
    reader.system(&mut read, root, &copies);
    reader.restrictions(&mut read, root, &copies);
    match reader.mistakes.is_empty() {
        true => Ok(read),
        false => Err(reader.mistakes),
    }
}

/// An automaton as the system uses it: the same one may be used several times.
pub(super) struct Copy<'p> {
    pub(super) automaton: &'p Part,
    name: String,
    pub(super) scope: Scope,
    /// Locations by name.
    locations: HashMap<String, usize>,
    /// The variable that holds the location, if there are several.
    place: Option<String>,
    /// Actions that are always possible.
    enabled: Vec<String>,
}

/// Reads the parts one after the other, and gathers mistakes.
pub(super) struct Reader {
    pub(super) mistakes: Vec<Diagnostic>,
    /// What the initial states fulfil.
    pub(super) starts: Vec<Tree>,
    /// Whether a variable may begin with any value.
    pub(super) free: bool,
    /// Transient variables: the values that locations give them, with the condition.
    located: BTreeMap<String, Vec<(Option<Tree>, Tree)>>,
    /// For each automaton the variables that it assigns with labelled edges, and those that it
    /// reads after assigning others.
    pub(super) assigned: Vec<(HashSet<String>, HashSet<String>)>,
}

impl Reader {
    pub(super) fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    fn constants(&mut self, read: &mut Read<'_>, root: &Part) {
        for part in root.all("constants") {
            let constant = constant(&read.expressions, part);
            if let Some(constant) = self.keep(constant) {
                let mut sorts = read.expressions.sorts.borrow_mut();
                sorts.insert(constant.name.clone(), constant.sort);
                drop(sorts);
                let value = constant.value.as_ref();
                let value = value.and_then(|value| read.expressions.whole(value));
                if let (Sort::Whole, Some(value)) = (constant.sort, value) {
                    let mut constants = read.expressions.constants.borrow_mut();
                    constants.insert(constant.name.clone(), value);
                }
                read.model.constants.push(constant);
            }
        }
    }

    fn globals(&mut self, read: &mut Read<'_>, root: &Part) {
        for part in root.all("variables") {
            let scope = Scope::default();
            let declared = self.variables(read, part, &scope);
            read.model.globals.extend(declared);
        }
    }

    /// A variable, or those of an array; transient ones are noted elsewhere.
    fn variables(&mut self, read: &mut Read<'_>, part: &Part, scope: &Scope) -> Vec<Declaration> {
        let found = declarations(&read.expressions, part, scope);
        let found = self.keep(found).unwrap_or_default();
        let each = found.into_iter();
        each.filter_map(|one| self.variable(read, part, one))
            .collect()
    }

    /// A variable; none if it is transient.
    fn variable(
        &mut self,
        read: &mut Read<'_>,
        part: &Part,
        (declaration, sort, is_transient): Declared,
    ) -> Option<Declaration> {
        let mut sorts = read.expressions.sorts.borrow_mut();
        sorts.insert(declaration.name.clone(), sort);
        drop(sorts);
        if is_transient {
            let value = declaration.init.unwrap_or(Tree {
                node: match sort {
                    Sort::Truth => Node::Truth(false),
                    _ => Node::Whole(0),
                },
                span: part.span,
            });
            let name = declaration.name.clone();
            if read.transient.insert(declaration.name, value).is_some() {
                let message = format!("`{name}` is declared twice");
                let error = read.expressions.error("twice", message, part.span);
                self.mistakes.push(error);
            }
            return None;
        }
        let name = |span: Span| Tree {
            node: Node::Name(declaration.name.clone()),
            span,
        };
        match &declaration.init {
            Some(value) => {
                let equal = two(Join::Equal, name(value.span), value.clone());
                self.starts.push(equal);
            }
            None => {
                let bounded = match &declaration.range {
                    Some((low, _)) => {
                        !matches!(low.node, Node::Whole(low) if low == i64::from(i32::MIN))
                    }
                    None => true,
                };
                if !bounded {
                    let message = format!(
                        "`{}` has neither bounds nor an initial value",
                        declaration.name
                    );
                    let error = read.expressions.error("range", message, part.span);
                    self.mistakes.push(error);
                }
                self.free = true;
            }
        }
        Some(declaration)
    }

    /// The automata of the system, each with its own names.
    fn copies<'p>(&mut self, read: &Read<'_>, root: &'p Part) -> Vec<Copy<'p>> {
        let automata = root.all("automata");
        let elements = root
            .get("system")
            .map_or(&[][..], |one| one.all("elements"));
        let mut used: Vec<(&Part, Vec<String>)> = Vec::new();
        for element in elements {
            let name = element.text_of("automaton").unwrap_or_default();
            let found = automata
                .iter()
                .find(|one| one.text_of("name") == Some(name));
            match found {
                Some(automaton) => {
                    let enabled = element.all("input-enable").iter();
                    let enabled = enabled.filter_map(Part::text).map(str::to_owned);
                    used.push((automaton, enabled.collect()));
                }
                None => {
                    let message = format!("there is no automaton `{name}`");
                    let error = read.expressions.error("undeclared", message, element.span);
                    self.mistakes.push(error);
                }
            }
        }
        if elements.is_empty() {
            used.extend(automata.iter().map(|one| (one, Vec::new())));
        }
        let mut taken: HashSet<String> = read.expressions.sorts.borrow().keys().cloned().collect();
        let mut copies: Vec<Copy<'p>> = Vec::new();
        for (automaton, enabled) in used {
            let base = automaton.text_of("name").unwrap_or("automaton").to_owned();
            let same = copies
                .iter()
                .filter(|one| std::ptr::eq(one.automaton, automaton));
            let name = match same.count() {
                0 => base,
                before => format!("{base}_{}", before + 1),
            };
            let mut scope = Scope {
                automaton: Some(automaton.text_of("name").unwrap_or_default().to_owned()),
                ..Scope::default()
            };
            for variable in automaton.all("variables") {
                let Some(local) = variable.text_of("name") else {
                    continue;
                };
                if !taken.insert(local.to_owned()) {
                    let other = format!("{name}_{local}");
                    taken.insert(other.clone());
                    scope.renamed.insert(local.to_owned(), other);
                }
            }
            let locations: HashMap<String, usize> = automaton
                .all("locations")
                .iter()
                .enumerate()
                .filter_map(|(number, one)| Some((one.text_of("name")?.to_owned(), number)))
                .collect();
            let mut place = None;
            if locations.len() > 1 {
                let mut free = format!("{name}_location");
                while !taken.insert(free.clone()) {
                    free.push('_');
                }
                place = Some(free);
            }
            copies.push(Copy {
                automaton,
                name,
                scope,
                locations,
                place,
                enabled,
            });
        }
        copies
    }

    fn check_names(&mut self, read: &Read<'_>, copies: &[Copy<'_>]) {
        for copy in copies {
            let parts = copy.automaton.all("locations");
            if copy.locations.len() != parts.len() || parts.is_empty() {
                let message = "an automaton needs locations with different names";
                let error = read
                    .expressions
                    .error("twice", message, copy.automaton.span);
                self.mistakes.push(error);
            }
        }
    }

    fn automaton(&mut self, read: &mut Read<'_>, number: usize, copy: &Copy<'_>) {
        self.assigned.push(Default::default());
        let span = copy.automaton.span;
        let mut module = Module {
            name: copy.name.clone(),
            span,
            variables: Vec::new(),
            invariant: None,
            commands: Vec::new(),
        };
        if let Some(place) = &copy.place {
            let last = copy.locations.len() as i64 - 1;
            let whole = |number: i64| Tree {
                node: Node::Whole(number),
                span,
            };
            module.variables.push(Declaration {
                name: place.clone(),
                span,
                range: Some((whole(0), whole(last))),
                init: None,
                clock: false,
            });
        }
        self.begin(read, copy, &mut module);
        for part in copy.automaton.all("variables") {
            let declared = self.variables(read, part, &copy.scope);
            module.variables.extend(declared);
        }
        for location in copy.automaton.all("locations") {
            self.location(read, copy, location, &mut module);
        }
        for edge in copy.automaton.all("edges") {
            let made = self.edge(read, number, copy, edge);
            if let Some((command, given)) = self.keep(made) {
                module.commands.push(command);
                read.given.push(given);
            }
        }
        for action in &copy.enabled {
            let command = always(&module, action, span);
            module.commands.push(command);
            read.given.push(Vec::new());
        }
        read.model.order.push((false, read.model.modules.len()));
        read.model.modules.push(module);
    }

    /// Where an automaton begins.
    fn begin(&mut self, read: &Read<'_>, copy: &Copy<'_>, module: &mut Module) {
        let mut conditions = Vec::new();
        let parts = copy.automaton.all("initial-locations");
        if parts.is_empty() {
            let message = "an automaton needs a list of initial locations";
            let span = copy.automaton.span;
            let error = read.expressions.error("missing", message, span);
            self.mistakes.push(error);
        }
        for part in parts {
            match part.text().and_then(|name| copy.locations.get(name)) {
                Some(&number) => {
                    let place = copy.place.iter();
                    conditions.extend(place.map(|one| (number, at(one, number, part.span))));
                }
                None => {
                    let message = "there is no such location";
                    let error = read.expressions.error("undeclared", message, part.span);
                    self.mistakes.push(error);
                }
            }
        }
        if copy.place.is_none() {
            return;
        }
        if let [(number, condition)] = &conditions[..] {
            module.variables[0].init = Some(Tree {
                node: Node::Whole(*number as i64),
                span: condition.span,
            });
        } else {
            self.free = true;
        }
        let either = conditions.into_iter().map(|(_, condition)| condition);
        self.starts
            .extend(either.reduce(|left, right| two(Join::Or, left, right)));
    }

    /// What a location gives to transient variables.
    fn location(
        &mut self,
        read: &mut Read<'_>,
        copy: &Copy<'_>,
        location: &Part,
        module: &mut Module,
    ) {
        let number = location
            .text_of("name")
            .and_then(|one| copy.locations.get(one));
        let here = copy
            .place
            .as_ref()
            .zip(number)
            .map(|(place, &number)| at(place, number, location.span));
        for given in location.all("transient-values") {
            let value = read.expressions.field(given, "value");
            let value = value.and_then(|value| read.expressions.tree(value, &copy.scope));
            let reference = read.expressions.text(given, "ref").map(str::to_owned);
            let (Some(name), Some(value)) = (self.keep(reference), self.keep(value)) else {
                continue;
            };
            let name = copy.scope.renamed.get(&name).unwrap_or(&name).clone();
            if !read.transient.contains_key(&name) {
                let message = format!("`{name}` is no transient variable");
                let error = read.expressions.error("undeclared", message, given.span);
                self.mistakes.push(error);
                continue;
            }
            let all = self.located.entry(name).or_default();
            all.push((here.clone(), value));
        }
        let Some(progress) = location.get("time-progress") else {
            return;
        };
        if !read.model.timed {
            let message = "invariants of time are for timed automata";
            let error = read
                .expressions
                .error("not-supported", message, progress.span);
            self.mistakes.push(error);
            return;
        }
        let condition = read.expressions.wrapped(progress, &copy.scope);
        if let Some(condition) = self.keep(condition) {
            let condition = match here {
                Some(here) => two(Join::Implies, here, condition),
                None => condition,
            };
            module.invariant = Some(match module.invariant.take() {
                Some(before) => two(Join::And, before, condition),
                None => condition,
            });
        }
    }

    fn edge(
        &mut self,
        read: &Read<'_>,
        number: usize,
        copy: &Copy<'_>,
        edge: &Part,
    ) -> Result<(CommandTree, Given), Diagnostic> {
        let expressions = &read.expressions;
        let place = |name: &Part| {
            let found = name.text().and_then(|name| copy.locations.get(name));
            found.copied().ok_or_else(|| {
                expressions.error("undeclared", "there is no such location", name.span)
            })
        };
        let from = place(expressions.field(edge, "location")?)?;
        let mut guard = match edge.get("guard") {
            Some(guard) => expressions.wrapped(guard, &copy.scope)?,
            None => Tree {
                node: Node::Truth(true),
                span: edge.span,
            },
        };
        if let Some(variable) = &copy.place {
            guard = two(Join::And, at(variable, from, edge.span), guard);
        }
        let rate = match edge.get("rate") {
            Some(rate) => Some(expressions.wrapped(rate, &copy.scope)?),
            None => None,
        };
        let rated = read.model.markovian && rate.is_some();
        if !read.model.markovian && rate.is_some() != (read.model.kind == Kind::Ctmc) {
            let message = match rate.is_some() {
                true => "only edges of a ctmc or ma have rates",
                false => "an edge of a ctmc needs a rate",
            };
            return Err(expressions.error("rate", message, edge.span));
        }
        let action = edge.text_of("action").unwrap_or_default();
        let mut updates = Vec::new();
        let mut given = Vec::new();
        for destination in edge.all("destinations") {
            let probability = match destination.get("probability") {
                Some(part) => Some(expressions.wrapped(part, &copy.scope)?),
                None => None,
            };
            let parts = edge.all("assignments").iter();
            let parts = parts.chain(destination.all("assignments"));
            let mut values = assigned(expressions, &read.transient, &copy.scope, parts.collect())?;
            self.note(number, action, &values);
            let transient: HashMap<String, Tree> = values
                .values
                .extract_if(|name, _| read.transient.contains_key(name))
                .collect();
            let one = Tree {
                node: Node::Whole(1),
                span: destination.span,
            };
            given.push(Gives {
                weight: probability.clone().unwrap_or(one),
                transient,
                lasting: values.values.clone(),
            });
            let weight = match (&rate, probability) {
                (Some(rate), Some(probability)) => {
                    Some(two(Join::Times, rate.clone(), probability))
                }
                (Some(rate), None) => Some(rate.clone()),
                (None, probability) => probability,
            };
            let mut assignments: Vec<(String, Span, Tree)> = values
                .values
                .into_iter()
                .map(|(name, value)| (name, value.span, value))
                .collect();
            assignments.sort_by(|one, other| one.0.cmp(&other.0));
            let to = place(expressions.field(destination, "location")?)?;
            if let Some(variable) = copy.place.as_ref().filter(|_| to != from) {
                let span = destination.span;
                let node = Node::Whole(to as i64);
                assignments.push((variable.clone(), span, Tree { node, span }));
            }
            updates.push(UpdateTree {
                weight,
                assignments,
                span: destination.span,
            });
        }
        let command = CommandTree {
            rated,
            action: action.to_owned(),
            guard,
            updates,
            span: edge.span,
        };
        Ok((command, given))
    }

    fn note(&mut self, number: usize, action: &str, values: &Assigned) {
        if !action.is_empty() {
            let noted = &mut self.assigned[number];
            noted.0.extend(values.values.keys().cloned());
            noted.1.extend(values.read_late.iter().cloned());
        }
    }

    /// In a state transient variables are what its locations give them.
    fn transients(&mut self, read: &mut Read<'_>) {
        let mut names: Vec<&String> = read.transient.keys().collect();
        names.sort();
        for name in names {
            let mut tree = read.transient[name].clone();
            for (condition, value) in self.located.get(name).into_iter().flatten().rev() {
                tree = match condition {
                    Some(condition) => if_else(condition.clone(), value.clone(), tree),
                    None => value.clone(),
                };
            }
            read.model.formulas.push(Named {
                name: name.clone(),
                span: tree.span,
                tree,
            });
        }
    }
}
