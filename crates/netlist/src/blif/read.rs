//! Reading BLIF.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::{Circuit, Literal};

/// Whether bytes begin as a BLIF file does: with `.model`, after comments.
pub fn looks_like(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| line.starts_with(b".model") || line.starts_with(b".inputs"))
}

/// Reads a circuit. All mistakes are told at once.
///
/// ```
/// use quotient_core::Source;
/// let text = ".model not\n.inputs a\n.outputs x\n.names a x\n0 1\n.end\n";
/// let circuit = quotient_netlist::blif::read(&Source::new("not.blif", text)).unwrap();
/// assert_eq!(circuit.outputs.len(), 1);
/// ```
pub fn read(source: &Source) -> Result<Circuit, Trouble> {
    let mut reader = Reader {
        source,
        mistakes: Vec::new(),
        circuit: Circuit::new(),
        signals: HashMap::new(),
        tables: Vec::new(),
        table_of: HashMap::new(),
        latches: Vec::new(),
        outputs: Vec::new(),
    };
    for line in lines(source.text()) {
        reader.line(&line);
    }
    reader.finish()
}

/// Words of one line, with their places; lines that end in `\` go on.
fn lines(text: &str) -> Vec<Vec<(&str, Span)>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let goes_on = content.trim_end().ends_with('\\');
        for word in content.split_ascii_whitespace() {
            let word = word.trim_end_matches('\\');
            if word.is_empty() {
                continue;
            }
            let start = at + (word.as_ptr() as usize - line.as_ptr() as usize);
            if let Some(last) = all.last_mut() {
                last.push((word, Span::new(start, start + word.len())));
            }
        }
        at += line.len();
        if !goes_on {
            all.push(Vec::new());
        }
    }
    all.retain(|line| !line.is_empty());
    all
}

