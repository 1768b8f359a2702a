//! Runs of protocols.

use std::io::{BufRead, Write};

use quotient_core::{Diagnostic, Source};
use quotient_protocol::{Configuration, Interpreter, Taken};
use serde_json::json;

use super::Simulate;
use super::random::Random;
use crate::check::protocol::compile;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

impl Simulate {
    /// Runs an instance of a protocol.
    pub(super) fn run_protocol(
        &self,
        source: &Source,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let (protocol, compiled) = compile(source, session)?;
        let interpreter = Interpreter::new(&protocol, &compiled);
        let mut random = Random::new(self.seed);
        let processes = self.processes.unwrap_or(3);
        let starts = interpreter.initial(processes);
        if starts.is_empty() {
            let message =
                format!("no instance with {processes} processes has a first configuration");
            return Err(Diagnostic::error("no-instance", message)
                .in_source(source)
                .help("look at `assume` and `initially`, or choose another number of processes")
                .into());
        }
        let mut configurations = vec![starts[random.below(starts.len())].clone()];
        let mut taken: Vec<Taken> = Vec::new();
        while taken.len() < self.most_steps() {
            session.budget.poll()?;
            let now = &configurations[configurations.len() - 1];
            let options = interpreter.successors(now);
            if options.is_empty() {
                break;
            }
            let choice = match self.interactive {
                true => match ask(&interpreter, &configurations, &taken, &options) {
                    Some(choice) => choice,
                    None => break,
                },
                false => random.below(options.len()),
            };
            let (step, after) = options[choice].clone();
            taken.push(step);
            configurations.push(after);
        }
        let now = &configurations[configurations.len() - 1];
        let stuck = interpreter.successors(now).is_empty();
        let trace = interpreter.table(&configurations, &taken);
        let mut text = interpreter.text(&trace, 80);
        if !self.interactive {
            text.push_str(&format!("seed {}\n", self.seed));
        }
        if stuck {
            text.push_str("deadlock: no step can be taken\n");
        }
        for name in protocol
            .property_names()
            .filter(|name| interpreter.violates(name, now))
        {
            text.push_str(&format!("this configuration violates {name}\n"));
        }
        let result = json!({ "seed": self.seed, "deadlock": stuck, "table": trace });
        Ok(Reply {
            text,
            result,
            ..Reply::default()
        })
    }
}

/// Shows where the run is and what can be done; `None` when the user has seen enough.
fn ask(
    interpreter: &Interpreter<'_>,
    configurations: &[Configuration],
    taken: &[Taken],
    options: &[(Taken, Configuration)],
) -> Option<usize> {
    let mut screen = std::io::stderr().lock();
    let table = interpreter.table(configurations, taken);
    let _ = writeln!(screen, "\n{}", interpreter.text(&table, 80));
    let now = table
        .rows
        .last()
        .map_or(&[][..], |row| row.processes.as_slice());
    for (number, (step, _)) in options.iter().enumerate() {
        let people: Vec<String> = step
            .people
            .iter()
            .filter_map(|&place| now.get(place))
            .map(|cell| cell.process.clone())
            .collect();
        let _ = writeln!(
            screen,
            "{:>4}  {} {}",
            number + 1,
            step.step,
            people.join(" ")
        );
    }
    loop {
        let _ = write!(screen, "step (1-{}, Enter to end): ", options.len())
            .and_then(|()| screen.flush());
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if matches!(read, Err(_) | Ok(0)) || line.trim().is_empty() {
            return None;
        }
        match line.trim().parse::<usize>() {
            Ok(number) if (1..=options.len()).contains(&number) => return Some(number - 1),
            _ => {
                let _ = writeln!(screen, "a number from 1 to {} was expected", options.len());
            }
        }
    }
}
