//! Models with arrays of any size: a few elements are watched, more where a false alarm says so.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Attempt, Conclusion, Context, Method, Stop, run as drive};
use quotient_netlist::words::{
    Chosen, Model, Node, NodeId, Operand, Operator, Sort, Watched, WatchedProof, Watching, Word,
    WordRun, to_watched_bits,
};
use quotient_netlist::{Bits, Run, State};

use crate::{Options, never};

/// The most elements that a false alarm adds.
const MOST_AT_ONCE: usize = 3;

/// What came out of a question about a model with arrays.
#[derive(Debug, Clone)]
pub struct ArrayFinding {
    /// The answer with its evidence.
    pub conclusion: Conclusion<WatchedProof, WordRun>,
    /// The method that gave the last answer about bits.
    pub way: Option<&'static str>,
    /// How often elements were added.
    pub refinements: u64,
}

/// Whether a bad signal of a model, whose arrays may be of any size, can ever be on.
///
/// At first reads of arrays give anything. A run that is then found may read what was never
/// written: the element that it reads there, so many steps before the end, is watched from then
/// on (Mann, Irfan, Griggio, Padon and Barrett, 2021). Two arrays differ if they do at an index that
/// may be any; where they are said to be equal and are not, an element at which they differ is watched.
/// A run in which nothing is wrong is one of the model.
///
/// ```
/// use quotient_circuit::{Options, never_with_arrays};
/// use quotient_core::{Context, Source, Verdict};
/// // A memory of 2³² bytes, all zero: no byte is ever 255.
/// let text = "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3 memory\n5 zero 2\n\
///             6 init 3 4 5\n7 next 3 4 4\n8 input 1\n9 read 2 4 8\n10 sort bitvec 1\n\
///             11 redand 10 9\n12 bad 11\n";
/// let model = quotient_netlist::words::read(&Source::new("memory.btor2", text)).unwrap();
/// let finding = never_with_arrays(&model, 0, &Options::default(), &Context::default());
/// assert_eq!(finding.conclusion.verdict(), Verdict::Holds);
/// ```
pub fn never_with_arrays(
    model: &Model,
    bad: usize,
    options: &Options,
    cx: &Context,
) -> ArrayFinding {
    let mut method = Watcher {
        model,
        bad,
        options,
        watched: Vec::new(),
        way: None,
    };
    let outcome = drive(&mut method, &mut cx.clone());
    ArrayFinding {
        conclusion: outcome.conclusion,
        way: method.way,
        refinements: outcome.refinements,
    }
}

/// The method: elements that are watched so far.
struct Watcher<'a> {
    model: &'a Model,
    bad: usize,
    options: &'a Options,
    watched: Vec<Watched>,
    way: Option<&'static str>,
}

impl Method for Watcher<'_> {
    type Proof = WatchedProof;
    type Trace = WordRun;
    type Spurious = Vec<Watched>;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<WatchedProof, WordRun, Vec<Watched>>, Stop> {
        let watching = to_watched_bits(self.model, &self.watched, self.bad, &cx.budget)?;
        let bad = watching.circuit.bad[0];
        let finding = never(&watching.circuit, bad, self.options, cx);
        self.way = finding.way;
        match finding.conclusion {
            Conclusion::Holds(proof) => Ok(Attempt::Proved(WatchedProof {
                watched: self.watched.clone(),
                proof,
            })),
            Conclusion::Violated(run) => self.followed(&watching, &run, cx),
            Conclusion::Unknown(stop) => Err(stop),
        }
    }

    fn refine(&mut self, more: Vec<Watched>, cx: &mut Context) -> Result<(), Stop> {
        for one in &more {
            cx.story.note(format!(
                "the element at the index of node {}, {} steps before the end, is watched",
                one.node, one.delay
            ));
        }
        self.watched.extend(more);
        Ok(())
    }
}

