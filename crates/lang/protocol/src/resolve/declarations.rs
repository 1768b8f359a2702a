//! Types, variables, channels, initial conditions and assumptions.

use quotient_core::Span;

use super::{MOST_VALUES, Resolved, Resolver, Scope};
use crate::model::{Channel, Condition, Domain, Expr, Initial, Mark, Value, Variable};
use crate::syntax::tree::{Declaration, Expression, Kind, Name, Type};

impl Resolver<'_> {
    pub(super) fn declarations(&mut self) -> Resolved<()> {
        let file = self.file;
        self.distinct(file.types.iter().map(|(name, _)| name), "type")?;
        self.distinct(
            file.macros.iter().map(|definition| &definition.name),
            "definition",
        )?;
        let variables = file
            .globals
            .iter()
            .chain(&file.locals)
            .map(|declared| &declared.name);
        let named = variables.chain(file.channels.iter().map(|channel| &channel.name));
        let named = named.chain(&file.parameters);
        self.not_reserved(named.clone())?;
        self.distinct(named, "variable")?;
        let mut marks = Vec::new();
        for name in &file.parameters {
            self.needs_processes(name.span)?;
            self.globals.push(Variable {
                name: name.text.clone(),
                domain: Domain::Parameter,
                initial: Initial::Parameter,
                mark: None,
                auxiliary: false,
                span: name.span,
            });
        }
        for declared in &file.globals {
            if declared.paired {
                return Err(self
                    .error(
                        "global-pair",
                        "a global variable has one value",
                        declared.name.span,
                    )
                    .help("declare what has a value for each process in `process { … }`"));
            }
            if let Type::Process(optional, span) = declared.kind {
                self.needs_processes(span)?;
                marks.push(self.mark(declared, optional)?);
            } else {
                let variable = self.variable(declared)?;
                self.globals.push(variable);
            }
        }
        for declared in &file.locals {
            if let Type::Process(optional, span) = declared.kind {
                if declared.paired {
                    return Err(self
                        .error("process-here", "a pair of processes holds a value", span)
                        .help("let it be a `bool`, or a value of another type"));
                }
                let pointer = self.mark(declared, optional)?;
                if matches!(
                    pointer.initial,
                    Initial::FirstProcess | Initial::LastProcess
                ) {
                    return Err(self.bad_process_start(declared.name.span));
                }
                self.pairs.push(pointer);
                continue;
            }
            if let Type::Identity(span) = declared.kind {
                self.pairs.push(self.identity(declared, span)?);
                continue;
            }
            let variable = self.variable(declared)?;
            match declared.paired {
                true => self.pairs.push(variable),
                false => self.fields.push(variable),
            }
        }
        self.fields.extend(marks);
        for declared in &file.channels {
            let domain = self.domain(&declared.contents)?;
            let mut initial = Vec::new();
            for value in &declared.initial {
                match self.initial_values(value, &domain, &declared.name)?[..] {
                    [one] => initial.push(one),
                    _ => {
                        let message =
                            format!("`{}` begins with one value here", declared.name.text);
                        return Err(self
                            .error("not-constant", message, value.span)
                            .help("list the values from front to end, as in `= (a, b)`"));
                    }
                }
            }
            self.channels.push(Channel {
                name: declared.name.text.clone(),
                kind: declared.kind,
                domain,
                initial,
            });
        }
        Ok(())
    }

    /// A variable called `last` would never be seen: in a step `last` is a place in the line.
    fn not_reserved<'n>(&self, names: impl Iterator<Item = &'n Name>) -> Resolved<()> {
        const RESERVED: [&str; 11] = [
            "self", "left", "right", "first", "last", "n", "none", "true", "false", "any", "other",
        ];
        const OF_TREES: [&str; 6] = ["root", "leaf", "parent", "child", "above", "below"];
        for name in names {
            let of_trees = self.is_tree() && OF_TREES.contains(&name.text.as_str());
            if of_trees || RESERVED.contains(&name.text.as_str()) {
                let message = format!("`{}` means something else in this language", name.text);
                return Err(self
                    .error("reserved-name", message, name.span)
                    .help(format!("choose another name, as in `is_{}`", name.text)));
            }
        }
        Ok(())
    }

    fn variable(&mut self, declared: &Declaration) -> Resolved<Variable> {
        let domain = self.domain(&declared.kind)?;
        let initial = match &declared.initial {
            None => domain.values(),
            Some(expression) => self.initial_values(expression, &domain, &declared.name)?,
        };
        let name = declared.name.text.clone();
        let initial = Initial::Values(initial);
        Ok(Variable {
            name,
            domain,
            initial,
            mark: None,
            auxiliary: false,
            span: declared.name.span,
        })
    }

    /// A value or a set of values; `any` is for the parser a name like others.
    pub(super) fn initial_values(
        &self,
        initial: &Expression,
        domain: &Domain,
        name: &Name,
    ) -> Resolved<Vec<Value>> {
        let expressions = match &initial.kind {
            Kind::Set(values) => values.iter().collect(),
            Kind::Name(word) if word == "any" => return Ok(domain.values()),
            _ => vec![initial],
        };
        let mut values = Vec::new();
        for expression in expressions {
            let Expr::Constant(value) = self.value(expression, domain, &mut Scope::default())?
            else {
                return Err(self
                    .error(
                        "not-constant",
                        format!("`{}` must begin with a constant", name.text),
                        expression.span,
                    )
                    .help("relations between initial values are stated with `initially`"));
            };
            values.push(value);
        }
        Ok(values)
    }

    fn mark(&self, declared: &Declaration, optional: bool) -> Resolved<Variable> {
        let initial = match declared
            .initial
            .as_ref()
            .map(|initial| (&initial.kind, initial.span))
        {
            None if optional => Initial::AnyOrNobody,
            None => Initial::AnyProcess,
            Some((Kind::Name(word), span)) => match word.as_str() {
                "any" if optional => Initial::AnyOrNobody,
                "any" => Initial::AnyProcess,
                "self" => Initial::Itself,
                "first" => Initial::FirstProcess,
                "last" => Initial::LastProcess,
                "none" if optional => Initial::Nobody,
                "none" => {
                    return Err(self
                        .error(
                            "none-not-allowed",
                            format!("`{}` always holds a process", declared.name.text),
                            span,
                        )
                        .help("declare it as `process or none`"));
                }
                _ => return Err(self.bad_process_start(span)),
            },
            Some((_, span)) => return Err(self.bad_process_start(span)),
        };
        let name = declared.name.text.clone();
        let mark = Some(Mark { optional });
        Ok(Variable {
            name,
            domain: Domain::Bool,
            initial,
            mark,
            auxiliary: false,
            span: declared.name.span,
        })
    }

    /// What is different for each process, kept as which of two comes first.
    fn identity(&self, declared: &Declaration, span: Span) -> Resolved<Variable> {
        if declared.paired || declared.initial.is_some() {
            let message = "an identity is whatever it is, and never changes";
            return Err(self
                .error("bad-identity", message, span)
                .help(format!("declare it as `{} : identity`", declared.name.text)));
        }
        Ok(Variable {
            name: declared.name.text.clone(),
            domain: Domain::Bool,
            initial: Initial::Order,
            mark: None,
            auxiliary: false,
            span: declared.name.span,
        })
    }

    fn bad_process_start(&self, span: Span) -> quotient_core::Diagnostic {
        self.error(
            "bad-initial",
            "a variable that holds a process begins with `first`, `last`, `any` or `none`",
            span,
        )
        .note("one of a process begins with `self`, `any` or `none`")
    }

    pub(super) fn domain(&mut self, kind: &Type) -> Resolved<Domain> {
        self.domain_within(kind, 0)
    }

    fn domain_within(&mut self, kind: &Type, depth: u32) -> Resolved<Domain> {
        match kind {
            Type::Bool => Ok(Domain::Bool),
            Type::Range(low, high, span) => {
                let (Ok(from), Ok(to)) = (i32::try_from(*low), i32::try_from(*high)) else {
                    return Err(self.error("huge-range", "this range is too large", *span));
                };
                if from > to {
                    return Err(self
                        .error(
                            "empty-range",
                            format!("the range {low}..{high} has no values"),
                            *span,
                        )
                        .help(format!("did you mean {high}..{low}?")));
                }
                if i64::from(to) - i64::from(from) >= MOST_VALUES as i64 {
                    return Err(self
                        .error("huge-range", "this range is too large", *span)
                        .note(format!("at most {MOST_VALUES} values fit into an alphabet")));
                }
                Ok(Domain::Range(from, to))
            }
            Type::Values(names) => {
                self.distinct(names.iter(), "value")?;
                // These have a meaning of their own wherever a value may stand.
                let taken = |name: &&Name| match name.text.as_str() {
                    "root" | "leaf" => self.is_tree(),
                    "first" | "last" => !self.is_tree(),
                    name => name == "self",
                };
                self.not_reserved(names.iter().filter(taken))?;
                Ok(Domain::Symbols(
                    names.iter().map(|name| self.symbol(&name.text)).collect(),
                ))
            }
            Type::Named(name) => {
                let file = self.file;
                match file.types.iter().find(|(known, _)| known.text == name.text) {
                    Some((_, kind)) if depth < 50 => self.domain_within(kind, depth + 1),
                    Some(_) => Err(self.error("circular-type", "this type is defined by itself", name.span)),
                    None => Err(self
                        .error("unknown-type", format!("there is no type `{}`", name.text), name.span)
                        .did_you_mean(&name.text, file.types.iter().map(|(known, _)| known.text.as_str()).chain(["bool", "process"]))
                        .help("types are `bool`, `0..3`, `{ a, b }`, `process` or a name defined by `type`")),
                }
            }
            Type::Identity(span) => Err(self
                .error("identity-here", "only a process has an identity", *span)
                .help("declare it in `process { … }`")),
            Type::Process(_, span) => Err(self
                .error("process-here", "a process cannot be held here", *span)
                .help("only a `global` can hold a process")),
        }
    }

    fn symbol(&mut self, name: &str) -> Value {
        let known = self.symbols.iter().position(|symbol| symbol == name);
        known.unwrap_or_else(|| {
            self.symbols.push(name.to_owned());
            self.symbols.len() - 1
        }) as Value
    }

    /// What is assumed of the number of processes, and of how many are ever of some kind.
    pub(super) fn assumptions(&self) -> Resolved<(Vec<Expr>, Vec<Expr>)> {
        let mut scope = Scope {
            sizes: true,
            ..Scope::default()
        };
        let (mut sizes, mut constraints) = (Vec::new(), Vec::new());
        for assumption in &self.file.assumptions {
            let expression = self.boolean(assumption, &mut scope)?;
            if self.only_sizes(&expression) {
                sizes.push(expression);
            } else if is_count(&expression) {
                constraints.push(expression);
            } else {
                return Err(self
                    .error(
                        "bad-assumption",
                        "assumptions speak of `n`, the number of processes, or of a count",
                        assumption.span,
                    )
                    .help("what is true in the beginning is stated with `initially`"));
            }
        }
        Ok((sizes, constraints))
    }

    /// Whether an expression speaks of the number of processes and of parameters alone.
    pub(super) fn only_sizes(&self, expression: &Expr) -> bool {
        let parameter = |global: usize| self.globals[global].domain == Domain::Parameter;
        match expression {
            Expr::Global(global) => parameter(*global),
            Expr::Constant(_) | Expr::Size => true,
            Expr::Not(inner) => self.only_sizes(inner),
            Expr::And(all) | Expr::Or(all) => all.iter().all(|part| self.only_sizes(part)),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                self.only_sizes(left) && self.only_sizes(right)
            }
            Expr::If(condition, yes, no) => {
                let mut parts = [condition, yes, no].into_iter();
                parts.all(|part| self.only_sizes(part))
            }
            _ => false,
        }
    }

    pub(super) fn initially(&self) -> Resolved<Vec<Condition>> {
        let file = self.file;
        file.initially
            .iter()
            .map(|condition| self.condition(condition))
            .collect()
    }
}

/// Whether an assumption says how many processes are of some kind, at any time.
fn is_count(expression: &Expr) -> bool {
    match expression {
        Expr::And(all) | Expr::Or(all) => all.iter().all(is_count),
        Expr::Not(inner) => is_count(inner),
        Expr::Count { .. } | Expr::Threshold { .. } | Expr::Sums(..) => true,
        _ => false,
    }
}
