//! Libraries of cells (genlib): each cell becomes a model of BLIF, for `.gate` and `.mlatch`.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use quotient_core::{Diagnostic, Source, Span, Trouble};

/// The most levels of a formula.
const DEEPEST: usize = 200;

/// The cells of a library as models, a text to stand behind the circuit that uses them. A latch
/// becomes a model for each value it may start with, its name with `%` and the value.
///
/// ```
/// use quotient_core::Source;
/// let library = Source::new("l.genlib", "GATE inv 1 O=!a; PIN * INV 1 999 1 1 1 1\n");
/// let models = quotient_netlist::blif::cells(&library).unwrap();
/// assert!(models.contains(".model inv\n.inputs a\n.outputs O\n"));
/// ```
pub fn cells(library: &Source) -> Result<String, Trouble> {
    let mut reader = Reader {
        source: library,
        words: words(library.text()),
        at: 0,
        text: String::new(),
        gates: Vec::new(),
        names: HashMap::new(),
        inner: 0,
        inputs: BTreeSet::new(),
    };
    while reader.at < reader.words.len() {
        match reader.word().0 {
            "GATE" => reader.cell(false)?,
            "LATCH" => reader.cell(true)?,
            _ => return Err(reader.wrong("`GATE` or `LATCH` was expected")),
        }
    }
    for gate in std::mem::take(&mut reader.gates) {
        let Gate {
            name,
            outputs,
            inputs,
            body,
        } = gate;
        reader.model(name, "", &outputs.join(" "), &inputs, &body);
    }
    Ok(reader.text)
}

/// Whether a circuit names cells of a library; those of yosys (`$_AND_`) are of none.
pub fn names_cells(text: &str) -> bool {
    text.lines().any(|line| {
        let mut words = line.split_ascii_whitespace();
        let is_cell = matches!(words.next(), Some(".gate" | ".mlatch"));
        is_cell && !words.next().is_some_and(|name| name.starts_with("$_"))
    })
}

/// Words and signs with their places; what stands behind a `#` is a remark.
fn words(text: &str) -> Vec<(&str, Span)> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let bytes = content.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let begin = at;
            let is_sign = |byte: u8| b"=;()!'*&+|^".contains(&byte);
            match bytes[at] {
                byte if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b'"' => {
                    let rest = &content[at + 1..];
                    at += 1 + rest.find('"').map_or(rest.len(), |end| end + 1);
                }
                byte if is_sign(byte) => at += 1,
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || is_sign(*byte);
                    let length = bytes[at..].iter().position(ends);
                    at = length.map_or(bytes.len(), |length| at + length);
                }
            }
            let span = Span::new(start + begin, start + at);
            all.push((content[begin..at].trim_matches('"'), span));
        }
        start += line.len();
    }
    all
}

/// Whether BLIF can have such a name; `%` begins those of signals inside of cells.
fn is_plain(name: &str) -> bool {
    let odd = |letter: char| letter.is_whitespace() || "#%=\\".contains(letter);
    !name.is_empty() && !name.contains(odd)
}

/// A gate. One with several outputs is written as several of one name.
struct Gate<'a> {
    name: &'a str,
    outputs: Vec<&'a str>,
    inputs: BTreeSet<&'a str>,
    body: String,
}

