//! What a program does with data: which objects there are, what they depend on, and how their
//! domains must be split so that each range says enough.

use std::collections::BTreeSet;

use num_traits::Zero;
use quotient_core::Span;

use super::ranges::{Cut, Ranges};
use crate::kernel::{Kind, Node, Program, SignalId, Term, VariableId, What};
use crate::syntax::Operator;
use crate::value::{Number, Type, Value, one};

/// More cuts of one object than this do not close.
const MOST_CUTS: usize = 200;

/// Something with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Object {
    Signal(SignalId),
    Variable(VariableId),
}

/// Why something cannot be purified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) span: Span,
    pub(crate) rule: &'static str,
    pub(crate) text: String,
}

/// A numeric expression of the class: a number, or affine in one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Numeric {
    Constant(Number),
    Affine {
        factor: Number,
        object: Object,
        /// Whether it is the value of the instant before.
        before: bool,
        offset: Number,
    },
}

/// A value that goes from one object to another.
#[derive(Debug, Clone)]
struct Flow {
    from: Object,
    to: Object,
    factor: Number,
    offset: Number,
    span: Span,
}

/// What is known of the objects of a program.
#[derive(Debug, Clone)]
pub(crate) struct Objects {
    /// By signal; pure ones have one range.
    pub(crate) signals: Vec<Ranges>,
    pub(crate) variables: Vec<Ranges>,
    /// Objects that are not split: their values are forgotten.
    pub(crate) soft: BTreeSet<Object>,
    pub(crate) reasons: Vec<Reason>,
}

impl Objects {
    pub(crate) fn ranges(&self, object: Object) -> &Ranges {
        match object {
            Object::Signal(signal) => &self.signals[signal],
            Object::Variable(variable) => &self.variables[variable],
        }
    }

    pub(crate) fn count(&self, object: Object) -> usize {
        match self.soft.contains(&object) {
            true => 1,
            false => self.ranges(object).count(),
        }
    }
}

/// Splits the domains of all objects; `soft` are those that are to be forgotten from the start.
pub(crate) fn partition(program: &Program, soft: &BTreeSet<Object>) -> Objects {
    let mut soft = soft.clone();
    let mut reasons = Vec::new();
    loop {
        let mut analysis = Analysis {
            program,
            soft: soft.clone(),
            reasons: Vec::new(),
            flows: Vec::new(),
            cuts: vec![BTreeSet::new(); program.signals.len() + program.variables.len()],
        };
        analysis.gather();
        analysis.propagate();
        let grown = analysis.soft.len() > soft.len();
        soft = analysis.soft.clone();
        for reason in &analysis.reasons {
            if !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        if !grown {
            return analysis.objects(reasons);
        }
    }
}

struct Analysis<'a> {
    program: &'a Program,
    soft: BTreeSet<Object>,
    reasons: Vec<Reason>,
    flows: Vec<Flow>,
    cuts: Vec<BTreeSet<Cut>>,
}

