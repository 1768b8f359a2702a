//! Values, as far as they are known, and what operators make of them.

use crate::machine::pure;
use crate::program::{Name, Operator, Value};

/// A value, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rough {
    Known(Value),
    /// The number of a processor that has no letter of its own: only ever its own.
    Far,
    /// The number of some processor.
    Index,
    /// The number of the processor so many further round: the own number and this, modulo how many there are.
    Round(i64),
    /// How many processors there are.
    Processors,
    /// The own number of a processor that has no letter of its own, how many there are, or both, and a number.
    Line {
        own: bool,
        all: bool,
        plus: i64,
    },
    /// Some number that can be added and multiplied once.
    Small,
    /// Some number, and one of the two truths.
    Number,
    Truth,
    /// A function: its parameter, its body, and what it keeps.
    Fun(Name, usize, Vec<(Name, Rough)>),
    /// Anything at all.
    Unknown,
}

/// Numbers of this size can be added and multiplied once. No machine has more processors.
const SMALL: u64 = 1 << 31;

/// How far numbers beside `pid` and `nprocs` are told.
const FAR_OFF: i64 = 1 << 20;

/// What an operator makes of values: nothing where it fails for certain.
pub(super) struct Applied {
    pub(super) value: Option<Rough>,
    pub(super) may_fail: bool,
}

/// What is known of the type of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Truth,
    Void,
    Function,
    Any,
}

impl Rough {
    /// How many functions are in it.
    pub(super) fn size(&self) -> usize {
        match self {
            Rough::Fun(.., kept) => 1 + kept.iter().map(|(_, value)| value.size()).sum::<usize>(),
            _ => 0,
        }
    }

    fn is_of(&self) -> Type {
        match self {
            Rough::Known(Value::Int(_))
            | Rough::Far
            | Rough::Index
            | Rough::Round(_)
            | Rough::Processors
            | Rough::Line { .. }
            | Rough::Small
            | Rough::Number => Type::Number,
            Rough::Known(Value::Bool(_)) | Rough::Truth => Type::Truth,
            Rough::Known(Value::Void) => Type::Void,
            Rough::Known(Value::Fun(_)) | Rough::Fun(..) => Type::Function,
            Rough::Unknown => Type::Any,
        }
    }

    fn is_small(&self) -> bool {
        match self {
            Rough::Known(Value::Int(number)) => number.unsigned_abs() <= SMALL,
            Rough::Far | Rough::Index | Rough::Round(_) | Rough::Processors | Rough::Small => true,
            _ => false,
        }
    }

    /// What is known of it by another processor.
    pub(super) fn carried(&self) -> Rough {
        match self.is_of() {
            Type::Number if self.is_small() => Rough::Small,
            Type::Number => Rough::Number,
            Type::Truth => Rough::Truth,
            _ => Rough::Unknown,
        }
    }

    /// Of two values that were carried, what is known of either.
    pub(super) fn or(&self, other: Option<&Rough>) -> Rough {
        match other {
            Some(other) if other == self => self.clone(),
            Some(other) if self.is_of() == Type::Number && other.is_of() == Type::Number => {
                Rough::Number
            }
            Some(_) => Rough::Unknown,
            None => self.clone(),
        }
    }

    /// How often the own number and that of all processors are in it, and what is added.
    fn line(&self) -> Option<(i64, i64, i64)> {
        match self {
            Rough::Known(Value::Int(number)) if number.unsigned_abs() <= FAR_OFF as u64 => {
                Some((0, 0, *number))
            }
            Rough::Far => Some((1, 0, 0)),
            Rough::Processors => Some((0, 1, 0)),
            Rough::Line { own, all, plus } => Some((i64::from(*own), i64::from(*all), *plus)),
            _ => None,
        }
    }

    /// The remainder modulo the number of processors, there being at least so many; nothing if no more is known than that
    /// it is the number of a processor.
    pub(super) fn around(&self, class: usize, near: usize, least: usize) -> Option<Rough> {
        if matches!(self, Rough::Far | Rough::Round(_)) {
            return Some(self.clone());
        }
        match self.line()? {
            (1, _, plus) => Some(Rough::Round(plus)),
            (_, _, plus) if (0..least as i64).contains(&plus) => {
                Some(Rough::Known(Value::Int(plus)))
            }
            (_, _, plus) if class < near => Some(Rough::Round(plus - class as i64)),
            _ => None,
        }
    }

    /// Whether anything can be divided by it.
    fn divides(&self) -> bool {
        match self {
            Rough::Known(Value::Int(number)) => !matches!(number, 0 | -1),
            Rough::Processors => true,
            _ => false,
        }
    }
}

