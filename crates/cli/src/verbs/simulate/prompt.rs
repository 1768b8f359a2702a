//! Asking for the next step of a system of components.

use std::io::{BufRead, Write};

use quotient_fsp::{Animation, Choice, Compiled, Status};

use super::components::plain_label;
use crate::check::components::{moves, shown_label, waiting_line, wrapped};

/// What the user wants.
pub(super) enum Order {
    /// This step.
    Take(Choice),
    /// Some step; with a menu, one that is not in it.
    Any,
    /// All that happens by itself.
    Run,
    /// The last step undone.
    Back,
    /// No more.
    End,
}

/// An action as it is listed.
pub(super) fn spelled(choice: &Choice) -> String {
    shown_label(&choice.step)
}

/// Shows what has happened and what can be done, and asks.
pub(super) fn ask(
    animation: &Animation,
    compiled: &Compiled,
    offered: &[Choice],
    others: &[Choice],
) -> Order {
    let mut screen = std::io::stderr().lock();
    let _ = screen.write_all(screenful(animation, compiled, offered, others).as_bytes());
    loop {
        let _ = write!(screen, "action (? for help, Enter to end): ").and_then(|()| screen.flush());
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let word = line.trim();
        if matches!(read, Err(_) | Ok(0)) || word.is_empty() {
            return Order::End;
        }
        let by_number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let mut choices = offered.iter().chain(others);
        let chosen = match by_number {
            Some(number) => offered.get(number),
            None => choices.find(|choice| choice.step.label == plain_label(word)),
        };
        if let Some(choice) = chosen {
            return Order::Take(choice.clone());
        }
        let answer = match word {
            "?" => HELP.to_owned(),
            "a" => return Order::Any,
            "r" => return Order::Run,
            "b" => return Order::Back,
            "w" => whereabouts(animation),
            _ => format!("`{word}` cannot be done now\n"),
        };
        let _ = screen.write_all(answer.as_bytes());
    }
}

const HELP: &str = "  a number or the name of an action: take it
  a: any step, at random (with a menu: one that is not in it)
  r: run what is not in the menu, until only the menu is left
  b: back one step
  w: where all components are
  Enter: end
";

fn screenful(
    animation: &Animation,
    compiled: &Compiled,
    offered: &[Choice],
    others: &[Choice],
) -> String {
    let mut text = String::new();
    match animation.told().steps.last() {
        Some(step) => {
            let line = format!(
                "{}. {}  {}",
                animation.len(),
                shown_label(step),
                moves(step)
            );
            text.push_str(&format!("\n{}\n", wrapped(&line, 76, 4)));
        }
        None => text.push_str(&format!("\n{}\n", compiled.name)),
    }
    match animation.status() {
        Status::Running => {}
        Status::Deadlock => text.push_str("deadlock: nothing can happen any more\n"),
        Status::Ended => text.push_str("all have ended well (END)\n"),
        Status::Error(component) => {
            text.push_str(&format!("property violation: {component} is in ERROR\n"));
        }
    }
    for (number, choice) in offered.iter().enumerate() {
        let twins = offered.iter().chain(others);
        let twins = twins.filter(|other| other.step.label == choice.step.label);
        // Where an action leads to several states, say which it is.
        let line = match twins.count() > 1 {
            true => format!("{}  {}", spelled(choice), moves(&choice.step)),
            false => spelled(choice),
        };
        text.push_str(&format!("{:>4}  {}\n", number + 1, wrapped(&line, 72, 8)));
    }
    if !others.is_empty() {
        let mut names: Vec<String> = others.iter().map(spelled).collect();
        names.dedup();
        let line = format!("by itself: {}", names.join(", "));
        text.push_str(&format!("      {}\n", wrapped(&line, 72, 8)));
    }
    text
}

/// Where all components are.
fn whereabouts(animation: &Animation) -> String {
    let end = animation.told().end;
    let lines = end.iter().map(|waiting| {
        let line = match (&waiting.state, waiting.waits.is_empty()) {
            (Some(state), false) => format!("{} at {state}", waiting.component),
            (None, false) => {
                let mut ready: Vec<&str> = waiting
                    .waits
                    .iter()
                    .map(|wait| wait.action.as_str())
                    .collect();
                ready.dedup();
                format!("{} ready for {}", waiting.component, ready.join(", "))
            }
            (_, true) => waiting_line(waiting),
        };
        format!("  {}\n", wrapped(&line, 76, 4))
    });
    lines.collect()
}
