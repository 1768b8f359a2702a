//! The text of BLIF: models, and what they are made of.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Span};

/// A word and where it stands.
pub(super) type Word<'a> = (&'a str, Span);

/// A table: what it looks at, and the rows of its cover, which all say the same of the output.
pub(super) struct Table<'a> {
    pub(super) inputs: Vec<Word<'a>>,
    pub(super) output: Word<'a>,
    pub(super) rows: Vec<&'a str>,
    /// What the output is where a row fits; nothing without rows.
    pub(super) value: Option<bool>,
}

/// A latch, with what it becomes.
pub(super) struct Latch<'a> {
    pub(super) next: Word<'a>,
    pub(super) name: Word<'a>,
    pub(super) start: Option<bool>,
}

/// A model inside of another, with its signals and what they are outside.
pub(super) struct Instance<'a> {
    pub(super) model: Word<'a>,
    /// Whether it is a cell of a library, and what it starts with if that is a latch.
    pub(super) cell: Option<Option<&'a str>>,
    pub(super) wires: Vec<(&'a str, Word<'a>)>,
}

/// A model. Without a line of inputs or outputs, they are those signals that nothing drives or needs.
#[derive(Default)]
pub(super) struct Module<'a> {
    pub(super) name: &'a str,
    pub(super) inputs: Option<Vec<Word<'a>>>,
    pub(super) outputs: Option<Vec<Word<'a>>>,
    pub(super) latches: Vec<Latch<'a>>,
    pub(super) tables: Vec<Table<'a>>,
    pub(super) instances: Vec<Instance<'a>>,
    /// What is inside was not told.
    pub(super) is_closed: bool,
}

/// All models of a text, with mistakes and remarks.
pub(super) struct Parsed<'a> {
    pub(super) modules: Vec<Module<'a>>,
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) remarks: Vec<Diagnostic>,
}

/// Lines about time, areas and names for drawings: nothing that a circuit computes.
const OF_NO_MATTER: [&str; 22] = [
    ".area",
    ".attr",
    ".clock",
    ".clock_event",
    ".cname",
    ".cycle",
    ".default_input_arrival",
    ".default_input_drive",
    ".default_max_input_load",
    ".default_output_load",
    ".default_output_required",
    ".delay",
    ".gateinit",
    ".input_arrival",
    ".input_drive",
    ".latch_order",
    ".max_input_load",
    ".output_load",
    ".output_required",
    ".param",
    ".wire",
    ".wire_load_slope",
];

/// Reads all lines.
pub(super) fn parse(source: &Source) -> Parsed<'_> {
    let mut parser = Parser {
        source,
        parsed: Parsed {
            modules: Vec::new(),
            mistakes: Vec::new(),
            remarks: Vec::new(),
        },
        place: Place::Outside,
        names: HashSet::new(),
        ended: false,
        told: false,
        clock: None,
    };
    for line in lines(source.text()) {
        parser.line(&line);
    }
    parser.parsed
}

