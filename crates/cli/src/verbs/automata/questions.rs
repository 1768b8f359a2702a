//! Questions with the answer yes or no, and a word to show for it.

use clap::{Args, Subcommand};
use quotient_automata::formats::Kind;
use quotient_automata::{Alphabet, Letter, Word};
use quotient_core::{Diagnostic, Verdict};
use serde_json::json;

use super::input::Input;
use super::{Options, SeveralOptions};
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

#[derive(Debug, Subcommand)]
pub(super) enum Question {
    /// Is every word of A in B?
    #[command(after_help = "\
Example:
  quotient automata include small.tmb large.tmb && echo yes")]
    Include(Pair),
    /// Do A and B accept the same words?
    Equal(Pair),
    /// Have A and B no word in common?
    Disjoint(Pair),
    /// Does A accept no word at all?
    Empty(One),
    /// Does A accept every word?
    Universal(One),
    /// Does A accept these words?
    #[command(after_help = "\
Example:
  quotient automata accepts tokens.tmb 'T N N' 'N T' ''   letters apart by blanks")]
    Accepts(Accepts),
    /// Does transducer T relate one word to another?
    Relates(Relates),
    /// Does T lead from words of A only to words of B?
    #[command(name = "image-include")]
    ImageInclude(Image),
    /// Does T lead from no word of A to a word of B?
    #[command(name = "image-disjoint")]
    ImageDisjoint(Image),
}

#[derive(Debug, Args)]
pub(super) struct Pair {
    /// The first automaton.
    a: String,
    /// The second automaton.
    b: String,
    #[command(flatten)]
    options: SeveralOptions,
}

#[derive(Debug, Args)]
pub(super) struct One {
    /// The automaton.
    a: String,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(super) struct Accepts {
    /// The automaton.
    a: String,
    /// The words; the letters of one are apart by blanks, the empty word is ''.
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(super) struct Relates {
    /// The transducer.
    t: String,
    /// The word read.
    first: String,
    /// The word written.
    second: String,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(super) struct Image {
    /// The transducer.
    t: String,
    /// The automaton of the words to start from.
    a: String,
    /// The automaton of the words to compare with.
    b: String,
    #[command(flatten)]
    options: SeveralOptions,
}

impl Question {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Question::Include(_) => "include",
            Question::Equal(_) => "equal",
            Question::Disjoint(_) => "disjoint",
            Question::Empty(_) => "empty",
            Question::Universal(_) => "universal",
            Question::Accepts(_) => "accepts",
            Question::Relates(_) => "relates",
            Question::ImageInclude(_) => "image-include",
            Question::ImageDisjoint(_) => "image-disjoint",
        }
    }

    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        match self {
            Question::Include(pair) => include(pair, session),
            Question::Equal(pair) => equal(pair, session),
            Question::Disjoint(pair) => disjoint(pair, session),
            Question::Empty(one) => empty(one, session),
            Question::Universal(one) => universal(one, session),
            Question::Accepts(accepts) => self::accepts(accepts, session),
            Question::Relates(relates) => self::relates(relates, session),
            Question::ImageInclude(image) => image_include(image, session),
            Question::ImageDisjoint(image) => image_disjoint(image, session),
        }
    }
}

impl Pair {
    fn read(&self, session: &Session) -> Result<Vec<Input>, Failure> {
        let options = &self.options.options;
        options.read_several([&self.a, &self.b], Some(Kind::Automaton), session)
    }
}

fn include(pair: &Pair, session: &Session) -> Result<Reply, Failure> {
    let inputs = pair.read(session)?;
    let automata = pair.options.automata(&inputs)?;
    let (left, right) = (&automata[0], &automata[1]);
    let (missing, time) = pair.options.options.timed("inclusion", session, || {
        left.word_outside(right, &session.budget)
    })?;
    let (a, b) = (inputs[0].name(), inputs[1].name());
    let answer = Answer::unless(missing, left.alphabet(), |word| {
        format!("`{word}` is in {a}, but not in {b}")
    });
    Ok(answer.reply(&format!("every word of {a} is in {b}"), &inputs, time))
}

