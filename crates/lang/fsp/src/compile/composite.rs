//! Composites, kept as lists of components as long as that means the same.

use quotient_core::{Diagnostic, Source, Span, nearest};
use quotient_lts::Action;
use rustc_hash::FxHashSet;

use super::composition::Composition;
use super::labels::{Prefixes, Renaming};
use super::part::Part;
use super::{Compiler, Machine, Term, instance};
use crate::Trouble;
use crate::evaluate::{Expander, Scope, Value};
use crate::syntax::{
    Call, Composite, CompositeBody, CompositeTerm, Hiding, Label, LabelPart, LabelSet, Name,
    Priority, Relabel,
};

/// How deep composites may use each other, by recursion too.
pub(super) const DEEPEST: usize = 200;

/// How many levels of brackets, conditions and composites may lie in each other.
const MOST_NESTED: usize = 1000;

/// More components than this are a mistake in a bound.
const MOST_PARTS: usize = 1 << 14;

impl<'a> Compiler<'a> {
    /// A composite with its parameters.
    pub(crate) fn composite(
        &mut self,
        composite: &'a Composite,
        arguments: Option<&[Value]>,
        used_at: &Name,
    ) -> Result<Composition, Trouble> {
        let name = instance(&composite.name.text, arguments);
        // A process may be called as the composite that it is part of.
        let is_shared = self.processes.contains_key(composite.name.text.as_str());
        let key = if is_shared {
            format!("||{name}")
        } else {
            name.clone()
        };
        self.enter(&key, used_at)?;
        let mut scope = self.globals.parameters(&composite.parameters, arguments)?;
        let mut parts = Vec::new();
        self.parts(&composite.body, &mut scope, &mut parts)?;
        let mut machines = Vec::new();
        for part in parts {
            match part {
                Part::One(machine) => machines.push(machine),
                Part::Many(composition) => machines.extend(composition.machines),
            }
        }
        self.check_count(machines.len(), &composite.name)?;
        if let Some(hiding) = &composite.hiding {
            self.warn_unhidden(hiding, &machines);
        }
        let priority = match &composite.priority {
            Some(Priority::High(set)) => Some((true, self.label_set(set, &scope)?)),
            Some(Priority::Low(set)) => Some((false, self.label_set(set, &scope)?)),
            None => None,
        };
        let hiding = match &composite.hiding {
            Some(Hiding::Hide(set)) => Some((true, self.label_set(set, &scope)?)),
            Some(Hiding::Expose(set)) => Some((false, self.label_set(set, &scope)?)),
            None => None,
        };
        self.open.pop();
        Ok(Composition {
            priority,
            hiding,
            minimal: composite.minimal,
            deterministic: composite.deterministic,
            property: composite.property,
            compose: composite.compose,
            ..Composition::plain(name, machines)
        })
    }

    /// Fails when a composite has grown too large.
    fn check_count(&self, components: usize, name: &Name) -> Result<(), Trouble> {
        if components <= MOST_PARTS {
            return Ok(());
        }
        Err(
            Diagnostic::error("too-large", "this composite has too many components")
                .at(self.source(), name.span, format!("more than {MOST_PARTS}"))
                .help("choose smaller ranges")
                .into(),
        )
    }

    fn label_set(&self, set: &'a LabelSet, scope: &Scope<'a>) -> Result<Vec<String>, Trouble> {
        let expander = Expander::new(&self.globals, self.budget);
        let labels = expander.set(set, &mut scope.clone().of_set())?;
        Ok(labels.iter().map(|label| label.to_string()).collect())
    }

    /// Adds the parts of a body, one level deeper.
    fn parts(
        &mut self,
        body: &'a CompositeBody,
        scope: &mut Scope<'a>,
        parts: &mut Vec<Part>,
    ) -> Result<(), Trouble> {
        if self.depth == MOST_NESTED {
            let outermost = self.open.first().map_or("", String::as_str);
            return Err(
                Diagnostic::error("recursion", "composites are nested too deeply")
                    .in_source(self.source())
                    .note(format!("the outermost is `{outermost}`"))
                    .into(),
            );
        }
        self.depth += 1;
        let result = self.parts_of(body, scope, parts);
        self.depth -= 1;
        result
    }

