//! The SLRP reader.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use super::BLOCKS;
use crate::formats::cursor::{Cursor, duplicate};
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Letters};
use crate::formats::{Format, Kind};

/// Reads blocks and settings in any order; the settings are kept as text.
pub(in crate::formats) fn read(source: &Source, budget: &Budget) -> Result<Draft, Trouble> {
    let mut reader = Reader {
        cursor: Cursor::new(source),
        draft: Draft::new(source, Format::Slrp),
        budget,
    };
    let mut seen: Vec<(String, Span)> = Vec::new();
    loop {
        budget.poll()?;
        reader.skip()?;
        if reader.cursor.at_end() {
            break;
        }
        let (name, span) = reader.word("a block or a setting")?;
        reader.skip()?;
        if reader.cursor.eat("{") {
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
                return Err(duplicate(source, "block", &name, *first, span).into());
            }
            reader.block(&name, span)?;
            seen.push((name, span));
        } else {
            reader.setting(&name)?;
        }
    }
    if reader.draft.machines.is_empty() {
        return Err(Diagnostic::error("syntax", "the file has no block")
            .in_source(source)
            .help("a problem is `Initial { … } Transition { … } Bad { … }`")
            .into());
    }
    Ok(reader.draft)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    draft: Draft,
    budget: &'a Budget,
}

impl Reader<'_> {
    fn block(&mut self, name: &str, span: Span) -> Result<(), Trouble> {
        let Some(&(_, role, kind)) = BLOCKS.iter().find(|(block, ..)| *block == name) else {
            let known = BLOCKS.map(|(block, ..)| block);
            return Err(Diagnostic::error("unknown-block", format!("there is no block `{name}`"))
                .at(self.cursor.source, span, "expected the name of a block")
                .note("a safety problem has `Initial`, `Transition` and `Bad`; a game `I0`, `F`, `P1` and `P2`")
                .did_you_mean(name, known)
                .into());
        };
        let mut machine = DraftMachine::new(name, role, kind);
        machine.shown_at = Some(span);
        loop {
            self.budget.poll()?;
            self.skip()?;
            if self.cursor.eat("}") {
                break;
            }
            // An empty statement does no harm.
            if !self.cursor.eat(";") {
                self.statement(&mut machine)?;
            }
        }
        if machine.initial.is_empty() {
            self.draft.warnings.push(
                Diagnostic::warning(
                    "no-initial-state",
                    format!("`{name}` has no initial state: it accepts nothing"),
                )
                .at(self.cursor.source, span, "this block")
                .help("`init: s;` makes `s` initial"),
            );
        }
        self.draft.machines.push(machine);
        Ok(())
    }

    /// `init: s;`, `accepting: s, t;`, `p -> q;`, `p -> q a;` or `p -> q a/b;`.
    fn statement(&mut self, machine: &mut DraftMachine) -> Result<(), Trouble> {
        let (word, span) = self.word("a state, `init:`, `accepting:` or `}`")?;
        self.skip()?;
        if self.cursor.eat(":") {
            let states = match word.as_str() {
                "init" | "initial" => &mut machine.initial,
                "accepting" | "final" => &mut machine.accepting,
                _ => {
                    return Err(Diagnostic::error(
                        "syntax",
                        format!("`{word}:` means nothing in a block"),
                    )
                    .at(self.cursor.source, span, "expected `init:` or `accepting:`")
                    .did_you_mean(&word, ["init", "accepting"])
                    .into());
                }
            };
            self.skip()?;
            while !self.cursor.eat(";") {
                let (name, _) = self.word("a state or `;`")?;
                states.push(machine.states.intern(&name));
                self.skip()?;
                if self.cursor.eat(",") {
                    self.skip()?;
                }
            }
            return Ok(());
        }
        if !self.cursor.eat("->") {
            return Err(self
                .cursor
                .expected("`->` or `:`")
                .help("an edge is `p -> q a;`")
                .into());
        }
        self.skip()?;
        let (target, _) = self.word("a state")?;
        self.skip()?;
        let source = machine.states.intern(&word);
        let target = machine.states.intern(&target);
        let start = self.cursor.at();
        if self.cursor.eat(";") {
            machine.edge(source, DraftLabel::SILENT, target);
            return Ok(());
        }
        let (input, _) = self.word("a letter or `;`")?;
        self.skip()?;
        let output = match self.cursor.eat("/") {
            true => {
                self.skip()?;
                Some(self.word("the letter written")?.0)
            }
            false => None,
        };
        let label_at = self.cursor.since(start);
        self.skip()?;
        if !self.cursor.eat(";") {
            return Err(self.cursor.expected("`;`").into());
        }
        let input = Letters::one(self.draft.letters.intern(&input));
        let output = output.map(|name| Letters::one(self.draft.letters.intern(&name)));
        let label = match (output, machine.kind) {
            (None, Kind::Automaton) => DraftLabel::Copy(input),
            (Some(output), Kind::Transducer) => DraftLabel::Pair(Some(input), Some(output)),
            (None, Kind::Transducer) => {
                return Err(Diagnostic::error(
                    "syntax",
                    format!(
                        "`{}` is a transducer: its edges read and write",
                        machine.name
                    ),
                )
                .at(self.cursor.source, label_at, "expected `a/b`")
                .into());
            }
            (Some(_), Kind::Automaton) => {
                return Err(Diagnostic::error(
                    "wrong-kind",
                    format!("`{}` is an automaton: its edges only read", machine.name),
                )
                .at(self.cursor.source, label_at, "expected one letter")
                .help("edges `a/b` belong in a transducer such as `Transition`")
                .into());
            }
        };
        machine.edge(source, label, target);
        Ok(())
    }

    /// `name;` or `name: anything;`.
    fn setting(&mut self, name: &str) -> Result<(), Trouble> {
        let setting = if self.cursor.eat(":") {
            let value = self.cursor.take_while(|c| c != ';' && c != '{' && c != '}');
            let words: Vec<&str> = value.split_whitespace().collect();
            format!("{name}: {}", words.join(" "))
        } else {
            name.to_owned()
        };
        if !self.cursor.eat(";") {
            return Err(self
                .cursor
                .expected("`{`, `:` or `;`")
                .did_you_mean(name, BLOCKS.map(|(block, ..)| block))
                .into());
        }
        self.draft.settings.push(setting);
        Ok(())
    }

    fn word(&mut self, what: &str) -> Result<(String, Span), Trouble> {
        let start = self.cursor.at();
        let rest = self.cursor.rest();
        let marks = rest
            .find(|c: char| c.is_whitespace() || "{};:,/".contains(c))
            .unwrap_or(rest.len());
        let end = rest[..marks].find("->").unwrap_or(marks);
        if end == 0 {
            return Err(self.cursor.expected(what).into());
        }
        self.cursor.go_to(start + end);
        Ok((rest[..end].to_owned(), self.cursor.since(start)))
    }

    fn skip(&mut self) -> Result<(), Trouble> {
        loop {
            self.cursor.skip_blanks();
            let start = self.cursor.at();
            if self.cursor.eat("//") {
                self.cursor.skip_line();
            } else if self.cursor.eat("/*") {
                let Some(length) = self.cursor.rest().find("*/") else {
                    return Err(Diagnostic::error("syntax", "a comment has no end")
                        .at(
                            self.cursor.source,
                            Span::new(start, start + 2),
                            "it begins here",
                        )
                        .help("close it with `*/`")
                        .into());
                };
                self.cursor.go_to(self.cursor.at() + length + 2);
            } else {
                return Ok(());
            }
        }
    }
}
