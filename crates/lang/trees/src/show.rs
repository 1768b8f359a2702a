//! What there is to see of a system, and its parts as files.

use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::{Shown, Table, Viewed, Written};
use quotient_trees::timbuk::{TimbukFile, write_automaton, write_file, write_transducer};
use quotient_trees::{TreeAutomaton, picture_of_automaton, picture_of_tree};
use serde_json::json;

use crate::problem::Problem;

/// Larger automata are not drawn.
const DRAWN: usize = 60;

/// The whole, or one automaton.
pub(crate) fn show(
    name: &str,
    problem: &Problem,
    view: &Viewed,
    cx: &Context,
) -> Result<Shown, Trouble> {
    match &view.part {
        None => whole(name, problem, view, cx),
        Some(part) => {
            let automaton = named(&problem.file, part)?;
            one(part, automaton, view)
        }
    }
}

fn named<'a>(file: &'a TimbukFile, part: &str) -> Result<&'a TreeAutomaton, Trouble> {
    let found = file.automata.iter().find(|named| named.name == part);
    found.map(|named| &named.automaton).ok_or_else(|| {
        let names = file.automata.iter().map(|named| named.name.as_str());
        let all = names.clone().collect::<Vec<_>>().join("`, `");
        Diagnostic::error("no-such-part", format!("there is no automaton `{part}`"))
            .note(format!("there is `{all}`"))
            .did_you_mean(part, names)
            .into()
    })
}

fn whole(name: &str, problem: &Problem, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
    let file = &problem.file;
    let symbols = file.alphabet.symbols();
    let symbols: Vec<String> = symbols
        .map(|(_, name, arity)| format!("{name}:{arity}"))
        .collect();
    let mut table = Table::new(["part", "kind", "states", "rules", "smallest tree"]);
    for named in &file.automata {
        cx.budget.poll()?;
        let automaton = &named.automaton;
        let smallest = match automaton.witness() {
            Ok(Some(tree)) if tree.size() <= 30 => tree.text(&file.alphabet),
            Ok(Some(tree)) => format!("{} nodes", tree.size()),
            Ok(None) => "none".to_owned(),
            Err(_) => "very large".to_owned(),
        };
        let sizes = (
            automaton.states().to_string(),
            automaton.rules().len().to_string(),
        );
        table.row([
            named.name.clone(),
            "automaton".to_owned(),
            sizes.0,
            sizes.1,
            smallest,
        ]);
    }
    for named in &file.transducers {
        let one = &named.transducer;
        let sizes = (one.states().to_string(), one.rules().len().to_string());
        let kind = "transducer".to_owned();
        table.row([named.name.clone(), kind, sizes.0, sizes.1, String::new()]);
    }
    for named in &file.systems {
        let rules = named.system.rules.len().to_string();
        let kind = "rewriting".to_owned();
        table.row([
            named.name.clone(),
            kind,
            String::new(),
            rules,
            String::new(),
        ]);
    }
    let mut shown = Shown::titled(format!("{name}: a system of trees"))
        .fact("symbols", symbols.join(" "))
        .blank()
        .table(table.clone())
        .result(json!({
            "symbols": symbols,
            "parts": table.rows,
        }));
    if view.picture {
        let initial = problem.system.initial.witness();
        if let Ok(Some(tree)) = initial
            && tree.size() <= 4 * DRAWN
        {
            shown = shown.picture(picture_of_tree(
                &tree,
                &file.alphabet,
                "a smallest initial tree",
            ));
        }
        for named in &file.automata {
            if named.automaton.states() <= DRAWN {
                shown = shown.picture(picture_of_automaton(&named.automaton, &named.name));
            }
        }
    }
    Ok(shown)
}

fn one(part: &str, automaton: &TreeAutomaton, view: &Viewed) -> Result<Shown, Trouble> {
    let shown = Shown::titled(format!("{part}: a tree automaton"))
        .fact("states", automaton.states().to_string())
        .fact("rules", automaton.rules().len().to_string())
        .result(json!({
            "states": automaton.states(),
            "rules": automaton.rules().len(),
            "empty": automaton.is_empty(),
        }));
    let shown = match automaton.witness()? {
        None => shown.fact("trees", "none"),
        Some(tree) => shown.fact("smallest tree", tree.text(automaton.alphabet())),
    };
    let drawn = view.picture && automaton.states() <= DRAWN;
    Ok(match drawn {
        true => shown.picture(picture_of_automaton(automaton, part)),
        false => shown,
    })
}

/// The whole, or one automaton or transducer, as a Timbuk file.
pub(crate) fn convert(problem: &Problem, part: Option<&str>) -> Result<Written, Trouble> {
    let file = &problem.file;
    let text = match part {
        None => write_file(file),
        Some(part) => {
            let step = file.transducers.iter().find(|named| named.name == part);
            match step {
                Some(named) => write_transducer(&named.transducer, part),
                None => write_automaton(named(file, part)?, part),
            }
        }
    };
    Ok(Written {
        line: format!("{} lines of Timbuk", text.lines().count()),
        text,
        ..Written::default()
    })
}