/// Words of one line, with their places; lines that end in `\` go on.
fn lines(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default().trim_end();
        let (content, goes_on) = match content.strip_suffix('\\') {
            Some(before) => (before, true),
            None => (content, false),
        };
        for word in content.split_ascii_whitespace() {
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

/// What a line belongs to.
#[derive(PartialEq, Eq)]
enum Place {
    /// Before a model, or after its end.
    Outside,
    /// In a model; rows belong to its last table.
    Model { in_table: bool },
    /// In what says where outputs do not matter.
    DontCares,
}

struct Parser<'a> {
    source: &'a Source,
    parsed: Parsed<'a>,
    place: Place,
    /// The names of models so far.
    names: HashSet<&'a str>,
    /// Whether a model has ended, and whether lines after it were told.
    ended: bool,
    told: bool,
    /// What the first latch with a clock says of it.
    clock: Option<(&'a str, &'a str)>,
}

impl<'a> Parser<'a> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let error = Diagnostic::error("blif", message)
            .at(self.source, span, "")
            .help(help);
        self.parsed.mistakes.push(error);
    }

    fn remark(&mut self, span: Span, message: &str, help: &str) {
        let remark = Diagnostic::warning("blif", message)
            .at(self.source, span, "")
            .help(help);
        self.parsed.remarks.push(remark);
    }

    /// The model that lines belong to; what stands before the first is one without a name.
    fn module(&mut self) -> &mut Module<'a> {
        if self.place == Place::Outside {
            self.place = Place::Model { in_table: false };
            self.parsed.modules.push(Module::default());
        }
        if self.parsed.modules.is_empty() {
            self.parsed.modules.push(Module::default());
        }
        let last = self.parsed.modules.len() - 1;
        &mut self.parsed.modules[last]
    }

    fn line(&mut self, words: &[Word<'a>]) {
        let (keyword, span) = words[0];
        match keyword {
            ".model" => {
                let (name, place) = words.get(1).copied().unwrap_or(("", span));
                if !self.names.insert(name) {
                    let message = match name {
                        "" => "a second model without a name".to_owned(),
                        _ => format!("there is a model `{name}` already"),
                    };
                    self.wrong(place, message, "each model has a name of its own");
                }
                self.parsed.modules.push(Module {
                    name,
                    ..Module::default()
                });
                self.place = Place::Model { in_table: false };
                return;
            }
            ".end" => {
                self.place = Place::Outside;
                self.ended = true;
                return;
            }
            _ if OF_NO_MATTER.contains(&keyword) => return,
            _ if self.place == Place::Outside && self.ended => return self.after_end(span),
            ".exdc" => {
                let message = "where outputs do not matter (`.exdc`) is left out";
                self.remark(span, message, "the circuit is asked about as it is built");
                self.place = Place::DontCares;
                return;
            }
            ".names" | ".inputs" | ".outputs" if self.place == Place::DontCares => return,
            _ if self.place == Place::DontCares => {
                if keyword.starts_with('.') {
                    let message = format!("`{keyword}` behind `.exdc`");
                    self.wrong(span, message, "what does not matter is told by tables");
                }
                return;
            }
            _ if keyword.starts_with('.') => {}
            _ => return self.row(words),
        }
        self.module();
        self.place = Place::Model { in_table: false };
        let module = self.module();
        match keyword {
            ".inputs" => (module.inputs.get_or_insert_default()).extend(&words[1..]),
            ".outputs" => (module.outputs.get_or_insert_default()).extend(&words[1..]),
            ".blackbox" => module.is_closed = true,
            ".latch" => self.latch(words),
            ".names" => self.names(words),
            ".subckt" => self.instance(words, None),
            ".gate" => self.instance(words, Some(None)),
            ".mlatch" => self.cell_with_clock(words),
            ".conn" | ".barbuf" => match words[1..] {
                [from, to] => module.tables.push(Table {
                    inputs: vec![from],
                    output: to,
                    rows: vec!["1"],
                    value: Some(true),
                }),
                _ => self.wrong(span, "two signals are connected", "`.conn from to`"),
            },
            _ => {
                let help = "in yosys: `flatten; techmap; abc; write_blif`";
                self.wrong(span, format!("`{keyword}` is not understood"), help);
            }
        }
    }

    /// Lines between models belong to none; the first of them is told.
    fn after_end(&mut self, span: Span) {
        if !std::mem::replace(&mut self.told, true) {
            let help = "a model begins with `.model` and ends with `.end`";
            self.wrong(span, "this line stands behind the end of a model", help);
        }
    }

    fn names(&mut self, words: &[Word<'a>]) {
        let [ref inputs @ .., output] = words[1..] else {
            return self.wrong(words[0].1, "a table without a name", "write `.names a b x`");
        };
        self.module().tables.push(Table {
            inputs: inputs.to_vec(),
            output,
            rows: Vec::new(),
            value: None,
        });
        self.place = Place::Model { in_table: true };
    }

    fn latch(&mut self, words: &[Word<'a>]) {
        let [_, next, name, ref rest @ ..] = *words else {
            let message = "a latch needs two names";
            return self.wrong(words[0].1, message, "`.latch next name 0`");
        };
        let (clock, start) = match *rest {
            [] => (None, None),
            [start] => (None, Some(start)),
            [kind, clock] => (Some((kind, clock)), None),
            [kind, clock, start] => (Some((kind, clock)), Some(start)),
            _ => {
                let help = "`.latch next name re clock 0`";
                return self.wrong(words[0].1, "a latch with too many words", help);
            }
        };
        if let Some(((kind, span), (clock, _))) = clock {
            self.clocked(kind, clock, span);
        }
        let start = match start {
            Some(("0", _)) => Some(false),
            Some(("1", _)) => Some(true),
            None | Some(("2" | "3", _)) => None,
            Some((other, span)) => {
                let message = format!("a latch cannot start with `{other}`");
                return self.wrong(span, message, "0, 1, 2 (does not matter) or 3 (unknown)");
            }
        };
        self.module().latches.push(Latch { next, name, start });
    }

    /// All latches step together; where a file says otherwise, that is said.
    fn clocked(&mut self, kind: &'a str, clock: &'a str, span: Span) {
        if !["fe", "re", "ah", "al", "as"].contains(&kind) {
            let message = format!("`{kind}` is no kind of latch");
            return self.wrong(span, message, "fe, re, ah, al or as, then the clock");
        }
        match self.clock {
            None => {
                self.clock = Some((kind, clock));
                if !["fe", "re"].contains(&kind) {
                    let message = "a latch that is open for a while is taken as one that steps";
                    self.remark(span, message, "all latches step together");
                }
            }
            Some(first) if first != (kind, clock) && first != ("", "") => {
                let message = "latches with different clocks are taken to step together";
                self.remark(span, message, "a model of clocks has to be in the circuit");
                self.clock = Some(("", ""));
            }
            Some(_) => {}
        }
    }

    /// `.mlatch cell D=a Q=b clock 0`: all latches step together, so the clock is not looked at.
    fn cell_with_clock(&mut self, words: &[Word<'a>]) {
        let is_wire = |word: &&Word<'a>| word.0.contains('=');
        let wires = words.iter().skip(2).take_while(is_wire).count();
        let (cell, rest) = words.split_at((2 + wires).min(words.len()));
        let start = match *rest {
            [] | [_] => "3",
            [_, (start @ ("0" | "1" | "2" | "3"), _)] => start,
            [_, (_, span), ..] => {
                let help = "`.mlatch cell D=a Q=b clock 0`, with 0, 1, 2 or 3 at the end";
                return self.wrong(span, "a latch cannot start so", help);
            }
        };
        self.instance(cell, Some(Some(start)));
    }

    fn instance(&mut self, words: &[Word<'a>], cell: Option<Option<&'a str>>) {
        let [_, model, ref wires @ ..] = *words else {
            let help = "`.subckt adder a=x b=y sum=z`";
            return self.wrong(words[0].1, "a part without a model", help);
        };
        let mut found: Vec<(&str, Word<'a>)> = Vec::with_capacity(wires.len());
        for &(word, span) in wires {
            match word.split_once('=') {
                Some((inside, outside)) if !inside.is_empty() && !outside.is_empty() => {
                    found.push((inside, (outside, span)));
                }
                _ => self.wrong(span, "a wire has two names", "as in `inside=outside`"),
            }
        }
        let wires = found;
        let instance = Instance { model, cell, wires };
        self.module().instances.push(instance);
    }

    /// A row of the last table.
    fn row(&mut self, words: &[Word<'a>]) {
        let span = words[0].1;
        let table = match self.place {
            Place::Model { in_table: true } => self.module().tables.last_mut(),
            _ => None,
        };
        let Some(table) = table else {
            let message = "a row outside of a table";
            return self.wrong(span, message, "tables begin with `.names`");
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
            let help = "a digit `0`, `1` or `-` for each, then the value";
            return self.wrong(span, message, help);
        }
        let value = value == "1";
        if table.value.is_some_and(|first| first != value) {
            let help = "a table has rows where its output is 1, or rows where it is 0";
            return self.wrong(span, "the rows before say the opposite", help);
        }
        table.value = Some(value);
        table.rows.push(bits);
    }
}
