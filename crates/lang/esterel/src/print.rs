//! Pure programs as text.

use std::fmt::Write;

use crate::kernel::{Condition, Kind, Node, Program, Promise};
use crate::syntax::Direction;

/// A pure program in kernel statements, with the usual words for the commonest of their patterns.
pub(crate) fn print(program: &Program) -> String {
    let mut printer = Printer {
        names: names(program),
        text: String::new(),
        traps: Vec::new(),
        trap_count: 0,
    };
    let _ = writeln!(printer.text, "module {}:", program.name);
    for (id, signal) in program.signals[..program.interface].iter().enumerate() {
        let direction = match signal.direction {
            Direction::Input | Direction::Sensor => "input",
            Direction::Output | Direction::Local => "output",
            Direction::Both => "inputoutput",
        };
        let _ = writeln!(printer.text, "{direction} {};", printer.names[id]);
    }
    for promise in &program.relations {
        let line = match promise {
            Promise::Exclusive(all) if all.len() < 2 => continue,
            Promise::Exclusive(all) => {
                let all: Vec<&str> = all.iter().map(|&id| printer.names[id].as_str()).collect();
                all.join(" # ")
            }
            Promise::Implies(left, right) => {
                format!(
                    "{} => {}",
                    printer.condition(left),
                    printer.condition(right)
                )
            }
        };
        let _ = writeln!(printer.text, "relation {line};");
    }
    printer.node(&program.body, 1);
    printer.text.push_str("end module\n");
    printer.text
}

/// A name for each signal, none twice.
fn names(program: &Program) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::new();
    let unique = |signal: &crate::kernel::Signal| {
        let mut name = signal.name.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{}_{number}", signal.name);
            number += 1;
        }
        name
    };
    program.signals.iter().map(unique).collect()
}

struct Printer {
    names: Vec<String>,
    text: String,
    /// The traps around, by name.
    traps: Vec<String>,
    trap_count: usize,
}

impl Printer {
    fn line(&mut self, indent: usize, text: &str) {
        // Deep programs are not indented for ever.
        let blanks = "  ".repeat(indent.min(20));
        let _ = writeln!(self.text, "{blanks}{text}");
    }

    /// Adds to the end of the last line.
    fn append(&mut self, text: &str) {
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn condition(&self, condition: &Condition) -> String {
        let list = |all: &[Condition], word: &str| {
            let parts: Vec<String> = all.iter().map(|one| self.condition(one)).collect();
            format!("[{}]", parts.join(word))
        };
        match condition {
            Condition::Constant(true) => "tick".to_owned(),
            Condition::Constant(false) => "[not tick]".to_owned(),
            Condition::Signal(id) => self.names[*id].clone(),
            Condition::Before(id) => format!("pre({})", self.names[*id]),
            Condition::Not(inner) => format!("[not {}]", self.condition(inner)),
            Condition::And(all) => list(all, " and "),
            Condition::Or(all) => list(all, " or "),
        }
    }

    fn node(&mut self, node: &Node, indent: usize) {
        match &node.kind {
            Kind::Pause => self.line(indent, "pause"),
            Kind::Emit(id, _) => {
                let line = format!("emit {}", self.names[*id]);
                self.line(indent, &line);
            }
            Kind::Present(condition, then, otherwise) => {
                let line = format!("present {}", self.condition(condition));
                self.line(indent, &line);
                if !matches!(then.kind, Kind::Nothing) {
                    self.append(" then");
                    self.node(then, indent + 1);
                }
                if !matches!(otherwise.kind, Kind::Nothing) {
                    self.line(indent, "else");
                    self.node(otherwise, indent + 1);
                }
                self.line(indent, "end present");
            }
            Kind::Suspend(condition, body) => {
                self.line(indent, "suspend");
                self.node(body, indent + 1);
                let line = format!("when {}", self.condition(condition));
                self.line(indent, &line);
            }
            Kind::Sequence(steps) => {
                for (number, step) in steps.iter().enumerate() {
                    if number > 0 {
                        self.append(";");
                    }
                    match step.kind {
                        Kind::Sequence(_) | Kind::Parallel(_) => self.bracketed(step, indent),
                        _ => self.node(step, indent),
                    }
                }
                if steps.is_empty() {
                    self.line(indent, "nothing");
                }
            }
            Kind::Parallel(_) => self.bracketed(node, indent),
            Kind::Loop(body) if matches!(body.kind, Kind::Pause) => self.line(indent, "halt"),
            Kind::Loop(body) => {
                self.line(indent, "loop");
                self.node(body, indent + 1);
                self.line(indent, "end loop");
            }
            Kind::Trap(body) => {
                self.trap_count += 1;
                let name = format!("T{}", self.trap_count);
                let line = format!("trap {name} in");
                self.line(indent, &line);
                self.traps.push(name);
                self.node(body, indent + 1);
                self.traps.pop();
                self.line(indent, "end trap");
            }
            Kind::Exit(level) => {
                let at = self.traps.len().checked_sub(level + 1);
                let name = at.and_then(|at| self.traps.get(at)).cloned();
                let line = format!("exit {}", name.unwrap_or_default());
                self.line(indent, &line);
            }
            Kind::Signal(all, body) => {
                let names: Vec<&str> = all.iter().map(|&id| self.names[id].as_str()).collect();
                if names.is_empty() {
                    return self.node(body, indent);
                }
                let line = format!("signal {} in", names.join(", "));
                self.line(indent, &line);
                self.node(body, indent + 1);
                self.line(indent, "end signal");
            }
            Kind::Variable(_, body) => self.node(body, indent),
            _ => self.line(indent, "nothing"),
        }
    }

    fn bracketed(&mut self, node: &Node, indent: usize) {
        self.line(indent, "[");
        match &node.kind {
            Kind::Parallel(branches) => {
                for (number, branch) in branches.iter().enumerate() {
                    if number > 0 {
                        self.line(indent, "||");
                    }
                    self.node(branch, indent + 1);
                }
            }
            _ => self.node(node, indent + 1),
        }
        self.line(indent, "]");
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::circuit::compile;
    use crate::circuit::tests::{Runs, random_event};
    use crate::purify::{Mode, purify};
    use crate::random::{pure_program, valued_program};
    use crate::tests::program;

    #[test]
    fn what_is_printed_does_the_same_when_it_is_read_again() {
        let mut printed = 0;
        quotient_trial::trial(|u| {
            let text = match u.arbitrary()? {
                true => pure_program(u)?,
                false => valued_program(u)?,
            };
            let source = quotient_core::Source::new("t.strl", text.as_str());
            let file = crate::parse::parse(&source).unwrap();
            let Ok(own) = crate::expand::expand(&source, &file, None, &[]) else {
                return Ok(());
            };
            let Ok(purified) = purify(&own, Mode::Partial) else {
                return Ok(());
            };
            let pure = purified.program;
            let again = program(&print(&pure));
            let budget = Budget::unlimited();
            let one = compile(&pure, &budget).unwrap();
            let other = compile(&again, &budget).unwrap();
            let (mut one, mut other) = (Runs::new(&one), Runs::new(&other));
            for _ in 0..6 {
                let event = random_event(&pure, u);
                let shown = one.react(&event);
                assert_eq!(shown, other.react(&event), "{text}");
                if shown.is_none() {
                    break;
                }
            }
            printed += 1;
            Ok(())
        })
        .budget_ms(3_000);
        assert!(printed > 0, "{printed}");
    }
}
