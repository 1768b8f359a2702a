//! Many words, told apart by suffixes that are not asked of all of them.
//!
//! In a table of many thousand rows most suffixes tell only few rows apart. From some size on
//! the rows are the leaves of a tree of suffixes instead (Balcázar, Díaz, Gavaldà and Watanabe,
//! 1997, call that an observation pack): a word is asked the suffixes on its way down. And
//! since a premise is then long to check, the pack looks for more classes by itself before it
//! makes a guess: two words of one class after which a letter leads to different classes
//! (Angluin's condition of consistency, for all words that it has met) make two classes.

use quotient_core::Stop;

use super::super::{Letter, Machine, Membership, Position};

/// Words in classes.
#[derive(Debug)]
pub(super) struct Pack {
    letters: usize,
    /// Where a word of each class leads; the first is the empty word.
    prefixes: Vec<Position>,
    /// Where each prefix with each letter leads, as far as it was asked.
    longer: Vec<Position>,
    nodes: Vec<Node>,
    /// The leaf of each class.
    leaves: Vec<u32>,
    /// How far down the tree each position is known to be, or [`UNMET`].
    place: Vec<u32>,
    /// The positions met, in order.
    met: Vec<Position>,
    /// How often a suffix was asked.
    asked: u64,
}

#[derive(Debug)]
struct Node {
    parent: u32,
    depth: u32,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// All words here are of one class.
    Leaf(u32),
    /// A suffix, and where words go whose extension is outside or inside the language.
    Ask(Vec<Letter>, [u32; 2]),
}

const ROOT: u32 = 0;
const UNMET: u32 = u32::MAX;
/// How many positions for each class are looked at before a guess.
const LOOKED_AT: usize = 8;

impl Pack {
    /// From words with pairwise different rows, given as bits, a suffix each.
    pub(super) fn new(
        letters: usize,
        prefixes: Vec<Position>,
        suffixes: &[Vec<Letter>],
        rows: &[Vec<u64>],
    ) -> Pack {
        let mut pack = Pack {
            letters,
            longer: Vec::new(),
            nodes: Vec::new(),
            leaves: vec![ROOT; prefixes.len()],
            place: Vec::new(),
            met: Vec::new(),
            prefixes,
            asked: 0,
        };
        pack.nodes.push(Node {
            parent: ROOT,
            depth: 0,
            kind: Kind::Leaf(0),
        });
        let all: Vec<u32> = (0..pack.prefixes.len() as u32).collect();
        let mut waiting = vec![(ROOT, all)];
        while let Some((node, classes)) = waiting.pop() {
            let bit = |class: u32, at: usize| rows[class as usize][at / 64] >> (at % 64) & 1 == 1;
            let parting = |&at: &usize| classes.iter().any(|&c| bit(c, at) != bit(classes[0], at));
            let Some(at) = (0..suffixes.len()).find(parting) else {
                pack.nodes[node as usize].kind = Kind::Leaf(classes[0]);
                pack.leaves[classes[0] as usize] = node;
                continue;
            };
            let (inside, outside) = classes.iter().partition(|&&class| bit(class, at));
            let children = pack.branch(node, suffixes[at].clone());
            waiting.push((children[0], outside));
            waiting.push((children[1], inside));
        }
        for (class, &position) in pack.prefixes.clone().iter().enumerate() {
            pack.settle(position, pack.leaves[class]);
        }
        pack
    }

    pub(super) fn prefix(&self, class: u32) -> Position {
        self.prefixes[class as usize]
    }

    /// The present guess; there may be up to twice as many classes as before.
    pub(super) fn hypothesis(&mut self, teacher: &mut impl Membership) -> Result<Machine, Stop> {
        let asked = self.asked;
        let most = 2 * self.prefixes.len();
        self.close(teacher)?;
        while self.prefixes.len() < most && self.part(most, teacher)? {
            self.close(teacher)?;
        }
        let mut machine = Machine::new(self.letters);
        for class in 0..self.prefixes.len() {
            let row = class * self.letters..(class + 1) * self.letters;
            let mut targets = Vec::with_capacity(self.letters);
            for at in row {
                targets.push(self.class(self.longer[at], teacher)?);
            }
            machine.push(targets);
        }
        teacher.count(self.asked - asked, 0);
        Ok(machine)
    }

