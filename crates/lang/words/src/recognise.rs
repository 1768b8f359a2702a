//! How sure the language is that a text or a folder is one of its own.

use quotient_automata::formats::{Clue, Format, detect};
use quotient_core::Source;
use quotient_language::{Input, Sureness};

use crate::about::ENDINGS;
use crate::problem_files::{
    MAIN_FILES, Statement, is_automaton, signs_of_a_manifest, statement, stem,
};

/// A look at the names in a folder, or at the beginning of a text.
pub(crate) fn sureness(input: &Input) -> Sureness {
    if let Some(names) = input.names() {
        return of_folder(names);
    }
    let ending = input.has_ending(ENDINGS);
    let Some(source) = input.source() else {
        return Sureness::No.with_ending(ending);
    };
    of_text(source).with_ending(ending)
}

fn of_folder(names: &[String]) -> Sureness {
    if names.iter().any(|name| MAIN_FILES.contains(&name.as_str())) {
        return Sureness::Certain;
    }
    let any = |test: &dyn Fn(&str) -> bool| names.iter().any(|name| test(stem(name)));
    let has_init = any(&|stem| matches!(stem, "init" | "initial"));
    let has_bad = any(&|stem| stem.starts_with("bad"));
    // A folder of automata without a whole problem is told what it lacks.
    let has_automata = names.iter().any(|name| is_automaton(name));
    match (has_init, has_bad) {
        (true, true) => Sureness::Likely,
        (false, false) if !has_automata => Sureness::No,
        _ => Sureness::Maybe,
    }
}

fn of_text(source: &Source) -> Sureness {
    match statement(source) {
        Statement::Properties => match source.text().contains("_FILE_PATH") {
            true => Sureness::Certain,
            false => Sureness::Maybe,
        },
        // The manifests of trees say so.
        Statement::Manifest if of_trees(source.text()) => Sureness::No,
        Statement::Manifest => match signs_of_a_manifest(source.text()) {
            0 => Sureness::No,
            1 => Sureness::Maybe,
            _ => Sureness::Certain,
        },
        Statement::Whole => match detect(source) {
            // It is only written, so whoever reads such pictures may have it.
            Some((Format::Dot, _)) => Sureness::Maybe,
            // Games have a language of their own; here their automata can be looked at.
            Some((Format::Slrp, _)) if is_game(source.text()) => Sureness::Maybe,
            Some((Format::Timbuk, _)) if has_branches(source.text()) => Sureness::No,
            // Without a symbol it is about trees as well as about words, and Timbuk is about trees.
            Some((Format::Timbuk, _)) if has_no_symbols(source.text()) => Sureness::Maybe,
            Some((_, Clue::Beginning)) => Sureness::Certain,
            Some((_, Clue::Lines)) => Sureness::Maybe,
            Some((_, Clue::Name)) | None => Sureness::No,
        },
    }
}

/// Whether a text in SLRP's form has the blocks of a game.
fn is_game(text: &str) -> bool {
    let mut lines = text.lines().take(10_000).map(str::trim);
    lines.any(|line| {
        let (name, rest) = line.split_once('{').unwrap_or((line, ""));
        matches!(name.trim(), "I0" | "P1" | "P2") && (rest.is_empty() || !rest.contains('='))
    })
}

/// Whether a manifest says that its parts are trees.
fn of_trees(text: &str) -> bool {
    let mut lines = text
        .lines()
        .take(200)
        .filter_map(|line| line.split_once('='));
    lines.any(|(key, value)| key.trim() == "language" && value.contains("trees"))
}

/// Whether a text in Timbuk is about trees: a symbol with two children, or rewriting.
fn has_branches(text: &str) -> bool {
    text.lines().take(10_000).map(str::trim).any(|line| {
        let mut words = line.split_whitespace();
        let is_wide = |word: &str| {
            let arity = word.rsplit_once(':').map(|(_, arity)| arity);
            arity.is_some_and(|arity| arity.parse().is_ok_and(|arity: usize| arity > 1))
        };
        match words.next() {
            Some("Ops") => words.any(is_wide),
            Some("TRS" | "Transducer") => true,
            _ => {
                let left = line.split_once("->").map(|(left, _)| left.trim());
                let inner = left.and_then(|left| left.strip_suffix(')')?.split_once('('));
                inner.is_some_and(|(name, inner)| inner.contains(',') && !name.contains("in{"))
            }
        }
    })
}

