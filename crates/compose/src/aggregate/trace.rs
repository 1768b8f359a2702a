//! From what a small component does back to what all components do.
//!
//! Every node is given what its small form is to show and where that is to end; its whole then
//! has a way that shows it, and this way is what its two sides are to show. Where events were
//! taken for others, the node that took them for one chooses which of them it is each time, and
//! those that treat them alike follow.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::tree::{Node, Of, Tree};
use crate::{Action, ERROR, State};

/// Events that lead to a deadlock of the whole, if there is one.
pub(super) fn to_deadlock(tree: &Tree, budget: &Budget) -> Result<Option<Vec<Action>>, Stop> {
    let Some(last) = tree.nodes.len().checked_sub(1) else {
        // Nobody is there to do anything.
        return Ok(Some(Vec::new()));
    };
    match tree.nodes[last].stuck() {
        Some(_) => unfolded(tree, last, &[], Goal::Rest(Vec::new()), budget).map(Some),
        None => Ok(None),
    }
}

/// Events that lead to an error, if there is one: the first node that errs by itself shows it.
pub(super) fn to_error(tree: &Tree, budget: &Budget) -> Result<Option<Vec<Action>>, Stop> {
    let mut nodes = tree.nodes.iter();
    match nodes.position(|node| node.small.initial() == ERROR) {
        Some(node) => unfolded(tree, node, &[], Goal::Error, budget).map(Some),
        None => Ok(None),
    }
}

/// Events that show a word of the last small component and lead to one of its states.
pub(super) fn to_place(
    tree: &Tree,
    word: &[Action],
    place: State,
    budget: &Budget,
) -> Result<Vec<Action>, Stop> {
    let last = tree.nodes.len().saturating_sub(1);
    unfolded(tree, last, word, Goal::Place(place), budget)
}

/// Where what a node does is to end.
#[derive(Debug, Clone)]
enum Goal {
    /// Anywhere.
    Anywhere,
    /// In the error state.
    Error,
    /// In a state that does nothing unseen, and nothing but some of these events.
    Rest(Vec<Action>),
    /// In a state that is like this one of the small form.
    Place(State),
}

/// Something that happens once in the execution, as one node calls it.
#[derive(Debug, Clone, Copy)]
struct Happening {
    number: usize,
    event: Action,
}

/// What a node is to show.
#[derive(Debug, Clone)]
struct Task {
    word: Vec<Happening>,
    goal: Goal,
}

/// What the components of a node do while it shows a word of its small form and comes to a goal.
///
/// There always is such a way: states of one block can do the same, and one that is not busy for
/// ever comes to rest in its block, as its small form has; where only traces and refusals are the
/// same, there is a way with the same word that is at rest where no more is possible.
fn unfolded(
    tree: &Tree,
    root: usize,
    word: &[Action],
    goal: Goal,
    budget: &Budget,
) -> Result<Vec<Action>, Stop> {
    let mut unfolding = Unfolding {
        tree,
        tasks: vec![None; root + 1],
        paths: vec![None; root + 1],
        events: word.to_vec(),
    };
    let word = (0..).zip(word);
    unfolding.tasks[root] = Some(Task {
        word: word
            .map(|(number, &event)| Happening { number, event })
            .collect(),
        goal,
    });
    let inside = inside(tree, root);
    let mut open = vec![root];
    let is_ready = |node: usize, unfolding: &Unfolding<'_>| {
        let chooser = tree.chooser(node).filter(|&chooser| inside[chooser]);
        chooser.is_none_or(|chooser| unfolding.paths[chooser].is_some())
    };
    while let Some(at) = open.iter().position(|&node| is_ready(node, &unfolding)) {
        let node = open.swap_remove(at);
        open.extend(unfolding.go_on(node, budget)?);
    }
    match open.is_empty() {
        true => Ok(unfolding.all_together(root)),
        false => Err(Stop::inconclusive(
            "internal error: nobody chooses between events that are taken for one",
        )),
    }
}

/// The nodes that a node was made of, itself among them.
fn inside(tree: &Tree, root: usize) -> Vec<bool> {
    let mut inside = vec![false; root + 1];
    inside[root] = true;
    for node in (0..=root).rev() {
        if inside[node] {
            tree.nodes[node].of.nodes().for_each(|of| inside[of] = true);
        }
    }
    inside
}