/// Applies an operator; processors below `near` have letters of their own.
pub(super) fn applied(near: usize, operator: Operator, values: &[Rough]) -> Applied {
    let certain = |value: Option<Rough>| Applied {
        may_fail: value.is_none(),
        value,
    };
    match operator {
        // There may be no such message.
        Operator::Message => {
            return Applied {
                value: Some(Rough::Unknown),
                may_fail: true,
            };
        }
        Operator::Messages => {
            return Applied {
                value: Some(Rough::Number),
                may_fail: values.iter().any(|value| value.is_of() != Type::Number),
            };
        }
        _ => {}
    }
    if values.iter().any(|value| value.is_of() == Type::Function) {
        return certain(None);
    }
    let known: Option<Vec<Value>> = values
        .iter()
        .map(|value| match value {
            Rough::Known(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    if let Some(known) = known {
        return certain(pure(operator, &known).ok().map(Rough::Known));
    }
    if let Some(value) = straight(operator, values) {
        return certain(Some(value));
    }
    let value = match truth(near, operator, values) {
        Some(truth) => Rough::Known(Value::Bool(truth)),
        None => some(operator, values),
    };
    Applied {
        value: Some(value),
        may_fail: may_fail(operator, values),
    }
}

/// A sum or difference in which the own number and that of all processors are there at most once. (Neither is larger than
/// 2^31, so that it does not fail.)
fn straight(operator: Operator, values: &[Rough]) -> Option<Rough> {
    let sign = match operator {
        Operator::Add => 1,
        Operator::Subtract => -1,
        _ => return None,
    };
    let [left, right] = values else {
        return None;
    };
    let (left, right) = (left.line()?, right.line()?);
    let (own, all) = (left.0 + sign * right.0, left.1 + sign * right.1);
    let plus = left.2 + sign * right.2;
    match (own, all, plus) {
        _ if plus.abs() > FAR_OFF => None,
        (0, 0, _) => Some(Rough::Known(Value::Int(plus))),
        (1, 0, 0) => Some(Rough::Far),
        (0, 1, 0) => Some(Rough::Processors),
        (0 | 1, 0 | 1, _) => Some(Rough::Line {
            own: own == 1,
            all: all == 1,
            plus,
        }),
        _ => None,
    }
}

/// Whether an operator may fail, where not all values are known.
fn may_fail(operator: Operator, values: &[Rough]) -> bool {
    use Operator::{
        Add, And, AtLeast, AtMost, Different, Divide, Equal, Greater, Less, Message, Messages,
        Minus, Modulo, Multiply, Not, Or, Subtract, Xor,
    };
    let all = |wanted: Type| values.iter().all(|value| value.is_of() == wanted);
    let fits = match operator {
        And | Or | Not => all(Type::Truth),
        Xor => all(Type::Number) || all(Type::Truth),
        Equal | Different => all(Type::Number) || all(Type::Truth) || all(Type::Void),
        Less | AtMost | Greater | AtLeast => all(Type::Number),
        Add | Subtract => {
            let fits = |value: &Rough| value.is_small() || matches!(value, Rough::Line { .. });
            all(Type::Number) && values.iter().all(fits)
        }
        Multiply | Minus => all(Type::Number) && values.iter().all(Rough::is_small),
        Divide | Modulo => all(Type::Number) && values.last().is_some_and(Rough::divides),
        Message | Messages => false,
    };
    !fits
}

/// Some value that an operator may have where it does not fail.
fn some(operator: Operator, values: &[Rough]) -> Rough {
    use Operator::{
        Add, And, AtLeast, AtMost, Different, Divide, Equal, Greater, Less, Message, Messages,
        Minus, Modulo, Multiply, Not, Or, Subtract, Xor,
    };
    let any = |wanted: Type| values.iter().any(|value| value.is_of() == wanted);
    match operator {
        And | Or | Not | Equal | Different | Less | AtMost | Greater | AtLeast => Rough::Truth,
        // From 0 on, and less than there are processors.
        Modulo if values.last() == Some(&Rough::Processors) => Rough::Index,
        Add | Subtract | Multiply | Minus | Divide | Modulo => Rough::Number,
        Xor if any(Type::Number) => Rough::Number,
        Xor if any(Type::Truth) => Rough::Truth,
        Xor | Message | Messages => Rough::Unknown,
    }
}

/// The truth of a comparison, or of what one side decides, where that is known.
fn truth(near: usize, operator: Operator, values: &[Rough]) -> Option<bool> {
    use Operator::{And, AtLeast, AtMost, Different, Equal, Greater, Less, Or};
    use Rough::{Far, Known};
    let is = |wanted: bool| values.contains(&Known(Value::Bool(wanted)));
    let near = near as i64;
    match (operator, values) {
        (And, _) if is(false) => Some(false),
        (Or, _) if is(true) => Some(true),
        // Far numbers are at least as large as that of the first that has no letter.
        (Equal | Different, [Far, Known(Value::Int(other))])
        | (Equal | Different, [Known(Value::Int(other)), Far])
            if *other < near =>
        {
            Some(operator == Different)
        }
        (Less, [Far, Known(Value::Int(other))]) if *other <= near => Some(false),
        (Less, [Known(Value::Int(other)), Far]) if *other < near => Some(true),
        (AtMost, [Far, Known(Value::Int(other))]) if *other < near => Some(false),
        (AtMost, [Known(Value::Int(other)), Far]) if *other <= near => Some(true),
        (Greater, [Known(Value::Int(other)), Far]) if *other <= near => Some(false),
        (Greater, [Far, Known(Value::Int(other))]) if *other < near => Some(true),
        (AtLeast, [Known(Value::Int(other)), Far]) if *other < near => Some(false),
        (AtLeast, [Far, Known(Value::Int(other))]) if *other <= near => Some(true),
        _ => None,
    }
}
