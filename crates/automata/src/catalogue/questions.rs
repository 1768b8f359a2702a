//! Questions with the answer yes or no, and a word to show for it.

use quotient_core::{Budget, Stop};

use super::{
    Answers, Given, JOIN_ALPHABETS, Operand, Operation, Outcome, SHORTEST, Sort, Truth, Work,
};

const A: Operand = Operand::new("a", Sort::Automaton, "The automaton.");
const FIRST: Operand = Operand::new("a", Sort::Automaton, "The first automaton.");
const SECOND: Operand = Operand::new("b", Sort::Automaton, "The second automaton.");
const T: Operand = Operand::new("t", Sort::Transducer, "The transducer.");
const IMAGE: &[Operand] = &[
    T,
    Operand::new(
        "a",
        Sort::Automaton,
        "The automaton of the words to start from.",
    ),
    Operand::new(
        "b",
        Sort::Automaton,
        "The automaton of the words to compare with.",
    ),
];

const fn ask(
    name: &'static str,
    line: &'static str,
    operands: &'static [Operand],
    doing: &'static str,
    work: Work,
) -> Operation {
    Operation::new(name, line, operands, Answers::Truth, work).doing(doing)
}

pub(super) const QUESTIONS: &[Operation] = &[
    ask(
        "include",
        "Is every word of A in B?",
        &[FIRST, SECOND],
        "inclusion",
        include,
    )
    .settings(&[JOIN_ALPHABETS, SHORTEST])
    .more(
        "\
Example:
  quotient automata include small.tmb large.tmb && echo yes",
    ),
    ask(
        "equal",
        "Do A and B accept the same words?",
        &[FIRST, SECOND],
        "equivalence",
        equal,
    )
    .settings(&[JOIN_ALPHABETS, SHORTEST]),
    ask(
        "disjoint",
        "Have A and B no word in common?",
        &[FIRST, SECOND],
        "intersection",
        disjoint,
    ),
    ask(
        "empty",
        "Does A accept no word at all?",
        &[A],
        "emptiness",
        empty,
    ),
    ask(
        "universal",
        "Does A accept every word?",
        &[A],
        "universality",
        universal,
    )
    .settings(&[SHORTEST]),
    ask(
        "accepts",
        "Does A accept these words?",
        &[
            A,
            Operand::new(
                "words",
                Sort::Word,
                "The words; the letters of one are apart by blanks, the empty word is ''.",
            )
            .many(),
        ],
        "membership",
        accepts,
    )
    .more(
        "\
Example:
  quotient automata accepts tokens.tmb 'T N N' 'N T' ''   letters apart by blanks",
    ),
    ask(
        "relates",
        "Does transducer T relate one word to another?",
        &[
            T,
            Operand::new("first", Sort::Word, "The word read."),
            Operand::new("second", Sort::Word, "The word written."),
        ],
        "membership",
        relates,
    ),
    ask(
        "image-include",
        "Does T lead from words of A only to words of B?",
        IMAGE,
        "inclusion of the image",
        image_include,
    ),
    ask(
        "image-disjoint",
        "Does T lead from no word of A to a word of B?",
        IMAGE,
        "intersection with the image",
        image_disjoint,
    ),
];

fn include(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let (left, right) = (&given.automata[0], &given.automata[1]);
    let (a, b) = (&given.names[0], &given.names[1]);
    let missing = match given.flag(SHORTEST.name) {
        true => left.shortest_word_outside(right, budget)?,
        false => left.word_outside(right, budget)?,
    };
    let yes = format!("every word of {a} is in {b}");
    Ok(Truth::unless(
        missing.as_ref(),
        left.alphabet(),
        yes,
        |word| format!("`{word}` is in {a}, but not in {b}"),
    ))
}

fn equal(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let (left, right) = (&given.automata[0], &given.automata[1]);
    let (a, b) = (&given.names[0], &given.names[1]);
    let different = match given.flag(SHORTEST.name) {
        true => left.shortest_distinguishing_word(right, budget)?,
        false => left.distinguishing_word(right, budget)?,
    };
    let (here, there) = match &different {
        Some(word) if left.accepts(word) => (a, b),
        _ => (b, a),
    };
    let yes = format!("{a} and {b} accept the same words");
    Ok(Truth::unless(
        different.as_ref(),
        left.alphabet(),
        yes,
        |word| format!("`{word}` is in {here}, but not in {there}"),
    ))
}

fn disjoint(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let (left, right) = (&given.automata[0], &given.automata[1]);
    let common = left.intersection(right, budget)?.shortest_word();
    let yes = "they have no word in common";
    Ok(Truth::unless(
        common.as_ref(),
        left.alphabet(),
        yes,
        |word| format!("`{word}` is in both"),
    ))
}

fn empty(given: &Given, _: &Budget) -> Result<Outcome, Stop> {
    let nfa = &given.automata[0];
    let word = nfa.shortest_word();
    let yes = "it accepts no word";
    Ok(Truth::unless(word.as_ref(), nfa.alphabet(), yes, |word| {
        format!("it accepts `{word}`")
    }))
}

fn universal(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let nfa = &given.automata[0];
    let word = match given.flag(SHORTEST.name) {
        true => nfa.shortest_rejected_word(budget)?,
        false => nfa.rejected_word(budget)?,
    };
    let yes = "it accepts every word";
    Ok(Truth::unless(word.as_ref(), nfa.alphabet(), yes, |word| {
        format!("it does not accept `{word}`")
    }))
}

fn accepts(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let nfa = &given.automata[0];
    let mut rejected = None;
    for word in &given.words {
        budget.poll()?;
        if !nfa.accepts(word) {
            rejected = Some(word);
            break;
        }
    }
    let yes = match given.words.len() {
        1 => "the word is accepted",
        _ => "all words are accepted",
    };
    Ok(Truth::unless(rejected, nfa.alphabet(), yes, |word| {
        format!("`{word}` is not accepted")
    }))
}

fn relates(given: &Given, _: &Budget) -> Result<Outcome, Stop> {
    let yes = given.transducers[0].relates(&given.words[0], &given.words[1]);
    let leads = if yes { "leads" } else { "does not lead" };
    Ok(Outcome::Truth(Truth {
        yes,
        because: format!("the transducer {leads} from the first to the second"),
        witness: None,
        from: None,
    }))
}

fn image_include(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let transducer = &given.transducers[0];
    let (t, b) = (&given.names[0], &given.names[2]);
    let escape = transducer.image_escapes(&given.automata[0], &given.automata[1], budget)?;
    let yes = format!("{t} leads only to words of {b}");
    Ok(Truth::unless_step(
        escape.as_ref(),
        transducer.alphabet(),
        yes,
        |from, to| format!("{t} leads from `{from}` to `{to}`, which is not in {b}"),
    ))
}

fn image_disjoint(given: &Given, budget: &Budget) -> Result<Outcome, Stop> {
    let transducer = &given.transducers[0];
    let (t, b) = (&given.names[0], &given.names[2]);
    let meets = transducer.image_meets(&given.automata[0], &given.automata[1], budget)?;
    let yes = format!("{t} leads to no word of {b}");
    Ok(Truth::unless_step(
        meets.as_ref(),
        transducer.alphabet(),
        yes,
        |from, to| format!("{t} leads from `{from}` to `{to}`, which is in {b}"),
    ))
}
