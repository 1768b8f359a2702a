//! Questions as lines of a `.net` file: `check NAME : FORMULA` and `bound NAME : SUM`.
//!
//! Formulas are those of the other languages (`AG`, `EF`, `G`, `U`, …) over comparisons of sums of
//! tokens (`a + 2*b <= 3`), `can(t)` and `deadlock`.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Binary, Formula as Time, Kind, Unary, parse};

use crate::formula::{Formula, Linear, Question, Temporal};
use crate::fragment::is_branching;
use crate::net::Net;
use crate::properties::{Asked, fireable, names};
use crate::simplify;

/// The most conditions of a formula.
const MOST_ATOMS: usize = 10_000;

/// Reads the questions of a file about its net.
pub(crate) fn read(source: &Source, net: &Net) -> Result<Vec<Asked>, Vec<Diagnostic>> {
    let names = Names::of(net);
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    let mut taken = HashSet::new();
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let begin = at + line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        at += line.len();
        let line = line.trim();
        let word = line.split_whitespace().next();
        let bound = word == Some("bound");
        if !bound && word != Some("check") {
            continue;
        }
        let span = Span::new(begin, end);
        let Some((head, _)) = line.split_once(':') else {
            let error = Diagnostic::error("no-colon", "expected `:` between name and question");
            let help = "write `check safe : AG (a + b <= 1)`";
            wrong.push(error.at(source, span, "").help(help));
            continue;
        };
        let name = head[5..].trim();
        if name.is_empty() || !taken.insert(name.to_owned()) {
            let error = Diagnostic::error("name", "a question needs a name of its own");
            wrong.push(error.at(source, span, ""));
            continue;
        }
        let text = &line[head.len() + 1..];
        // The same text with all else blank, so that places are those of the file.
        let blank = |letter: u8| if letter == b'\n' { '\n' } else { ' ' };
        let before = begin + head.len() + 1;
        let mut alone: String = source.text()[..before].bytes().map(blank).collect();
        alone.push_str(text);
        let alone = Source::new(source.name(), alone);
        match names.question(&alone, before, bound) {
            Ok((kind, question)) => all.push(Asked {
                name: name.to_owned(),
                text: text.trim().to_owned(),
                kind,
                question,
                span: Some(span),
            }),
            Err(error) => wrong.push(shown_in(source, error)),
        }
    }
    match wrong.is_empty() {
        true => Ok(all),
        false => Err(wrong),
    }
}

/// A question that stands by itself: a formula, or `bound` and a sum. `known` are the names of others, one of
/// which may be meant.
pub(crate) fn alone<'a>(
    source: &Source,
    net: &Net,
    known: impl IntoIterator<Item = &'a str>,
) -> Result<Asked, Diagnostic> {
    let text = source.text();
    let sum = text.trim_start().strip_prefix("bound ");
    let start = text.len() - sum.unwrap_or(text).len();
    let is_word = |letter: char| letter.is_alphanumeric() || "_-.'".contains(letter);
    if sum.is_none() && text.trim() != "deadlock" && text.trim().chars().all(is_word) {
        return Err(no_such(text.trim(), known));
    }
    // What comes before the sum is no part of it.
    let blank: String = text[..start].bytes().map(|_| ' ').collect();
    let alone = Source::new(source.name(), format!("{blank}{}", &text[start..]));
    let read = Names::of(net).question(&alone, start, sum.is_some());
    let (kind, question) = read.map_err(|error| shown_in(source, error))?;
    Ok(Asked {
        name: text.to_owned(),
        text: text.trim().to_owned(),
        kind,
        question,
        span: None,
    })
}

/// An error in a text that has blanks where this one has more: people are shown what is there.
fn shown_in(source: &Source, mut error: Diagnostic) -> Diagnostic {
    error.source = error.source.map(|_| source.clone());
    error
}

fn no_such<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let message = format!("there is no property `{name}`, and it is no formula");
    Diagnostic::error("no-such-property", message)
        .did_you_mean(name, known)
        .help("a formula compares tokens: `AG (a + b <= 1)`, `G (can(t) -> F a > 0)`; `bound a + b` asks how many there are at most")
}

struct Names<'a> {
    places: HashMap<&'a str, usize>,
    transitions: HashMap<&'a str, Formula>,
}

/// A sum of places by factor, and a number.
type Sum = (Vec<(usize, i64)>, i64);

