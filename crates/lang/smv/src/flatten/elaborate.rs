//! Expressions in a scope to typed nodes.
//!
//! An expression is a run of syntax nodes, operands first; a task walks the run once. When it
//! meets a name that is not worked out yet, a task for that name goes on top: no recursion,
//! and the tasks under way show what a circular definition goes through.

use quotient_core::{Diagnostic, Span};

use super::{Entity, Flattener, ScopeId, State, SymbolIndex, SymbolKind};
use crate::program::{FailureKind, Node, NodeId, Value};
use crate::syntax::{List, NameId, Syntax, SyntaxId};

/// The walk over one expression.
struct Task {
    scope: ScopeId,
    root: SyntaxId,
    first: u32,
    /// What the nodes so far stand for; the next node is at `first + results.len()`.
    results: Vec<Entity>,
    /// The name that the expression is the meaning of.
    owner: Option<SymbolIndex>,
}

/// What stops a walk.
pub(super) enum Pause {
    /// A name must be worked out first.
    Needs(SymbolIndex),
    /// Something is wrong.
    Wrong(Diagnostic),
    /// Something is wrong and has been reported.
    Broken,
}

impl From<Diagnostic> for Pause {
    fn from(diagnostic: Diagnostic) -> Pause {
        Pause::Wrong(diagnostic)
    }
}

impl Flattener {
    /// What an expression stands for in a scope. Mistakes are reported.
    pub(super) fn elaborate(&mut self, scope: ScopeId, root: SyntaxId) -> Entity {
        let task = self.task(scope, root, None);
        self.finish(task)
    }

    /// What a name stands for. Mistakes are reported.
    pub(super) fn work_out(&mut self, symbol: SymbolIndex) -> Entity {
        match self.symbol(symbol).state {
            State::Known(entity) => entity,
            _ => match self.begin(symbol, &[]) {
                Some(task) => self.finish(task),
                None => Entity::Broken,
            },
        }
    }

    /// Walks an expression to its end, and whatever must be worked out on the way.
    fn finish(&mut self, task: Task) -> Entity {
        let mut tasks = vec![task];
        loop {
            let Some(task) = tasks.last_mut() else {
                return Entity::Broken;
            };
            let at = SyntaxId(task.first + task.results.len() as u32);
            let entity = match self.visit(task, at) {
                Ok(entity) => entity,
                Err(Pause::Needs(symbol)) => {
                    if let Some(next) = self.begin(symbol, &tasks) {
                        tasks.push(next);
                    }
                    continue;
                }
                Err(Pause::Wrong(diagnostic)) => {
                    self.report(diagnostic);
                    Entity::Broken
                }
                Err(Pause::Broken) => Entity::Broken,
            };
            task.results.push(entity);
            if at == task.root {
                if let Some(symbol) = task.owner {
                    self.set_state(symbol, State::Known(entity));
                }
                tasks.pop();
                if tasks.is_empty() {
                    return entity;
                }
            }
        }
    }

    /// What an expression stands for, if it is a value.
    pub(super) fn value(&mut self, scope: ScopeId, root: SyntaxId) -> Option<NodeId> {
        let entity = self.elaborate(scope, root);
        let span = self.scopes.tree.expressions.span(root);
        match self.as_value(entity, span) {
            Ok(node) => Some(node),
            Err(Pause::Wrong(diagnostic)) => {
                self.report(diagnostic);
                None
            }
            Err(_) => None,
        }
    }

    fn task(&self, scope: ScopeId, root: SyntaxId, owner: Option<SymbolIndex>) -> Task {
        Task {
            scope,
            root,
            first: *self.scopes.tree.expressions.run(root).start(),
            results: Vec::new(),
            owner,
        }
    }

    /// Begins to work out a name; `None` if that would go in circles.
    fn begin(&mut self, symbol: SymbolIndex, tasks: &[Task]) -> Option<Task> {
        if self.symbol(symbol).state == State::Active {
            self.report_circle(symbol, tasks);
            self.set_state(symbol, State::Known(Entity::Broken));
            return None;
        }
        match self.symbol(symbol).kind {
            SymbolKind::Define(scope, body) | SymbolKind::Parameter(scope, body) => {
                self.set_state(symbol, State::Active);
                Some(self.task(scope, body, Some(symbol)))
            }
            // Only while types are being worked out is a variable unknown.
            SymbolKind::Variable | SymbolKind::Instance => {
                let span = self.symbol(symbol).span;
                let message = format!(
                    "`{}` is used in a type, but it is not constant",
                    self.text(self.symbol(symbol).name)
                );
                let error = self.error("smv-not-constant", message, span);
                self.report(error);
                self.set_state(symbol, State::Known(Entity::Broken));
                None
            }
        }
    }

