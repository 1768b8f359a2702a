//! The frames: which cubes are excluded up to which step.

use super::question::Cube;

/// Excluded cubes by the last frame that excludes them: a cube of frame *k* is excluded from all
/// frames up to *k*. Frame 0 is the start and has none. Those that are excluded from all frames,
/// also from those to come, are apart.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    cubes: Vec<Vec<Lemma>>,
    forever: Vec<Lemma>,
}

/// The frame of what is excluded for ever.
pub(super) const FOREVER: usize = usize::MAX;

/// An excluded cube with a digest of its literals.
#[derive(Debug, Clone)]
struct Lemma {
    digest: u64,
    cube: Cube,
}

impl Frames {
    pub(super) fn new() -> Frames {
        Frames {
            cubes: vec![Vec::new()],
            forever: Vec::new(),
        }
    }

    /// The last frame.
    pub(super) fn top(&self) -> usize {
        self.cubes.len() - 1
    }

    /// The number of cubes.
    pub(super) fn len(&self) -> usize {
        self.forever.len() + self.cubes.iter().map(Vec::len).sum::<usize>()
    }

    /// Adds a frame.
    pub(super) fn push(&mut self) {
        self.cubes.push(Vec::new());
    }

    /// The cubes of a frame.
    pub(super) fn lemmas(&self, frame: usize) -> impl Iterator<Item = &Cube> {
        self.cubes[frame].iter().map(|lemma| &lemma.cube)
    }

    /// The cubes that are excluded for ever.
    pub(super) fn forever(&self) -> impl Iterator<Item = &Cube> {
        self.forever.iter().map(|lemma| &lemma.cube)
    }

    /// Whether a frame has no cubes of its own.
    pub(super) fn is_empty(&self, frame: usize) -> bool {
        self.cubes[frame].is_empty()
    }

    /// Whether this very cube is one of the frame's.
    pub(super) fn has(&self, cube: &Cube, frame: usize) -> bool {
        let digest = digest(cube);
        let mut lemmas = self.cubes[frame].iter();
        lemmas.any(|lemma| lemma.digest == digest && lemma.cube == *cube)
    }

    /// The highest frame that excludes all of a cube, if one from `frame` on does; it may be
    /// [`FOREVER`].
    pub(super) fn covering(&self, cube: &Cube, frame: usize) -> Option<usize> {
        let digest = digest(cube);
        let covers = |lemma: &Lemma| lemma.digest & !digest == 0 && contains(cube, &lemma.cube);
        if self.forever.iter().any(covers) {
            return Some(FOREVER);
        }
        let mut frames = (frame..self.cubes.len()).rev();
        frames.find(|&one| self.cubes[one].iter().any(covers))
    }

    /// Excludes a cube; what it covers is forgotten.
    pub(super) fn add(&mut self, cube: &Cube, frame: usize) {
        let digest = digest(cube);
        let last = frame.min(self.top());
        let apart = |other: &Lemma| digest & !other.digest != 0 || !contains(&other.cube, cube);
        for lemmas in self.cubes.iter_mut().take(last + 1).skip(1) {
            lemmas.retain(apart);
        }
        let lemmas = match frame {
            FOREVER => {
                self.forever.retain(apart);
                &mut self.forever
            }
            _ => &mut self.cubes[last],
        };
        lemmas.push(Lemma {
            digest,
            cube: cube.clone(),
        });
    }
}

/// A set of bits that grows with the cube: a cube that has all literals of another has all bits
/// of its digest.
fn digest(cube: &Cube) -> u64 {
    let bit = |literal: &quotient_netlist::Literal| {
        1u64 << ((literal.code() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
    };
    cube.iter().map(bit).fold(0, |all, one| all | one)
}

/// Whether all literals of the second are in the first. Both are sorted.
fn contains(larger: &Cube, smaller: &Cube) -> bool {
    if smaller.len() > larger.len() {
        return false;
    }
    let mut rest = larger.iter();
    smaller
        .iter()
        .all(|literal| rest.by_ref().find(|&one| one >= literal) == Some(literal))
}
