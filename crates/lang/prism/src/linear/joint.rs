//! A model multiplied with the automata of several formulas at once, for objectives beside each other.
//!
//! Runs end, surely, in an end component of the product: where choices can stay for ever and come to
//! all of its states again and again. There all formulas are fulfilled whose automaton ends rounds in
//! it. So wherever one may stay for ever with some formulas fulfilled there is one more choice, to do
//! that, which leads to a state that stands for just these. What a formula is worth is then the
//! chance of reaching a state that stands for it, among others or alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_logic::Formula;
use quotient_markov::{ChoiceId, Markov, StateId};

use super::automaton::{Automaton, Place};
use super::product::{components, letters};
use crate::product::Laying;

/// A formula over sets of states of the model, of which the greatest chance is wanted.
pub(crate) struct Said<'a> {
    pub(crate) formula: &'a Formula<usize>,
    pub(crate) conditions: Vec<Bits>,
}

/// The product, from the only initial state of the model; states are in the order of a breadth-first
/// search, and last those that stand for formulas.
pub(crate) struct Joint {
    pub(crate) model: Markov,
    /// The state of the model that each state is; none (`u32::MAX`) for those that stand for formulas.
    places: Vec<u32>,
    /// The choice of the model that each choice is; none (`u32::MAX`) where time does not pass.
    origin: Vec<u32>,
    /// For each formula the states that stand for it.
    fulfilled: Vec<Bits>,
    /// For each goal the choices before which it has been reached.
    past: Vec<Bits>,
    /// The choices that are made again and again by who stays to fulfil formulas.
    within: Bits,
}

/// A state of the model, where each automaton is, and which goals have been reached.
type State = (u32, Vec<Place>, Vec<bool>);

impl Joint {
    /// The states that are in a set of the model.
    pub(crate) fn set(&self, set: &Bits) -> Bits {
        let mut found = Bits::with_capacity(self.places.len());
        let held = |at: &usize| set.contains(self.places[*at] as usize);
        let own = (0..self.places.len()).filter(|&at| self.places[at] != u32::MAX);
        found.extend(own.filter(held));
        found
    }

    /// The states that stand for a formula, by number.
    pub(crate) fn fulfilled(&self, formula: usize) -> &Bits {
        &self.fulfilled[formula]
    }

    /// Whether staying for ever to fulfil formulas earns nothing, by what each choice of the product earns:
    /// only then the choice to stay, which earns nothing, stands for that.
    pub(crate) fn stays_for_nothing<N: PartialEq>(&self, earned: &[N], nothing: &N) -> bool {
        let mut within = self.within.ones();
        within.all(|choice| earned[choice] == *nothing)
    }

    /// What each choice earns, by what those of the model do, perhaps until a goal is reached.
    pub(crate) fn earned<N: Clone>(
        &self,
        of_model: &[N],
        goal: Option<usize>,
        nothing: &N,
    ) -> Vec<N> {
        let past = goal.map(|goal| &self.past[goal]);
        let earned = |(at, &choice): (usize, &u32)| match past {
            Some(past) if past.contains(at) => nothing.clone(),
            _ => of_model.get(choice as usize).unwrap_or(nothing).clone(),
        };
        self.origin.iter().enumerate().map(earned).collect()
    }
}

