//! No text makes the reader, the compiler or the interpreter panic or hang.

use std::path::PathBuf;

use quotient_core::{Budget, Source};
use quotient_protocol::{Interpreter, Protocol};

/// Pieces that mutations put together.
const PIECES: &[&str] = &[
    "process {",
    "}",
    "(",
    ")",
    "forall ",
    "exists ",
    "other ",
    "left ",
    "right ",
    "p: ",
    "not ",
    " and ",
    "p.at",
    " = ",
    " := ",
    "self",
    "none",
    "0..3",
    "step s: ",
    "when ",
    "then ",
    "property p: ",
    "never ",
    "\"",
    "//",
    "with q",
    "choose v : bool",
    "move self to right end",
    "remove self",
    "create at left end",
    "turn",
    ",",
    "{",
    ":",
    "é",
    "-1",
    "for other o { o.at := idle }",
    "count(p: true) > 1",
    "global t : process",
    "queue c : { m }",
    "send c(m)",
];

fn seeds() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gallery");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn mutated_protocols_never_panic() {
    let seeds = seeds();
    quotient_trial::trial(|random| {
        let mut text: Vec<char> = random.choose(&seeds)?.chars().collect();
        for _ in 0..random.int_in_range(0..=6)? {
            let from = random.int_in_range(0..=text.len())?;
            let to = (from + random.int_in_range(0..=12)?).min(text.len());
            let piece: Vec<char> = match random.arbitrary()? {
                true => random.choose(PIECES)?.chars().collect(),
                false => text[from..to].to_vec(),
            };
            text.splice(from..to, piece);
        }
        let text: String = text.into_iter().collect();
        if let Ok(protocol) = Protocol::parse(&Source::new("fuzz.protocol", text)) {
            let budget = Budget::new(Some(std::time::Duration::from_millis(200)), None);
            if let Ok(compiled) = protocol.compile(&budget) {
                let interpreter = Interpreter::new(&protocol, &compiled);
                let _ = interpreter.explore(2, &budget.child_with_work(50));
            }
        }
        Ok(())
    })
    .budget_ms(3_000);
}
