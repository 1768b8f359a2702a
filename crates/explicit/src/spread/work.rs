//! What one worker does: level by level, then its part of the runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use quotient_core::{Budget, Stop};
use serde::{Deserialize, Serialize};
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Concat, ConnectLoop, Feedback, ToStream};
use timely::worker::Worker;

use super::sent::Sent;
use super::{Apart, Lost, NOBODY, OURSELVES, Sought, Spread, SpreadRun};
use crate::graph::{Graph, hash};
use crate::numbers::push;
use crate::search::PIECE;
use crate::{Ending, StateId, Successors, System};

/// How many words go together, and how long a worker sleeps when there is nothing to do.
const BATCH: usize = 1 << 13;
const PAUSE: Duration = Duration::from_millis(20);
/// How long after the end of its budget a worker waits for the others.
const GRACE: Duration = Duration::from_millis(300);

/// What is to be done.
pub(super) struct Job {
    pub(super) system: Arc<dyn System + Send + Sync>,
    pub(super) sought: Sought,
    pub(super) workers: usize,
    pub(super) budget: Budget,
    pub(super) lost: Lost,
}

/// What one worker tells another.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Message {
    to: u32,
    from: u32,
    /// Its place among those of the sender.
    number: u32,
    news: News,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum News {
    /// For each: the number of the state before at the sender and the label, in one word; then
    /// the words of the state.
    States(Vec<u64>),
    /// One of the things that are looked for, and the number of its state at the sender.
    Found(u32, u32),
    /// A state does not fit.
    Unfit(u64),
    /// Time, memory or numbers of the sender are over: the reason in JSON, as its form on the way
    /// cannot say which kind of reason it is.
    Stopped(String),
    /// Go on with the run to a thing at the state with this number; so many steps are known.
    Back(u32, u32, u32),
    /// The label of a step of the run to a thing, by its place from the end.
    Step(u32, u32, u32),
    /// The run to a thing begins here.
    Start(u32, Vec<u64>),
    /// How many states the sender has.
    Count(u64),
}

/// What a worker knows.
struct Local {
    system: Arc<dyn System + Send + Sync>,
    sought: Sought,
    budget: Budget,
    own: u32,
    peers: u32,
    graph: Graph,
    /// States with smaller numbers were visited.
    next: usize,
    /// How many steps from the start the states are that it works on.
    level: u64,
    /// The worker that found the state before each.
    owners: Vec<u32>,
    /// For each thing: the level and the place where it was found first.
    found: Vec<Option<(u64, u32, u32)>>,
    ending: Option<Ending>,
    /// How many messages were sent, and the states in them.
    sent: u32,
    states_sent: Sent,
    /// States that are about to be kept: their last words when folded, and where they are among successors, with the
    /// state before.
    seen: Vec<Option<u64>>,
    ours: Vec<(u32, u32)>,
    scratch: Vec<u32>,
    /// The runs, as far as they are known: labels by their place from the end.
    steps: Vec<BTreeMap<u32, u32>>,
    starts: Vec<Option<Vec<u64>>>,
    states: u64,
}

/// The whole work of one worker; the first of a process tells the result.
pub(super) fn work(worker: &mut Worker, job: &Job) -> Result<Option<Spread>, Apart> {
    let result = catch_unwind(AssertUnwindSafe(|| attempt(worker, job)));
    let result = result.unwrap_or_else(|_| {
        job.lost.store(OURSELVES, SeqCst);
        Err(Apart::Broken)
    });
    if result.is_err() {
        // What is still open would wait for ever.
        for dataflow in worker.installed_dataflows() {
            worker.drop_dataflow(dataflow);
        }
    }
    result
}

fn attempt(worker: &mut Worker, job: &Job) -> Result<Option<Spread>, Apart> {
    let local = Local {
        system: job.system.clone(),
        sought: job.sought.clone(),
        budget: job.budget.clone(),
        own: worker.index() as u32,
        peers: worker.peers() as u32,
        graph: Graph::new(job.system.width()),
        next: 0,
        level: 0,
        owners: Vec::new(),
        found: vec![None; job.sought.number],
        ending: None,
        sent: 0,
        states_sent: Sent::new(job.system.width()),
        seen: Vec::new(),
        ours: Vec::new(),
        scratch: Vec::new(),
        steps: vec![BTreeMap::new(); job.sought.number],
        starts: vec![None; job.sought.number],
        states: 0,
    };
    let local = Rc::new(RefCell::new(local));
    visit_all(worker, &local);
    finish(worker, job, &local)?;
    trace_back(worker, &local, job.workers);
    finish(worker, job, &local)?;
    let is_first = worker.index().is_multiple_of(job.workers);
    Ok(is_first.then(|| local.borrow().result()))
}

