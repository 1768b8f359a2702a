//! Evidence files: one piece or a list of them.

use std::io::{self, Read};

use quotient_core::{Budget, Diagnostic, Evidence, Source, Trouble};
use serde::de::DeserializeOwned;

use crate::unique::Unique;

/// Reads an evidence file. What is wrong with it is said without quoting more of the file than
/// the place: it may be any file. A file of any size stays inside the budget.
///
/// ```
/// use quotient_core::{Budget, Source, Trouble};
/// let source = Source::new("e.json", "[]");
/// let error = quotient_workbench::read_evidence(&source, &Budget::unlimited()).unwrap_err();
/// let Trouble::Invalid(errors) = error else { panic!() };
/// assert_eq!(errors[0].code, "no-evidence");
/// ```
pub fn read_evidence(source: &Source, budget: &Budget) -> Result<Vec<Evidence>, Trouble> {
    let text = source.text().trim_start();
    let read = match text.starts_with('[') {
        true => within::<Vec<Evidence>>(text, budget),
        false => within::<Evidence>(text, budget).map(|one| vec![one]),
    };
    budget.poll()?;
    let wrong = |message: &str| {
        Diagnostic::error("no-evidence", message)
            .in_source(source)
            .help("`quotient check FILE --evidence OUT` writes one")
    };
    match read {
        Ok(evidence) if evidence.is_empty() => Err(wrong("the file has no evidence").into()),
        Ok(evidence) => match within::<Unique>(text, budget) {
            Ok(_) => Ok(evidence),
            Err(error) => {
                budget.poll()?;
                let (line, column) = (error.line(), error.column());
                Err(wrong("a name is given two values")
                    .note(format!("the second is before line {line}, column {column}"))
                    .into())
            }
        },
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            let what = match error.classify() {
                serde_json::error::Category::Data => "it is JSON, but no evidence of this version",
                _ => "it is no JSON",
            };
            Err(wrong("this is not an evidence file")
                .note(format!("{what} (line {line}, column {column})"))
                .into())
        }
    }
}

/// Below this a text is read at once: what it becomes is small.
const SMALL: usize = 1 << 20;

/// JSON that is read bit by bit, with a look at the budget before each: the data of a file is
/// many times as large as its text.
fn within<T: DeserializeOwned>(text: &str, budget: &Budget) -> serde_json::Result<T> {
    match text.len() <= SMALL {
        true => serde_json::from_str(text),
        false => {
            let pieces = Pieces {
                rest: text.as_bytes(),
                budget,
            };
            serde_json::from_reader(io::BufReader::with_capacity(PIECE, pieces))
        }
    }
}

const PIECE: usize = 1 << 16;

struct Pieces<'a> {
    rest: &'a [u8],
    budget: &'a Budget,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.budget.poll().map_err(io::Error::other)?;
        self.rest.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_two_values() {
        let budget = Budget::unlimited();
        let code = |rest: &str| {
            let text =
                format!(r#"[{{"format":2,"language":"x","kind":"run","claim":"holds",{rest}}}]"#);
            match read_evidence(&Source::new("e.json", text), &budget) {
                Ok(_) => "",
                Err(Trouble::Invalid(errors)) => errors[0].code,
                Err(_) => "stopped",
            }
        };
        let every = r#""body":{"a":[null,true,-1,18446744073709551615,0.5,"x",{}],"b":{"a":[[]]}}"#;
        assert_eq!(code(every), "");
        let twice = [
            r#""settings":{"c":["N=1"],"c":["N=2"]},"body":[]"#,
            r#""constants":{"N":"1","N":"2"},"body":[]"#,
            r#""body":{"a":1,"a":1}"#,
            r#""body":[[{"b":{"a":1,"c":2,"a":3}}]]"#,
            r#""body":{"a":1,"\u0061":1}"#,
            r#""body":[],"body":[]"#,
        ];
        for rest in twice {
            assert_eq!(code(rest), "no-evidence", "{rest}");
        }
    }

    #[test]
    fn a_large_file_stops_with_its_budget() {
        let body = "[1],".repeat(SMALL / 4 + 1);
        let text = format!("[{{\"format\": [{body}[1]]}}]");
        let source = Source::new("e.json", text);
        let budget = Budget::unlimited();
        let invalid = read_evidence(&source, &budget);
        assert!(matches!(invalid, Err(Trouble::Invalid(_))));
        budget.interrupt();
        let stopped = read_evidence(&source, &budget);
        assert!(matches!(stopped, Err(Trouble::Stopped(_))));
    }
}
