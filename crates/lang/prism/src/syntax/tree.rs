//! What texts mean, as written.

use quotient_core::Span;
use quotient_markov::{Kind, Rational};

/// An expression or a formula, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree {
    pub(crate) node: Node,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Truth(bool),
    Whole(i64),
    Real(Rational),
    Name(String),
    /// A label, or another property, in quotes.
    Label(String),
    Not(Box<Tree>),
    Negative(Box<Tree>),
    Two(Join, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(Name, Vec<Tree>),
    /// `P`, `S` and `R`.
    Chance(Box<Chance>),
    /// `E [ … ]` (true) and `A [ … ]`.
    Quantified(bool, Box<Tree>),
    Filter(Box<Filter>),
    /// `X`, `F`, `G`.
    Ahead(Ahead, Option<Box<Bound>>, Box<Tree>),
    /// `U`, `W`, `R`.
    Until(Until, Option<Box<Bound>>, Box<Tree>, Box<Tree>),
    /// `F{"r"}<=5` and `U{"r"}<=5`: before more than that is earned.
    Within(Box<Within>),
    /// `multi(…)`.
    Multi(Vec<Tree>),
    /// `quantile(…)`.
    Quantile(Box<Quantile>),
    /// A property that cannot be checked, and why.
    Refused(String),
}

/// Functions of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Pow,
    Mod,
    Log,
    Abs,
    Sqrt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    And,
    Or,
    Implies,
    Iff,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divide,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    Next,
    Finally,
    Globally,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    Strong,
    Weak,
    Release,
}

/// A bound on steps or time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) low: Option<Tree>,
    pub(crate) low_strict: bool,
    pub(crate) high: Option<Tree>,
    pub(crate) high_strict: bool,
}

/// A path that reaches something before too much, or when enough is earned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Within {
    pub(crate) left: Option<Tree>,
    pub(crate) right: Tree,
    /// At least one.
    pub(crate) limits: Vec<Limit>,
}

/// A bound on what is earned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Limit {
    pub(crate) structure: Structure,
    pub(crate) amount: Tree,
    pub(crate) strictly: bool,
    /// Whether it is an upper bound.
    pub(crate) upper: bool,
}

/// The least or greatest number for which a property holds that uses it as a bound.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantile {
    /// `min` (true) or `max`.
    pub(crate) least: bool,
    /// What the number is called.
    pub(crate) name: String,
    pub(crate) of: Tree,
}

/// An operator that asks for or bounds a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chance {
    pub(crate) asks: Asks,
    /// `min` (true) or `max`, where it is said.
    pub(crate) least: Option<bool>,
    /// The relation and what it compares with; none for `=?`.
    pub(crate) relation: Option<(Join, Tree)>,
    /// Which reward structure, for `R`.
    pub(crate) structure: Option<Structure>,
    pub(crate) body: Body,
    /// `[ F a || G b ]`: only runs that fulfil this count.
    pub(crate) given: Option<Tree>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    Probability,
    Steady,
    Reward,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Structure {
    Named(String, Span),
    Numbered(Tree),
}

/// What stands in the brackets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    /// A path or a state formula.
    Formula(Tree),
    /// `C<=t`.
    Until(Tree),
    /// `I=t`.
    At(Tree),
    /// `C`.
    Total,
    /// `S` or `LRA`.
    LongRun,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    pub(crate) what: FilterKind,
    pub(crate) of: Tree,
    pub(crate) states: Option<Tree>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FilterKind {
    Min,
    Max,
    Average,
    Sum,
    Count,
    Range,
    ForAll,
    Exists,
    First,
    State,
    Print,
    PrintAll,
    ArgMin,
    ArgMax,
}

