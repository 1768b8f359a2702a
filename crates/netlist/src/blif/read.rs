//! Reading BLIF.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span, Trouble};

use super::parse::{Instance, Module, Parsed, Table, Word, parse};
use crate::{Circuit, Literal};

/// How deep models may stand in each other.
const DEEPEST: usize = 50;
/// How many tables, latches and parts there may be in all, once models stand where they are used;
/// long names count as several.
const MOST_PARTS: usize = 2_000_000;

/// Whether bytes begin as a BLIF file does: with `.model`, after comments.
pub fn looks_like(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| line.starts_with(b".model") || line.starts_with(b".inputs"))
}

/// Reads a circuit, the first model of the file, with remarks on what is taken otherwise than it is
/// written. All mistakes are told at once.
///
/// ```
/// use quotient_core::Source;
/// let text = ".model not\n.inputs a\n.outputs x\n.names a x\n0 1\n.end\n";
/// let (circuit, _) = quotient_netlist::blif::read(&Source::new("not.blif", text)).unwrap();
/// assert_eq!(circuit.outputs.len(), 1);
/// ```
pub fn read(source: &Source) -> Result<(Circuit, Vec<Diagnostic>), Trouble> {
    let Parsed {
        modules,
        mistakes,
        remarks,
    } = parse(source);
    let mut by_name = HashMap::new();
    for (number, module) in modules.iter().enumerate() {
        by_name.entry(module.name).or_insert(number);
    }
    let mut reader = Reader {
        source,
        modules: &modules,
        by_name,
        mistakes,
        circuit: Circuit::new(),
        signals: Vec::new(),
        latches: Vec::new(),
        parts: 0,
    };
    reader.whole();
    match reader.mistakes.is_empty() {
        true => Ok((reader.circuit, remarks)),
        false => Err(reader.mistakes.into()),
    }
}

/// A signal of the circuit, whatever models call it.
struct Signal<'m, 'a> {
    name: String,
    span: Span,
    source: From<'m, 'a>,
}

/// Where a signal comes from.
enum From<'m, 'a> {
    /// Nobody said so far.
    Nowhere,
    Known(Literal),
    /// A table, with the signals that it looks at.
    Table(&'m Table<'a>, Vec<usize>),
}

/// The signals of a model in one place of the circuit.
struct Scope<'a> {
    /// What stands before the names of its own signals.
    path: String,
    names: HashMap<&'a str, usize>,
    /// Where the model outside names what is connected: mistakes about it are told there, as the model
    /// inside may be used in many places, or stand in no file at all.
    wires: HashMap<&'a str, Span>,
}

impl Scope<'_> {
    /// Where to tell that something is wrong with what defines a signal.
    fn place(&self, (name, span): Word<'_>) -> Span {
        self.wires.get(name).copied().unwrap_or(span)
    }
}

struct Reader<'m, 'a> {
    source: &'a Source,
    modules: &'m [Module<'a>],
    by_name: HashMap<&'a str, usize>,
    mistakes: Vec<Diagnostic>,
    circuit: Circuit,
    signals: Vec<Signal<'m, 'a>>,
    /// What each latch becomes.
    latches: Vec<(usize, Literal)>,
    parts: usize,
}

