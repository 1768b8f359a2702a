//! What axioms about large sets of processes add to a set of states.

use quotient_arrays::{
    Amount, Axiom, Formula, Place, Relation, System, Term, Transition, Value, VariableId,
};
use quotient_core::Stop;

use crate::alternatives::of_formula;
use crate::cube::{Cube, Literal};
use crate::numbers;
use crate::slice::read;

/// A set of states is not split into more than this.
const MOST_CUBES: usize = 600;
/// Nobody is added to sets of states with more processes than this.
const MOST_PROCESSES: usize = 7;

/// An axiom that is believed, and where it is worth looking.
struct Known<'a> {
    axiom: &'a Axiom,
    /// What must be so: truth values, each with its process if it has one. Of what never changes: by process,
    /// what is written where it is asked for.
    premises: Vec<Premise>,
}

struct Premise {
    large: VariableId,
    owner: Option<usize>,
    /// The variables that are written when it becomes so, and what may be written.
    written: Vec<(VariableId, u64)>,
}

/// The axioms of a system.
pub(crate) struct Axioms<'a> {
    system: &'a System,
    known: Vec<Known<'a>>,
}

impl<'a> Axioms<'a> {
    /// Those that are worth looking at. Where these do not lead to a proof, a more thorough search
    /// uses more of those that are believed; that takes longer, as it splits more.
    ///
    /// Thorough by 1 and 2, more axioms are used; by 3 and 4 the same, also where what is said is only
    /// a consequence of what was asked of a large set: who decided heard of it from somebody.
    pub(crate) fn of(system: &'a System, thorough: usize) -> Axioms<'a> {
        let (thorough, indirect) = match thorough {
            0..=2 => (thorough, false),
            more => (more - 2, true),
        };
        let outside = |axiom: &Axiom| parts(&axiom.conclusion).len() > parts(&axiom.premise).len();
        let (lasting, others): (Vec<&Axiom>, Vec<&Axiom>) =
            system.axioms.iter().partition(|axiom| is_lasting(axiom));
        let believed = others.into_iter().filter(|axiom| {
            let several = parts(&axiom.premise).len() > 1;
            (thorough > 1 || several || outside(axiom)) && is_positive(system, &axiom.positive)
        });
        let mut believed: Vec<&Axiom> = believed.collect();
        // Where some are few, a common member that may be one of them is of little use.
        if thorough == 1 && believed.iter().any(|axiom| outside(axiom)) {
            believed.retain(|axiom| outside(axiom));
        }
        let thorough = thorough > 0;
        // One that says more about the same is enough; and a set that must meet another is not
        // looked into by itself.
        let best = believed.iter().filter(|one| {
            let own = parts(&one.premise);
            !believed.iter().any(|other| {
                let more = parts(&other.conclusion).len() > parts(&one.conclusion).len();
                let others = parts(&other.premise);
                let pair =
                    !thorough && own.len() == 1 && others.len() == 2 && others[0] != others[1];
                other.premise == one.premise && more
                    || pair && others.iter().any(|other| *other == own[0])
            })
        });
        let memory: Vec<VariableId> = system.axioms.iter().flat_map(remembering).collect();
        let known = best.filter_map(|axiom| {
            let premises = parts(&axiom.premise).into_iter();
            let premises = premises.map(|part| premise(system, part, &memory, indirect));
            Some(Known {
                axiom,
                premises: premises.collect::<Option<Vec<_>>>()?,
            })
        });
        let lasting = lasting.into_iter().map(|axiom| Known {
            axiom,
            premises: (0..axiom.processes)
                .map(|one| asking(system, axiom, one))
                .collect(),
        });
        Axioms {
            system,
            known: known.chain(lasting).collect(),
        }
    }

    /// The same states in several sets, with what the axioms say about them.
    pub(crate) fn split(&self, cube: Cube) -> Result<Vec<Cube>, Stop> {
        if self.known.is_empty() {
            return Ok(vec![cube]);
        }
        let (mut left, mut done) = (vec![cube.clone()], Vec::new());
        while let Some(one) = left.pop() {
            match self.split_once(&one)? {
                Some(more) => left.extend(more),
                None => done.push(one),
            }
            if left.len() + done.len() > MOST_CUBES {
                return Ok(vec![cube]);
            }
        }
        Ok(done)
    }

    /// Whether no axiom adds anything to a set of states.
    pub(crate) fn is_settled(&self, cube: &Cube) -> bool {
        self.known.iter().all(|known| {
            let mut tuples = tuples(cube.processes, known.axiom.processes).into_iter();
            tuples.all(|tuple| !self.is_worth(cube, known, &tuple))
        })
    }

    /// A set that is split by one axiom about some of its processes; nothing if none adds anything.
    fn split_once(&self, cube: &Cube) -> Result<Option<Vec<Cube>>, Stop> {
        if cube.processes >= MOST_PROCESSES {
            return Ok(None);
        }
        for known in &self.known {
            for tuple in tuples(cube.processes, known.axiom.processes) {
                if !self.is_worth(cube, known, &tuple) {
                    continue;
                }
                return self.by(cube, known, &tuple).map(Some);
            }
        }
        Ok(None)
    }

    fn is_worth(&self, cube: &Cube, known: &Known<'_>, tuple: &[usize]) -> bool {
        if is_lasting(known.axiom) {
            let mut premises = known.premises.iter();
            return (1..tuple.len()).all(|place| !tuple[..place].contains(&tuple[place]))
                && premises.all(|premise| premise.is_written(cube, tuple))
                && !(0..cube.processes).any(|one| self.is_there(cube, known, tuple, one));
        }
        let mut cells: Vec<Place> = Vec::new();
        for premise in &known.premises {
            let cell = premise.cell(tuple);
            // Twice the same set has nothing new in common.
            if cells.contains(&cell) || cube.is(&cell, 0b01) || !premise.concerns(cube, tuple) {
                return false;
            }
            cells.push(cell);
        }
        let sure = cells.iter().all(|cell| cube.is(cell, 0b10));
        !sure || !(0..cube.processes).any(|one| self.is_there(cube, known, tuple, one))
    }

    /// Whether a process of the set is one that the axiom says there is.
    fn is_there(&self, cube: &Cube, known: &Known<'_>, tuple: &[usize], one: usize) -> bool {
        parts(&known.axiom.conclusion).into_iter().all(|part| {
            let mut at = [tuple, &[one]].concat();
            match of_formula(self.system, part, &mut at, cube.processes).as_deref() {
                Ok([literals]) => literals
                    .iter()
                    .all(|literal| cube.implies(self.system, literal)),
                _ => false,
            }
        })
    }

    fn by(&self, cube: &Cube, known: &Known<'_>, tuple: &[usize]) -> Result<Vec<Cube>, Stop> {
        let system = self.system;
        let mut cubes = Vec::new();
        let mut with = |processes: usize, more: Vec<Literal>| {
            let same: Vec<usize> = (0..cube.processes).collect();
            let own = cube.literals.iter();
            let own = own.map(|one| one.renamed(system, &same, cube.processes, processes));
            let literals: Vec<Literal> = own.chain(more).collect();
            cubes.extend(Cube::new(system, processes, literals));
        };
        let mut sure = Vec::new();
        for premise in known.premises.iter().filter(|_| !is_lasting(known.axiom)) {
            let cell = premise.cell(tuple);
            let mut not = sure.clone();
            not.push(Literal::In(cell.clone(), 0b01));
            with(cube.processes, not);
            sure.push(Literal::In(cell, 0b10));
        }
        for one in 0..=cube.processes {
            let processes = cube.processes.max(one + 1);
            let mut at = [tuple, &[one]].concat();
            let conclusion = &known.axiom.conclusion;
            for more in of_formula(system, conclusion, &mut at, processes)? {
                with(processes, [&sure[..], &more[..]].concat());
            }
        }
        Ok(cubes)
    }
}

/// What no variable of a system is called.
const NONE: VariableId = VariableId::new(u32::MAX);

impl Premise {
    fn cell(&self, tuple: &[usize]) -> Place {
        Place {
            variable: self.large,
            at: self.owner.map(|owner| tuple[owner]).into_iter().collect(),
        }
    }