    fn parts_of(
        &mut self,
        body: &'a CompositeBody,
        scope: &mut Scope<'a>,
        parts: &mut Vec<Part>,
    ) -> Result<(), Trouble> {
        match body {
            CompositeBody::If {
                condition,
                then,
                otherwise,
            } => match (self.globals.holds(condition, scope)?, otherwise) {
                (true, _) => self.parts(then, scope, parts),
                (false, Some(otherwise)) => self.parts(otherwise, scope, parts),
                (false, None) => Ok(()),
            },
            CompositeBody::ForAll(indices, body) => {
                let globals = self.globals.clone();
                let expander = Expander::new(&globals, self.budget);
                let mut scopes = Vec::new();
                expander.each_index(indices, scope, &mut |_, scope| {
                    scopes.push(scope.clone());
                    expander.check_count(scopes.len(), indices[0].span)
                })?;
                scopes
                    .iter_mut()
                    .try_for_each(|scope| self.parts(body, scope, parts))
            }
            CompositeBody::Labelled {
                sharing,
                prefix,
                term,
                relabels,
            } => {
                let globals = self.globals.clone();
                let expander = Expander::new(&globals, self.budget);
                let mut inner = Vec::new();
                match prefix {
                    None => self.term(term, scope, &mut inner)?,
                    Some(prefix) => {
                        let mut prefixes = Vec::new();
                        expander.each(prefix, scope, &mut |label, scope| {
                            prefixes.push((label.to_string(), scope.clone()));
                            expander.check_count(prefixes.len(), prefix.span)
                        })?;
                        for (label, mut scope) in prefixes {
                            let from = inner.len();
                            self.term(term, &mut scope, &mut inner)?;
                            for part in &mut inner[from..] {
                                part.each(&mut self.system, |machine, system| {
                                    machine.prefix(&label, system)
                                });
                            }
                        }
                    }
                }
                if let Some(sharing) = sharing {
                    let prefixes = expander.labels(sharing, scope)?;
                    for part in &mut inner {
                        part.each(&mut self.system, |machine, system| {
                            machine.share(&prefixes, system)
                        });
                    }
                }
                if !relabels.is_empty() {
                    let renaming = self.renaming(relabels, scope)?;
                    self.warn_unused(relabels, &renaming, &inner);
                    for part in &mut inner {
                        part.relabel(&renaming, &mut self.system);
                    }
                }
                parts.append(&mut inner);
                Ok(())
            }
        }
    }

    fn renaming(
        &self,
        relabels: &'a [Relabel],
        scope: &mut Scope<'a>,
    ) -> Result<Renaming, Trouble> {
        let expander = Expander::new(&self.globals, self.budget);
        let mut pairs = Vec::new();
        for relabel in relabels {
            expander.relabel(relabel, scope, &mut pairs)?;
        }
        Ok(Renaming::new(pairs))
    }

    fn term(
        &mut self,
        term: &'a CompositeTerm,
        scope: &mut Scope<'a>,
        parts: &mut Vec<Part>,
    ) -> Result<(), Trouble> {
        match term {
            CompositeTerm::Parallel(bodies) => bodies
                .iter()
                .try_for_each(|body| self.parts(body, scope, parts)),
            CompositeTerm::Process(call) => {
                let part = self.called(call, scope)?;
                parts.push(part);
                self.check_count(parts.len(), &call.name)
            }
        }
    }

    fn called(&mut self, call: &'a Call, scope: &Scope<'a>) -> Result<Part, Trouble> {
        self.budget.charge(1)?;
        let arguments = self.arguments(call, scope)?;
        let arguments = arguments.as_deref();
        let name = instance(&call.name.text, arguments);
        if let Some(&process) = self.processes.get(call.name.text.as_str()) {
            self.check_arity(&call.name, process.parameters.len(), arguments)?;
            let term = self.process(process, arguments)?.into_component();
            let property = process.property.then_some(process.name.span);
            return Ok(Part::One(Machine {
                name,
                term,
                property,
            }));
        }
        if let Some(lts) = self.imports.get(call.name.text.as_str()) {
            let term = Term::Process(lts.clone(), [].into());
            self.check_arity(&call.name, 0, arguments)?;
            return Ok(Part::One(Machine {
                name,
                term,
                property: None,
            }));
        }
        if let Some(&assertion) = self.assertions.get(call.name.text.as_str())
            && !self.composites.contains_key(call.name.text.as_str())
        {
            self.check_arity(&call.name, assertion.parameters.len(), arguments)?;
            return Ok(Part::One(
                self.constraint(assertion, name, arguments, &call.name)?,
            ));
        }
        let Some(&composite) = self.composites.get(call.name.text.as_str()) else {
            return Err(self.undefined(&call.name).into());
        };
        self.check_arity(&call.name, composite.parameters.len(), arguments)?;
        if let Some(term) = self.compiled.get(&name) {
            let term = term.clone();
            return Ok(Part::One(Machine {
                name,
                term,
                property: None,
            }));
        }
        let mut composition = self.composite(composite, arguments, &call.name)?;
        if composition.is_plain() {
            for machine in &mut composition.machines {
                machine.name = format!("{}.{}", composition.name, machine.name);
            }
            return Ok(Part::Many(composition));
        }
        let machine = Machine {
            name: name.clone(),
            term: Term::Node(composition.node(&mut self.system)),
            property: None,
        };
        self.compiled.insert(name, machine.term.clone());
        Ok(Part::One(machine))
    }

