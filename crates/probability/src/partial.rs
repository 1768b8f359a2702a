//! Models that are too big to build: only the states that matter are looked at.
//!
//! What was not looked at may be as good or as bad as can be. So a part of a model gives two
//! questions that the solver answers with sound bounds: from below, what lies outside never
//! reaches the goal; from above, it always does. As long as the two answers are too far apart,
//! runs are sampled with the choices that look best, and the states that they come to are looked
//! at (McMahan, Likhachev, Gordon 2005; Brázdil and others 2014). As every state that a round finds
//! is looked at sooner or later, the two meet at the latest when the whole model was built.

use quotient_bits::Bits;
use quotient_core::{Attempt, Budget, Context, Method, Stop, What};
use quotient_markov::{ActionId, Builder, ChoiceId, Kind, Markov, StateId};

use crate::build::{self, Explorer};
use crate::code::Code;
use crate::{Analysis, Best, Expression, Misbuilt, Precision, Program};

/// The probability of reaching a goal through allowed states.
#[derive(Debug, Clone)]
pub struct Reaching {
    /// What may be passed.
    pub allowed: Expression,
    /// What is to be reached.
    pub goal: Expression,
    /// Whether the least or the greatest is meant.
    pub best: Best,
}

/// Whether a number between two bounds settles what was asked, and how.
pub type Settles<'a> = Box<dyn Fn(f64, f64) -> Option<bool> + 'a>;

/// A part of a model, which grows until the bounds settle what was asked.
///
/// ```
/// use quotient_core::{Budget, Conclusion, Context, run};
/// use quotient_probability::{
///     Best, Command, Event, Expression, Operator, Partial, Precision, Program, Reaching, Starts,
///     Update, Variable,
/// };
/// // A counter that goes on with chance 1/2 up to a million; what is far away hardly matters.
/// let to = |value| Update {
///     weight: Expression::Number(0.5, None),
///     assignments: vec![(0, value)],
/// };
/// let next = Expression::two(Operator::Plus, Expression::Variable(0), Expression::whole(1));
/// let is = |number| {
///     Expression::two(Operator::Equal, Expression::Variable(0), Expression::whole(number))
/// };
/// let program = Program {
///     kind: quotient_markov::Kind::Dtmc,
///     markovian: false,
///     variables: vec![Variable { name: "n".into(), low: 0, high: 1_000_000 }],
///     commands: vec![Command {
///         rated: false,
///         guard: Expression::two(
///             Operator::And,
///             Expression::two(Operator::Less, Expression::whole(0), Expression::Variable(0)),
///             Expression::two(Operator::Less, Expression::Variable(0), Expression::whole(999_999)),
///         ),
///         updates: vec![to(next), to(Expression::whole(0))],
///     }],
///     events: vec![Event { action: 0, parts: vec![vec![0]] }],
///     actions: vec![],
///     starts: Starts::At(vec![1]),
///     rewards: vec![],
/// };
/// let asked = Reaching { allowed: Expression::whole(1), goal: is(3), best: Best::Greatest };
/// let near = Box::new(|low: f64, high: f64| (high - low < 1e-6).then_some(true));
/// let budget = Budget::unlimited();
/// let mut partial = Partial::new(&program, asked, Precision::default(), near, &budget).unwrap();
/// let outcome = run(&mut partial, &mut Context::default());
/// assert!(matches!(outcome.conclusion, Conclusion::Holds(())));
/// let (low, high) = partial.bounds();
/// assert!(low <= 0.25 && 0.25 <= high && partial.looked_at() < 10_000);
/// ```
pub struct Partial<'p> {
    explorer: Explorer<'p>,
    /// What was looked at: rows in the order of looking, with states for targets.
    part: Markov,
    initial: u32,
    goal: Code,
    allowed: Code,
    best: Best,
    precision: Precision,
    settles: Settles<'p>,
    /// What is known about each state that was found.
    known: Vec<Known>,
    /// The choice that looks best, for each row of the last attempt.
    chosen: Vec<ChoiceId>,
    /// The state of each row.
    looked: Vec<u32>,
    /// What the last attempt proved of each row, and by which choices.
    proved: Option<Proved>,
    bounds: (f64, f64),
    random: u64,
    misbuilt: Option<Misbuilt>,
}

impl std::fmt::Debug for Partial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Partial")
            .field("states", &self.known.len())
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// Bounds for the states that were looked at: they hold whatever the others do, as every step keeps
/// them if those are worth nothing for the lower ones, and one for the upper ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// The values of each state.
    pub states: Vec<Vec<i64>>,
    /// Not less than this.
    pub lower: Vec<f64>,
    /// Not more than this.
    pub upper: Vec<f64>,
    /// The choice of each state that attains the bound that needs one, counted from its first; empty
    /// for chains.
    pub chosen: Vec<u32>,
}

struct Proved {
    lower: Vec<f64>,
    upper: Vec<f64>,
    chosen: Vec<ChoiceId>,
}

