//! Sets of words: `1(11)*`, as positions and what may follow them (Glushkov 1961).

use crate::layout::is_symbol;
use crate::linear::Argument;
use crate::machine::Symbol;

/// A regular expression over symbols, as its positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern<S> {
    /// The letter at each position.
    pub(crate) letters: Vec<S>,
    /// The positions that words begin with.
    pub(crate) first: Vec<usize>,
    /// The positions that words end with.
    pub(crate) last: Vec<usize>,
    /// What may follow each position.
    pub(crate) follow: Vec<Vec<usize>>,
    /// Whether the empty word is one of them.
    pub(crate) empty: bool,
}

/// The most letters of a pattern.
const LETTERS: usize = 200;

/// The most nested parentheses of a pattern.
const DEPTH: usize = 60;

/// A part of a pattern: how its words begin and end.
struct Part {
    first: Vec<usize>,
    last: Vec<usize>,
    empty: bool,
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    letters: Vec<char>,
    follow: Vec<Vec<usize>>,
}

impl Pattern<char> {
    /// Reads a pattern of letters, `(…)`, `|`, `*`, `+` and `?`; else what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Pattern<char>, String> {
        let mut reader = Reader {
            rest: text.chars().peekable(),
            letters: Vec::new(),
            follow: Vec::new(),
        };
        let part = reader.alternatives(0)?;
        if let Some(letter) = reader.rest.next() {
            return Err(format!("`{letter}` has no partner"));
        }
        for follow in &mut reader.follow {
            follow.sort_unstable();
            follow.dedup();
        }
        Ok(Pattern {
            letters: reader.letters,
            first: part.first,
            last: part.last,
            follow: reader.follow,
            empty: part.empty,
        })
    }
}

impl Pattern<Symbol> {
    /// A set that contains all inputs of a class (and where the same number is in several
    /// arguments, perhaps more): `n` is `n + 1` ones, with a blank between arguments. None if it
    /// is too large.
    pub(crate) fn of_class(
        class: &[Argument],
        (first, period): (u64, u64),
        one: Symbol,
        blank: Symbol,
    ) -> Option<Pattern<Symbol>> {
        let mut pattern = Pattern {
            letters: Vec::new(),
            first: vec![0],
            last: Vec::new(),
            follow: Vec::new(),
            empty: false,
        };
        let mut add = |letter: Symbol, after: &[usize]| {
            let here = pattern.letters.len();
            pattern.letters.push(letter);
            pattern.follow.push(Vec::new());
            for &before in after {
                pattern.follow[before].push(here);
            }
            here
        };
        let (mut ends, mut loops) = (Vec::new(), Vec::new());
        for (place, argument) in class.iter().enumerate() {
            if place > 0 {
                ends = vec![add(blank, &ends)];
            }
            let numbers = argument.numbers.len() as u64;
            let ones = first.checked_mul(numbers)?.checked_add(argument.more)?;
            if ones.max(period) > LETTERS as u64 {
                return None;
            }
            for _ in 0..=ones {
                ends = vec![add(one, &ends)];
            }
            if numbers > 0 {
                let last = ends.clone();
                let begin = add(one, &last);
                let mut here = begin;
                for _ in 1..period {
                    here = add(one, &[here]);
                }
                ends.push(here);
                loops.push((here, begin));
            }
        }
        for (here, begin) in loops {
            pattern.follow[here].push(begin);
        }
        pattern.last = ends;
        Some(pattern)
    }
}

impl<S: PartialEq> Pattern<S> {
    /// Whether a word is one of them.
    pub(crate) fn contains(&self, word: &[S]) -> bool {
        let mut here: Option<Vec<usize>> = None;
        for letter in word {
            let mut next: Vec<usize> = match &here {
                None => self.first.clone(),
                Some(here) => here
                    .iter()
                    .flat_map(|&one| self.follow[one].clone())
                    .collect(),
            };
            next.retain(|&one| self.letters[one] == *letter);
            next.sort_unstable();
            next.dedup();
            here = Some(next);
        }
        match here {
            None => self.empty,
            Some(here) => here.iter().any(|one| self.last.contains(one)),
        }
    }

    /// The same over other letters.
    pub(crate) fn map<T>(self, letter: impl FnMut(S) -> Option<T>) -> Option<Pattern<T>> {
        Some(Pattern {
            letters: self
                .letters
                .into_iter()
                .map(letter)
                .collect::<Option<_>>()?,
            first: self.first,
            last: self.last,
            follow: self.follow,
            empty: self.empty,
        })
    }
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|letter| letter.is_whitespace()).is_some() {}
        self.rest.peek().copied()
    }

    fn alternatives(&mut self, depth: usize) -> Result<Part, String> {
        let mut all = self.sequence(depth)?;
        while self.peek() == Some('|') {
            self.rest.next();
            let other = self.sequence(depth)?;
            all.first.extend(other.first);
            all.last.extend(other.last);
            all.empty |= other.empty;
        }
        Ok(all)
    }

    fn sequence(&mut self, depth: usize) -> Result<Part, String> {
        let mut all = Part {
            first: Vec::new(),
            last: Vec::new(),
            empty: true,
        };
        while let Some(letter) = self.peek() {
            if matches!(letter, '|' | ')') {
                break;
            }
            let next = self.repeated(depth)?;
            self.join(&all.last, &next.first);
            if all.empty {
                all.first.extend(&next.first);
            }
            match next.empty {
                true => all.last.extend(next.last),
                false => all.last = next.last,
            }
            all.empty &= next.empty;
        }
        Ok(all)
    }

    fn repeated(&mut self, depth: usize) -> Result<Part, String> {
        let mut part = self.single(depth)?;
        while let Some(sign @ ('*' | '+' | '?')) = self.peek() {
            self.rest.next();
            if sign != '?' {
                self.join(&part.last.clone(), &part.first);
            }
            part.empty |= sign != '+';
        }
        Ok(part)
    }

    fn single(&mut self, depth: usize) -> Result<Part, String> {
        match self.rest.next() {
            Some('(') if depth >= DEPTH => Err(format!("more than {DEPTH} nested parentheses")),
            Some('(') => {
                let part = self.alternatives(depth + 1)?;
                match self.rest.next() {
                    Some(')') => Ok(part),
                    _ => Err("a `)` is missing".to_owned()),
                }
            }
            Some(sign @ ('*' | '+' | '?')) => Err(format!("nothing stands before `{sign}`")),
            Some(letter) if !is_symbol(letter) => Err(format!(
                "`{letter}` is no symbol: write a choice as `(0|1)`"
            )),
            Some(letter) => {
                let place = self.letters.len();
                if place == LETTERS {
                    return Err(format!("more than {LETTERS} letters"));
                }
                self.letters.push(letter);
                self.follow.push(Vec::new());
                Ok(Part {
                    first: vec![place],
                    last: vec![place],
                    empty: false,
                })
            }
            None => Err("a letter was expected".to_owned()),
        }
    }

    fn join(&mut self, from: &[usize], to: &[usize]) {
        for &one in from {
            self.follow[one].extend(to);
            self.follow[one].sort_unstable();
            self.follow[one].dedup();
        }
    }
}