struct Unfolding<'a> {
    tree: &'a Tree,
    tasks: Vec<Option<Task>>,
    /// What nodes do, by the names of their wholes.
    paths: Vec<Option<Vec<Happening>>>,
    /// What happens, by number, as the components call it.
    events: Vec<Action>,
}

impl Unfolding<'_> {
    /// Finds a way for one node, and says what those that it is made of are to do.
    fn go_on(&mut self, number: usize, budget: &Budget) -> Result<Vec<usize>, Stop> {
        let node = &self.tree.nodes[number];
        let Some(Task { word, goal }) = self.tasks[number].take() else {
            return Ok(Vec::new());
        };
        if let Of::Less(old) = node.of {
            self.tasks[old] = Some(self.chosen(number, word, goal));
            self.paths[number] = Some(Vec::new());
            return Ok(vec![old]);
        }
        let Way { path, before, last } = shortest(node, &word, &goal, budget)?;
        let path: Vec<Happening> = path
            .into_iter()
            .map(|(done, event)| Happening {
                number: match done {
                    Some(done) => word[done].number,
                    None => {
                        self.events.push(Action::TAU);
                        self.events.len() - 1
                    }
                },
                event,
            })
            .collect();
        let mut made_of = Vec::new();
        match &node.of {
            Of::Component(_) | Of::Less(_) => {
                for one in &path {
                    self.events[one.number] = one.event;
                }
            }
            Of::Pair {
                left,
                right,
                locals,
            } => {
                let sides = [*left, *right];
                let goals = self.goals(sides, &goal, locals, (before, last), path.last());
                for (side, goal) in sides.into_iter().zip(goals) {
                    let own = &self.tree.nodes[side].small;
                    let known = path.iter().copied().filter(|one| own.knows(one.event));
                    self.tasks[side] = Some(Task {
                        word: known.collect(),
                        goal,
                    });
                }
                made_of.extend(sides);
            }
        }
        self.paths[number] = Some(path);
        Ok(made_of)
    }

    /// What two sides are to come to.
    fn goals(
        &self,
        sides: [usize; 2],
        goal: &Goal,
        locals: &dyn Fn(State) -> Vec<State>,
        (before, last): (State, State),
        end: Option<&Happening>,
    ) -> [Goal; 2] {
        let small = |side: usize| &self.tree.nodes[sides[side]].small;
        match (goal, end) {
            (Goal::Anywhere, _) | (Goal::Error, None) => [Goal::Anywhere, Goal::Anywhere],
            (Goal::Error, Some(end)) => {
                let locals = locals(before);
                let errs = |side: usize| {
                    let mut after = small(side).successors(locals[side], end.event).iter();
                    after.any(|edge| edge.target == ERROR)
                };
                // One that errs is enough.
                match errs(0) {
                    true => [Goal::Error, Goal::Anywhere],
                    false => [Goal::Anywhere, Goal::Error],
                }
            }
            (Goal::Rest(_), _) => {
                let locals = locals(last);
                [0, 1].map(|side| {
                    let edges = small(side).edges(locals[side]).iter();
                    Goal::Rest(edges.map(|edge| edge.action).collect())
                })
            }
            (Goal::Place(_), _) => {
                let locals = locals(last);
                [0, 1].map(|side| Goal::Place(locals[side]))
            }
        }
    }

    /// What a node is to do that still tells events apart which were taken for one: what the node
    /// has chosen that took them so.
    fn chosen(&self, less: usize, word: Vec<Happening>, goal: Goal) -> Task {
        let chooser = self.tree.chooser(less);
        let merged = chooser.map(|chooser| &*self.tree.nodes[chooser].merged);
        let chosen: FxHashMap<usize, Action> = chooser
            .and_then(|chooser| self.paths.get(chooser)?.as_ref())
            .into_iter()
            .flatten()
            .map(|one| (one.number, one.event))
            .collect();
        let word = word.into_iter().map(|one| Happening {
            event: chosen.get(&one.number).copied().unwrap_or(one.event),
            ..one
        });
        let goal = match goal {
            Goal::Rest(mut events) => {
                let merged = merged.into_iter().flatten();
                let alike = merged.filter(|(_, kept)| events.contains(kept));
                let alike: Vec<Action> = alike.map(|&(gone, _)| gone).collect();
                events.extend(alike);
                Goal::Rest(events)
            }
            goal => goal,
        };
        Task {
            word: word.collect(),
            goal,
        }
    }

    /// What all components do, in an order that fits all of them.
    fn all_together(self, root: usize) -> Vec<Action> {
        let mut done: Vec<Vec<usize>> = vec![Vec::new(); root + 1];
        for (number, path) in self.paths.iter().enumerate() {
            let Some(path) = path else { continue };
            done[number] = match self.tree.nodes[number].of {
                Of::Component(_) => path.iter().map(|one| one.number).collect(),
                Of::Less(old) => std::mem::take(&mut done[old]),
                Of::Pair { left, right, .. } => {
                    let sides = [left, right].map(|side| {
                        let own = std::mem::take(&mut done[side]);
                        (side, own.into_iter())
                    });
                    self.merged(path, sides)
                }
            };
        }
        let all = std::mem::take(&mut done[root]);
        all.into_iter().map(|number| self.events[number]).collect()
    }

    /// What two sides do, by what they do together.
    fn merged(
        &self,
        path: &[Happening],
        mut sides: [(usize, std::vec::IntoIter<usize>); 2],
    ) -> Vec<usize> {
        let mut merged = Vec::new();
        for one in path.iter().filter(|one| !one.event.is_tau()) {
            for (side, own) in &mut sides {
                if self.tree.nodes[*side].small.knows(one.event) {
                    // What comes before the event is the side's own affair.
                    merged.extend(own.by_ref().take_while(|&number| number != one.number));
                }
            }
            merged.push(one.number);
        }
        for (_, own) in sides {
            merged.extend(own);
        }
        merged
    }
}