impl<'m, 'a> Reader<'m, 'a> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let error = Diagnostic::error("blif", message)
            .at(self.source, span, "")
            .help(help);
        self.mistakes.push(error);
    }

    /// The first model, with all that is in it.
    fn whole(&mut self) {
        let modules = self.modules;
        let Some(main) = modules.first() else {
            return;
        };
        let mut scope = Scope {
            path: String::new(),
            names: HashMap::new(),
            wires: HashMap::new(),
        };
        for &(name, span) in main.inputs.iter().flatten() {
            let signal = self.signal(&mut scope, name, span);
            self.input(signal, span);
        }
        self.place(0, &mut scope, &mut vec![0]);
        let outputs: Vec<usize> = match &main.outputs {
            Some(names) => (names.iter())
                .map(|&(name, span)| self.signal(&mut scope, name, span))
                .collect(),
            None => self.needed_by_none(),
        };
        let nexts: Vec<usize> = self.latches.iter().map(|&(next, _)| next).collect();
        for signal in outputs.iter().copied().chain(nexts) {
            self.resolve(signal, main.inputs.is_none());
        }
        for (next, latch) in std::mem::take(&mut self.latches) {
            if let From::Known(next) = self.signals[next].source {
                self.circuit.connect(latch, next);
            }
        }
        for signal in outputs {
            let Signal { name, source, .. } = &self.signals[signal];
            if let From::Known(literal) = *source {
                self.circuit.outputs.push(literal);
                self.circuit.output_names.push(Some(name.clone()));
            }
        }
    }

    /// The signal that a model calls so.
    fn signal(&mut self, scope: &mut Scope<'a>, name: &'a str, span: Span) -> usize {
        let (signals, parts) = (&mut self.signals, &mut self.parts);
        let path = &scope.path;
        *scope.names.entry(name).or_insert_with(|| {
            *parts += path.len() / 32;
            signals.push(Signal {
                name: format!("{path}{name}"),
                span,
                source: From::Nowhere,
            });
            signals.len() - 1
        })
    }

    fn input(&mut self, signal: usize, span: Span) {
        let literal = self.circuit.input();
        let name = self.signals[signal].name.clone();
        self.circuit.input_names.push(Some(name));
        self.define(signal, span, From::Known(literal));
    }

    fn define(&mut self, signal: usize, span: Span, source: From<'m, 'a>) {
        if !matches!(self.signals[signal].source, From::Nowhere) {
            let message = format!("`{}` is defined twice", self.signals[signal].name);
            return self.wrong(span, message, "each signal has one source");
        }
        self.signals[signal].span = span;
        self.signals[signal].source = source;
    }

    /// Adds what a model is made of. `above` are the models that this one stands in, and itself.
    fn place(&mut self, number: usize, scope: &mut Scope<'a>, above: &mut Vec<usize>) {
        let module = &self.modules[number];
        for latch in &module.latches {
            let signal = self.signal(scope, latch.name.0, latch.name.1);
            let next = self.signal(scope, latch.next.0, latch.next.1);
            let literal = self.circuit.latch(latch.start);
            let name = self.signals[signal].name.clone();
            self.circuit.latch_names.push(Some(name));
            self.define(signal, scope.place(latch.name), From::Known(literal));
            self.latches.push((next, literal));
        }
        for table in &module.tables {
            let signal = self.signal(scope, table.output.0, table.output.1);
            let inputs = table.inputs.iter();
            let inputs = inputs.map(|&(name, span)| self.signal(scope, name, span));
            let inputs = inputs.collect();
            let place = scope.place(table.output);
            self.define(signal, place, From::Table(table, inputs));
        }
        let own = module.latches.len() + module.tables.len() + module.instances.len();
        self.parts = self.parts.saturating_add(own);
        for (which, instance) in module.instances.iter().enumerate() {
            self.instance(which, instance, scope, above);
        }
    }

    /// A model inside of another.
    fn instance(
        &mut self,
        which: usize,
        instance: &'m Instance<'a>,
        outside: &mut Scope<'a>,
        above: &mut Vec<usize>,
    ) {
        let (name, span) = instance.model;
        let Some(number) = self.model(instance, above) else {
            return;
        };
        let module = &self.modules[number];
        let mut scope = Scope {
            path: format!("{}{name}{}.", outside.path, which + 1),
            names: HashMap::new(),
            wires: HashMap::new(),
        };
        let inputs: HashSet<&str> = names(module.inputs.as_deref());
        let outputs: HashSet<&str> = names(module.outputs.as_deref());
        for &(inside, (actual, span)) in &instance.wires {
            if !inputs.contains(inside) && !outputs.contains(inside) {
                let message = format!("`{name}` has neither input nor output `{inside}`");
                self.wrong(span, message, "the name inside stands before the `=`");
                continue;
            }
            let signal = self.signal(outside, actual, span);
            scope.wires.insert(inside, span);
            let before = scope.names.insert(inside, signal);
            if before.is_some_and(|before| before != signal) {
                let message = format!("`{inside}` is connected twice");
                self.wrong(span, message, "each input and output has one signal");
            }
        }
        let open = module.inputs.iter().flatten();
        for &(input, _) in open.filter(|(input, _)| !scope.names.contains_key(input)) {
            let message = format!("`{input}` of `{name}` is not connected");
            self.wrong(span, message, "each input needs a signal: `inside=outside`");
        }
        above.push(number);
        self.place(number, &mut scope, above);
        above.pop();
    }

    /// The model that a part names, if it may stand here.
    fn model(&mut self, instance: &Instance<'a>, above: &[usize]) -> Option<usize> {
        let (name, span) = instance.model;
        let number = match instance.cell {
            Some(Some(start)) => self.by_name.get(&*format!("{name}%{start}")).copied(),
            _ => self.by_name.get(name).copied(),
        };
        let Some(number) = number else {
            if name.starts_with('$') {
                let message = format!("`{name}` is a cell of yosys that is not known here");
                let help =
                    "in yosys, before `write_blif`: `flatten; memory_map; techmap; simplemap`";
                self.wrong(span, message, help);
                return None;
            }
            if instance.cell.is_some() {
                let message = format!("`{name}` is a cell of a library that is not known here");
                let help = "put the library (one `.genlib` file) beside this file, or write the cell as a `.model`";
                self.wrong(span, message, help);
                return None;
            }
            let known = self.by_name.keys().copied();
            let error = Diagnostic::error("blif", format!("there is no model `{name}`"))
                .at(self.source, span, "")
                .did_you_mean(name, known);
            self.mistakes.push(error);
            return None;
        };
        if above.contains(&number) {
            let message = format!("`{name}` contains itself");
            self.wrong(span, message, "models stand in each other without a circle");
            return None;
        }
        if self.modules[number].is_closed {
            let message = format!("what is inside `{name}` is not told");
            self.wrong(span, message, "a model without `.blackbox` is needed");
            return None;
        }
        if above.len() >= DEEPEST || self.parts > MOST_PARTS {
            if self.mistakes.is_empty() {
                let message = "the circuit is too large with all models where they are used";
                let help = "at most 50 models in each other and 2,000,000 parts";
                self.wrong(span, message, help);
            }
            return None;
        }
        Some(number)
    }

    /// Signals that no table and no latch needs, where no line says what the outputs are.
    fn needed_by_none(&self) -> Vec<usize> {
        let mut needed = vec![false; self.signals.len()];
        for &(next, _) in &self.latches {
            needed[next] = true;
        }
        for signal in &self.signals {
            if let From::Table(_, inputs) = &signal.source {
                inputs.iter().for_each(|&input| needed[input] = true);
            }
        }
        let all = 0..self.signals.len();
        all.filter(|&one| !needed[one]).collect()
    }

    /// Makes gates of a signal and all it depends on.
    fn resolve(&mut self, signal: usize, free: bool) {
        let mut stack = vec![signal];
        let mut open: HashSet<usize> = HashSet::new();
        while let Some(&signal) = stack.last() {
            let span = self.signals[signal].span;
            let waiting: Vec<usize> = match &self.signals[signal].source {
                From::Known(_) => {
                    stack.pop();
                    continue;
                }
                From::Nowhere if free => {
                    self.input(signal, span);
                    continue;
                }
                From::Nowhere => {
                    let message = format!("`{}` is used and never defined", self.name(signal));
                    let help = "it is neither an input nor a latch nor a table";
                    self.wrong(span, message, help);
                    self.signals[signal].source = From::Known(Literal::FALSE);
                    continue;
                }
                From::Table(_, inputs) => {
                    let unknown = |&input: &usize| self.literal(input).is_none();
                    inputs.iter().copied().filter(unknown).collect()
                }
            };
            if waiting.is_empty() {
                let literal = self.table(signal);
                self.signals[signal].source = From::Known(literal);
                continue;
            }
            if !open.insert(signal) {
                let message = format!("`{}` depends on itself", self.name(signal));
                self.wrong(span, message, "put a latch between");
                self.signals[signal].source = From::Known(Literal::FALSE);
                continue;
            }
            stack.extend(waiting);
        }
    }

    fn name(&self, signal: usize) -> &str {
        &self.signals[signal].name
    }

    fn literal(&self, signal: usize) -> Option<Literal> {
        match self.signals[signal].source {
            From::Known(literal) => Some(literal),
            _ => None,
        }
    }

    /// The gates of a table whose inputs are known.
    fn table(&mut self, signal: usize) -> Literal {
        let From::Table(table, inputs) = &self.signals[signal].source else {
            return Literal::FALSE;
        };
        let inputs: Vec<Literal> = (inputs.iter())
            .filter_map(|&input| self.literal(input))
            .collect();
        let table: &Table<'_> = table;
        let mut any = Literal::FALSE;
        for bits in &table.rows {
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
        any.flip_if(table.value == Some(false))
    }
}

fn names<'a>(words: Option<&[Word<'a>]>) -> HashSet<&'a str> {
    words
        .iter()
        .copied()
        .flatten()
        .map(|&(name, _)| name)
        .collect()
}