impl<'a> Names<'a> {
    /// Names are ids; what something is called is a name, too, where it is nobody's id.
    fn of(net: &'a Net) -> Names<'a> {
        let places = net.places.iter().map(|one| (&*one.id, &*one.label));
        Names {
            places: names(places),
            transitions: fireable(net),
        }
    }
}

impl Names<'_> {
    fn question(
        &self,
        source: &Source,
        start: usize,
        bound: bool,
    ) -> Result<(&'static str, Question), Diagnostic> {
        if bound {
            let mut reader = Reader::new(self, source, start);
            let (terms, number) = reader.sum()?;
            reader.space();
            if reader.at < source.text().len() || number != 0 {
                return Err(reader.expected("a sum of places"));
            }
            // What is counted are tokens: a difference may be below zero everywhere.
            if terms.iter().any(|term| term.1 < 0) {
                let span = Span::new(start, source.text().len());
                let message = "a bound is one of tokens, which are not taken away";
                let error = Diagnostic::error("negative", message).at(source, span, "");
                return Err(error.help("ask `check NAME : AG (a - b <= 3)` about a difference"));
            }
            return Ok(("bound", Question::Most(terms)));
        }
        let formula = parse(source, |source, at| {
            let mut reader = Reader::new(self, source, at);
            let condition = reader.condition()?;
            Ok(condition.map(|condition| (condition, reader.at)))
        })
        .map_err(|error| self.with_braces(error, &source.text()[start..]))?;
        let (mut atoms, mut linear) = (Vec::new(), true);
        let time = numbered(&formula, &mut atoms, &mut linear);
        let time = time.filter(|_| atoms.len() <= MOST_ATOMS);
        let Some(time) = time else {
            let span = Span::new(start, source.text().len());
            let error = Diagnostic::error("formula", "this formula is not read for nets");
            let note = "intervals, operators of the past and holes are not offered";
            return Err(error.at(source, span, "").note(note));
        };
        if let Kind::Unary(quantifier @ (Unary::ForAll | Unary::Exists), path) = &time.kind
            && let Kind::Unary(operator, inner) = &path.kind
            && let Some(condition) = condition_of(inner, &atoms)
        {
            match (quantifier, operator) {
                (Unary::ForAll, Unary::Globally(None)) => {
                    return Ok(("invariant", Question::Always(condition)));
                }
                (Unary::Exists, Unary::Finally(None)) => {
                    return Ok(("reachable", Question::Possible(condition)));
                }
                _ => {}
            }
        }
        if !linear && !is_branching(&time) {
            let span = Span::new(start, source.text().len());
            let error = Diagnostic::error("formula", "this formula is neither LTL nor CTL");
            let help = "put `A` or `E` before each operator on runs, or before none";
            return Err(error.at(source, span, "").help(help));
        }
        let kind = match linear {
            true => "LTL",
            false => "CTL",
        };
        let temporal = Temporal {
            formula: time,
            atoms,
            linear,
        };
        Ok((kind, simplify::question(&temporal)))
    }
}

/// Words of formulas that may be names, too.
const OPERATORS: [&str; 22] = [
    "A", "E", "G", "F", "X", "U", "W", "R", "V", "AG", "AF", "AX", "EG", "EF", "EX", "not", "and",
    "or", "xor", "true", "false", "deadlock",
];

impl Names<'_> {
    /// An error with what to do if a name in the text is taken for an operator.
    fn with_braces(&self, error: Diagnostic, text: &str) -> Diagnostic {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = text.split(|letter: char| !is_part(letter) && letter != '{');
        let taken = |word: &&str| OPERATORS.contains(word) && self.places.contains_key(word);
        match words.find(taken) {
            Some(word) => error.help(format!(
                "the place `{word}` is called as an operator is: write `{{{word}}}` for the place"
            )),
            None => error,
        }
    }
}

/// The formula over numbers of conditions; says whether no quantifier is in it.
fn numbered(
    formula: &Time<Formula>,
    atoms: &mut Vec<Formula>,
    linear: &mut bool,
) -> Option<Time<u32>> {
    let kind = match &formula.kind {
        Kind::Constant(value) => Kind::Constant(*value),
        Kind::Atom(condition) => {
            let known = atoms.iter().take(64).position(|one| one == condition);
            let number = known.unwrap_or_else(|| {
                atoms.push(condition.clone());
                atoms.len() - 1
            });
            Kind::Atom(u32::try_from(number).ok()?)
        }
        Kind::Placeholder(_) => return None,
        Kind::Unary(operator, inner) => {
            match operator {
                Unary::ForAll | Unary::Exists => *linear = false,
                Unary::Not | Unary::Next | Unary::Finally(None) | Unary::Globally(None) => {}
                _ => return None,
            }
            Kind::Unary(*operator, Box::new(numbered(inner, atoms, linear)?))
        }
        Kind::Binary(operator, left, right) => {
            let left = numbered(left, atoms, linear)?;
            let right = numbered(right, atoms, linear)?;
            let pair = |operator, left, right| Time::binary(operator, left, right).kind;
            match operator {
                Binary::And | Binary::Or | Binary::Until(None) => pair(*operator, left, right),
                Binary::Implies => pair(Binary::Or, !left, right),
                Binary::Iff | Binary::Xor => {
                    let same = *operator == Binary::Iff;
                    let other = if same { right.clone() } else { !right.clone() };
                    let opposite = !other.clone();
                    let both = Time::binary(Binary::And, left.clone(), other);
                    pair(Binary::Or, both, Time::binary(Binary::And, !left, opposite))
                }
                Binary::Release | Binary::WeakUntil if *linear => pair(*operator, left, right),
                _ => return None,
            }
        }
    };
    Some(Time::new(kind, formula.span))
}

