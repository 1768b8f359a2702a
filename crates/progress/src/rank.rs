//! Orders on words: lexicographic ones of what small machines write.

use rustc_hash::FxHashMap;

use crate::machine::Symbol;

/// From which end of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Left,
    Right,
}

/// What a component of an order may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// How many states its machine has.
    pub(crate) states: usize,
    /// How many bits the machine writes for each letter.
    pub(crate) bits: usize,
    /// From which end the machine reads.
    pub(crate) reads: End,
    /// From which end what it wrote is compared.
    pub(crate) weighs: End,
}

/// A component of an order: a machine that writes a weight for each letter.
#[derive(Debug, Clone)]
pub(crate) struct Component {
    pub(crate) part: Part,
    /// By state and letter.
    pub(crate) next: Vec<Vec<u32>>,
    /// By state and letter.
    pub(crate) weight: Vec<Vec<u32>>,
}

/// A relation between words of one length: a complete deterministic automaton on pairs of
/// letters. Those that are built here are strict orders: words are compared by what machines
/// make of them.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    pub(crate) letters: usize,
    pub(crate) start: u32,
    pub(crate) accepting: Vec<bool>,
    next: Vec<u32>,
}

const EQUAL: u8 = 0;
const GREATER: u8 = 1;
const SMALLER: u8 = 2;

/// More states than an order is worth, and more entries of its table.
const MOST_STATES: usize = 3_000;
const MOST_ENTRIES: usize = 4_000_000;

fn is_too_large(states: usize, pairs: usize) -> bool {
    states > MOST_STATES || states.saturating_mul(pairs) > MOST_ENTRIES
}

impl Relation {
    /// The order that compares words by the first component, then by the second, and so on.
    /// Nothing if it has too many states.
    pub(crate) fn of(components: &[Component], letters: usize) -> Option<Relation> {
        let mut whole = Verdicts::always_equal(letters);
        for component in components {
            let own = Verdicts::of(component, letters)?;
            whole = whole.then(&own)?.minimal();
        }
        let accepting: Vec<bool> = whole.told.iter().map(|&told| told == GREATER).collect();
        let binary = Verdicts {
            told: accepting.iter().map(|&yes| u8::from(yes)).collect(),
            ..whole
        };
        let binary = binary.minimal();
        Some(Relation {
            letters,
            start: binary.start,
            accepting: binary.told.iter().map(|&told| told == 1).collect(),
            next: binary.next,
        })
    }

    #[inline]
    pub(crate) fn step(&self, state: u32, left: Symbol, right: Symbol) -> u32 {
        let pairs = self.letters * self.letters;
        self.next[state as usize * pairs + left as usize * self.letters + right as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.accepting.len()
    }
}

/// A deterministic automaton on pairs of letters that tells how two words compare.
#[derive(Debug, Clone)]
struct Verdicts {
    letters: usize,
    start: u32,
    told: Vec<u8>,
    next: Vec<u32>,
}

impl Verdicts {
    fn always_equal(letters: usize) -> Verdicts {
        Verdicts {
            letters,
            start: 0,
            told: vec![EQUAL],
            next: vec![0; letters * letters],
        }
    }

    fn of(component: &Component, letters: usize) -> Option<Verdicts> {
        let states = 3 * component.part.states * component.part.states;
        if is_too_large(states, letters * letters) {
            return None;
        }
        let own = Verdicts::read_forward(component, letters);
        match component.part.reads {
            End::Left => Some(own.minimal()),
            End::Right => own.minimal().reversed(),
        }
    }

    /// Compares as if the machine's first letter were the first.
    fn read_forward(component: &Component, letters: usize) -> Verdicts {
        let Part {
            states,
            reads,
            weighs,
            ..
        } = component.part;
        let number = |left: u32, right: u32, told: u8| {
            (left as usize * states + right as usize) * 3 + told as usize
        };
        let size = states * states * 3;
        let mut told = vec![0; size];
        let mut next = vec![0; size * letters * letters];
        for (left, right, so_far) in (0..states as u32).flat_map(|left| {
            (0..states as u32).flat_map(move |right| (0..3u8).map(move |told| (left, right, told)))
        }) {
            let here = number(left, right, so_far);
            told[here] = so_far;
            for a in 0..letters {
                for b in 0..letters {
                    let one = component.weight[left as usize][a];
                    let other = component.weight[right as usize][b];
                    let now = match one.cmp(&other) {
                        std::cmp::Ordering::Less => SMALLER,
                        std::cmp::Ordering::Equal => EQUAL,
                        std::cmp::Ordering::Greater => GREATER,
                    };
                    // The first difference decides, or the last.
                    let keeps = match reads == weighs {
                        true => so_far != EQUAL,
                        false => now == EQUAL,
                    };
                    let verdict = if keeps { so_far } else { now };
                    let target = number(
                        component.next[left as usize][a],
                        component.next[right as usize][b],
                        verdict,
                    );
                    next[here * letters * letters + a * letters + b] = target as u32;
                }
            }
        }
        Verdicts {
            letters,
            start: number(0, 0, EQUAL) as u32,
            told,
            next,
        }
    }

