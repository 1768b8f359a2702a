//! Reading AIGER files, ascii (`aag`) and binary (`aig`).

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::{Circuit, Literal};

/// Whether bytes begin as an AIGER file does.
pub fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")
}

/// Reads a circuit in either form. The name is for messages.
///
/// ```
/// let text = b"aag 1 0 1 0 0 1\n2 3\n2\nl0 lamp\n";
/// let circuit = quotient_netlist::aiger::read("toggle.aag", text).unwrap();
/// assert_eq!(circuit.latch_name(0), "lamp");
/// assert_eq!(circuit.bad.len(), 1);
/// ```
pub fn read(name: &str, bytes: &[u8]) -> Result<Circuit, Trouble> {
    let mut reader = Reader {
        bytes,
        at: 0,
        literals: Vec::new(),
    };
    reader
        .circuit()
        .map_err(|mistake| mistake.diagnostic(name, bytes).into())
}

/// What is wrong, and where.
struct Mistake {
    at: usize,
    message: String,
    help: &'static str,
}

impl Mistake {
    /// Points into the text before the binary part; further on, the byte is named.
    fn diagnostic(self, name: &str, bytes: &[u8]) -> Diagnostic {
        let text_end = bytes.iter().position(|&byte| byte == 0 || byte >= 0x80);
        let text = String::from_utf8_lossy(&bytes[..text_end.unwrap_or(bytes.len())]).into_owned();
        let source = Source::new(name, text);
        let error = Diagnostic::error("aiger", self.message).help(self.help);
        if self.at > source.text().len() || !source.text().is_char_boundary(self.at) {
            return error
                .in_source(&source)
                .note(format!("at byte {}", self.at));
        }
        let rest = &source.text()[self.at..];
        let length = rest.find(['\n', ' ']).unwrap_or(rest.len());
        error.at(&source, Span::new(self.at, self.at + length), "")
    }
}

/// The numbers of the first line.
struct Header {
    binary: bool,
    most: usize,
    inputs: usize,
    latches: usize,
    outputs: usize,
    gates: usize,
    bad: usize,
    constraints: usize,
    justice: usize,
    fairness: usize,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The literal of the circuit for each variable of the file, once it is defined.
    literals: Vec<Option<Literal>>,
}