impl Analysis<'_> {
    fn number(&self, object: Object) -> usize {
        match object {
            Object::Signal(signal) => signal,
            Object::Variable(variable) => self.program.signals.len() + variable,
        }
    }

    fn kind(&self, object: Object) -> Option<&Type> {
        kind_of(self.program, object)
    }

    fn soften(&mut self, object: Object, reason: Reason) {
        if self.soft.insert(object) {
            self.reasons.push(reason);
        }
    }

    fn gather(&mut self) {
        let program = self.program;
        for (id, signal) in program.signals.iter().enumerate() {
            let object = Object::Signal(id);
            match &signal.kind {
                Some(Type::Text | Type::Host(_)) => {
                    let text = format!("`{}` is neither a number nor Boolean", signal.name);
                    self.soften(object, reason(signal.span, "types", text));
                }
                Some(_) if signal.combine.is_some() => {
                    let text = format!("emissions of `{}` are combined", signal.name);
                    self.soften(object, reason(signal.span, "combine", text));
                }
                _ => {}
            }
            if let (Some(start), Some(_)) = (&signal.start, &signal.kind) {
                match numeric(program, start) {
                    Ok(Numeric::Affine { .. }) => {
                        let text =
                            format!("`{}` begins with a value that is computed", signal.name);
                        self.soften(object, reason(start.span, "start", text));
                    }
                    _ => self.flow(object, start),
                }
            }
        }
        for (id, variable) in program.variables.iter().enumerate() {
            if matches!(variable.kind, Type::Text | Type::Host(_)) {
                let text = format!("`{}` is neither a number nor Boolean", variable.name);
                self.soften(Object::Variable(id), reason(variable.span, "types", text));
            }
        }
        let mut nodes = Vec::new();
        program.body.walk(&mut |node| nodes.push(node));
        for node in nodes {
            self.statement(node);
        }
    }

    fn statement(&mut self, node: &Node) {
        match &node.kind {
            Kind::Emit(signal, Some(term)) => self.flow(Object::Signal(*signal), term),
            Kind::Assign(variable, term) => self.flow(Object::Variable(*variable), term),
            Kind::Test(term, ..) => self.seed(term),
            Kind::Host(name, written) => {
                let text = format!("`{name}` of the host is called");
                for &variable in written {
                    let reason = reason(node.span, "host", text.clone());
                    self.soften(Object::Variable(variable), reason);
                }
            }
            _ => {}
        }
    }

    /// A value goes to an object.
    fn flow(&mut self, to: Object, term: &Term) {
        if self.soft.contains(&to) {
            return;
        }
        if self.kind(to) == Some(&Type::Boolean) {
            if let Err(why) = truth_is_known(self.program, term, &self.soft) {
                self.soften(to, why);
            }
            return self.seed(term);
        }
        match numeric(self.program, term) {
            Err(why) => self.soften(to, why),
            Ok(Numeric::Constant(value)) => {
                self.cut(to, Cut::before(value.clone()));
                self.cut(to, Cut::after(value));
            }
            Ok(Numeric::Affine { object, .. }) if self.soft.contains(&object) => {
                let name = name_of(self.program, object);
                let text = format!("it depends on `{name}`, which is forgotten");
                self.soften(to, reason(term.span, "depends", text));
            }
            Ok(Numeric::Affine {
                factor,
                object,
                offset,
                ..
            }) => self.flows.push(Flow {
                from: object,
                to,
                factor,
                offset,
                span: term.span,
            }),
        }
    }

    /// Comparisons inside a Boolean expression split what they compare.
    fn seed(&mut self, term: &Term) {
        if let What::Binary(operator, left, right) = &term.what
            && is_comparison(*operator)
            && left.kind != Type::Boolean
        {
            if let Ok(Some((object, _, cuts))) = compared(self.program, *operator, left, right) {
                for cut in cuts {
                    self.cut(object, cut);
                }
            }
            return;
        }
        for part in term.parts() {
            self.seed(part);
        }
    }

    fn cut(&mut self, object: Object, cut: Cut) {
        let cut = match self.kind(object) {
            Some(Type::Integer) => cut.whole(),
            _ => cut,
        };
        let number = self.number(object);
        self.cuts[number].insert(cut);
    }

    /// Cuts go backwards along flows until there are no new ones.
    fn propagate(&mut self) {
        loop {
            let mut news = false;
            for at in 0..self.flows.len() {
                let flow = self.flows[at].clone();
                if self.soft.contains(&flow.from) || self.soft.contains(&flow.to) {
                    continue;
                }
                let (from, to) = (self.number(flow.from), self.number(flow.to));
                let before = self.cuts[from].len();
                for cut in self.cuts[to].clone() {
                    self.cut(flow.from, cut.through(&flow.factor, &flow.offset));
                }
                news |= self.cuts[from].len() > before;
                if self.cuts[from].len() > MOST_CUTS {
                    return self.unbounded(flow.from);
                }
            }
            if !news {
                return;
            }
        }
    }

    /// An object whose cuts do not close: a value that grows in a circle.
    fn unbounded(&mut self, object: Object) {
        // What the object reaches forwards and is reached from.
        let mut reached = vec![object];
        let mut at = 0;
        while at < reached.len() {
            for flow in &self.flows {
                if flow.from == reached[at] && !reached.contains(&flow.to) {
                    reached.push(flow.to);
                }
            }
            at += 1;
        }
        let on_circle = |one: Object| {
            let mut seen = vec![one];
            let mut at = 0;
            while at < seen.len() {
                let from = seen[at];
                for flow in self.flows.iter().filter(|flow| flow.from == from) {
                    if flow.to == one {
                        return Some(flow.span);
                    }
                    if !seen.contains(&flow.to) {
                        seen.push(flow.to);
                    }
                }
                at += 1;
            }
            None
        };
        let found = reached.iter().find_map(|&one| Some((one, on_circle(one)?)));
        let (object, span) = found.unwrap_or((object, Span::default()));
        let name = name_of(self.program, object);
        let text = format!("`{name}` depends on itself and its ranges never close");
        self.soften(object, reason(span, "unbounded", text));
    }

    fn objects(self, reasons: Vec<Reason>) -> Objects {
        let made = |object: Object| {
            let kind = self.kind(object);
            let number = self.number(object);
            match self.soft.contains(&object) {
                true => Ranges::default(),
                false => Ranges {
                    cuts: self.cuts[number].iter().cloned().collect(),
                    whole: kind == Some(&Type::Integer),
                    boolean: kind == Some(&Type::Boolean),
                },
            }
        };
        let signals = (0..self.program.signals.len()).map(|id| made(Object::Signal(id)));
        let variables = (0..self.program.variables.len()).map(|id| made(Object::Variable(id)));
        Objects {
            signals: signals.collect(),
            variables: variables.collect(),
            soft: self.soft.clone(),
            reasons,
        }
    }
}