/// Works until the dataflow is done, the others are gone, or nobody answers after the end.
fn finish(worker: &mut Worker, job: &Job, local: &RefCell<Local>) -> Result<(), Apart> {
    let mut over: Option<(Instant, Stop)> = None;
    while worker.has_dataflows() {
        worker.step_or_park(Some(PAUSE));
        match job.lost.load(SeqCst) {
            NOBODY => {}
            OURSELVES => return Err(Apart::Broken),
            process => {
                let local = local.borrow();
                return Err(Apart::Lost {
                    process,
                    states: local.graph.len() as u64,
                    steps: local.level,
                });
            }
        }
        match (&over, job.budget.poll()) {
            (None, Err(stop)) => over = Some((Instant::now(), stop)),
            (Some((since, stop)), _) if since.elapsed() > GRACE => {
                return Err(Apart::Stopped(stop.clone()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Sends the beginnings, and goes from level to level until nothing is new.
fn visit_all(worker: &mut Worker, local: &Rc<RefCell<Local>>) {
    let first = local.borrow_mut().beginnings();
    let local = local.clone();
    worker.dataflow::<u64, _, _>(|scope| {
        let (handle, stream) = scope.feedback::<Vec<Message>>(1);
        let start = first.to_stream(scope).container::<Vec<_>>();
        let mut waiting: BTreeMap<u64, Vec<Message>> = BTreeMap::new();
        start
            .concat(stream)
            .unary_notify::<timely::container::CapacityContainerBuilder<Vec<Message>>, _, _>(
                Exchange::new(|message: &Message| u64::from(message.to)),
                "visit",
                None,
                move |input, output, notify| {
                    input.for_each_time(|time, data| {
                        let level = *time.time();
                        let waiting = waiting.entry(level).or_insert_with(|| {
                            notify.notify_at(time.retain(output.output_index()));
                            Vec::new()
                        });
                        for messages in data {
                            waiting.append(messages);
                        }
                    });
                    notify.for_each(|time, _, _| {
                        let messages = waiting.remove(time.time()).unwrap_or_default();
                        let mut session = output.session(&time);
                        let mut local = local.borrow_mut();
                        local.level(*time.time(), messages, &mut |message| session.give(message));
                    });
                },
            )
            .connect_loop(handle);
    });
}

/// Puts the runs together: each worker knows the step to its own states.
fn trace_back(worker: &mut Worker, local: &Rc<RefCell<Local>>, workers: usize) {
    let first = local.borrow_mut().ends(workers);
    let local = local.clone();
    worker.dataflow::<u64, _, _>(|scope| {
        let (handle, stream) = scope.feedback::<Vec<Message>>(1);
        let start = first.to_stream(scope).container::<Vec<_>>();
        start
            .concat(stream)
            .unary::<timely::container::CapacityContainerBuilder<Vec<Message>>, _, _, _>(
                Exchange::new(|message: &Message| u64::from(message.to)),
                "trace",
                move |_, _| {
                    move |input, output| {
                        input.for_each_time(|time, data| {
                            let mut session = output.session(&time);
                            for message in data.flat_map(std::mem::take) {
                                let mut local = local.borrow_mut();
                                local.back(message.news, workers, &mut |next| session.give(next));
                            }
                        });
                    }
                },
            )
            .connect_loop(handle);
    });
}

impl Local {
    fn message(&mut self, to: u32, news: News) -> Message {
        self.sent = self.sent.wrapping_add(1);
        Message {
            to,
            from: self.own,
            number: self.sent,
            news,
        }
    }

    fn tell_all(&mut self, news: &News, send: &mut dyn FnMut(Message)) {
        for to in 0..self.peers {
            let message = self.message(to, news.clone());
            send(message);
        }
    }

    /// Tells the first worker of each process.
    fn tell_firsts(&mut self, workers: usize, news: &News, send: &mut dyn FnMut(Message)) {
        for to in (0..self.peers).step_by(workers) {
            let message = self.message(to, news.clone());
            send(message);
        }
    }

    fn owner(&self, hash: u64) -> u32 {
        // The high bits: the table of each worker uses the low ones.
        ((u128::from(hash) * u128::from(self.peers)) >> 64) as u32
    }

    /// The states that are ours from the beginning.
    fn beginnings(&mut self) -> Vec<Message> {
        let mut words = Vec::new();
        let (system, own) = (self.system.clone(), self.own);
        system.initial(&mut |state| {
            if self.owner(hash(state)) == own {
                words.push(u64::MAX);
                words.extend_from_slice(state);
            }
        });
        // Also with none: a level is worked on where something arrives.
        vec![self.message(own, News::States(words))]
    }

    /// Takes what the others found for us, and sends what follows from it.
    fn level(&mut self, level: u64, mut messages: Vec<Message>, send: &mut dyn FnMut(Message)) {
        self.level = level;
        // The same order always, however they were on their way.
        messages.sort_unstable_by_key(|message| (message.from, message.number));
        for message in messages {
            let from = message.from;
            match message.news {
                News::States(words) => self.take(from, &words),
                News::Found(thing, index) => {
                    let found = (level - 1, from, index);
                    if let Some(best) = self.found.get_mut(thing as usize) {
                        *best = Some(best.map_or(found, |best| best.min(found)));
                    }
                }
                News::Unfit(number) => {
                    let least = match self.ending {
                        Some(Ending::Unfit(other)) => other.min(number),
                        _ => number,
                    };
                    self.ending = Some(Ending::Unfit(least));
                }
                News::Stopped(reason) => {
                    let stop = serde_json::from_str(&reason).unwrap_or(Stop::Interrupted);
                    self.ending.get_or_insert(Ending::Stopped(stop));
                }
                News::Back(..) | News::Step(..) | News::Start(..) | News::Count(_) => {}
            }
        }
        let all = self.found.iter().all(Option::is_some) && !self.found.is_empty();
        if all && self.ending.is_none() {
            self.ending = Some(Ending::Enough);
        }
        if self.ending.is_none() {
            self.expand(send);
        }
    }

    fn take(&mut self, from: u32, words: &[u64]) {
        if self.ending.is_some() {
            return;
        }
        let width = self.graph.width() + 1;
        for some in words.chunks(PIECE * width) {
            self.seen.clear();
            for entry in some.chunks_exact(width) {
                let root = self.graph.folded_alone(&entry[1..], &mut self.scratch);
                self.seen.push(root);
            }
            let states = some.chunks_exact(width).map(|entry| {
                let before = entry[0];
                let before = (before != u64::MAX).then_some(((before >> 32) as u32, before as u32));
                (&entry[1..], before)
            });
            let owners = &mut self.owners;
            self.graph
                .insert_all(&self.seen, states, || push(owners, from));
        }
    }

    /// Visits the states that are new: successors that are ours are kept for the next level, the others are sent to those
    /// they belong to.
    fn expand(&mut self, send: &mut dyn FnMut(Message)) {
        let end = self.graph.len();
        let mut batches: Vec<Vec<u64>> = vec![Vec::new(); self.peers as usize];
        let mut told: Vec<bool> = self.found.iter().map(Option::is_some).collect();
        let mut piece = Successors::default();
        while self.next < end {
            let to = end.min(self.next + PIECE);
            let (known, visited) = (self.next, to - self.next);
            self.next = to;
            if let Err(stop) = self.budget.charge(visited as u64) {
                return self.tell_stopped(&stop, send);
            }
            piece.clear();
            let mut things = Vec::new();
            if let Err(number) = self.work_out(known..to, &mut piece, &mut batches, &mut things) {
                return self.tell_all(&News::Unfit(number), send);
            }
            if let Err(stop) = self.keep(&piece) {
                return self.tell_stopped(&stop, send);
            }
            for (to, batch) in (0..).zip(&mut batches) {
                if batch.len() >= BATCH {
                    let batch = std::mem::take(batch);
                    send(self.message(to, News::States(batch)));
                }
            }
            for (thing, id) in things {
                if let Some(told) = told.get_mut(thing)
                    && !std::mem::replace(told, true)
                {
                    self.tell_all(&News::Found(thing as u32, id), send);
                }
            }
        }
        for (to, batch) in (0..).zip(batches) {
            if !batch.is_empty() {
                send(self.message(to, News::States(batch)));
            }
        }
        if self.graph.len() > end {
            // A level is worked on where something arrives.
            send(self.message(self.own, News::States(Vec::new())));
        }
    }

    /// Works out the successors of states, notes those that are ours, and writes down what is to be sent and what was
    /// looked for; a number of the system's if one does not fit.
    fn work_out(
        &mut self,
        ids: Range<usize>,
        piece: &mut Successors,
        batches: &mut [Vec<u64>],
        things: &mut Vec<(usize, u32)>,
    ) -> Result<(), u64> {
        let width = self.graph.width();
        let (mut state, mut parts) = (Vec::with_capacity(width), Vec::new());
        self.seen.clear();
        self.ours.clear();
        for id in ids {
            let id = id as u32;
            self.graph.unfold(id, &mut state, &mut parts);
            let begin = piece.len();
            self.system.all_successors(&state, piece)?;
            let count = piece.len() - begin;
            (self.sought.reaches)(&state, count, &mut |thing| things.push((thing, id)));
            for at in begin..piece.len() {
                let (label, next) = piece.step(at, width);
                let hash = hash(next);
                let to = self.owner(hash);
                if to == self.own {
                    let root = self.graph.folded(next, &state, &parts, &mut self.scratch);
                    self.seen.push(root);
                    self.ours.push((at as u32, id));
                } else if self.states_sent.insert(next, hash) {
                    let batch = &mut batches[to as usize];
                    batch.push(u64::from(id) << 32 | u64::from(label));
                    batch.extend_from_slice(next);
                }
            }
        }
        Ok(())
    }

    /// Keeps the states that are ours.
    fn keep(&mut self, piece: &Successors) -> Result<(), Stop> {
        // Numbers of states are 32 bits wide, and one of them means "none".
        const MOST: usize = u32::MAX as usize - 1;
        if self.graph.len() + self.seen.len() >= MOST {
            return Err(Stop::bound("the number of states of a worker", MOST as u64));
        }
        let (width, own) = (self.graph.width(), self.own);
        let states = self.ours.iter().map(|&(at, id)| {
            let (label, next) = piece.step(at as usize, width);
            (next, Some((id, label)))
        });
        let owners = &mut self.owners;
        self.graph
            .insert_all(&self.seen, states, || push(owners, own));
        Ok(())
    }

    fn tell_stopped(&mut self, stop: &Stop, send: &mut dyn FnMut(Message)) {
        let reason = serde_json::to_string(stop).unwrap_or_default();
        self.tell_all(&News::Stopped(reason), send);
    }

    /// The last states of the runs that end with us.
    fn ends(&mut self, workers: usize) -> Vec<Message> {
        let mut all = Vec::new();
        let found = self.found.clone();
        for (thing, found) in (0..).zip(found) {
            if let Some((_, owner, index)) = found
                && owner == self.own
            {
                all.push(self.message(owner, News::Back(thing, index, 0)));
            }
        }
        let count = News::Count(self.graph.len() as u64);
        self.tell_firsts(workers, &count, &mut |message| all.push(message));
        all
    }

    /// One step back, or what another says of one.
    fn back(&mut self, news: News, workers: usize, send: &mut dyn FnMut(Message)) {
        match news {
            News::Back(thing, index, known) => match self.graph.before(StateId::new(index)) {
                None => {
                    let start = News::Start(thing, self.graph.state(StateId::new(index)));
                    self.tell_firsts(workers, &start, send);
                }
                Some((before, label)) => {
                    self.tell_firsts(workers, &News::Step(thing, known, label), send);
                    let owner = self.owners[index as usize];
                    send(self.message(owner, News::Back(thing, before.number(), known + 1)));
                }
            },
            News::Step(thing, place, label) => {
                self.steps[thing as usize].insert(place, label);
            }
            News::Start(thing, state) => self.starts[thing as usize] = Some(state),
            News::Count(states) => self.states += states,
            News::States(_) | News::Found(..) | News::Unfit(_) | News::Stopped(_) => {}
        }
    }

    fn result(&self) -> Spread {
        let runs = self.starts.iter().zip(&self.steps);
        let runs = runs.map(|(start, steps)| {
            Some(SpreadRun {
                start: start.clone()?,
                labels: steps.values().rev().copied().collect(),
            })
        });
        Spread {
            runs: runs.collect(),
            states: self.states,
            ending: self.ending.clone().unwrap_or(Ending::Complete),
        }
    }
}
