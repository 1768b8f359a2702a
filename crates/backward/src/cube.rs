//! Sets of states that are closed upwards: there are different processes such that ….

use std::collections::BTreeMap;

use quotient_arrays::{Domain, Place, System, VariableId};

use crate::numbers;

/// The most processes that a cube may speak of.
pub(crate) const MOST_PROCESSES: usize = 16;
/// In the set of values of a cell that holds a process: any process that is not spoken of.
pub(crate) const OTHER: u64 = 1 << 63;

/// One condition of a cube.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Literal {
    /// A cell has one of these values.
    In(Place, u64),
    /// Two cells have the same value.
    Same(Place, Place),
    /// Two cells have different values.
    Different(Place, Place),
    /// One process comes before another.
    Before(usize, usize),
    /// A sum of cells with factors and a number is at most zero.
    AtMostZero(Vec<(i64, Place)>, i64),
}

impl Literal {
    pub(crate) fn places(&self) -> Vec<&Place> {
        match self {
            Literal::In(place, _) => vec![place],
            Literal::Same(left, right) | Literal::Different(left, right) => vec![left, right],
            Literal::Before(..) => Vec::new(),
            Literal::AtMostZero(parts, _) => parts.iter().map(|(_, place)| place).collect(),
        }
    }

    /// The processes that it speaks of, as a set, among so many.
    pub(crate) fn processes(&self, system: &System, among: usize) -> u64 {
        let mut set = 0;
        for place in self.places() {
            for one in &place.at {
                set |= 1 << one;
            }
        }
        match self {
            Literal::Before(left, right) => set |= 1 << left | 1 << right,
            Literal::In(place, values)
                if system.variables[place.variable.index()].domain == Domain::Process =>
            {
                // A cell that may be all but some speaks of those; otherwise of those it may be.
                set |= match values & OTHER {
                    0 => *values,
                    _ => !values,
                } & ((1 << among) - 1);
            }
            _ => {}
        }
        set
    }

    /// With other processes; what is not spoken of any more is among the others.
    pub(crate) fn renamed(
        &self,
        system: &System,
        map: &[usize],
        from: usize,
        to: usize,
    ) -> Literal {
        let place = |place: &Place| Place {
            variable: place.variable,
            at: place.at.iter().map(|one| map[*one]).collect(),
        };
        match self {
            Literal::In(at, values) => {
                let mut renamed = *values;
                if system.variables[at.variable.index()].domain == Domain::Process {
                    renamed = values & OTHER;
                    let mut covered = 0;
                    for (one, other) in map.iter().enumerate().take(from) {
                        if *other < MOST_PROCESSES {
                            covered |= 1u64 << other;
                            renamed |= (values >> one & 1) << other;
                        } else {
                            renamed |= (values >> one & 1) * OTHER;
                        }
                    }
                    if values & OTHER != 0 {
                        renamed |= (((1u64 << to) - 1) & !covered) | OTHER;
                    }
                }
                Literal::In(place(at), renamed)
            }
            Literal::Same(left, right) => ordered(place(left), place(right), Literal::Same),
            Literal::Different(left, right) => {
                ordered(place(left), place(right), Literal::Different)
            }
            Literal::Before(left, right) => Literal::Before(map[*left], map[*right]),
            Literal::AtMostZero(parts, constant) => {
                let mut parts: Vec<(i64, Place)> = parts
                    .iter()
                    .map(|(factor, at)| (*factor, place(at)))
                    .collect();
                parts.sort_by(|left, right| left.1.cmp(&right.1));
                Literal::AtMostZero(parts, *constant)
            }
        }
    }
}

pub(crate) fn ordered(
    left: Place,
    right: Place,
    make: impl Fn(Place, Place) -> Literal,
) -> Literal {
    match left <= right {
        true => make(left, right),
        false => make(right, left),
    }
}

/// There are different processes such that all literals hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Cube {
    pub(crate) processes: usize,
    pub(crate) literals: Vec<Literal>,
    /// The variables that it speaks of, folded into a word.
    pub(crate) variables: u64,
}

