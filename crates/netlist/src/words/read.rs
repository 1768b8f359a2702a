//! Reading BTOR2.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span, Trouble};

use super::model::{Asked, Model, Node, NodeId, Operand, Operator, Sort, State};
use super::word::Word;

/// The widest word.
const MOST_BITS: u32 = 1 << 16;

/// Whether a text begins as a BTOR2 file does: with a line `1 sort bitvec …`, after comments.
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
    let mut words = first.unwrap_or_default().split_ascii_whitespace();
    words.next().is_some_and(|word| plain(word).is_some())
        && words.next() == Some("sort")
        && matches!(words.next(), Some("bitvec" | "array"))
}

/// Reads a model. All mistakes are told at once.
///
/// ```
/// use quotient_core::Source;
/// let text = "1 sort bitvec 8\n2 state 1 count\n3 zero 1\n4 init 1 2 3\n5 inc 1 2\n6 next 1 2 5\n";
/// let model = quotient_netlist::words::read(&Source::new("c.btor2", text)).unwrap();
/// assert_eq!(model.states()[0].name, "count");
/// ```
pub fn read(source: &Source) -> Result<Model, Trouble> {
    let mut reader = Reader {
        source,
        used: HashSet::new(),
        sorts: HashMap::new(),
        known: HashMap::new(),
        model: Model::default(),
        states: HashMap::new(),
        starts: HashMap::new(),
        room: 64 * source.text().len() + (1 << 20),
    };
    let mut mistakes = Vec::new();
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let content = line.split(';').next().unwrap_or_default();
        let words: Vec<(&str, Span)> = content
            .split_ascii_whitespace()
            .map(|word| {
                let start = at + (word.as_ptr() as usize - line.as_ptr() as usize);
                (word, Span::new(start, start + word.len()))
            })
            .collect();
        at += line.len();
        if !words.is_empty()
            && let Err(mistake) = reader.line(&words)
        {
            mistakes.push(mistake);
        }
    }
    mistakes.extend(reader.circular_start());
    match mistakes.is_empty() {
        true => Ok(reader.model),
        false => Err(mistakes.into()),
    }
}

struct Reader<'a> {
    source: &'a Source,
    /// The numbers of all lines, also of those that define nothing.
    used: HashSet<u64>,
    sorts: HashMap<u64, Sort>,
    known: HashMap<u64, NodeId>,
    model: Model,
    /// The number of the state of a node.
    states: HashMap<NodeId, usize>,
    /// The place of the start of a state.
    starts: HashMap<usize, Span>,
    /// Bits that constants may still have: what a file makes of memory is bounded by its length.
    room: usize,
}

type Words<'w> = [(&'w str, Span)];

/// Whether a node was looked at.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Never,
    OnPath,
    Done,
}

