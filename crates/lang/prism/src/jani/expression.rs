//! Expressions of JANI to trees.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::{decimal, exactly, whole};

use super::arrays::Worth;
use super::json::{Json, Part};
use crate::syntax::{Join, Name, Node, Sort, Tree};

/// What names mean in a part of the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The automaton whose functions may be used, beside those of the model.
    pub(crate) automaton: Option<String>,
    /// Other names for names: variables of one automaton that clash with others.
    pub(crate) renamed: HashMap<String, String>,
    /// What stands for names: arguments of functions, and values that were assigned before.
    pub(crate) values: HashMap<String, Tree>,
    /// Arguments of functions that are arrays.
    pub(crate) arrays: HashMap<String, Worth>,
}

/// Functions by the automaton that has them (none if all may use them) and name: parameters and
/// body.
pub(crate) type Functions<'s> = HashMap<(Option<String>, String), (Vec<String>, &'s Part)>;

/// Reads expressions.
pub(crate) struct Expressions<'s> {
    pub(crate) source: &'s Source,
    pub(crate) functions: Functions<'s>,
    /// What kind of value names have: constants and variables.
    pub(crate) sorts: RefCell<HashMap<String, Sort>>,
    /// Datatypes by name: their members, each with its type.
    pub(crate) datatypes: HashMap<String, &'s Part>,
    /// Arrays by name: the variables of their elements.
    pub(crate) arrays: RefCell<HashMap<String, Worth>>,
    /// Constants that are whole numbers, as far as they are known when a text is read.
    pub(crate) constants: RefCell<HashMap<String, i64>>,
    /// How many parts were made.
    parts: Cell<usize>,
    /// How many functions are being put in place.
    calls: Cell<usize>,
}

/// Functions that use functions can grow beyond all bounds.
const MOST_PARTS: usize = 2_000_000;
/// So many functions may stand inside each other.
const MOST_CALLS: usize = 40;