/// All values of a cell.
pub(crate) fn all_values(system: &System, variable: VariableId, processes: usize) -> u64 {
    match system.variables[variable.index()].domain {
        Domain::Enumeration(number) => match system.enumerations[number.index()].len() {
            64.. => u64::MAX,
            size => (1 << size) - 1,
        },
        Domain::Process => ((1 << processes) - 1) | OTHER,
        Domain::Opaque(_) | Domain::Integer | Domain::Real => u64::MAX,
    }
}

impl Cube {
    /// Puts literals together; nothing if they contradict each other.
    ///
    /// Processes that no literal speaks of are dropped.
    pub(crate) fn new(
        system: &System,
        processes: usize,
        literals: impl IntoIterator<Item = Literal>,
    ) -> Option<Cube> {
        let literals = closed(system, processes, literals)?;
        Some(Cube::of_consistent(system, processes, literals))
    }

    /// The same for literals that are known not to contradict each other.
    pub(crate) fn of_consistent(system: &System, processes: usize, literals: Vec<Literal>) -> Cube {
        let spoken = literals
            .iter()
            .fold(0, |set, one| set | one.processes(system, processes));
        let mut map = vec![MOST_PROCESSES; processes];
        let mut kept = 0;
        for (one, to) in map.iter_mut().enumerate() {
            if spoken >> one & 1 == 1 {
                *to = kept;
                kept += 1;
            }
        }
        let mut literals: Vec<Literal> = literals
            .iter()
            .map(|literal| literal.renamed(system, &map, processes, kept))
            .collect();
        literals.sort();
        literals.dedup();
        let places = literals.iter().flat_map(|literal| literal.places());
        let variables = places.fold(0, |set, place| set | 1 << (place.variable.index() % 64));
        Cube {
            processes: kept,
            literals,
            variables,
        }
    }

    /// Whether every state of the other cube is one of this, by choosing among its processes.
    pub(crate) fn covers(&self, system: &System, other: &Cube) -> bool {
        if self.processes > other.processes || self.variables & !other.variables != 0 {
            return false;
        }
        let literals = self.literals.iter();
        let spoken = literals.map(|literal| literal.processes(system, self.processes));
        let spoken: Vec<u64> = spoken.collect();
        let mut map = vec![MOST_PROCESSES; self.processes];
        self.embeds(system, other, &spoken, &mut map, 0)
    }

    fn embeds(
        &self,
        system: &System,
        other: &Cube,
        spoken: &[u64],
        map: &mut [usize],
        next: usize,
    ) -> bool {
        let chosen = (1u64 << next) - 1;
        // Literals whose last process was just chosen are checked at once.
        let fits = self.literals.iter().zip(spoken).all(|(literal, spoken)| {
            let due = spoken & !chosen == 0
                && (next == 0 || spoken >> (next - 1) & 1 == 1 || next == self.processes);
            if !due {
                return true;
            }
            if let Literal::In(place, values) = literal {
                if system.variables[place.variable.index()].domain != Domain::Process {
                    return other.values_at(system, place, map) & !values == 0;
                }
                // A set of processes means something else before all are chosen.
                if next < self.processes {
                    return true;
                }
            }
            let literal = literal.renamed(system, map, self.processes, other.processes);
            other.implies(system, &literal)
        });
        if !fits {
            return false;
        }
        if next == self.processes {
            return true;
        }
        for one in 0..other.processes {
            if map[..next].contains(&one) {
                continue;
            }
            map[next] = one;
            if self.embeds(system, other, spoken, map, next + 1) {
                return true;
            }
        }
        map[next] = MOST_PROCESSES;
        false
    }