/// A way through a whole.
struct Way {
    /// The events, each with its place in the word if it shows.
    path: Vec<(Option<usize>, Action)>,
    /// The state before the last event.
    before: State,
    last: State,
}

/// A shortest way through the whole of a node that shows a word and ends in a goal. The error
/// state cannot be left.
fn shortest(node: &Node, word: &[Happening], goal: &Goal, budget: &Budget) -> Result<Way, Stop> {
    let names: FxHashMap<Action, Action> = node.merged.iter().copied().collect();
    // What an event shows as.
    let shown = |event: Action| {
        let name = names.get(&event).copied().unwrap_or(event);
        (!name.is_tau() && node.small.knows(name)).then_some(name)
    };
    let is_there = |state: State| match goal {
        Goal::Anywhere => true,
        Goal::Error => state == ERROR,
        Goal::Rest(allowed) => {
            let is_allowed = |event: Action| shown(event).is_some_and(|one| allowed.contains(&one));
            let mut edges = node.whole.edges(state).iter();
            edges.all(|edge| is_allowed(edge.action))
        }
        Goal::Place(place) => node.places.get(state.index()) == Some(place),
    };
    let start = (0, node.whole.initial());
    let mut origin: FxHashMap<(usize, State), ((usize, State), Action)> = FxHashMap::default();
    origin.insert(start, (start, Action::TAU));
    let mut todo = VecDeque::from([start]);
    while let Some(at) = todo.pop_front() {
        let (done, state) = at;
        budget.charge(1)?;
        if done == word.len() && is_there(state) {
            let before = origin[&at].0.1;
            let mut path = Vec::new();
            let mut at = at;
            while at != start {
                let (before, action) = origin[&at];
                path.push(((before.0 < at.0).then_some(before.0), action));
                at = before;
            }
            path.reverse();
            return Ok(Way {
                path,
                before,
                last: state,
            });
        }
        if state == ERROR {
            continue;
        }
        for edge in node.whole.edges(state) {
            let next = match shown(edge.action) {
                Some(name) if word.get(done).is_some_and(|one| one.event == name) => {
                    (done + 1, edge.target)
                }
                Some(_) => continue,
                None => (done, edge.target),
            };
            origin.entry(next).or_insert_with(|| {
                todo.push_back(next);
                (at, edge.action)
            });
        }
    }
    Err(Stop::inconclusive(
        "internal error: a small component does what its whole does not",
    ))
}