impl Watcher<'_> {
    /// Follows a run of the circuit in the model.
    fn followed(
        &self,
        watching: &Watching,
        run: &Run,
        cx: &Context,
    ) -> Result<Attempt<WatchedProof, WordRun, Vec<Watched>>, Stop> {
        let states = run.states(&watching.circuit);
        cx.budget
            .charge((states.len() * self.model.nodes().len()) as u64)?;
        let mut memory = Memory::new(self.model, watching);
        for state in &states {
            memory.step(state);
        }
        memory.compare();
        let found = memory.run(&states);
        if self.shows(&found) {
            return Ok(Attempt::Refuted(found));
        }
        let last = states.len() - 1;
        let wrong = memory.wrong.iter().rev();
        let mut more: Vec<Watched> = wrong
            .map(|&(step, node)| Watched {
                node,
                delay: last - step,
            })
            .filter(|one| !self.watched.contains(one))
            .collect();
        let Some(nearest) = more.first().map(|one| one.delay) else {
            let why = "what is known of a few elements of the arrays does not decide it";
            return Err(Stop::inconclusive(why));
        };
        more.retain(|one| one.delay == nearest);
        more.truncate(MOST_AT_ONCE);
        Ok(Attempt::FalseAlarm(more))
    }

    /// Whether a run of the model ends with the bad signal on.
    fn shows(&self, run: &WordRun) -> bool {
        let Some(steps) = run.evaluated(self.model) else {
            return false;
        };
        let constrained = steps.iter().all(|step| {
            let mut constraints = self.model.constraints.iter();
            constraints.all(|asked| step.operand(asked.signal).is_on())
        });
        let bad = self.model.bad[self.bad].signal;
        constrained && steps.last().is_some_and(|last| last.operand(bad).is_on())
    }
}

/// What an array holds where nothing was written to it.
#[derive(Debug, Clone)]
enum Ground {
    /// One word everywhere.
    All(Word),
    /// What an array held that may be anything: which, by the step and the node.
    Any(usize, usize),
}

/// An array in a step: what it began as, and what was written.
#[derive(Debug, Clone)]
struct Held {
    ground: Ground,
    written: BTreeMap<Word, Word>,
}

/// The arrays of the model along a run of the circuit: words are what the circuit says.
struct Memory<'a> {
    model: &'a Model,
    watching: &'a Watching,
    /// The arrays of the last step, by node.
    held: BTreeMap<NodeId, Held>,
    /// What arrays that may be anything must hold for reads to be right.
    contents: BTreeMap<(usize, usize), BTreeMap<Word, Word>>,
    /// What such arrays hold at all other indices, where they are to equal one that is filled.
    rests: BTreeMap<(usize, usize), Word>,
    steps: usize,
    /// Where elements were read, written or compared: step, node and index.
    indices: Vec<(usize, usize, Word)>,
    /// Pairs of arrays that the circuit says are equal, with the step and the node of the comparison.
    equal: Vec<((usize, usize), [Held; 2])>,
    /// Nodes that gave something else than was there, or whose element would have shown that: step and node.
    wrong: Vec<(usize, usize)>,
}

