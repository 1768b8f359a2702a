//! L#: telling states apart in a tree of observations.

use std::collections::hash_map::Entry;

use quotient_core::Stop;
use rustc_hash::FxHashMap;

use super::{Letter, Machine, Membership};

/// A word in the language, as a node of the tree of all words asked about.
type Node = u32;

const UNKNOWN: u32 = u32::MAX;
const REJECTED: u32 = u32::MAX - 1;

/// The tree, a *basis* of words that are known to lead to different states, and around it the
/// *frontier*: words one letter longer, each with the basis words that it may still equal.
#[derive(Debug)]
pub(crate) struct LSharp {
    tree: Tree,
    basis: Vec<Node>,
    frontier: Vec<Frontier>,
    /// How many words of the basis have all their longer words in the tree.
    extended: usize,
    /// Words that tell pairs of basis words apart.
    witnesses: FxHashMap<(u32, u32), Vec<Letter>>,
    guess: Option<Machine>,
}

#[derive(Debug)]
struct Frontier {
    node: Node,
    /// Positions in the basis that are not told apart from it.
    candidates: Vec<u32>,
    /// The time of the tree when that was last looked at.
    seen: u32,
}

impl LSharp {
    pub(crate) fn new(letters: usize) -> LSharp {
        let tree = Tree {
            letters,
            children: vec![UNKNOWN; letters],
            origin: vec![(0, 0)],
            known: vec![Known::default()],
            links: Vec::new(),
            changed: vec![0],
            clock: 1,
        };
        LSharp {
            tree,
            basis: vec![0],
            frontier: Vec::new(),
            extended: 0,
            witnesses: FxHashMap::default(),
            guess: None,
        }
    }

    pub(crate) fn hypothesis(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        loop {
            self.complete(teacher)?;
            let machine = self.build();
            match self.inconsistency(&machine) {
                None => {
                    self.guess = Some(machine.clone());
                    return Ok(machine);
                }
                Some(word) => self.separate(&machine, word, teacher)?,
            }
        }
    }

    pub(crate) fn counterexample(
        &mut self,
        word: &[Letter],
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        let Some(guess) = self.guess.take() else {
            return Ok(());
        };
        self.tree.ask(word, teacher)?;
        self.separate(&guess, word.to_vec(), teacher)
    }

    /// Asks until every frontier word equals at most one basis word, and moves those that
    /// equal none into the basis.
    fn complete(&mut self, teacher: &mut impl Membership) -> Result<(), Stop> {
        loop {
            while self.extended < self.basis.len() {
                self.extend(self.extended, teacher)?;
                self.extended += 1;
            }
            let before = self.basis.len();
            let mut position = 0;
            while position < self.frontier.len() {
                if !self.identify(position, teacher)? {
                    position += 1;
                    continue;
                }
                let node = self.frontier.swap_remove(position).node;
                let fresh = self.basis.len() as u32;
                self.basis.push(node);
                for frontier in &mut self.frontier {
                    if self.tree.apart(frontier.node, node).is_none() {
                        frontier.candidates.push(fresh);
                    }
                }
                position = 0;
            }
            if self.basis.len() == before {
                return Ok(());
            }
        }
    }

    /// Asks about the words one letter longer than a basis word.
    fn extend(&mut self, position: usize, teacher: &mut impl Membership) -> Result<(), Stop> {
        let node = self.basis[position];
        for letter in 0..self.tree.letters as Letter {
            let mut word = self.tree.word(node);
            word.push(letter);
            if self.tree.child(node, letter) == UNKNOWN {
                self.tree.ask(&word, teacher)?;
            }
            let child = self.tree.child(node, letter);
            if child != REJECTED && !self.basis.contains(&child) {
                self.frontier.push(Frontier {
                    node: child,
                    candidates: (0..self.basis.len() as u32).collect(),
                    seen: 0,
                });
            }
        }
        Ok(())
    }

