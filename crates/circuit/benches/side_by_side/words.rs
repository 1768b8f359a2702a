//! Models in words: a writer of BTOR2 that says equal terms once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// A model that is being written.
#[derive(Default)]
pub(crate) struct Model {
    lines: RefCell<Lines>,
}

#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
    known: HashMap<String, usize>,
}

/// A term of some width.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    of: &'a Model,
    line: usize,
    pub(crate) width: usize,
}

/// An array of words.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    of: &'a Model,
    line: usize,
    sort: usize,
    element: usize,
}

impl Model {
    pub(crate) fn new() -> Model {
        Model::default()
    }

    /// What was written.
    pub(crate) fn text(self) -> String {
        self.lines.into_inner().text
    }

    fn fresh(&self, rest: &str) -> usize {
        let mut lines = self.lines.borrow_mut();
        lines.count += 1;
        let number = lines.count;
        let _ = writeln!(lines.text, "{number} {rest}");
        number
    }

    fn shared(&self, rest: String) -> usize {
        let known = self.lines.borrow().known.get(&rest).copied();
        known.unwrap_or_else(|| {
            let number = self.fresh(&rest);
            self.lines.borrow_mut().known.insert(rest, number);
            number
        })
    }

    fn sort(&self, width: usize) -> usize {
        self.shared(format!("sort bitvec {width}"))
    }

    fn word(&self, width: usize, line: usize) -> Word<'_> {
        Word {
            of: self,
            line,
            width,
        }
    }

    fn term(&self, width: usize, operator: &str, rest: &str) -> Word<'_> {
        let sort = self.sort(width);
        self.word(width, self.shared(format!("{operator} {sort}{rest}")))
    }

    pub(crate) fn number(&self, width: usize, value: u128) -> Word<'_> {
        match value {
            0 => self.term(width, "zero", ""),
            _ => self.term(width, "constd", &format!(" {value}")),
        }
    }

    pub(crate) fn input(&self, width: usize, name: &str) -> Word<'_> {
        let sort = self.sort(width);
        self.word(width, self.fresh(&format!("input {sort} {name}")))
    }

    /// A state that begins with a number.
    pub(crate) fn state(&self, width: usize, name: &str, start: u128) -> Word<'_> {
        let start = self.number(width, start).line;
        let sort = self.sort(width);
        let state = self.fresh(&format!("state {sort} {name}"));
        self.fresh(&format!("init {sort} {state} {start}"));
        self.word(width, state)
    }

    /// An array that begins with anything, or with zeros.
    pub(crate) fn memory(
        &self,
        index: usize,
        element: usize,
        name: &str,
        zeros: bool,
    ) -> Memory<'_> {
        let start = zeros.then(|| self.number(element, 0).line);
        let (of, to) = (self.sort(index), self.sort(element));
        let sort = self.shared(format!("sort array {of} {to}"));
        let line = self.fresh(&format!("state {sort} {name}"));
        if let Some(start) = start {
            self.fresh(&format!("init {sort} {line} {start}"));
        }
        Memory {
            of: self,
            line,
            sort,
            element,
        }
    }

    pub(crate) fn bad(&self, signal: Word<'_>, name: &str) {
        self.fresh(&format!("bad {} {name}", signal.line));
    }
}