impl<'a> Memory<'a> {
    fn new(model: &'a Model, watching: &'a Watching) -> Memory<'a> {
        Memory {
            model,
            watching,
            held: BTreeMap::new(),
            contents: BTreeMap::new(),
            rests: BTreeMap::new(),
            steps: 0,
            indices: Vec::new(),
            equal: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Goes through a step of the run.
    fn step(&mut self, state: &State) {
        let before = std::mem::take(&mut self.held);
        for (index, (node, sort)) in self.model.nodes().iter().enumerate() {
            match (node, sort) {
                (Node::Apply(Operator::Read, operands), _) => self.read(index, operands, state),
                (Node::Apply(Operator::Eq | Operator::Neq, operands), _)
                    if matches!(self.model.sort(operands[0].node), Sort::Array(..)) =>
                {
                    self.compared(index, operands, state);
                }
                (_, Sort::Bits(_)) => {}
                (Node::Constant(_), _) => {}
                (Node::Input(number), _) => {
                    let (node, _) = self.model.inputs()[*number];
                    self.held.insert(node, self.anything(index));
                }
                (Node::State(number), _) => {
                    let own = &self.model.states()[*number];
                    let source = match self.steps {
                        0 => own.start.map(|start| self.start(start, state)),
                        _ => own.next.map(|next| before.get(&next.node).cloned()),
                    };
                    let held = source.flatten().unwrap_or_else(|| self.anything(index));
                    self.held.insert(own.node, held);
                }
                (Node::Apply(operator, operands), _) => {
                    if let (Operator::Write, Some(at)) =
                        (operator, self.watching.word(operands[1], state))
                    {
                        self.indices.push((self.steps, index, at));
                    }
                    if let Some((node, held)) = self.made(index, *operator, operands, state) {
                        self.held.insert(node, held);
                    }
                }
            }
        }
        self.steps += 1;
    }

    fn anything(&self, node: usize) -> Held {
        Held {
            ground: Ground::Any(self.steps, node),
            written: BTreeMap::new(),
        }
    }

    fn start(&self, start: Operand, state: &State) -> Option<Held> {
        match self.model.sort(start.node) {
            Sort::Array(..) => self.held.get(&start.node).cloned(),
            Sort::Bits(_) => Some(Held {
                ground: Ground::All(self.watching.word(start, state)?),
                written: BTreeMap::new(),
            }),
        }
    }

    /// The array that an operation makes.
    fn made(
        &self,
        index: usize,
        operator: Operator,
        operands: &[Operand],
        state: &State,
    ) -> Option<(NodeId, Held)> {
        let own = self.model.node_at(index)?;
        let word = |operand: Operand| self.watching.word(operand, state);
        match operator {
            Operator::Write => {
                let mut held = self.held.get(&operands[0].node)?.clone();
                held.written.insert(word(operands[1])?, word(operands[2])?);
                Some((own, held))
            }
            Operator::Ite => {
                let chosen = match word(operands[0])?.is_on() {
                    true => operands[1],
                    false => operands[2],
                };
                Some((own, self.held.get(&chosen.node)?.clone()))
            }
            _ => None,
        }
    }

    /// Compares what a read gives in the circuit with what is there.
    fn read(&mut self, index: usize, operands: &[Operand], state: &State) {
        let Some(node) = self.model.node_at(index) else {
            return;
        };
        let own = Operand {
            node,
            negated: false,
        };
        let read = self.watching.word(own, state);
        let at = self.watching.word(operands[1], state);
        let (Some(read), Some(at), Some(held)) = (read, at, self.held.get(&operands[0].node))
        else {
            return;
        };
        let held = held.clone();
        if !self.has(&held, &at, &read) {
            self.wrong.push((self.steps, index));
        }
        self.indices.push((self.steps, index, at));
    }

    /// Whether an array has some element at an index; what was not settled before is now.
    fn has(&mut self, held: &Held, at: &Word, element: &Word) -> bool {
        let there = match (held.written.get(at), &held.ground) {
            (Some(word), _) | (None, Ground::All(word)) => word,
            (None, &Ground::Any(step, node)) => {
                let contents = self.contents.entry((step, node)).or_default();
                contents
                    .entry(at.clone())
                    .or_insert_with(|| element.clone())
            }
        };
        there == element
    }

    /// Looks at what a comparison of two arrays finds at its index in the circuit.
    fn compared(&mut self, index: usize, operands: &[Operand], state: &State) {
        let Some([at, one, other]) = self.watching.compared(index, state) else {
            return;
        };
        let held = [0, 1].map(|side: usize| self.held.get(&operands[side].node).cloned());
        let [Some(left), Some(right)] = held else {
            return;
        };
        if !self.has(&left, &at, &one) || !self.has(&right, &at, &other) {
            self.wrong.push((self.steps, index));
        }
        self.indices.push((self.steps, index, at));
        if one == other {
            self.equal.push(((self.steps, index), [left, right]));
        }
    }

    /// Lets arrays that may be anything hold what makes them equal to those that they should be equal to,
    /// and finds the elements at which others are not.
    fn compare(&mut self) {
        let mut differ = Vec::new();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            differ.clear();
            for (place, pair) in std::mem::take(&mut self.equal) {
                let known = pair.iter().flat_map(|held| self.known(held));
                let known: BTreeSet<Word> = known.collect();
                for at in known {
                    match [0, 1].map(|side: usize| self.element(&pair[side], &at)) {
                        [Some(one), Some(other)] if one != other => differ.push(at),
                        [Some(_), Some(_)] | [None, None] => {}
                        [Some(one), None] => changed |= self.has(&pair[1], &at, &one),
                        [None, Some(other)] => changed |= self.has(&pair[0], &at, &other),
                    }
                }
                self.equal.push((place, pair));
            }
        }
        for at in differ {
            let last = self.indices.iter().rfind(|(_, _, index)| *index == at);
            self.wrong.extend(last.map(|&(step, node, _)| (step, node)));
        }
        self.fill();
        self.wrong.sort_unstable();
        self.wrong.dedup();
    }

