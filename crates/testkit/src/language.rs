//! What the tests of every language do: open a text, ask, certify, forge, and disturb its reader.

use std::sync::Mutex;

use quotient_core::{Budget, Claim, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_forger::{Attack, attack};
use quotient_language::{
    Answer, Ask, Example, Input, Language, MemoryFiles, Model, Settings, Sureness, Verb,
};

use crate::Random;

/// A language under test, and the name that texts of it get.
#[derive(Clone, Copy)]
pub struct Tested {
    language: &'static dyn Language,
    file: &'static str,
}

impl Tested {
    /// The language, and the name of the file in which its texts are said to be.
    pub const fn new(language: &'static dyn Language, file: &'static str) -> Tested {
        Tested { language, file }
    }

    /// Opens a text with some settings and files beside it.
    ///
    /// # Errors
    /// What the language says against them.
    pub fn try_open(
        &self,
        text: &str,
        given: &[(&str, &str)],
        files: &[(&str, &str)],
    ) -> Result<Box<dyn Model>, Trouble> {
        let about = self.language.about();
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let given: Vec<_> = given.iter().map(own).collect();
        let settings = Settings::new(about.name, about.settings, Verb::Check, &given)?;
        let input = Input::text(&Source::new(self.file, text));
        let mut files: MemoryFiles = files.iter().copied().collect();
        self.language
            .open(&input, &mut files, &settings, &Context::default())
    }

    /// Opens a text that is right.
    ///
    /// # Panics
    /// If it is not.
    pub fn open(&self, text: &str) -> Box<dyn Model> {
        self.try_open(text, &[], &[])
            .unwrap_or_else(|trouble| panic!("{trouble}\n{text}"))
    }

    /// An example of the language by its name, with the files beside it.
    ///
    /// # Panics
    /// If there is none, or it cannot be opened.
    pub fn example(&self, name: &str) -> Box<dyn Model> {
        let named = |one: &&Example| one.name == name;
        let Some(example) = self.language.about().examples.iter().find(named) else {
            panic!("there is no example {name}");
        };
        self.try_open(example.files[0].1, &[], &example.files[1..])
            .unwrap_or_else(|trouble| panic!("{name}: {trouble}"))
    }

    /// What is told about a text that is wrong, one mistake an entry.
    ///
    /// # Panics
    /// If nothing is wrong with it.
    pub fn mistakes(&self, text: &str) -> Vec<String> {
        match self.try_open(text, &[], &[]) {
            Err(Trouble::Invalid(all)) => all.iter().map(ToString::to_string).collect(),
            _ => panic!("this is no mistake: {text}"),
        }
    }

    /// How sure the language is of a text in a file of some name.
    pub fn sure(&self, name: &str, text: &str) -> Sureness {
        let input = Input::text(&Source::new(name, text));
        self.language.recognises(&input)
    }

    /// Gives a reader the texts of the examples, each time with a few signs changed, left out,
    /// put in, or a piece of it twice; the same ones for the same seed.
    ///
    /// # Panics
    /// If the reader does.
    pub fn disturb(&self, signs: &str, rounds: usize, mut read: impl FnMut(&str)) {
        let examples = self.language.about().examples.iter();
        let texts: Vec<&str> = examples
            .flat_map(|one| one.files.iter().map(|file| file.1))
            .collect();
        let signs: Vec<char> = signs.chars().collect();
        let random = &mut Random(3);
        for _ in 0..rounds {
            let mut text: Vec<char> = random.pick(&texts).chars().collect();
            for _ in 0..1 + random.below(6) {
                let at = random.below(text.len());
                match random.below(8) {
                    0..=2 if !text.is_empty() => text[at] = random.pick(&signs),
                    3 | 4 if !text.is_empty() => drop(text.remove(at)),
                    5 => text.truncate(at.max(1)),
                    6 => {
                        let end = (at + random.below(40)).min(text.len());
                        let piece = text[at..end].to_vec();
                        text.splice(at..at, piece);
                    }
                    _ => text.insert(at, random.pick(&signs)),
                }
            }
            read(&text.iter().collect::<String>());
        }
    }
}

/// All answers of a model, in their order.
///
/// # Panics
/// If it cannot be checked.
pub fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    let done = model.check(&ask, &Context::default(), &mut |answer| all.push(answer));
    done.unwrap_or_else(|trouble| panic!("{trouble}"));
    all
}

/// The verdicts of some answers.
pub fn verdicts(answers: &[Answer]) -> Vec<Verdict> {
    answers.iter().map(|one| one.verdict.clone()).collect()
}

/// Whether the evidence of an answer is accepted, or why not.
///
/// # Errors
/// What the checker says against it.
pub fn certified(model: &mut dyn Model, answer: &Answer) -> Result<(), Rejection> {
    let Some(evidence) = &answer.evidence else {
        return Err(Rejection::wrong("there is no evidence"));
    };
    certify(model, evidence, &Budget::unlimited()).map(drop)
}

/// The evidence of an answer is accepted, and not for the opposite.
///
/// # Panics
/// If it is otherwise.
pub fn assert_certified(model: &mut dyn Model, answer: &Answer) {
    let about = &answer.property;
    certified(model, answer).unwrap_or_else(|why| panic!("{about}: {why}"));
    let mut opposite = answer.clone();
    if let Some(evidence) = &mut opposite.evidence {
        evidence.claim = match evidence.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        };
    }
    let opposite = certified(model, &opposite);
    assert!(opposite.is_err(), "{about}: the opposite is accepted too");
}

/// Forges the evidence about some models, with parts of that about the others, so many times for
/// each piece; a checker may do so much work on each.
///
/// # Panics
/// If a false claim is accepted, genuine evidence is refused, or the checker panics.
pub fn attack_all(models: Vec<Box<dyn Model>>, forgeries: usize, work: u64) {
    let mut told = Vec::new();
    for mut model in models {
        let all = answers(&mut *model);
        told.push((model, all));
    }
    let of = |all: &[Answer]| -> Vec<Evidence> {
        all.iter().filter_map(|one| one.evidence.clone()).collect()
    };
    let donors: Vec<Evidence> = told.iter().flat_map(|(_, all)| of(all)).collect();
    assert!(!donors.is_empty(), "there is nothing to forge");
    for (model, all) in told {
        // A blank more or less is the same question.
        let is_true = |claim: Claim, property: &str| {
            let claimed = match claim {
                Claim::Holds => Verdict::Holds,
                Claim::Violated => Verdict::Violated,
            };
            let same = |one: &&Answer| one.property == property.trim();
            all.iter()
                .find(same)
                .is_some_and(|one| one.verdict == claimed)
        };
        let model = Mutex::new(model);
        let checker = |evidence: &Evidence| {
            let mut model = model.lock().unwrap_or_else(|broken| broken.into_inner());
            certify(
                &mut **model,
                evidence,
                &Budget::unlimited().child_with_work(work),
            )
        };
        for evidence in of(&all) {
            let how = Attack {
                donors: donors.clone(),
                forgeries,
                ..Attack::default()
            };
            attack(&evidence, &how, checker, is_true).unwrap_or_else(|why| panic!("{why}"));
        }
    }
}

/// Certifies evidence about the property that it names.
fn certify(
    model: &mut dyn Model,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<quotient_core::Certified, Rejection> {
    let name = evidence.property.clone().unwrap_or_default();
    let property = model
        .property(&name)
        .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
    model.certify(evidence, &property, budget)
}
