//! Smaller networks that tell where a larger one ends up.
//!
//! A variable that does not influence itself is replaced by its function (Naldi, Remy, Thieffry and
//! Chaouiya 2011). The steady states stay the same. A step of the smaller network is a path of the
//! larger one, between states in which the variable has the value of its function; and every state of
//! the larger one leads to such a state. So what an attractor of the larger network has of these states
//! is not left in the smaller one, and contains one of its attractors: all attractors of the larger
//! network are among the states that are reached from attractors of the smaller one (Tonello and
//! Paulevé 2022). There may be fewer of them, which is why they are searched again with every few
//! variables that come back.

use oxidd::{BooleanFunction, Function, FunctionSubst, Subst};
use quotient_core::Stop;

use crate::landscape::{Landscape, Set};
use crate::network::regulators;
use crate::signs::{self, in_depth};

/// Some variables with their functions, which mention no others.
pub(crate) struct Reduced<'a> {
    landscape: &'a Landscape<'a>,
    /// The variables that are left.
    pub(crate) left: Vec<usize>,
    /// The function of each variable, also of those that were replaced.
    pub(crate) functions: Vec<Set>,
    /// What each function depends on.
    pub(crate) sources: Vec<Vec<usize>>,
    replaced: Vec<Replaced>,
}

/// A variable that was replaced by its function.
struct Replaced {
    at: usize,
    /// The functions of others before, with what they depended on.
    others: Vec<(usize, Set, Vec<usize>)>,
}