    /// Whether a set of states says anything that hangs together with the premise.
    fn concerns(&self, cube: &Cube, tuple: &[usize]) -> bool {
        let named = |place: &Place| self.is_of(place, tuple) && place.variable == self.large;
        let mut literals = cube.literals.iter();
        literals.any(|literal| literal.places().into_iter().any(named))
            || self.is_written(cube, tuple)
    }

    /// Whether a set of states says what only a step can have brought about that asks for it.
    fn is_written(&self, cube: &Cube, tuple: &[usize]) -> bool {
        cube.literals.iter().any(|literal| match literal {
            Literal::In(place, values) => {
                let by = |(variable, news): &(VariableId, u64)| {
                    *variable == place.variable && values & !news == 0
                };
                self.is_of(place, tuple) && self.written.iter().any(by)
            }
            _ => false,
        })
    }

    fn is_of(&self, place: &Place, tuple: &[usize]) -> bool {
        self.owner
            .is_none_or(|owner| place.at.contains(&tuple[owner]))
    }
}

impl Cube {
    /// Whether a cell surely has the values of a set.
    fn is(&self, cell: &Place, values: u64) -> bool {
        self.literals.iter().any(|literal| match literal {
            Literal::In(place, known) => place == cell && *known == values,
            _ => false,
        })
    }
}

fn parts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().collect(),
        other => vec![other],
    }
}

