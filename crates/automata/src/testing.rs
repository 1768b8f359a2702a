//! Random automata and the most naive algorithms, to test and measure the others with.
//!
//! Everything is made from a seed, so that a failing case can be named and repeated.

use crate::{Alphabet, Letter, Nfa, Predicate, State, Word};

/// A small generator of pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound, 0 for no bound.
    pub fn below(&mut self, bound: u32) -> u32 {
        (self.number() % u64::from(bound.max(1))) as u32
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }
}

/// The alphabet `a0 a1 …` of a size.
pub fn alphabet(size: usize) -> Alphabet {
    Alphabet::new((0..size).map(|i| format!("a{i}"))).unwrap_or_else(|_| unreachable!())
}

/// A random predicate: mostly one letter, sometimes many, sometimes all.
pub fn predicate(random: &mut Random, alphabet: &Alphabet) -> Predicate {
    let mut letters = Predicate::none(alphabet);
    if alphabet.is_empty() {
        return letters;
    }
    letters.insert(Letter(random.below(alphabet.len() as u32)));
    match random.below(10) {
        0..6 => letters,
        6 => Predicate::all(alphabet),
        7 => letters.not(),
        _ => {
            let more = alphabet.letters().filter(|_| random.percent(50));
            letters.or(&Predicate::of(alphabet, more))
        }
    }
}

/// A random automaton with up to `states` states, of any shape: now and then without states,
/// without accepting states or with nothing else, without initial states, with unreachable
/// parts and with cycles of ε-moves.
pub fn nfa(random: &mut Random, alphabet: &Alphabet, states: u32) -> Nfa {
    let states = random.below(states + 1);
    let mut builder = Nfa::builder(alphabet).states(states);
    if states == 0 {
        return builder.build();
    }
    let edges = random.below(states * 3);
    let epsilons = [0, 0, 10, 30][random.below(4) as usize];
    for _ in 0..edges {
        let (source, target) = (State(random.below(states)), State(random.below(states)));
        if random.percent(epsilons) {
            builder.add_epsilon(source, target);
        } else {
            builder.add_edge(source, &predicate(random, alphabet), target);
        }
    }
    let initial = [100, 20, 0][[0, 1, 1, 1, 1, 1, 2][random.below(7) as usize]];
    let accepting = [100, 30, 0][[0, 1, 1, 1, 1, 1, 1, 1, 2][random.below(9) as usize]];
    if initial > 0 {
        builder.add_initial(State(0));
    }
    for state in (0..states).map(State) {
        if random.percent(initial) {
            builder.add_initial(state);
        }
        if random.percent(accepting) {
            builder.add_accepting(state);
        }
    }
    builder.build()
}

/// A random automaton in the model of Tabakov and Vardi (2005): for each letter `density`
/// times as many edges as states, one initial state, a share `accepting` of accepting states
/// (the initial one among them).
pub fn tabakov_vardi(
    random: &mut Random,
    alphabet: &Alphabet,
    states: u32,
    density: f64,
    accepting: f64,
) -> Nfa {
    let mut builder = Nfa::builder(alphabet)
        .states(states)
        .initial(0)
        .accepting(0);
    for letter in alphabet.letters() {
        let letter = Predicate::of(alphabet, [letter]);
        for _ in 0..(f64::from(states) * density).round() as u32 {
            let (source, target) = (random.below(states), random.below(states));
            builder.add_edge(State(source), &letter, State(target));
        }
    }
    for _ in 1..(f64::from(states) * accepting).round() as u32 {
        builder.add_accepting(State(random.below(states)));
    }
    builder.build()
}

/// All words over the alphabet up to a length, shortest first, then in the order of letters.
pub fn words_up_to(alphabet: &Alphabet, length: usize) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut shorter = 0..1;
    for _ in 0..length {
        for i in shorter.clone() {
            for letter in alphabet.letters() {
                let mut word = words[i].clone();
                word.push(letter);
                words.push(word);
            }
        }
        shorter = shorter.end..words.len();
    }
    words
}

/// Whether the automaton accepts a word, by visiting every state at every position.
pub fn naively_accepts(nfa: &Nfa, word: &[Letter]) -> bool {
    let mut seen = vec![vec![false; nfa.len()]; word.len() + 1];
    let mut waiting: Vec<(usize, State)> = nfa.initial().iter().map(|&q| (0, q)).collect();
    while let Some((position, state)) = waiting.pop() {
        if std::mem::replace(&mut seen[position][state.index()], true) {
            continue;
        }
        for edge in nfa.edges_from(state) {
            match nfa.label(edge) {
                None => waiting.push((position, edge.target)),
                Some(letters) => {
                    if word
                        .get(position)
                        .is_some_and(|&letter| letters.contains(letter))
                    {
                        waiting.push((position + 1, edge.target));
                    }
                }
            }
        }
    }
    nfa.accepting().ones().any(|state| seen[word.len()][state])
}

/// The words of the language up to a length, in the order of [`words_up_to`].
pub fn naive_language(nfa: &Nfa, length: usize) -> Vec<Word> {
    let mut words = words_up_to(nfa.alphabet(), length);
    words.retain(|word| naively_accepts(nfa, word));
    words
}

/// The alphabets that property tests should try, each with the length up to which all words
/// are still few: no letter, one, two, three, and more than fit in a machine word.
pub fn alphabets() -> Vec<(Alphabet, usize)> {
    [(0, 6), (1, 6), (2, 6), (3, 5), (70, 2)]
        .into_iter()
        .map(|(size, length)| (alphabet(size), length))
        .collect()
}
