//! Characters to words: the preprocessor and the lexer in one.
//!
//! Macros are replaced as words, not as characters. A word that comes from a macro stands where
//! the macro is used, and is shown as the whole use.

use std::collections::HashMap;
use std::rc::Rc;

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::Files;

use crate::words::{Numbers, words};

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Text,
    Sign,
    End,
}

/// A place in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct At {
    pub(crate) file: u16,
    pub(crate) span: Span,
}

impl At {
    pub(crate) fn to(self, other: At) -> At {
        match self.file == other.file && other.span.end >= self.span.start {
            true => At {
                file: self.file,
                span: self.span.to(other.span),
            },
            false => self,
        }
    }
}

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: Rc<str>,
    pub(crate) at: At,
    /// What a statement with it is shown as: words of a macro as its use, arguments of an inline as its
    /// parameters, so that the words of one statement stand beside each other.
    pub(crate) shown: At,
    /// Which use of an `inline` it comes from; 0 if from none.
    pub(crate) expansion: u32,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        &*self.text == text && matches!(self.kind, Kind::Name | Kind::Sign)
    }
}

/// More words than this are too many, however they come about.
const MOST_TOKENS: usize = 2_000_000;
/// How deeply macros and included files may nest.
const DEEPEST: usize = 64;

#[derive(Debug, Clone)]
struct Macro {
    parameters: Option<Vec<Rc<str>>>,
    body: Vec<Token>,
}

impl Macro {
    /// Which parameter a word of the body is.
    fn place(&self, word: &Token) -> Option<usize> {
        let names = self.parameters.as_ref()?;
        let place = names.iter().position(|name| *name == word.text);
        place.filter(|_| word.kind == Kind::Name)
    }

    /// Whether it stands for the same words.
    fn says(&self, other: &Macro) -> bool {
        let words = |one: &Macro| -> Vec<(Kind, Rc<str>)> {
            let words = one.body.iter();
            words.map(|word| (word.kind, word.text.clone())).collect()
        };
        self.parameters == other.parameters && words(self) == words(other)
    }
}

/// A line of the file after lexing.
pub(crate) enum Item {
    Word(Token),
    /// A directive with its words, and whether its name is followed by `(` at once.
    Directive(Vec<Token>, bool),
    /// A character that means nothing: a mistake where the text counts.
    Stray(Box<Diagnostic>),
}

/// The files that were read, and their words.
pub(crate) struct Lexed {
    pub(crate) files: Vec<Source>,
    pub(crate) tokens: Vec<Token>,
}

/// Reads a text with what it includes; `defines` are macros given from outside.
pub(crate) fn lex(
    source: &Source,
    files: &mut dyn Files,
    defines: &[(String, String)],
) -> Result<Lexed, Vec<Diagnostic>> {
    let mut reader = Reader {
        files,
        sources: vec![source.clone()],
        macros: HashMap::new(),
        given: Vec::new(),
        out: Vec::new(),
        mistakes: Vec::new(),
    };
    for (name, value) in defines {
        let given = Source::new(format!("--define {name}"), value.as_str());
        reader.sources.push(given.clone());
        let file = (reader.sources.len() - 1) as u16;
        let body = words(&given, file, &mut reader.mistakes);
        let body = body.into_iter().filter_map(|item| match item {
            Item::Word(token) => Some(token),
            Item::Directive(..) | Item::Stray(_) => None,
        });
        let one = Macro {
            parameters: None,
            body: body.collect(),
        };
        reader.given.push(name.as_str().into());
        reader.macros.insert(name.as_str().into(), one);
    }
    reader.file(0, 0);
    match reader.mistakes.is_empty() {
        true => Ok(Lexed {
            files: reader.sources,
            tokens: reader.out,
        }),
        false => {
            reader.mistakes.truncate(20);
            Err(reader.mistakes)
        }
    }
}

struct Reader<'a> {
    files: &'a mut dyn Files,
    sources: Vec<Source>,
    macros: HashMap<Rc<str>, Macro>,
    /// The macros that are given from outside: what the text says instead would count in silence.
    given: Vec<Rc<str>>,
    out: Vec<Token>,
    mistakes: Vec<Diagnostic>,
}

/// A condition that is open: whether its words count, whether one branch was taken, and whether
/// what is around it counts.
struct Branch {
    active: bool,
    taken: bool,
    outer: bool,
    at: At,
}