impl<'a> Word<'a> {
    fn one(self, width: usize, operator: &str) -> Word<'a> {
        self.of.term(width, operator, &format!(" {}", self.line))
    }

    fn two(self, width: usize, operator: &str, other: Word<'a>) -> Word<'a> {
        let rest = format!(" {} {}", self.line, other.line);
        self.of.term(width, operator, &rest)
    }

    fn number(self, value: u128) -> Word<'a> {
        self.of.number(self.width, value)
    }

    /// What this state is one step later.
    pub(crate) fn next(self, then: Word<'a>) {
        let sort = self.of.sort(self.width);
        let rest = format!("next {sort} {} {}", self.line, then.line);
        self.of.fresh(&rest);
    }

    pub(crate) fn plus(self, value: u128) -> Word<'a> {
        self + self.number(value)
    }

    pub(crate) fn minus_one(self) -> Word<'a> {
        self - self.number(1)
    }

    pub(crate) fn is(self, other: Word<'a>) -> Word<'a> {
        self.two(1, "eq", other)
    }

    pub(crate) fn differs(self, other: Word<'a>) -> Word<'a> {
        self.two(1, "neq", other)
    }

    pub(crate) fn is_number(self, value: u128) -> Word<'a> {
        self.is(self.number(value))
    }

    pub(crate) fn below(self, value: u128) -> Word<'a> {
        self.two(1, "ult", self.number(value))
    }

    pub(crate) fn above(self, value: u128) -> Word<'a> {
        self.two(1, "ugt", self.number(value))
    }

    pub(crate) fn exceeds(self, other: Word<'a>) -> Word<'a> {
        self.two(1, "ugt", other)
    }

    pub(crate) fn at_least(self, other: Word<'a>) -> Word<'a> {
        self.two(1, "ugte", other)
    }

    pub(crate) fn at_least_number(self, value: u128) -> Word<'a> {
        self.at_least(self.number(value))
    }

    pub(crate) fn times(self, other: Word<'a>) -> Word<'a> {
        self.two(self.width, "mul", other)
    }

    pub(crate) fn doubled(self) -> Word<'a> {
        self.two(self.width, "sll", self.number(1))
    }

    pub(crate) fn halved(self) -> Word<'a> {
        self.two(self.width, "srl", self.number(1))
    }

    /// One of two, by this bit.
    pub(crate) fn choose(self, one: Word<'a>, other: Word<'a>) -> Word<'a> {
        let rest = format!(" {} {} {}", self.line, one.line, other.line);
        self.of.term(one.width, "ite", &rest)
    }

    /// A number or another word, by this bit.
    pub(crate) fn choose_number(self, value: u128, other: Word<'a>) -> Word<'a> {
        self.choose(other.number(value), other)
    }

    pub(crate) fn bits(self, high: usize, low: usize) -> Word<'a> {
        let rest = format!(" {} {high} {low}", self.line);
        self.of.term(high - low + 1, "slice", &rest)
    }

    pub(crate) fn bit(self, at: usize) -> Word<'a> {
        self.bits(at, at)
    }

    /// This word in front of another.
    pub(crate) fn then(self, other: Word<'a>) -> Word<'a> {
        self.two(self.width + other.width, "concat", other)
    }

    pub(crate) fn wider(self, by: usize) -> Word<'a> {
        match by {
            0 => self,
            _ => {
                let rest = format!(" {} {by}", self.line);
                self.of.term(self.width + by, "uext", &rest)
            }
        }
    }

    /// All bits one place up, the last one first.
    pub(crate) fn turned(self) -> Word<'a> {
        let last = self.width - 1;
        self.bits(last - 1, 0).then(self.bit(last))
    }

    pub(crate) fn any(self) -> Word<'a> {
        self.one(1, "redor")
    }

    pub(crate) fn odd(self) -> Word<'a> {
        self.one(1, "redxor")
    }

    /// Whether two bits are on, or more.
    pub(crate) fn several(self) -> Word<'a> {
        (self & self.minus_one()).any()
    }
}

impl<'a> Memory<'a> {
    pub(crate) fn read(self, index: Word<'a>) -> Word<'a> {
        let rest = format!(" {} {}", self.line, index.line);
        self.of.term(self.element, "read", &rest)
    }

    fn with(self, rest: String) -> Memory<'a> {
        Memory {
            line: self.of.shared(rest),
            ..self
        }
    }

    pub(crate) fn write(self, index: Word<'a>, value: Word<'a>) -> Memory<'a> {
        let (sort, line) = (self.sort, self.line);
        self.with(format!("write {sort} {line} {} {}", index.line, value.line))
    }

    /// This one if a bit is on, else another.
    pub(crate) fn when(self, test: Word<'a>, other: Memory<'a>) -> Memory<'a> {
        let (sort, line) = (self.sort, self.line);
        self.with(format!("ite {sort} {} {line} {}", test.line, other.line))
    }

    pub(crate) fn next(self, then: Memory<'a>) {
        let rest = format!("next {} {} {}", self.sort, self.line, then.line);
        self.of.fresh(&rest);
    }
}

macro_rules! operators {
    ($($of:ident $method:ident $name:literal),*) => {$(
        impl<'a> $of for Word<'a> {
            type Output = Word<'a>;
            fn $method(self, other: Word<'a>) -> Word<'a> {
                self.two(self.width, $name, other)
            }
        }
    )*};
}

operators!(BitAnd bitand "and", BitOr bitor "or", BitXor bitxor "xor", Add add "add", Sub sub "sub");

impl<'a> Not for Word<'a> {
    type Output = Word<'a>;
    fn not(self) -> Word<'a> {
        self.one(self.width, "not")
    }
}
