//! Symbol tables: `symbol id`, one a line.

use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::FxHashMap;

use crate::formats::cursor::{duplicate, undeclared};

/// The letters of one side of a machine.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    by_id: FxHashMap<u64, String>,
    by_name: FxHashMap<String, (u64, Span)>,
    /// In the order of the table, without ε.
    pub(super) names: Vec<String>,
}

impl Symbols {
    pub(super) fn read(source: &Source) -> Result<Symbols, Diagnostic> {
        let mut symbols = Symbols::default();
        let mut start = 0;
        for line in source.text().split('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len() + 1;
            let mut words = line.split_whitespace();
            let (name, id) =
                match (words.next(), words.next(), words.next()) {
                    (None, ..) => continue,
                    (Some(name), Some(id), None) if id.parse::<u64>().is_ok() => (name, id),
                    _ => {
                        return Err(Diagnostic::error(
                            "syntax",
                            "this is no line of a symbol table",
                        )
                        .at(source, span, "expected `symbol id`"));
                    }
                };
            let id: u64 = id.parse().expect("checked above");
            if let Some((_, first)) = symbols.by_name.get(name) {
                return Err(duplicate(source, "symbol", name, *first, span));
            }
            if let Some(other) = symbols.by_id.insert(id, name.to_owned()) {
                let message = format!("`{other}` and `{name}` have the same number");
                return Err(Diagnostic::error("duplicate", message).at(
                    source,
                    span,
                    format!("{id} is the number of `{other}`"),
                ));
            }
            symbols.by_name.insert(name.to_owned(), (id, span));
            if id != 0 {
                symbols.names.push(name.to_owned());
            }
        }
        Ok(symbols)
    }

    /// The name that a word of the machine stands for, `None` for ε: the symbol itself, or
    /// its number.
    pub(super) fn find(
        &self,
        source: &Source,
        word: &str,
        span: Span,
    ) -> Result<Option<&str>, Diagnostic> {
        if let Some((name, (id, _))) = self.by_name.get_key_value(word) {
            return Ok((*id != 0).then_some(name));
        }
        if super::EPSILONS.contains(&word) {
            return Ok(None);
        }
        match word.parse::<u64>() {
            Ok(0) => Ok(None),
            Ok(id) if self.by_id.contains_key(&id) => Ok(Some(&self.by_id[&id])),
            _ => Err(undeclared(
                source,
                span,
                "letter",
                word,
                self.by_name.keys().map(String::as_str),
            )
            .help("or add it to the symbol table")),
        }
    }
}
