//! Text to tree: a recursive-descent parser that goes on after a mistake.
//!
//! * this file: the parser's state and the small steps that all rules take;
//! * `module`: modules and declarations;
//! * `dotted`: names with dots and indices, as flattened models declare them;
//! * `types`: types of variables;
//! * `expression`: expressions and formulas by operator precedence;
//! * `primary`: what operators stand between;
//! * `psl`, `prefix`, `sequence`: properties of PSL;
//! * `hybrid`: branching time with names for states.

mod dotted;
mod expression;
mod hybrid;
mod module;
mod prefix;
mod primary;
mod psl;
mod sequence;
mod types;

pub(crate) use hybrid::{is_hybrid, parse_hybrid};

use quotient_core::{Diagnostic, Source, Span};

use crate::syntax::{
    Expressions, Lexeme, Name, NameId, Names, Specification, SpecificationKind, Syntax, Token,
    Tree, tokens,
};

/// How deep expressions may nest; far beyond what people or generators write, and shallow
/// enough for any stack.
const DEEPEST: u32 = 400;

/// After this many mistakes the rest is mostly noise.
const MOST_ERRORS: usize = 20;

/// Parses a file. The diagnostics are errors if there is no tree, else warnings.
pub(crate) fn parse(source: &Source) -> (Option<Tree>, Vec<Diagnostic>) {
    let lexemes = match tokens(source) {
        Ok(lexemes) => lexemes,
        Err(error) => return (None, vec![error]),
    };
    let (mut names, mut expressions) = (Names::default(), Expressions::default());
    let mut parser = Parser::new(source, &lexemes, &mut names, &mut expressions);
    parser.find_dotted();
    let modules = parser.modules();
    let (errors, warnings) = (parser.errors, parser.warnings);
    if !errors.is_empty() {
        return (None, errors);
    }
    let tree = Tree {
        source: source.clone(),
        names,
        expressions,
        modules,
    };
    (Some(tree), warnings)
}

/// Parses one formula, perhaps with placeholders and `IN instance`, into the arena of a tree.
pub(crate) fn parse_formula(
    source: &Source,
    kind: SpecificationKind,
    names: &mut Names,
    expressions: &mut Expressions,
) -> Result<Specification, Diagnostic> {
    let lexemes = tokens(source)?;
    let mut parser = Parser::new(source, &lexemes, names, expressions);
    parser.placeholders = true;
    let specification = parser.specification_body(kind, None)?;
    match parser.peek().token {
        Token::End => Ok(specification),
        _ => Err(parser.unexpected("the end of the formula")),
    }
}