    /// Parts a class: a position that was taken for a word of it, and its prefix, must go to
    /// different sides after a suffix; else nothing happens.
    pub(super) fn split(
        &mut self,
        class: u32,
        position: Position,
        suffix: Vec<Letter>,
        teacher: &mut impl Membership,
    ) -> Result<(), Stop> {
        let inside = teacher.accepts_after(position, &suffix)?;
        self.asked += 2;
        if inside == teacher.accepts_after(self.prefix(class), &suffix)? {
            return Ok(());
        }
        let children = self.branch(self.leaves[class as usize], suffix);
        let (own, old) = (
            children[usize::from(inside)],
            children[usize::from(!inside)],
        );
        let fresh = self.prefixes.len() as u32;
        self.nodes[old as usize].kind = Kind::Leaf(class);
        self.leaves[class as usize] = old;
        self.nodes[own as usize].kind = Kind::Leaf(fresh);
        self.leaves.push(own);
        self.prefixes.push(position);
        self.settle(self.prefix(class), old);
        self.settle(position, own);
        Ok(())
    }

    /// Asks where all prefixes go with one more letter.
    fn close(&mut self, teacher: &mut impl Membership) -> Result<(), Stop> {
        for at in self.longer.len()..self.prefixes.len() * self.letters {
            let (class, letter) = (at / self.letters, at % self.letters);
            let longer = teacher.step(self.prefixes[class], letter as Letter)?;
            self.longer.push(longer);
            self.class(longer, teacher)?;
        }
        Ok(())
    }

    /// Parts classes in which a letter leads two words to different classes; whether there
    /// were any.
    fn part(&mut self, most: usize, teacher: &mut impl Membership) -> Result<bool, Stop> {
        let before = self.prefixes.len();
        let mut looked_at = 0;
        while looked_at < self.met.len().min(LOOKED_AT * before) && self.prefixes.len() < most {
            let position = self.met[looked_at];
            looked_at += 1;
            let class = self.class(position, teacher)?;
            // A new class has no successors yet.
            let known = (class as usize + 1) * self.letters <= self.longer.len();
            if !known || self.prefix(class) == position {
                continue;
            }
            for letter in 0..self.letters {
                let own = teacher.step(position, letter as Letter)?;
                let its = self.longer[class as usize * self.letters + letter];
                if own == its {
                    continue;
                }
                let (own, its) = (self.class(own, teacher)?, self.class(its, teacher)?);
                if own != its {
                    let mut suffix = vec![letter as Letter];
                    suffix.extend_from_slice(self.parting(own, its));
                    self.split(class, position, suffix, teacher)?;
                    break;
                }
            }
        }
        Ok(self.prefixes.len() > before)
    }

    /// A suffix that tells two different classes apart.
    fn parting(&self, left: u32, right: u32) -> &[Letter] {
        if left == Machine::REJECT || right == Machine::REJECT {
            return &[];
        }
        let mut left = self.leaves[left as usize];
        let mut right = self.leaves[right as usize];
        while left != right {
            let depth = |node: u32| self.nodes[node as usize].depth;
            let deeper = if depth(left) >= depth(right) {
                &mut left
            } else {
                &mut right
            };
            *deeper = self.nodes[*deeper as usize].parent;
        }
        match &self.nodes[left as usize].kind {
            Kind::Ask(suffix, _) => suffix,
            Kind::Leaf(_) => &[],
        }
    }

    /// The class of a position.
    fn class(&mut self, position: Position, teacher: &mut impl Membership) -> Result<u32, Stop> {
        if position == Position::OUTSIDE {
            return Ok(Machine::REJECT);
        }
        let known = self.place.get(position.index()).copied();
        let mut node = known.filter(|&node| node != UNMET).unwrap_or(ROOT);
        loop {
            match &self.nodes[node as usize].kind {
                Kind::Leaf(class) => {
                    let class = *class;
                    self.settle(position, node);
                    return Ok(class);
                }
                Kind::Ask(suffix, children) => {
                    self.asked += 1;
                    let inside = teacher.accepts_after(position, suffix)?;
                    node = children[usize::from(inside)];
                }
            }
        }
    }

    /// Makes a leaf ask a suffix.
    fn branch(&mut self, leaf: u32, suffix: Vec<Letter>) -> [u32; 2] {
        let children = [self.nodes.len() as u32, self.nodes.len() as u32 + 1];
        let depth = self.nodes[leaf as usize].depth + 1;
        for _ in children {
            self.nodes.push(Node {
                parent: leaf,
                depth,
                kind: Kind::Leaf(0),
            });
        }
        self.nodes[leaf as usize].kind = Kind::Ask(suffix, children);
        children
    }

    fn settle(&mut self, position: Position, node: u32) {
        if self.place.len() <= position.index() {
            self.place.resize(position.index() + 1, UNMET);
        }
        if std::mem::replace(&mut self.place[position.index()], node) == UNMET {
            self.met.push(position);
        }
    }
}
