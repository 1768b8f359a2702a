//! A scope for every instance of a module, a symbol for every name in it.

use quotient_core::{Diagnostic, Span};

use super::{Entity, Flattener, Scope, ScopeId, State, Symbol, SymbolIndex, SymbolKind};
use crate::syntax::{
    Declaration, Instance, Name, NameId, Syntax, SyntaxId, TypeSyntax, VariableDeclaration,
};

/// Instances inside instances: far beyond what people write.
const DEEPEST_INSTANCE: usize = 100;

/// Modules that use others twice, on many levels, have exponentially many instances.
const MOST_INSTANCES: usize = 100_000;

impl Flattener {
    /// Makes the scopes of `main` and all below it; false if that is not possible at all.
    pub(super) fn instantiate_main(&mut self) -> bool {
        self.check_module_names();
        let Some(main) = self.module_named("main") else {
            let modules = &self.scopes.tree.modules;
            let names = &self.scopes.tree.names;
            let known = modules.iter().map(|module| names.text(module.name.id));
            let mut error = Diagnostic::error("smv-no-main", "there is no module `main`")
                .in_source(&self.source)
                .note("checking starts at the module named `main`");
            if let Some(near) = quotient_core::nearest("main", known) {
                error = error.help(format!("should `{near}` be called `main`?"));
            }
            if let Some(module) = modules.first() {
                error = error.at(
                    &self.source,
                    module.name.span,
                    "the first module of the file",
                );
            }
            self.report(error);
            return false;
        };
        let module = &self.scopes.tree.modules[main];
        if let Some(parameter) = module.parameters.first() {
            let error = self
                .error(
                    "smv-main-parameters",
                    "module `main` cannot have parameters",
                    parameter.span,
                )
                .help("declare them as variables: VAR, IVAR or FROZENVAR");
            self.report(error);
            return false;
        }
        self.processes.push("main".to_owned());
        let scope = self.add_scope(String::new(), 0);
        self.fill_scope(scope, main, &mut vec![main]);
        self.declare_elsewhere();
        true
    }

    fn check_module_names(&mut self) {
        let mut seen: rustc_hash::FxHashMap<NameId, Span> = rustc_hash::FxHashMap::default();
        let names: Vec<Name> = self.scopes.tree.modules.iter().map(|m| m.name).collect();
        for name in names {
            if let Some(&before) = seen.get(&name.id) {
                let message = format!("module `{}` is declared twice", self.text(name.id));
                let error = self.error("smv-declared-twice", message, name.span).at(
                    &self.source,
                    before,
                    "first declared here",
                );
                self.report(error);
            }
            seen.entry(name.id).or_insert(name.span);
        }
    }

    fn module_named(&self, name: &str) -> Option<usize> {
        let id = self.scopes.tree.names.find(name)?;
        self.module_of(id)
    }

    fn module_of(&self, name: NameId) -> Option<usize> {
        let modules = &self.scopes.tree.modules;
        modules.iter().position(|module| module.name.id == name)
    }

    fn add_scope(&mut self, prefix: String, process: u32) -> ScopeId {
        self.scopes.scopes.push(Scope { prefix, process });
        ScopeId(self.scopes.scopes.len() as u32 - 1)
    }

    /// Declares all names of a module in a scope, `ISA` included; `path` are the modules that
    /// we are inside of.
    fn fill_scope(&mut self, scope: ScopeId, module: usize, path: &mut Vec<usize>) {
        self.bodies.push((scope, module));
        for at in 0..self.scopes.tree.modules[module].declarations.len() {
            // Declarations are small next to expressions, which live in the arena.
            match self.scopes.tree.modules[module].declarations[at].clone() {
                Declaration::Variable(variable) => {
                    self.variable(scope, module, at, variable, path);
                }
                Declaration::Define(define) => {
                    if let Syntax::Name(name) = self.scopes.tree.expressions.node(define.target)
                        && self.parameter(scope, name).is_none()
                    {
                        let span = self.scopes.tree.expressions.span(define.target);
                        let kind = SymbolKind::Define(scope, define.body);
                        self.add_name(scope, Name { id: name, span }, kind);
                    }
                }
                Declaration::Constants(names) => {
                    for name in names {
                        self.constant_symbol(name.id);
                    }
                }
                Declaration::Isa(name) => self.inherit(scope, name, path),
                _ => {}
            }
        }
    }

    fn inherit(&mut self, scope: ScopeId, name: Name, path: &mut Vec<usize>) {
        let Some(module) = self.known_module(name, path) else {
            return;
        };
        if !self.scopes.tree.modules[module].parameters.is_empty() {
            let message = format!(
                "`ISA {}` needs a module without parameters",
                self.text(name.id)
            );
            let error = self.error("smv-isa", message, name.span);
            self.report(error);
            return;
        }
        path.push(module);
        self.fill_scope(scope, module, path);
        path.pop();
    }

