//! The one prompt of all interactive simulations.

use std::io::{BufRead, Write};

use quotient_language::text::wrap_indented;
use quotient_language::{Choice, Status, Trace};
use quotient_report::trace_text;

use crate::terminal::harmless;

/// What the user wants.
pub(super) enum Order {
    /// This choice, by number.
    Take(usize),
    /// Some step; where some happen by themselves, one of those.
    Any,
    /// All that happens by itself.
    Run,
    /// The last step undone.
    Back,
    /// Only steps that fulfil a condition; an empty one lifts it.
    Constrain(String),
    /// No more.
    End,
}

const HELP: &str = "  a number, or the name of an action: take it
  a: any step, at random (first what happens by itself)
  r: run what happens by itself, until only choices are left
  b: back one step
  w: where everybody is
  t: the run so far
  c CONDITION: only steps that fulfil it, where the language takes conditions
  q, or Enter: end
";

/// Shows what has happened and what can be done, and asks.
pub(super) fn ask(
    title: &str,
    trace: &Trace,
    choices: &[Choice],
    status: &Status,
    spelled: &dyn Fn(&str) -> String,
) -> Order {
    say(&screenful(title, trace, choices, status));
    loop {
        say("step (? for help, q to end): ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let word = line.trim();
        if matches!(read, Err(_) | Ok(0)) || word.is_empty() {
            return Order::End;
        }
        let answer = match word {
            "q" => return Order::End,
            "a" => return Order::Any,
            "r" => return Order::Run,
            "b" => return Order::Back,
            "?" => HELP.to_owned(),
            "t" => trace_text(trace, 80),
            "w" => whereabouts(status),
            _ => {
                if let Some(condition) = word.strip_prefix("c ") {
                    return Order::Constrain(condition.trim().to_owned());
                }
                if word == "c" {
                    return Order::Constrain(String::new());
                }
                match chosen(word, choices, spelled) {
                    Some(place) => return Order::Take(place),
                    None => format!("`{word}` cannot be done now\n"),
                }
            }
        };
        say(&answer);
    }
}

/// Writes to the screen, which is standard error: the run itself goes to standard output.
pub(super) fn say(text: &str) {
    let mut screen = std::io::stderr().lock();
    let text = harmless(text);
    let _ = screen
        .write_all(text.as_bytes())
        .and_then(|()| screen.flush());
}

/// The choice that a word means: a number among those that are offered, or a name.
fn chosen(word: &str, choices: &[Choice], spelled: &dyn Fn(&str) -> String) -> Option<usize> {
    if let Ok(number) = word.parse::<usize>() {
        let offered = offered(choices).nth(number.checked_sub(1)?);
        return offered.map(|(place, _)| place);
    }
    let label = spelled(word);
    choices.iter().position(|choice| is_named(choice, &label))
}

/// What is for the user to choose, with its place among all choices.
fn offered(choices: &[Choice]) -> impl Iterator<Item = (usize, &Choice)> {
    let all = choices.iter().enumerate();
    all.filter(|(_, choice)| !choice.automatic)
}

fn screenful(title: &str, trace: &Trace, choices: &[Choice], status: &Status) -> String {
    let mut text = String::from("\n");
    match trace.steps.last() {
        Some(last) if last.action.is_some() => {
            // The step itself, as the whole run would show it.
            let mut one = trace.clone();
            one.steps = one.steps.split_off(one.steps.len() - 1);
            one.back_to = None;
            one.ending.clear();
            let line = format!("step {}:\n", trace.len());
            text.push_str(&line);
            text.push_str(&trace_text(&one, 80));
        }
        Some(_) => text.push_str(&trace_text(trace, 80)),
        None => text.push_str(&format!("{title}\n")),
    }
    for note in &status.notes {
        text.push_str(&format!("{note}\n"));
    }
    if status.deadlock && status.notes.is_empty() {
        text.push_str("deadlock: no step can be taken\n");
    }
    for (number, (_, choice)) in offered(choices).enumerate() {
        let twins = choices.iter().filter(|other| other.action == choice.action);
        // Where an action leads to several states, say which it is.
        let line = match twins.count() > 1 && !choice.leads_to.is_empty() {
            true => format!("{}  {}", choice.action, choice.leads_to),
            false => choice.action.clone(),
        };
        text.push_str(&format!(
            "{:>4}  {}\n",
            number + 1,
            wrap_indented(&line, 72, 8)
        ));
    }
    if status.more {
        text.push_str("      … and more\n");
    }
    let mut by_itself: Vec<&str> = choices
        .iter()
        .filter(|choice| choice.automatic)
        .map(|choice| choice.action.as_str())
        .collect();
    by_itself.dedup();
    if !by_itself.is_empty() {
        let line = format!("by itself: {}", by_itself.join(", "));
        text.push_str(&format!("      {}\n", wrap_indented(&line, 72, 8)));
    }
    text
}

fn whereabouts(status: &Status) -> String {
    let lines = status.whereabouts.iter();
    let lines = lines.map(|line| format!("  {}\n", wrap_indented(line, 76, 4)));
    lines.collect()
}

/// Actions that a system hides are listed in brackets.
pub(super) fn is_named(choice: &Choice, label: &str) -> bool {
    let plain = choice.action.trim_start_matches('(').trim_end_matches(')');
    choice.action == label || plain == label
}
