//! Sums of numbers, and the classes of inputs that are run at once.

/// The most different numbers in a sum.
pub(crate) const NUMBERS: usize = 6;

/// `g1 · j1 + g2 · j2 + … + count`, for all numbers `j1`, `j2`, … from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) growth: [i64; NUMBERS],
    pub(crate) count: i64,
}

impl Linear {
    /// A number.
    pub(crate) fn of(count: i64) -> Linear {
        Linear {
            growth: [0; NUMBERS],
            count,
        }
    }

    /// Whether it is the same for all numbers.
    pub(crate) fn is_constant(&self) -> bool {
        self.growth == [0; NUMBERS]
    }

    /// Every factor and the constant, changed in the same way.
    pub(crate) fn each(&self, change: impl Fn(i64) -> Option<i64>) -> Option<Linear> {
        self.with(&Linear::of(0), |one, _| change(one))
    }

    /// Every factor and the constant, with those of another sum.
    pub(crate) fn with(
        &self,
        other: &Linear,
        join: impl Fn(i64, i64) -> Option<i64>,
    ) -> Option<Linear> {
        let mut joined = Linear::of(join(self.count, other.count)?);
        for (place, one) in joined.growth.iter_mut().enumerate() {
            *one = join(self.growth[place], other.growth[place])?;
        }
        Some(joined)
    }

    /// Whether it is at least 0 (or never, below 0) whatever the numbers are; none if that
    /// depends on them.
    pub(crate) fn is_natural(&self) -> Option<bool> {
        let always = self.growth.iter().all(|&one| one >= 0) && self.count >= 0;
        let never = self.growth.iter().all(|&one| one <= 0) && self.count < 0;
        (always || never).then_some(always)
    }
}

/// An argument in a class: a sum of some numbers `first + period · j`, and more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    /// Which numbers are in it.
    pub(crate) numbers: Vec<usize>,
    pub(crate) more: u64,
}

/// A class of inputs: all that the numbers in its arguments make of it.
pub(crate) type Class = Vec<Argument>;

/// The most classes of one function.
const CLASSES: u64 = 4_000;

/// Classes that every input of so many arguments is in one of: none if there were too many.
///
/// Arguments are ordered by size, and each is the one before it with something added (and what
/// is smallest, to nothing): where the order is against that of their places, at least 1. What is
/// added is either a number below `first`, or `first + period · j + class` with a class below
/// `period`. So each input is in exactly one class, and in each class it is known which argument
/// is the larger one.
pub(crate) fn classes(arguments: usize, first: u64, period: u64) -> Option<Vec<Class>> {
    let each = first.checked_add(period)?;
    let mut number = 1u64;
    for place in 1..=arguments as u64 {
        number = number.checked_mul(each)?.checked_mul(place)?;
    }
    if number > CLASSES || arguments > NUMBERS {
        return None;
    }
    let mut all = Vec::new();
    for order in orders(arguments) {
        let mut partial: Vec<Class> = vec![Vec::new()];
        for (place, &argument) in order.iter().enumerate() {
            let least = u64::from(place > 0 && order[place - 1] > argument);
            let longer = |class: Class| {
                let before = class.last().cloned().unwrap_or(Argument {
                    numbers: Vec::new(),
                    more: 0,
                });
                (0..each).map(move |added| {
                    let mut next = before.clone();
                    next.more += least;
                    if added < first {
                        next.more += added;
                    } else {
                        next.more += added - first;
                        next.numbers.push(place);
                    }
                    [class.as_slice(), &[next]].concat()
                })
            };
            partial = partial.into_iter().flat_map(longer).collect();
        }
        all.extend(partial.into_iter().map(|class| {
            let place = |argument: usize| order.iter().position(|&one| one == argument);
            let sorted = (0..arguments).filter_map(|argument| class.get(place(argument)?).cloned());
            sorted.collect::<Class>()
        }));
    }
    Some(all)
}

/// All orders of so many arguments.
fn orders(arguments: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..arguments {
        let longer = |order: Vec<usize>| {
            let rest = (0..arguments)
                .filter(|one| !order.contains(one))
                .collect::<Vec<_>>();
            rest.into_iter()
                .map(move |one| [order.as_slice(), &[one]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

impl Argument {
    /// The number it is, if it is only one.
    pub(crate) fn constant(&self) -> Option<u64> {
        self.numbers.is_empty().then_some(self.more)
    }

    /// The same as a sum of numbers.
    pub(crate) fn linear(&self, first: u64, period: u64) -> Option<Linear> {
        let first = first.checked_mul(self.numbers.len() as u64)?;
        let mut sum = Linear::of(i64::try_from(first.checked_add(self.more)?).ok()?);
        for &number in &self.numbers {
            sum.growth[number] = i64::try_from(period).ok()?;
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_in_exactly_one_class() {
        for (arguments, first, period) in [(1, 4, 2), (2, 2, 1), (2, 4, 2), (3, 1, 1)] {
            let classes = classes(arguments, first, period).unwrap();
            let all = (0..9u64.pow(arguments as u32))
                .map(|number| (0..arguments).map(move |at| number / 9u64.pow(at as u32) % 9));
            for input in all {
                let input: Vec<u64> = input.collect();
                // What the numbers must be, tried one by one.
                let members = |class: &Class| {
                    (0..10u64.pow(arguments as u32)).any(|tried| {
                        let number = |at: usize| tried / 10u64.pow(at as u32) % 10;
                        let used = |at: usize| class.iter().any(|one| one.numbers.contains(&at));
                        let least = (0..arguments).all(|at| used(at) || number(at) == 0);
                        let value = |one: &Argument| {
                            let numbers = one.numbers.iter();
                            one.more + numbers.map(|&at| first + period * number(at)).sum::<u64>()
                        };
                        least && class.iter().map(value).eq(input.iter().copied())
                    })
                };
                let found = classes.iter().filter(|class| members(class)).count();
                assert_eq!(found, 1, "{input:?}");
            }
        }
        assert_eq!(classes(2, 1_000, 1), None);
    }
}