impl Reader<'_> {
    fn wrong(&mut self, at: At, message: impl Into<String>) {
        let source = self.sources[at.file as usize].clone();
        let mistake = Diagnostic::error("preprocessor", message).at(&source, at.span, "");
        self.mistakes.push(mistake);
    }

    fn file(&mut self, file: u16, depth: usize) {
        let source = self.sources[file as usize].clone();
        let items = words(&source, file, &mut self.mistakes);
        let mut branches: Vec<Branch> = Vec::new();
        let mut line: Vec<Token> = Vec::new();
        for item in items {
            match item {
                Item::Word(token) => {
                    if branches.last().is_none_or(|branch| branch.active) {
                        line.push(token);
                    }
                }
                Item::Stray(mistake) => {
                    if branches.last().is_none_or(|branch| branch.active) {
                        self.mistakes.push(*mistake);
                    }
                }
                Item::Directive(tokens, tight) => {
                    self.flush(&mut line);
                    self.directive(&tokens, tight, &mut branches, depth);
                }
            }
            if self.mistakes.len() > 20 {
                return;
            }
        }
        self.flush(&mut line);
        if let Some(branch) = branches.last() {
            self.wrong(branch.at, "this condition has no `#endif`");
        }
    }

    fn flush(&mut self, line: &mut Vec<Token>) {
        let mut hidden = Vec::new();
        let mut out = std::mem::take(&mut self.out);
        let done = self.expand(line, &mut hidden, &mut out);
        self.out = out;
        if let Err((at, message)) = done {
            self.wrong(at, message);
        }
        line.clear();
    }

    /// Replaces macros in words, into `out`.
    fn expand(
        &self,
        tokens: &[Token],
        hidden: &mut Vec<Rc<str>>,
        out: &mut Vec<Token>,
    ) -> Result<(), (At, String)> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if out.len() >= MOST_TOKENS {
                return Err((token.at, format!("more than {MOST_TOKENS} words")));
            }
            let known = match token.kind {
                Kind::Name if !hidden.contains(&token.text) => self.macros.get(&token.text),
                _ => None,
            };
            let Some(known) = known else {
                out.push(token.clone());
                continue;
            };
            let mut arguments: Vec<Vec<Token>> = Vec::new();
            let mut shown = token.shown;
            if let Some(parameters) = &known.parameters {
                if !tokens.get(at).is_some_and(|next| next.is("(")) {
                    out.push(token.clone());
                    continue;
                }
                let (found, end) = arguments_from(tokens, at, token.at)?;
                at = end;
                shown = shown.to(tokens[end - 1].shown);
                let few = parameters.is_empty() && found.len() == 1 && found[0].is_empty();
                if !few && found.len() != parameters.len() {
                    let message = format!(
                        "`{}` takes {} arguments, not {}",
                        token.text,
                        parameters.len(),
                        found.len()
                    );
                    return Err((token.at, message));
                }
                arguments = found;
            }
            if hidden.len() >= DEEPEST {
                return Err((token.at, "macros nest too deeply".to_owned()));
            }
            let mut replaced: Vec<Token> = Vec::new();
            for (number, one) in known.body.iter().enumerate() {
                let place = known.place(one);
                let quoted = number > 0 && known.body[number - 1].is("#");
                if one.is("#")
                    && known
                        .body
                        .get(number + 1)
                        .and_then(|next| known.place(next))
                        .is_some()
                {
                    continue;
                }
                match place {
                    Some(place) if quoted => {
                        let words = arguments.get(place).map(Vec::as_slice);
                        replaced.push(quote(words.unwrap_or_default(), token));
                    }
                    Some(place) => {
                        // An argument is expanded before it is put in.
                        let argument = arguments.get(place).cloned().unwrap_or_default();
                        self.expand(&argument, hidden, &mut replaced)?;
                    }
                    None => replaced.push(Token {
                        at: token.at,
                        expansion: token.expansion,
                        ..one.clone()
                    }),
                }
                if replaced.len() > MOST_TOKENS {
                    return Err((token.at, format!("more than {MOST_TOKENS} words")));
                }
            }
            let mut replaced = pasted(replaced);
            replaced.iter_mut().for_each(|one| one.shown = shown);
            hidden.push(token.text.clone());
            self.expand(&replaced, hidden, out)?;
            hidden.pop();
        }
        Ok(())
    }

    fn directive(
        &mut self,
        tokens: &[Token],
        tight: bool,
        branches: &mut Vec<Branch>,
        depth: usize,
    ) {
        let Some(name) = tokens.first() else { return };
        let (rest, at) = (&tokens[1..], name.at);
        let active = branches.last().is_none_or(|branch| branch.active);
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let condition = active && self.condition(&name.text, rest, at);
                branches.push(Branch {
                    active: condition,
                    taken: condition,
                    outer: active,
                    at,
                });
            }
            "elif" | "else" => {
                let free = branches.last().is_some_and(|one| one.outer && !one.taken);
                let condition = free && (&*name.text == "else" || self.condition("if", rest, at));
                match branches.last_mut() {
                    Some(branch) => {
                        branch.active = condition;
                        branch.taken |= condition;
                    }
                    None => self.wrong(at, "there is no `#if` before this"),
                }
            }
            "endif" => {
                if branches.pop().is_none() {
                    self.wrong(at, "there is no `#if` before this");
                }
            }
            _ if !active => {}
            "define" => self.define(rest, tight, at),
            "undef" => {
                if let Some(name) = rest.first() {
                    if self.given.contains(&name.text) {
                        self.given_twice(name);
                    }
                    self.macros.remove(&name.text);
                }
            }
            "include" => self.include(rest, at, depth),
            // Marks of other preprocessors; `# 12 "file"` among them.
            "line" | "pragma" | "ident" | "warning" => {}
            "error" => self.wrong(at, "the text says that this is an error"),
            _ if name.kind == Kind::Number => {}
            other => self.wrong(at, format!("`#{other}` is not known")),
        }
    }

    fn define(&mut self, rest: &[Token], tight: bool, at: At) {
        let Some(name) = rest.first().filter(|name| name.kind == Kind::Name) else {
            return self.wrong(at, "a name was expected after `#define`");
        };
        let (mut parameters, mut body) = (None, &rest[1..]);
        if tight && body.first().is_some_and(|one| one.is("(")) {
            let Some(end) = body.iter().position(|one| one.is(")")) else {
                return self.wrong(at, "the parameters of the macro have no `)`");
            };
            let names = body[1..end].iter().filter(|one| one.kind == Kind::Name);
            parameters = Some(names.map(|one| one.text.clone()).collect());
            body = &body[end + 1..];
        }
        let one = Macro {
            parameters,
            body: body.to_vec(),
        };
        let before = self.macros.get(&name.text);
        if self.given.contains(&name.text) && !before.is_some_and(|given| given.says(&one)) {
            return self.given_twice(name);
        }
        self.macros.insert(name.text.clone(), one);
    }

    /// A macro from outside that the text has otherwise: neither of the two is what was asked.
    fn given_twice(&mut self, name: &Token) {
        let (source, word) = (&self.sources[name.at.file as usize], &name.text);
        let message = format!("`{word}` is given with `--define`, and the text has its own");
        let help = format!("write `#ifndef {word}` before this line and `#endif` after it");
        let mistake = Diagnostic::error("preprocessor", message).at(source, name.at.span, "");
        self.mistakes.push(mistake.help(help));
    }

    fn include(&mut self, rest: &[Token], at: At, depth: usize) {
        let Some(name) = rest.first().filter(|name| name.kind == Kind::Text) else {
            return self.wrong(at, "the name of a file in quotes was expected");
        };
        let path = name.text.trim_matches('"').to_owned();
        if depth >= DEEPEST || self.sources.len() >= 1000 {
            return self.wrong(at, "files include each other too deeply");
        }
        match self.files.read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.sources.push(Source::new(path, text));
                self.file((self.sources.len() - 1) as u16, depth + 1);
            }
            Err(why) => self.wrong(at, format!("`{path}` cannot be read: {why}")),
        }
    }

    /// Whether a condition is true; names that are no macros are 0.
    fn condition(&mut self, kind: &str, rest: &[Token], at: At) -> bool {
        if kind != "if" {
            let defined = rest
                .first()
                .is_some_and(|name| self.macros.contains_key(&name.text));
            return defined == (kind == "ifdef");
        }
        let mut known = Vec::new();
        let mut place = 0;
        while let Some(token) = rest.get(place) {
            place += 1;
            if !token.is("defined") {
                known.push(token.clone());
                continue;
            }
            let wrapped = rest.get(place).is_some_and(|one| one.is("("));
            place += usize::from(wrapped);
            let defined = rest
                .get(place)
                .is_some_and(|name| self.macros.contains_key(&name.text));
            place += 1 + usize::from(wrapped);
            known.push(Token {
                kind: Kind::Number,
                text: if defined { "1" } else { "0" }.into(),
                ..token.clone()
            });
        }
        let mut expanded = Vec::new();
        if let Err((at, message)) = self.expand(&known, &mut Vec::new(), &mut expanded) {
            self.wrong(at, message);
            return false;
        }
        let mut numbers = Numbers {
            tokens: &expanded,
            at: 0,
            depth: 0,
        };
        match numbers.level(0) {
            Some(value) if numbers.at == expanded.len() => value != 0,
            _ => {
                self.wrong(at, "this condition cannot be read");
                false
            }
        }
    }
}

