//! Grades that a file lists, with their order and composition.

use super::ActionLattice;

/// What a file says about its grades; what it leaves out is computed.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableText {
    /// The grades.
    pub(crate) values: Vec<String>,
    /// Pairs of which the first is below the second, by number.
    pub(crate) below: Vec<(usize, usize)>,
    /// The neutral grade; the greatest if none is given.
    pub(crate) one: Option<usize>,
    /// `a;b = c`; the meet where nothing is given.
    pub(crate) compose: Vec<[usize; 3]>,
    /// `a->b = c`; the greatest that fits where nothing is given.
    pub(crate) implies: Vec<[usize; 3]>,
    /// `a* = b`; the least that fits where nothing is given.
    pub(crate) star: Vec<[usize; 2]>,
}

/// The most grades of a table: the laws are checked on all triples.
pub(crate) const MOST_VALUES: usize = 40;

/// An algebra as tables.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    values: Vec<String>,
    zero: usize,
    one: usize,
    top: usize,
    join: Vec<Vec<usize>>,
    meet: Vec<Vec<usize>>,
    then: Vec<Vec<usize>>,
    under: Vec<Vec<usize>>,
    over: Vec<Vec<usize>>,
    star: Vec<usize>,
    linear: bool,
}

impl TableText {
    /// The algebra, or why the order is none, or no lattice. The laws are not checked.
    pub(crate) fn build(&self) -> Result<Table, String> {
        let size = self.values.len();
        if size == 0 || size > MOST_VALUES {
            return Err(format!(
                "a table has from 1 to {MOST_VALUES} grades, not {size}"
            ));
        }
        let leq = self.order()?;
        let name = |value: usize| self.values[value].as_str();
        let all = 0..size;
        let least = |fits: &dyn Fn(usize) -> bool| {
            let mut fitting = all.clone().filter(|x| fits(*x));
            fitting.find(|&x| all.clone().all(|y| !fits(y) || leq[x][y]))
        };
        let greatest = |fits: &dyn Fn(usize) -> bool| {
            let mut fitting = all.clone().filter(|x| fits(*x));
            fitting.find(|&x| all.clone().all(|y| !fits(y) || leq[y][x]))
        };
        let grid = |of: &dyn Fn(usize, usize) -> Result<usize, String>| {
            let row = |a: usize| all.clone().map(|b| of(a, b)).collect::<Result<Vec<_>, _>>();
            all.clone().map(row).collect::<Result<Vec<_>, _>>()
        };
        let zero = least(&|_| true).ok_or("there is no least grade")?;
        let top = greatest(&|_| true).ok_or("there is no greatest grade")?;
        let join = grid(&|a, b| {
            least(&|x| leq[a][x] && leq[b][x])
                .ok_or_else(|| format!("`{}` and `{}` have no join", name(a), name(b)))
        })?;
        let meet = grid(&|a, b| {
            greatest(&|x| leq[x][a] && leq[x][b])
                .ok_or_else(|| format!("`{}` and `{}` have no meet", name(a), name(b)))
        })?;
        let given = |list: &[[usize; 3]], a, b| {
            let found = list.iter().rev().find(|row| row[0] == a && row[1] == b);
            found.map(|row| row[2])
        };
        let then = grid(&|a, b| Ok(given(&self.compose, a, b).unwrap_or(meet[a][b])))?;
        let one = self.one.unwrap_or(top);
        // Where there is no greatest, the join: the laws then say what is wrong.
        let joined = |fits: &dyn Fn(usize) -> bool| {
            let fitting = all.clone().filter(|x| fits(*x));
            fitting.fold(zero, |best, x| join[best][x])
        };
        let under = grid(&|a, b| {
            Ok(given(&self.implies, a, b).unwrap_or_else(|| joined(&|x| leq[then[a][x]][b])))
        })?;
        let over = grid(&|b, a| Ok(joined(&|x| leq[then[x][a]][b])))?;
        let star = all.clone().map(|a| {
            let fits = |x: usize| leq[one][x] && leq[a][x] && leq[then[x][x]][x];
            let given = self.star.iter().rev().find(|row| row[0] == a);
            given.map_or_else(|| least(&fits).unwrap_or(top), |row| row[1])
        });
        let star = star.collect();
        let linear = all
            .clone()
            .all(|a| all.clone().all(|b| leq[a][b] || leq[b][a]));
        let values = self.values.clone();
        Ok(Table {
            values,
            zero,
            one,
            top,
            join,
            meet,
            then,
            under,
            over,
            star,
            linear,
        })
    }

    /// The order that the pairs generate.
    fn order(&self) -> Result<Vec<Vec<bool>>, String> {
        let size = self.values.len();
        let mut leq = vec![vec![false; size]; size];
        for (value, row) in leq.iter_mut().enumerate() {
            row[value] = true;
        }
        for &(low, high) in &self.below {
            leq[low][high] = true;
        }
        for middle in 0..size {
            for low in 0..size {
                for high in 0..size {
                    leq[low][high] |= leq[low][middle] && leq[middle][high];
                }
            }
        }
        let mut pairs = (0..size).flat_map(|low| (0..low).map(move |high| (low, high)));
        if let Some((low, high)) = pairs.find(|&(low, high)| leq[low][high] && leq[high][low]) {
            let (low, high) = (&self.values[low], &self.values[high]);
            return Err(format!("`{low}` and `{high}` are each below the other"));
        }
        Ok(leq)
    }
}

impl ActionLattice for Table {
    type Grade = usize;

    fn name(&self) -> &str {
        "table"
    }
    fn meaning(&self) -> &str {
        "a grade of the table in the file"
    }
    fn zero(&self) -> usize {
        self.zero
    }
    fn one(&self) -> usize {
        self.one
    }
    fn top(&self) -> usize {
        self.top
    }
    fn join(&self, a: &usize, b: &usize) -> usize {
        self.join[*a][*b]
    }
    fn meet(&self, a: &usize, b: &usize) -> usize {
        self.meet[*a][*b]
    }
    fn then(&self, a: &usize, b: &usize) -> usize {
        self.then[*a][*b]
    }
    fn star(&self, a: &usize) -> usize {
        self.star[*a]
    }
    fn under(&self, a: &usize, b: &usize) -> usize {
        self.under[*a][*b]
    }
    fn over(&self, b: &usize, a: &usize) -> usize {
        self.over[*b][*a]
    }
    fn is_linear(&self) -> bool {
        self.linear
    }
    fn is_finite(&self) -> bool {
        true
    }
    fn read(&self, text: &str) -> Option<usize> {
        self.values.iter().position(|value| value == text)
    }
    fn write(&self, grade: &usize) -> String {
        self.values.get(*grade).cloned().unwrap_or_default()
    }
    fn spelling(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect();
        values.join(", ")
    }
    fn sample(&self) -> Vec<usize> {
        (0..self.values.len()).collect()
    }
}