impl Reader<'_> {
    fn wrong(&self, span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
        Diagnostic::error("btor2", message)
            .at(self.source, span, "")
            .help(help)
    }

    fn line(&mut self, words: &Words<'_>) -> Result<(), Diagnostic> {
        let id = self.number(words, 0)?;
        let Some(&(keyword, span)) = words.get(1) else {
            return Err(self.wrong(words[0].1, "a line without a keyword", "as in `3 zero 1`"));
        };
        if !self.used.insert(id) {
            let message = format!("the number {id} is defined twice");
            return Err(self.wrong(words[0].1, message, "each line has a number of its own"));
        }
        match keyword {
            "sort" => {
                let sort = self.new_sort(words)?;
                self.sorts.insert(id, sort);
            }
            "input" | "state" => {
                let sort = self.sort(words, 2)?;
                let name = words
                    .get(3)
                    .map_or_else(|| format!("n{id}"), |one| one.0.to_owned());
                let node = self.leaf(keyword, sort, name);
                self.known.insert(id, node);
            }
            "init" | "next" => self.assignment(keyword, words)?,
            "bad" | "constraint" | "output" | "fair" => {
                let signal = match keyword {
                    "output" => self.operand(words, 2)?,
                    _ => self.signal(keyword, words, 2)?,
                };
                let asked = Asked {
                    signal,
                    name: words.get(3).map(|one| one.0.to_owned()),
                    span: words[0].1.to(words[words.len() - 1].1),
                };
                match keyword {
                    "bad" => self.model.bad.push(asked),
                    "constraint" => self.model.constraints.push(asked),
                    "fair" => self.model.fairness.push(asked),
                    _ => self.model.outputs.push(asked),
                }
            }
            "justice" => {
                let count = self.number(words, 2)?;
                let mut signals = Vec::new();
                for at in 0..usize::try_from(count).unwrap_or(usize::MAX) {
                    signals.push(self.signal(keyword, words, at.saturating_add(3))?);
                }
                let span = words[0].1.to(words[words.len() - 1].1);
                self.model.justice.push((signals, span));
            }
            _ => {
                let (node, sort) = match constant_base(keyword) {
                    Some(base) => self.constant(keyword, base, words)?,
                    None => self.operation(keyword, span, words)?,
                };
                let node = self.push(node, sort);
                self.known.insert(id, node);
            }
        }
        Ok(())
    }

    fn push(&mut self, node: Node, sort: Sort) -> NodeId {
        self.model.nodes.push((node, sort));
        NodeId(self.model.nodes.len() as u32 - 1)
    }

    fn leaf(&mut self, keyword: &str, sort: Sort, name: String) -> NodeId {
        if keyword == "input" {
            let node = self.push(Node::Input(self.model.inputs.len()), sort);
            self.model.inputs.push((node, name));
            return node;
        }
        let number = self.model.states.len();
        let node = self.push(Node::State(number), sort);
        self.states.insert(node, number);
        self.model.states.push(State {
            node,
            start: None,
            next: None,
            name,
        });
        node
    }

    fn new_sort(&self, words: &Words<'_>) -> Result<Sort, Diagnostic> {
        match words.get(2).map(|one| one.0) {
            Some("bitvec") => match self.number(words, 3)? {
                width @ 1..=0x1_0000 => Ok(Sort::Bits(width as u32)),
                _ => {
                    let message = "words have from 1 to 65536 bits";
                    Err(self.wrong(words[3].1, message, "split the word"))
                }
            },
            Some("array") => match (self.sort(words, 3)?, self.sort(words, 4)?) {
                (Sort::Bits(index), Sort::Bits(element)) => Ok(Sort::Array(index, element)),
                _ => Err(self.wrong(
                    words[3].1,
                    "arrays hold words, by words",
                    "no arrays of arrays",
                )),
            },
            _ => Err(self.wrong(words[1].1, "a sort is `bitvec N` or `array I E`", "")),
        }
    }

    fn number(&self, words: &Words<'_>, at: usize) -> Result<u64, Diagnostic> {
        let Some(&(word, span)) = words.get(at) else {
            return Err(self.missing(words));
        };
        plain(word)
            .ok_or_else(|| self.wrong(span, format!("`{word}` is no number"), "see the format"))
    }

    fn missing(&self, words: &Words<'_>) -> Diagnostic {
        let span = words[words.len() - 1].1;
        self.wrong(span, "the line ends too early", "an operand is missing")
    }

    fn sort(&self, words: &Words<'_>, at: usize) -> Result<Sort, Diagnostic> {
        let id = self.number(words, at)?;
        self.sorts.get(&id).copied().ok_or_else(|| {
            let message = format!("{id} is no sort");
            self.wrong(
                words[at].1,
                message,
                "sorts are defined before they are used",
            )
        })
    }

    fn operand(&self, words: &Words<'_>, at: usize) -> Result<Operand, Diagnostic> {
        let Some(&(word, span)) = words.get(at) else {
            return Err(self.missing(words));
        };
        let (negated, digits) = match word.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, word),
        };
        let node = plain(digits).and_then(|id| self.known.get(&id));
        match node {
            Some(&node) if negated && matches!(self.model.sort(node), Sort::Array(..)) => {
                let message = format!("`{word}` is a negated array");
                Err(self.wrong(span, message, "arrays cannot be negated: take the `-` away"))
            }
            Some(&node) => Ok(Operand { node, negated }),
            None => {
                let message = format!("`{word}` is no node");
                Err(self.wrong(span, message, "nodes are defined before they are used"))
            }
        }
    }

    /// An operand that is on or off.
    fn signal(&self, keyword: &str, words: &Words<'_>, at: usize) -> Result<Operand, Diagnostic> {
        let signal = self.operand(words, at)?;
        if self.model.sort(signal.node) == Sort::Bits(1) {
            return Ok(signal);
        }
        let message = format!("`{keyword}` needs a word of one bit");
        Err(self.wrong(words[at].1, message, "compare, or reduce with `redor`"))
    }

    fn assignment(&mut self, keyword: &str, words: &Words<'_>) -> Result<(), Diagnostic> {
        let sort = self.sort(words, 2)?;
        let state = self.operand(words, 3)?;
        let value = self.operand(words, 4)?;
        let Some(&number) = self.states.get(&state.node).filter(|_| !state.negated) else {
            let message = format!("`{keyword}` is for states");
            return Err(self.wrong(words[3].1, message, "name a line with `state`"));
        };
        let (own, given) = (self.model.sort(state.node), self.model.sort(value.node));
        let fill = match own {
            Sort::Array(_, element) => keyword == "init" && given == Sort::Bits(element),
            Sort::Bits(_) => false,
        };
        if own != sort || (given != own && !fill) {
            let message = "state and value are not of this sort";
            return Err(self.wrong(words[4].1, message, "they must be of the same sort"));
        }
        let state = &mut self.model.states[number];
        let slot = match keyword {
            "init" => &mut state.start,
            _ => &mut state.next,
        };
        if slot.replace(value).is_some() {
            let message = format!("a second `{keyword}` for the same state");
            return Err(self.wrong(words[0].1, message, "one of them is enough"));
        }
        if keyword == "init" {
            self.starts.insert(number, words[4].1);
        }
        Ok(())
    }

    /// A state whose start depends on itself: it may have none at all, which nobody would notice
    /// where the question is about other states.
    fn circular_start(&self) -> Option<Diagnostic> {
        // What a node is made of at the start.
        let below = |node: NodeId| -> Vec<NodeId> {
            match &self.model.nodes[node.0 as usize].0 {
                Node::Constant(_) | Node::Input(_) => Vec::new(),
                Node::State(number) => {
                    let start = self.model.states[*number].start.iter();
                    start.map(|operand| operand.node).collect()
                }
                Node::Apply(_, operands) => operands.iter().map(|operand| operand.node).collect(),
            }
        };
        let mut seen = vec![Seen::Never; self.model.nodes.len()];
        for (number, state) in self.model.states.iter().enumerate() {
            let mut path = vec![(state.node, below(state.node))];
            if seen[state.node.0 as usize] == Seen::Never {
                seen[state.node.0 as usize] = Seen::OnPath;
            } else {
                continue;
            }
            while let Some((node, rest)) = path.last_mut() {
                let Some(next) = rest.pop() else {
                    seen[node.0 as usize] = Seen::Done;
                    path.pop();
                    continue;
                };
                match seen[next.0 as usize] {
                    Seen::Done => {}
                    Seen::Never => {
                        seen[next.0 as usize] = Seen::OnPath;
                        path.push((next, below(next)));
                    }
                    Seen::OnPath => {
                        let span = *self.starts.get(&number)?;
                        let message = format!("the start of `{}` depends on itself", state.name);
                        let help = "starts are made of constants, inputs and other states";
                        return Some(self.wrong(span, message, help));
                    }
                }
            }
        }
        None
    }

    fn constant(
        &mut self,
        keyword: &str,
        base: u32,
        words: &Words<'_>,
    ) -> Result<(Node, Sort), Diagnostic> {
        let sort = self.sort(words, 2)?;
        let Sort::Bits(width) = sort else {
            return Err(self.wrong(words[2].1, "constants are words", "give a sort `bitvec`"));
        };
        let Some(room) = self.room.checked_sub(width as usize) else {
            return Err(self.wrong(words[0].1, "the words are too wide for this file", ""));
        };
        self.room = room;
        let word = match keyword {
            "zero" => Word::zero(width),
            "one" => Word::from_number(1, width),
            "ones" => Word::zero(width).flip_if(true),
            _ => {
                let Some(&(digits, span)) = words.get(3) else {
                    return Err(self.missing(words));
                };
                Word::from_digits(digits, base, width).ok_or_else(|| {
                    let message = format!("`{digits}` is no constant of {width} bits");
                    self.wrong(
                        span,
                        message,
                        "`const` is binary, `constd` decimal, `consth` hex",
                    )
                })?
            }
        };
        Ok((Node::Constant(word), sort))
    }

    fn operation(
        &self,
        keyword: &str,
        span: Span,
        words: &Words<'_>,
    ) -> Result<(Node, Sort), Diagnostic> {
        let Some((mut operator, count)) = operator(keyword) else {
            let message = format!("`{keyword}` is not understood");
            return Err(self.wrong(span, message, "see the BTOR2 format for the operators"));
        };
        let sort = self.sort(words, 2)?;
        let mut operands = Vec::new();
        for at in 0..count {
            operands.push(self.operand(words, 3 + at)?);
        }
        let bound = |at: usize| -> Result<u32, Diagnostic> {
            let number = self.number(words, at)?;
            u32::try_from(number)
                .ok()
                .filter(|&number| number <= MOST_BITS)
                .ok_or_else(|| self.wrong(words[at].1, "this is too much", "at most 65536"))
        };
        match &mut operator {
            Operator::Slice(upper, lower) => (*upper, *lower) = (bound(4)?, bound(5)?),
            Operator::Uext(by) | Operator::Sext(by) => *by = bound(4)?,
            _ => {}
        }
        let sorts: Vec<Sort> = operands
            .iter()
            .map(|one| self.model.sort(one.node))
            .collect();
        if !fits(operator, &sorts, sort) {
            let message = format!("the operands of `{keyword}` do not fit each other or its sort");
            return Err(self.wrong(span, message, "compare the widths of the lines it names"));
        }
        Ok((Node::Apply(operator, operands), sort))
    }
}

