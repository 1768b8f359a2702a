//! Texts of galleries with a few tokens changed: for languages that nobody wrote a generator for,
//! and beside generators, because people write differently.

use quotient_language::About;

use crate::dice::Dice;
use crate::mutate;
use crate::sample::Sample;

/// Longer texts take too long to be tried often.
const MOST_TEXT: usize = 4_000;

pub(crate) fn generate(about: &'static About, dice: &mut Dice) -> Sample {
    let short = about.examples.iter().filter(|example| {
        let lengths = example.files.iter().map(|(_, text)| text.len());
        lengths.sum::<usize>() <= MOST_TEXT
    });
    let short: Vec<_> = short.collect();
    let mut sample = match short.is_empty() {
        true => {
            let ending = about.endings.first().copied().unwrap_or("txt");
            Sample::of(about.id, &format!("model.{ending}"), about.starter)
        }
        false => {
            let example = short[dice.below(short.len())];
            let mut files = example.files.iter();
            let (name, text) = files.next().copied().unwrap_or_default();
            let first = Sample::of(about.id, name, text);
            files.fold(first, |sample, (name, text)| sample.beside(name, *text))
        }
    };
    // A file of properties beside a model is named by a setting.
    let properties = about.settings.iter().find(|one| one.name == "properties");
    if properties.is_some()
        && let Some((name, _)) = sample.files.get(1)
    {
        let name = name.clone();
        sample = sample.setting("properties", &name);
    }
    for _ in 0..dice.below(4) {
        mutate::tokens(&mut sample, dice);
    }
    sample
}