/// What is known about a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Goal,
    /// Neither a goal nor allowed.
    Lost,
    /// Not looked at.
    Open,
    /// Looked at: its row.
    Row(u32),
}

/// The first round looks at so many states, later ones at half as many as before.
const FIRST: usize = 1000;
/// No sampled run is longer.
const LONGEST: usize = 10_000;

impl<'p> Partial<'p> {
    /// Begins with the initial state alone; there must be only one.
    pub fn new(
        program: &'p Program,
        asked: Reaching,
        precision: Precision,
        settles: Settles<'p>,
        budget: &Budget,
    ) -> Result<Partial<'p>, Misbuilt> {
        let (states, initial) = build::starts(program, budget)?;
        let [initial] = initial[..] else {
            let many = "a part of a model is looked at from one initial state, not from several";
            return Err(Stop::inconclusive(many).into());
        };
        let mut partial = Partial {
            explorer: Explorer::new(program, states),
            part: Builder::new(program.kind).finish(Vec::<StateId>::new()),
            initial,
            goal: Code::new(&asked.goal),
            allowed: Code::new(&asked.allowed),
            best: asked.best,
            precision,
            settles,
            known: Vec::new(),
            chosen: Vec::new(),
            looked: Vec::new(),
            proved: None,
            bounds: (0.0, 1.0),
            random: 0x5eed,
            misbuilt: None,
        };
        partial.look_at_new()?;
        Ok(partial)
    }

    /// What is known so far: the probability lies between.
    pub fn bounds(&self) -> (f64, f64) {
        self.bounds
    }

    /// How many states were looked at.
    pub fn looked_at(&self) -> usize {
        self.part.states()
    }

    /// How many states were found, those included that were not looked at.
    pub fn found(&self) -> usize {
        self.known.len()
    }

    /// What shows the bounds of the last attempt.
    pub fn shown(&self) -> Option<Looked> {
        let proved = self.proved.as_ref()?;
        let rows = proved.lower.len();
        let states = self.looked[..rows].iter();
        let chosen = match self.part.kind {
            Kind::Mdp => {
                let all = proved.chosen.iter().zip(&self.part.rows);
                all.map(|(chosen, first)| chosen.number().saturating_sub(*first))
                    .collect()
            }
            _ => Vec::new(),
        };
        Some(Looked {
            states: states
                .map(|&state| self.explorer.states.values(state as usize))
                .collect(),
            lower: proved.lower.clone(),
            upper: proved.upper.clone(),
            chosen,
        })
    }

    /// What is wrong with the program, if that ended the search.
    pub fn misbuilt(&mut self) -> Option<Misbuilt> {
        self.misbuilt.take()
    }

    /// Notes what is known about states that were just found.
    fn look_at_new(&mut self) -> Result<(), Stop> {
        let mut values = vec![0.0; self.explorer.states.variables()];
        let mut stack: Vec<f64> = Vec::new();
        for state in self.known.len()..self.explorer.states.len() {
            self.explorer.states.unpack(state, &mut values);
            let mut holds = |code: &Code| {
                let value = code.run::<f64>(&values, &mut stack);
                match value.is_nan() {
                    true => Err(Stop::inconclusive(
                        "the question has no value in some state",
                    )),
                    false => Ok(value != 0.0),
                }
            };
            self.known.push(match () {
                () if holds(&self.goal)? => Known::Goal,
                () if !holds(&self.allowed)? => Known::Lost,
                () => Known::Open,
            });
        }
        Ok(())
    }

    /// Looks at a state: its row.
    fn expand(&mut self, state: u32, budget: &Budget) -> Result<u32, Stop> {
        budget.charge(1)?;
        let row = self.part.states() as u32;
        if let Err(why) = self.explorer.expand(state as usize, budget) {
            if let Misbuilt::Stopped(stop) = why {
                return Err(stop);
            }
            self.misbuilt = Some(why);
            return Err(Stop::inconclusive("the model cannot be built"));
        }
        let empty = Builder::new(self.part.kind);
        let one = std::mem::replace(&mut self.explorer.out, empty).finish(Vec::<StateId>::new());
        self.append(&one, state);
        self.looked.push(state);
        self.known[state as usize] = Known::Row(row);
        self.look_at_new()?;
        Ok(row)
    }

    /// Appends the one row of a model.
    fn append(&mut self, one: &Markov, state: u32) {
        let part = &mut self.part;
        let (branches, choices) = (part.branches() as u32, part.choices() as u32);
        match one.deadlocks.contains(0) {
            // A loop where nothing can happen.
            true => part.targets.push(StateId::new(state)),
            false => part.targets.extend(&one.targets),
        }
        part.weights.extend(&one.weights);
        let columns = one.columns[1..].iter().map(|&at| at + branches);
        part.columns.extend(columns);
        part.labels.extend(&one.labels);
        part.rows.push(one.labels.len() as u32 + choices);
        part.error = part.error.max(one.error);
    }

    /// The model of what was looked at, with one state each for goals, for what is lost and for
    /// what was not looked at.
    fn model(&self) -> Markov {
        let rows = self.part.states() as u32;
        let mut model = self.part.clone();
        for target in &mut model.targets {
            *target = StateId::new(self.place(target.number(), rows));
        }
        for special in rows..rows + 3 {
            model.labels.push(ActionId::new(0));
            model.targets.push(StateId::new(special));
            model.weights.push(1.0);
            model.columns.push(model.targets.len() as u32);
            model.rows.push(model.labels.len() as u32);
        }
        model.deadlocks.grow(rows as usize + 3);
        model.initial = vec![StateId::new(self.place(self.initial, rows))];
        model
    }

    fn place(&self, state: u32, rows: u32) -> u32 {
        match self.known[state as usize] {
            Known::Row(row) => row,
            Known::Goal => rows,
            Known::Lost => rows + 1,
            Known::Open => rows + 2,
        }
    }

    fn below(&mut self, limit: f64) -> f64 {
        // Steele, Lea, Flood 2014: splitmix64.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1u64 << 53) as f64 * limit
    }

    /// The state that a random step leads to from one that was looked at.
    fn step(&mut self, state: u32, row: u32) -> u32 {
        let choices = self.part.choices_of(StateId::new(row));
        let choice = match self.chosen.get(row as usize).copied() {
            Some(chosen) if choices.contains(chosen) => chosen,
            _ => {
                let first = choices.places().start;
                ChoiceId::from_index(first + self.below(choices.len() as f64) as usize)
            }
        };
        let sum = self.part.sum(choice);
        let mut left = self.below(sum);
        let mut last = state;
        for branch in self.part.branches_of(choice) {
            last = self.part.targets[branch].number();
            left -= self.part.weights[branch];
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

impl Method for Partial<'_> {
    type Proof = ();
    type Trace = ();
    type Spurious = ();

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<(), (), ()>, Stop> {
        let model = self.model();
        let rows = model.states() - 3;
        let analysis = Analysis::new(&model, self.precision);
        let set = |places: &[usize]| {
            let mut set = Bits::with_capacity(rows + 3);
            set.extend(places.iter().copied());
            set
        };
        let mut all = set(&[]);
        all.insert_range(..);
        let (best, budget) = (self.best, &cx.budget);
        let low = analysis.until(&all, &set(&[rows]), best, budget)?;
        let high = analysis.until(&all, &set(&[rows, rows + 2]), best, budget)?;
        let at = model.initial[0].index();
        self.bounds = (
            self.bounds.0.max(low.lower[at]),
            self.bounds.1.min(high.upper[at]),
        );
        // Whoever looks for the best believes the best of what is not known; what is proved needs the
        // choices that are best at the worst.
        let (hoped, mut attaining) = match best {
            Best::Greatest => (high.chosen, low.chosen),
            Best::Least => (low.chosen, high.chosen),
        };
        self.chosen = hoped;
        self.chosen.truncate(rows);
        attaining.truncate(rows);
        self.proved = Some(Proved {
            lower: low.lower[..rows].to_vec(),
            upper: high.upper[..rows].to_vec(),
            chosen: attaining,
        });
        Ok(match (self.settles)(self.bounds.0, self.bounds.1) {
            Some(true) => Attempt::Proved(()),
            Some(false) => Attempt::Refuted(()),
            None => Attempt::FalseAlarm(()),
        })
    }

    fn refine(&mut self, (): (), cx: &mut Context) -> Result<(), Stop> {
        let before = self.looked_at();
        let wanted = before + (before / 2).max(FIRST);
        let mut steps = 0;
        while self.looked_at() < wanted && steps < 20 * (wanted - before) {
            let mut state = self.initial;
            for _ in 0..LONGEST {
                steps += 1;
                cx.budget.charge(1)?;
                let row = match self.known[state as usize] {
                    Known::Goal | Known::Lost => break,
                    Known::Open if self.looked_at() >= wanted => break,
                    Known::Open => self.expand(state, &cx.budget)?,
                    Known::Row(row) => row,
                };
                state = self.step(state, row);
            }
        }
        // Runs that hardly come to anything new leave the rest to the order of finding.
        let sampled = self.looked_at() - before;
        let mut state = 0;
        while self.looked_at() < before + (wanted - before) / 4 && state < self.known.len() {
            if self.known[state] == Known::Open {
                self.expand(state as u32, &cx.budget)?;
            }
            state += 1;
        }
        if self.looked_at() == before {
            return Err(Stop::inconclusive(
                "all states were looked at, and the bounds do not settle it",
            ));
        }
        let (low, high) = self.bounds;
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: format!("between {low:.6} and {high:.6}; runs went on where it is open"),
            sizes: [
                ("states looked at", self.looked_at() as u64),
                ("found by runs", sampled as u64),
                ("states known", self.known.len() as u64),
            ]
            .into(),
        });
        Ok(())
    }
}