impl<'a> Reduced<'a> {
    /// Variables that no others influence, none of them replaced.
    pub(crate) fn new(landscape: &'a Landscape<'a>, left: &[usize]) -> Result<Reduced<'a>, Stop> {
        let mut sources = Vec::new();
        for (at, update) in landscape.network.updates.iter().enumerate() {
            let mut mentioned = Vec::new();
            regulators(update, &mut mentioned);
            sources.push(landscape.support(&landscape.functions[at], mentioned)?);
        }
        Ok(Reduced {
            landscape,
            left: left.to_vec(),
            functions: landscape.functions.clone(),
            sources,
            replaced: Vec::new(),
        })
    }

    /// The same with some variables that never leave a value once they have it, such that every
    /// attractor contains one of the steady states.
    ///
    /// With fewer steps an attractor still contains some set of states that is not left. Where no circle with
    /// an odd number of inhibitions is left among the others, such a set is a single state
    /// (Richard 2010, Trinh, Hiraishi and Benhamou 2022).
    pub(crate) fn held(landscape: &'a Landscape<'a>, left: &[usize]) -> Result<Reduced<'a>, Stop> {
        let mut reduced = Reduced::new(landscape, left)?;
        let mut arrows = Vec::new();
        for &to in left {
            for &from in &reduced.sources[to] {
                if let Some(sign) = landscape.sign(&reduced.functions[to], from)? {
                    arrows.push((from, to, sign));
                }
            }
        }
        let held = signs::held(reduced.functions.len(), &arrows);
        for &at in left.iter().filter(|&&at| held[at]) {
            let own = landscape.variable(at)?;
            let function = &reduced.functions[at];
            let opposite = landscape.run(|| function.not())?;
            // The value that the function has more often.
            let all = held.len();
            let held = match landscape.count(function, all) >= landscape.count(&opposite, all) {
                true => landscape.run(|| function.or(&own))?,
                false => landscape.run(|| function.and(&own))?,
            };
            let mut mentioned = reduced.sources[at].clone();
            if !mentioned.contains(&at) {
                mentioned.push(at);
            }
            reduced.sources[at] = landscape.support(&held, mentioned)?;
            reduced.functions[at] = held;
        }
        Ok(reduced)
    }

    /// The steady states of the variables that are left.
    pub(crate) fn steady(&self) -> Result<Set, Stop> {
        // Small conditions first, so that what they exclude is excluded early.
        let mut left = self.left.clone();
        left.sort_by_key(|&at| (self.functions[at].node_count(), at));
        let mut steady = self.landscape.constant(true);
        for at in left {
            let same = self.agrees(at)?;
            steady = self.landscape.run(|| steady.and(&same))?;
        }
        Ok(steady)
    }

    /// The states in which a variable has the value of its function.
    fn agrees(&self, at: usize) -> Result<Set, Stop> {
        let own = self.landscape.variable(at)?;
        self.landscape.run(|| self.functions[at].equiv(&own))
    }

    /// A set of states in which the variables that were replaced have the values of their functions.
    pub(crate) fn lifted(&self, mut states: Set) -> Result<Set, Stop> {
        for replaced in self.replaced.iter().rev() {
            let agrees = self.agrees(replaced.at)?;
            states = self.landscape.run(|| states.and(&agrees))?;
        }
        Ok(states)
    }

    /// The same, unless it needs more nodes on the way.
    pub(crate) fn lifted_if_easy(&self, mut states: Set, most: usize) -> Result<Option<Set>, Stop> {
        for replaced in self.replaced.iter().rev() {
            if states.node_count() > most {
                return Ok(None);
            }
            let agrees = self.agrees(replaced.at)?;
            states = self.landscape.run(|| states.and(&agrees))?;
        }
        Ok(Some(states))
    }

    /// Replaces variables as long as functions do not become larger than so many nodes.
    pub(crate) fn reduce(&mut self, most: usize) -> Result<(), Stop> {
        while let Some(at) = self.replaceable(most) {
            self.left.retain(|&one| one != at);
            let function = self.functions[at].clone();
            let subst = Subst::new(vec![self.landscape.levels[at]], vec![function]);
            let mut others = Vec::new();
            for &other in &self.left {
                if !self.sources[other].contains(&at) {
                    continue;
                }
                let old = self.functions[other].clone();
                let new = self.landscape.run(|| old.substitute(&subst))?;
                let mut mentioned = self.sources[other].clone();
                mentioned.retain(|&one| one != at);
                for &source in &self.sources[at] {
                    if !mentioned.contains(&source) {
                        mentioned.push(source);
                    }
                }
                let mentioned = self.landscape.support(&new, mentioned)?;
                self.functions[other] = new;
                others.push((
                    other,
                    old,
                    std::mem::replace(&mut self.sources[other], mentioned),
                ));
            }
            self.replaced.push(Replaced { at, others });
        }
        Ok(())
    }

    /// The next variable to be replaced: one that does not influence itself, with a small function
    /// and few others that it influences.
    fn replaceable(&self, most: usize) -> Option<usize> {
        let sizes: Vec<usize> = (self.functions.iter())
            .map(|function| function.node_count())
            .collect();
        let mut costs = vec![0usize; sizes.len()];
        for &other in &self.left {
            for &at in &self.sources[other] {
                costs[at] = costs[at].saturating_add(sizes[at] * sizes[other]);
            }
        }
        (self.left.iter().copied())
            .filter(|&at| sizes[at] <= most && !self.sources[at].contains(&at))
            .min_by_key(|&at| (costs[at], at))
    }

    /// The variables that are left: those that change, and inputs. What keeps its value only because
    /// others were replaced counts as one that changes, as it will again.
    pub(crate) fn moving(&self) -> Result<(Vec<usize>, Vec<usize>), Stop> {
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        for &at in &self.left {
            let own = self.landscape.variable(at)?;
            match self.landscape.functions[at] == own {
                true => still.push(at),
                false => moving.push(at),
            }
        }
        Ok((moving, still))
    }

    /// Takes back the last few variables that were replaced; gives for each the states in which it
    /// has the value of its function.
    pub(crate) fn restore(&mut self, many: usize) -> Result<Vec<Set>, Stop> {
        let mut agree = Vec::new();
        for _ in 0..many {
            let Some(Replaced { at, others }) = self.replaced.pop() else {
                break;
            };
            agree.push(self.agrees(at)?);
            for (other, function, sources) in others {
                self.functions[other] = function;
                self.sources[other] = sources;
            }
            self.left.push(at);
        }
        Ok(agree)
    }

    /// How many variables were replaced.
    pub(crate) fn replaced(&self) -> usize {
        self.replaced.len()
    }

    /// Gives the replaced variables of a state the values of their functions.
    pub(crate) fn complete(&self, state: &mut [bool]) {
        for replaced in self.replaced.iter().rev() {
            state[replaced.at] = self.landscape.value(&self.functions[replaced.at], state);
        }
    }

    /// The variables that change in blocks, each of which is influenced only by what does not change,
    /// itself and those before.
    pub(crate) fn blocks(&self, moving: &[usize]) -> Vec<Vec<usize>> {
        /// Blocks are taken together up to so many variables.
        const SMALL_BLOCK: usize = 6;
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.functions.len()];
        for &at in moving {
            for &source in &self.sources[at] {
                targets[source].push(at);
            }
        }
        // Two searches in depth: who is left last leads to all others (after Kosaraju).
        let mut seen: Vec<bool> = vec![true; targets.len()];
        moving.iter().for_each(|&at| seen[at] = false);
        let mut finished = Vec::new();
        for &start in moving {
            finished.extend(in_depth(start, &targets, &mut seen));
        }
        moving.iter().for_each(|&at| seen[at] = false);
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for &start in finished.iter().rev() {
            let part = in_depth(start, &self.sources, &mut seen);
            match blocks.last_mut() {
                Some(last) if last.len() + part.len() <= SMALL_BLOCK => last.extend(part),
                _ if part.is_empty() => {}
                _ => blocks.push(part),
            }
        }
        blocks
    }
}
