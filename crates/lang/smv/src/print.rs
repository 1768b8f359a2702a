//! A flat program as text again: one module, which reads back as the same model.
//!
//! Equal expressions are nodes of a graph; one that is used several times, or nests too deeply,
//! becomes a definition of its own, so that the text is about as long as the graph is large.

use std::fmt::Write;

use quotient_logic::{Binary, Formula, Interval, Kind as Says, Unary};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::parse::is_reserved;
use crate::program::{
    Domain, Element, Kind, Node, NodeId, Operator, Program, Value, When, operands,
};
use crate::syntax::SpecificationKind;

/// Deeper expressions are cut into definitions.
const DEEPEST: u32 = 40;

impl Program {
    /// The program as the text of one module. Names of inner modules become names with `_`, and
    /// specifications that are not read are comments.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_smv::File;
    /// let source = Source::new("m.smv", "
    ///     MODULE cell(go) VAR x : boolean; ASSIGN next(x) := go;
    ///     MODULE main VAR a : cell(b.x); b : cell(a.x); SPEC AG a.x
    /// ");
    /// let text = File::read(&source).unwrap().program().to_text();
    /// assert!(text.contains("next(a_x) := b_x;"));
    /// assert!(File::read(&Source::new("flat.smv", text)).is_ok());
    /// ```
    pub fn to_text(&self) -> String {
        let mut printer = Printer::new(self);
        printer.number_definitions();
        printer.text()
    }
}