    /// The module of that name, if it exists and we are not inside of it.
    fn known_module(&mut self, name: Name, path: &[usize]) -> Option<usize> {
        let Some(module) = self.module_of(name.id) else {
            let names = &self.scopes.tree.names;
            let modules = self.scopes.tree.modules.iter();
            let known = modules.map(|module| names.text(module.name.id));
            let word = names.text(name.id);
            let error = self
                .error(
                    "smv-undefined-module",
                    format!("there is no module `{word}`"),
                    name.span,
                )
                .did_you_mean(word, known);
            let error = match word {
                "bool" | "Bool" | "Boolean" | "BOOLEAN" => {
                    error.help("the type is called `boolean`")
                }
                _ => error,
            };
            self.report(error);
            return None;
        };
        if path.contains(&module) {
            let cycle: Vec<&str> = path
                .iter()
                .skip_while(|&&outer| outer != module)
                .chain([&module])
                .map(|&inner| self.text(self.scopes.tree.modules[inner].name.id))
                .collect();
            let error = self
                .error(
                    "smv-recursive-module",
                    "this module contains itself",
                    name.span,
                )
                .note(format!(
                    "it is inside of itself this way: {}",
                    cycle.join(" -> ")
                ));
            self.report(error);
            return None;
        }
        if path.len() >= DEEPEST_INSTANCE || self.scopes.scopes.len() >= MOST_INSTANCES {
            let message = format!(
                "more than {DEEPEST_INSTANCE} levels or {MOST_INSTANCES} instances of modules"
            );
            let error = self.error("smv-too-many-instances", message, name.span);
            self.report(error);
            return None;
        }
        Some(module)
    }

    fn variable(
        &mut self,
        scope: ScopeId,
        module: usize,
        at: usize,
        variable: VariableDeclaration,
        path: &mut Vec<usize>,
    ) {
        if let TypeSyntax::Instance(instance) = &variable.type_syntax {
            self.instance(scope, variable.name, instance, path);
            return;
        }
        self.declare_constants(&variable.type_syntax);
        if self.parameter(scope, variable.name.id).is_none()
            && let Some(symbol) = self.add_name(scope, variable.name, SymbolKind::Variable)
        {
            self.pending.push((symbol, scope, module, at));
        }
    }

    /// The symbolic constants of an enumeration are known everywhere.
    fn declare_constants(&mut self, type_syntax: &TypeSyntax) {
        match type_syntax {
            TypeSyntax::Array(_, _, element) => self.declare_constants(element),
            TypeSyntax::Enumeration(values, _) => {
                for &value in values {
                    if let Syntax::Name(name) = self.scopes.tree.expressions.node(value) {
                        self.constant_symbol(name);
                    }
                }
            }
            _ => {}
        }
    }

    fn instance(&mut self, scope: ScopeId, name: Name, instance: &Instance, path: &mut Vec<usize>) {
        let Some(module) = self.known_module(instance.module, path) else {
            // Name it anyway, so that its uses are not reported too.
            if let Some(symbol) = self.add_name(scope, name, SymbolKind::Instance) {
                self.set_state(symbol, State::Known(Entity::Broken));
            }
            return;
        };
        let full_name = self.full_name(scope, name.id);
        let process = match instance.process {
            true => {
                self.processes.push(full_name.clone());
                self.processes.len() as u32 - 1
            }
            false => self.scopes.scopes[scope.0 as usize].process,
        };
        let inner = self.add_scope(format!("{full_name}."), process);
        if let Some(symbol) = self.add_name(scope, name, SymbolKind::Instance) {
            self.set_state(symbol, State::Known(Entity::Instance(inner)));
        }
        self.bind_parameters(scope, inner, module, instance);
        path.push(module);
        self.fill_scope(inner, module, path);
        path.pop();
    }

    fn bind_parameters(
        &mut self,
        outer: ScopeId,
        inner: ScopeId,
        module: usize,
        instance: &Instance,
    ) {
        let parameters = self.scopes.tree.modules[module].parameters.clone();
        if parameters.len() != instance.arguments.len() {
            let message = format!(
                "module `{}` has {} parameter{}, but {} {} given",
                self.text(instance.module.id),
                parameters.len(),
                if parameters.len() == 1 { "" } else { "s" },
                instance.arguments.len(),
                if instance.arguments.len() == 1 {
                    "is"
                } else {
                    "are"
                },
            );
            let declared = self.scopes.tree.modules[module].name.span;
            let error = self
                .error("smv-parameter-count", message, instance.module.span)
                .at(&self.source, declared, "the module is declared here");
            self.report(error);
        }
        for (at, parameter) in parameters.into_iter().enumerate() {
            let argument = instance.arguments.get(at);
            let kind = argument.map(|&argument| SymbolKind::Parameter(outer, argument));
            let symbol = self.add_name(inner, parameter, kind.unwrap_or(SymbolKind::Instance));
            if let (Some(symbol), None) = (symbol, argument) {
                self.set_state(symbol, State::Known(Entity::Broken));
            }
        }
    }