    /// Narrows the candidates of a frontier word to at most one; true if none is left.
    fn identify(&mut self, position: usize, teacher: &mut impl Membership) -> Result<bool, Stop> {
        let (tree, basis) = (&mut self.tree, &self.basis);
        let Frontier {
            node,
            candidates,
            seen,
        } = &mut self.frontier[position];
        loop {
            // Two words are told apart only by what was learned about one of them since.
            let own = tree.changed[*node as usize] > *seen;
            candidates.retain(|&at| {
                let other = basis[at as usize];
                let is_old = !own && tree.changed[other as usize] <= *seen;
                is_old || tree.apart(*node, other).is_none()
            });
            *seen = tree.clock;
            let [first, second, ..] = candidates[..] else {
                return Ok(candidates.is_empty());
            };
            let witness = match self.witnesses.entry((first, second)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(slot) => {
                    let (first, second) = (basis[first as usize], basis[second as usize]);
                    let Some(witness) = tree.apart(first, second) else {
                        return Err(Stop::inconclusive("two basis words are not apart"));
                    };
                    slot.insert(witness)
                }
            };
            let mut word = tree.word(*node);
            word.extend_from_slice(witness);
            tree.ask(&word, teacher)?;
        }
    }

    fn build(&self) -> Machine {
        let mut place = vec![UNKNOWN; self.tree.origin.len()];
        for (position, &node) in self.basis.iter().enumerate() {
            place[node as usize] = position as u32;
        }
        for frontier in &self.frontier {
            place[frontier.node as usize] = frontier.candidates[0];
        }
        let mut machine = Machine::new(self.tree.letters);
        for &node in &self.basis {
            let letters = 0..self.tree.letters as Letter;
            machine.push(letters.map(|letter| match self.tree.child(node, letter) {
                REJECTED | UNKNOWN => Machine::REJECT,
                child => place[child as usize],
            }));
        }
        machine
    }

    /// A word of the tree on which a machine is wrong.
    fn inconsistency(&self, machine: &Machine) -> Option<Vec<Letter>> {
        let mut todo = vec![(0, 0)];
        while let Some((node, state)) = todo.pop() {
            for letter in self.tree.letters_of(node) {
                match (self.tree.child(node, letter), machine.step(state, letter)) {
                    (UNKNOWN, _) | (REJECTED, Machine::REJECT) => {}
                    (REJECTED, _) | (_, Machine::REJECT) => {
                        let mut word = self.tree.word(node);
                        word.push(letter);
                        return Some(word);
                    }
                    (child, next) => todo.push((child, next)),
                }
            }
        }
        None
    }

    /// Shortens a word on which a machine is wrong until a frontier word is told apart from
    /// the basis word that the machine takes it for.
    fn separate(
        &mut self,
        machine: &Machine,
        mut word: Vec<Letter>,
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        loop {
            let Some(conflict) = self.conflict(machine, &word) else {
                return Ok(());
            };
            word.truncate(conflict.length);
            let inside = self.frontier_prefix(&word);
            if inside >= word.len() {
                return Ok(());
            }
            let half = (inside + word.len()) / 2;
            let state = word[..half]
                .iter()
                .fold(0, |s, &letter| machine.step(s, letter));
            let mut other = self.tree.word(self.basis[state as usize]);
            other.extend_from_slice(&word[half..]);
            let mut question = other.clone();
            question.extend(conflict.witness);
            self.tree.ask(&question, teacher)?;
            let Some(node) = self.tree.find(&word[..half]) else {
                return Err(Stop::inconclusive("a word left the tree of observations"));
            };
            match self.tree.apart(node, self.basis[state as usize]).is_some() {
                true => word.truncate(half),
                false => word = other,
            }
        }
    }

    /// The least prefix of a word that the tree tells apart from where a machine takes it.
    fn conflict(&self, machine: &Machine, word: &[Letter]) -> Option<Conflict> {
        let (mut node, mut state) = (0, 0);
        for length in 0..=word.len() {
            if let Some(witness) = self.tree.apart(node, self.basis[state as usize]) {
                return Some(Conflict { length, witness });
            }
            let &letter = word.get(length)?;
            let (child, next) = (self.tree.child(node, letter), machine.step(state, letter));
            if matches!(child, UNKNOWN | REJECTED) || next == Machine::REJECT {
                return None;
            }
            (node, state) = (child, next);
        }
        None
    }

    /// How many letters of a word of the tree lead out of the basis.
    fn frontier_prefix(&self, word: &[Letter]) -> usize {
        let mut node = 0;
        for (length, &letter) in word.iter().enumerate() {
            if !self.basis.contains(&node) {
                return length;
            }
            node = self.tree.child(node, letter);
        }
        word.len()
    }
}

struct Conflict {
    length: usize,
    witness: Vec<Letter>,
}

