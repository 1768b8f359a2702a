//! Words of an automaton, and automata from expressions.

use quotient_core::{Budget, Stop};
use quotient_language::Setting;
use serde_json::json;

use super::outcome::names;
use super::{Answers, Given, Operand, Operation, Outcome, Sort, Told};
use crate::{Expression, Word};

const A: &[Operand] = &[Operand::new("a", Sort::Automaton, "The automaton.")];

pub(super) const WORDS: &[Operation] = &[
    Operation::new(
        "words",
        "List words of A, shortest first.",
        A,
        Answers::Text,
        words,
    )
    .settings(&[
        Setting::whole("up-to", "LENGTH", "The longest length.").default("8"),
        Setting::whole("most", "NUMBER", "The most words.").default("100"),
    ])
    .more(
        "\
Example:
  quotient automata words a.tmb --up-to 4 --most 20",
    ),
    Operation::new(
        "count",
        "Count the words of A of a length.",
        A,
        Answers::Text,
        count,
    )
    .doing("counting")
    .settings(&[Setting::whole("length", "LENGTH", "The length.")]),
    Operation::new(
        "regex",
        "Make an automaton from a regular expression over named letters.",
        &[Operand::new(
            "expression",
            Sort::Expression,
            "The expression.",
        )],
        Answers::Machine,
        regex,
    )
    .settings(&[
        Setting::text(
            "letters",
            "LETTERS",
            "The letters of the alphabet, apart by blanks; by default those named.",
        )
        .conflicts(&["alphabet-of"]),
        Setting::file("alphabet-of", "The alphabet of this file."),
    ])
    .more(
        "\
Expressions: `T N` one after the other, `[a b]` `[^a b]` `.` one letter,
`x | y` `x & y` `~x` either, both, not, `x*` `x+` `x?` `x{2,4}` repeated,
`\"a b\"` a letter with a strange name, `()` the empty word, `[]` nothing.

Examples:
  quotient automata regex 'T N*'
  quotient automata regex '~(. * T . * T . *)' --letters 'T N'
  quotient automata regex 'N*' --alphabet-of model.tmb",
    ),
    Operation::new(
        "expression",
        "Write the words of A as a regular expression.",
        A,
        Answers::Text,
        expression,
    )
    .settings(&[Setting::whole(
        "most",
        "NUMBER",
        "Give up on an expression longer than this many letters and signs.",
    )
    .default("1000")]),
];

fn words(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let nfa = &given.automata[0];
    let most = given.size("most");
    let mut found: Vec<Word> = Vec::new();
    for word in nfa
        .words(given.size("up-to"), budget)?
        .take(most.saturating_add(1))
    {
        budget.poll()?;
        found.push(word);
    }
    let more = found.len() > most;
    found.truncate(most);
    let alphabet = nfa.alphabet();
    let lines: Vec<String> = found
        .iter()
        .map(|word| alphabet.show(word) + "\n")
        .collect();
    let named: Vec<Vec<String>> = found.iter().map(|word| names(alphabet, word)).collect();
    Ok(Outcome::Text(Told {
        text: lines.concat(),
        note: match more {
            true => "note: there are more; see --most\n".to_owned(),
            false => String::new(),
        },
        result: json!({ "words": named, "more": more }),
    }))
}

fn count(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let length = given.number("length");
    let number = given.automata[0].count_words(length, budget)?;
    Ok(Outcome::Text(Told {
        text: format!("{number}\n"),
        note: match number {
            u128::MAX => "note: there are that many or more\n".to_owned(),
            _ => String::new(),
        },
        // JSON numbers are not exact beyond 2^53: the count is a string.
        result: json!({ "length": length, "count": number.to_string() }),
    }))
}

fn regex(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    match &given.expression {
        Some(expression) => Ok(expression.to_nfa(budget)?.into()),
        None => Err(Stop::bound("expressions", 0)),
    }
}

fn expression(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let most = given.size("most");
    let Some(expression) = Expression::of(&given.automata[0], most, budget)? else {
        return Err(Stop::bound("the size of the expression", most as u64));
    };
    let text = expression.to_string();
    Ok(Outcome::Text(Told {
        result: json!({ "expression": text }),
        text: text + "\n",
        note: String::new(),
    }))
}