pub(crate) fn reason(span: Span, rule: &'static str, text: impl Into<String>) -> Reason {
    Reason {
        span,
        rule,
        text: text.into(),
    }
}

fn kind_of(program: &Program, object: Object) -> Option<&Type> {
    match object {
        Object::Signal(signal) => program.signals[signal].kind.as_ref(),
        Object::Variable(variable) => Some(&program.variables[variable].kind),
    }
}

pub(crate) fn name_of(program: &Program, object: Object) -> &str {
    match object {
        Object::Signal(signal) => &program.signals[signal].name,
        Object::Variable(variable) => &program.variables[variable].name,
    }
}

pub(crate) fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Equal
            | Operator::Different
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
    )
}

/// A numeric expression in the class, or why it is not.
pub(crate) fn numeric(program: &Program, term: &Term) -> Result<Numeric, Reason> {
    let object = |object, before| {
        Ok(Numeric::Affine {
            factor: one(),
            object,
            before,
            offset: Number::zero(),
        })
    };
    match &term.what {
        What::Constant(Value::Number(number)) => Ok(Numeric::Constant(number.clone())),
        What::Variable(variable) => object(Object::Variable(*variable), false),
        What::Value(signal) => object(Object::Signal(*signal), false),
        What::Before(signal) => object(Object::Signal(*signal), true),
        What::Negative(inner) => Ok(scaled(numeric(program, inner)?, &-one())),
        What::Host(name, _) => Err(reason(
            term.span,
            "host",
            format!("`{name}` belongs to the host"),
        )),
        What::Binary(operator, left, right) => {
            let (left, right) = (numeric(program, left)?, numeric(program, right)?);
            match operator {
                Operator::Plus => sum(program, left, right, term.span),
                Operator::Minus => sum(program, left, scaled(right, &-one()), term.span),
                Operator::Times => match (left, right) {
                    (Numeric::Constant(number), other) | (other, Numeric::Constant(number)) => {
                        Ok(scaled(other, &number))
                    }
                    _ => Err(reason(term.span, "affine", "a product of two objects")),
                },
                Operator::Divide if term.kind == Type::Real => match right {
                    Numeric::Constant(number) if !number.is_zero() => {
                        Ok(scaled(left, &(one() / number)))
                    }
                    _ => Err(reason(
                        term.span,
                        "affine",
                        "a division by an object or zero",
                    )),
                },
                Operator::Divide | Operator::Modulo => {
                    let text = "whole division is not affine";
                    match (left, right) {
                        (Numeric::Constant(a), Numeric::Constant(b)) if !b.is_zero() => {
                            Ok(Numeric::Constant(match operator {
                                Operator::Divide => crate::value::divided(&a, &b),
                                _ => crate::value::remainder(&a, &b),
                            }))
                        }
                        _ => Err(reason(term.span, "affine", text)),
                    }
                }
                _ => Err(reason(term.span, "types", "a truth is used as a number")),
            }
        }
        _ => Err(reason(term.span, "types", "this is no number")),
    }
}