fn constant_base(keyword: &str) -> Option<u32> {
    match keyword {
        "zero" | "one" | "ones" | "const" => Some(2),
        "constd" => Some(10),
        "consth" => Some(16),
        _ => None,
    }
}

/// A number without a sign.
fn plain(word: &str) -> Option<u64> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}

/// An operator by its name, with the number of its operands; numbers in it come later.
fn operator(keyword: &str) -> Option<(Operator, usize)> {
    use Operator as O;
    Some(match keyword {
        "not" => (O::Not, 1),
        "inc" => (O::Inc, 1),
        "dec" => (O::Dec, 1),
        "neg" => (O::Neg, 1),
        "redand" => (O::Redand, 1),
        "redor" => (O::Redor, 1),
        "redxor" => (O::Redxor, 1),
        "slice" => (O::Slice(0, 0), 1),
        "uext" => (O::Uext(0), 1),
        "sext" => (O::Sext(0), 1),
        "iff" => (O::Iff, 2),
        "implies" => (O::Implies, 2),
        "eq" => (O::Eq, 2),
        "neq" => (O::Neq, 2),
        "sgt" => (O::Sgt, 2),
        "ugt" => (O::Ugt, 2),
        "sgte" => (O::Sgte, 2),
        "ugte" => (O::Ugte, 2),
        "slt" => (O::Slt, 2),
        "ult" => (O::Ult, 2),
        "slte" => (O::Slte, 2),
        "ulte" => (O::Ulte, 2),
        "and" => (O::And, 2),
        "nand" => (O::Nand, 2),
        "nor" => (O::Nor, 2),
        "or" => (O::Or, 2),
        "xnor" => (O::Xnor, 2),
        "xor" => (O::Xor, 2),
        "rol" => (O::Rol, 2),
        "ror" => (O::Ror, 2),
        "sll" => (O::Sll, 2),
        "sra" => (O::Sra, 2),
        "srl" => (O::Srl, 2),
        "add" => (O::Add, 2),
        "mul" => (O::Mul, 2),
        "sdiv" => (O::Sdiv, 2),
        "udiv" => (O::Udiv, 2),
        "smod" => (O::Smod, 2),
        "srem" => (O::Srem, 2),
        "urem" => (O::Urem, 2),
        "sub" => (O::Sub, 2),
        "saddo" => (O::Saddo, 2),
        "uaddo" => (O::Uaddo, 2),
        "sdivo" => (O::Sdivo, 2),
        "smulo" => (O::Smulo, 2),
        "umulo" => (O::Umulo, 2),
        "ssubo" => (O::Ssubo, 2),
        "usubo" => (O::Usubo, 2),
        "concat" => (O::Concat, 2),
        "read" => (O::Read, 2),
        "write" => (O::Write, 3),
        "ite" => (O::Ite, 3),
        _ => return None,
    })
}

