//! What can be told apart by looking at it.
//!
//! Components, states and events get colours: at first by what they are by themselves, then
//! again and again by the colours around them, until no more are told apart. Colours are
//! numbers that a hash makes, so that those of two colourings can be compared. What they say
//! is a guess: it is checked afterwards.

use quotient_core::{Budget, Stop};

use crate::{ERROR, Network};

/// The colours of a network.
#[derive(Debug, Clone)]
pub(super) struct Colours {
    pub(super) components: Vec<u64>,
    /// The states of all components, one after the other.
    pub(super) states: Vec<u64>,
    pub(super) events: Vec<u64>,
}

/// A network, laid out to be coloured.
pub(super) struct Canvas<'a> {
    network: &'a Network,
    /// Where the states of each component begin.
    pub(super) first: Vec<usize>,
    edges: u64,
}

/// Multiply and fold.
fn mix(one: u64, other: u64) -> u64 {
    let wide = u128::from(one ^ 0x9E37_79B9_7F4A_7C15)
        * u128::from(other.rotate_left(32) ^ 0xC2B2_AE3D_27D4_EB4F);
    (wide >> 64) as u64 ^ wide as u64
}

const FORWARDS: u64 = 1;
const BACKWARDS: u64 = 2;
const ERRED: u64 = 3;

impl<'a> Canvas<'a> {
    pub(super) fn new(network: &'a Network) -> Canvas<'a> {
        let mut first = vec![0];
        let mut edges = 0;
        for part in network.components() {
            first.push(first[first.len() - 1] + part.lts.states());
            edges += (part.lts.transitions() + part.lts.alphabet().len()) as u64;
        }
        Canvas {
            network,
            first,
            edges,
        }
    }

    /// What a round looks at: edges and states.
    pub(super) fn work(&self) -> u64 {
        self.edges + self.first[self.first.len() - 1] as u64
    }

    /// The first colours: where components start and end, and which have errors.
    pub(super) fn plain(&self) -> Colours {
        let parts = self.network.components();
        let mut states = vec![0; self.first[parts.len()]];
        for (part, first) in parts.iter().zip(&self.first) {
            if part.lts.initial() != ERROR {
                states[first + part.lts.initial().index()] |= 1;
            }
            if let Some(end) = part.lts.end() {
                states[first + end.index()] |= 2;
            }
        }
        let mut events = vec![0; self.network.events().count() + 1];
        events[0] = 1;
        Colours {
            components: vec![0; parts.len()],
            states,
            events,
        }
    }

    /// Colours by what is around, until no more are told apart or a number of rounds is over:
    /// how many rounds it took.
    pub(super) fn refine(
        &self,
        colours: &mut Colours,
        rounds: Option<usize>,
        budget: &Budget,
    ) -> Result<usize, Stop> {
        let mut count = colours.count();
        let mut done = 0;
        loop {
            if rounds == Some(done) {
                return Ok(done);
            }
            budget.charge(self.work())?;
            self.round(colours);
            done += 1;
            let more = colours.count();
            if rounds.is_none() && more == count {
                return Ok(done);
            }
            count = more;
        }
    }

    fn round(&self, colours: &mut Colours) {
        let old = colours.clone();
        let mut around_events = vec![0u64; old.events.len()];
        let mut around_states = vec![0u64; old.states.len()];
        for (number, part) in self.network.components().iter().enumerate() {
            let (own, first) = (old.components[number], self.first[number]);
            let mut around = 0u64;
            for event in part.lts.alphabet() {
                let slot = &mut around_events[event.index()];
                *slot = slot.wrapping_add(mix(own, 0));
                around = around.wrapping_add(mix(old.events[event.index()], 0));
            }
            for (from, edge) in part.lts.all_edges() {
                let from = first + from.index();
                let event = old.events[edge.action.index()];
                let target = match edge.target {
                    ERROR => ERRED,
                    target => old.states[first + target.index()],
                };
                let forwards = mix(event, mix(target, FORWARDS));
                around_states[from] = around_states[from].wrapping_add(forwards);
                if edge.target != ERROR {
                    let slot = &mut around_states[first + edge.target.index()];
                    *slot = slot.wrapping_add(mix(event, mix(old.states[from], BACKWARDS)));
                }
                let slot = &mut around_events[edge.action.index()];
                *slot = slot.wrapping_add(mix(own, mix(old.states[from], target)));
            }
            let states = first..self.first[number + 1];
            for state in states {
                around = around.wrapping_add(mix(old.states[state], FORWARDS));
                let seen = mix(own, around_states[state]);
                colours.states[state] = mix(old.states[state], seen);
            }
            colours.components[number] = mix(own, around);
        }
        // Silence is what it is.
        for (colour, around) in colours.events.iter_mut().zip(around_events).skip(1) {
            *colour = mix(*colour, around);
        }
    }
}

impl Colours {
    fn count(&self) -> usize {
        let kinds = [&self.components, &self.states, &self.events];
        let count = |kind: &Vec<u64>| {
            let mut kind = kind.clone();
            kind.sort_unstable();
            kind.dedup();
            kind.len()
        };
        kinds.into_iter().map(count).sum()
    }

    /// Whether the same colours occur in another colouring, each as often.
    pub(super) fn match_with(&self, other: &Colours) -> bool {
        let sorted = |kind: &Vec<u64>| {
            let mut kind = kind.clone();
            kind.sort_unstable();
            kind
        };
        let same = |own: &Vec<u64>, other: &Vec<u64>| sorted(own) == sorted(other);
        same(&self.components, &other.components)
            && same(&self.events, &other.events)
            && same(&self.states, &other.states)
    }
}

/// For each thing of one colouring one of the other with the same colour; of several the first
/// goes with the first.
pub(super) fn pairing(own: &[u64], other: &[u64]) -> Option<Vec<usize>> {
    let sorted = |colours: &[u64]| {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_by_key(|&at| (colours[at], at));
        order
    };
    let mut pairs = vec![0; own.len()];
    for (&one, &two) in sorted(own).iter().zip(&sorted(other)) {
        if own[one] != other[two] {
            return None;
        }
        pairs[one] = two;
    }
    (own.len() == other.len()).then_some(pairs)
}