struct Reader<'a> {
    source: &'a Source,
    words: Vec<(&'a str, Span)>,
    at: usize,
    /// The models so far.
    text: String,
    /// The gates so far.
    gates: Vec<Gate<'a>>,
    /// The names of cells so far, with the number of the gate, if it is one.
    names: HashMap<&'a str, Option<usize>>,
    /// How many signals inside of cells have been named.
    inner: usize,
    /// The signals that the cell at hand looks at.
    inputs: BTreeSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn word(&self) -> (&'a str, Span) {
        let end = self.source.text().len();
        let none = ("", Span::new(end, end));
        self.words.get(self.at).copied().unwrap_or(none)
    }

    fn next(&mut self) -> &'a str {
        let (word, _) = self.word();
        self.at += 1;
        word
    }

    fn takes(&mut self, signs: &[&str]) -> bool {
        let found = self.at < self.words.len() && signs.contains(&self.word().0);
        self.at += usize::from(found);
        found
    }

    fn wrong(&self, message: &str) -> Trouble {
        let help = "as in `GATE nand2 2.0 O=!(a*b); PIN * INV 1 999 1 0 1 0`";
        Diagnostic::error("genlib", message)
            .at(self.source, self.word().1, "")
            .help(help)
            .into()
    }

    /// `GATE name area output=formula; PIN …`, or `LATCH … SEQ output state kind …`.
    fn cell(&mut self, is_latch: bool) -> Result<(), Trouble> {
        self.at += 1;
        let (start, name) = (self.at, self.next());
        let _area = self.next();
        let output = self.next();
        let before = self.names.get(name).copied();
        let other = before.flatten().filter(|_| !is_latch);
        let another = |gate: usize| !self.gates[gate].outputs.contains(&output);
        if before.is_some() && !other.is_some_and(another) {
            self.at = start;
            return Err(self.wrong("each cell has a name of its own, and this one is taken"));
        }
        if !is_plain(name) || !is_plain(output) || !self.takes(&["="]) {
            return Err(self.wrong("a cell has a name, an area, and an output with a formula"));
        }
        self.inputs.clear();
        let mut tables = String::new();
        let formula = self.either(&mut tables, 0)?;
        if !self.takes(&[";"]) {
            return Err(self.wrong("`;` was expected after a formula"));
        }
        let mut state = None;
        while self.at < self.words.len() && !["GATE", "LATCH"].contains(&self.word().0) {
            if self.next() == "SEQ" {
                let (next, held) = (self.next(), self.next());
                if next != output {
                    self.at -= 2;
                    return Err(self.wrong("a latch holds what its formula says"));
                }
                state = Some(held);
            }
        }
        if !is_latch {
            let _ = write!(tables, ".names {formula} {output}\n1 1\n");
            self.gate(name, other, output, &tables);
            return Ok(());
        }
        self.names.insert(name, None);
        let Some(state) = state else {
            return Err(self.wrong("a latch has a part `SEQ`"));
        };
        // What it held before is no signal from outside.
        self.inputs.remove(state);
        let mut wires = String::new();
        if state != output && state != "ANY" {
            let _ = write!(wires, ".names {output} {state}\n1 1\n");
        }
        let inputs = std::mem::take(&mut self.inputs);
        for start in ["0", "1", "2", "3"] {
            let held = format!("{tables}.latch {formula} {output} {start}\n{wires}");
            self.model(name, start, output, &inputs, &held);
        }
        Ok(())
    }

    /// Notes a gate, or another output of one.
    fn gate(&mut self, name: &'a str, other: Option<usize>, output: &'a str, body: &str) {
        let inputs = std::mem::take(&mut self.inputs);
        if let Some(gate) = other.and_then(|number| self.gates.get_mut(number)) {
            gate.outputs.push(output);
            gate.inputs.extend(inputs);
            gate.body.push_str(body);
            return;
        }
        self.names.insert(name, Some(self.gates.len()));
        self.gates.push(Gate {
            name,
            outputs: vec![output],
            inputs,
            body: body.to_owned(),
        });
    }

    fn model(
        &mut self,
        name: &str,
        start: &str,
        outputs: &str,
        inputs: &BTreeSet<&str>,
        body: &str,
    ) {
        let mark = if start.is_empty() { "" } else { "%" };
        let _ = write!(self.text, ".model {name}{mark}{start}\n.inputs");
        for input in inputs {
            let _ = write!(self.text, " {input}");
        }
        let _ = write!(self.text, "\n.outputs {outputs}\n{body}.end\n");
    }

    /// A table inside of a cell; gives the name of its output.
    fn table(&mut self, tables: &mut String, inputs: &[&str], rows: &str) -> String {
        self.inner += 1;
        let name = format!("%{}", self.inner);
        let _ = write!(tables, ".names {} {name}\n{rows}", inputs.join(" "));
        name
    }

    fn either(&mut self, tables: &mut String, depth: usize) -> Result<String, Trouble> {
        let mut left = self.odd(tables, depth)?;
        while self.takes(&["+", "|"]) {
            let right = self.odd(tables, depth)?;
            left = self.table(tables, &[&left, &right], "1- 1\n-1 1\n");
        }
        Ok(left)
    }

    fn odd(&mut self, tables: &mut String, depth: usize) -> Result<String, Trouble> {
        let mut left = self.both(tables, depth)?;
        while self.takes(&["^"]) {
            let right = self.both(tables, depth)?;
            left = self.table(tables, &[&left, &right], "10 1\n01 1\n");
        }
        Ok(left)
    }

    /// Signals beside each other are all on, with or without a sign between.
    fn both(&mut self, tables: &mut String, depth: usize) -> Result<String, Trouble> {
        let mut left = self.single(tables, depth)?;
        loop {
            let goes_on = !["", ";", ")", "+", "|", "^"].contains(&self.word().0);
            if !self.takes(&["*", "&"]) && !goes_on {
                return Ok(left);
            }
            let right = self.single(tables, depth)?;
            left = self.table(tables, &[&left, &right], "11 1\n");
        }
    }

    fn single(&mut self, tables: &mut String, depth: usize) -> Result<String, Trouble> {
        if depth > DEEPEST {
            return Err(self.wrong("a formula that is less deep was expected"));
        }
        let mut found = match self.word().0 {
            "!" => {
                self.at += 1;
                let inner = self.single(tables, depth + 1)?;
                self.table(tables, &[&inner], "0 1\n")
            }
            "(" => {
                self.at += 1;
                let inner = self.either(tables, depth + 1)?;
                if !self.takes(&[")"]) {
                    return Err(self.wrong("`)` was expected"));
                }
                inner
            }
            "CONST0" | "CONST1" => match self.next() {
                "CONST0" => self.table(tables, &[], ""),
                _ => self.table(tables, &[], "1\n"),
            },
            "" | ";" | ")" | "=" | "*" | "&" | "+" | "|" | "^" | "'" | "GATE" | "LATCH" | "PIN" => {
                return Err(self.wrong("a signal was expected"));
            }
            name if !is_plain(name) => {
                return Err(self.wrong("a name of letters and digits was expected"));
            }
            name => {
                self.at += 1;
                self.inputs.insert(name);
                name.to_owned()
            }
        };
        while self.takes(&["'"]) {
            found = self.table(tables, &[&found], "0 1\n");
        }
        Ok(found)
    }
}