impl<'s> Expressions<'s> {
    pub(crate) fn new(source: &'s Source, functions: Functions<'s>) -> Expressions<'s> {
        Expressions {
            source,
            functions,
            datatypes: HashMap::new(),
            sorts: RefCell::default(),
            arrays: RefCell::default(),
            constants: RefCell::default(),
            parts: Cell::new(0),
            calls: Cell::new(0),
        }
    }

    pub(crate) fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        at: Span,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, at, "")
    }

    /// A part that must be there.
    pub(crate) fn field<'p>(&self, part: &'p Part, name: &str) -> Result<&'p Part, Diagnostic> {
        part.get(name).ok_or_else(|| {
            let message = format!("`{name}` is missing here");
            self.error("missing", message, part.span)
        })
    }

    /// A text that must be there.
    pub(crate) fn text<'p>(&self, part: &'p Part, name: &str) -> Result<&'p str, Diagnostic> {
        let field = self.field(part, name)?;
        field
            .text()
            .ok_or_else(|| self.error("type", format!("`{name}` is a text"), field.span))
    }

    /// An expression, perhaps inside of an object with a comment.
    pub(crate) fn wrapped(&self, part: &Part, scope: &Scope) -> Result<Tree, Diagnostic> {
        match (part.get("exp"), part.get("op")) {
            (Some(inner), None) => self.tree(inner, scope),
            _ => self.tree(part, scope),
        }
    }

    /// An expression without operators of properties.
    pub(crate) fn tree(&self, part: &Part, scope: &Scope) -> Result<Tree, Diagnostic> {
        self.tree_with(part, scope, &|_, _| Ok(None))
    }

    /// An expression; `more` is asked for operators that are not those of plain expressions.
    pub(crate) fn tree_with(
        &self,
        part: &Part,
        scope: &Scope,
        more: &More<'_>,
    ) -> Result<Tree, Diagnostic> {
        let span = part.span;
        self.count(1, span)?;
        let node = match &part.value {
            Json::Truth(holds) => Node::Truth(*holds),
            Json::Number(text) => self.number(text, span)?,
            Json::Text(name) => match scope.values.get(name) {
                Some(tree) => return Ok(tree.clone()),
                None => Node::Name(scope.renamed.get(name).unwrap_or(name).clone()),
            },
            Json::Object(_) => return self.operation(part, scope, more),
            _ => return Err(self.error("syntax", "an expression was expected here", span)),
        };
        Ok(Tree { node, span })
    }

    /// Notes that so many parts are made.
    pub(crate) fn count(&self, parts: usize, span: Span) -> Result<(), Diagnostic> {
        self.parts.set(self.parts.get().saturating_add(parts));
        if self.parts.get() <= MOST_PARTS {
            return Ok(());
        }
        let message =
            "the functions and arrays of this model are too large when they are put in place";
        Err(self.error("too-large", message, span))
    }

    /// One value, and no array.
    fn one(&self, worth: Worth, span: Span) -> Result<Tree, Diagnostic> {
        match worth {
            Worth::One(tree) => Ok(tree),
            _ => Err(self.error("array", "a whole array or datatype cannot stand here", span)),
        }
    }

    fn number(&self, text: &str, span: Span) -> Result<Node, Diagnostic> {
        if let Ok(number) = text.parse() {
            return Ok(Node::Whole(number));
        }
        decimal(text).map(Node::Real).ok_or_else(|| {
            let message = "this number is too large or too long";
            self.error("number", message, span)
        })
    }

    fn operation(&self, part: &Part, scope: &Scope, more: &More<'_>) -> Result<Tree, Diagnostic> {
        let span = part.span;
        let made = |node: Node| Ok(Tree { node, span });
        if let Some(name) = part.text_of("constant") {
            let number = match name {
                "e" => std::f64::consts::E,
                "π" | "pi" => std::f64::consts::PI,
                _ => return Err(self.error("undeclared", "there is no such constant", span)),
            };
            return made(Node::Real(exactly(number).unwrap_or(whole(0))));
        }
        let operator = self.text(part, "op")?;
        if let Some(tree) = more(part, operator)? {
            return Ok(tree);
        }
        let inner = |name: &str| {
            let tree = self.tree_with(self.field(part, name)?, scope, more)?;
            Ok::<Tree, Diagnostic>(tree)
        };
        if let Some(join) = join_of(operator) {
            return made(Node::Two(
                join,
                Box::new(inner("left")?),
                Box::new(inner("right")?),
            ));
        }
        let zero = || Tree {
            node: Node::Whole(0),
            span,
        };
        match operator {
            "¬" => made(Node::Not(Box::new(inner("exp")?))),
            "%" | "pow" | "log" | "min" | "max" => {
                let name = match operator {
                    "%" => Name::Mod,
                    "pow" => Name::Pow,
                    "log" => Name::Log,
                    "min" => Name::Min,
                    _ => Name::Max,
                };
                made(Node::Call(name, vec![inner("left")?, inner("right")?]))
            }
            "floor" => made(Node::Call(Name::Floor, vec![inner("exp")?])),
            "ceil" => made(Node::Call(Name::Ceil, vec![inner("exp")?])),
            "abs" => made(Node::Call(Name::Abs, vec![inner("exp")?])),
            "exp" => {
                let base = Tree {
                    node: Node::Real(exactly(std::f64::consts::E).unwrap_or(whole(0))),
                    span,
                };
                made(Node::Call(Name::Pow, vec![base, inner("exp")?]))
            }
            "trunc" => {
                let of = inner("exp")?;
                let below = two(Join::Less, of.clone(), zero());
                let up = call(Name::Ceil, of.clone());
                Ok(if_else(below, up, call(Name::Floor, of)))
            }
            "sgn" => {
                let of = inner("exp")?;
                let number = |number: i64| Tree {
                    node: Node::Whole(number),
                    span,
                };
                let above = two(Join::Greater, of.clone(), zero());
                let below = two(Join::Less, of, zero());
                let rest = if_else(below, number(-1), zero());
                Ok(if_else(above, number(1), rest))
            }
            "ite" => made(Node::If(
                Box::new(inner("if")?),
                Box::new(inner("then")?),
                Box::new(inner("else")?),
            )),
            "call" | "aa" | "da" => self.one(self.worth(part, scope, more)?, span),
            other => {
                let message = format!("the operator `{other}` cannot be read here");
                Err(self.error("not-supported", message, span))
            }
        }
    }

    /// The body of a function, with arguments for its parameters.
    pub(crate) fn call(
        &self,
        part: &Part,
        scope: &Scope,
        more: &More<'_>,
    ) -> Result<Worth, Diagnostic> {
        let name = self.text(part, "function")?;
        let key = |automaton: &Option<String>| (automaton.clone(), name.to_owned());
        let own = self.functions.get(&key(&scope.automaton));
        let own = own.filter(|_| scope.automaton.is_some());
        let Some((parameters, body)) = own.or_else(|| self.functions.get(&key(&None))) else {
            let message = format!("there is no function `{name}`");
            let known = self.functions.keys().map(|(_, name)| name.as_str());
            let error = self.error("undeclared", message, part.span);
            return Err(error.did_you_mean(name, known));
        };
        let arguments = part.all("args");
        if arguments.len() != parameters.len() {
            let message = format!("`{name}` takes {} arguments", parameters.len());
            return Err(self.error("arguments", message, part.span));
        }
        // What all may use knows nothing of the automaton that uses it.
        let mut inner = Scope {
            automaton: own.and(scope.automaton.clone()),
            renamed: own.map_or_else(HashMap::new, |_| scope.renamed.clone()),
            values: HashMap::new(),
            arrays: HashMap::new(),
        };
        for (parameter, argument) in parameters.iter().zip(arguments) {
            match self.worth(argument, scope, more)? {
                Worth::One(tree) => {
                    inner.values.insert(parameter.clone(), tree);
                }
                many => {
                    inner.arrays.insert(parameter.clone(), many);
                }
            }
        }
        if self.calls.get() >= MOST_CALLS {
            let message = format!("the function `{name}` uses itself, or nests too deeply");
            return Err(self.error("cycle", message, part.span));
        }
        self.calls.set(self.calls.get() + 1);
        let worth = self.worth(body, &inner, &|_, _| Ok(None));
        self.calls.set(self.calls.get() - 1);
        worth
    }

    /// Whether an expression is a condition and no number.
    pub(crate) fn is_condition(&self, tree: &Tree) -> bool {
        match &tree.node {
            Node::Truth(_) | Node::Label(_) | Node::Not(_) | Node::Quantified(..) => true,
            Node::Name(name) => self.sorts.borrow().get(name) == Some(&Sort::Truth),
            Node::Two(join, ..) => {
                !matches!(join, Join::Plus | Join::Minus | Join::Times | Join::Divide)
            }
            Node::If(_, one, _) => self.is_condition(one),
            Node::Chance(chance) => chance.relation.is_some(),
            _ => false,
        }
    }
}

