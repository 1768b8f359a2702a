//! Concurrent programs with shared variables, as a language: three-valued abstraction with a
//! spotlight, unknowns as parameters, refinement where an unknown stands in the way.

mod abstraction;
mod certify;
mod certify_pairs;
mod certify_schedule;
mod certify_states;
mod game;
mod idle;
mod interpret;
mod lasso;
mod ltl;
mod model;
mod pair_states;
mod pairs;
mod program;
mod read;
mod read_expression;
mod refine;
mod searched;
mod seen;
mod show;
mod solver;
mod three;
mod turns;
mod words;

#[cfg(test)]
mod acceptance_tests;
#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod solver_tests;
#[cfg(test)]
mod states_tests;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::fmt::Write;

use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Input, Language, Model, Setting, Settings, Sureness, Verb,
};

use model::ProgramModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let text = "shared int x = 0; process P { while (true) { x := x + 1; } } check up: G (x >= 0)";
/// let input = Input::text(&Source::new("up.spl", text));
/// let language = quotient_program::LANGUAGE;
/// let cx = Context::default();
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx).unwrap();
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell).unwrap();
/// ```
pub const LANGUAGE: &dyn Language = &Programs;

struct Programs;

const SETTINGS: &[Setting] = &[
    Setting::flag(
        "no-parameters",
        "Refine instead of turning unknowns into parameters.",
    )
    .verbs(&[Verb::Check]),
    Setting::whole("refinements", "N", "The most refinements and parameters.")
        .default("200")
        .verbs(&[Verb::Check]),
    Setting::choice(
        "solver",
        "NAME",
        &[
            ("built-in", "Linear integer arithmetic, built in."),
            (
                "z3",
                "z3 besides, where the built-in solver is not certain.",
            ),
            ("cvc5", "cvc5 besides."),
        ],
        "Who decides what follows from predicates. A solver that is another program must be \
         installed; evidence is checked without it.",
    )
    .default("built-in")
    .verbs(&[Verb::Check]),
];

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "program",
    name: "Concurrent program",
    text: "a concurrent program",
    line: "processes with shared variables: three-valued abstraction with spotlight and shade",
    endings: &["spl"],
    offers: &[Verb::Check, Verb::Certify, Verb::Show],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/peterson.spl"),
    methods,
    examples: &[
        Example {
            name: "peterson-program",
            title: "Peterson's mutual exclusion as a program",
            files: &[("peterson.spl", include_str!("../gallery/peterson.spl"))],
        },
        Example {
            name: "flags",
            title: "two flags that depend on something unknown: a parameter decides",
            files: &[("flags.spl", include_str!("../gallery/flags.spl"))],
        },
        Example {
            name: "ticket",
            title: "tickets without an end: numbers grow, mutual exclusion holds",
            files: &[("ticket.spl", include_str!("../gallery/ticket.spl"))],
        },
        Example {
            name: "allocation",
            title: "customers and resources, one of them greedy",
            files: &[("allocation.spl", include_str!("../gallery/allocation.spl"))],
        },
    ],
    guide: "docs/program.md",
};

impl Language for Programs {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let begins = |line: &str| {
            // A process of ours has a name.
            let named = line.strip_prefix("process ");
            let named =
                named.is_some_and(|rest| rest.trim_start().starts_with(char::is_alphabetic));
            named || line.starts_with("shared int ") || line.starts_with("shared bool ")
        };
        let found = source.text().lines().map(str::trim).any(begins);
        let braces = source.text().contains('{');
        match found && braces {
            true => Sureness::Maybe.with_ending(ending),
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let program = read::read(input.require_text()?)?;
        let (name, settings) = (input.name().to_owned(), settings.clone());
        Ok(Box::new(ProgramModel {
            name,
            program,
            settings,
            proved: RefCell::default(),
        }))
    }
}

/// A multiple-resource allocation system: customers that take one of two resources, by a
/// condition over a variable that another process writes, use it, and give it back.
///
/// The first two customers share their resources, so that both are never served at once; the
/// first is served again and again only if the others are fair to it, which they are not.
///
/// ```
/// assert!(quotient_program::allocation(3, 2).contains("process Customer3"));
/// ```
pub fn allocation(customers: usize, resources: usize) -> String {
    let resources = resources.max(1);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "shared bool taken[1..{resources}] = false;");
    let _ = writeln!(text, "shared int demand[1..{customers}] = 0;");
    for number in 1..=customers {
        // The first two want the same; the others go round.
        let (first, second) = match number {
            1 | 2 => (1, 1),
            _ => (1 + number % resources, 1 + (number + 1) % resources),
        };
        let (own, next) = (number, 1 + number % customers);
        let _ = write!(
            text,
            "process Customer{own} {{\n  local bool side = false;\n  while (true) {{\n    \
             if (demand[{own}] > 0) {{ await(!taken[{first}]) taken[{first}] := true, side := true; }}\n    \
             else {{ await(!taken[{second}]) taken[{second}] := true, side := false; }}\n    \
             demand[{next}] := demand[{next}] + demand[{own}] - 1;\n    critical: skip;\n    \
             if (side) {{ taken[{first}] := false; }} else {{ taken[{second}] := false; }}\n  }}\n}}\n"
        );
    }
    text.push_str("check exclusive: G !(Customer1 at critical & Customer2 at critical)\n");
    text.push_str("check served: G F (Customer1 at critical)\n");
    text
}

/// A resource allocation system with a customer at the door: customers take one of some resources
/// for a while, again and again; the first waits until each of its three is free, is served, and
/// leaves.
///
/// That the first is served again and again is false, whatever the others do: a parameter for each
/// of its waits shows that with one process in the spotlight, however many there are. Without
/// parameters the others enter the spotlight one by one.
///
/// ```
/// assert!(quotient_program::door(5).contains("process Customer5"));
/// ```
pub fn door(customers: usize) -> String {
    let mut text = "shared bool taken[1..3] = false;\nprocess Customer1 {\n".to_owned();
    for resource in 1..=3 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  while (taken[{resource}]) {{ skip; }}");
    }
    text.push_str("  critical: skip;\n}\n");
    for number in 2..=customers {
        let own = 1 + number % 3;
        let _ = writeln!(
            text,
            "process Customer{number} {{ while (true) {{ skip; await(!taken[{own}]) \
             taken[{own}] := true; skip; taken[{own}] := false; }} }}"
        );
    }
    text.push_str("check served: G F (Customer1 at critical)\n");
    text
}

/// Reads a text, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let _ = read::read(&quotient_core::Source::new("any", text));
}
