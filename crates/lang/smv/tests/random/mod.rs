//! Random small models as text, well-typed by construction.

#![allow(dead_code, reason = "each test uses a part")]

use std::fmt::Write;

pub(crate) use quotient_testkit::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Boolean,
    Integer,
    Symbolic,
    Mixed,
    Word(bool, u32),
}

struct Variable {
    name: String,
    declared: &'static str,
    of: Type,
    input: bool,
    size: usize,
}

/// What expressions may mention.
#[derive(Clone, Copy)]
struct Mentions {
    next: bool,
    input: bool,
}

const STATE: Mentions = Mentions {
    next: false,
    input: false,
};

pub(crate) struct Generator<'a> {
    random: &'a mut Random,
    variables: Vec<Variable>,
}

/// A model with at most `most_states` combinations of values of state variables.
pub(crate) fn model(random: &mut Random, most_states: usize) -> String {
    let mut generator = Generator {
        random,
        variables: Vec::new(),
    };
    generator.declare(most_states);
    generator.model()
}

/// The same, with a definition `d1` of a random condition on states.
pub(crate) fn model_with_condition(random: &mut Random, most_states: usize) -> String {
    let mut generator = Generator {
        random,
        variables: Vec::new(),
    };
    generator.declare(most_states);
    let text = generator.model();
    let condition = generator.expression(Type::Boolean, 3, STATE);
    format!("{text}DEFINE d1 := {condition};")
}

/// Types as declared, with what their values are and how many there are.
const TYPES: [(&str, Type, usize); 9] = [
    ("boolean", Type::Boolean, 2),
    ("0..2", Type::Integer, 3),
    ("-1..1", Type::Integer, 3),
    ("{1, 3}", Type::Integer, 2),
    ("{red, green, blue}", Type::Symbolic, 3),
    ("{red, 1, 2}", Type::Mixed, 3),
    ("word[2]", Type::Word(false, 2), 4),
    ("signed word[2]", Type::Word(true, 2), 4),
    ("boolean", Type::Boolean, 2),
];