/// Multiplies a model with formulas, and sets it beside goals, up to so many states.
pub(crate) fn joint(
    model: &Markov,
    said: &[Said<'_>],
    goals: &[Bits],
    most: usize,
    budget: &Budget,
) -> Result<Joint, Rejection> {
    let mut automata = Vec::new();
    for one in said {
        automata.push(letters(model, one.formula, &one.conditions, budget)?);
    }
    let found = reachable(model, &automata, goals, most, budget)?;
    let bare = found.laid(model, &automata, |_| None);
    let nothing = Bits::with_capacity(found.states.len());
    let (part, alive) = components(&bare.0, &nothing, budget)?;
    // What is fulfilled by staying in each component.
    let mut worth: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for at in alive.ones() {
        let places = found.states[at].1.iter().enumerate();
        let ends =
            places.filter(|(_, place)| matches!(place, Place::Committed { ended: true, .. }));
        worth
            .entry(part[at])
            .or_default()
            .extend(ends.map(|(number, _)| number));
    }
    worth.retain(|_, fulfilled| !fulfilled.is_empty());
    let kinds: BTreeSet<&BTreeSet<usize>> = worth.values().collect();
    let kinds: Vec<&BTreeSet<usize>> = kinds.into_iter().collect();
    let own = found.states.len();
    let stays = |at: usize| {
        let fulfilled = worth.get(&part[at]).filter(|_| alive.contains(at))?;
        let kind = kinds.binary_search(&fulfilled).ok()?;
        Some((own + kind) as u32)
    };
    let (model, origin, owner) = found.laid_with(model, &automata, stays, kinds.len());
    let many = own + kinds.len();
    let stands = |formula: usize| {
        let for_it = (0..kinds.len()).filter(|&kind| kinds[kind].contains(&formula));
        let mut set = Bits::with_capacity(many);
        set.extend(for_it.map(|kind| own + kind));
        set
    };
    let past = |goal: usize| {
        let reached = |at: usize| at < own && found.states[at].2[goal];
        let mut choices = Bits::with_capacity(owner.len());
        choices.extend((0..owner.len()).filter(|&choice| reached(owner[choice] as usize)));
        choices
    };
    let mut within = Bits::with_capacity(owner.len());
    within.extend((0..owner.len()).filter(|&choice| {
        let at = owner[choice] as usize;
        let mut targets = model.targets[model.branches_of(ChoiceId::from_index(choice))].iter();
        let stays = |to: usize| to < own && alive.contains(to) && part[to] == part[at];
        at < own
            && alive.contains(at)
            && worth.contains_key(&part[at])
            && targets.all(|&to| stays(to.index()))
    }));
    let mut places: Vec<u32> = found.states.iter().map(|state| state.0).collect();
    places.resize(many, u32::MAX);
    Ok(Joint {
        model,
        places,
        origin,
        fulfilled: (0..said.len()).map(stands).collect(),
        past: (0..goals.len()).map(past).collect(),
        within,
    })
}

/// The states of the product, and where the choices of each lead.
struct Found {
    states: Vec<State>,
    number_of: HashMap<State, u32>,
    goals: Vec<Bits>,
}

fn reachable(
    model: &Markov,
    automata: &[(Automaton, Vec<u64>)],
    goals: &[Bits],
    most: usize,
    budget: &Budget,
) -> Result<Found, Rejection> {
    let &[start] = &model.initial[..] else {
        let text = "several objectives are for models with one initial state";
        return Err(Rejection::unreadable(text));
    };
    let before = vec![Automaton::start(); automata.len()];
    let mut found = Found {
        states: Vec::new(),
        number_of: HashMap::new(),
        goals: goals.to_vec(),
    };
    found.add(found.after(&before, &vec![false; goals.len()], start.number(), automata));
    let mut at = 0;
    while at < found.states.len() {
        if found.states.len() > most {
            return Err(Rejection::unreadable(
                "the product with the formulas is too large to be looked at again",
            ));
        }
        let (state, places, reached) = found.states[at].clone();
        at += 1;
        for choice in model.choices_of(StateId::new(state)) {
            budget.charge(1)?;
            // The order of branches is nobody's: that of states counts.
            let mut targets = model.targets[model.branches_of(choice)].to_vec();
            targets.sort_unstable();
            for to in targets {
                found.add(found.after(&places, &reached, to.number(), automata));
            }
        }
        for next in committed(&places, automata) {
            budget.charge(1)?;
            found.add((state, next, reached.clone()));
        }
    }
    Ok(found)
}

/// Where the automata may be after one of them commits itself.
fn committed(places: &[Place], automata: &[(Automaton, Vec<u64>)]) -> Vec<Vec<Place>> {
    let mut all = Vec::new();
    for (number, (automaton, _)) in automata.iter().enumerate() {
        for to in automaton.commitments(places[number]) {
            let mut next = places.to_vec();
            next[number] = to;
            all.push(next);
        }
    }
    all
}

impl Found {
    fn add(&mut self, state: State) {
        if !self.number_of.contains_key(&state) {
            self.number_of
                .insert(state.clone(), self.states.len() as u32);
            self.states.push(state);
        }
    }

    /// The state after coming to one of the model.
    fn after(
        &self,
        places: &[Place],
        reached: &[bool],
        to: u32,
        automata: &[(Automaton, Vec<u64>)],
    ) -> State {
        let each = automata.iter().zip(places);
        let places =
            each.map(|((automaton, letters), &place)| automaton.step(place, letters[to as usize]));
        let reached = reached.iter().zip(&self.goals);
        let reached = reached.map(|(&one, goal)| one || goal.contains(to as usize));
        (to, places.collect(), reached.collect())
    }

    fn laid(
        &self,
        model: &Markov,
        automata: &[(Automaton, Vec<u64>)],
        stays: impl Fn(usize) -> Option<u32>,
    ) -> (Markov, Vec<u32>, Vec<u32>) {
        self.laid_with(model, automata, stays, 0)
    }

    /// The model, with one more choice where one may stay, and so many states that are never left; the
    /// choice of the model that each choice is, and its state.
    fn laid_with(
        &self,
        model: &Markov,
        automata: &[(Automaton, Vec<u64>)],
        stays: impl Fn(usize) -> Option<u32>,
        more: usize,
    ) -> (Markov, Vec<u32>, Vec<u32>) {
        let mut laying = Laying::new(model);
        let (mut origin, mut owner) = (Vec::new(), Vec::new());
        for (at, (state, places, reached)) in self.states.iter().enumerate() {
            for choice in model.choices_of(StateId::new(*state)) {
                let branches = model.branches_of(choice).map(|branch| {
                    let next =
                        self.after(places, reached, model.targets[branch].number(), automata);
                    (self.number_of[&next], branch)
                });
                laying.choice(branches);
                origin.push(choice.number());
                owner.push(at as u32);
            }
            let commits = committed(places, automata).into_iter();
            let commits = commits.map(|next| self.number_of[&(*state, next, reached.clone())]);
            for to in commits.chain(stays(at)) {
                laying.surely(to);
                origin.push(u32::MAX);
                owner.push(at as u32);
            }
            laying.end_state();
        }
        for at in self.states.len()..self.states.len() + more {
            laying.surely(at as u32);
            origin.push(u32::MAX);
            owner.push(at as u32);
            laying.end_state();
        }
        let none = Bits::with_capacity(self.states.len() + more);
        (laying.finish(none, vec![0]).model, origin, owner)
    }
}