/// Whether a text in Timbuk declares no symbols.
fn has_no_symbols(text: &str) -> bool {
    let ops = text.trim_start().strip_prefix("Ops");
    let ops = ops.and_then(|rest| rest.split_once("Automaton"));
    ops.is_some_and(|(symbols, _)| symbols.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> Sureness {
        sureness(&Input::bytes(name, text.into()))
    }

    #[test]
    fn timbuk_without_symbols_is_left_to_trees() {
        let with =
            |ops: &str| format!("Ops {ops}\n\nAutomaton A\nStates\nFinal States\nTransitions\n");
        assert_eq!(of("a", &with("")), Sureness::Maybe);
        assert_eq!(of("a", &with("x:0 a:1")), Sureness::Certain);
        assert_eq!(of("a", &with("x:0 f:2")), Sureness::No);
    }

    #[test]
    fn own_texts_are_recognised() {
        let certain = [
            "Ops x:0 a:1\nAutomaton A\n",
            "% by hand\nfa(r(fsa_preds),1,[0],[],[],[]).",
            "@NFA-explicit\n%Initial q\n",
            "Initial { init: a; }",
            "{\"initialStates\": [0]}",
            "init = \"i.tmb\"\nbad = \"b.tmb\"\n",
            "# a problem\nname = \"x\"\ninit = \"i\"\n\n[bad]\nx = \"b\"\n",
            "# config\nINIT_FILE_PATH = init.tmb\n",
        ];
        for text in certain {
            assert_eq!(of("file", text), Sureness::Certain, "{text}");
        }
        assert_eq!(of("file", "0 1 a\n1\n"), Sureness::Maybe);
        assert_eq!(of("a.fsm", "0 1 a\n1\n"), Sureness::Likely);
        assert_eq!(of("empty.tmb", ""), Sureness::ByName);
        assert_eq!(of("problem.toml", "colour = 1\n"), Sureness::ByName);
    }

    #[test]
    fn texts_of_others_are_not() {
        let others = [
            "MODULE main\nVAR x : boolean;\n",
            "LOCK = (acquire -> release -> LOCK).\n||SYS = (LOCK || LOCK).\n",
            "# ring\nprotocol \"ring\"\ntopology ring\n",
            "des (0, 1, 2)\n(0, a, 1)\n",
            "range R = 0..3\nP = (a[i:R] -> P).\n",
            "dtmc\nmodule m\nx : [0..1] init 0;\nendmodule\n",
            "HOA: v1\n",
            "Ops a:0 f:2\nAutomaton A\n",
            "Ops f:0\nAutomaton A\nStates q\nFinal States q\nTransitions\nf(q,q) -> q\n",
            "language = \"trees\"\ninit = \"i.tmb\"\nbad = \"b.tmb\"\n",
            "",
        ];
        for text in others {
            assert_eq!(of("file", text), Sureness::No, "{text}");
        }
        assert_eq!(of("game", "I0 { init: a; }"), Sureness::Maybe);
        assert_eq!(of("picture", "digraph { a -> b }"), Sureness::Maybe);
        assert_eq!(sureness(&Input::bytes("x", vec![0xff, 0])), Sureness::No);
    }

    #[test]
    fn folders_are_recognised_by_the_names_in_them() {
        let of = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            sureness(&Input::folder("folder", names))
        };
        assert_eq!(of(&["problem.toml", "x"]), Sureness::Certain);
        assert_eq!(of(&["init.tmb", "bad-1.tmb", "go.tmb"]), Sureness::Likely);
        assert_eq!(of(&["bad.tmb"]), Sureness::Maybe);
        assert_eq!(of(&["step.tmb", "readme.md"]), Sureness::Maybe);
        assert_eq!(of(&["main.smv", "readme.md"]), Sureness::No);
        assert_eq!(of(&[]), Sureness::No);
    }
}