    fn report_circle(&mut self, symbol: SymbolIndex, tasks: &[Task]) {
        let mut circle: Vec<SymbolIndex> = tasks
            .iter()
            .filter_map(|task| task.owner)
            .skip_while(|&owner| owner != symbol)
            .collect();
        circle.push(symbol);
        let names: Vec<String> = circle
            .iter()
            .map(|&index| {
                let symbol = self.symbol(index);
                format!("`{}`", self.full_name(symbol.scope, symbol.name))
            })
            .collect();
        let mut error = self.error(
            "smv-circular",
            format!("{} is defined by itself", names[0]),
            self.symbol(symbol).span,
        );
        for &through in &circle[1..circle.len() - 1] {
            error = error.at(&self.source, self.symbol(through).span, "through this");
        }
        let error = error.note(format!("the circle is {}", names.join(" -> ")));
        self.report(error.help("let one of them be a variable, which has a value of its own"));
    }

    fn visit(&mut self, task: &Task, at: SyntaxId) -> Result<Entity, Pause> {
        let span = self.scopes.tree.expressions.span(at);
        let get = |id: SyntaxId| task.results[(id.0 - task.first) as usize];
        let node = match self.scopes.tree.expressions.node(at) {
            Syntax::Boolean(value) => self.constant(Value::Boolean(value), span),
            Syntax::Number(number) => self.constant(Value::Integer(number), span),
            Syntax::Word(word) => {
                let value = Value::word(word.signed, word.width, word.bits);
                self.constant(value, span)
            }
            Syntax::Name(name) => return self.lookup(task.scope, name, span),
            Syntax::Itself => return Ok(Entity::Instance(task.scope)),
            Syntax::Member(base, name) => return self.member(get(base), base, name, span),
            Syntax::Index(base, index) => {
                return self.index(get(base), get(index), (base, index), span);
            }
            Syntax::Bits(base, high, low) => {
                let word = self.operand(get(base), base)?;
                let (high, low) = (self.operand(get(high), high)?, self.operand(get(low), low)?);
                self.bits(word, high, low, span)?
            }
            Syntax::Unary(operator, operand) => {
                let operand = self.operand(get(operand), operand)?;
                self.unary(operator, operand, span)?
            }
            Syntax::Binary(operator, left, right) => {
                if let (Entity::Array(left), Entity::Array(right)) = (get(left), get(right)) {
                    return Ok(Entity::Value(self.arrays(operator, left, right, span)?));
                }
                let spans = (
                    self.scopes.tree.expressions.span(left),
                    self.scopes.tree.expressions.span(right),
                );
                let (left, right) = (
                    self.operand(get(left), left)?,
                    self.operand(get(right), right)?,
                );
                self.binary(operator, (left, spans.0), (right, spans.1), span)?
            }
            Syntax::Choose(test, then, other) => {
                let then_span = self.scopes.tree.expressions.span(then);
                let other_span = self.scopes.tree.expressions.span(other);
                let test = self.condition(get(test), test)?;
                let then = self.operand(get(then), then)?;
                let other = self.operand(get(other), other)?;
                self.choose(test, (then, then_span), (other, other_span), span)?
            }
            Syntax::Case(branches) => self.case(task, branches, span)?,
            Syntax::Set(items) => self.set(task, items)?,
            Syntax::Range(low, high) => {
                let (low, high) = (self.operand(get(low), low)?, self.operand(get(high), high)?);
                self.range(low, high, span)?
            }
            Syntax::Next(operand) => {
                let operand = self.operand(get(operand), operand)?;
                self.shift(operand, span)?
            }
            Syntax::Call(builtin, arguments) => {
                let mut values = Vec::new();
                for at in arguments.start..arguments.end {
                    let argument = self.list_item(arguments, at);
                    values.push(self.operand(get(argument), argument)?);
                }
                self.call(builtin, &values, span)?
            }
            Syntax::Array(items) => {
                let mut elements = Vec::new();
                for at in items.start..items.end {
                    let item = self.list_item(items, at);
                    match get(item) {
                        Entity::Broken => return Err(Pause::Broken),
                        entity => elements.push(entity),
                    }
                }
                return Ok(Entity::Array(self.add_array(0, elements)));
            }
            Syntax::Temporal(_) => {
                return Err(self
                    .error(
                        "smv-temporal-place",
                        "a temporal operator cannot stand here",
                        span,
                    )
                    .help("temporal formulas cannot be part of arithmetic, comparisons or `case`")
                    .into());
            }
            Syntax::Placeholder(_) => {
                return Err(self
                    .error(
                        "smv-placeholder-place",
                        "a placeholder cannot stand here",
                        span,
                    )
                    .help("`?` stands for a formula: use it with Boolean and temporal operators")
                    .into());
            }
        };
        Ok(Entity::Value(node))
    }