    /// Lets arrays that may be anything, and are equal to one that is filled, hold the same where nothing
    /// else is known. Where two that are filled are said to be equal, the index at which they are compared shows
    /// that they are not.
    fn fill(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (place, pair) in &self.equal {
                let [one, other] = [0, 1].map(|side: usize| match pair[side].ground {
                    Ground::All(ref word) => (Some(word.clone()), None),
                    Ground::Any(step, node) => {
                        (self.rests.get(&(step, node)).cloned(), Some((step, node)))
                    }
                });
                match (one, other) {
                    ((Some(one), _), (Some(other), _)) if one != other => self.wrong.push(*place),
                    ((Some(word), _), (None, Some(open)))
                    | ((None, Some(open)), (Some(word), _)) => {
                        self.rests.insert(open, word);
                        changed = true;
                    }
                    _ => {}
                }
            }
        }
    }

    /// The indices at which something is known of an array besides its ground.
    fn known(&self, held: &Held) -> Vec<Word> {
        let contents = match held.ground {
            Ground::Any(step, node) => self.contents.get(&(step, node)),
            Ground::All(_) => None,
        };
        let settled = contents.into_iter().flat_map(BTreeMap::keys);
        held.written.keys().chain(settled).cloned().collect()
    }

    /// An element of an array, if it is settled.
    fn element(&self, held: &Held, at: &Word) -> Option<Word> {
        let ground = || match &held.ground {
            Ground::All(word) => Some(word),
            Ground::Any(step, node) => self.contents.get(&(*step, *node))?.get(at),
        };
        held.written.get(at).or_else(ground).cloned()
    }

    /// What an array that may be anything holds, if that matters: in a step, by its node.
    fn array(&self, step: usize, node: usize) -> Option<Chosen> {
        let contents = self.contents.get(&(step, node));
        let pairs = contents.into_iter().flatten();
        let pairs = pairs.map(|(at, word)| (Bits(at.0.clone()), Bits(word.0.clone())));
        let rest = self.rests.get(&(step, node));
        match rest.filter(|rest| rest.0.contains(&true)) {
            Some(rest) => Some(Chosen::Filled(Bits(rest.0.clone()), pairs.collect())),
            None => contents.map(|_| Chosen::Array(pairs.collect())),
        }
    }

    /// The run of the model with the inputs of that of the circuit.
    fn run(&self, states: &[State]) -> WordRun {
        let steps = states.iter().enumerate().map(|(step, state)| {
            let mut chosen = BTreeMap::new();
            let inputs = self.model.inputs().iter().map(|&(node, _)| node);
            let free = self.model.states().iter().filter(|state| match step {
                0 => state.start.is_none(),
                _ => state.next.is_none(),
            });
            for node in inputs.chain(free.map(|state| state.node)) {
                let operand = Operand {
                    node,
                    negated: false,
                };
                let place = node.index();
                match self.model.sort(node) {
                    Sort::Bits(_) => {
                        if let Some(word) = self.watching.word(operand, state) {
                            chosen.insert(place, Chosen::Word(Bits(word.0)));
                        }
                    }
                    Sort::Array(..) => {
                        chosen.extend(self.array(step, place).map(|array| (place, array)));
                    }
                }
            }
            chosen
        });
        WordRun {
            steps: steps.collect(),
            back_to: None,
        }
    }
}