    /// Declares a name in a scope, unless it is there already.
    fn add_name(&mut self, scope: ScopeId, name: Name, kind: SymbolKind) -> Option<SymbolIndex> {
        if let Some(&before) = self.scopes.table.get(&(scope, name.id)) {
            let before = self.symbol(before).span;
            let message = format!("`{}` is declared twice", self.text(name.id));
            let error = self.error("smv-declared-twice", message, name.span).at(
                &self.source,
                before,
                "first declared here",
            );
            self.report(error);
            return None;
        }
        let index = SymbolIndex(self.scopes.symbols.len() as u32);
        self.scopes.symbols.push(Symbol {
            name: name.id,
            scope,
            span: name.span,
            kind,
            state: State::Unknown,
        });
        self.scopes.table.insert((scope, name.id), index);
        Some(index)
    }

    /// The argument for a parameter: the scope that it is looked at in, and the expression.
    fn parameter(&self, scope: ScopeId, name: NameId) -> Option<(ScopeId, SyntaxId)> {
        let &symbol = self.scopes.table.get(&(scope, name))?;
        match self.symbol(symbol).kind {
            SymbolKind::Parameter(outer, argument) => Some((outer, argument)),
            _ => None,
        }
    }

    /// Declarations of what is not part of the instance itself: members of other instances
    /// (`DEFINE left.ack := …`), and what a parameter stands for (`VAR request : boolean;` in a
    /// module with the parameter `request` declares the argument).
    fn declare_elsewhere(&mut self) {
        for body in 0..self.bodies.len() {
            let (scope, module) = self.bodies[body];
            for at in 0..self.scopes.tree.modules[module].declarations.len() {
                match &self.scopes.tree.modules[module].declarations[at] {
                    Declaration::Variable(variable)
                        if !matches!(variable.type_syntax, TypeSyntax::Instance(_)) =>
                    {
                        let name = variable.name;
                        if self.parameter(scope, name.id).is_some()
                            && let Some((target, id)) = self.argument(scope, name)
                            && let Some(symbol) =
                                self.add_name(target, Name { id, ..name }, SymbolKind::Variable)
                        {
                            self.pending.push((symbol, scope, module, at));
                        }
                    }
                    &Declaration::Define(define) => {
                        let kind = SymbolKind::Define(scope, define.body);
                        self.define_elsewhere(scope, define.target, kind);
                    }
                    _ => {}
                }
            }
        }
    }

    fn define_elsewhere(&mut self, scope: ScopeId, target: SyntaxId, kind: SymbolKind) {
        let span = self.scopes.tree.expressions.span(target);
        match self.scopes.tree.expressions.node(target) {
            Syntax::Name(id) => {
                if self.parameter(scope, id).is_some()
                    && let Some((target, id)) = self.argument(scope, Name { id, span })
                {
                    self.add_name(target, Name { id, span }, kind);
                }
            }
            Syntax::Member(base, id) => {
                if let Some(owner) = self.owner(scope, base, span)
                    && let Some((target, id)) = self.argument(owner, Name { id, span })
                {
                    self.add_name(target, Name { id, span }, kind);
                }
            }
            _ => {
                let message = "only names can be defined, not elements of arrays";
                let error = self.error("smv-define-target", message, span);
                self.report(error);
            }
        }
    }

    /// The scope and the name that a name stands for, if it is a parameter; else itself.
    /// Arguments are looked at further outside, and so on: this ends.
    fn argument(&mut self, scope: ScopeId, name: Name) -> Option<(ScopeId, NameId)> {
        let (mut scope, mut id) = (scope, name.id);
        while let Some((outer, argument)) = self.parameter(scope, id) {
            (scope, id) = match self.scopes.tree.expressions.node(argument) {
                Syntax::Name(id) => (outer, id),
                Syntax::Member(base, id) => (self.owner(outer, base, name.span)?, id),
                _ => {
                    let message =
                        "the argument for this parameter is no name: it cannot be declared";
                    let error = self.error("smv-define-target", message, name.span);
                    self.report(error);
                    return None;
                }
            };
        }
        Some((scope, id))
    }

    /// The instance that an expression stands for.
    fn owner(&mut self, scope: ScopeId, base: SyntaxId, span: Span) -> Option<ScopeId> {
        match self.elaborate(scope, base) {
            Entity::Instance(owner) => Some(owner),
            Entity::Broken => None,
            Entity::Value(_) | Entity::Array(_) => {
                let message = "a member can be defined for an instance of a module only";
                let error = self.error("smv-define-target", message, span);
                self.report(error);
                None
            }
        }
    }
}