impl Reader<'_> {
    fn circuit(&mut self) -> Result<Circuit, Mistake> {
        let header = self.header()?;
        self.literals = vec![None; header.most + 1];
        self.literals[0] = Some(Literal::FALSE);
        let mut circuit = Circuit::new();
        for number in 0..header.inputs {
            let literal = circuit.input();
            let variable = match header.binary {
                true => number + 1,
                false => {
                    let variable = self.defined_variable()?;
                    self.newline()?;
                    variable
                }
            };
            self.define(variable, literal)?;
        }
        let mut nexts = Vec::new();
        for number in 0..header.latches {
            nexts.push(self.latch(&header, number, &mut circuit)?);
        }
        let outputs = self.lines(header.outputs)?;
        let bad = self.lines(header.bad)?;
        let constraints = self.lines(header.constraints)?;
        let mut sizes = Vec::new();
        for _ in 0..header.justice {
            sizes.push(self.number()?);
            self.newline()?;
        }
        let mut justice = Vec::new();
        for size in sizes {
            justice.push(self.lines(size)?);
        }
        let fairness = self.lines(header.fairness)?;
        match header.binary {
            true => self.binary_gates(&header, &mut circuit)?,
            false => self.ascii_gates(&header, &mut circuit)?,
        }
        for (number, next) in nexts.into_iter().enumerate() {
            let latch = circuit.latches()[number].node.literal();
            let next = self.resolve(next)?;
            circuit.connect(latch, next);
        }
        circuit.outputs = self.resolve_all(outputs)?;
        circuit.bad = self.resolve_all(bad)?;
        circuit.constraints = self.resolve_all(constraints)?;
        for signals in justice {
            let signals = self.resolve_all(signals)?;
            circuit.justice.push(signals);
        }
        circuit.fairness = self.resolve_all(fairness)?;
        self.symbols(&header, &mut circuit)?;
        Ok(circuit)
    }

    fn header(&mut self) -> Result<Header, Mistake> {
        let binary = self.bytes.starts_with(b"aig ");
        if !looks_like(self.bytes) {
            let help = "an AIGER file begins with `aag M I L O A` or `aig M I L O A`";
            return Err(self.wrong("this is not an AIGER file", help));
        }
        self.at = 3;
        let mut numbers = [0; 9];
        let mut given = 0;
        while self.bytes.get(self.at) == Some(&b' ') {
            if given == numbers.len() {
                return Err(self.wrong(
                    "more than nine numbers in the first line",
                    "it is `aag M I L O A B C J F`; the last four may be left out",
                ));
            }
            self.at += 1;
            numbers[given] = self.number()?;
            given += 1;
        }
        if given < 5 {
            let help = "the first line is `aag M I L O A`, and may go on with `B C J F`";
            return Err(self.wrong("five numbers were expected in the first line", help));
        }
        self.newline()?;
        let [
            most,
            inputs,
            latches,
            outputs,
            gates,
            bad,
            constraints,
            justice,
            fairness,
        ] = numbers;
        let header = Header {
            binary,
            most,
            inputs,
            latches,
            outputs,
            gates,
            bad,
            constraints,
            justice,
            fairness,
        };
        self.bounded(&header)?;
        Ok(header)
    }

    /// What the first line promises must fit the file, before anything is made of it.
    fn bounded(&self, header: &Header) -> Result<(), Mistake> {
        let size = self.bytes.len();
        let defined = header
            .inputs
            .saturating_add(header.latches)
            .saturating_add(header.gates);
        if defined > header.most || (header.binary && defined != header.most) {
            let sign = if header.binary { "=" } else { "at least" };
            let message = format!(
                "{} variables do not fit {} inputs, {} latches and {} gates",
                header.most, header.inputs, header.latches, header.gates
            );
            let help = if sign == "=" {
                "the first number is the sum of the second, third and fifth"
            } else {
                "the first number is at least the sum of the second, third and fifth"
            };
            return Err(Mistake {
                at: 4,
                message,
                help,
            });
        }
        // Every listed thing takes at least two bytes; the inputs of a binary file take none, so
        // they may be some more.
        let listed = [
            header.latches,
            header.outputs,
            header.gates,
            header.bad,
            header.constraints,
            header.justice,
            header.fairness,
        ];
        let listed = listed
            .into_iter()
            .fold(0usize, |sum, one| sum.saturating_add(one));
        let free = if header.binary {
            listed.saturating_mul(2)
        } else {
            listed.saturating_add(header.inputs).saturating_mul(2)
        };
        let spare = size.saturating_mul(64).saturating_add(65_536);
        if free > size.saturating_add(2) || header.most > spare {
            return Err(Mistake {
                at: 4,
                message: "the first line promises more than the file has".to_owned(),
                help: "the file may be cut off",
            });
        }
        Ok(())
    }

    fn latch(
        &mut self,
        header: &Header,
        number: usize,
        circuit: &mut Circuit,
    ) -> Result<usize, Mistake> {
        let literal = circuit.latch(Some(false));
        let variable = match header.binary {
            true => header.inputs + number + 1,
            false => {
                let variable = self.defined_variable()?;
                self.blank()?;
                variable
            }
        };
        self.define(variable, literal)?;
        let next = self.literal()?;
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
            let begin = self.at;
            let start = match self.number()? {
                0 => Some(false),
                1 => Some(true),
                own if own == 2 * variable => None,
                _ => {
                    self.at = begin;
                    let help = "a latch starts as 0, as 1, or as itself if it may be either";
                    return Err(self.wrong("this is no value for a latch to start with", help));
                }
            };
            circuit.start(literal, start);
        }
        self.newline()?;
        Ok(next)
    }

    /// So many lines with a literal each.
    fn lines(&mut self, count: usize) -> Result<Vec<usize>, Mistake> {
        let mut literals = Vec::new();
        for _ in 0..count {
            literals.push(self.literal()?);
            self.newline()?;
        }
        Ok(literals)
    }

    fn binary_gates(&mut self, header: &Header, circuit: &mut Circuit) -> Result<(), Mistake> {
        let first = header.inputs + header.latches + 1;
        for variable in first..first + header.gates {
            let own = 2 * variable;
            let begin = self.at;
            let (larger, smaller) = (self.delta()?, self.delta()?);
            let left = own.checked_sub(larger).filter(|_| larger > 0);
            let right = left.and_then(|left| left.checked_sub(smaller));
            let (Some(left), Some(right)) = (left, right) else {
                self.at = begin;
                let help = "each gate is made of earlier ones; the file may be damaged";
                return Err(self.wrong("a gate refers to what comes after it", help));
            };
            let (left, right) = (self.resolve(left)?, self.resolve(right)?);
            let gate = circuit.graph.and(left, right);
            self.define(variable, gate)?;
        }
        Ok(())
    }

    /// A number of the binary part: seven bits a byte, the lowest first.
    fn delta(&mut self) -> Result<usize, Mistake> {
        let mut number = 0usize;
        for shift in (0..).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(self.wrong("the file ends within its gates", "the file may be cut off"));
            };
            self.at += 1;
            if shift > 28 {
                break;
            }
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.wrong("a number of a gate is too large", "the file may be damaged"))
    }

    /// Gates in any order: they are defined before they are used, however far apart they stand.
    fn ascii_gates(&mut self, header: &Header, circuit: &mut Circuit) -> Result<(), Mistake> {
        let mut gates = vec![None; self.literals.len()];
        let mut order = Vec::new();
        for _ in 0..header.gates {
            let begin = self.at;
            let variable = self.defined_variable()?;
            self.blank()?;
            let left = self.literal()?;
            self.blank()?;
            let right = self.literal()?;
            self.newline()?;
            if self.literals[variable].is_some() || gates[variable].is_some() {
                self.at = begin;
                return Err(self.twice());
            }
            gates[variable] = Some((left, right, begin));
            order.push(variable);
        }
        let mut open = vec![false; gates.len()];
        for root in order {
            let mut stack = vec![root];
            while let Some(&variable) = stack.last() {
                if self.literals[variable].is_some() {
                    stack.pop();
                    continue;
                }
                let Some((left, right, begin)) = gates[variable] else {
                    // Not defined at all: told when it is used.
                    stack.pop();
                    continue;
                };
                let waits = |literals: &[Option<Literal>], of: usize| {
                    literals[of / 2].is_none() && gates[of / 2].is_some()
                };
                let waiting: Vec<usize> = [left, right]
                    .into_iter()
                    .filter(|&of| waits(&self.literals, of))
                    .map(|of| of / 2)
                    .collect();
                if !waiting.is_empty() {
                    if std::mem::replace(&mut open[variable], true) {
                        self.at = begin;
                        let help = "gates must not depend on themselves; put a latch between";
                        return Err(self.wrong("this gate depends on itself", help));
                    }
                    stack.extend(waiting);
                    continue;
                }
                self.at = begin;
                let (left, right) = (self.resolve(left)?, self.resolve(right)?);
                let gate = circuit.graph.and(left, right);
                self.literals[variable] = Some(gate);
                stack.pop();
            }
        }
        // The gates were the last before the symbols; find the place after them again.
        self.at = self.after_gates(&gates);
        Ok(())
    }

    /// The place after the last line of the gates.
    fn after_gates(&self, gates: &[Option<(usize, usize, usize)>]) -> usize {
        let last = gates.iter().flatten().map(|&(_, _, begin)| begin).max();
        let Some(last) = last else { return self.at };
        let rest = &self.bytes[last..];
        rest.iter()
            .position(|&byte| byte == b'\n')
            .map_or(self.bytes.len(), |newline| last + newline + 1)
    }

    /// The symbol table; a line `c` begins the comment, which nobody reads.
    fn symbols(&mut self, header: &Header, circuit: &mut Circuit) -> Result<(), Mistake> {
        while let Some(&letter) = self.bytes.get(self.at) {
            let line_end = self.bytes[self.at..]
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(self.bytes.len(), |newline| self.at + newline);
            if letter == b'c' && matches!(self.bytes.get(self.at + 1), None | Some(b'\n' | b'\r')) {
                return Ok(());
            }
            let (names, most) = match letter {
                b'i' => (&mut circuit.input_names, header.inputs),
                b'l' => (&mut circuit.latch_names, header.latches),
                b'o' => (&mut circuit.output_names, header.outputs),
                b'b' => (&mut circuit.bad_names, header.bad),
                b'c' => (&mut circuit.constraint_names, header.constraints),
                b'j' => (&mut circuit.justice_names, header.justice),
                b'f' => (&mut circuit.fairness_names, header.fairness),
                _ if self.at + 1 >= self.bytes.len() => return Ok(()),
                _ => {
                    let help = "names look like `i0 request`; comments come after a line `c`";
                    return Err(self.wrong("this is neither a name nor a comment", help));
                }
            };
            let begin = self.at;
            self.at += 1;
            let number = self.number()?;
            self.blank()?;
            if number >= most {
                self.at = begin;
                let help = "numbers of names begin with 0";
                return Err(self.wrong("this is the name of something that is not there", help));
            }
            if names.len() <= number {
                names.resize(number + 1, None);
            }
            let text = String::from_utf8_lossy(&self.bytes[self.at..line_end.max(self.at)]);
            names[number] = Some(text.trim_end_matches('\r').to_owned());
            self.at = line_end + 1;
        }
        Ok(())
    }

    fn define(&mut self, variable: usize, literal: Literal) -> Result<(), Mistake> {
        if self.literals[variable].replace(literal).is_some() {
            return Err(self.twice());
        }
        Ok(())
    }

    fn twice(&self) -> Mistake {
        self.wrong(
            "this variable is defined twice",
            "each input, latch and gate has a number of its own",
        )
    }

    fn resolve(&self, code: usize) -> Result<Literal, Mistake> {
        match self.literals[code / 2] {
            Some(literal) => Ok(literal.flip_if(code % 2 == 1)),
            None => Err(Mistake {
                at: self.at,
                message: format!("variable {} is used and never defined", code / 2),
                help: "each variable is an input, a latch or a gate",
            }),
        }
    }

    fn resolve_all(&self, codes: Vec<usize>) -> Result<Vec<Literal>, Mistake> {
        codes.into_iter().map(|code| self.resolve(code)).collect()
    }

    /// A literal within the bounds of the first line.
    fn literal(&mut self) -> Result<usize, Mistake> {
        let begin = self.at;
        let code = self.number()?;
        if code / 2 >= self.literals.len() {
            self.at = begin;
            let help = "literals go up to twice the first number of the file, and one more";
            return Err(self.wrong("this literal is too large", help));
        }
        Ok(code)
    }

    /// The variable that a line defines: an even literal.
    fn defined_variable(&mut self) -> Result<usize, Mistake> {
        let begin = self.at;
        let code = self.literal()?;
        if code % 2 == 1 || code == 0 {
            self.at = begin;
            let help = "what is defined has an even number from 2 on";
            return Err(self.wrong("this literal cannot be defined", help));
        }
        Ok(code / 2)
    }

    fn number(&mut self) -> Result<usize, Mistake> {
        let mut number = 0usize;
        let begin = self.at;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            number = number * 10 + usize::from(digit - b'0');
            self.at += 1;
            if number >= 1 << 31 {
                return Err(self.wrong("this number is too large", "at most 2147483647"));
            }
        }
        match self.at == begin {
            true => Err(self.wrong("a number was expected", "the file may be cut off")),
            false => Ok(number),
        }
    }

    fn blank(&mut self) -> Result<(), Mistake> {
        match self.bytes.get(self.at) {
            Some(b' ') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.wrong("a blank was expected", "numbers stand one blank apart")),
        }
    }

    fn newline(&mut self) -> Result<(), Mistake> {
        if self.bytes.get(self.at) == Some(&b'\r') {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            None => Ok(()),
            _ => Err(self.wrong("the line should end here", "see the AIGER 1.9 format")),
        }
    }

    fn wrong(&self, message: impl Into<String>, help: &'static str) -> Mistake {
        Mistake {
            at: self.at,
            message: message.into(),
            help,
        }
    }
}