    /// Relabelling what no component has is mostly a slip of the pen. Sets and `forall` often name
    /// more than there is; a label that is written out is worth a word.
    fn warn_unused(&mut self, relabels: &[Relabel], renaming: &Renaming, parts: &[Part]) {
        let alphabet = self.labels_of(parts.iter().flat_map(Part::machines));
        let unused = renaming.unused(&alphabet);
        let mut warnings = Vec::new();
        for relabel in relabels {
            let Relabel::Rename { old, new } = relabel else {
                continue;
            };
            let text = written(self.source(), old.span);
            if !unused.contains(&&*text) {
                continue;
            }
            let diagnostic = Diagnostic::warning(
                "unused-relabelling",
                format!("no component has the label `{text}`"),
            )
            .at(self.source(), old.span, "nothing to relabel");
            let new = written(self.source(), new.span);
            let slip = nearest(&text, alphabet.iter().copied());
            warnings.push((
                old.span,
                match slip {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None if alphabet.contains(&&*new) => diagnostic.help(format!(
                        "the new label comes first: did you mean `{text}/{new}`?"
                    )),
                    None => diagnostic,
                },
            ));
        }
        for (span, warning) in warnings {
            self.warn(span, warning);
        }
    }

    /// Hiding or showing what no component has is a slip of the pen, too: with `@` it hides all else.
    fn warn_unhidden(&mut self, hiding: &Hiding, machines: &[Machine]) {
        let (Hiding::Hide(set) | Hiding::Expose(set)) = hiding;
        let LabelSet::Literal(labels, _) = set else {
            return;
        };
        let what = match hiding {
            Hiding::Hide(_) => "nothing to hide",
            Hiding::Expose(_) => "nothing to show",
        };
        let alphabet = self.labels_of(machines);
        let mut warnings = Vec::new();
        for label in labels.iter().filter(|label| is_written_out(label)) {
            let text = written(self.source(), label.span);
            let covers = Prefixes::new([&*text]);
            if alphabet.iter().any(|label| covers.cover(label)) {
                continue;
            }
            let message = format!("no component has the label `{text}`");
            let diagnostic = Diagnostic::warning("unused-hiding", message);
            let diagnostic = diagnostic.at(self.source(), label.span, what);
            let diagnostic = diagnostic.did_you_mean(&text, alphabet.iter().copied());
            warnings.push((label.span, diagnostic));
        }
        for (span, warning) in warnings {
            self.warn(span, warning);
        }
    }

    /// All labels that some components know, in order.
    fn labels_of<'m>(&self, machines: impl IntoIterator<Item = &'m Machine>) -> Vec<&str> {
        let mut actions: FxHashSet<Action> = FxHashSet::default();
        for machine in machines {
            actions.extend(machine.alphabet(&self.system));
        }
        let actions = actions.into_iter();
        let mut labels: Vec<&str> = actions.map(|one| self.system.actions.name(one)).collect();
        labels.sort_unstable();
        labels
    }
}

/// A label as it is written, with dots before its numbers.
fn written(source: &Source, span: Span) -> String {
    let text = source.text()[span.range()]
        .replace('[', ".")
        .replace(']', "");
    text.trim_start_matches('.').to_owned()
}

/// Whether a label stands for one and no other: without ranges, sets and variables.
fn is_written_out(label: &Label) -> bool {
    let parts = label.parts.iter();
    let mut others = parts.filter(|part| !matches!(part, LabelPart::Name(_)));
    others.next().is_none()
}
