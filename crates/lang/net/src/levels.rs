//! How exactly the tokens of a place are known: up to a number, or only from which numbers on.

use serde::{Deserialize, Serialize};

use crate::certify_capped::Between;

/// How exactly the tokens of a place are known. A *key* is the least of the numbers that are not told apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Level {
    /// Every number up to this one, which stands for all larger ones as well.
    UpTo(u64),
    /// Only whether there are at least so many, by numbers that grow: between two of them all are alike.
    From(Vec<u64>),
}

impl Level {
    /// Nothing is known.
    pub(crate) const NOTHING: Level = Level::UpTo(0);

    /// Whether it tells no two numbers apart.
    pub(crate) fn is_nothing(&self) -> bool {
        self.last() == 0
    }

    /// Whether its numbers grow, from one on.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Level::UpTo(_) => true,
            Level::From(all) => {
                all.first().is_none_or(|&first| first > 0) && all.is_sorted_by(|one, two| one < two)
            }
        }
    }

    /// The largest number that is told from those before it.
    pub(crate) fn last(&self) -> u64 {
        match self {
            Level::UpTo(cap) => *cap,
            Level::From(all) => all.last().copied().unwrap_or(0),
        }
    }

    /// The key of a number of tokens.
    pub(crate) fn key(&self, tokens: u64) -> u64 {
        match self {
            Level::UpTo(cap) => tokens.min(*cap),
            Level::From(all) => match all.partition_point(|&from| from <= tokens) {
                0 => 0,
                at => all[at - 1],
            },
        }
    }

    /// The key after one, if there is any.
    pub(crate) fn next(&self, key: u64) -> Option<u64> {
        match self {
            Level::UpTo(cap) => (key < *cap).then_some(key + 1),
            Level::From(all) => all.get(all.partition_point(|&from| from <= key)).copied(),
        }
    }

    /// The numbers of tokens with a key.
    pub(crate) fn between(&self, key: u64) -> Between {
        Between {
            least: key,
            most: self.next(key).map(|next| next - 1),
        }
    }

    /// The least and the greatest key of some numbers.
    pub(crate) fn keys(&self, numbers: Between) -> (u64, u64) {
        let most = numbers.most.map_or(self.last(), |most| self.key(most));
        (self.key(numbers.least), most)
    }

    /// Whether there is such a key.
    pub(crate) fn has(&self, key: u64) -> bool {
        self.key(key) == key
    }

    /// Tells numbers from this one on from those before, if that is not so; says whether it was not.
    pub(crate) fn tell(&mut self, from: u64) -> bool {
        if from == 0 || self.has(from) {
            return false;
        }
        match self {
            Level::UpTo(0) => *self = Level::From(vec![from]),
            Level::UpTo(cap) => *cap = from,
            Level::From(all) => all.insert(all.partition_point(|&one| one < from), from),
        }
        true
    }

    /// Tells all numbers apart up to this one, and to what was told before; says whether that is more.
    pub(crate) fn count(&mut self, cap: u64) -> bool {
        let exact = Level::UpTo(self.last().max(cap));
        let more = exact != *self;
        *self = exact;
        more
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Level::UpTo(cap) => write!(f, "counted up to {cap}"),
            Level::From(all) => {
                let all: Vec<String> = all.iter().map(u64::to_string).collect();
                write!(f, "told apart from {} on", all.join(", "))
            }
        }
    }
}
