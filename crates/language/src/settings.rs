//! The settings that were given.

use std::collections::BTreeMap;

use quotient_core::{Diagnostic, nearest};

use crate::{Kind, Setting, Verb};

/// Settings that were given and fit what the language declares. [`Settings::new`] is the one
/// place that refuses others.
///
/// ```
/// use quotient_language::{Setting, Settings, Verb};
/// const KNOWN: &[Setting] = &[Setting::assignment("constant", "Give a constant a value.")];
/// let given = [("constant".to_owned(), "N=4".to_owned())];
/// let settings = Settings::new("FSP", KNOWN, Verb::Check, &given).unwrap();
/// assert_eq!(settings.assignments("constant"), [("N", "4")]);
/// let wrong = [("constnat".to_owned(), "N=4".to_owned())];
/// assert!(Settings::new("FSP", KNOWN, Verb::Check, &wrong).is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    values: BTreeMap<String, Vec<String>>,
}

impl Settings {
    /// The given settings, if the language knows them all and their values make sense.
    pub fn new(
        language: &str,
        known: &[Setting],
        verb: Verb,
        given: &[(String, String)],
    ) -> Result<Settings, Vec<Diagnostic>> {
        let mut settings = Settings::default();
        let mut wrong = Vec::new();
        for (name, value) in given {
            let setting = find(known, verb, name);
            match setting {
                Some(setting) if setting.is_for(verb) => {
                    for value in pieces(setting, value) {
                        match unfit(setting, value) {
                            None => settings.put(setting.name, value),
                            Some(mistake) => wrong.push(mistake),
                        }
                    }
                }
                other => wrong.push(foreign(language, known, verb, name, other)),
            }
        }
        for setting in known {
            wrong.extend(settings.combination(setting));
        }
        match wrong.is_empty() {
            true => Ok(settings),
            false => Err(wrong),
        }
    }

    fn put(&mut self, name: &str, value: &str) {
        let values = self.values.entry(name.to_owned()).or_default();
        values.push(value.to_owned());
    }

    /// What does not go together with a setting that is given.
    fn combination(&self, setting: &Setting) -> Option<Diagnostic> {
        let values = self.values.get(setting.name)?;
        let name = setting.name;
        if values.len() > 1 && !setting.many {
            let message = format!("`--{name}` is given {} times", values.len());
            return Some(Diagnostic::error("usage", message).help("give it once"));
        }
        if matches!(setting.kind, Kind::Assignment)
            && let Some((one, other)) = self.assigned_twice(name)
        {
            let message = format!("`--{name} {one}` and `--{name} {other}` contradict each other");
            return Some(Diagnostic::error("usage", message).help("give one of them"));
        }
        let other = setting.conflicts.iter().find(|other| self.is_given(other));
        if let Some(other) = other {
            let message = format!("`--{name}` cannot stand beside `--{other}`");
            return Some(Diagnostic::error("usage", message).help("give one of them"));
        }
        let alone = !setting.requires.is_empty()
            && !setting.requires.iter().any(|other| self.is_given(other));
        alone.then(|| {
            let others: Vec<String> = setting
                .requires
                .iter()
                .map(|other| format!("`--{other}`"))
                .collect();
            let others = others.join(" or ");
            Diagnostic::error("usage", format!("`--{name}` goes with {others} only"))
                .help(format!("add {others}, or leave it out"))
        })
    }

    /// Whether a setting is given.
    pub fn is_given(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.is_given(name)
    }