    /// The values that the cell of others may have, which these are here.
    fn values_at(&self, system: &System, place: &Place, map: &[usize]) -> u64 {
        let found = self.literals.iter().find_map(|literal| match literal {
            Literal::In(at, values) if at.variable == place.variable => {
                let mut pairs = at.at.iter().zip(&place.at);
                pairs
                    .all(|(here, there)| *here == map[*there])
                    .then_some(*values)
            }
            _ => None,
        });
        found.unwrap_or_else(|| all_values(system, place.variable, self.processes))
    }

    /// The values that a cell may have.
    pub(crate) fn values(&self, system: &System, place: &Place) -> u64 {
        let found = self.literals.iter().find_map(|literal| match literal {
            Literal::In(at, values) if at == place => Some(*values),
            _ => None,
        });
        found.unwrap_or_else(|| all_values(system, place.variable, self.processes))
    }

    /// Whether the literals of this cube give another, as far as a quick look tells.
    pub(crate) fn implies(&self, system: &System, literal: &Literal) -> bool {
        match literal {
            Literal::In(place, values) => self.values(system, place) & !values == 0,
            Literal::Same(left, right) => {
                let (one, two) = (self.values(system, left), self.values(system, right));
                left == right
                    || self.literals.contains(literal)
                    || one == two && one.count_ones() == 1 && one != OTHER
            }
            Literal::Different(left, right) => {
                let (one, two) = (self.values(system, left), self.values(system, right));
                self.literals.contains(literal) || one & two == 0
            }
            Literal::Before(..) => self.literals.contains(literal),
            Literal::AtMostZero(..) => {
                self.literals.contains(literal)
                    || numbers::negated(literal).is_some_and(|not| {
                        let numbers = self.literals.iter().chain([&not]);
                        numbers::is_impossible(numbers)
                    })
            }
        }
    }
}

/// Literals with all consequences that are easy to see, each cell once; nothing if they contradict
/// each other.
pub(crate) fn closed(
    system: &System,
    processes: usize,
    literals: impl IntoIterator<Item = Literal>,
) -> Option<Vec<Literal>> {
    let mut known = Known::new(system, processes);
    for literal in literals {
        known.add(literal);
    }
    known.close()
}

/// Whether closed literals say at least what others say, as far as a quick look tells.
pub(crate) fn says_more(one: &[Literal], other: &[Literal]) -> bool {
    other.iter().all(|literal| match literal {
        Literal::In(place, values) => one.iter().any(|known| match known {
            Literal::In(at, known) => at == place && known & !values == 0,
            _ => false,
        }),
        literal => one.contains(literal),
    })
}

/// Literals while they are put together.
struct Known<'a> {
    system: &'a System,
    processes: usize,
    values: BTreeMap<Place, u64>,
    others: Vec<Literal>,
}

