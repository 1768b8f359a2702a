//! `quotient simulate FILE --processes N`

use std::io::{BufRead, Write};

use clap::Args;
use quotient_core::Diagnostic;
use quotient_protocol::{Configuration, Interpreter, Taken};
use serde_json::json;

use crate::check::protocol::compile;
use crate::failure::Failure;
use crate::files;
use crate::reply::Reply;
use crate::session::Session;

/// Run an instance of a protocol, at random or step by step.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient simulate lock.protocol --processes 5
  quotient simulate lock.protocol -n 3 --steps 50 --seed 7
  quotient simulate lock.protocol -n 3 --interactive")]
pub(crate) struct Simulate {
    /// The protocol.
    file: String,
    /// How many processes there are at the start.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 3)]
    processes: usize,
    /// How many steps to take at the most.
    #[arg(long, value_name = "K", default_value_t = 20)]
    steps: usize,
    /// Where the random choices begin; the same number gives the same run.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Choose each step from a list.
    #[arg(long, short)]
    interactive: bool,
}

impl Simulate {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = files::source(&self.file, session)?;
        let (protocol, compiled) = compile(&source, session)?;
        let interpreter = Interpreter::new(&protocol, &compiled);
        let mut random = Random(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let starts = interpreter.initial(self.processes);
        if starts.is_empty() {
            let message = format!(
                "no instance with {} processes has a first configuration",
                self.processes
            );
            return Err(Diagnostic::error("no-instance", message)
                .in_source(&source)
                .help("look at `assume` and `initially`, or choose another number of processes")
                .into());
        }
        let mut configurations = vec![starts[random.below(starts.len())].clone()];
        let mut taken: Vec<Taken> = Vec::new();
        while taken.len() < self.steps {
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

/// A small generator of numbers (xorshift): runs can be repeated by their seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }
}
