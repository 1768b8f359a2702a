//! A solver for arithmetic that is another program: z3 or cvc5, asked in SMT-LIB 2.
//!
//! It is asked only where the built-in solver is not certain, so it can only make more known. It
//! runs for as long as a question is answered, is asked over its standard input, and is killed
//! when that ends, when the budget ends, or when one of its answers takes too long. What it says is
//! believed while searching; evidence is checked without it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use quotient_arithmetic::{Condition, to_smt};
use quotient_core::Budget;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the budget is looked at while waiting.
const GLANCE: Duration = Duration::from_millis(20);
/// Longer questions are not asked, in letters.
const LONGEST: usize = 1 << 15;
/// After so many answers that took too long, it is not asked any more.
const MOST_DELAYS: usize = 3;

/// A solver program, started when it is first needed.
pub(crate) struct Solver {
    name: String,
    arguments: Vec<String>,
    budget: Budget,
    patience: Duration,
    running: Option<Running>,
    /// What it answered: whether conditions are impossible together.
    known: HashMap<Vec<Condition>, bool>,
    /// How many questions it was asked, and how many it called impossible.
    pub(crate) asked: usize,
    pub(crate) decided: usize,
    delays: usize,
    /// Why it is not asked any more.
    pub(crate) trouble: Option<String>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver {
    /// A solver by its name, `z3` or `cvc5`; why it cannot be had.
    pub(crate) fn by_name(name: &str, budget: &Budget) -> Result<Solver, String> {
        let arguments: &[&str] = match name {
            "z3" => &["-in", "-smt2"],
            _ => &["--lang=smt2", "--incremental"],
        };
        Solver::start(name, arguments, PATIENCE, budget)
    }

    /// Any program that reads SMT-LIB 2.
    pub(crate) fn start(
        program: &str,
        arguments: &[&str],
        patience: Duration,
        budget: &Budget,
    ) -> Result<Solver, String> {
        let mut solver = Solver {
            name: program.to_owned(),
            arguments: arguments.iter().map(|one| (*one).to_owned()).collect(),
            budget: budget.clone(),
            patience,
            running: None,
            known: HashMap::new(),
            asked: 0,
            decided: 0,
            delays: 0,
            trouble: None,
        };
        let running = solver.spawn();
        solver.running = Some(
            running
                .map_err(|error| format!("the solver `{program}` cannot be started: {error}"))?,
        );
        Ok(solver)
    }

    fn spawn(&self) -> std::io::Result<Running> {
        let mut child = Command::new(&self.name)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            let _ = child.kill();
            return Err(std::io::Error::other("it has no input or output"));
        };
        let (sender, lines) = channel();
        // It ends with the output of the child, which ends with the child.
        std::thread::spawn(move || {
            // A line is short; one without an end is none.
            let mut output = BufReader::new(std::io::Read::take(output, 1 << 24));
            let mut line = String::new();
            while output.read_line(&mut line).is_ok_and(|read| read > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let mut running = Running {
            child,
            input,
            lines,
        };
        // If it ended already, the first question finds that out.
        let head = b"(set-option :print-success false)\n(set-logic QF_LIA)\n";
        let _ = running.input.write_all(head);
        Ok(running)
    }

    /// Whether conditions imply another one; `false` where that is not certain.
    pub(crate) fn implies(&mut self, conditions: &[Condition], conclusion: &Condition) -> bool {
        let mut all = conditions.to_vec();
        all.push(conclusion.negated());
        if let Some(known) = self.known.get(&all) {
            return *known;
        }
        let impossible = self.is_impossible(&all);
        if self.budget.poll().is_ok() {
            self.known.insert(all, impossible);
        }
        impossible
    }

    fn is_impossible(&mut self, conditions: &[Condition]) -> bool {
        if self.trouble.is_some() || self.budget.poll().is_err() {
            return false;
        }
        // What fits into a pipe can be sent to a program that does not listen.
        let text = to_smt(conditions).filter(|text| text.len() < LONGEST);
        let Some(text) = text else {
            return false;
        };
        if self.running.is_none() {
            self.running = match self.spawn() {
                Ok(running) => Some(running),
                Err(error) => {
                    self.trouble = Some(format!("it cannot be started again: {error}"));
                    return false;
                }
            };
        }
        self.asked += 1;
        let found = self.ask(&text);
        match found {
            Ok(Said::Unsat) => {
                self.decided += 1;
                true
            }
            Ok(Said::Other) => false,
            Err(why) => {
                // Whatever it says later belongs to this question: it is not listened to.
                self.running = None;
                if let Some(why) = why {
                    self.trouble = Some(why);
                }
                false
            }
        }
    }

    /// One question. No reason means that it may be started again for the next one.
    fn ask(&mut self, text: &str) -> Result<Said, Option<String>> {
        let Some(running) = &mut self.running else {
            return Err(Some("it does not run".to_owned()));
        };
        let question = format!("(push 1)\n{text}(check-sat)\n(pop 1)\n");
        let sent = running.input.write_all(question.as_bytes());
        if sent.and_then(|()| running.input.flush()).is_err() {
            return Err(Some("it ended before it was asked".to_owned()));
        }
        let begun = Instant::now();
        loop {
            match running.lines.recv_timeout(GLANCE) {
                Ok(line) => {
                    return match line.trim() {
                        "unsat" => Ok(Said::Unsat),
                        "sat" | "unknown" => Ok(Said::Other),
                        "" | "success" => continue,
                        other => {
                            let begin: String = other.chars().take(80).collect();
                            Err(Some(format!("it answered `{begin}`")))
                        }
                    };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Some("it ended without an answer".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.budget.poll().is_err() {
                        return Err(None);
                    }
                    if begun.elapsed() > self.patience {
                        self.delays += 1;
                        let often = self.delays >= MOST_DELAYS;
                        return Err(often.then(|| "its answers took too long".to_owned()));
                    }
                }
            }
        }
    }

    /// What was used, for people.
    pub(crate) fn told(&self) -> String {
        format!(
            "{}, asked {} times, {} more conditions decided",
            self.name, self.asked, self.decided
        )
    }
}

enum Said {
    Unsat,
    Other,
}