impl<'a> Known<'a> {
    fn new(system: &'a System, processes: usize) -> Known<'a> {
        Known {
            system,
            processes,
            values: BTreeMap::new(),
            others: Vec::new(),
        }
    }

    fn add(&mut self, literal: Literal) {
        match literal {
            Literal::In(place, values) => {
                let all = all_values(self.system, place.variable, self.processes);
                *self.values.entry(place).or_insert(all) &= values;
            }
            other => self.others.push(other),
        }
    }

    fn of(&self, place: &Place) -> u64 {
        let all = || all_values(self.system, place.variable, self.processes);
        self.values.get(place).copied().unwrap_or_else(all)
    }

    fn finite(&self, place: &Place) -> bool {
        let domain = self.system.variables[place.variable.index()].domain;
        matches!(domain, Domain::Enumeration(_) | Domain::Process)
    }

    /// All consequences that are easy to see; nothing if they contradict each other.
    fn close(mut self) -> Option<Vec<Literal>> {
        self.others.sort();
        self.others.dedup();
        self.join_equals()?;
        loop {
            let before = self.values.clone();
            for number in 0..self.others.len() {
                let other = self.others[number].clone();
                self.narrow(&other)?;
            }
            if self.values.values().any(|values| *values == 0) {
                return None;
            }
            if before == self.values {
                break;
            }
        }
        if numbers::is_impossible(self.others.iter()) || self.is_circular() {
            return None;
        }
        let (system, processes) = (self.system, self.processes);
        let dull =
            |place: &Place, values: u64| values == all_values(system, place.variable, processes);
        let one = |values: u64| values.count_ones() == 1 && values != OTHER;
        let others = std::mem::take(&mut self.others);
        let mut literals: Vec<Literal> = others
            .into_iter()
            .filter(|literal| match literal {
                Literal::Same(left, right) => {
                    !(self.finite(left) && one(self.of(left)) && one(self.of(right)))
                }
                Literal::Different(left, right) => {
                    !(self.finite(left) && self.of(left) & self.of(right) == 0)
                }
                _ => true,
            })
            .collect();
        for (place, values) in self.values {
            if !dull(&place, values) {
                literals.push(Literal::In(place, values));
            }
        }
        Some(literals)
    }

    /// Classes of cells that are the same: each pair is written, and none may be different.
    fn join_equals(&mut self) -> Option<()> {
        let same: Vec<(Place, Place)> = self
            .others
            .iter()
            .filter_map(|literal| match literal {
                Literal::Same(left, right) => Some((left.clone(), right.clone())),
                _ => None,
            })
            .collect();
        if same.is_empty() {
            return self.no_difference(&[]);
        }
        let mut classes: Vec<Vec<Place>> = Vec::new();
        for (left, right) in same {
            let holds = |class: &Vec<Place>, place: &Place| class.contains(place);
            let one = classes.iter().position(|class| holds(class, &left));
            let two = classes.iter().position(|class| holds(class, &right));
            match (one, two) {
                (None, None) => classes.push(vec![left, right]),
                (Some(one), None) => classes[one].push(right),
                (None, Some(two)) => classes[two].push(left),
                (Some(one), Some(two)) if one != two => {
                    let moved = classes.swap_remove(one.max(two));
                    classes[one.min(two)].extend(moved);
                }
                (Some(_), Some(_)) => {}
            }
        }
        self.no_difference(&classes)?;
        self.others
            .retain(|literal| !matches!(literal, Literal::Same(..)));
        for class in &mut classes {
            class.sort();
            class.dedup();
            for (number, left) in class.iter().enumerate() {
                for right in &class[number + 1..] {
                    self.others.push(Literal::Same(left.clone(), right.clone()));
                }
            }
        }
        Some(())
    }

    fn no_difference(&self, classes: &[Vec<Place>]) -> Option<()> {
        let clash = self.others.iter().any(|literal| match literal {
            Literal::Different(left, right) => {
                left == right
                    || classes
                        .iter()
                        .any(|class| class.contains(left) && class.contains(right))
            }
            _ => false,
        });
        (!clash).then_some(())
    }

    fn narrow(&mut self, literal: &Literal) -> Option<()> {
        match literal {
            Literal::Same(left, right) if self.finite(left) => {
                let common = self.of(left) & self.of(right);
                self.values.insert(left.clone(), common);
                self.values.insert(right.clone(), common);
                (common != 0).then_some(())
            }
            Literal::Different(left, right) if self.finite(left) => {
                for (one, two) in [(left, right), (right, left)] {
                    let only = self.of(one);
                    if only.count_ones() == 1 && only != OTHER {
                        let rest = self.of(two) & !only;
                        self.values.insert(two.clone(), rest);
                        if rest == 0 {
                            return None;
                        }
                    }
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Whether a process comes before itself.
    fn is_circular(&self) -> bool {
        let mut after = vec![0u64; self.processes];
        let mut any = false;
        for literal in &self.others {
            if let Literal::Before(left, right) = literal {
                after[*left] |= 1 << right;
                any = true;
            }
        }
        if !any {
            return false;
        }
        for middle in 0..self.processes {
            for one in 0..self.processes {
                if after[one] >> middle & 1 == 1 {
                    after[one] |= after[middle];
                }
            }
        }
        (0..self.processes).any(|one| after[one] >> one & 1 == 1)
    }
}