fn scaled(numeric: Numeric, by: &Number) -> Numeric {
    match numeric {
        Numeric::Constant(number) => Numeric::Constant(number * by),
        Numeric::Affine { .. } if by.is_zero() => Numeric::Constant(Number::zero()),
        Numeric::Affine {
            factor,
            object,
            before,
            offset,
        } => Numeric::Affine {
            factor: factor * by,
            object,
            before,
            offset: offset * by,
        },
    }
}

fn sum(program: &Program, left: Numeric, right: Numeric, span: Span) -> Result<Numeric, Reason> {
    match (left, right) {
        (Numeric::Constant(a), Numeric::Constant(b)) => Ok(Numeric::Constant(a + b)),
        (
            Numeric::Affine {
                factor,
                object,
                before,
                offset,
            },
            Numeric::Constant(number),
        )
        | (
            Numeric::Constant(number),
            Numeric::Affine {
                factor,
                object,
                before,
                offset,
            },
        ) => Ok(Numeric::Affine {
            factor,
            object,
            before,
            offset: offset + number,
        }),
        (
            Numeric::Affine {
                factor: a,
                object: x,
                before: p,
                offset: b,
            },
            Numeric::Affine {
                factor: c,
                object: y,
                before: q,
                offset: d,
            },
        ) => {
            if x != y || p != q {
                let (x, y) = (name_of(program, x), name_of(program, y));
                let text = match x == y {
                    true => format!("`{x}` now and `{x}` before stand in one expression"),
                    false => format!("`{x}` and `{y}` stand in one expression"),
                };
                return Err(reason(span, "two-objects", text));
            }
            let factor = a + c;
            let offset = b + d;
            Ok(match factor.is_zero() {
                true => Numeric::Constant(offset),
                false => Numeric::Affine {
                    factor,
                    object: x,
                    before: p,
                    offset,
                },
            })
        }
    }
}

/// What a comparison splits: the object, whether in the instant before, and the cuts. Nothing if
/// it compares constants.
pub(crate) fn compared(
    program: &Program,
    operator: Operator,
    left: &Term,
    right: &Term,
) -> Result<Option<(Object, bool, Vec<Cut>)>, Reason> {
    let (a, b) = (numeric(program, left)?, numeric(program, right)?);
    let span = left.span.to(right.span);
    match sum(program, a, scaled(b, &-one()), span)? {
        Numeric::Constant(_) => Ok(None),
        Numeric::Affine {
            factor,
            object,
            before,
            offset,
        } => {
            let zero = Number::zero();
            let cuts = match operator {
                Operator::Less | Operator::AtLeast => vec![Cut::before(zero)],
                Operator::AtMost | Operator::Greater => vec![Cut::after(zero)],
                _ => vec![Cut::before(zero.clone()), Cut::after(zero)],
            };
            let cuts = cuts
                .iter()
                .map(|cut| cut.through(&factor, &offset))
                .collect();
            Ok(Some((object, before, cuts)))
        }
    }
}

/// Whether a Boolean expression can be decided from ranges.
pub(crate) fn truth_is_known(
    program: &Program,
    term: &Term,
    soft: &BTreeSet<Object>,
) -> Result<(), Reason> {
    let object = match &term.what {
        What::Constant(_) => return Ok(()),
        What::Variable(variable) => Object::Variable(*variable),
        What::Value(signal) | What::Before(signal) => Object::Signal(*signal),
        What::Host(name, _) => {
            let text = format!("`{name}` belongs to the host");
            return Err(reason(term.span, "host", text));
        }
        What::Negative(_) => return Err(reason(term.span, "types", "this is no truth")),
        What::Not(inner) => return truth_is_known(program, inner, soft),
        What::Binary(operator, left, right)
            if is_comparison(*operator) && left.kind != Type::Boolean =>
        {
            match compared(program, *operator, left, right)? {
                Some((object, ..)) => object,
                None => return Ok(()),
            }
        }
        What::Binary(_, left, right) => {
            truth_is_known(program, left, soft)?;
            return truth_is_known(program, right, soft);
        }
    };
    match soft.contains(&object) {
        true => {
            let name = name_of(program, object);
            let text = format!("it depends on `{name}`, which is forgotten");
            Err(reason(term.span, "depends", text))
        }
        false => Ok(()),
    }
}
