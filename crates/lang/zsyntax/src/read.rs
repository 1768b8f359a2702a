//! The text form of pathways.
//!
//! ```text
//! start Glc & HK & 2 ATP                  # what is there
//! bind: Glc * HK -> HK*Glc                # an interaction
//! (HK*Glc) * ATP -> HK & G6P & ADP        # of exactly these two
//! G6P -> F6P with GPI                     # with a catalyst
//! can F6P
//! ```

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};
use quotient_logic::Formula;

use crate::pathway::{Aggregate, Asked, Left, Pathway, Portion, Question, Reaction, Species};
use crate::runs;
use crate::words::{Word, is_commutative, tokens};

/// The most of one species that a text may speak of.
const MOST: u64 = 1_000_000;
/// The most molecules in an interaction.
const LONGEST: usize = 12;

const KEYWORDS: [&str; 10] = [
    "pathway",
    "start",
    "commutative",
    "can",
    "never",
    "always",
    "one",
    "ltl",
    "any",
    "with",
];

/// Reads a pathway; all mistakes are told at once.
pub(crate) fn read(source: &Source) -> Result<Pathway, Vec<Diagnostic>> {
    let (tokens, mistakes) = tokens(source);
    // Names of complexes depend on this word, wherever it stands.
    let commutative = is_commutative(source, &tokens);
    let mut reader = Reader {
        cursor: Cursor::new(source, tokens),
        pathway: Pathway::default(),
        formulas: Vec::new(),
    };
    reader.pathway.commutative = commutative;
    for mistake in mistakes {
        reader.cursor.mistake(mistake);
    }
    while !reader.cursor.is_at_end() && !reader.cursor.is_hopeless() {
        if reader.cursor.takes(Word::Line) {
            continue;
        }
        let from = reader.cursor.position();
        let read = reader.line().and_then(|()| reader.end_of_line());
        if let Err(mistake) = read {
            reader.cursor.mistake(mistake);
            reader.cursor.recover(from, |kind| kind == Word::Line);
        }
    }
    reader.finish()
}

/// Reads a question about a pathway that is known.
pub(crate) fn question(pathway: &Pathway, text: &str) -> Result<Asked, Vec<Diagnostic>> {
    let source = Source::new("question", text);
    let (tokens, mistakes) = tokens(&source);
    let mut reader = Reader {
        cursor: Cursor::new(&source, tokens),
        pathway: pathway.clone(),
        formulas: Vec::new(),
    };
    for mistake in mistakes {
        reader.cursor.mistake(mistake);
    }
    reader.pathway.questions.clear();
    let asks = ["can", "never", "always", "one", "ltl"];
    let read = match reader.keyword().is_some_and(|word| asks.contains(&word)) {
        true => reader.line().and_then(|()| reader.end_of_line()),
        false => Err(reader
            .cursor
            .unexpected("`can`, `never`, `always`, `one end` or `ltl`")),
    };
    if let Err(mistake) = read {
        reader.cursor.mistake(mistake);
    }
    reader.read_formulas();
    for species in &reader.pathway.species[pathway.species.len()..] {
        let name = species.name();
        let names: Vec<String> = pathway.species.iter().map(Species::name).collect();
        let unknown = Diagnostic::error("unknown-species", format!("there is no `{name}`"))
            .in_source(&source)
            .did_you_mean(&name, names.iter().map(String::as_str));
        reader.cursor.mistake(unknown);
    }
    let mut asked = reader.pathway.questions.pop();
    if let Some(asked) = &mut asked {
        asked.span = None;
        asked.name.clear();
        asked.name.push_str(text);
        match &mut asked.question {
            Question::Can(all) | Question::Exactly(all) | Question::Never(all) => {
                all.resize(pathway.species.len(), 0);
            }
            _ => {}
        }
    }
    let asked = reader.cursor.finish(asked)?;
    asked.ok_or_else(|| vec![Diagnostic::error("syntax", "expected a question")])
}

struct Reader<'a> {
    cursor: Cursor<'a, Word>,
    pathway: Pathway,
    /// Questions about runs by number, with the places of their formulas: these are read when all
    /// species are known.
    formulas: Vec<(usize, Span)>,
}

