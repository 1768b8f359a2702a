//! Settings of languages as arguments. They are known to every verb they are for, whatever the
//! language of the model turns out to be: the workbench refuses those that do not belong.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use quotient_language::{Kind, Setting, Verb};
use quotient_workbench::Workbench;

/// Adds the settings of all languages to the verbs they are for. Help on a verb shows only what
/// is common; `quotient help LANGUAGE` shows the rest.
pub(crate) fn add_to(mut command: Command, workbench: &Workbench) -> Command {
    for verb in Verb::ALL {
        let known = of_verb(workbench, verb);
        command = command.mut_subcommand(verb.name(), |mut subcommand| {
            for setting in &known {
                subcommand = subcommand.arg(argument(setting));
            }
            for letter in letters(&known) {
                subcommand = subcommand.arg(letter_argument(letter));
            }
            let ending = after_help(subcommand.get_after_help(), workbench, verb);
            match known.is_empty() {
                true => subcommand,
                false => subcommand.after_help(ending),
            }
        });
    }
    command
}

/// What a verb says at the end, with where to find the rest.
fn after_help(own: Option<&StyledStr>, workbench: &Workbench, verb: Verb) -> String {
    let ids: Vec<&str> = workbench
        .abouts()
        .filter(|about| about.offers.contains(&verb))
        .map(|about| about.id)
        .collect();
    let line = format!(
        "Each language adds settings of its own: `quotient help LANGUAGE` shows them. Languages: {}.",
        ids.join(", ")
    );
    let own = own.map(ToString::to_string).unwrap_or_default();
    format!("{own}\n\n{}", quotient_language::text::wrap(&line, 80))
}

/// The settings of all languages for a verb, each name once.
fn of_verb(workbench: &Workbench, verb: Verb) -> Vec<&'static Setting> {
    let mut known: Vec<&'static Setting> = Vec::new();
    let offering = workbench.abouts().filter(|about| {
        let certifies = verb == Verb::Certify && about.offers.contains(&Verb::Check);
        about.offers.contains(&verb) || certifies
    });
    for setting in offering.flat_map(|about| about.settings) {
        let fits = match verb {
            // What makes the question another one can be demanded of evidence.
            Verb::Certify => setting.pinned,
            verb => setting.is_for(verb),
        };
        if fits && !known.iter().any(|one| one.name == setting.name) {
            known.push(setting);
        }
    }
    known
}

fn argument(setting: &'static Setting) -> Arg {
    let argument = Arg::new(id(setting.name))
        .long(setting.name)
        .help(setting.help)
        .hide(true);
    match setting.kind {
        Kind::Flag => argument.action(ArgAction::Count),
        _ => argument
            .action(ArgAction::Append)
            .value_name(setting.value)
            .allow_hyphen_values(false)
            .value_parser(value_parser!(String)),
    }
}

/// The letters of settings, each once: the language says what one means in its models.
fn letters(known: &[&'static Setting]) -> Vec<char> {
    let mut letters: Vec<char> = known.iter().filter_map(|setting| setting.short).collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}

fn letter_argument(letter: char) -> Arg {
    Arg::new(letter_id(letter))
        .short(letter)
        .action(ArgAction::Append)
        .value_name("N")
        .hide(true)
        .value_parser(value_parser!(String))
}

fn letter_id(letter: char) -> String {
    format!("letter:{letter}")
}

/// Names of settings and names of common arguments are kept apart.
fn id(name: &'static str) -> String {
    format!("setting:{name}")
}

/// The settings that were given, by name; flags have an empty value.
pub(crate) fn given(matches: &ArgMatches, workbench: &Workbench) -> Vec<(String, String)> {
    let mut given = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for setting in workbench.abouts().flat_map(|about| about.settings) {
        if seen.contains(&setting.name) {
            continue;
        }
        seen.push(setting.name);
        let id = id(setting.name);
        if setting.takes_value() {
            let values = matches.try_get_many::<String>(&id).ok().flatten();
            let values = values.into_iter().flatten();
            given.extend(values.map(|value| (setting.name.to_owned(), value.clone())));
        } else {
            let count = matches.try_get_one::<u8>(&id).ok().flatten();
            if count.is_some_and(|&count| count > 0) {
                given.push((setting.name.to_owned(), String::new()));
            }
        }
    }
    let all: Vec<&'static Setting> = workbench
        .abouts()
        .flat_map(|about| about.settings)
        .collect();
    for letter in letters(&all) {
        let values = matches
            .try_get_many::<String>(&letter_id(letter))
            .ok()
            .flatten();
        let values = values.into_iter().flatten();
        given.extend(values.map(|value| (format!("-{letter}"), value.clone())));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_one_name_are_alike_in_all_languages() {
        let workbench = Workbench::standard();
        let all: Vec<&Setting> = workbench
            .abouts()
            .flat_map(|about| about.settings)
            .collect();
        for one in &all {
            for other in all.iter().filter(|other| other.name == one.name) {
                assert_eq!(one.takes_value(), other.takes_value(), "{}", one.name);
                assert!(one.short.is_none() || one.takes_value(), "{}", one.name);
            }
        }
    }
}