impl Generator<'_> {
    fn declare(&mut self, most_states: usize) {
        let mut states = 1;
        for at in 0..2 + self.random.below(3) {
            let (declared, of, size) = self.random.pick(&TYPES);
            if states * size > most_states {
                continue;
            }
            states *= size;
            self.variables.push(Variable {
                name: format!("v{at}"),
                declared,
                of,
                input: false,
                size,
            });
        }
        if self.random.one_in(3) {
            let (declared, of, size) = self.random.pick(&TYPES);
            self.variables.push(Variable {
                name: "in1".to_owned(),
                declared,
                of,
                input: true,
                size,
            });
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::from("MODULE main\nCONSTANTS red, green, blue;\n");
        for at in 0..self.variables.len() {
            let frozen = self.random.one_in(8);
            let variable = &self.variables[at];
            let section = match (variable.input, frozen) {
                (true, _) => "IVAR",
                (_, true) => "FROZENVAR",
                _ => "VAR",
            };
            let (name, declared) = (&variable.name, variable.declared);
            let _ = writeln!(text, "{section} {name} : {declared};");
            if !variable.input && !frozen && self.random.one_in(2) {
                self.assign(at, &mut text);
            }
        }
        let define = self.expression(Type::Integer, 2, STATE).replace("d0", "1");
        let _ = writeln!(text, "DEFINE d0 := {define};");
        if self.random.one_in(3) {
            let _ = writeln!(text, "INIT {}", self.expression(Type::Boolean, 3, STATE));
        }
        if self.random.one_in(4) {
            let _ = writeln!(text, "INVAR {};", self.expression(Type::Boolean, 3, STATE));
        }
        if self.random.one_in(2) {
            let mentions = Mentions {
                next: true,
                input: true,
            };
            let _ = writeln!(
                text,
                "TRANS {}",
                self.expression(Type::Boolean, 3, mentions)
            );
        }
        text
    }

    fn assign(&mut self, at: usize, text: &mut String) {
        let (name, of) = (self.variables[at].name.clone(), self.variables[at].of);
        let declared = self.variables[at].declared;
        let values = |generator: &mut Self, mentions| -> String {
            match of {
                // Most random numbers are outside of the domain: keep some inside.
                Type::Integer if declared == "0..2" && generator.random.one_in(2) => {
                    let number = generator.expression(of, 2, mentions);
                    format!("abs(({number}) mod 3)")
                }
                Type::Integer | Type::Mixed | Type::Symbolic => {
                    let constants: &[&str] = match declared {
                        "{1, 3}" => &["1", "3", "{1, 3}"],
                        "{red, 1, 2}" => &["red", "1", "{red, 2}", "1..2"],
                        "{red, green, blue}" => &["red", "{green, blue}", "blue"],
                        "0..2" => &["0", "{1, 2}", "0..2", "2"],
                        _ => &["-1", "{0, 1}", "-1..1"],
                    };
                    let test = generator.expression(Type::Boolean, 2, mentions);
                    let (a, b) = (
                        generator.random.pick(constants),
                        generator.random.pick(constants),
                    );
                    match generator.random.below(4) {
                        0 => a.to_owned(),
                        1 => format!("({test}) ? {a} : {b}"),
                        2 => format!("case {test} : {a}; TRUE : {b} union {a}; esac"),
                        _ => format!(
                            "case {test} : {a}; !({test}) : {}; esac",
                            generator.expression(of, 1, mentions)
                        ),
                    }
                }
                _ if generator.random.one_in(3) => {
                    let (a, b) = (
                        generator.expression(of, 2, mentions),
                        generator.expression(of, 1, mentions),
                    );
                    format!("{{{a}, {b}}}")
                }
                _ => generator.expression(of, 3, mentions),
            }
        };
        match self.random.below(4) {
            0 => {
                // Other variables could depend on this one: constants cannot go in circles.
                let value = match of {
                    Type::Boolean => "{TRUE, FALSE}",
                    Type::Symbolic | Type::Mixed => "red",
                    Type::Integer => "1",
                    Type::Word(false, _) => "0ud2_2",
                    Type::Word(true, _) => "-0sd2_1",
                };
                let _ = match self.random.one_in(3) {
                    true => writeln!(text, "ASSIGN {name} := {value};"),
                    false => writeln!(text, "ASSIGN init({name}) := {value};"),
                };
            }
            _ => {
                let mentions = Mentions {
                    next: false,
                    input: true,
                };
                let value = values(self, mentions);
                let _ = writeln!(text, "ASSIGN next({name}) := {value};");
            }
        }
    }

    fn variable(&mut self, of: Type, mentions: Mentions) -> Option<String> {
        let fits: Vec<(String, bool)> = self
            .variables
            .iter()
            .filter(|variable| variable.of == of && (mentions.input || !variable.input))
            .map(|variable| (variable.name.clone(), variable.input))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let (name, input) = self.random.pick(&fits);
        match mentions.next && !input && self.random.one_in(2) {
            true => Some(format!("next({name})")),
            false => Some(name),
        }
    }

    fn leaf(&mut self, of: Type, mentions: Mentions) -> String {
        if !self.random.one_in(3)
            && let Some(name) = self.variable(of, mentions)
        {
            return name;
        }
        match of {
            Type::Boolean => self.random.pick(&["TRUE", "FALSE"]).to_owned(),
            Type::Integer => format!("{}", self.random.below(5) as i64 - 2),
            Type::Symbolic => self.random.pick(&["red", "green", "blue"]).to_owned(),
            Type::Mixed => "(TRUE ? red : 1)".to_owned(),
            Type::Word(signed, width) => {
                let sign = if signed { 's' } else { 'u' };
                let bits = self.random.below(1 << width);
                format!("0{sign}b{width}_{bits:0width$b}", width = width as usize)
            }
        }
    }

    fn expression(&mut self, of: Type, depth: usize, mentions: Mentions) -> String {
        if depth == 0 || self.random.one_in(5) {
            return self.leaf(of, mentions);
        }
        let down = depth - 1;
        if self.random.one_in(6) {
            let test = self.expression(Type::Boolean, down, mentions);
            let (a, b) = (
                self.expression(of, down, mentions),
                self.expression(of, down, mentions),
            );
            return match self.random.below(3) {
                0 => format!("(({test}) ? {a} : {b})"),
                1 => format!("case {test} : {a}; TRUE : {b}; esac"),
                _ => {
                    let second = self.expression(Type::Boolean, down, mentions);
                    format!("case {test} : {a}; {second} : {b}; !({second}) : {a}; esac")
                }
            };
        }
        match of {
            Type::Boolean => self.boolean(down, mentions),
            Type::Integer => self.integer(down, mentions),
            Type::Symbolic | Type::Mixed => self.leaf(of, mentions),
            Type::Word(signed, width) => self.word(signed, width, down, mentions),
        }
    }

    fn boolean(&mut self, depth: usize, mentions: Mentions) -> String {
        let word = Type::Word(self.random.one_in(2), 2);
        let (of, operators): (Type, &[&str]) = match self.random.below(6) {
            0 | 1 => (
                Type::Boolean,
                &["&", "|", "xor", "xnor", "->", "<->", "=", "!="],
            ),
            2 => (Type::Integer, &["=", "!=", "<", ">", "<=", ">="]),
            3 => (Type::Symbolic, &["=", "!=", "in"]),
            4 => (word, &["=", "!=", "<", ">", "<=", ">="]),
            _ => {
                let value = self.expression(Type::Integer, depth, mentions);
                let set = self
                    .random
                    .pick(&["{0, 2}", "-1..1", "{1, -2} union 2", "{1}"]);
                let mixed = self.expression(Type::Mixed, depth, mentions);
                let not = self.expression(Type::Boolean, depth, mentions);
                let bit = self.expression(Type::Word(false, 2), depth, mentions);
                return match self.random.below(5) {
                    0 => format!("({value}) in {set}"),
                    1 => format!("({mixed} in {{red, 2}})"),
                    2 => format!("({mixed} = {})", self.random.pick(&["red", "1", "d0"])),
                    3 => format!("bool(({bit})[1:1])"),
                    _ => format!("!({not})"),
                };
            }
        };
        let (a, b) = (
            self.expression(of, depth, mentions),
            self.expression(of, depth, mentions),
        );
        format!("({a} {} {b})", self.random.pick(operators))
    }

    fn integer(&mut self, depth: usize, mentions: Mentions) -> String {
        let (a, b) = (
            self.expression(Type::Integer, depth, mentions),
            self.expression(Type::Integer, depth, mentions),
        );
        let test = self.expression(Type::Boolean, depth, mentions);
        let word = self.expression(Type::Word(true, 2), depth, mentions);
        match self.random.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!(
                "({a} / {})",
                self.random.pick(&["2", "-3", "(v0 = v0 ? 1 : 0)"])
            ),
            4 => format!("({a} mod {})", self.random.pick(&["2", "-3", "4"])),
            5 => format!("-({a})"),
            6 => format!("{}({a}, {b})", self.random.pick(&["max", "min"])),
            7 => format!("(toint({word}) + count({test}, TRUE))"),
            _ => format!("abs({a})"),
        }
    }

    fn word(&mut self, signed: bool, width: u32, depth: usize, mentions: Mentions) -> String {
        let of = Type::Word(signed, width);
        let (a, b) = (
            self.expression(of, depth, mentions),
            self.expression(of, depth, mentions),
        );
        let cast = if signed { "signed" } else { "unsigned" };
        let other = self.expression(Type::Word(!signed, width), depth.min(1), mentions);
        let amount = self.expression(Type::Word(false, 2), depth.min(1), mentions);
        match self.random.below(9) {
            0 => format!("!({a})"),
            1 => format!("-({a})"),
            2 => format!(
                "({a} {} {b})",
                self.random.pick(&["&", "|", "xor", "->", "<->"])
            ),
            3 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            4 => format!(
                "({a} {} 0{}b{width}_01)",
                self.random.pick(&["/", "mod"]),
                if signed { 's' } else { 'u' }
            ),
            5 => format!("{cast}({other})"),
            6 => format!(
                "({a} {} {amount})",
                self.random.pick(&["<<", ">>", "<<<", ">>>"])
            ),
            7 => format!("resize(extend({a}, {}), {width})", self.random.below(3)),
            _ => {
                let joined = format!("(({a})[0:0] :: ({b})[1:1])");
                if signed {
                    format!("signed({joined})")
                } else {
                    joined
                }
            }
        }
    }
}