/// Whether an axiom speaks of nothing that ever changes: then nothing but who is who is its premise.
fn is_lasting(axiom: &Axiom) -> bool {
    let mut spoken = Vec::new();
    cells(&axiom.premise, &mut spoken);
    axiom.processes > 0 && spoken.is_empty()
}

/// The variables that only remember: whether sets were large, and who was in them.
pub(crate) fn remembering(axiom: &Axiom) -> Vec<VariableId> {
    if is_lasting(axiom) {
        return Vec::new();
    }
    let premises = parts(&axiom.premise);
    // Behind the members stands what some are outside of.
    let conclusions = parts(&axiom.conclusion).into_iter().take(premises.len());
    let variables = premises.iter().copied().chain(conclusions);
    let variables = variables.filter_map(|part| match part {
        Formula::Compare(Term::Cell(place), ..) => Some(place.variable),
        _ => None,
    });
    variables.collect()
}

fn premise(
    system: &System,
    formula: &Formula,
    memory: &[VariableId],
    indirect: bool,
) -> Option<Premise> {
    let Formula::Compare(Term::Cell(place), Relation::Same, Term::Constant(1)) = formula else {
        return None;
    };
    let large = place.variable;
    let writes = |one: &&Transition| one.updates.iter().any(|update| update.variable == large);
    let writing = system.transitions.iter().filter(writes);
    let written = writing.flat_map(|one| writes_of(one, memory));
    let mut written: Vec<(VariableId, u64)> = written.collect();
    if indirect {
        add_consequences(system, memory, &mut written);
    }
    Some(Premise {
        large,
        owner: place.at.first().copied(),
        written,
    })
}

/// What is written by transitions that ask of all others what an axiom about things that never change says of one
/// of its processes.
fn asking(system: &System, axiom: &Axiom, one: usize) -> Premise {
    let mut spoken = Vec::new();
    cells(&axiom.conclusion, &mut spoken);
    spoken.retain(|place| place.at.contains(&one));
    let asks = |transition: &&Transition| {
        let mut asked = vec![false; system.variables.len()];
        of_all(&transition.guard, &mut asked);
        spoken.iter().any(|place| asked[place.variable.index()])
    };
    let asking = system.transitions.iter().filter(asks);
    Premise {
        large: NONE,
        owner: Some(one),
        written: asking.flat_map(|one| writes_of(one, &[])).collect(),
    }
}

/// Notes the variables that a condition asks of all others.
fn of_all(formula: &Formula, asked: &mut [bool]) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| of_all(part, asked));
        }
        Formula::ForallOther(body) => read(body, asked),
        _ => {}
    }
}

/// The cells that a formula without quantifiers speaks of.
fn cells<'a>(formula: &'a Formula, found: &mut Vec<&'a Place>) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| cells(part, found));
        }
        Formula::Compare(left, _, right) => {
            found.extend([left, right].into_iter().filter_map(|term| match term {
                Term::Cell(place) => Some(place),
                _ => None,
            }));
        }
        _ => {}
    }
}