/// A table: what it looks at, and the rows of its cover.
struct Table<'a> {
    inputs: Vec<(&'a str, Span)>,
    output: (&'a str, Span),
    rows: Vec<(&'a str, bool)>,
}

struct Reader<'a> {
    source: &'a Source,
    mistakes: Vec<Diagnostic>,
    circuit: Circuit,
    signals: HashMap<&'a str, Literal>,
    tables: Vec<Table<'a>>,
    table_of: HashMap<&'a str, usize>,
    latches: Vec<((&'a str, Span), Literal)>,
    outputs: Vec<(&'a str, Span)>,
}

impl<'a> Reader<'a> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let error = Diagnostic::error("blif", message)
            .at(self.source, span, "")
            .help(help);
        self.mistakes.push(error);
    }

    fn line(&mut self, words: &[(&'a str, Span)]) {
        let (keyword, span) = words[0];
        match keyword {
            ".model" | ".end" | ".default_input_arrival" | ".clock" => {}
            ".inputs" => {
                for &(name, span) in &words[1..] {
                    let input = self.circuit.input();
                    self.circuit.input_names.push(Some(name.to_owned()));
                    self.define(name, span, input);
                }
            }
            ".outputs" => self.outputs.extend(&words[1..]),
            ".latch" => self.latch(words),
            ".names" => match words[1..] {
                [ref inputs @ .., output] => {
                    if self.table_of.contains_key(output.0) || self.signals.contains_key(output.0) {
                        self.twice(output);
                    }
                    self.table_of.insert(output.0, self.tables.len());
                    self.tables.push(Table {
                        inputs: inputs.to_vec(),
                        output,
                        rows: Vec::new(),
                    });
                }
                [] => self.wrong(span, "a table without a name", "write `.names a b x`"),
            },
            _ if keyword.starts_with('.') => {
                let help = "one flat model is read; in yosys: `flatten; techmap; abc; write_blif`";
                self.wrong(span, format!("`{keyword}` is not understood"), help);
            }
            _ => self.row(words),
        }
    }

    fn latch(&mut self, words: &[(&'a str, Span)]) {
        let [_, next, (name, span), ref rest @ ..] = *words else {
            return self.wrong(
                words[0].1,
                "a latch needs two names",
                "`.latch next name 0`",
            );
        };
        let start = match rest.last().map(|&(word, _)| word) {
            Some("0") => Some(false),
            Some("1") => Some(true),
            _ => None,
        };
        let latch = self.circuit.latch(start);
        self.circuit.latch_names.push(Some(name.to_owned()));
        self.define(name, span, latch);
        self.latches.push((next, latch));
    }

    /// A row of the last table.
    fn row(&mut self, words: &[(&'a str, Span)]) {
        let span = words[0].1;
        let Some(table) = self.tables.last_mut() else {
            return self.wrong(
                span,
                "a row outside of a table",
                "tables begin with `.names`",
            );
        };
        let (bits, value) = match words {
            [(value, _)] if table.inputs.is_empty() => ("", *value),
            [(bits, _), (value, _)] => (*bits, *value),
            _ => return self.wrong(span, "a row has two words", "as in `1-0 1`"),
        };
        let fits = bits.len() == table.inputs.len()
            && bits.bytes().all(|bit| b"01-".contains(&bit))
            && (value == "0" || value == "1");
        if !fits {
            let count = table.inputs.len();
            let message = format!("this row does not fit a table of {count} inputs");
            return self.wrong(
                span,
                message,
                "a digit `0`, `1` or `-` for each, then the value",
            );
        }
        table.rows.push((bits, value == "1"));
    }

    fn define(&mut self, name: &'a str, span: Span, literal: Literal) {
        if self.signals.insert(name, literal).is_some() || self.table_of.contains_key(name) {
            self.twice((name, span));
        }
    }

    fn twice(&mut self, (name, span): (&str, Span)) {
        let message = format!("`{name}` is defined twice");
        self.wrong(span, message, "each signal has one source");
    }

    fn finish(mut self) -> Result<Circuit, Trouble> {
        let wanted: Vec<(&str, Span)> = (self.outputs.iter().copied())
            .chain(self.latches.iter().map(|&(next, _)| next))
            .collect();
        for (name, span) in wanted {
            self.resolve(name, span);
        }
        for (next, latch) in std::mem::take(&mut self.latches) {
            if let Some(&next) = self.signals.get(next.0) {
                self.circuit.connect(latch, next);
            }
        }
        for (name, _) in std::mem::take(&mut self.outputs) {
            if let Some(&signal) = self.signals.get(name) {
                self.circuit.outputs.push(signal);
                self.circuit.output_names.push(Some(name.to_owned()));
            }
        }
        match self.mistakes.is_empty() {
            true => Ok(self.circuit),
            false => Err(self.mistakes.into()),
        }
    }

    /// Makes gates of a signal and all it depends on.
    fn resolve(&mut self, name: &'a str, span: Span) {
        let mut stack = vec![(name, span)];
        let mut open: HashMap<&str, ()> = HashMap::new();
        while let Some(&(name, span)) = stack.last() {
            if self.signals.contains_key(name) {
                stack.pop();
                continue;
            }
            let Some(&number) = self.table_of.get(name) else {
                let message = format!("`{name}` is used and never defined");
                self.wrong(
                    span,
                    message,
                    "it is neither an input nor a latch nor a table",
                );
                self.signals.insert(name, Literal::FALSE);
                continue;
            };
            let waiting: Vec<(&str, Span)> = (self.tables[number].inputs.iter().copied())
                .filter(|(input, _)| !self.signals.contains_key(input))
                .collect();
            if waiting.is_empty() {
                let signal = self.table(number);
                self.signals.insert(name, signal);
                continue;
            }
            if open.insert(name, ()).is_some() {
                let message = format!("`{name}` depends on itself");
                self.wrong(self.tables[number].output.1, message, "put a latch between");
                self.signals.insert(name, Literal::FALSE);
                continue;
            }
            stack.extend(waiting);
        }
    }

    fn table(&mut self, number: usize) -> Literal {
        let table = &self.tables[number];
        let inputs: Vec<Literal> = (table.inputs.iter())
            .map(|(name, _)| self.signals[name])
            .collect();
        let mut any = Literal::FALSE;
        let mut value = true;
        for (bits, row_value) in &table.rows {
            value = *row_value;
            let mut all = Literal::TRUE;
            for (bit, &input) in bits.bytes().zip(&inputs) {
                match bit {
                    b'1' => all = self.circuit.graph.and(all, input),
                    b'0' => all = self.circuit.graph.and(all, !input),
                    _ => {}
                }
            }
            any = self.circuit.graph.or(any, all);
        }
        any.flip_if(!value)
    }
}
