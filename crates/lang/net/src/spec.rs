//! Nets with transfers in mist's `.spec`: `vars`, `rules`, `init`, `target`, `invariants`.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};

use crate::formula::{Formula, Linear};
use crate::net::{Assign, Guard, Net, Place, Transition};

/// Reads a net and its target.
pub(crate) fn read(source: &Source) -> Result<(Net, Formula), Vec<Diagnostic>> {
    let mut reader = Reader {
        source,
        tokens: tokens(source.text()),
        at: 0,
        net: Net::default(),
        names: HashMap::new(),
        errors: Vec::new(),
    };
    let target = reader.file();
    if reader.errors.is_empty() && reader.net.places.is_empty() {
        reader.wrong("no-vars", "there are no variables: expected `vars`");
    }
    match reader.errors.is_empty() {
        true => Ok((reader.net, target)),
        false => Err(reader.errors),
    }
}

/// Whether a text looks like one.
pub(crate) fn looks_like(text: &str) -> bool {
    let mut words = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let first = words.find(|line| !line.trim().is_empty());
    let first = first.and_then(|line| line.split_whitespace().next());
    first == Some("vars") && text.contains("rules") && text.contains("->")
}

const SECTIONS: [&str; 5] = ["vars", "rules", "init", "target", "invariants"];

/// Words, numbers and signs with their places, comments left out.
fn tokens(text: &str) -> Vec<(&str, Span)> {
    let mut all = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if word(bytes[at]) {
            while at < bytes.len() && word(bytes[at]) {
                at += 1;
            }
        } else if bytes[at] == b'#' {
            while at < bytes.len() && bytes[at] != b'\n' {
                at += 1;
            }
            continue;
        } else {
            at += match bytes.get(at..at + 2) {
                Some(b">=" | b"<=" | b"->") => 2,
                _ => 1,
            };
            if bytes[start].is_ascii_whitespace() {
                continue;
            }
        }
        all.push((&text[start..at], Span::new(start, at)));
    }
    all
}

struct Reader<'a> {
    source: &'a Source,
    tokens: Vec<(&'a str, Span)>,
    at: usize,
    net: Net,
    names: HashMap<&'a str, usize>,
    errors: Vec<Diagnostic>,
}

/// A mistake that has been noted.
struct Noted;

impl<'a> Reader<'a> {
    fn wrong(&mut self, code: &'static str, message: impl Into<String>) -> Noted {
        let end = self.source.text().len();
        let span = self
            .tokens
            .get(self.at)
            .map_or(Span::new(end, end), |token| token.1);
        if self.errors.len() < 50 {
            let wrong = Diagnostic::error(code, message).at(self.source, span, "");
            self.errors.push(wrong);
        }
        Noted
    }

