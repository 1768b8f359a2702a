//! How much code has to be believed for each kind of evidence, counted.

use std::path::{Path, PathBuf};

use crate::supply::root;

/// What is believed for a family of evidence: files and folders, each with what it does.
struct Family {
    name: &'static str,
    checker: &'static [&'static str],
    data: &'static [&'static str],
    reader: &'static [&'static str],
}

/// Believed for every kind: the envelope, and what compares the question with the file.
const ALL: &[&str] = &[
    "crates/certify/src/envelope.rs",
    "crates/core/src/evidence.rs",
    "crates/core/src/budget.rs",
    "crates/workbench/src/certify.rs",
    "crates/workbench/src/evidence.rs",
    "crates/workbench/src/unique.rs",
];

/// Automata and transducers over words.
const WORDS: &[&str] = &[
    "crates/automata/src/alphabet.rs",
    "crates/automata/src/predicate.rs",
    "crates/automata/src/nfa.rs",
    "crates/automata/src/transducer",
    "crates/automata/src/transducer.rs",
    "crates/automata/src/relation.rs",
    "crates/automata/src/evidence.rs",
    "crates/automata/src/liveness",
    "crates/automata/src/liveness.rs",
];

const FAMILIES: &[Family] = &[
    Family {
        name: "components (FSP)",
        checker: &[
            "crates/certify/src/components",
            "crates/certify/src/comparison",
            "crates/certify/src/modal.rs",
        ],
        data: &["crates/lts/src"],
        reader: &[
            "crates/lang/fsp/src/lexer.rs",
            "crates/lang/fsp/src/token.rs",
            "crates/lang/fsp/src/names.rs",
            "crates/lang/fsp/src/parse",
            "crates/lang/fsp/src/syntax",
            "crates/lang/fsp/src/evaluate",
            "crates/lang/fsp/src/compile",
            "crates/lang/fsp/src/safety.rs",
            "crates/lang/fsp/src/temporal",
        ],
    },
    Family {
        name: "words (problems)",
        checker: &["crates/certify/src/words", "crates/certify/src/sets.rs"],
        data: WORDS,
        reader: &[
            "crates/automata/src/formats",
            "crates/lang/words/src/problem_files",
        ],
    },
    Family {
        name: "games about words",
        checker: &["crates/certify/src/games", "crates/certify/src/sets.rs"],
        data: WORDS,
        reader: &[
            "crates/lang/games/src/read.rs",
            "crates/lang/games/src/compile.rs",
        ],
    },
    Family {
        name: "words (protocols)",
        checker: &[
            "crates/certify/src/words",
            "crates/certify/src/sets.rs",
            "crates/certify/src/arrays",
            "crates/certify/src/trees",
            "crates/lang/protocol/src/seam/certify.rs",
            "crates/lang/protocol/src/seam/certify_wide.rs",
            "crates/lang/protocol/src/seam/lasso.rs",
            "crates/lang/protocol/src/seam/rounds.rs",
            "crates/lang/protocol/src/seam/settled.rs",
            "crates/lang/protocol/src/progress",
        ],
        data: &["crates/automata/src", "crates/arithmetic/src"],
        reader: &[
            "crates/lang/protocol/src/syntax",
            "crates/lang/protocol/src/resolve",
            "crates/lang/protocol/src/model",
            "crates/lang/protocol/src/model.rs",
            "crates/lang/protocol/src/compile",
        ],
    },
    Family {
        name: "states (SMV)",
        checker: &[
            "crates/certify/src/states",
            "crates/lang/smv/src/certify",
            "crates/lang/smv/src/explicit",
            "crates/lang/smv/src/psl/lasso.rs",
            "crates/lang/smv/src/psl/automaton.rs",
        ],
        data: &["crates/states/src", "crates/lang/smv/src/evaluate.rs"],
        reader: &[
            "crates/lang/smv/src/syntax",
            "crates/lang/smv/src/parse",
            "crates/lang/smv/src/flatten",
            "crates/lang/smv/src/program",
        ],
    },
    Family {
        name: "circuits (AIGER, BLIF)",
        checker: CIRCUITS,
        data: &[
            "crates/netlist/src/circuit.rs",
            "crates/netlist/src/graph.rs",
            "crates/netlist/src/literal.rs",
            "crates/netlist/src/run.rs",
        ],
        reader: &["crates/netlist/src/aiger", "crates/netlist/src/blif"],
    },
    Family {
        name: "circuits (BTOR2)",
        checker: CIRCUITS,
        data: &[
            "crates/netlist/src/circuit.rs",
            "crates/netlist/src/graph.rs",
            "crates/netlist/src/literal.rs",
            "crates/netlist/src/run.rs",
        ],
        reader: &["crates/netlist/src/words"],
    },
    Family {
        name: "nets",
        checker: &[
            "crates/lang/net/src/certify.rs",
            "crates/lang/net/src/certify_capped.rs",
            "crates/lang/net/src/certify_causes.rs",
            "crates/lang/net/src/certify_fair.rs",
            "crates/lang/net/src/certify_parts.rs",
            "crates/lang/net/src/evidence.rs",
            "crates/lang/net/src/judge.rs",
            "crates/lang/net/src/judge",
            "crates/lang/net/src/basis.rs",
            "crates/lang/net/src/sums.rs",
            "crates/lang/net/src/traps.rs",
            "crates/lang/net/src/persistent.rs",
            "crates/lang/net/src/stuttering.rs",
            "crates/lang/net/src/exchange.rs",
            "crates/lang/net/src/layered.rs",
            "crates/lang/net/src/sets.rs",
            "crates/lang/net/src/sets_time.rs",
            // With the search that finds what they check.
            "crates/lang/net/src/constant.rs",
            "crates/lang/net/src/pump.rs",
        ],
        data: &[
            "crates/lang/net/src/net.rs",
            "crates/lang/net/src/formula.rs",
        ],
        reader: &[
            "crates/lang/net/src/pnml.rs",
            "crates/xml/src",
            "crates/lang/net/src/tina.rs",
            "crates/lang/net/src/priority.rs",
            "crates/lang/net/src/spec.rs",
            "crates/lang/net/src/build.rs",
            "crates/lang/net/src/properties.rs",
            "crates/lang/net/src/asked.rs",
        ],
    },
    Family {
        name: "chances (PRISM)",
        checker: &[
            "crates/certify/src/averages.rs",
            "crates/certify/src/chances.rs",
            "crates/certify/src/delayed.rs",
            "crates/certify/src/recomputed.rs",
            "crates/certify/src/together.rs",
            "crates/lang/prism/src/again",
            "crates/lang/prism/src/average.rs",
            "crates/lang/prism/src/beside.rs",
            "crates/lang/prism/src/counted.rs",
            "crates/lang/prism/src/evidence.rs",
            "crates/lang/prism/src/fractions",
            "crates/lang/prism/src/fractions.rs",
            "crates/lang/prism/src/given.rs",
            "crates/lang/prism/src/limited.rs",
            "crates/lang/prism/src/limited_exact.rs",
            "crates/lang/prism/src/linear",
            "crates/lang/prism/src/lines.rs",
            "crates/lang/prism/src/looked.rs",
            "crates/lang/prism/src/naive",
            "crates/lang/prism/src/naive.rs",
            "crates/lang/prism/src/parts.rs",
            "crates/lang/prism/src/product.rs",
            "crates/lang/prism/src/quantile.rs",
            "crates/lang/prism/src/stepped.rs",
            "crates/lang/prism/src/together.rs",
        ],
        data: &["crates/markov/src"],
        reader: &[
            "crates/lang/prism/src/syntax",
            "crates/lang/prism/src/instance",
        ],
    },
    Family {
        name: "trees",
        checker: &["crates/certify/src/trees"],
        data: &[
            "crates/trees/src/alphabet.rs",
            "crates/trees/src/automaton.rs",
            "crates/trees/src/evidence.rs",
            "crates/trees/src/rewriting.rs",
            "crates/trees/src/term.rs",
            "crates/trees/src/transducer.rs",
            "crates/trees/src/tree.rs",
        ],
        reader: &[
            "crates/trees/src/timbuk",
            "crates/lang/trees/src/manifest.rs",
            "crates/lang/trees/src/problem.rs",
        ],
    },
    Family {
        name: "arrays (Cubicle)",
        checker: &["crates/certify/src/arrays"],
        data: &["crates/arrays/src"],
        reader: &[
            "crates/lang/cubicle/src/lex.rs",
            "crates/lang/cubicle/src/parse.rs",
            "crates/lang/cubicle/src/lower.rs",
        ],
    },
    Family {
        name: "Turing machines",
        checker: &[
            "crates/lang/turing/src/verify",
            "crates/lang/turing/src/family.rs",
            "crates/lang/turing/src/family",
            "crates/lang/turing/src/begin.rs",
            "crates/lang/turing/src/proof.rs",
        ],
        data: &[
            "crates/lang/turing/src/machine.rs",
            "crates/lang/turing/src/linear.rs",
            "crates/lang/turing/src/paired.rs",
            "crates/lang/turing/src/question.rs",
            "crates/lang/turing/src/expression.rs",
            "crates/lang/turing/src/pattern.rs",
            "crates/lang/turing/src/streams.rs",
        ],
        reader: &[
            "crates/lang/turing/src/read.rs",
            "crates/lang/turing/src/layout.rs",
        ],
    },
    Family {
        name: "truth values",
        checker: &[
            "crates/lang/graded/src/certify.rs",
            "crates/lang/graded/src/equations.rs",
            "crates/lang/graded/src/evaluate.rs",
            "crates/lang/graded/src/verdict.rs",
        ],
        data: &[
            "crates/lang/graded/src/algebra",
            "crates/lang/graded/src/system.rs",
            "crates/lang/graded/src/actions.rs",
            "crates/lang/graded/src/imperative.rs",
        ],
        reader: &[
            "crates/lang/graded/src/read.rs",
            "crates/lang/graded/src/read_formula.rs",
            "crates/lang/graded/src/typed.rs",
            "crates/lang/graded/src/import.rs",
        ],
    },
    Family {
        name: "programs",
        checker: &[
            "crates/lang/program/src/certify.rs",
            "crates/lang/program/src/certify_pairs.rs",
            "crates/lang/program/src/certify_schedule.rs",
            "crates/lang/program/src/certify_states.rs",
            "crates/lang/program/src/interpret.rs",
            "crates/lang/program/src/lasso.rs",
            "crates/lang/program/src/ltl.rs",
            "crates/lang/program/src/seen.rs",
        ],
        data: &[
            "crates/lang/program/src/program.rs",
            "crates/arithmetic/src",
        ],
        reader: &[
            "crates/lang/program/src/read.rs",
            "crates/lang/program/src/read_expression.rs",
        ],
    },
    Family {
        name: "hybrid logic",
        checker: &[
            "crates/lang/hybrid/src/types.rs",
            "crates/lang/hybrid/src/formula.rs",
            "crates/lang/hybrid/src/truth.rs",
            "crates/lang/hybrid/src/system.rs",
        ],
        data: &["crates/arithmetic/src", "crates/lts/src/aldebaran.rs"],
        reader: &[
            "crates/lang/hybrid/src/read.rs",
            "crates/lang/hybrid/src/read_hylo.rs",
            "crates/lang/hybrid/src/elsewhere.rs",
            "crates/lang/hybrid/src/read_system.rs",
        ],
    },
    Family {
        name: "networks",
        checker: &["crates/lang/network/src/explicit.rs"],
        data: &[
            "crates/lang/network/src/network.rs",
            "crates/lang/network/src/formula.rs",
            "crates/lang/network/src/levels.rs",
            "crates/lang/network/src/given.rs",
        ],
        reader: &["crates/lang/network/src/read.rs"],
    },
    Family {
        name: "pathways",
        checker: &[
            "crates/lang/zsyntax/src/certify.rs",
            "crates/lang/zsyntax/src/derivation.rs",
            "crates/lang/zsyntax/src/evidence.rs",
            "crates/lang/zsyntax/src/judge.rs",
        ],
        data: &["crates/lang/zsyntax/src/pathway.rs"],
        reader: &[
            "crates/lang/zsyntax/src/read.rs",
            "crates/lang/zsyntax/src/sbml.rs",
            "crates/lang/zsyntax/src/words.rs",
        ],
    },
    Family {
        name: "parallel programs (BSP)",
        checker: &[
            "crates/lang/bsp/src/certify.rs",
            "crates/lang/bsp/src/linear/judge.rs",
            "crates/lang/bsp/src/outcome.rs",
            "crates/lang/bsp/src/run.rs",
            "crates/lang/bsp/src/every",
            "crates/certify/src/words",
            "crates/certify/src/sets.rs",
        ],
        data: &[
            "crates/lang/bsp/src/machine.rs",
            "crates/lang/bsp/src/program.rs",
        ],
        reader: &["crates/lang/bsp/src/read", "crates/lang/bsp/src/read.rs"],
    },
    Family {
        name: "Promela",
        checker: &[
            "crates/lang/promela/src/certify.rs",
            "crates/lang/promela/src/evidence.rs",
            "crates/lang/promela/src/judge.rs",
            "crates/lang/promela/src/question.rs",
        ],
        data: &[
            "crates/lang/promela/src/program.rs",
            "crates/lang/promela/src/state.rs",
            "crates/lang/promela/src/space.rs",
            "crates/lang/promela/src/machine.rs",
            "crates/lang/promela/src/moves.rs",
            "crates/lang/promela/src/channels.rs",
            "crates/lang/promela/src/events.rs",
        ],
        reader: &[
            "crates/lang/promela/src/lex.rs",
            "crates/lang/promela/src/words.rs",
            "crates/lang/promela/src/syntax.rs",
            "crates/lang/promela/src/parse.rs",
            "crates/lang/promela/src/parse_expression.rs",
            "crates/lang/promela/src/parse_statement.rs",
            "crates/lang/promela/src/parse_unit.rs",
            "crates/lang/promela/src/names.rs",
            "crates/lang/promela/src/flow.rs",
            "crates/lang/promela/src/settle.rs",
            "crates/lang/promela/src/compile.rs",
        ],
    },
    Family {
        name: "Esterel",
        checker: &[
            "crates/certify/src/circuits/formula.rs",
            "crates/certify/src/circuits/invariant.rs",
            "crates/certify/src/circuits/mod.rs",
            "crates/lang/esterel/src/replay.rs",
            "crates/lang/esterel/src/question.rs",
            "crates/lang/esterel/src/events.rs",
        ],
        data: &[
            "crates/netlist/src/circuit.rs",
            "crates/netlist/src/graph.rs",
            "crates/netlist/src/literal.rs",
            "crates/lang/esterel/src/kernel.rs",
            "crates/lang/esterel/src/value.rs",
            "crates/lang/esterel/src/react",
        ],
        reader: &[
            "crates/lang/esterel/src/syntax.rs",
            "crates/lang/esterel/src/parse",
            "crates/lang/esterel/src/expand",
            "crates/lang/esterel/src/checks.rs",
            "crates/lang/esterel/src/purify",
            "crates/lang/esterel/src/circuit",
        ],
    },
];