#[derive(Debug)]
struct Tree {
    letters: usize,
    /// `children[node * letters + letter]`: a node, [`REJECTED`] or [`UNKNOWN`].
    children: Vec<u32>,
    /// The parent of each node and the letter from it.
    origin: Vec<(Node, Letter)>,
    /// The letters whose child is known, as a list in `links`, for each node.
    known: Vec<Known>,
    /// A letter, and the position of the next plus one.
    links: Vec<(Letter, u32)>,
    /// When something was last learned about words that begin with a node's.
    changed: Vec<u32>,
    clock: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The position of the first in `links` plus one, 0 for none.
    first: u32,
    count: u32,
}

impl Tree {
    /// The letters whose child is known.
    fn letters_of(&self, node: Node) -> impl Iterator<Item = Letter> + '_ {
        let mut next = self.known[node as usize].first;
        std::iter::from_fn(move || {
            let at = next.checked_sub(1)?;
            let (letter, after) = self.links[at as usize];
            next = after;
            Some(letter)
        })
    }

    fn set(&mut self, node: Node, letter: Letter, child: u32) {
        self.children[node as usize * self.letters + letter as usize] = child;
        let known = &mut self.known[node as usize];
        self.links.push((letter, known.first));
        known.first = self.links.len() as u32;
        known.count += 1;
    }

    fn child(&self, node: Node, letter: Letter) -> u32 {
        self.children[node as usize * self.letters + letter as usize]
    }

    fn word(&self, mut node: Node) -> Vec<Letter> {
        let mut word = Vec::new();
        while node != 0 {
            let (parent, letter) = self.origin[node as usize];
            word.push(letter);
            node = parent;
        }
        word.reverse();
        word
    }

    fn find(&self, word: &[Letter]) -> Option<Node> {
        let mut node = 0;
        for &letter in word {
            node = self.child(node, letter);
            if matches!(node, UNKNOWN | REJECTED) {
                return None;
            }
        }
        Some(node)
    }

    /// Makes the answer for a word known. Words before a rejected one are found by halving.
    fn ask(&mut self, word: &[Letter], teacher: &mut impl Membership) -> Result<(), Stop> {
        let mut node = 0;
        let mut known = 0;
        while known < word.len() {
            match self.child(node, word[known]) {
                REJECTED => return Ok(()),
                UNKNOWN => break,
                child => node = child,
            }
            known += 1;
        }
        if known == word.len() {
            return Ok(());
        }
        // The longest accepted prefix has at least `low` letters and less than `high`.
        let (mut low, mut high) = (known, word.len() + 1);
        if teacher.accepts(word)? {
            low = word.len();
        } else {
            high = word.len();
        }
        while high - low > 1 {
            let middle = (low + high) / 2;
            match teacher.accepts(&word[..middle])? {
                true => low = middle,
                false => high = middle,
            }
        }
        for &letter in &word[known..low] {
            let child = self.origin.len() as Node;
            self.set(node, letter, child);
            self.children
                .extend(std::iter::repeat_n(UNKNOWN, self.letters));
            self.known.push(Known::default());
            self.origin.push((node, letter));
            self.changed.push(self.clock);
            node = child;
        }
        if let Some(&letter) = word.get(low) {
            self.set(node, letter, REJECTED);
        }
        self.clock += 1;
        while self.changed[node as usize] != self.clock {
            self.changed[node as usize] = self.clock;
            node = self.origin[node as usize].0;
        }
        Ok(())
    }

    /// A word that is known to be accepted after one node and rejected after the other.
    fn apart(&self, left: Node, right: Node) -> Option<Vec<Letter>> {
        if left == right {
            return None;
        }
        let mut todo = vec![(left, right)];
        while let Some((l, r)) = todo.pop() {
            let count = |node: Node| self.known[node as usize].count;
            let fewer = if count(l) <= count(r) { l } else { r };
            for letter in self.letters_of(fewer) {
                match (self.child(l, letter), self.child(r, letter)) {
                    (UNKNOWN, _) | (_, UNKNOWN) | (REJECTED, REJECTED) => {}
                    (REJECTED, _) | (_, REJECTED) => {
                        let deep = self.word(l);
                        let mut witness = deep[self.depth(left)..].to_vec();
                        witness.push(letter);
                        return Some(witness);
                    }
                    pair => todo.push(pair),
                }
            }
        }
        None
    }

    fn depth(&self, mut node: Node) -> usize {
        let mut depth = 0;
        while node != 0 {
            node = self.origin[node as usize].0;
            depth += 1;
        }
        depth
    }
}