/// A formula without operators on runs as a condition.
fn condition_of(formula: &Time<u32>, atoms: &[Formula]) -> Option<Formula> {
    let both = |left: &Time<u32>, right: &Time<u32>| {
        Some(vec![
            condition_of(left, atoms)?,
            condition_of(right, atoms)?,
        ])
    };
    Some(match &formula.kind {
        Kind::Constant(value) => Formula::Truth(*value),
        Kind::Atom(number) => atoms.get(*number as usize)?.clone(),
        Kind::Unary(Unary::Not, inner) => Formula::Not(Box::new(condition_of(inner, atoms)?)),
        Kind::Binary(Binary::And, left, right) => Formula::All(both(left, right)?),
        Kind::Binary(Binary::Or, left, right) => Formula::Any(both(left, right)?),
        _ => return None,
    })
}

/// A name as it is written.
struct Word<'a> {
    text: &'a str,
    span: Span,
    /// What stands in braces is a name, whatever it looks like.
    braces: bool,
}

impl Word<'_> {
    /// The number that it is, unless braces make it a name.
    fn number(&self) -> Option<i64> {
        let text = Some(self.text).filter(|_| !self.braces);
        text.and_then(|text| text.parse().ok())
    }
}

/// Reads conditions and sums.
struct Reader<'a> {
    names: &'a Names<'a>,
    source: &'a Source,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(names: &'a Names<'a>, source: &'a Source, at: usize) -> Reader<'a> {
        Reader { names, source, at }
    }

    fn rest(&self) -> &'a str {
        self.source.text().get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let end = (self.at + 1).min(self.source.text().len().max(self.at));
        let span = Span::new(self.at.min(end), end);
        Diagnostic::error("syntax", format!("expected {what}")).at(self.source, span, "")
    }

    /// A name: letters, digits, `_`, `.`, `'`, or anything in braces.
    fn name(&mut self) -> Option<Word<'a>> {
        self.space();
        let (start, rest) = (self.at, self.rest());
        if let Some(inner) = rest.strip_prefix('{') {
            let end = inner.find('}')?;
            self.at += end + 2;
            return Some(Word {
                text: &inner[..end],
                span: Span::new(start, self.at),
                braces: true,
            });
        }
        let fits = |letter: char| letter.is_alphanumeric() || "_.'".contains(letter);
        let end = rest.find(|letter| !fits(letter)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| Word {
            text: &rest[..end],
            span: Span::new(start, self.at),
            braces: false,
        })
    }

    fn unknown(&self, what: &str, name: &Word<'_>) -> Diagnostic {
        let mut known: Vec<&str> = match what {
            "place" => self.names.places.keys().copied().collect(),
            _ => self.names.transitions.keys().copied().collect(),
        };
        known.sort_unstable();
        let message = format!("there is no {what} `{}`", name.text);
        Diagnostic::error("unknown-name", message)
            .at(self.source, name.span, "")
            .did_you_mean(name.text, known)
    }

    /// A condition on a marking, if one begins here.
    fn condition(&mut self) -> Result<Option<Formula>, Diagnostic> {
        let start = self.at;
        let name = self.name();
        match name.as_ref().map(|name| (name.text, name.braces)) {
            None if !self.rest().starts_with('-') => return Ok(None),
            Some(("deadlock", false)) if !self.names.places.contains_key("deadlock") => {
                return Ok(Some(Formula::Dead));
            }
            Some(("can", false)) if self.eat("(") => {
                let Some(name) = self.name() else {
                    return Err(self.expected("the name of a transition"));
                };
                let transition = self.names.transitions.get(name.text).cloned();
                let transition = transition.ok_or_else(|| self.unknown("transition", &name))?;
                if !self.eat(")") {
                    return Err(self.expected("`)`"));
                }
                return Ok(Some(transition));
            }
            _ => self.at = start,
        }
        let left = self.sum()?;
        let signs = [">=", "<=", "==", "!=", ">", "<", "="];
        let Some(sign) = signs.into_iter().find(|sign| self.eat(sign)) else {
            return Err(self.expected("a comparison such as `>=`"));
        };
        let right = self.sum()?;
        let compared = |least, most, more| {
            at_least(least, most, more).ok_or_else(|| self.expected("smaller numbers"))
        };
        Ok(Some(match sign {
            ">=" => compared(&left, &right, 0)?,
            "<=" => compared(&right, &left, 0)?,
            ">" => compared(&left, &right, 1)?,
            "<" => compared(&right, &left, 1)?,
            sign => {
                let both = vec![compared(&left, &right, 0)?, compared(&right, &left, 0)?];
                match sign {
                    "!=" => Formula::Not(Box::new(Formula::All(both))),
                    _ => Formula::All(both),
                }
            }
        }))
    }

    fn sum(&mut self) -> Result<Sum, Diagnostic> {
        let (mut terms, mut number) = (HashMap::new(), 0_i64);
        let mut sign = if self.eat("-") { -1 } else { 1 };
        loop {
            let Some(word) = self.name() else {
                return Err(self.expected("a place or a number"));
            };
            let value = word.number();
            let (mut factor, mut place) = (sign, Some(word));
            if let Some(value) = value {
                if value > i64::from(i32::MAX) {
                    return Err(self.expected("a number of at most 2147483647"));
                }
                factor *= value;
                place = None;
                if self.eat("*") {
                    place = self.name().filter(|name| name.number().is_none());
                    if place.is_none() {
                        return Err(self.expected("a place"));
                    }
                }
            }
            match place {
                None => number = number.saturating_add(factor),
                Some(name) => {
                    let place = self.names.places.get(name.text).copied();
                    let place = place.ok_or_else(|| self.unknown("place", &name))?;
                    let sum: &mut i64 = terms.entry(place).or_default();
                    *sum = sum.saturating_add(factor);
                }
            }
            sign = match (self.eat("+"), self.rest().starts_with("->")) {
                (true, _) => 1,
                (false, false) if self.eat("-") => -1,
                _ => break,
            };
        }
        let mut terms: Vec<(usize, i64)> = terms.into_iter().filter(|term| term.1 != 0).collect();
        terms.sort_unstable();
        Ok((terms, number))
    }
}

