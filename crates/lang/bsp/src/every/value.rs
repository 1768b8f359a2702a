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
    /// How many processors there are.
    Processors,
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
            | Rough::Processors
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
            Rough::Far | Rough::Index | Rough::Processors => true,
            _ => false,
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
    let value = match truth(near, operator, values) {
        Some(truth) => Rough::Known(Value::Bool(truth)),
        None => some(operator, values),
    };
    Applied {
        value: Some(value),
        may_fail: may_fail(operator, values),
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
        Add | Subtract | Multiply | Minus => {
            all(Type::Number) && values.iter().all(Rough::is_small)
        }
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