/// Asked for operators that plain expressions do not have.
pub(crate) type More<'m> = dyn Fn(&Part, &str) -> Result<Option<Tree>, Diagnostic> + 'm;

fn join_of(operator: &str) -> Option<Join> {
    Some(match operator {
        "∧" => Join::And,
        "∨" => Join::Or,
        "⇒" => Join::Implies,
        "=" => Join::Equal,
        "≠" => Join::Unequal,
        "<" => Join::Less,
        "≤" => Join::AtMost,
        ">" => Join::Greater,
        "≥" => Join::AtLeast,
        "+" => Join::Plus,
        "-" => Join::Minus,
        "*" => Join::Times,
        "/" => Join::Divide,
        _ => return None,
    })
}

/// Two trees joined; the place is that of the left one.
pub(crate) fn two(join: Join, left: Tree, right: Tree) -> Tree {
    let span = left.span;
    Tree {
        node: Node::Two(join, Box::new(left), Box::new(right)),
        span,
    }
}

pub(crate) fn if_else(condition: Tree, one: Tree, other: Tree) -> Tree {
    let span = one.span;
    Tree {
        node: Node::If(Box::new(condition), Box::new(one), Box::new(other)),
        span,
    }
}

fn call(name: Name, of: Tree) -> Tree {
    let span = of.span;
    Tree {
        node: Node::Call(name, vec![of]),
        span,
    }
}

/// The names in a tree.
pub(crate) fn names<'t>(tree: &'t Tree, found: &mut Vec<&'t str>) {
    match &tree.node {
        Node::Name(name) => found.push(name),
        Node::Not(of) | Node::Negative(of) => names(of, found),
        Node::Two(_, left, right) => {
            names(left, found);
            names(right, found);
        }
        Node::If(one, two, three) => {
            names(one, found);
            names(two, found);
            names(three, found);
        }
        Node::Call(_, parts) => parts.iter().for_each(|part| names(part, found)),
        _ => {}
    }
}

/// The tree with other trees in the place of some names.
pub(crate) fn replaced(tree: &Tree, values: &HashMap<String, Tree>) -> Tree {
    let part = |tree: &Tree| Box::new(replaced(tree, values));
    let node = match &tree.node {
        Node::Name(name) => match values.get(name) {
            Some(value) => return value.clone(),
            None => tree.node.clone(),
        },
        Node::Not(of) => Node::Not(part(of)),
        Node::Negative(of) => Node::Negative(part(of)),
        Node::Two(join, left, right) => Node::Two(*join, part(left), part(right)),
        Node::If(one, two, three) => Node::If(part(one), part(two), part(three)),
        Node::Call(name, parts) => {
            let parts = parts.iter().map(|part| replaced(part, values));
            Node::Call(*name, parts.collect())
        }
        other => other.clone(),
    };
    Tree {
        node,
        span: tree.span,
    }
}
