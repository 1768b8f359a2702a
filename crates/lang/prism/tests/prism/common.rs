//! What all tests of the language need.

use quotient_core::{Context, Source, Trouble};
use quotient_language::{Answer, Ask, Input, MemoryFiles, Model, Settings, Verb};
use quotient_prism::{JANI, LANGUAGE};

/// A question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) property: Vec<String>,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) files: Vec<(String, String)>,
}

impl Asked {
    pub(crate) fn property(text: &str) -> Asked {
        Asked {
            property: vec![text.to_owned()],
            ..Asked::default()
        }
    }

    pub(crate) fn constant(self, text: &str) -> Asked {
        self.setting("constant", text)
    }

    pub(crate) fn setting(mut self, name: &str, value: &str) -> Asked {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }
}

pub(crate) fn open(text: &str, asked: &Asked) -> Result<Box<dyn Model>, Trouble> {
    let language = match text.trim_start().starts_with('{') {
        true => JANI,
        false => LANGUAGE,
    };
    let settings = Settings::new(
        language.about().name,
        language.about().settings,
        Verb::Check,
        &asked.settings,
    )?;
    let mut files: MemoryFiles = asked.files.iter().cloned().collect();
    let input = Input::text(&Source::new("model.prism", text));
    language.open(&input, &mut files, &settings, &Context::default())
}

pub(crate) fn answers(text: &str, asked: &Asked) -> Result<Vec<Answer>, Trouble> {
    let mut model = open(text, asked)?;
    let ask = Ask {
        properties: asked.property.clone(),
        ..Ask::default()
    };
    let mut answers = Vec::new();
    model.check(&ask, &Context::default(), &mut |answer| {
        answers.push(answer)
    })?;
    Ok(answers)
}

/// The one answer to a question that makes sense.
pub(crate) fn check(text: &str, asked: &Asked) -> Checked {
    match answers(text, asked) {
        Ok(mut answers) => Checked(answers.remove(0)),
        Err(trouble) => panic!("{trouble}"),
    }
}

/// What is wrong with a question.
pub(crate) fn trouble(text: &str, asked: &Asked) -> String {
    match answers(text, asked) {
        Ok(answers) => panic!("{answers:?}"),
        Err(trouble) => trouble.to_string(),
    }
}

pub(crate) struct Checked(pub(crate) Answer);

impl std::ops::Deref for Checked {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.0
    }
}

impl Checked {
    /// The value lies between the bounds, and these are near each other.
    pub(crate) fn has_value(&self, value: f64, width: f64) {
        let number = self.0.value.as_ref().expect("a number");
        if value.is_infinite() {
            assert!(
                number.lower.is_infinite() && number.upper.is_infinite(),
                "{number:?}"
            );
            return;
        }
        // The expected value is a double, too.
        let near = 4e-16 * value.abs();
        assert!(number.lower <= value + near, "{number:?} {value}");
        assert!(value - near <= number.upper, "{number:?} {value}");
        assert!(number.upper - number.lower <= width.max(near), "{number:?}");
    }
}

/// All numbers of a line of evidence, one for each state.
pub(crate) fn spelled_out(line: &str) -> Vec<f64> {
    let (mut all, mut known): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for word in line.split(' ') {
        let (number, times) = word.split_once('*').unwrap_or((word, "1"));
        let number = match number.strip_prefix('@') {
            Some(place) => known[place.parse::<usize>().expect("a place")],
            None => number.parse().expect("a number"),
        };
        if !known.contains(&number) {
            known.push(number);
        }
        let times = times.parse().expect("how often");
        all.extend(std::iter::repeat_n(number, times));
    }
    all
}

/// Numbers as a line of evidence.
pub(crate) fn line_of(numbers: &[f64]) -> String {
    let all: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    all.join(" ")
}