/// Where the page has the table.
/// What looks for refutations need not be believed.
const CIRCUITS: &[&str] = &[
    "crates/certify/src/circuits/formula.rs",
    "crates/certify/src/circuits/invariant.rs",
    "crates/certify/src/circuits/liveness.rs",
    "crates/certify/src/circuits/mod.rs",
    "crates/certify/src/circuits/refutation/formulas.rs",
    "crates/certify/src/circuits/refutation/lrat.rs",
    "crates/certify/src/circuits/refutation/mod.rs",
    "crates/certify/src/circuits/run.rs",
];

const PAGE: &str = "docs/trust.md";
const BEGIN: &str = "<!-- cargo xtask trusted -->\n";
const END: &str = "<!-- end -->";

/// Prints the table; with `--write` puts it on the page, with `--check` compares it with the page:
/// a number that is off by more than a quarter is no longer true.
pub(crate) fn trusted(options: &[&str]) -> bool {
    let table = table();
    let page = root().join(PAGE);
    let text = std::fs::read_to_string(&page).unwrap_or_default();
    let Some((before, rest)) = text.split_once(BEGIN) else {
        eprintln!("{PAGE} has no place for the table");
        return false;
    };
    let (old, after) = rest.split_once(END).unwrap_or(("", ""));
    match options {
        [] => {
            print!("{table}");
            true
        }
        ["--write"] => {
            let text = format!("{before}{BEGIN}{table}{END}{after}");
            std::fs::write(page, text).is_ok()
        }
        ["--check"] => {
            let near = near(old, &table);
            if !near {
                eprintln!("the lines of trusted code changed: cargo xtask trusted --write");
            }
            near
        }
        _ => false,
    }
}