fn equal(pair: &Pair, session: &Session) -> Result<Reply, Failure> {
    let inputs = pair.read(session)?;
    let automata = pair.options.automata(&inputs)?;
    let (left, right) = (&automata[0], &automata[1]);
    let (different, time) = pair.options.options.timed("equivalence", session, || {
        left.distinguishing_word(right, &session.budget)
    })?;
    let (a, b) = (inputs[0].name(), inputs[1].name());
    let (here, there) = match &different {
        Some(word) if left.accepts(word) => (&a, &b),
        _ => (&b, &a),
    };
    let answer = Answer::unless(different, left.alphabet(), |word| {
        format!("`{word}` is in {here}, but not in {there}")
    });
    Ok(answer.reply(&format!("{a} and {b} accept the same words"), &inputs, time))
}

fn disjoint(pair: &Pair, session: &Session) -> Result<Reply, Failure> {
    let inputs = pair.read(session)?;
    let automata = pair.options.automata(&inputs)?;
    let (left, right) = (&automata[0], &automata[1]);
    let (common, time) = pair.options.options.timed("intersection", session, || {
        Ok(left.intersection(right, &session.budget)?.shortest_word())
    })?;
    let answer = Answer::unless(common, left.alphabet(), |word| {
        format!("`{word}` is in both")
    });
    Ok(answer.reply("they have no word in common", &inputs, time))
}

fn empty(one: &One, session: &Session) -> Result<Reply, Failure> {
    let input = one.options.read(&one.a, Some(Kind::Automaton), session)?;
    let nfa = input.automaton()?;
    let (word, time) = one
        .options
        .timed("emptiness", session, || Ok(nfa.shortest_word()))?;
    let answer = Answer::unless(word, nfa.alphabet(), |word| format!("it accepts `{word}`"));
    Ok(answer.reply("it accepts no word", &[input], time))
}

fn universal(one: &One, session: &Session) -> Result<Reply, Failure> {
    let input = one.options.read(&one.a, Some(Kind::Automaton), session)?;
    let nfa = input.automaton()?;
    let (word, time) = one.options.timed("universality", session, || {
        nfa.rejected_word(&session.budget)
    })?;
    let answer = Answer::unless(word, nfa.alphabet(), |word| {
        format!("it does not accept `{word}`")
    });
    Ok(answer.reply("it accepts every word", &[input], time))
}

fn accepts(accepts: &Accepts, session: &Session) -> Result<Reply, Failure> {
    let input = accepts
        .options
        .read(&accepts.a, Some(Kind::Automaton), session)?;
    let nfa = input.automaton()?;
    let alphabet = nfa.alphabet();
    let words: Vec<Word> = accepts
        .words
        .iter()
        .map(|text| word(alphabet, text))
        .collect::<Result<_, _>>()?;
    let (rejected, time) = accepts.options.timed("membership", session, || {
        Ok(words.iter().find(|word| !nfa.accepts(word)).cloned())
    })?;
    let answer = Answer::unless(rejected, alphabet, |word| {
        format!("`{word}` is not accepted")
    });
    let all = if words.len() == 1 {
        "the word is accepted"
    } else {
        "all words are accepted"
    };
    Ok(answer.reply(all, &[input], time))
}

fn relates(relates: &Relates, session: &Session) -> Result<Reply, Failure> {
    let input = relates
        .options
        .read(&relates.t, Some(Kind::Transducer), session)?;
    let transducer = input.transducer()?;
    let first = word(transducer.alphabet(), &relates.first)?;
    let second = word(transducer.alphabet(), &relates.second)?;
    let (related, time) = relates.options.timed("membership", session, || {
        Ok(transducer.relates(&first, &second))
    })?;
    let answer = Answer {
        yes: related,
        because: "the transducer does not lead from the first to the second".to_owned(),
        witness: None,
        from: None,
    };
    Ok(answer.reply(
        "the transducer leads from the first to the second",
        &[input],
        time,
    ))
}

impl Image {
    fn read(&self, session: &Session) -> Result<(Input, [Input; 2]), Failure> {
        let options = &self.options.options;
        let relation = options.read(&self.t, Some(Kind::Transducer), session)?;
        let read = |path| options.read(path, Some(Kind::Automaton), session);
        Ok((relation, [read(&self.a)?, read(&self.b)?]))
    }
}

