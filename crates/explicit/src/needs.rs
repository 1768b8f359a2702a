//! Which of many steps can be taken in a state, by looking into tables.
//!
//! What a step needs is said of fields of a state: runs of bits of a word that must lie in a range. Instead of testing
//! step by step, a word is cut into chunks of a few bits; for each chunk, and each value it can have, a table
//! says which of 64 steps that value allows. A handful of looks and conjunctions then answers for 64 steps at once.

/// Bits of a word that must lie in a range for a step to be possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Which word of a state.
    pub word: usize,
    /// The lowest of the bits.
    pub shift: u32,
    /// How many bits; from 1 to 64.
    pub bits: u32,
    /// The least value.
    pub least: u64,
    /// The largest value.
    pub most: u64,
}

impl Need {
    fn fits(&self, word: u64) -> bool {
        let value = (word >> self.shift) & (u64::MAX >> (64 - self.bits));
        value >= self.least && value <= self.most
    }
}

/// How wide chunks are, in bits: the first width whose tables are small enough.
const WIDTHS: [u32; 3] = [8, 6, 4];
/// The most numbers in all tables: what lies near the processor.
const MOST_NUMBERS: usize = 6 << 10;
/// The most numbers where chunks are narrowest.
const MOST_NUMBERS_AT_LAST: usize = 64 << 10;
/// Where 64 steps look into more chunks than this, each is tested by itself.
const MOST_CHUNKS: usize = 40;

/// What each of many steps needs.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    steps: usize,
    /// For each 64 steps where their chunks begin and end; none if they are tested by themselves.
    blocks: Vec<Option<(u32, u32)>>,
    chunks: Vec<Chunk>,
    tables: Vec<u64>,
    /// A word, and bits of it that a step needs: most steps that are not possible lack one.
    first: Vec<(u32, u64)>,
    /// Whether all that a step needs is in the tables.
    whole: Vec<bool>,
}

/// Some bits of a word, and where the table for them begins.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    word: u32,
    shift: u32,
    mask: u64,
    begin: usize,
}

impl Needs {
    /// The tables for steps that need these.
    pub fn new(steps: &[Vec<Need>]) -> Needs {
        let narrowest = WIDTHS[WIDTHS.len() - 1];
        for width in WIDTHS {
            let most = match width == narrowest {
                true => MOST_NUMBERS_AT_LAST,
                false => MOST_NUMBERS,
            };
            if let Some(needs) = Needs::with_width(steps, width, most) {
                return needs;
            }
        }
        Needs::one_by_one(steps)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// Whether a step that is [`able`](Self::able) has all that it needs; otherwise the rest is to be tested.
    #[inline]
    pub fn is_whole(&self, step: usize) -> bool {
        self.whole[step]
    }

    /// Which of 64 steps, the first of which has this number times 64, may be possible in a state, as bits of a word:
    /// all that are, and no [whole](Self::is_whole) one that is not.
    #[inline]
    pub fn able(&self, block: usize, state: &[u64]) -> u64 {
        match self.blocks[block] {
            Some((begin, end)) => {
                let mut able = u64::MAX;
                for chunk in &self.chunks[begin as usize..end as usize] {
                    let value = (state[chunk.word as usize] >> chunk.shift) & chunk.mask;
                    able &= self.tables[chunk.begin + value as usize];
                }
                able
            }
            None => self.tested(block, state),
        }
    }

    /// How many blocks of 64 steps there are.
    #[inline]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    fn tested(&self, block: usize, state: &[u64]) -> u64 {
        let mut able = 0;
        let some = self.first[block * 64..].iter().take(64);
        for (at, &(word, bits)) in some.enumerate() {
            able |= u64::from(state[word as usize] & bits == bits) << at;
        }
        able
    }

    fn one_by_one(steps: &[Vec<Need>]) -> Needs {
        Needs {
            steps: steps.len(),
            blocks: vec![None; steps.len().div_ceil(64)],
            first: steps.iter().map(|step| first(step)).collect(),
            whole: steps.iter().map(|step| is_first(step)).collect(),
            ..Needs::default()
        }
    }

    /// The tables with chunks of so many bits, if they have at most so many numbers.
    fn with_width(steps: &[Vec<Need>], width: u32, most: usize) -> Option<Needs> {
        let mut all = Needs::one_by_one(steps);
        for (block, some) in steps.chunks(64).enumerate() {
            let chunks = chunks(some, width);
            // Steps that need nothing are possible whatever the state is, and no table says how many there are.
            if chunks.len() > MOST_CHUNKS {
                continue;
            }
            let begin = all.chunks.len() as u32;
            let everyone = u64::MAX >> (64 - some.len());
            for chunk in chunks.iter().copied().chain(nothing(&chunks)) {
                let numbers = chunk.mask as usize + 1;
                if all.tables.len() + numbers > most {
                    return None;
                }
                let begin = all.tables.len();
                all.chunks.push(Chunk { begin, ..chunk });
                let inside = inside(some, &chunk);
                let allowed = |value: u64| allowed(&inside, &chunk, value) & everyone;
                all.tables.extend((0..numbers as u64).map(allowed));
            }
            all.blocks[block] = Some((begin, all.chunks.len() as u32));
            for (at, step) in some.iter().enumerate() {
                let inside = |need: &Need| chunks.iter().any(|chunk| contains(chunk, need));
                all.whole[block * 64 + at] = step.iter().all(inside);
            }
        }
        Some(all)
    }
}