    /// The next token.
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| token.0)
    }

    fn next(&mut self) -> Option<&'a str> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn take(&mut self, sign: &str) -> bool {
        let there = self.peek() == Some(sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Result<(), Noted> {
        match self.take(sign) {
            true => Ok(()),
            false => {
                let found = self.peek().unwrap_or("the end").to_owned();
                Err(self.wrong("syntax", format!("expected `{sign}`, not `{found}`")))
            }
        }
    }

    fn file(&mut self) -> Formula {
        let mut target = Vec::new();
        while let Some(section) = self.peek() {
            self.at += 1;
            let read = match section {
                "vars" => self.variables(),
                "rules" => self.rules(),
                "init" => self.start(),
                "target" => self.target().map(|more| target.extend(more)),
                "invariants" => {
                    while self.peek().is_some_and(|word| !SECTIONS.contains(&word)) {
                        self.at += 1;
                    }
                    Ok(())
                }
                other => {
                    self.at -= 1;
                    let message = format!("expected a section, not `{other}`");
                    let noted = self.wrong("syntax", message);
                    self.at += 1;
                    Err(noted)
                }
            };
            if read.is_err() {
                while self.peek().is_some_and(|word| !SECTIONS.contains(&word)) {
                    self.at += 1;
                }
            }
        }
        Formula::Any(target)
    }

    fn variables(&mut self) -> Result<(), Noted> {
        while let Some(name) = self.peek().filter(|word| !SECTIONS.contains(word)) {
            if !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
                return Err(self.wrong("syntax", format!("expected a variable, not `{name}`")));
            }
            if self.names.contains_key(name) {
                return Err(self.wrong("same-name", format!("`{name}` is there twice")));
            }
            self.names.insert(name, self.net.places.len());
            self.net.places.push(Place {
                id: name.to_owned(),
                label: name.to_owned(),
                least: 0,
                most: None,
            });
            self.at += 1;
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<usize, Noted> {
        let name = self.peek().unwrap_or("the end");
        match self.names.get(name) {
            Some(&place) => {
                self.at += 1;
                Ok(place)
            }
            None => Err(self.wrong("unknown-variable", format!("there is no variable `{name}`"))),
        }
    }

    fn number(&mut self) -> Result<u64, Noted> {
        let text = self.peek().unwrap_or("the end");
        match text.parse::<u32>() {
            Ok(number) => {
                self.at += 1;
                Ok(u64::from(number))
            }
            Err(_) => Err(self.wrong("syntax", format!("expected a number, not `{text}`"))),
        }
    }

    /// `x >= 2`, `x = 2`, `x <= 2` or `x in [2,3]`: at least and at most.
    fn bound(&mut self) -> Result<Guard, Noted> {
        let place = self.variable()?;
        let sign = self.next().unwrap_or("the end");
        let (least, most) = match sign {
            ">=" => (self.number()?, None),
            "<=" => (0, Some(self.number()?)),
            "=" => {
                let number = self.number()?;
                (number, Some(number))
            }
            "in" => {
                self.expect("[")?;
                let least = self.number()?;
                self.expect(",")?;
                let most = self.number()?;
                self.expect("]")?;
                (least, Some(most))
            }
            other => {
                self.at -= 1;
                let message = format!("expected `>=`, `=`, `<=` or `in`, not `{other}`");
                return Err(self.wrong("syntax", message));
            }
        };
        Ok(Guard { place, least, most })
    }

    fn start(&mut self) -> Result<(), Noted> {
        let (mut all, mut joined) = (Vec::new(), true);
        while self.peek().is_some_and(|word| !SECTIONS.contains(&word)) {
            let begin = self.at;
            let bound = self.bound()?;
            // Without a comma it might be meant as another start.
            if !joined && all.iter().any(|one: &Guard| one.place == bound.place) {
                self.at = begin;
                let message = "this variable has a bound: expected `,` before another one";
                return Err(self.wrong("syntax", message));
            }
            narrow(&mut all, bound);
            joined = self.take(",");
        }
        for bound in all {
            let place = &mut self.net.places[bound.place];
            place.least = place.least.max(bound.least);
            place.most = lesser(place.most, bound.most);
        }
        Ok(())
    }

    /// Bounds that hold together are joined by commas; what follows without one is another way.
    fn target(&mut self) -> Result<Vec<Formula>, Noted> {
        let mut any = Vec::new();
        while self.peek().is_some_and(|word| !SECTIONS.contains(&word)) {
            let mut all = Vec::new();
            loop {
                let bound = self.bound()?;
                all.extend(at_least(&bound));
                if !self.take(",") {
                    break;
                }
            }
            any.push(Formula::All(all));
        }
        Ok(any)
    }

    fn rules(&mut self) -> Result<(), Noted> {
        while self.peek().is_some_and(|word| !SECTIONS.contains(&word)) {
            self.rule()?;
        }
        Ok(())
    }

    fn rule(&mut self) -> Result<(), Noted> {
        let start = self
            .tokens
            .get(self.at)
            .map_or(Span::default(), |token| token.1);
        let id = format!("rule{}", self.net.transitions.len() + 1);
        let mut rule = Transition {
            label: id.clone(),
            id,
            ..Transition::default()
        };
        while self.peek() != Some("->") {
            let bound = self.bound()?;
            narrow(&mut rule.guard, bound);
            if !self.take(",") {
                break;
            }
        }
        self.expect("->")?;
        while self.peek().is_some_and(|word| word != ";") {
            self.update(&mut rule)?;
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        rule.span = start;
        self.net.transitions.push(rule);
        Ok(())
    }

    /// `x' = y + z - 1`.
    fn update(&mut self, rule: &mut Transition) -> Result<(), Noted> {
        let place = self.variable()?;
        self.expect("'")?;
        self.expect("=")?;
        let known = rule.effect.iter().map(|one| one.0);
        if known
            .chain(rule.assign.iter().map(|one| one.place))
            .any(|one| one == place)
        {
            return Err(self.wrong("twice", "this variable is changed twice in one rule"));
        }
        let mut sum = Vec::new();
        let mut plus = 0_i64;
        let mut sign = if self.take("-") { -1 } else { 1 };
        loop {
            let is_name = self
                .peek()
                .is_some_and(|word| self.names.contains_key(word));
            if is_name {
                sum.push(self.variable()?);
                if sign < 0 {
                    return Err(self.wrong("negative", "variables are added, not subtracted"));
                }
            } else {
                plus += sign * self.number()? as i64;
            }
            sign = match self.peek() {
                Some("+") => 1,
                Some("-") => -1,
                _ => break,
            };
            self.at += 1;
        }
        if sum == [place] {
            if plus < 0 {
                let least = plus.unsigned_abs();
                narrow(
                    &mut rule.guard,
                    Guard {
                        place,
                        least,
                        most: None,
                    },
                );
            }
            if plus != 0 {
                rule.effect.push((place, plus));
            }
        } else {
            rule.assign.push(Assign { place, sum, plus });
        }
        Ok(())
    }
}

/// Adds a bound to a guard that may have one of the same place.
fn narrow(guard: &mut Vec<Guard>, bound: Guard) {
    match guard.iter_mut().find(|one| one.place == bound.place) {
        Some(one) => {
            one.least = one.least.max(bound.least);
            one.most = lesser(one.most, bound.most);
        }
        None => guard.push(bound),
    }
}

/// The lesser of two limits, either of which may be missing.
fn lesser(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn at_least(bound: &Guard) -> Vec<Formula> {
    let mut all = vec![Formula::AtLeast(Linear {
        terms: vec![(bound.place, 1)],
        least: bound.least as i64,
    })];
    if let Some(most) = bound.most {
        all.push(Formula::AtLeast(Linear {
            terms: vec![(bound.place, -1)],
            least: -(most as i64),
        }));
    }
    all
}