struct Printer<'a> {
    program: &'a Program,
    taken: FxHashSet<String>,
    symbols: Vec<String>,
    variables: Vec<String>,
    /// Expressions as they can stand anywhere: in parentheses, or a name.
    written: FxHashMap<NodeId, String>,
    /// Names for expressions, with what they stand for.
    definitions: Vec<(String, String)>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Printer<'a> {
        let mut printer = Printer {
            program,
            taken: FxHashSet::default(),
            symbols: Vec::new(),
            variables: Vec::new(),
            written: FxHashMap::default(),
            definitions: Vec::new(),
        };
        let symbols = program.symbols().iter();
        printer.symbols = symbols
            .map(|name| fresh(&mut printer.taken, name))
            .collect();
        let variables = program.variables().iter();
        printer.variables = variables
            .map(|variable| fresh(&mut printer.taken, &variable.name))
            .collect();
        printer
    }

    /// All expressions that something is said with.
    fn roots(&self) -> Vec<NodeId> {
        let program = self.program;
        let mut roots: Vec<NodeId> = Vec::new();
        roots.extend(program.defines().iter().map(|(_, node)| node));
        roots.extend(program.assignments().iter().map(|one| one.value));
        roots.extend(program.init());
        roots.extend(program.invariants());
        roots.extend(program.transitions());
        roots.extend(program.justice());
        for &(when, then) in program.compassion() {
            roots.extend([when, then]);
        }
        for specification in program.specifications() {
            roots.extend(specification.formula.atoms());
        }
        roots
    }

    /// Writes all expressions, operands first.
    fn number_definitions(&mut self) {
        let program = self.program;
        let roots = self.roots();
        let all = program.nodes_below(roots.iter().copied());
        let mut uses: FxHashMap<NodeId, u32> = FxHashMap::default();
        for &id in &all {
            operands(program.node(id), |operand| {
                *uses.entry(operand).or_default() += 1
            });
        }
        for root in roots {
            *uses.entry(root).or_default() += 1;
        }
        let mut depths: FxHashMap<NodeId, u32> = FxHashMap::default();
        for id in all {
            let node = program.node(id);
            let mut depth = 0;
            operands(node, |operand| depth = depth.max(depths[&operand] + 1));
            let text = self.expression(id, node);
            let is_leaf = matches!(node, Node::Constant(_) | Node::Variable { .. });
            let shared = uses.get(&id).is_some_and(|&number| number > 1);
            let written = match !is_leaf && (shared || depth >= DEEPEST) {
                true => {
                    depth = 0;
                    let number = self.definitions.len() + 1;
                    let name = fresh(&mut self.taken, &format!("e{number}"));
                    self.definitions.push((name.clone(), text));
                    name
                }
                false => text,
            };
            depths.insert(id, depth);
            self.written.insert(id, written);
        }
    }

    fn expression(&self, id: NodeId, node: Node) -> String {
        let get = |operand: NodeId| self.written[&operand].as_str();
        match node {
            Node::Constant(value) => self.value(value),
            Node::Variable { variable, next } => match next {
                true => format!("next({})", self.variables[variable.index()]),
                false => self.variables[variable.index()].clone(),
            },
            Node::Not(operand) => format!("(!{})", get(operand)),
            Node::Negate(operand) => format!("(-({}))", get(operand)),
            Node::Binary(operator, left, right) => {
                format!("({} {} {})", get(left), sign(operator), get(right))
            }
            Node::Choose(test, then, other) => match self.program.node(other) {
                Node::Failure(_) => format!("(case {} : {}; esac)", get(test), get(then)),
                _ => format!("({} ? {} : {})", get(test), get(then), get(other)),
            },
            Node::Range(low, high) => format!("({low}..{high})"),
            Node::Bits { operand, high, low } => format!("({}[{high}:{low}])", get(operand)),
            Node::ToInteger(operand) => format!("toint({})", get(operand)),
            Node::Resize(operand) => self.resized(id, operand),
            Node::After(operand) => format!("next({})", get(operand)),
            Node::Failure(_) => {
                let some = self.some_value(self.program.type_of(id).element);
                format!("(case FALSE : {some}; esac)")
            }
        }
    }

    /// A word cut or padded at the top, then read with or without a sign.
    fn resized(&self, id: NodeId, operand: NodeId) -> String {
        let (from, to) = (self.program.type_of(operand), self.program.type_of(id));
        let mut text = self.written[&operand].clone();
        let (
            Element::Word {
                signed: was_signed,
                width: before,
            },
            Element::Word { signed, width },
        ) = (from.element, to.element)
        else {
            return text;
        };
        let mut is_signed = was_signed;
        if width > before {
            text = format!("extend({text}, {})", width - before);
        } else if width < before {
            text = format!("({text}[{}:0])", width - 1);
            is_signed = false;
        }
        match (is_signed, signed) {
            (false, true) => format!("signed({text})"),
            (true, false) => format!("unsigned({text})"),
            _ => text,
        }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Symbol(symbol) => self.symbols[symbol.index()].clone(),
            Value::Integer(number) if number < 0 => format!("({number})"),
            Value::Word {
                signed: true,
                width,
                bits,
            } => format!("signed(0ud{width}_{bits})"),
            other => other.to_string(),
        }
    }

    fn some_value(&self, element: Element) -> String {
        match element {
            Element::Boolean => "FALSE".to_owned(),
            Element::Integer | Element::Mixed => "0".to_owned(),
            Element::Symbolic => self.symbols.first().cloned().unwrap_or("0".to_owned()),
            Element::Word { signed, width } => self.value(Value::word(signed, width, 0)),
        }
    }

    fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Boolean => "boolean".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Enumeration(values) => {
                let value = |&value: &Value| match value {
                    Value::Integer(number) => number.to_string(),
                    other => self.value(other),
                };
                let values: Vec<String> = values.iter().map(value).collect();
                format!("{{{}}}", values.join(", "))
            }
            Domain::Word {
                signed: false,
                width,
            } => format!("unsigned word[{width}]"),
            Domain::Word {
                signed: true,
                width,
            } => format!("signed word[{width}]"),
        }
    }

    fn text(mut self) -> String {
        let mut text = String::from("MODULE main\n");
        if !self.symbols.is_empty() {
            let _ = writeln!(text, "CONSTANTS {};", self.symbols.join(", "));
        }
        let mut section = "";
        for (variable, name) in self.program.variables().iter().zip(&self.variables) {
            let word = match variable.kind {
                Kind::State => "VAR",
                Kind::Input => "IVAR",
                Kind::Frozen => "FROZENVAR",
            };
            if word != section {
                section = word;
                let _ = writeln!(text, "{word}");
            }
            let _ = writeln!(text, "  {name} : {};", self.domain(&variable.domain));
        }
        self.write_definitions(&mut text);
        self.write_constraints(&mut text);
        self.write_specifications(&mut text);
        text
    }

    fn write_definitions(&mut self, text: &mut String) {
        let named = self.program.defines();
        if named.is_empty() && self.definitions.is_empty() {
            return;
        }
        text.push_str("DEFINE\n");
        for (name, says) in &self.definitions {
            let _ = writeln!(text, "  {name} := {says};");
        }
        for (name, node) in named {
            let name = fresh(&mut self.taken, name);
            let _ = writeln!(text, "  {name} := {};", self.written[node]);
        }
    }

    fn write_constraints(&self, text: &mut String) {
        let program = self.program;
        if !program.assignments().is_empty() {
            text.push_str("ASSIGN\n");
        }
        for assignment in program.assignments() {
            let name = &self.variables[assignment.variable.index()];
            let target = match assignment.when {
                When::Initially => format!("init({name})"),
                When::Next => format!("next({name})"),
                When::Always => name.clone(),
            };
            let _ = writeln!(text, "  {target} := {};", self.written[&assignment.value]);
        }
        let sections = [
            ("INIT", program.init()),
            ("INVAR", program.invariants()),
            ("TRANS", program.transitions()),
            ("FAIRNESS", program.justice()),
        ];
        for (word, nodes) in sections {
            for node in nodes {
                let _ = writeln!(text, "{word} {};", self.written[node]);
            }
        }
        for (when, then) in program.compassion() {
            let (when, then) = (&self.written[when], &self.written[then]);
            let _ = writeln!(text, "COMPASSION ({when}, {then});");
        }
    }

    fn write_specifications(&mut self, text: &mut String) {
        let program = self.program;
        for specification in program.specifications() {
            let word = match specification.kind {
                SpecificationKind::Ctl => "CTLSPEC",
                SpecificationKind::Ltl => "LTLSPEC",
                SpecificationKind::Invariant => "INVARSPEC",
            };
            let name = specification.name.as_ref().map(|name| {
                let name = fresh(&mut self.taken, name);
                format!("NAME {name} := ")
            });
            let formula = self.formula(&specification.formula);
            let _ = writeln!(text, "{word} {}{formula};", name.unwrap_or_default());
        }
        for special in program.specials() {
            let _ = writeln!(text, "-- {} {}", special.keyword, special.text);
        }
    }
}