/// One sum is at least another and something more.
fn at_least(left: &Sum, right: &Sum, more: i64) -> Option<Formula> {
    let mut terms: HashMap<usize, i64> = left.0.iter().copied().collect();
    for &(place, factor) in &right.0 {
        let sum = terms.entry(place).or_default();
        *sum = sum.checked_sub(factor)?;
    }
    let mut terms: Vec<(usize, i64)> = terms.into_iter().filter(|term| term.1 != 0).collect();
    terms.sort_unstable();
    let least = right.1.checked_sub(left.1)?.checked_add(more)?;
    Some(Formula::AtLeast(Linear { terms, least }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: &str = "pl a (2)\ntr go a -> b\ntr back b -> a\n";

    fn asked(lines: &str) -> Result<Vec<Asked>, Vec<Diagnostic>> {
        let source = Source::new("t.net", format!("{NET}{lines}"));
        let net = crate::tina::read(&source).unwrap();
        read(&source, &net)
    }

    #[test]
    fn lines_are_questions() {
        let all = asked(
            "check sum : AG (a + b = 2)\ncheck far : EF b >= 2 & !can(go)\ncheck ltl : G (F a > 0 -> F b != 7)\n\
             check ctl : AG EF deadlock\nbound most : a + 2*b\n",
        )
        .unwrap();
        let kinds: Vec<&str> = all.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, ["invariant", "CTL", "LTL", "CTL", "bound"]);
        assert_eq!(all[4].question, Question::Most(vec![(0, 1), (1, 2)]));
        let sum = |marking: &[u64]| match &all[0].question {
            Question::Always(one) => one.holds(&Net::default(), marking),
            _ => false,
        };
        assert!(sum(&[1, 1]) && sum(&[0, 2]) && !sum(&[1, 0]));
    }

    #[test]
    fn mistakes_are_all_told_where_they_are() {
        let wrong = asked(
            "check one : AG c > 0\ncheck two : AG a\ncheck three AG a > 0\ncheck one : EF a > 1\n\
             check four : EF can(og)\nbound five : 3\ncheck six : A G F a > 0 & E F b > 0\n",
        )
        .unwrap_err();
        let codes: Vec<&str> = wrong.iter().map(|one| one.code).collect();
        let expected = [
            "unknown-name",
            "syntax",
            "no-colon",
            "name",
            "unknown-name",
            "syntax",
            "formula",
        ];
        assert_eq!(codes, expected, "{wrong:?}");
    }

    #[test]
    fn mistakes_are_shown_in_the_text_as_it_is() {
        let wrong = asked("check one : AG c > 0\n").unwrap_err();
        let source = wrong[0].source.as_ref().unwrap();
        assert!(source.text().contains("check one : AG c > 0"));
    }
}
