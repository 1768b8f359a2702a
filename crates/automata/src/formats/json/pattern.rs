//! Letters written as regular expressions: `a|b`, or `(.*),\1` for a pair that copies.
//!
//! The usual syntax of programming languages, matched against whole texts: characters, `.`,
//! classes, groups with or without names, `|`, `*`, `+`, `?`, `{m,n}` and references back to
//! groups. Texts are names of letters, so a plain search with a limit on its steps will do.

/// A regular expression.
#[derive(Debug)]
pub(super) struct Pattern {
    root: Node,
    groups: usize,
}

#[derive(Debug)]
enum Node {
    Character(char),
    Any,
    Class {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Group(usize, Box<Node>),
    Repeat(Box<Node>, u32, Option<u32>),
    Back(usize),
}

/// Whether a text has characters that only an expression has.
pub(super) fn is_expression(text: &str) -> bool {
    text.contains(['.', '*', '+', '?', '|', '(', '\\', '[', '{', '^', '$'])
}

/// Groups nested deeper than this are refused.
const DEEPEST: usize = 50;

/// How many steps one match may take, and how many of them inside each other.
const MOST_STEPS: u32 = 100_000;
const MOST_INSIDE: u32 = 1000;

impl Pattern {
    /// Reads an expression; the error says what is wrong.
    pub(super) fn parse(text: &str) -> Result<Pattern, String> {
        let mut parser = Parser {
            characters: text.chars().collect(),
            at: 0,
            names: Vec::new(),
            groups: 0,
        };
        let root = parser.choice(0)?;
        match parser.next() {
            None => Ok(Pattern {
                root,
                groups: parser.groups,
            }),
            Some(c) => Err(format!("`{c}` has no partner")),
        }
    }

    /// Whether a whole text matches; nothing if that takes too many steps.
    pub(super) fn matches(&self, text: &str) -> Option<bool> {
        let text: Vec<char> = text.chars().collect();
        let mut search = Search {
            text: &text,
            groups: vec![None; self.groups],
            steps: 0,
            inside: 0,
        };
        let matched = search.node(&self.root, 0, &mut |search, at| at == search.text.len());
        (search.steps < MOST_STEPS).then_some(matched)
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    /// The names of groups, with their numbers.
    names: Vec<(String, usize)>,
    groups: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.characters.get(self.at - 1).copied()
    }

    fn eats(&mut self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let found = self.characters[self.at.min(self.characters.len())..].starts_with(&text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn choice(&mut self, depth: usize) -> Result<Node, String> {
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        let mut ways = vec![self.sequence(depth)?];
        while self.eats("|") {
            ways.push(self.sequence(depth)?);
        }
        Ok(match ways.len() {
            1 => ways.remove(0),
            _ => Node::Choice(ways),
        })
    }

    fn sequence(&mut self, depth: usize) -> Result<Node, String> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            // The whole text is matched anyway.
            if self.eats("^") || self.eats("$") {
                continue;
            }
            let item = self.item(depth)?;
            parts.push(self.repeated(item)?);
        }
        Ok(Node::Sequence(parts))
    }