struct Parser<'a> {
    source: &'a Source,
    lexemes: &'a [Lexeme],
    at: usize,
    names: &'a mut Names,
    expressions: &'a mut Expressions,
    depth: u32,
    /// Whether temporal operators may stand here: in specifications only, so that elsewhere
    /// `AG` or `F` can be a name.
    temporal: bool,
    /// Whether `U` is an operator of its own here, not the middle of `A [p U q]`.
    until_binds: bool,
    /// Whether `?` may stand for a hole: in formulas that a user asks about.
    placeholders: bool,
    /// Whether this is inside of a sequence of PSL, which has operators of its own.
    in_sequence: bool,
    /// The names that `forall` of PSL binds, with the values that they stand for.
    replicated: Vec<(NameId, Syntax)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'a> Parser<'a> {
    fn new(
        source: &'a Source,
        lexemes: &'a [Lexeme],
        names: &'a mut Names,
        expressions: &'a mut Expressions,
    ) -> Parser<'a> {
        Parser {
            source,
            lexemes,
            at: 0,
            names,
            expressions,
            depth: 0,
            temporal: false,
            until_binds: true,
            placeholders: false,
            in_sequence: false,
            replicated: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The token at hand; the end repeats for ever.
    fn peek(&self) -> Lexeme {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Lexeme {
        self.lexemes[(self.at + ahead).min(self.lexemes.len() - 1)]
    }

    fn advance(&mut self) -> Lexeme {
        let lexeme = self.peek();
        self.at += 1;
        lexeme
    }

    /// Where the token before the one at hand ends.
    fn last_end(&self) -> usize {
        let before = self.at.clamp(1, self.lexemes.len()) - 1;
        self.lexemes[before].span.end
    }

    fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek().token, Token::Symbol(text) if text == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.word_at(0) == Some(word)
    }

    fn word_at(&self, ahead: usize) -> Option<&'a str> {
        let lexeme = self.peek_at(ahead);
        (lexeme.token == Token::Word).then(|| self.text(lexeme.span))
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<Span> {
        let span = self.peek().span;
        match self.take_symbol(symbol) {
            true => Ok(span),
            false => Err(self.unexpected(&format!("`{symbol}`"))),
        }
    }

    /// A name that is no reserved word.
    fn name(&mut self) -> Parsed<Name> {
        let span = self.peek().span;
        match self.word_at(0) {
            Some(word) if !is_reserved(word) => {
                self.at += 1;
                Ok(Name {
                    id: self.names.intern(word),
                    span,
                })
            }
            Some(word) => Err(self
                .unexpected("a name")
                .note(format!("`{word}` is a reserved word of SMV"))),
            None => Err(self.unexpected("a name")),
        }
    }

    fn error(&self, code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span, "")
    }

    /// The token at hand does not fit.
    fn unexpected(&self, expected: &str) -> Diagnostic {
        let lexeme = self.peek();
        let found = match lexeme.token {
            Token::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text(lexeme.span)),
        };
        let error = Diagnostic::error("smv-syntax", format!("expected {expected}, found {found}"))
            .at(self.source, lexeme.span, format!("expected {expected}"));
        match lexeme.token {
            Token::Symbol("=") if expected.contains(":=") => {
                error.help("assignments and definitions are written with `:=`")
            }
            Token::Symbol("&" | "|") if self.doubled() => {
                error.help("SMV writes `&` and `|`, not `&&` and `||`")
            }
            Token::Symbol("=") if self.doubled() => error.help("SMV writes `=`, not `==`"),
            Token::Symbol("[") if matches!(self.peek_at(1).token, Token::Symbol("]")) => {
                error.help("SMV writes `G p` and `F p`, not `[]p` and `<>p`")
            }
            Token::Symbol("<") if matches!(self.peek_at(1).token, Token::Symbol(">")) => {
                error.help("SMV writes `F p`, not `<>p`")
            }
            Token::Word if expected == "`U`" && self.is_word("W") => {
                error.help("CTL has no weak until here; `A [p W q]` is `!E [!q U !p & !q]`")
            }
            _ if expected == "`;`" && self.after_temporal() => {
                error.help("temporal operators stand in specifications, not in declarations")
            }
            _ => error,
        }
    }

    /// Whether the word before the token at hand is a temporal operator elsewhere.
    fn after_temporal(&self) -> bool {
        let before = self.at.checked_sub(1).map(|before| self.lexemes[before]);
        before.is_some_and(|before| {
            let word = self.text(before.span);
            before.token == Token::Word && TEMPORAL.contains(&word)
        })
    }

    /// Whether the symbol at hand repeats the one before it.
    fn doubled(&self) -> bool {
        let before = self.at.checked_sub(1).map(|before| self.lexemes[before]);
        before.is_some_and(|before| {
            before.token == self.peek().token && before.span.end == self.peek().span.start
        })
    }

    /// Runs a rule one level deeper.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let span = self.peek().span;
            return Err(self
                .error(
                    "smv-nesting",
                    format!("expressions nest deeper than {DEEPEST} levels"),
                    span,
                )
                .help("give parts of the expression a name with DEFINE"));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }
}

/// Operators of CTL and LTL before an operand.
const TEMPORAL: [&str; 13] = [
    "AG", "AF", "AX", "EG", "EF", "EX", "G", "F", "X", "Y", "Z", "H", "O",
];

/// Words that open a declaration.
fn is_section(word: &str) -> bool {
    SECTIONS.contains(&word)
}

const SECTIONS: [&str; 26] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "ARRAY",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "HCTLSPEC",
    "PRED",
    "MIRROR",
    "FUN",
    "GAME",
];

/// Words that are never names. Temporal operators and functions are not here: the grammar
/// tells them from names by their place.
pub(crate) fn is_reserved(word: &str) -> bool {
    is_section(word)
        || matches!(
            word,
            "NAME"
                | "IN"
                | "case"
                | "esac"
                | "next"
                | "init"
                | "TRUE"
                | "FALSE"
                | "self"
                | "mod"
                | "union"
                | "in"
                | "xor"
                | "xnor"
                | "boolean"
                | "integer"
                | "real"
                | "word"
                | "array"
                | "of"
                | "process"
        )
}