fn table() -> String {
    let envelope: usize = ALL.iter().map(|path| lines_at(path)).sum();
    let mut table =
        String::from("| evidence about | checker | plain data | reader |\n|---|--:|--:|--:|\n");
    table += &format!("| all: the envelope | {envelope} | | |\n");
    for family in FAMILIES {
        let sum = |paths: &[&str]| paths.iter().map(|path| lines_at(path)).sum::<usize>();
        let (checker, data) = (sum(family.checker), sum(family.data));
        let reader = sum(family.reader);
        table += &format!("| {} | {checker} | {data} | {reader} |\n", family.name);
    }
    table
}

/// Whether two tables have the same rows with numbers that are nearly the same.
fn near(old: &str, new: &str) -> bool {
    let rows = |text: &str| -> Vec<(String, Vec<f64>)> {
        let row = |line: &str| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let numbers = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
            (
                cells.get(1).copied().unwrap_or_default().to_owned(),
                numbers,
            )
        };
        text.lines().map(row).collect()
    };
    let (old, new) = (rows(old), rows(new));
    old.len() == new.len()
        && old.iter().zip(&new).all(|(old, new)| {
            let close = |(old, new): (&f64, &f64)| (old - new).abs() <= 0.25 * old.max(*new);
            old.0 == new.0 && old.1.len() == new.1.len() && old.1.iter().zip(&new.1).all(close)
        })
}

/// Lines of code of a file, or of all files of a folder that are no tests.
fn lines_at(path: &str) -> usize {
    files(&root().join(path))
        .iter()
        .map(|file| lines(file))
        .sum()
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_test = name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs");
        if path.is_dir() && !is_test {
            found.extend(files(&path));
        } else if name.ends_with(".rs") && !is_test {
            found.push(path);
        }
    }
    found
}

/// Lines that are neither empty nor comments, up to the tests.
fn lines(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let code = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let counts = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//")
    };
    code.lines().filter(counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_there() {
        let of = |family: &Family| [family.checker, family.data, family.reader].concat();
        for family in FAMILIES {
            for path in of(family) {
                assert!(lines_at(path) > 0, "{}: {path}", family.name);
            }
            assert!(of(family).iter().map(|path| lines_at(path)).sum::<usize>() > 100);
        }
    }

    #[test]
    fn numbers_that_are_nearly_the_same_are() {
        assert!(near("| a | 100 |\n", "| a | 110 |\n"));
        assert!(!near("| a | 100 |\n", "| a | 200 |\n"));
        assert!(!near("| a | 100 |\n", "| b | 100 |\n"));
    }
}
