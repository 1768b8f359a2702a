//! Weights from examples of what must not make them larger: a small linear program, exactly.

/// A larger numerator or denominator ends the search.
const LARGEST: i128 = 1 << 60;
/// So many exchanges at the most.
const MOST_EXCHANGES: usize = 400;

/// Whole numbers, none negative, whose sums over each example are not positive, and negative over each
/// that is strict; nothing if there are none, or they are too large.
pub(super) fn solve(size: usize, examples: &[Vec<i64>], strict: &[Vec<i64>]) -> Option<Vec<i64>> {
    // As large as possible, up to 1, is to be what the strict ones are below zero; the last column.
    let rows = examples.iter().map(|row| (row, 0));
    let rows = rows.chain(strict.iter().map(|row| (row, 1)));
    let mut table: Vec<Vec<Ratio>> = rows
        .map(|(row, below)| {
            let mut numbers: Vec<Ratio> = row.iter().map(|&one| Ratio::whole(one)).collect();
            numbers.extend([Ratio::whole(below), Ratio::ZERO]);
            numbers
        })
        .collect();
    let mut last = vec![Ratio::ZERO; size + 2];
    (last[size], last[size + 1]) = (Ratio::whole(1), Ratio::whole(1));
    table.push(last);
    let mut goal = vec![Ratio::ZERO; size + 2];
    goal[size] = Ratio::whole(1);
    let mut basic: Vec<usize> = (size + 1..size + 1 + table.len()).collect();
    let mut others: Vec<usize> = (0..=size).collect();
    for _ in 0..MOST_EXCHANGES {
        // Bland's rule: the least numbers first, so that it ends.
        let entering = (0..=size)
            .filter(|&column| goal[column].is_positive())
            .min_by_key(|&column| others[column]);
        let Some(column) = entering else {
            return numbers(size, &table, &basic);
        };
        let mut leaving: Option<(usize, Ratio)> = None;
        for (row, numbers) in table.iter().enumerate() {
            if !numbers[column].is_positive() {
                continue;
            }
            let bound = numbers[size + 1].over(numbers[column])?;
            let better = leaving.is_none_or(|(known, least)| {
                bound.is_less(least) || bound == least && basic[row] < basic[known]
            });
            if better {
                leaving = Some((row, bound));
            }
        }
        // All is bounded by the last row, and what is not does not help.
        let (row, _) = leaving?;
        exchange(&mut table, &mut goal, row, column)?;
        std::mem::swap(&mut basic[row], &mut others[column]);
    }
    None
}

/// The values of the first variables, made whole.
fn numbers(size: usize, table: &[Vec<Ratio>], basic: &[usize]) -> Option<Vec<i64>> {
    let value = |variable: usize| {
        let row = basic.iter().position(|known| *known == variable);
        row.map_or(Ratio::ZERO, |row| table[row][size + 1])
    };
    if !value(size).is_positive() {
        return None;
    }
    let values: Vec<Ratio> = (0..size).map(value).collect();
    let mut common: i128 = value(size).under;
    for one in &values {
        common = common.checked_mul(one.under)? / divisor(common, one.under);
        if common > LARGEST {
            return None;
        }
    }
    let whole = values
        .iter()
        .map(|one| one.over.checked_mul(common / one.under));
    let whole: Option<Vec<i128>> = whole.collect();
    let whole = whole?;
    let shared = whole.iter().fold(0, |shared, &one| divisor(shared, one));
    let whole = whole
        .iter()
        .map(|one| i64::try_from(one / shared.max(1)).ok());
    whole.collect()
}

fn exchange(table: &mut [Vec<Ratio>], goal: &mut [Ratio], row: usize, column: usize) -> Option<()> {
    let pivot = table[row][column];
    let inverse = Ratio::whole(1).over(pivot)?;
    for (at, number) in table[row].iter_mut().enumerate() {
        *number = match at == column {
            true => inverse,
            false => number.over(pivot)?,
        };
    }
    let own = table[row].clone();
    let last = own.len() - 1;
    for (number, other) in table.iter_mut().enumerate() {
        if number == row || other[column].is_zero() {
            continue;
        }
        let factor = other[column];
        for (at, one) in other.iter_mut().enumerate() {
            *one = match at == column {
                true => Ratio::ZERO.minus(factor.times(own[at])?)?,
                false => one.minus(factor.times(own[at])?)?,
            };
        }
    }
    let factor = goal[column];
    for (at, one) in goal.iter_mut().enumerate() {
        *one = match at {
            _ if at == column => Ratio::ZERO.minus(factor.times(own[at])?)?,
            _ if at == last => one.plus(factor.times(own[at])?)?,
            _ => one.minus(factor.times(own[at])?)?,
        };
    }
    Some(())
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    const ZERO: Ratio = Ratio { over: 0, under: 1 };

    fn whole(number: i64) -> Ratio {
        Ratio {
            over: i128::from(number),
            under: 1,
        }
    }

    fn new(over: i128, under: i128) -> Option<Ratio> {
        let shared = divisor(over, under).max(1);
        let sign = if under < 0 { -1 } else { 1 };
        let one = Ratio {
            over: sign * over / shared,
            under: sign * under / shared,
        };
        let small = one.over.abs() < LARGEST && one.under < LARGEST && one.under > 0;
        small.then_some(one)
    }

    fn is_zero(self) -> bool {
        self.over == 0
    }

    fn is_positive(self) -> bool {
        self.over > 0
    }

    fn is_less(self, other: Ratio) -> bool {
        self.over * other.under < other.over * self.under
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(
            self.over * other.under + other.over * self.under,
            self.under * other.under,
        )
    }

    fn minus(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(
            self.over * other.under - other.over * self.under,
            self.under * other.under,
        )
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.over * other.over, self.under * other.under)
    }

    fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.over * other.under, self.under * other.over)
    }
}

fn divisor(one: i128, two: i128) -> i128 {
    match two {
        0 => one.abs(),
        _ => divisor(two, one % two),
    }
}
