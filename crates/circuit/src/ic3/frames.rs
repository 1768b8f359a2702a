//! The frames: which cubes are excluded up to which step.

use super::question::Cube;

/// Excluded cubes by the last frame that excludes them: a cube of frame *k* is excluded from all
/// frames up to *k*. Frame 0 is the start and has none.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    cubes: Vec<Vec<Cube>>,
}

impl Frames {
    pub(super) fn new() -> Frames {
        Frames {
            cubes: vec![Vec::new()],
        }
    }

    /// The last frame.
    pub(super) fn top(&self) -> usize {
        self.cubes.len() - 1
    }

    /// The number of cubes.
    pub(super) fn len(&self) -> usize {
        self.cubes.iter().map(Vec::len).sum()
    }

    /// Adds a frame.
    pub(super) fn push(&mut self) {
        self.cubes.push(Vec::new());
    }

    /// The cubes of a frame.
    pub(super) fn lemmas(&self, frame: usize) -> &[Cube] {
        &self.cubes[frame]
    }

    /// The highest frame that excludes all of a cube, if one from `frame` on does.
    pub(super) fn covering(&self, cube: &Cube, frame: usize) -> Option<usize> {
        let frames = (frame..self.cubes.len()).rev();
        frames
            .into_iter()
            .find(|&one| self.cubes[one].iter().any(|lemma| contains(cube, lemma)))
    }

    /// Excludes a cube; what it covers is forgotten.
    pub(super) fn add(&mut self, cube: &Cube, frame: usize) {
        for cubes in &mut self.cubes[1..=frame] {
            cubes.retain(|other| !contains(other, cube));
        }
        self.cubes[frame].push(cube.clone());
    }
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
