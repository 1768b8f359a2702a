//! L#: telling states apart in a tree of observations.

use quotient_core::Stop;

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
    guess: Option<Machine>,
}

#[derive(Debug)]
struct Frontier {
    node: Node,
    /// Positions in the basis that are not told apart from it.
    candidates: Vec<u32>,
}

impl LSharp {
    pub(crate) fn new(letters: usize) -> LSharp {
        let tree = Tree {
            letters,
            children: vec![UNKNOWN; letters],
            origin: vec![(0, 0)],
        };
        LSharp {
            tree,
            basis: vec![0],
            frontier: Vec::new(),
            extended: 0,
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
            let mut isolated = None;
            for position in 0..self.frontier.len() {
                if self.identify(position, teacher)? {
                    isolated = Some(position);
                    break;
                }
            }
            let Some(position) = isolated else {
                return Ok(());
            };
            let node = self.frontier.swap_remove(position).node;
            let fresh = self.basis.len() as u32;
            self.basis.push(node);
            for frontier in &mut self.frontier {
                frontier.candidates.push(fresh);
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
                });
            }
        }
        Ok(())
    }

    /// Narrows the candidates of a frontier word to at most one; true if none is left.
    fn identify(&mut self, position: usize, teacher: &mut impl Membership) -> Result<bool, Stop> {
        let Frontier { node, candidates } = &mut self.frontier[position];
        let (tree, basis) = (&mut self.tree, &self.basis);
        loop {
            candidates.retain(|&at| tree.apart(*node, basis[at as usize]).is_none());
            let [first, second, ..] = candidates[..] else {
                return Ok(candidates.is_empty());
            };
            let Some(witness) = tree.apart(basis[first as usize], basis[second as usize]) else {
                return Err(Stop::inconclusive("two basis words are not apart"));
            };
            let mut word = tree.word(*node);
            word.extend(witness);
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
            for letter in 0..self.tree.letters as Letter {
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
}

impl Tree {
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
            self.children[node as usize * self.letters + letter as usize] = child;
            self.children
                .extend(std::iter::repeat_n(UNKNOWN, self.letters));
            self.origin.push((node, letter));
            node = child;
        }
        if let Some(&letter) = word.get(low) {
            self.children[node as usize * self.letters + letter as usize] = REJECTED;
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
            for letter in 0..self.letters as Letter {
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
