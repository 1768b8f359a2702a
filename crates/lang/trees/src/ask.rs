//! Operations on the automata and transducers of a file: `include A B`, `minimize A`.

use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_language::{Block, Shown};
use quotient_trees::timbuk::{TimbukFile, write_automaton};
use quotient_trees::{OPERATIONS, Operation, Outcome, Tree, TreeAutomaton};
use serde_json::json;

/// Answers a query.
pub(crate) fn ask(file: &TimbukFile, text: &str, budget: &Budget) -> Result<Shown, Trouble> {
    let mut words = text.split_whitespace();
    let verb = words.next().unwrap_or_default();
    let given: Vec<&str> = words.collect();
    let outcome = match (verb, &given[..]) {
        ("accepts", [set, tree]) => {
            let tree = Tree::read(tree, &file.alphabet).ok_or_else(|| {
                Diagnostic::error("query", format!("`{tree}` is no tree over the symbols"))
                    .help("write it without blanks, as `f(a,g(b))`")
            })?;
            match named(file, set)?.contains(&tree) {
                true => Outcome::Yes,
                false => Outcome::No(None),
            }
        }
        ("apply", [step, set]) => Outcome::Set(step_of(file, step, set, false, budget)?),
        ("preimage", [step, set]) => Outcome::Set(step_of(file, step, set, true, budget)?),
        _ => {
            let operation = operation(verb)?;
            if given.len() != operation.takes {
                let message = format!(
                    "`{verb}` takes {} automata, not {}",
                    operation.takes,
                    given.len()
                );
                return Err(Diagnostic::error("query", message).into());
            }
            let sets: Result<Vec<&TreeAutomaton>, Trouble> =
                given.iter().map(|name| named(file, name)).collect();
            (operation.run)(&sets?, budget)?
        }
    };
    Ok(told(text, &outcome))
}

fn told(text: &str, outcome: &Outcome) -> Shown {
    match outcome {
        Outcome::Yes => Shown::titled(format!("{text}: yes")).result(json!({ "answer": true })),
        Outcome::No(None) => {
            Shown::titled(format!("{text}: no")).result(json!({ "answer": false }))
        }
        Outcome::No(Some(tree)) => Shown::titled(format!("{text}: no"))
            .fact("tree", tree.clone())
            .result(json!({ "answer": false, "tree": tree })),
        Outcome::Set(set) => {
            let timbuk = write_automaton(set, "Result");
            let mut shown = Shown::titled(format!(
                "{text}: {} states, {} rules",
                set.states(),
                set.rules().len()
            ))
            .result(json!({
                "states": set.states(),
                "rules": set.rules().len(),
                "timbuk": timbuk,
            }));
            shown.blocks.push(Block::Verbatim(timbuk));
            shown
        }
    }
}

fn operation(verb: &str) -> Result<&'static Operation, Trouble> {
    let found = OPERATIONS.iter().find(|one| one.name == verb);
    found.ok_or_else(|| {
        let others = ["accepts", "apply", "preimage"];
        let names = OPERATIONS.iter().map(|one| one.name).chain(others);
        let all = names.clone().collect::<Vec<_>>().join("`, `");
        Diagnostic::error("query", format!("there is no operation `{verb}`"))
            .note(format!("there is `{all}`"))
            .did_you_mean(verb, names)
            .help("write it before the names of automata, as `include A B`")
            .into()
    })
}

fn named<'a>(file: &'a TimbukFile, name: &str) -> Result<&'a TreeAutomaton, Trouble> {
    let found = file.automata.iter().find(|one| one.name == name);
    found.map(|one| &one.automaton).ok_or_else(|| {
        let names = file.automata.iter().map(|one| one.name.as_str());
        Diagnostic::error("query", format!("there is no automaton `{name}`"))
            .did_you_mean(name, names)
            .into()
    })
}

fn step_of(
    file: &TimbukFile,
    step: &str,
    set: &str,
    back: bool,
    budget: &Budget,
) -> Result<TreeAutomaton, Trouble> {
    let set = named(file, set)?;
    if let Some(one) = file.transducers.iter().find(|one| one.name == step) {
        return Ok(match back {
            false => one.transducer.image(set, budget)?,
            true => one.transducer.preimage(set, budget)?,
        });
    }
    if let Some(one) = file.systems.iter().find(|one| one.name == step) {
        return Ok(match back {
            false => one.system.image(set, budget)?,
            true => one.system.preimage(set, budget)?,
        });
    }
    Err(Diagnostic::error("query", format!("there is no step `{step}`")).into())
}