impl Reader<'_> {
    fn finish(mut self) -> Result<Pathway, Vec<Diagnostic>> {
        self.intern_molecules();
        self.read_formulas();
        let pathway = &mut self.pathway;
        if pathway.questions.is_empty() {
            pathway.questions.push(Asked {
                name: "one-end".to_owned(),
                text: "one end".to_owned(),
                question: Question::OneEnd,
                span: None,
            });
        }
        // Questions that were read early do not know species that came later.
        let size = pathway.species.len();
        for asked in &mut pathway.questions {
            match &mut asked.question {
                Question::Can(all) | Question::Exactly(all) | Question::Never(all) => {
                    all.resize(size, 0);
                }
                _ => {}
            }
        }
        pathway.compile();
        self.cursor.finish(self.pathway)
    }

    /// The molecules of interactions are species, also where nothing makes them and none is there: they may be what
    /// is missing.
    fn intern_molecules(&mut self) {
        let lefts = self.pathway.reactions.iter().map(|reaction| &reaction.left);
        let parts: Vec<String> = lefts
            .filter_map(|left| match left {
                Left::Interaction(parts) => Some(parts),
                Left::Gathered(_) => None,
            })
            .flatten()
            .cloned()
            .collect();
        for part in parts {
            self.intern(vec![part]);
        }
    }

    fn read_formulas(&mut self) {
        for (number, span) in std::mem::take(&mut self.formulas) {
            let read = runs::read(&self.pathway, self.cursor.source(), span);
            match (read, self.pathway.questions.get_mut(number)) {
                (Ok(formula), Some(asked)) => asked.question = Question::Runs(formula),
                (Ok(_), None) => {}
                (Err(mistake), _) => self.cursor.mistake(mistake),
            }
        }
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        match self.cursor.is_at_end() {
            true => Ok(()),
            false => self.cursor.expect(Word::Line).map(|_| ()),
        }
    }

    /// The word at hand, if it is one of the language.
    fn keyword(&self) -> Option<&str> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        let next = self.cursor.peek_at(1).kind;
        let alone = match text {
            "ltl" => next == Word::Formula || self.cursor.peek_at(2).kind == Word::Colon,
            _ => !matches!(next, Word::Star | Word::Arrow | Word::Both),
        };
        (token.kind == Word::Name && alone && KEYWORDS.contains(&text)).then_some(text)
    }

    fn line(&mut self) -> Parsed<()> {
        let start = self.cursor.peek().span.start;
        let Some(keyword) = self.keyword().map(str::to_owned) else {
            return self.reaction();
        };
        self.cursor.advance();
        match keyword.as_str() {
            "pathway" => {
                let span = self.cursor.expect(Word::Name)?;
                self.pathway.title = Some(self.cursor.text(span).trim_matches('"').to_owned());
            }
            "commutative" => {}
            "start" => self.start()?,
            "one" => {
                let end = self.cursor.expect(Word::Name)?;
                if self.cursor.text(end) != "end" {
                    let wrong = Diagnostic::error("syntax", "expected `one end`");
                    return Err(wrong.at(self.cursor.source(), end, ""));
                }
                self.ask(start, None, Question::OneEnd)?;
            }
            "can" | "never" => {
                let name = self.label();
                let exactly = keyword == "can" && self.takes_word("exactly");
                let all = self.aggregate()?;
                let question = match (keyword.as_str(), exactly) {
                    ("never", _) => Question::Never(all),
                    (_, true) => Question::Exactly(all),
                    _ => Question::Can(all),
                };
                self.ask(start, name, question)?;
            }
            "always" => {
                let name = self.label();
                let (terms, value) = self.sum()?;
                self.ask(start, name, Question::Always(terms, value))?;
            }
            "ltl" => {
                let name = self.label();
                let span = self.cursor.expect(Word::Formula)?;
                let number = self.pathway.questions.len();
                self.ask(start, name, Question::Runs(Formula::constant(true)))?;
                self.formulas.push((number, span));
            }
            other => {
                let message = format!("`{other}` cannot begin a line");
                let span = Span::new(start, start + other.len());
                return Err(Diagnostic::error("syntax", message).at(
                    self.cursor.source(),
                    span,
                    "",
                ));
            }
        }
        Ok(())
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let token = self.cursor.peek();
        let is = token.kind == Word::Name && self.cursor.text(token.span) == word;
        if is {
            self.cursor.advance();
        }
        is
    }

    /// `name:`.
    fn label(&mut self) -> Option<String> {
        let token = self.cursor.peek();
        let named = token.kind == Word::Name && self.cursor.peek_at(1).kind == Word::Colon;
        named.then(|| {
            self.cursor.advance();
            self.cursor.advance();
            self.cursor.text(token.span).trim_matches('"').to_owned()
        })
    }

    fn ask(&mut self, start: usize, name: Option<String>, question: Question) -> Parsed<()> {
        let span = self.cursor.span_from(start);
        let text: Vec<&str> = self.cursor.text(span).split_whitespace().collect();
        let text = text.join(" ");
        let name = name.unwrap_or_else(|| text.clone());
        if self.pathway.questions.iter().any(|one| one.name == name) {
            let message = format!("there is already a question `{name}`");
            return Err(Diagnostic::error("same-name", message)
                .at(self.cursor.source(), span, "")
                .help("give it a name of its own: `can NAME: …`"));
        }
        self.pathway.questions.push(Asked {
            name,
            text,
            question,
            span: Some(span),
        });
        Ok(())
    }

    fn start(&mut self) -> Parsed<()> {
        loop {
            let amount = match self.takes_word("any") {
                true => None,
                false => Some(self.number()?),
            };
            let species = self.species()?;
            self.pathway.start.push(Portion { species, amount });
            if !self.and() {
                return Ok(());
            }
        }
    }

    /// `&`, after which a line may end.
    fn and(&mut self) -> bool {
        let is = self.cursor.takes(Word::And);
        while is && self.cursor.takes(Word::Line) {}
        is
    }

    /// A number before a species; one if there is none.
    fn number(&mut self) -> Parsed<u64> {
        let token = self.cursor.peek();
        if token.kind != Word::Number {
            return Ok(1);
        }
        self.cursor.advance();
        let number = self.cursor.text(token.span).parse().ok();
        number.filter(|&number| number <= MOST).ok_or_else(|| {
            let message = format!("expected a number up to {MOST}");
            Diagnostic::error("bad-number", message).at(self.cursor.source(), token.span, "")
        })
    }

    /// A number of which that many are kept one by one.
    fn few(&mut self) -> Parsed<u64> {
        let span = self.cursor.peek().span;
        let number = self.number()?;
        match number > 1000 {
            true => {
                let wrong = Diagnostic::error("bad-number", "expected a number up to 1000");
                Err(wrong.at(self.cursor.source(), span, ""))
            }
            false => Ok(number),
        }
    }

    fn molecule(&mut self) -> Parsed<String> {
        let span = self.cursor.expect(Word::Name)?;
        let text = self.cursor.text(span).trim_matches('"');
        match text.is_empty() || text.contains('*') || text.trim() != text {
            true => {
                let message = "a molecule needs a name without `*`, and without blanks at its ends";
                let wrong = Diagnostic::error("bad-name", message);
                Err(wrong.at(self.cursor.source(), span, ""))
            }
            false => Ok(text.to_owned()),
        }
    }

    /// Molecules with `*` between them.
    fn complex(&mut self) -> Parsed<Vec<String>> {
        let mut parts = vec![self.molecule()?];
        while self.cursor.takes(Word::Star) {
            parts.push(self.molecule()?);
            if parts.len() > LONGEST {
                let message = format!("more than {LONGEST} molecules interact at once");
                return Err(Diagnostic::error("too-long", message).at(
                    self.cursor.source(),
                    self.cursor.peek().span,
                    "",
                ));
            }
        }
        Ok(parts)
    }

    fn intern(&mut self, mut parts: Vec<String>) -> usize {
        if self.pathway.commutative {
            parts.sort();
        }
        self.pathway.species_of(&parts).unwrap_or_else(|| {
            self.pathway.species.push(Species(parts));
            self.pathway.species.len() - 1
        })
    }

    fn species(&mut self) -> Parsed<usize> {
        let parts = match self.cursor.takes(Word::Open) {
            true => {
                let parts = self.complex()?;
                self.cursor.expect(Word::Close)?;
                parts
            }
            false => self.complex()?,
        };
        Ok(self.intern(parts))
    }

    /// Species with numbers and `&` between them, as a list.
    fn list(&mut self) -> Parsed<Vec<usize>> {
        let mut all = Vec::new();
        loop {
            let number = self.few()?;
            let species = self.species()?;
            all.extend((0..number).map(|_| species));
            if !self.and() {
                return Ok(all);
            }
        }
    }

    fn aggregate(&mut self) -> Parsed<Aggregate> {
        let list = self.list()?;
        let mut all = vec![0; self.pathway.species.len()];
        for species in list {
            all[species] += 1;
        }
        Ok(all)
    }

    /// `2 A + B*C = 3`.
    fn sum(&mut self) -> Parsed<(Vec<(usize, i64)>, i64)> {
        let mut terms: Vec<(usize, i64)> = Vec::new();
        loop {
            let factor = self.number()? as i64;
            let species = self.species()?;
            match terms.iter_mut().find(|term| term.0 == species) {
                Some(term) => term.1 += factor,
                None => terms.push((species, factor)),
            }
            if !self.cursor.takes(Word::Plus) {
                break;
            }
        }
        self.cursor.expect(Word::Equals)?;
        if self.cursor.peek().kind != Word::Number {
            return Err(self.cursor.unexpected("a number"));
        }
        let value = self.number()? as i64;
        Ok((terms, value))
    }

    fn reaction(&mut self) -> Parsed<()> {
        let start = self.cursor.peek().span.start;
        let name = self.label();
        let from = self.cursor.peek().span.start;
        let left = self.left()?;
        let reacting = self.cursor.span_from(from);
        let both = self.cursor.is(Word::Both);
        if !self.cursor.takes(Word::Both) {
            self.cursor.expect(Word::Arrow)?;
        }
        while self.cursor.takes(Word::Line) {}
        let mut products = self.list()?;
        let mut left = left;
        let with = self.takes_word("with");
        if with || both {
            self.only_way(&left, reacting)?;
        }
        if with {
            let catalysts = self.list()?;
            products.extend(&catalysts);
            let mut all = match left {
                Left::Gathered(all) => all,
                Left::Interaction(parts) => parts
                    .into_iter()
                    .map(|part| self.intern(vec![part]))
                    .collect(),
            };
            all.extend(catalysts);
            left = Left::Gathered(all);
        }
        let span = self.cursor.span_from(start);
        let number = self.pathway.reactions.len() + 1;
        let text: Vec<&str> = self.cursor.text(span).split_whitespace().collect();
        let name = name.unwrap_or_else(|| text.join(" "));
        let name = match self.pathway.reactions.iter().any(|one| one.name == name) {
            true => format!("{name} ({number})"),
            false => name,
        };
        if both {
            let back = match &left {
                Left::Gathered(all) => all.clone(),
                Left::Interaction(parts) => {
                    let parts = parts.clone();
                    parts
                        .into_iter()
                        .map(|part| self.intern(vec![part]))
                        .collect()
                }
            };
            self.pathway.reactions.push(Reaction {
                name: format!("{name} (back)"),
                left: Left::Gathered(products.clone()),
                products: back,
                span,
            });
        }
        self.pathway.reactions.push(Reaction {
            name,
            left,
            products,
            span,
        });
        Ok(())
    }

    /// Refuses an interaction that several pairs of species can make up where it is not said
    /// which of them: beside catalysts, or where it comes back.
    fn only_way(&self, left: &Left, span: Span) -> Parsed<()> {
        let Left::Interaction(parts) = left else {
            return Ok(());
        };
        let [first, second, third, ..] = parts.as_slice() else {
            return Ok(());
        };
        let message = "more than two molecules interact, with a catalyst or both ways";
        let one = format!("say which species react: `({first}*{second}) & {third}`");
        Err(Diagnostic::error("many-ways", message)
            .at(self.cursor.source(), span, "several pairs make this up")
            .help(one))
    }

    /// An interaction, or species that react as they are: each part between `&` is a species, or,
    /// where it has parentheses, several that `*` joins.
    fn left(&mut self) -> Parsed<Left> {
        let numbered = self.cursor.peek().kind == Word::Number;
        if !numbered && !self.has_parentheses() {
            let from = self.cursor.position();
            let mut parts = self.complex()?;
            let plain = matches!(self.cursor.peek().kind, Word::Arrow | Word::Both);
            if plain && parts.len() > 1 {
                if self.pathway.commutative {
                    parts.sort();
                }
                return Ok(Left::Interaction(parts));
            }
            self.cursor.rewind(from);
        }
        let mut all = Vec::new();
        loop {
            let joined = self.has_parentheses();
            loop {
                let number = self.few()?;
                let species = match joined && !self.cursor.is(Word::Open) {
                    // Beside parentheses every molecule is one by itself.
                    true => {
                        let molecule = self.molecule()?;
                        self.intern(vec![molecule])
                    }
                    false => self.species()?,
                };
                all.extend((0..number).map(|_| species));
                if !self.cursor.takes(Word::Star) {
                    break;
                }
            }
            if !self.and() {
                return Ok(Left::Gathered(all));
            }
        }
    }

    /// Whether a parenthesis comes before the next `&` or the end of the left side.
    fn has_parentheses(&self) -> bool {
        let mut ahead = (0..).map(|at| self.cursor.peek_at(at).kind);
        let found = ahead.find(|kind| {
            use Word::{And, Arrow, Both, End, Line, Open};
            matches!(kind, Open | And | Arrow | Both | Line | End)
        });
        found == Some(Word::Open)
    }
}