    fn repeated(&mut self, mut item: Node) -> Result<Node, String> {
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => {
                    let (least, most) = self.bounds()?;
                    item = Node::Repeat(Box::new(item), least, most);
                    continue;
                }
                _ => return Ok(item),
            };
            self.at += 1;
            // A second `?` or `+` says in which order to search, which does not matter here.
            let _ = self.eats("?") || self.eats("+");
            item = Node::Repeat(Box::new(item), least, most);
        }
    }

    fn bounds(&mut self) -> Result<(u32, Option<u32>), String> {
        let start = self.at + 1;
        let length = self.characters[start..].iter().position(|&c| c == '}');
        let end = start + length.ok_or("`{` has no partner")?;
        let inside: String = self.characters[start..end].iter().collect();
        self.at = end + 1;
        let number = |text: &str| text.trim().parse().map_err(|_| format!("`{{{inside}}}`"));
        match inside.split_once(',') {
            None => number(&inside).map(|count| (count, Some(count))),
            Some((least, "")) => Ok((number(least)?, None)),
            Some((least, most)) => Ok((number(least)?, Some(number(most)?))),
        }
    }

    fn item(&mut self, depth: usize) -> Result<Node, String> {
        match self.next() {
            Some('.') => Ok(Node::Any),
            Some('(') => self.group(depth),
            Some('[') => self.class(),
            Some('\\') => self.escaped(),
            Some(c @ ('*' | '+' | '?')) => Err(format!("`{c}` repeats nothing")),
            Some(c) => Ok(Node::Character(c)),
            None => Err("it ends too early".to_owned()),
        }
    }

    fn group(&mut self, depth: usize) -> Result<Node, String> {
        if self.eats("?P=") {
            let name = self.name(')')?;
            return self.back(&name);
        }
        let number = if self.eats("?:") {
            None
        } else {
            self.groups += 1;
            if self.eats("?P<") || self.eats("?<") {
                let name = self.name('>')?;
                self.names.push((name, self.groups - 1));
            } else if self.eats("?") {
                return Err("groups with `?` are `(?:…)`, `(?<name>…)` and `(?P=name)`".to_owned());
            }
            Some(self.groups - 1)
        };
        let inside = self.choice(depth + 1)?;
        match (self.eats(")"), number) {
            (false, _) => Err("`(` has no partner".to_owned()),
            (true, Some(number)) => Ok(Node::Group(number, Box::new(inside))),
            (true, None) => Ok(inside),
        }
    }

    fn name(&mut self, end: char) -> Result<String, String> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some(c) if c == end => return Ok(name),
                Some(c) => name.push(c),
                None => return Err(format!("`{end}` is missing after a name")),
            }
        }
    }

    fn back(&self, name: &str) -> Result<Node, String> {
        let known = self.names.iter().find(|(known, _)| known == name);
        let number = match name.parse::<usize>() {
            Ok(number) => (1..=self.groups).contains(&number).then(|| number - 1),
            Err(_) => known.map(|&(_, number)| number),
        };
        number
            .map(Node::Back)
            .ok_or_else(|| format!("there is no group `{name}` before"))
    }

    fn escaped(&mut self) -> Result<Node, String> {
        let class = |ranges: &[(char, char)], negated| {
            Ok(Node::Class {
                ranges: ranges.to_vec(),
                negated,
            })
        };
        match self.next() {
            Some('k') if self.eats("<") => {
                let name = self.name('>')?;
                self.back(&name)
            }
            Some(c @ '1'..='9') => self.back(&c.to_string()),
            Some(c @ ('d' | 'D')) => class(&DIGITS, c == 'D'),
            Some(c @ ('w' | 'W')) => class(&WORDS, c == 'W'),
            Some(c @ ('s' | 'S')) => class(&BLANKS, c == 'S'),
            Some(c) if !c.is_alphanumeric() => Ok(Node::Character(c)),
            Some(c) => Err(format!("`\\{c}` is not known")),
            None => Err("it ends too early".to_owned()),
        }
    }

    fn class(&mut self) -> Result<Node, String> {
        let negated = self.eats("^");
        let mut ranges = Vec::new();
        loop {
            let first = match self.next() {
                Some(']') if !ranges.is_empty() => return Ok(Node::Class { ranges, negated }),
                Some('\\') => match self.escaped()? {
                    Node::Character(c) => c,
                    Node::Class {
                        ranges: more,
                        negated: false,
                    } => {
                        ranges.extend(more);
                        continue;
                    }
                    _ => return Err("only characters stand in `[…]`".to_owned()),
                },
                Some(c) => c,
                None => return Err("`[` has no partner".to_owned()),
            };
            let is_range = self.peek() == Some('-')
                && self.characters.get(self.at + 1).is_some_and(|&c| c != ']');
            let last = match is_range {
                true => {
                    self.at += 2;
                    self.characters[self.at - 1]
                }
                false => first,
            };
            ranges.push((first, last));
        }
    }
}

const DIGITS: [(char, char); 1] = [('0', '9')];
const WORDS: [(char, char); 4] = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
const BLANKS: [(char, char); 3] = [(' ', ' '), ('\t', '\t'), ('\n', '\r')];

struct Search<'a> {
    text: &'a [char],
    groups: Vec<Option<(usize, usize)>>,
    steps: u32,
    inside: u32,
}

