//! Regular expressions over named letters: the shortest way to write an automaton, and to read
//! one.

mod compile;
mod eliminate;
mod lexer;
mod parse;
mod print;
mod term;

use indexmap::IndexSet;
use quotient_core::{Budget, Diagnostic, Source, Stop};

use self::term::Term;
use crate::{Alphabet, Nfa, Predicate};

/// A regular expression over the letters of an alphabet.
///
/// | written | means |
/// |---|---|
/// | `T`, `"a b"` | the letter with that name; quotes for names with blanks or signs, `\` before a quote in it |
/// | `T N` | one after the other |
/// | `[a b]`, `[^a b]`, `.` | one letter: of these, not of these, any |
/// | `x \| y`, `x & y`, `~x` | either, both, not |
/// | `x*`, `x+`, `x?` | any number, one or more, at most one |
/// | `x{3}`, `x{2,4}`, `x{2,}`, `x{,4}` | so many times |
/// | `(x)` | grouping |
/// | `ε` or `()`, `[]` | the empty word, nothing at all |
///
/// Signs after an expression bind strongest, then `~`, then writing side by side, then `&`,
/// then `|`.
///
/// ```
/// use quotient_automata::{Alphabet, Expression};
/// use quotient_core::{Budget, Source};
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let budget = Budget::unlimited();
/// let source = Source::new("expression", "N* T N*");
/// let one_token = Expression::parse(&source, &alphabet)?.to_nfa(&budget)?;
/// assert!(one_token.accepts(&alphabet.word("N T N")?));
/// let again = Expression::of(&one_token, 100, &budget)?.unwrap();
/// assert_eq!(again.to_string(), "N* T N*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    alphabet: Alphabet,
    term: Term,
}

impl Expression {
    /// Reads an expression. Errors point at the place and say what was expected.
    pub fn parse(source: &Source, alphabet: &Alphabet) -> Result<Expression, Diagnostic> {
        let term = parse::parse(source, alphabet)?;
        let alphabet = alphabet.clone();
        Ok(Expression { alphabet, term })
    }

    /// The alphabet of the letters that an expression names, in the order of their first
    /// appearance: for expressions that come without an alphabet.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Expression};
    /// use quotient_core::Source;
    /// let alphabet = Expression::alphabet_named_in(&Source::new("expression", "T [N W]{2,3} T"))?;
    /// assert_eq!(alphabet.names().collect::<Vec<_>>(), ["T", "N", "W"]);
    /// # Ok::<(), quotient_core::Diagnostic>(())
    /// ```
    pub fn alphabet_named_in(source: &Source) -> Result<Alphabet, Diagnostic> {
        let mut names: IndexSet<String> = IndexSet::new();
        let mut in_bounds = false;
        for token in lexer::tokens(source)? {
            match token.kind {
                lexer::Kind::Sign('{') => in_bounds = true,
                lexer::Kind::Sign('}') => in_bounds = false,
                lexer::Kind::Bare(name) if !in_bounds && name != "ε" => {
                    names.insert(name.to_owned());
                }
                lexer::Kind::Quoted(name) => {
                    names.insert(name);
                }
                _ => {}
            }
        }
        Ok(Alphabet::new(names).expect("the names of a set differ"))
    }

    /// An expression for the language of an automaton; nothing if that takes more than `limit`
    /// letters, classes and signs.
    ///
    /// The automaton is made minimal and its states are eliminated one by one (Brzozowski and
    /// McCluskey 1963), cheapest first. The result is simplified but need not be shortest.
    pub fn of(nfa: &Nfa, limit: usize, budget: &Budget) -> Result<Option<Expression>, Stop> {
        let dfa = nfa.canonical(budget)?;
        let term = eliminate::eliminate(&dfa, limit, budget)?;
        let alphabet = nfa.alphabet().clone();
        Ok(term.map(|term| Expression { alphabet, term }))
    }

    /// The automaton of the expression. Complements and intersections can need exponentially
    /// many states; the rest takes as many as the expression is long, repetitions written out.
    pub fn to_nfa(&self, budget: &Budget) -> Result<Nfa, Stop> {
        compile::compile(&self.alphabet, &self.term, budget)
    }

    /// The expression with its sets of letters written in another way: by what they mean where
    /// it is shown. Only the usual way ([`Display`](std::fmt::Display)) can be read back.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Expression};
    /// use quotient_core::Source;
    /// let alphabet = Alphabet::new(["idle", "asks", "critical"])?;
    /// let source = Source::new("expression", "[idle asks]* critical");
    /// let expression = Expression::parse(&source, &alphabet)?;
    /// let shown = expression.written_with(|letters| format!("<{}>", letters.len()));
    /// assert_eq!(shown, "<2>* <1>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn written_with(&self, mut class: impl FnMut(&Predicate) -> String) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = print::print(&self.alphabet, &self.term, &mut class, &mut text);
        text
    }

    /// The alphabet of its letters.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut letters = |letters: &Predicate| print::letters(&self.alphabet, letters);
        print::print(&self.alphabet, &self.term, &mut letters, f)
    }
}
