//! The words of FSP.

use quotient_core::Span;

/// A word of the text; what identifiers and strings say is read from the text by the span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What kind of word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier that does not start with a capital: a label or a variable.
    Lower,
    /// An identifier that starts with a capital: a process, constant, parameter, range or set.
    Upper,
    Integer(i32),
    /// `"…"`.
    Text,
    Const,
    Property,
    Range,
    If,
    Then,
    Else,
    Forall,
    When,
    Set,
    Progress,
    Menu,
    Animation,
    Deterministic,
    Minimal,
    Compose,
    Import,
    Assert,
    Fluent,
    Exists,
    Rigid,
    Constraint,
    LtlProperty,
    Initially,
    Hash,
    Quote,
    Plus,
    Star,
    Percent,
    Tilde,
    Caret,
    Comma,
    LeftRound,
    RightRound,
    LeftCurly,
    RightCurly,
    LeftSquare,
    RightSquare,
    Semicolon,
    At,
    Backslash,
    /// `[]`.
    Always,
    /// `||`.
    Parallel,
    Bar,
    /// `&&`.
    And,
    Ampersand,
    NotEqual,
    Not,
    LessOrEqual,
    ShiftLeft,
    /// `<>`.
    Eventually,
    /// `<->`.
    Equivalent,
    Less,
    GreaterOrEqual,
    ShiftRight,
    Greater,
    EqualEqual,
    Becomes,
    DotDot,
    Dot,
    Arrow,
    Minus,
    /// `::`.
    Share,
    Colon,
    Slash,
    End,
}

impl Kind {
    /// The keyword that a word is, if it is one. The words that LTSA reserves only inside an
    /// `animation` are labels here.
    pub(crate) fn keyword(word: &str) -> Option<Kind> {
        Some(match word {
            "const" => Kind::Const,
            "property" => Kind::Property,
            "range" => Kind::Range,
            "if" => Kind::If,
            "then" => Kind::Then,
            "else" => Kind::Else,
            "forall" => Kind::Forall,
            "when" => Kind::When,
            "set" => Kind::Set,
            "progress" => Kind::Progress,
            "menu" => Kind::Menu,
            "animation" => Kind::Animation,
            "deterministic" => Kind::Deterministic,
            "minimal" => Kind::Minimal,
            "compose" => Kind::Compose,
            "import" => Kind::Import,
            "assert" => Kind::Assert,
            "fluent" => Kind::Fluent,
            "exists" => Kind::Exists,
            "rigid" => Kind::Rigid,
            "constraint" => Kind::Constraint,
            "ltl_property" => Kind::LtlProperty,
            "initially" => Kind::Initially,
            _ => return None,
        })
    }
}