/// A table of one number, where nothing is needed at all.
fn nothing(chunks: &[Chunk]) -> Option<Chunk> {
    chunks.is_empty().then_some(Chunk {
        word: 0,
        shift: 0,
        mask: 0,
        begin: 0,
    })
}

fn contains(chunk: &Chunk, need: &Need) -> bool {
    let end = chunk.shift + chunk.mask.count_ones();
    need.word == chunk.word as usize && need.shift >= chunk.shift && need.shift + need.bits <= end
}

/// What steps need of a chunk, each with the number of the step.
fn inside<'a>(steps: &'a [Vec<Need>], chunk: &Chunk) -> Vec<(usize, &'a Need)> {
    let mut inside = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let some = step.iter().filter(|need| contains(chunk, need));
        inside.extend(some.map(|need| (at, need)));
    }
    inside
}

/// The steps that a value of a chunk allows.
fn allowed(inside: &[(usize, &Need)], chunk: &Chunk, value: u64) -> u64 {
    let word = value << chunk.shift;
    let lacks = inside.iter().filter(|(_, need)| !need.fits(word));
    !lacks.fold(0, |all, &(at, _)| all | 1 << at)
}

/// Whether a step needs one bit.
fn is_bit(need: &Need) -> bool {
    (need.bits, need.least) == (1, 1) && need.most >= 1
}

/// A word and all single bits of it that a step needs.
fn first(step: &[Need]) -> (u32, u64) {
    let Some(one) = step.iter().find(|need| is_bit(need)) else {
        return (0, 0);
    };
    let here = step
        .iter()
        .filter(|need| need.word == one.word && is_bit(need));
    let bits = here.fold(0, |bits, need| bits | 1 << need.shift);
    (one.word as u32, bits)
}

/// Whether that is all it needs.
fn is_first(step: &[Need]) -> bool {
    let (word, _) = first(step);
    step.iter()
        .all(|need| need.word == word as usize && is_bit(need))
}

/// Chunks of at most so many bits that cut no field which these steps need; wider fields are in none.
fn chunks(steps: &[Vec<Need>], width: u32) -> Vec<Chunk> {
    let mut fields: Vec<(usize, u32, u32)> = steps
        .iter()
        .flatten()
        .filter(|need| need.bits <= width)
        .map(|need| (need.word, need.shift, need.bits))
        .collect();
    fields.sort_unstable();
    fields.dedup();
    let mut chunks: Vec<Chunk> = Vec::new();
    for (word, shift, bits) in fields {
        let end = shift + bits;
        if let Some(last) = chunks.last_mut() {
            let last_end = last.shift + last.mask.count_ones();
            if last.word as usize == word && end.max(last_end) - last.shift <= width {
                last.mask = u64::MAX >> (64 - (end.max(last_end) - last.shift));
                continue;
            }
        }
        chunks.push(Chunk {
            word: word as u32,
            shift,
            mask: u64::MAX >> (64 - bits),
            begin: 0,
        });
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 33
        }
    }

    #[test]
    fn tables_say_what_testing_step_by_step_says() {
        let mut numbers = Numbers(7);
        // Few steps and many, on few words and many: all widths of chunks, and none.
        for (steps, words) in [
            (1_usize, 1_usize),
            (5, 1),
            (60, 1),
            (64, 2),
            (65, 2),
            (130, 3),
            (700, 9),
            (3000, 40),
        ] {
            let mut fields = Vec::new();
            for word in 0..words {
                let mut shift = 0;
                while shift < 64 {
                    let bits =
                        [1_u32, 1, 1, 2, 3, 7, 12][numbers.next() as usize % 7].min(64 - shift);
                    fields.push((word, shift, bits));
                    shift += bits;
                }
            }
            let all: Vec<Vec<Need>> = (0..steps)
                .map(|_| {
                    let needs = numbers.next() % 4;
                    let need = |_| {
                        let (word, shift, bits) = fields[numbers.next() as usize % fields.len()];
                        let least = numbers.next() % (1 << bits);
                        let most = match numbers.next() % 3 {
                            0 => least,
                            _ => u64::MAX,
                        };
                        Need {
                            word,
                            shift,
                            bits,
                            least,
                            most,
                        }
                    };
                    (0..needs).map(need).collect()
                })
                .collect();
            let needs = Needs::new(&all);
            assert_eq!((needs.len(), needs.blocks()), (steps, steps.div_ceil(64)));
            for _ in 0..50 {
                let state: Vec<u64> = (0..words)
                    .map(|_| numbers.next() << 40 ^ numbers.next() << 20 ^ numbers.next())
                    .collect();
                for (step, wanted) in all.iter().enumerate() {
                    let able = needs.able(step / 64, &state) >> (step % 64) & 1 == 1;
                    let fits = wanted.iter().all(|need| need.fits(state[need.word]));
                    assert!(able || !fits, "{steps} {step}");
                    assert!(!able || fits || !needs.is_whole(step), "{steps} {step}");
                }
                for block in 0..needs.blocks() {
                    let left = (steps - block * 64).min(64);
                    assert_eq!(needs.able(block, &state) & !(u64::MAX >> (64 - left)), 0);
                }
            }
        }
    }
}