    /// The value of a setting, if it is given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.all(name).last().map(String::as_str)
    }

    /// All values of a setting, in the order given.
    pub fn all(&self, name: &str) -> &[String] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    /// The value of a whole number.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.text(name).and_then(|text| text.parse().ok())
    }

    /// The values of the form `NAME=VALUE`, split.
    pub fn assignments(&self, name: &str) -> Vec<(&str, &str)> {
        let split = |text: &'_ String| text.find('=').map(|at| (at, text.len()));
        self.all(name)
            .iter()
            .filter_map(|text| {
                let (at, _) = split(text)?;
                Some((text[..at].trim(), text[at + 1..].trim()))
            })
            .collect()
    }

    /// Two different values that are given to one name, as they were written.
    fn assigned_twice(&self, name: &str) -> Option<(&str, &str)> {
        let mut seen: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        let texts = self.all(name).iter();
        for (text, (left, right)) in texts.zip(self.assignments(name)) {
            match seen.insert(left, (right, text)) {
                Some((before, first)) if before != right => return Some((first, text)),
                _ => {}
            }
        }
        None
    }

    /// The settings that make the question what it is, as evidence carries them.
    pub fn pinned(&self, known: &[Setting]) -> BTreeMap<String, Vec<String>> {
        let pinned = |name: &str| known.iter().any(|one| one.name == name && one.pinned);
        let kept = self.values.iter().filter(|(name, _)| pinned(name));
        kept.map(|(name, values)| (name.clone(), values.clone()))
            .collect()
    }

    /// The settings as they were given, by name.
    pub fn given(&self) -> Vec<(String, String)> {
        let pairs = self.values.iter();
        pairs
            .flat_map(|(name, values)| values.iter().map(|value| (name.clone(), value.clone())))
            .collect()
    }
}

/// The setting with a name, or with a letter that is given as `-n`.
fn find<'a>(known: &'a [Setting], verb: Verb, name: &str) -> Option<&'a Setting> {
    let letter = match name
        .strip_prefix('-')
        .map(|rest| rest.chars().collect::<Vec<_>>())
    {
        Some(letters) if letters.len() == 1 => Some(letters[0]),
        _ => None,
    };
    let is = |setting: &&Setting| match letter {
        Some(_) => setting.short == letter,
        None => setting.name == name,
    };
    let mut fitting = known.iter().filter(is);
    let first = fitting.clone().next();
    fitting.find(|setting| setting.is_for(verb)).or(first)
}

/// The values that stand in one text: `N=4,K=2` are two, as other tools of the field have it.
fn pieces<'t>(setting: &Setting, value: &'t str) -> Vec<&'t str> {
    let several = setting.many && matches!(setting.kind, Kind::Assignment);
    match several && value.split(',').all(|piece| piece.contains('=')) {
        true => value.split(',').map(str::trim).collect(),
        false => vec![value],
    }
}

/// Why a value does not fit its setting.
fn unfit(setting: &Setting, value: &str) -> Option<Diagnostic> {
    let name = setting.name;
    let (message, help) = match setting.kind {
        Kind::Flag | Kind::Text | Kind::File => return None,
        Kind::Whole { least, most } => match value.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => return None,
            Ok(_) => (
                format!("`--{name} {value}` is out of bounds"),
                match most {
                    u64::MAX => format!("give at least {least}"),
                    _ => format!("give a number from {least} to {most}"),
                },
            ),
            Err(_) => (
                format!("`--{name}` needs a whole number, not `{value}`"),
                format!("as in `--{name} {}`", least.max(3).min(most)),
            ),
        },
        Kind::Choice(choices) => {
            let words = || choices.iter().map(|(word, _)| *word);
            if words().any(|word| word == value) {
                return None;
            }
            let message = format!("`--{name}` cannot be `{value}`");
            let mut diagnostic = Diagnostic::error("usage", message)
                .help(format!("it is {}", words().collect::<Vec<_>>().join(", ")));
            if let Some(near) = nearest(value, words()) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            return Some(diagnostic);
        }
        Kind::Assignment => match value.split_once('=') {
            Some((left, right)) if !left.trim().is_empty() && !right.trim().is_empty() => {
                return None;
            }
            _ => (
                format!("`--{name} {value}` gives no value"),
                format!("write NAME=VALUE, as in `--{name} N=4`"),
            ),
        },
    };
    Some(Diagnostic::error("usage", message).help(help))
}