    fn list_item(&self, list: List, at: u32) -> SyntaxId {
        self.scopes.tree.expressions.list(list)[(at - list.start) as usize]
    }

    fn operand(&self, entity: Entity, syntax: SyntaxId) -> Result<NodeId, Pause> {
        self.as_value(entity, self.scopes.tree.expressions.span(syntax))
    }

    pub(super) fn as_value(&self, entity: Entity, span: Span) -> Result<NodeId, Pause> {
        let (what, help) = match entity {
            Entity::Value(node) => return Ok(node),
            Entity::Broken => return Err(Pause::Broken),
            Entity::Array(_) => ("an array", "name an element: `array[index]`"),
            Entity::Instance(_) => ("an instance of a module", "name a member: `instance.name`"),
        };
        let message = format!("a value is needed here, but this is {what}");
        Err(self
            .error("smv-not-a-value", message, span)
            .help(help)
            .into())
    }

    fn condition(&mut self, entity: Entity, syntax: SyntaxId) -> Result<NodeId, Pause> {
        let node = self.operand(entity, syntax)?;
        let span = self.scopes.tree.expressions.span(syntax);
        Ok(self.needs_boolean(node, span, "a condition")?)
    }

    fn case(&mut self, task: &Task, branches: List, span: Span) -> Result<NodeId, Pause> {
        let mut result: Option<(NodeId, Span)> = None;
        // From the last branch up, so that each wraps what comes after it.
        let items = self.scopes.tree.expressions.list(branches).to_vec();
        let get = |id: SyntaxId| task.results[(id.0 - task.first) as usize];
        for pair in items.rchunks(2) {
            let (test, value) = (pair[0], pair[1]);
            let test_node = self.condition(get(test), test)?;
            let value_span = self.scopes.tree.expressions.span(value);
            let value_node = self.operand(get(value), value)?;
            let other = match result {
                Some(other) => other,
                None => {
                    let failure = self.program.nodes.add_failure(FailureKind::Case, span);
                    let node_type = self.type_of(value_node);
                    (self.add(Node::Failure(failure), node_type, span), span)
                }
            };
            let test_span = self.scopes.tree.expressions.span(test);
            let node = self.choose(test_node, (value_node, value_span), other, span)?;
            result = Some((node, test_span.to(value_span)));
        }
        result.map(|(node, _)| node).ok_or(Pause::Broken)
    }

    fn set(&mut self, task: &Task, items: List) -> Result<NodeId, Pause> {
        let mut result: Option<(NodeId, Span)> = None;
        for at in items.start..items.end {
            let item = self.list_item(items, at);
            let span = self.scopes.tree.expressions.span(item);
            let entity = task.results[(item.0 - task.first) as usize];
            let node = self.operand(entity, item)?;
            result = Some(match result {
                None => (node, span),
                Some(before) => {
                    let whole = before.1.to(span);
                    (self.union(before, (node, span), whole)?, whole)
                }
            });
        }
        result.map(|(node, _)| node).ok_or(Pause::Broken)
    }

