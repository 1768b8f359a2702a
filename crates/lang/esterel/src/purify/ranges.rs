//! Ranges of numbers, split by cuts; exact rationals throughout.

use num_traits::{Signed, Zero};

use crate::value::{Number, Value, decimal, one};

/// A place between numbers: just before `at`, or just after it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cut {
    pub(crate) at: Number,
    /// After `at` (`≤ at` from `> at`) instead of before it (`< at` from `≥ at`).
    pub(crate) after: bool,
}

impl Cut {
    pub(crate) fn before(at: Number) -> Cut {
        Cut { at, after: false }
    }

    pub(crate) fn after(at: Number) -> Cut {
        Cut { at, after: true }
    }

    /// The same cut among whole numbers: just before one of them.
    pub(crate) fn whole(self) -> Cut {
        let at = match self.after {
            true => self.at.floor() + one(),
            false => self.at.ceil(),
        };
        Cut::before(at)
    }

    /// The cut of `u` that is this cut of `factor * u + offset`.
    pub(crate) fn through(&self, factor: &Number, offset: &Number) -> Cut {
        Cut {
            at: (&self.at - offset) / factor,
            after: self.after != factor.is_negative(),
        }
    }

    /// Whether a number is below it.
    fn is_above(&self, number: &Number) -> bool {
        match self.after {
            true => *number <= self.at,
            false => *number < self.at,
        }
    }
}

/// A domain split into ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ranges {
    /// In order, without repetition.
    pub(crate) cuts: Vec<Cut>,
    pub(crate) whole: bool,
    /// The two values of a Boolean object.
    pub(crate) boolean: bool,
}

impl Ranges {
    pub(crate) fn count(&self) -> usize {
        match self.boolean {
            true => 2,
            false => self.cuts.len() + 1,
        }
    }

    /// The range of a value.
    pub(crate) fn of(&self, value: &Value) -> usize {
        match value {
            Value::Boolean(value) => usize::from(*value),
            Value::Number(number) => self.cuts.partition_point(|cut| !cut.is_above(number)),
            Value::Text(_) => 0,
        }
    }

    /// A value of a range: the middle, or one beside the bound.
    pub(crate) fn representative(&self, range: usize) -> Value {
        if self.boolean {
            return Value::Boolean(range == 1);
        }
        let below = range.checked_sub(1).and_then(|at| self.cuts.get(at));
        let above = self.cuts.get(range);
        let two = one() + one();
        let number = match (below, above) {
            (None, None) => Number::zero(),
            (Some(low), _) if self.whole => low.at.clone(),
            (None, Some(high)) => &high.at - one(),
            (Some(low), None) => &low.at + one(),
            (Some(low), Some(high)) => (&low.at + &high.at) / two,
        };
        Value::Number(number)
    }

    /// How a range is written: `(-inf,3]`.
    pub(crate) fn shown(&self, range: usize) -> String {
        if self.boolean {
            return (range == 1).to_string();
        }
        let below = range.checked_sub(1).and_then(|at| self.cuts.get(at));
        let above = self.cuts.get(range);
        if self.whole {
            let last = above.map(|cut| &cut.at - one());
            return match (below, last) {
                (None, None) => "(-inf,inf)".to_owned(),
                (None, Some(last)) => format!("(-inf,{}]", decimal(&last)),
                (Some(low), None) => format!("[{},inf)", decimal(&low.at)),
                (Some(low), Some(last)) if low.at == last => format!("{{{}}}", decimal(&last)),
                (Some(low), Some(last)) => {
                    format!("[{},{}]", decimal(&low.at), decimal(&last))
                }
            };
        }
        if let (Some(low), Some(high)) = (below, above)
            && low.at == high.at
        {
            return format!("{{{}}}", decimal(&low.at));
        }
        let low = match below {
            None => "(-inf".to_owned(),
            Some(cut) if cut.after => format!("({}", decimal(&cut.at)),
            Some(cut) => format!("[{}", decimal(&cut.at)),
        };
        let high = match above {
            None => "inf)".to_owned(),
            Some(cut) if cut.after => format!("{}]", decimal(&cut.at)),
            Some(cut) => format!("{})", decimal(&cut.at)),
        };
        format!("{low},{high}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::number;

    fn exact(text: &str) -> Number {
        number(text).unwrap()
    }

    #[test]
    fn ranges_know_their_members() {
        let ranges = Ranges {
            cuts: vec![Cut::before(exact("90")), Cut::after(exact("110"))],
            ..Ranges::default()
        };
        let shown: Vec<String> = (0..ranges.count()).map(|at| ranges.shown(at)).collect();
        assert_eq!(shown, ["(-inf,90)", "[90,110]", "(110,inf)"]);
        for range in 0..3 {
            assert_eq!(ranges.of(&ranges.representative(range)), range);
        }
        assert_eq!(ranges.of(&Value::Number(exact("90"))), 1);
        assert_eq!(ranges.of(&Value::Number(exact("110"))), 1);
    }

    #[test]
    fn cuts_go_backwards_through_slopes() {
        let cut = Cut::after(exact("3"));
        assert_eq!(
            cut.through(&exact("2"), &exact("1")),
            Cut::after(exact("1"))
        );
        assert_eq!(
            cut.through(&exact("-2"), &exact("1")),
            Cut::before(exact("-1"))
        );
        assert_eq!(
            cut.through(&exact("2"), &exact("0")).whole(),
            Cut::before(exact("2"))
        );
    }
}
