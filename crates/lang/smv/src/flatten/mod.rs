//! Tree to flat program: modules inlined, names resolved, types checked.
//!
//! * `instantiate`: a scope for every instance, a symbol for every name in it;
//! * `declare`: types of variables, arrays, constants;
//! * `elaborate`: expressions in a scope to typed nodes;
//! * `operators`, `functions`: the type rules;
//! * `sections`: constraints, fairness, assignments and who may make them;
//! * `circular`: assignments that depend on each other;
//! * `formulas`, `special`: specifications.

mod circular;
mod declare;
mod elaborate;
mod formulas;
mod functions;
mod instantiate;
mod old_style;
mod operators;
mod sections;
mod special;

use quotient_core::{Diagnostic, Severity, Source, Span};
use rustc_hash::FxHashMap;

use crate::program::{
    Kind, Node, NodeId, Nodes, Program, SymbolId, Type, Value, Variable, VariableId,
};
use crate::syntax::{NameId, SyntaxId, Tree};

pub(crate) use formulas::ask;
pub(crate) use special::ask_hybrid;

/// After this many errors the rest is mostly noise.
const MOST_ERRORS: usize = 20;

/// Flattens a parsed file. Errors if there is no program, else warnings.
pub(crate) fn flatten(tree: Tree) -> (Option<(Program, Scopes)>, Vec<Diagnostic>) {
    let mut flattener = Flattener::new(tree);
    if flattener.instantiate_main() {
        flattener.declare_variables();
        flattener.sections();
        flattener.check_circular_assignments();
    }
    let diagnostics = std::mem::take(&mut flattener.diagnostics);
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        let errors = diagnostics.into_iter().filter(is_error).collect();
        return (None, errors);
    }
    let old_style = flattener.old_style_warning();
    let Flattener {
        program, scopes, ..
    } = flattener;
    let warnings = diagnostics.into_iter().chain(old_style).collect();
    (Some((program, scopes)), warnings)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(u32);

/// An instance of a module.
#[derive(Debug, Clone)]
struct Scope {
    /// `a.b.`, or nothing for the main module.
    prefix: String,
    /// Which process its assignments belong to.
    process: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct SymbolIndex(u32);

/// A name that is declared in a scope.
#[derive(Debug, Clone)]
struct Symbol {
    name: NameId,
    scope: ScopeId,
    span: Span,
    kind: SymbolKind,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SymbolKind {
    /// A variable or an array of variables.
    Variable,
    Instance,
    /// An expression, looked at in the scope: a definition, or the argument for a parameter.
    Define(ScopeId, SyntaxId),
    Parameter(ScopeId, SyntaxId),
}

/// How far a symbol has been worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    /// Being worked out: whoever asks again goes in circles.
    Active,
    Known(Entity),
}

/// What a name or an expression stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entity {
    Value(NodeId),
    Array(ArrayIndex),
    Instance(ScopeId),
    /// Something was wrong here and has been reported.
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ArrayIndex(u32);

#[derive(Debug, Clone)]
struct Array {
    low: i64,
    elements: Vec<Entity>,
}

/// Everything about names: kept beside the program for formulas that come later.
#[derive(Debug, Clone)]
pub(crate) struct Scopes {
    pub(crate) tree: Tree,
    scopes: Vec<Scope>,
    symbols: Vec<Symbol>,
    table: FxHashMap<(ScopeId, NameId), SymbolIndex>,
    arrays: Vec<Array>,
    constants: FxHashMap<NameId, SymbolId>,
    /// The conditions under which each process runs, if there are processes.
    running: Vec<NodeId>,
}

struct Flattener {
    program: Program,
    scopes: Scopes,
    /// What spans point into: the file, or a formula of the command line.
    source: Source,
    /// The modules whose declarations stand in each scope, `ISA` included.
    bodies: Vec<(ScopeId, usize)>,
    /// Variables whose type is still syntax: where it stands, module and declaration.
    pending: Vec<(SymbolIndex, ScopeId, usize, usize)>,
    /// Full names of the processes; the main module is the first.
    processes: Vec<String>,
    shifted: FxHashMap<NodeId, NodeId>,
    diagnostics: Vec<Diagnostic>,
    /// The first place where `0` or `1` is a truth value.
    old_style: Option<Span>,
}

impl Flattener {
    fn new(tree: Tree) -> Flattener {
        let source = tree.source.clone();
        let scopes = Scopes {
            tree,
            scopes: Vec::new(),
            symbols: Vec::new(),
            table: FxHashMap::default(),
            arrays: Vec::new(),
            constants: FxHashMap::default(),
            running: Vec::new(),
        };
        let program = Program {
            source: source.clone(),
            symbols: Vec::new(),
            variables: Vec::new(),
            nodes: Nodes::default(),
            defines: Vec::new(),
            init: Vec::new(),
            invariants: Vec::new(),
            transitions: Vec::new(),
            assignments: Vec::new(),
            justice: Vec::new(),
            compassion: Vec::new(),
            specifications: Vec::new(),
            specials: Vec::new(),
        };
        Flattener::resume(program, scopes, source)
    }