/// The arguments of a macro or an inline from its `(` on, and where they end.
pub(crate) fn arguments_from(
    tokens: &[Token],
    open: usize,
    name: At,
) -> Result<(Vec<Vec<Token>>, usize), (At, String)> {
    let mut found = vec![Vec::new()];
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is("(") || token.is("[") || token.is("{") {
            depth += 1;
            if depth == 1 {
                continue;
            }
        } else if token.is(")") || token.is("]") || token.is("}") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Ok((found, at + 1));
            }
        } else if token.is(",") && depth == 1 {
            found.push(Vec::new());
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.push(token.clone());
        }
    }
    Err((name, "the arguments have no `)`".to_owned()))
}

/// Words in quotes: what `#` makes of an argument.
fn quote(words: &[Token], macro_name: &Token) -> Token {
    let words: Vec<&str> = words.iter().map(|word| &*word.text).collect();
    Token {
        kind: Kind::Text,
        text: format!("{:?}", words.join(" ")).into(),
        ..macro_name.clone()
    }
}

/// Words around `##` become one.
fn pasted(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is("##")) {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::new();
    let mut glue = false;
    for token in tokens {
        if token.is("##") {
            glue = true;
        } else if glue && let Some(last) = out.last_mut() {
            last.text = format!("{}{}", last.text, token.text).into();
            glue = false;
        } else {
            out.push(token);
        }
    }
    out
}