/// A setting that the language does not know, or not here.
fn foreign(
    language: &str,
    known: &[Setting],
    verb: Verb,
    name: &str,
    setting: Option<&Setting>,
) -> Diagnostic {
    let verb_name = verb.name();
    let shown = match name.starts_with('-') {
        true => name.to_owned(),
        false => format!("--{name}"),
    };
    if let Some(setting) = setting {
        let verbs: Vec<&str> = setting.verbs.iter().map(|verb| verb.name()).collect();
        let message = format!("`{shown}` is not for `{verb_name}`");
        return Diagnostic::error("usage", message).help(format!("it is for {}", verbs.join(", ")));
    }
    let here = || known.iter().filter(|setting| setting.is_for(verb));
    let message = format!("`{shown}` is not a setting of {language} for `{verb_name}`");
    let diagnostic =
        Diagnostic::error("usage", message).did_you_mean(name, here().map(|setting| setting.name));
    let names: Vec<String> = here()
        .map(|setting| format!("--{}", setting.name))
        .collect();
    match names.is_empty() {
        true => diagnostic.help(format!("{language} has no settings for `{verb_name}`")),
        false => diagnostic.help(format!("its settings are {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Setting] = &[
        Setting::flag("fair", "").conflicts(&["unfair"]),
        Setting::flag("unfair", ""),
        Setting::whole("size", "N", "").within(1, 9).short('n'),
        Setting::choice("rule", "RULE", &[("one", ""), ("two", "")], "").requires(&["size"]),
        Setting::text("part", "NAME", "").verbs(&[Verb::Show]),
        Setting::assignment("constant", "").pinned(),
    ];

    fn given(pairs: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let pairs: Vec<_> = pairs.iter().map(own).collect();
        let settings = Settings::new("toy", KNOWN, Verb::Check, &pairs);
        settings.map_err(|wrong| wrong.into_iter().map(|one| one.message).collect())
    }

    #[test]
    fn what_fits_is_kept_in_order() {
        let settings = given(&[("constant", "N=4"), ("size", "3"), ("constant", "M = 5")]);
        let settings = settings.unwrap();
        assert_eq!(settings.assignments("constant"), [("N", "4"), ("M", "5")]);
        assert_eq!(settings.whole("size"), Some(3));
        assert_eq!(settings.pinned(KNOWN).len(), 1);
        assert_eq!(settings.given().len(), 3);
        let together = given(&[("constant", "N=4, M=5"), ("constant", "K=a,b")]).unwrap();
        let expected = [("N", "4"), ("M", "5"), ("K", "a,b")];
        assert_eq!(together.assignments("constant"), expected);
    }

    #[test]
    fn a_letter_stands_for_its_setting() {
        assert_eq!(given(&[("-n", "3")]).unwrap().whole("size"), Some(3));
        assert!(given(&[("-x", "3")]).unwrap_err()[0].starts_with("`-x`"));
    }

    #[test]
    fn every_wrong_setting_is_named() {
        let wrong = given(&[
            ("sise", "3"),
            ("size", "12"),
            ("size", "x"),
            ("rule", "three"),
            ("constant", "N"),
            ("part", "P"),
        ]);
        let wrong = wrong.unwrap_err();
        assert_eq!(wrong.len(), 6, "{wrong:?}");
        assert!(wrong[0].contains("--sise") && wrong[0].contains("toy"));
        assert!(wrong[5].contains("not for `check`"));
    }

    #[test]
    fn combinations_are_looked_at() {
        assert!(given(&[("fair", ""), ("unfair", "")]).is_err());
        assert!(given(&[("rule", "one")]).is_err());
        assert!(given(&[("rule", "one"), ("size", "2")]).is_ok());
        assert!(given(&[("size", "2"), ("size", "3")]).is_err());
    }

    #[test]
    fn a_name_has_one_value() {
        let wrong = given(&[("constant", "N=8"), ("constant", "M=1, N = 1")]).unwrap_err();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(
            wrong[0].contains("N=8") && wrong[0].contains("N = 1"),
            "{wrong:?}"
        );
        assert!(given(&[("constant", "N=8"), ("constant", "N=8")]).is_ok());
    }
}