    /// Tells of two words what this tells of them backwards: the states are what is told after
    /// each state here.
    fn reversed(&self) -> Option<Verdicts> {
        let pairs = self.letters * self.letters;
        let mut numbers: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        let mut all = vec![self.told.clone()];
        numbers.insert(self.told.clone(), 0);
        let mut next = Vec::new();
        let mut at = 0;
        while at < all.len() {
            if is_too_large(all.len(), pairs) {
                return None;
            }
            for pair in 0..pairs {
                let after: Vec<u8> = (0..self.told.len())
                    .map(|state| all[at][self.next[state * pairs + pair] as usize])
                    .collect();
                let fresh = all.len() as u32;
                let number = *numbers.entry(after).or_insert_with_key(|after| {
                    all.push(after.clone());
                    fresh
                });
                next.push(number);
            }
            at += 1;
        }
        let told = all.iter().map(|after| after[self.start as usize]);
        Some(Verdicts {
            letters: self.letters,
            start: 0,
            told: told.collect(),
            next,
        })
    }

    /// What this tells, or the other where this tells nothing.
    fn then(&self, other: &Verdicts) -> Option<Verdicts> {
        let pairs = self.letters * self.letters;
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut all = vec![(self.start, other.start)];
        numbers.insert(all[0], 0);
        let mut next = Vec::new();
        let mut at = 0;
        while at < all.len() {
            if is_too_large(all.len(), pairs) {
                return None;
            }
            let (one, two) = all[at];
            for pair in 0..pairs {
                let after = (
                    self.next[one as usize * pairs + pair],
                    other.next[two as usize * pairs + pair],
                );
                let fresh = all.len() as u32;
                let number = *numbers.entry(after).or_insert_with(|| {
                    all.push(after);
                    fresh
                });
                next.push(number);
            }
            at += 1;
        }
        let told = all.iter().map(|&(one, two)| match self.told[one as usize] {
            EQUAL => other.told[two as usize],
            told => told,
        });
        Some(Verdicts {
            letters: self.letters,
            start: 0,
            told: told.collect(),
            next,
        })
    }

    /// The smallest that tells the same (Moore).
    fn minimal(&self) -> Verdicts {
        let pairs = self.letters * self.letters;
        let mut class: Vec<u32> = self.told.iter().map(|&told| u32::from(told)).collect();
        let mut count = 0;
        loop {
            let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let finer: Vec<u32> = (0..self.told.len())
                .map(|state| {
                    let row = &self.next[state * pairs..][..pairs];
                    let key = row.iter().map(|&to| class[to as usize]).collect();
                    let fresh = numbers.len() as u32;
                    *numbers.entry((class[state], key)).or_insert(fresh)
                })
                .collect();
            class = finer;
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        let mut told = vec![0; count];
        let mut next = vec![0; count * pairs];
        for (state, &own) in class.iter().enumerate() {
            told[own as usize] = self.told[state];
            for pair in 0..pairs {
                next[own as usize * pairs + pair] = class[self.next[state * pairs + pair] as usize];
            }
        }
        Verdicts {
            letters: self.letters,
            start: class[self.start as usize],
            told,
            next,
        }
        .reachable()
    }

    /// Without states that no words lead to.
    fn reachable(&self) -> Verdicts {
        let pairs = self.letters * self.letters;
        let mut number = vec![u32::MAX; self.told.len()];
        let mut all = vec![self.start as usize];
        number[self.start as usize] = 0;
        let mut at = 0;
        while at < all.len() {
            for pair in 0..pairs {
                let to = self.next[all[at] * pairs + pair] as usize;
                if number[to] == u32::MAX {
                    number[to] = all.len() as u32;
                    all.push(to);
                }
            }
            at += 1;
        }
        Verdicts {
            letters: self.letters,
            start: 0,
            told: all.iter().map(|&state| self.told[state]).collect(),
            next: all
                .iter()
                .flat_map(|&state| &self.next[state * pairs..][..pairs])
                .map(|&to| number[to as usize])
                .collect(),
        }
    }
}
