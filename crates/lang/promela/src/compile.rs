//! Trees to programs.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source};
use quotient_language::Files;
use quotient_logic::{Binary, Formula, Unary};

use crate::claims::add_claim;
use crate::events::{Watch, marked};
use crate::flow::{begin, flow};
use crate::lex::lex;
use crate::names::{Names, constant};
use crate::parse::{Parsed, parse, parse_formula};
use crate::program::{Check, Code, Events, Program};
use crate::syntax::{Expression, Node, Process, Sign, Unit};

/// The most atoms of a formula: what the search takes.
const MOST_ATOMS: usize = 40;

/// A program with the names that formulas of users need.
pub(crate) struct Compiled {
    pub(crate) program: Program,
    names: Names,
}

/// Reads a program.
pub(crate) fn read(
    source: &Source,
    files: &mut dyn Files,
    defines: &[(String, String)],
) -> Result<Compiled, Vec<Diagnostic>> {
    let lexed = lex(source, files, defines)?;
    let unit = parse(lexed.files.clone(), lexed.tokens)?;
    compile(lexed.files, &unit)
}

fn compile(files: Vec<Source>, unit: &Unit) -> Result<Compiled, Vec<Diagnostic>> {
    let mut names = Names::new(files.clone(), unit);
    let mut program = Program {
        files,
        messages: unit
            .messages
            .iter()
            .map(|one| one.text.to_string())
            .collect(),
        ..Program::default()
    };
    let mut mistakes = Vec::new();
    for (name, fields) in &unit.records {
        mistakes.extend(names.record(name, fields).err());
    }
    let mut slots = Vec::new();
    for one in &unit.globals {
        if names.scopes[0].contains_key(&one.name) {
            let message = format!("there are two variables `{}` for all processes", one.name);
            mistakes.push(names.wrong(one.at, message));
            continue;
        }
        let declared = names.declare(one, &mut slots, true).and_then(|variable| {
            let (starts, channels) = (&mut program.starts, &mut program.channels);
            begin(&mut names, one, &variable, starts, channels)
        });
        mistakes.extend(declared.err());
    }
    program.globals = slots;
    // Places in other processes are known only when those are: the labels come first.
    for round in 0..2 {
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let shapes = names.shapes.len();
        let (labels, locals) = (
            std::mem::take(&mut names.labels),
            std::mem::take(&mut names.locals),
        );
        let mut next = Vec::new();
        for process in &unit.processes {
            // What was found before is looked at, and what is found now is kept for later.
            let known = (names.labels.clone(), names.locals.clone());
            (names.labels, names.locals) = (labels.clone(), locals.clone());
            let (before, locals_before) = (names.labels.len(), names.locals.len());
            match flow(&mut names, process, false) {
                Ok(one) => next.push(one),
                Err(mistake) if round == 1 || !is_late(&mistake) => mistakes.push(mistake),
                Err(_) => {}
            }
            let found = (
                names.labels.split_off(before.min(names.labels.len())),
                names
                    .locals
                    .split_off(locals_before.min(names.locals.len())),
            );
            (names.labels, names.locals) = known;
            names
                .labels
                .push(found.0.into_iter().next().unwrap_or_default());
            names
                .locals
                .push(found.1.into_iter().next().unwrap_or_default());
        }
        if round == 0 && next.len() == unit.processes.len() {
            program.proctypes = next;
            break;
        }
        if round == 0 {
            names.shapes.truncate(shapes);
        } else {
            program.proctypes = next;
        }
    }
    properties(&mut names, unit, &mut program, &mut mistakes);
    program.shapes.clone_from(&names.shapes);
    program.uses_last = names.uses_last;
    program.uses_priorities = unit.uses_priorities;
    if mistakes.is_empty() && program.proctypes.iter().all(|one| one.active == 0) {
        mistakes.push(nobody(&program));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    Ok(Compiled { program, names })
}

/// Of a program in which nobody ever moves everything would hold.
fn nobody(program: &Program) -> Diagnostic {
    let mistake = Diagnostic::error("no-process", "no process is ever started")
        .help("write `active proctype`, or `init { run … }`");
    match program.proctypes.first() {
        Some(first) => mistake.at(&program.files[first.at.file as usize], first.at.span, ""),
        None => mistake,
    }
}

/// Claims and formulas, and names that are there twice.
fn properties(
    names: &mut Names,
    unit: &Unit,
    program: &mut Program,
    mistakes: &mut Vec<Diagnostic>,
) {
    let (labels, locals) = (names.labels.clone(), names.locals.clone());
    for claim in &unit.claims {
        mistakes.extend(add_claim(names, claim, program).err());
        (names.labels, names.locals) = (labels.clone(), locals.clone());
    }
    for (trace, negated) in &unit.traces {
        let body = marked(&trace.body);
        let body = body.map(|body| Process {
            body,
            ..trace.clone()
        });
        // What is no event trace is a question without an answer, not a mistake.
        let flowed = body.and_then(|body| flow(names, &body, true).ok());
        program.traces.push(Events {
            name: trace.name.text.to_string(),
            at: trace.name.at,
            watch: flowed.and_then(|one| Watch::new(one, *negated)),
        });
        (names.labels, names.locals) = (labels.clone(), locals.clone());
    }
    let mut taken = HashSet::new();
    for formula in &unit.formulas {
        if !taken.insert(formula.name.clone()) {
            let message = format!("there are two formulas `{}`", formula.name);
            mistakes.push(names.wrong(formula.at, message));
        }
        match check(names, &formula.body) {
            Ok((body, atoms)) => program.checks.push(Check {
                name: formula.name.clone(),
                text: formula.text.clone(),
                at: Some(formula.at),
                formula: body,
                atoms,
            }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let mut taken = HashSet::new();
    for process in &unit.processes {
        if !taken.insert(process.name.text.clone()) {
            let message = format!("there are two proctypes `{}`", process.name.text);
            mistakes.push(names.wrong(process.name.at, message));
        }
    }
}

/// Whether a mistake may go away when all proctypes are known.
fn is_late(mistake: &Diagnostic) -> bool {
    mistake.message.ends_with(" there")
}

impl Compiled {
    /// A formula that is not in the text.
    pub(crate) fn formula(&mut self, text: &str) -> Result<Check, Vec<Diagnostic>> {
        let source = Source::new("property", text);
        let lexed = lex(&source, &mut quotient_language::NoFiles, &[])?;
        let node = parse_formula(lexed.files, lexed.tokens).map_err(|mistake| vec![mistake])?;
        let files = std::mem::replace(&mut self.names.files, vec![source]);
        let found = check(&mut self.names, &node);
        self.names.files = files;
        let (formula, atoms) = found.map_err(|mistake| vec![mistake])?;
        Ok(Check {
            name: text.to_owned(),
            text: text.to_owned(),
            at: None,
            formula,
            atoms,
        })
    }
}

/// A formula over its atoms: the parts that do not speak about time.
fn check(names: &mut Names, node: &Node) -> Parsed<(Formula<u32>, Vec<Code>)> {
    let mut atoms = Vec::new();
    let formula = formula(names, node, &mut atoms)?;
    match atoms.len() > MOST_ATOMS {
        true => Err(names.wrong(node.at, format!("a formula has at most {MOST_ATOMS} atoms"))),
        false => Ok((formula, atoms)),
    }
}

fn has_time(node: &Node) -> bool {
    match &node.kind {
        Expression::Unary(sign, inner) => sign.is_temporal() || has_time(inner),
        Expression::Binary(sign, left, right) => {
            sign.is_temporal() || has_time(left) || has_time(right)
        }
        _ => false,
    }
}

fn formula(names: &mut Names, node: &Node, atoms: &mut Vec<Code>) -> Parsed<Formula<u32>> {
    let of = |names: &mut Names, node: &Node, atoms: &mut Vec<Code>| formula(names, node, atoms);
    if has_time(node) {
        match &node.kind {
            Expression::Unary(sign, inner) => {
                let operator = match sign {
                    Sign::Not => Unary::Not,
                    Sign::Always => Unary::Globally(None),
                    Sign::Eventually => Unary::Finally(None),
                    Sign::Next => Unary::Next,
                    _ => return Err(sum_of_time(names, node)),
                };
                return Ok(Formula::unary(operator, of(names, inner, atoms)?));
            }
            Expression::Binary(sign, left, right) => {
                let (left, right) = (of(names, left, atoms)?, of(names, right, atoms)?);
                let operator = match sign {
                    Sign::And => Binary::And,
                    Sign::Or => Binary::Or,
                    Sign::Until => Binary::Until(None),
                    Sign::WeakUntil => Binary::WeakUntil,
                    Sign::Release => Binary::Release,
                    Sign::Implies => return Ok(Formula::binary(Binary::Or, !left, right)),
                    Sign::Equivalent => {
                        let both = Formula::binary(Binary::And, left.clone(), right.clone());
                        let none = Formula::binary(Binary::And, !left, !right);
                        return Ok(Formula::binary(Binary::Or, both, none));
                    }
                    _ => return Err(sum_of_time(names, node)),
                };
                return Ok(Formula::binary(operator, left, right));
            }
            _ => return Err(sum_of_time(names, node)),
        }
    }
    let code = names.code(node)?;
    if let Some(value) = constant(&code) {
        return Ok(Formula::constant(value != 0));
    }
    // The same atom twice is one atom.
    let text = format!("{code:?}");
    let known = atoms.iter().position(|one| format!("{one:?}") == text);
    let number = known.unwrap_or_else(|| {
        atoms.push(code);
        atoms.len() - 1
    });
    Ok(Formula::atom(number as u32))
}

fn sum_of_time(names: &Names, node: &Node) -> Diagnostic {
    let help = match &node.kind {
        Expression::Binary(Sign::BitAnd, ..) => {
            "`&` is for numbers: write `&&`, or put parentheses around what the operator speaks about"
        }
        Expression::Binary(Sign::BitOr, ..) => {
            "`|` is for numbers: write `||`, or put parentheses around what the operator speaks about"
        }
        _ => "put parentheses around what the operator speaks about",
    };
    names
        .wrong(node.at, "numbers cannot be made of operators of time")
        .help(help)
}