/// What must match after the part at hand, from a place on.
type Rest<'r> = &'r mut dyn FnMut(&mut Search<'_>, usize) -> bool;

impl Search<'_> {
    fn node(&mut self, node: &Node, at: usize, rest: Rest<'_>) -> bool {
        self.steps += 1;
        if self.inside >= MOST_INSIDE {
            self.steps = MOST_STEPS;
        }
        if self.steps >= MOST_STEPS {
            return false;
        }
        self.inside += 1;
        let matched = self.one_of(node, at, rest);
        self.inside -= 1;
        matched
    }

    fn one_of(&mut self, node: &Node, at: usize, rest: Rest<'_>) -> bool {
        let here = self.text.get(at).copied();
        match node {
            Node::Character(c) => here == Some(*c) && rest(self, at + 1),
            Node::Any => here.is_some() && rest(self, at + 1),
            Node::Class { ranges, negated } => {
                let inside =
                    here.map(|c| ranges.iter().any(|&(from, to)| (from..=to).contains(&c)));
                inside.is_some_and(|inside| inside != *negated) && rest(self, at + 1)
            }
            Node::Sequence(parts) => self.sequence(parts, at, rest),
            Node::Choice(ways) => ways.iter().any(|way| self.node(way, at, rest)),
            Node::Group(number, inside) => {
                let before = self.groups[*number];
                let matched = self.node(inside, at, &mut |search, end| {
                    let outer = search.groups[*number].replace((at, end));
                    let matched = rest(search, end);
                    if !matched {
                        search.groups[*number] = outer;
                    }
                    matched
                });
                if !matched {
                    self.groups[*number] = before;
                }
                matched
            }
            Node::Repeat(inside, least, most) => self.repeat(inside, *least, *most, at, rest),
            Node::Back(number) => {
                let Some((from, to)) = self.groups[*number] else {
                    return false;
                };
                let length = to - from;
                self.text[at..].starts_with(&self.text[from..to]) && rest(self, at + length)
            }
        }
    }

    fn sequence(&mut self, parts: &[Node], at: usize, rest: Rest<'_>) -> bool {
        match parts.split_first() {
            None => rest(self, at),
            Some((first, others)) => self.node(first, at, &mut |search, at| {
                search.sequence(others, at, rest)
            }),
        }
    }

    fn repeat(
        &mut self,
        inside: &Node,
        least: u32,
        most: Option<u32>,
        at: usize,
        rest: Rest<'_>,
    ) -> bool {
        if most != Some(0) {
            let more = self.node(inside, at, &mut |search, next| {
                // Once around without a character is enough, or there is no end.
                if next == at && least == 0 {
                    return false;
                }
                let most = most.map(|most| most - 1);
                search.repeat(inside, least.saturating_sub(1), most, next, rest)
            });
            if more {
                return true;
            }
        }
        least == 0 && rest(self, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(text).unwrap()
    }

    #[test]
    fn expressions_match_whole_texts() {
        for (pattern, text, expected) in [
            ("a|bc", "bc", true),
            ("a|bc", "b", false),
            ("(.*),\\1", "ab,ab", true),
            ("(.*),\\1", "ab,ba", false),
            ("(?P<x>[^,]*),(?P=x)", "t,t", true),
            ("(?<x>.)(?<y>.),\\k<y>\\k<x>", "ab,ba", true),
            ("(?:a|b)+,c?", "abba,", true),
            ("(?:a|b)+,c?", "abba,cc", false),
            ("a{2,3}", "a", false),
            ("a{2,3}", "aaa", true),
            ("a{2,3}", "aaaa", false),
            ("[\\d_x-z]*", "4_y", true),
            ("[\\d_x-z]*", "4-y", false),
            ("\\w+\\.\\w+", "a.b", true),
            ("^a$", "a", true),
            ("(a*)*", "aaa", true),
            ("(|a)+b", "aab", true),
            ("", "", true),
            ("(a)|\\1b", "b", false),
            ("((a)|b)*,\\2", "ab,a", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn mistakes_are_told_and_endless_searches_end() {
        for pattern in [
            "(a", "a)", "*", "[a", "a{2", "a{x}", "\\2", "(?P=x)", "\\q", "(?!a)", "\\",
        ] {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
        let deep = "(".repeat(1000);
        assert!(Pattern::parse(&deep).is_err());
        let slow = Pattern::parse("(a*)*(a*)*(a*)*b").unwrap();
        assert_eq!(slow.matches(&"a".repeat(40)), None);
        let endless = Pattern::parse("(|a){99999}").unwrap();
        assert_eq!(endless.matches("a"), None);
        let long = Pattern::parse(".*").unwrap();
        assert_eq!(long.matches(&"a".repeat(100_000)), None);
    }
}