/// Whether operands and result of an operator fit each other.
fn fits(operator: Operator, operands: &[Sort], result: Sort) -> bool {
    use Operator as O;
    use Sort::{Array, Bits};
    let bit = result == Bits(1);
    match (operator, operands) {
        (O::Not | O::Inc | O::Dec | O::Neg, &[one @ Bits(_)]) => one == result,
        (O::Redand | O::Redor | O::Redxor, &[Bits(_)]) => bit,
        (O::Slice(upper, lower), &[Bits(width)]) => {
            lower <= upper && upper < width && result == Bits(upper - lower + 1)
        }
        (O::Uext(by) | O::Sext(by), &[Bits(width)]) => result == Bits(width + by),
        (O::Iff | O::Implies, &[Bits(1), Bits(1)]) => bit,
        (O::Eq | O::Neq, &[one, other]) => one == other && bit,
        (
            O::Sgt
            | O::Ugt
            | O::Sgte
            | O::Ugte
            | O::Slt
            | O::Ult
            | O::Slte
            | O::Ulte
            | O::Saddo
            | O::Uaddo
            | O::Sdivo
            | O::Smulo
            | O::Umulo
            | O::Ssubo
            | O::Usubo,
            &[Bits(one), Bits(other)],
        ) => one == other && bit,
        (O::Concat, &[Bits(one), Bits(other)]) => result == Bits(one + other),
        (O::Read, &[Array(index, element), Bits(at)]) => at == index && result == Bits(element),
        (O::Write, &[array @ Array(index, element), Bits(at), Bits(value)]) => {
            at == index && value == element && array == result
        }
        (O::Ite, &[Bits(1), then, otherwise]) => then == otherwise && then == result,
        (
            O::Read
            | O::Write
            | O::Ite
            | O::Iff
            | O::Implies
            | O::Not
            | O::Inc
            | O::Dec
            | O::Neg
            | O::Redand
            | O::Redor
            | O::Redxor
            | O::Slice(..)
            | O::Uext(_)
            | O::Sext(_),
            _,
        ) => false,
        (_, &[one @ Bits(_), other]) => one == other && one == result,
        _ => false,
    }
}