    fn resume(program: Program, scopes: Scopes, source: Source) -> Flattener {
        Flattener {
            program,
            scopes,
            source,
            bodies: Vec::new(),
            pending: Vec::new(),
            processes: Vec::new(),
            shifted: FxHashMap::default(),
            diagnostics: Vec::new(),
            old_style: None,
        }
    }

    fn error(&self, code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(&self.source, span, "")
    }

    /// Keeps a diagnostic, unless it is one too many or tells about the same place again:
    /// every instance of a module repeats the module's mistakes.
    fn report(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.labels.first().map(|label| label.span);
        if !self.is_told(diagnostic.code, place) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn is_told(&self, code: &str, place: Option<Span>) -> bool {
        let same = |told: &Diagnostic| {
            told.code == code && told.labels.first().map(|label| label.span) == place
        };
        self.diagnostics.len() >= MOST_ERRORS || self.diagnostics.iter().any(same)
    }

    fn text(&self, name: NameId) -> &str {
        self.scopes.tree.names.text(name)
    }

    fn full_name(&self, scope: ScopeId, name: NameId) -> String {
        let prefix = &self.scopes.scopes[scope.0 as usize].prefix;
        format!("{prefix}{}", self.text(name))
    }

    fn symbol(&self, index: SymbolIndex) -> &Symbol {
        &self.scopes.symbols[index.0 as usize]
    }

    fn set_state(&mut self, index: SymbolIndex, state: State) {
        self.scopes.symbols[index.0 as usize].state = state;
    }

    /// The number of a symbolic constant; new ones are added.
    fn constant_symbol(&mut self, name: NameId) -> SymbolId {
        if let Some(&symbol) = self.scopes.constants.get(&name) {
            return symbol;
        }
        let text = self.text(name).to_owned();
        let symbol = self.add_symbol(text);
        self.scopes.constants.insert(name, symbol);
        symbol
    }

    fn add_symbol(&mut self, text: String) -> SymbolId {
        self.program.symbols.push(text);
        SymbolId(self.program.symbols.len() as u32 - 1)
    }

    fn add(&mut self, node: Node, node_type: Type, span: Span) -> NodeId {
        self.program.nodes.add(node, node_type, span, false)
    }

    fn constant(&mut self, value: Value, span: Span) -> NodeId {
        self.add(Node::Constant(value), Type::of(value.element()), span)
    }

    fn type_of(&self, id: NodeId) -> Type {
        self.program.nodes.type_of(id)
    }

    fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.program.variables.push(variable);
        VariableId(self.program.variables.len() as u32 - 1)
    }

    fn read(&mut self, variable: VariableId, next: bool, span: Span) -> NodeId {
        let declared = &self.program.variables[variable.index()];
        let node_type = Type::of(declared.domain.element());
        let (input, frozen) = (declared.kind == Kind::Input, declared.kind == Kind::Frozen);
        let next = next && !frozen;
        let node = Node::Variable { variable, next };
        self.program.nodes.add(node, node_type, span, input)
    }
}