/// What a transition may write into variables that do not only remember.
fn writes_of(transition: &Transition, memory: &[VariableId]) -> Vec<(VariableId, u64)> {
    let updates = transition.updates.iter();
    let updates = updates.filter(|update| !memory.contains(&update.variable));
    let written = updates.map(|update| {
        let news = update.cases.iter().map(|(_, value)| match value {
            Value::Is(Term::Constant(number)) => 1u64 << (number % 64),
            _ => u64::MAX,
        });
        (update.variable, news.fold(0, |all, news| all | news))
    });
    written.collect()
}

/// Adds what transitions write that ask for something that is written, or copy it.
fn add_consequences(system: &System, memory: &[VariableId], written: &mut Vec<(VariableId, u64)>) {
    loop {
        let mut more = Vec::new();
        for transition in &system.transitions {
            let follows = asks_for(&transition.guard, written);
            for update in &transition.updates {
                for (condition, value) in &update.cases {
                    let news = match value {
                        Value::Is(Term::Constant(number))
                            if follows || asks_for(condition, written) =>
                        {
                            vec![1u64 << (number % 64)]
                        }
                        Value::Is(Term::Cell(place)) => {
                            let own =
                                |(variable, _): &&(VariableId, u64)| *variable == place.variable;
                            written.iter().filter(own).map(|(_, news)| *news).collect()
                        }
                        _ => Vec::new(),
                    };
                    more.extend(news.into_iter().map(|news| (update.variable, news)));
                }
            }
        }
        let before = written.len();
        for news in more {
            if !memory.contains(&news.0) && !written.contains(&news) {
                written.push(news);
            }
        }
        if written.len() == before {
            return;
        }
    }
}

/// Whether a condition surely asks for something that is written.
fn asks_for(condition: &Formula, written: &[(VariableId, u64)]) -> bool {
    let mut asked = Vec::new();
    asks(condition, &mut asked);
    asked.iter().any(|(variable, value)| {
        let mut known = written.iter();
        known.any(|(one, news)| one == variable && value & !news == 0)
    })
}

/// The values that a condition surely asks for, of whomever.
fn asks(formula: &Formula, asked: &mut Vec<(VariableId, u64)>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| asks(part, asked)),
        Formula::ExistsOther(body) | Formula::Many(body, _) => asks(body, asked),
        Formula::Compare(Term::Cell(place), Relation::Same, Term::Constant(value))
        | Formula::Compare(Term::Constant(value), Relation::Same, Term::Cell(place)) => {
            asked.push((place.variable, 1u64 << (value % 64)));
        }
        _ => {}
    }
}

/// Every tuple, with repetitions.
fn tuples(below: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = all.iter();
        let longer = longer.flat_map(|tuple: &Vec<usize>| {
            (0..below).map(move |one| [&tuple[..], &[one]].concat())
        });
        all = longer.collect();
    }
    all
}

/// Whether a number is positive for every number of processes that is allowed.
fn is_positive(system: &System, amount: &Amount) -> bool {
    let processes = Place {
        variable: NONE,
        at: Vec::new(),
    };
    let sum = |amount: &Amount, sign: i64, constant: i64| {
        let amount = amount.times(sign, constant);
        let mut parts = amount.cells.clone();
        parts.push((amount.processes, processes.clone()));
        Literal::AtMostZero(parts, amount.constant)
    };
    // Not positive, although all that is known of sizes holds.
    let mut literals = vec![sum(amount, 1, 0)];
    literals.extend(system.sizes().iter().map(|size| sum(size, -1, 0)));
    literals.push(Literal::AtMostZero(vec![(-1, processes.clone())], 1));
    is_small(amount) && numbers::is_impossible(literals.iter())
}

/// Whether no number is so large that sums of it may have been cut off.
fn is_small(amount: &Amount) -> bool {
    let few = |number: i64| number.unsigned_abs() < 1 << 40;
    let mut cells = amount.cells.iter();
    few(amount.processes)
        && few(amount.constant)
        && amount.divided < 1 << 30
        && cells.all(|(factor, _)| few(*factor))
}