fn image_include(image: &Image, session: &Session) -> Result<Reply, Failure> {
    let (relation, inputs) = image.read(session)?;
    let (transducer, automata) = image.options.relation_and_languages(&relation, &inputs)?;
    let (escape, time) = image
        .options
        .options
        .timed("inclusion of the image", session, || {
            transducer.image_escapes(&automata[0], &automata[1], &session.budget)
        })?;
    let (t, b) = (relation.name(), inputs[1].name());
    let answer = Answer::unless_pair(escape, transducer.alphabet(), |from, to| {
        format!("{t} leads from `{from}` to `{to}`, which is not in {b}")
    });
    Ok(answer.reply(
        &format!("{t} leads only to words of {b}"),
        &[relation],
        time,
    ))
}

fn image_disjoint(image: &Image, session: &Session) -> Result<Reply, Failure> {
    let (relation, inputs) = image.read(session)?;
    let (transducer, automata) = image.options.relation_and_languages(&relation, &inputs)?;
    let (meets, time) =
        image
            .options
            .options
            .timed("intersection with the image", session, || {
                transducer.image_meets(&automata[0], &automata[1], &session.budget)
            })?;
    let (t, b) = (relation.name(), inputs[1].name());
    let answer = Answer::unless_pair(meets, transducer.alphabet(), |from, to| {
        format!("{t} leads from `{from}` to `{to}`, which is in {b}")
    });
    Ok(answer.reply(&format!("{t} leads to no word of {b}"), &[relation], time))
}

/// A word from the command line.
fn word(alphabet: &Alphabet, text: &str) -> Result<Word, Diagnostic> {
    alphabet.word(text).map_err(|error| {
        let unknown = text
            .split_whitespace()
            .find(|name| alphabet.letter(name).is_none())
            .unwrap_or_default();
        Diagnostic::error("undeclared-letter", error.to_string())
            .note("the letters of a word are apart by blanks")
            .did_you_mean(unknown, alphabet.names())
    })
}

/// The answer to a question.
struct Answer {
    yes: bool,
    /// Why it is no.
    because: String,
    /// The word that shows it.
    witness: Option<Vec<String>>,
    /// The word that a transducer leads from to the witness.
    from: Option<Vec<String>>,
}

fn names(alphabet: &Alphabet, word: &[Letter]) -> Vec<String> {
    word.iter()
        .map(|&letter| alphabet.name(letter).to_owned())
        .collect()
}

impl Answer {
    /// Yes, unless there is a word against it.
    fn unless(
        against: Option<Word>,
        alphabet: &Alphabet,
        because: impl FnOnce(&str) -> String,
    ) -> Answer {
        Answer {
            yes: against.is_none(),
            because: against
                .as_ref()
                .map(|word| because(&alphabet.show(word)))
                .unwrap_or_default(),
            witness: against.as_ref().map(|word| names(alphabet, word)),
            from: None,
        }
    }

    /// Yes, unless there is a step against it.
    fn unless_pair(
        against: Option<(Word, Word)>,
        alphabet: &Alphabet,
        because: impl FnOnce(&str, &str) -> String,
    ) -> Answer {
        let (from, to) = against.unzip();
        let first = from.unwrap_or_default();
        let mut answer = Answer::unless(to, alphabet, |to| because(&alphabet.show(&first), to));
        answer.from = answer.witness.is_some().then(|| names(alphabet, &first));
        answer
    }

    fn reply(self, yes: &str, inputs: &[Input], time: Option<std::time::Duration>) -> Reply {
        let (word, because) = if self.yes {
            ("yes", yes)
        } else {
            ("no", self.because.as_str())
        };
        let mut result = json!({ "answer": self.yes, "because": because });
        for (name, word) in [("witness", &self.witness), ("from", &self.from)] {
            if let Some(word) = word {
                result[name] = json!(word);
            }
        }
        Reply {
            verdict: Some(if self.yes {
                Verdict::Holds
            } else {
                Verdict::Violated
            }),
            text: format!("{word}: {because}\n"),
            result,
            time,
            warnings: inputs
                .iter()
                .flat_map(|input| input.document.warnings.clone())
                .collect(),
            ..Reply::default()
        }
    }
}