/// A whole model, as written.
#[derive(Debug, Clone)]
pub(crate) struct ModelTree {
    pub(crate) kind: Kind,
    /// Whether it has clocks: a decision process in which time passes, too.
    pub(crate) timed: bool,
    /// Whether some commands have rates and others probabilities: a Markov automaton.
    pub(crate) markovian: bool,
    pub(crate) constants: Vec<Constant>,
    pub(crate) formulas: Vec<Named>,
    pub(crate) labels: Vec<Named>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) modules: Vec<Module>,
    pub(crate) renamed: Vec<Renamed>,
    /// The order of modules: places in `modules` (false) and `renamed` (true).
    pub(crate) order: Vec<(bool, usize)>,
    pub(crate) rewards: Vec<RewardTree>,
    pub(crate) init: Option<Tree>,
    pub(crate) system: Option<System>,
}

#[derive(Debug, Clone)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) value: Option<Tree>,
    /// What its value must be compared with, as `>=` a number.
    pub(crate) bounds: Vec<(Join, Tree)>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Truth,
    Whole,
    Real,
}

impl Sort {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sort::Truth => "bool",
            Sort::Whole => "int",
            Sort::Real => "double",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) tree: Tree,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Low and high; a truth value if there are none.
    pub(crate) range: Option<(Tree, Tree)>,
    pub(crate) init: Option<Tree>,
    /// Whether it is a clock, whose range is how far its value matters.
    pub(crate) clock: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) variables: Vec<Declaration>,
    /// As long as this holds time may pass.
    pub(crate) invariant: Option<Tree>,
    pub(crate) commands: Vec<CommandTree>,
}

#[derive(Debug, Clone)]
pub(crate) struct Renamed {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) of: String,
    pub(crate) of_span: Span,
    pub(crate) pairs: Vec<(String, String, Span)>,
}

#[derive(Debug, Clone)]
pub(crate) struct CommandTree {
    /// Whether its weights are rates, in a Markov automaton.
    pub(crate) rated: bool,
    /// Empty if there is none.
    pub(crate) action: String,
    pub(crate) guard: Tree,
    pub(crate) updates: Vec<UpdateTree>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct UpdateTree {
    pub(crate) weight: Option<Tree>,
    pub(crate) assignments: Vec<(String, Span, Tree)>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct RewardTree {
    pub(crate) name: Option<String>,
    pub(crate) items: Vec<RewardItem>,
}

/// By what something is earned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Earns {
    /// By being in a state.
    State,
    /// By doing an action; empty for steps without one.
    Action(String),
    /// By any step.
    Step,
    /// By a command, numbered over all modules.
    Command(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct RewardItem {
    pub(crate) earns: Earns,
    pub(crate) guard: Tree,
    pub(crate) value: Tree,
    pub(crate) span: Span,
}

/// How modules are put together.
#[derive(Debug, Clone)]
pub(crate) enum System {
    Module(String, Span),
    /// On all shared actions.
    Full(Box<System>, Box<System>),
    /// On these actions only.
    On(Box<System>, Vec<String>, Box<System>),
    Hide(Box<System>, Vec<String>),
    Rename(Box<System>, Vec<(String, String)>),
    /// As these vectors say; commands without an action happen alone.
    Vectors(Vec<Vector>),
}

/// Actions of modules that happen together.
#[derive(Debug, Clone)]
pub(crate) struct Vector {
    /// Modules, by number, with the action of each.
    pub(crate) parts: Vec<(usize, String)>,
    /// The action that this is; empty if it is none.
    pub(crate) result: String,
}

/// What a file of properties holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct PropertiesTree {
    pub(crate) constants: Vec<Constant>,
    pub(crate) formulas: Vec<Named>,
    pub(crate) labels: Vec<Named>,
    pub(crate) properties: Vec<PropertyTree>,
}

#[derive(Debug, Clone)]
pub(crate) struct PropertyTree {
    pub(crate) name: Option<String>,
    pub(crate) tree: Tree,
    /// The property as written, without its name.
    pub(crate) text: String,
    pub(crate) span: Span,
}