    /// A name: of the scope, else a symbolic constant.
    fn lookup(&mut self, scope: ScopeId, name: NameId, span: Span) -> Result<Entity, Pause> {
        if let Some(&symbol) = self.scopes.table.get(&(scope, name)) {
            self.refuse_ambiguous(symbol, name, span)?;
            return match self.symbol(symbol).state {
                State::Known(Entity::Broken) => Err(Pause::Broken),
                State::Known(entity) => Ok(entity),
                State::Unknown | State::Active => Err(Pause::Needs(symbol)),
            };
        }
        if self.text(name) == "running" {
            let process = self.scopes.scopes[scope.0 as usize].process as usize;
            return Ok(Entity::Value(match self.scopes.running.get(process) {
                Some(&running) => running,
                None => self.constant(Value::Boolean(true), span),
            }));
        }
        if let Some(&symbol) = self.scopes.constants.get(&name) {
            return Ok(Entity::Value(self.constant(Value::Symbol(symbol), span)));
        }
        Err(self.undefined(scope, name, span, true))
    }

    fn member(
        &mut self,
        base: Entity,
        base_syntax: SyntaxId,
        name: NameId,
        span: Span,
    ) -> Result<Entity, Pause> {
        match base {
            Entity::Instance(scope) => {
                let known = self.scopes.table.contains_key(&(scope, name));
                if known || self.text(name) == "running" {
                    return self.lookup(scope, name, span);
                }
                Err(self.undefined(scope, name, span, false))
            }
            Entity::Broken => Err(Pause::Broken),
            Entity::Value(_) | Entity::Array(_) => {
                let span = self.scopes.tree.expressions.span(base_syntax);
                let message = format!(
                    "only instances of modules have members such as `{}`",
                    self.text(name)
                );
                Err(self.error("smv-no-member", message, span).into())
            }
        }
    }

    /// Symbolic constants are known everywhere: a name that is one and something else could mean
    /// either where it is used, and NuSMV takes no such model.
    fn refuse_ambiguous(&self, symbol: SymbolIndex, name: NameId, span: Span) -> Result<(), Pause> {
        let declared = self.symbol(symbol);
        let what = match declared.kind {
            SymbolKind::Variable => "a variable",
            SymbolKind::Define(..) => "a definition",
            SymbolKind::Parameter(..) => "a parameter",
            SymbolKind::Instance => return Ok(()),
        };
        if !self.scopes.constants.contains_key(&name) {
            return Ok(());
        }
        if self.is_told("smv-ambiguous", Some(span)) {
            return Err(Pause::Broken);
        }
        let text = self.text(name);
        let message = format!("`{text}` is {what}, and a value of an enumeration");
        let error = self.error("smv-ambiguous", message, span);
        let error = error.at(&self.source, declared.span, "declared here");
        Err(error.help("give one of the two another name").into())
    }

    fn undefined(&self, scope: ScopeId, name: NameId, span: Span, constants: bool) -> Pause {
        // Looking for similar names takes time: once is enough for a module.
        if self.is_told("smv-undefined", Some(span)) {
            return Pause::Broken;
        }
        let text = self.text(name);
        let mut known: Vec<&str> = self
            .scopes
            .symbols
            .iter()
            .filter(|symbol| symbol.scope == scope)
            .map(|symbol| self.text(symbol.name))
            .collect();
        let message = match constants {
            true => {
                known.extend(["TRUE", "FALSE"]);
                known.extend(self.scopes.constants.keys().map(|&name| self.text(name)));
                known.sort_unstable();
                format!("`{text}` is not defined")
            }
            false => {
                let prefix = &self.scopes.scopes[scope.0 as usize].prefix;
                format!("`{}` has no member `{text}`", prefix.trim_end_matches('.'))
            }
        };
        let names = known.clone();
        known.retain(|one| is_alike(text, one));
        let error = self.error("smv-undefined", message, span);
        if let Some((first, rest)) = text
            .split_once('-')
            .filter(|one| is_difference(*one, &names))
        {
            let help = format!("`-` inside of a name belongs to it: write `{first} - {rest}`");
            return Pause::Wrong(error.help(help));
        }
        Pause::Wrong(error.did_you_mean(text, known))
    }
}

/// Whether what stands on both sides of a minus is known: then a difference was meant.
fn is_difference((first, rest): (&str, &str), names: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    names.contains(&first) && (is_number(rest) || names.contains(&rest))
}

/// Whether two names have at least half of their letters in common: a single other letter makes another
/// name of a short one.
fn is_alike(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().collect() };
    let (one, mut left) = (letters(one), letters(other));
    let longer = one.len().max(left.len());
    let mut common = 0;
    for letter in one {
        if let Some(at) = left.iter().position(|&other| other == letter) {
            left.swap_remove(at);
            common += 1;
        }
    }
    2 * common >= longer
}