impl Printer<'_> {
    /// A formula; its depth is bounded by the parser.
    fn formula(&self, formula: &Formula<NodeId>) -> String {
        match &formula.kind {
            Says::Constant(value) => Value::Boolean(*value).to_string(),
            Says::Atom(node) => self.written[node].clone(),
            Says::Placeholder(_) => "?".to_owned(),
            Says::Unary(Unary::ForAll, path) => self.path('A', path),
            Says::Unary(Unary::Exists, path) => self.path('E', path),
            Says::Unary(operator, operand) => {
                let steps = match operator {
                    Unary::Finally(steps)
                    | Unary::Globally(steps)
                    | Unary::Once(steps)
                    | Unary::Historically(steps) => *steps,
                    _ => None,
                };
                let steps = steps.map(|steps| format!(" [{}, {}]", steps.from, last(steps)));
                let steps = steps.unwrap_or_default();
                format!("{}{steps} ({})", prefix(*operator), self.formula(operand))
            }
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                match operator {
                    Binary::WeakUntil => format!("((({left}) U ({right})) | G ({left}))"),
                    _ => format!("(({left}) {} ({right}))", infix(*operator)),
                }
            }
        }
    }

    /// What is said about paths of some kind.
    fn path(&self, quantifier: char, path: &Formula<NodeId>) -> String {
        match &path.kind {
            Says::Unary(
                operator @ (Unary::Finally(Some(steps)) | Unary::Globally(Some(steps))),
                operand,
            ) => {
                let (word, end) = (prefix(*operator), last(*steps));
                let operand = self.formula(operand);
                format!("{quantifier}B{word} {}..{end} ({operand})", steps.from)
            }
            Says::Unary(operator, operand) => {
                format!(
                    "{quantifier}{} ({})",
                    prefix(*operator),
                    self.formula(operand)
                )
            }
            Says::Binary(Binary::Until(steps), left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                let word = match steps {
                    Some(steps) => format!("BU {}..{}", steps.from, last(*steps)),
                    None => "U".to_owned(),
                };
                format!("{quantifier} [({left}) {word} ({right})]")
            }
            _ => format!("{quantifier} ({})", self.formula(path)),
        }
    }
}

/// The last step of an interval; those of the language have one.
fn last(steps: Interval) -> u32 {
    steps.to.unwrap_or(u32::MAX)
}

fn prefix(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "!",
        Unary::ForAll => "A",
        Unary::Exists => "E",
        Unary::Next => "X",
        Unary::Finally(_) => "F",
        Unary::Globally(_) => "G",
        Unary::Yesterday => "Y",
        Unary::WeakYesterday => "Z",
        Unary::Once(_) => "O",
        Unary::Historically(_) => "H",
    }
}

fn infix(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "xor",
        Binary::Implies => "->",
        Binary::Iff => "<->",
        Binary::Until(_) | Binary::WeakUntil => "U",
        Binary::Release => "V",
        Binary::Since => "S",
        Binary::Triggered => "T",
    }
}

/// A name that can be declared and is not taken, as near as possible to the given one.
fn fresh(taken: &mut FxHashSet<String>, name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut legal: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    if !legal.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || is_taken_word(&legal) {
        legal.insert(0, '_');
    }
    let stem = legal
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .to_owned();
    let mut number = 1u64;
    while !taken.insert(legal.clone()) {
        number += 1;
        legal = format!("{stem}{number}");
    }
    legal
}

/// Words that a name cannot be everywhere.
fn is_taken_word(word: &str) -> bool {
    let temporal = [
        "A", "E", "F", "G", "X", "U", "V", "S", "T", "Y", "Z", "H", "O", "R", "W", "AG", "AF",
        "AX", "EG", "EF", "EX", "ABF", "ABG", "EBF", "EBG", "BU", "EU", "AU",
    ];
    is_reserved(word) || temporal.contains(&word) || crate::syntax::Builtin::named(word).is_some()
}

fn sign(operator: Operator) -> &'static str {
    use Operator as O;
    match operator {
        O::And => "&",
        O::Or => "|",
        O::Xor => "xor",
        O::Equal => "=",
        O::Less => "<",
        O::Plus => "+",
        O::Minus => "-",
        O::Times => "*",
        O::Divide => "/",
        O::Modulo => "mod",
        O::Concatenate => "::",
        O::ShiftLeft => "<<",
        O::ShiftRight => ">>",
        O::RotateLeft => "<<<",
        O::RotateRight => ">>>",
        O::Union => "union",
        O::In => "in",
    }
}
