//! The big-step semantics, as second and third ways to the same end: barriers one at a time
//! (Diamond), and all that are complete at once (AllSub, repaired so that who waits elsewhere may
//! wait on). And all interleavings of the small steps.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use quotient_core::Budget;
use quotient_explicit::{Ending, Graph, Limits, Order, StateId, System, search};

use crate::machine::{self, Control, Environment, Local, pure};
use crate::program::{Expression, Function, Groups, Kind, Name, Operator, Program, Value};

mod agree;

/// In each call the variables of its function have new names; only what barriers know by its name keeps it.
type Renamed = BTreeMap<Name, Name>;

/// An expression whose parts may be values already.
#[derive(Debug, Clone)]
enum Tree {
    Constant(Value),
    Variable(Name),
    Pid,
    Processors,
    Operation(Operator, Vec<Rc<Tree>>),
    Let(Name, Rc<Tree>, Rc<Tree>),
    If(Rc<Tree>, Rc<Tree>, Rc<Tree>),
    Loop(Rc<Tree>),
    Raise(usize, Rc<Tree>),
    Try(Rc<Tree>, usize, Name, Rc<Tree>),
    Fun(Name, usize, Rc<Renamed>),
    Assign(Name, Rc<Tree>),
    Apply(Rc<Tree>, Rc<Tree>),
    /// The body of a call, and those of its variables that barriers know.
    Call(Rc<BTreeSet<Name>>, Rc<Tree>),
    /// A request with the processor that it is for, if there is one.
    Request(Request, Groups, Vec<Name>, Option<Rc<Tree>>),
    Sync(Groups),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Request {
    Push,
    Pop,
    Put,
    Get,
    Send,
}

enum Out {
    Value(Value),
    Raised(usize, Value),
    Sync(usize, Rc<Tree>),
    Fault,
    Endless,
}

/// An expression of the text, in a call in which its variables have these names.
fn tree(program: &Program, at: usize, renamed: &Rc<Renamed>) -> Rc<Tree> {
    let of = |at: &usize| tree(program, *at, renamed);
    let to = |name: &Name| renamed.get(name).copied().unwrap_or(*name);
    Rc::new(match &program.expressions[at].0 {
        Expression::Constant(value) => Tree::Constant(value.clone()),
        Expression::Variable(name) => Tree::Variable(to(name)),
        Expression::Pid => Tree::Pid,
        Expression::Processors => Tree::Processors,
        Expression::Unary(operator, inner) => Tree::Operation(*operator, vec![of(inner)]),
        Expression::Binary(operator, a, b) => Tree::Operation(*operator, vec![of(a), of(b)]),
        Expression::Let(name, a, b) => Tree::Let(to(name), of(a), of(b)),
        Expression::If(a, b, c) => Tree::If(of(a), of(b), of(c)),
        Expression::Loop(body) => Tree::Loop(of(body)),
        Expression::Raise(exception, inner) => Tree::Raise(*exception, of(inner)),
        Expression::Try(body, exception, name, handler) => {
            Tree::Try(of(body), *exception, to(name), of(handler))
        }
        Expression::Fun(name, body) => Tree::Fun(*name, *body, renamed.clone()),
        Expression::Assign(name, inner) => Tree::Assign(to(name), of(inner)),
        Expression::Apply(a, b) => Tree::Apply(of(a), of(b)),
        Expression::Push(groups, name) => {
            Tree::Request(Request::Push, groups.clone(), vec![to(name)], None)
        }
        Expression::Pop(groups, name) => {
            Tree::Request(Request::Pop, groups.clone(), vec![to(name)], None)
        }
        Expression::Put(groups, whom, x, y) => Tree::Request(
            Request::Put,
            groups.clone(),
            vec![to(x), to(y)],
            Some(of(whom)),
        ),
        Expression::Get(groups, whom, x, y) => Tree::Request(
            Request::Get,
            groups.clone(),
            vec![to(x), to(y)],
            Some(of(whom)),
        ),
        Expression::Send(groups, x, whom) => {
            Tree::Request(Request::Send, groups.clone(), vec![to(x)], Some(of(whom)))
        }
        Expression::Sync(groups) => Tree::Sync(groups.clone()),
    })
}

/// Variables that barriers read and write.
fn known_to_barriers(program: &Program) -> BTreeSet<Name> {
    let names = program.expressions.iter().flat_map(|(one, _)| match one {
        Expression::Push(_, name) | Expression::Pop(_, name) | Expression::Put(.., name) => {
            vec![*name]
        }
        Expression::Get(.., from, into) => vec![*from, *into],
        _ => Vec::new(),
    });
    names.collect()
}

struct Big<'a> {
    program: &'a Program,
    pid: usize,
    fuel: u32,
}

/// The value of a part; all else leaves the rule, a barrier with the rest around it.
macro_rules! part {
    ($big:expr, $environment:expr, $tree:expr, $rest:expr) => {
        match $big.eval($environment, $tree) {
            Out::Value(value) => value,
            Out::Sync(group, inner) => {
                #[allow(clippy::redundant_closure_call)]
                return Out::Sync(group, Rc::new($rest(inner)));
            }
            other => return other,
        }
    };
}

impl Big<'_> {
    // Long because every construct has its rule here.
    fn eval(&mut self, s: &mut Environment, e: &Rc<Tree>) -> Out {
        if self.fuel == 0 {
            return Out::Endless;
        }
        self.fuel -= 1;
        match &**e {
            Tree::Constant(value) => Out::Value(value.clone()),
            Tree::Variable(name) => match s.variables.get(name) {
                Some(value) => Out::Value(value.clone()),
                None => Out::Fault,
            },
            Tree::Pid => Out::Value(Value::Int(self.pid as i64)),
            Tree::Processors => Out::Value(Value::Int(self.program.processors as i64)),
            Tree::Operation(operator, parts) => {
                let mut values: Vec<Value> = Vec::new();
                for (at, inner) in parts.iter().enumerate() {
                    let value = part!(self, s, inner, |inner: Rc<Tree>| {
                        let done = values
                            .iter()
                            .map(|one| Rc::new(Tree::Constant(one.clone())));
                        let rest = parts[at + 1..].iter().cloned();
                        Tree::Operation(*operator, done.chain([inner]).chain(rest).collect())
                    });
                    values.push(value);
                }
                self.operation(s, *operator, &values)
            }
            Tree::Let(name, a, b) => {
                let value = part!(self, s, a, |inner: Rc<Tree>| Tree::Let(
                    *name,
                    inner,
                    b.clone()
                ));
                if *name != 0 {
                    s.variables.insert(*name, value);
                }
                self.eval(s, b)
            }
            Tree::If(a, b, c) => {
                let value = part!(self, s, a, |inner: Rc<Tree>| {
                    Tree::If(inner, b.clone(), c.clone())
                });
                match value {
                    Value::Bool(true) => self.eval(s, b),
                    Value::Bool(false) => self.eval(s, c),
                    _ => Out::Fault,
                }
            }
            Tree::Loop(body) => {
                let unfolded = Rc::new(Tree::Let(0, body.clone(), e.clone()));
                self.eval(s, &unfolded)
            }
            Tree::Raise(exception, inner) => {
                let value = part!(self, s, inner, |inner: Rc<Tree>| Tree::Raise(
                    *exception, inner
                ));
                Out::Raised(*exception, value)
            }
            Tree::Try(body, exception, name, handler) => match self.eval(s, body) {
                Out::Raised(raised, value) if raised == *exception => {
                    if *name != 0 {
                        s.variables.insert(*name, value);
                    }
                    self.eval(s, handler)
                }
                Out::Sync(group, inner) => {
                    let rest = Tree::Try(inner, *exception, *name, handler.clone());
                    Out::Sync(group, Rc::new(rest))
                }
                other => other,
            },
            Tree::Fun(name, body, renamed) => self.function(s, *name, *body, renamed),
            Tree::Assign(name, inner) => {
                let value = part!(self, s, inner, |inner: Rc<Tree>| Tree::Assign(*name, inner));
                s.variables.insert(*name, value);
                Out::Value(Value::Void)
            }
            Tree::Apply(a, b) => {
                let function = part!(self, s, a, |inner: Rc<Tree>| Tree::Apply(inner, b.clone()));
                let argument = part!(self, s, b, |inner: Rc<Tree>| {
                    Tree::Apply(Rc::new(Tree::Constant(function.clone())), inner)
                });
                match function {
                    Value::Fun(function) => {
                        let call = self.call(s, &function, argument);
                        self.eval(s, &call)
                    }
                    _ => Out::Fault,
                }
            }
            Tree::Call(known, body) => match self.eval(s, body) {
                Out::Sync(group, rest) => {
                    Out::Sync(group, Rc::new(Tree::Call(known.clone(), rest)))
                }
                out => {
                    s.variables.retain(|name, _| !known.contains(name));
                    s.forget(known);
                    out
                }
            },
            Tree::Request(request, groups, names, to) => {
                let to = match to {
                    None => None,
                    Some(to) => Some(part!(self, s, to, |inner: Rc<Tree>| {
                        Tree::Request(*request, groups.clone(), names.clone(), Some(inner))
                    })),
                };
                self.request(s, *request, groups, names, to)
            }
            Tree::Sync(groups) => {
                let group = self.program.chosen(groups, self.pid);
                match self.program.is_member(group, self.pid) {
                    true => Out::Sync(group, Rc::new(Tree::Constant(Value::Void))),
                    false => Out::Fault,
                }
            }
        }
    }

    fn function(&self, s: &Environment, parameter: Name, body: usize, renamed: &Renamed) -> Out {
        let mut kept = Vec::new();
        for name in &self.program.kept[&body] {
            let now = renamed.get(name).unwrap_or(name);
            match s.variables.get(now) {
                Some(value) => kept.push((*name, value.clone())),
                None => return Out::Fault,
            }
        }
        let size = 1 + kept.iter().map(|(_, value)| value.size()).sum::<usize>();
        Out::Value(Value::Fun(Arc::new(Function {
            parameter,
            body,
            kept,
            size,
        })))
    }

    fn call(&self, s: &mut Environment, function: &Function, argument: Value) -> Rc<Tree> {
        let program = self.program;
        let known = known_to_barriers(program);
        let own: BTreeSet<Name> = program.locals[&function.body].iter().copied().collect();
        let last = s.variables.keys().next_back().copied().unwrap_or(0);
        let fresh = last.max(program.names.len() - 1) + 1;
        let renamed = own.difference(&known).enumerate();
        let renamed: Renamed = renamed.map(|(at, name)| (*name, fresh + at)).collect();
        let mut store = |name: Name, value: Value| {
            let name = renamed.get(&name).copied().unwrap_or(name);
            if name != 0 {
                s.variables.insert(name, value);
            }
        };
        for (name, value) in &function.kept {
            store(*name, value.clone());
        }
        store(function.parameter, argument);
        let body = tree(program, function.body, &Rc::new(renamed));
        let known = own.intersection(&known).copied().collect();
        Rc::new(Tree::Call(Rc::new(known), body))
    }

    fn operation(&self, s: &Environment, operator: Operator, values: &[Value]) -> Out {
        let number = |at: usize| match values.get(at) {
            Some(Value::Int(number)) => usize::try_from(*number).unwrap_or(usize::MAX),
            _ => usize::MAX,
        };
        let from = || s.received.get(&number(0)).cloned().unwrap_or_default();
        let typed = values.iter().all(|value| matches!(value, Value::Int(_)));
        match operator {
            Operator::Messages if typed => Out::Value(Value::Int(from().len() as i64)),
            Operator::Message if typed => match from().get(number(1)) {
                Some(value) => Out::Value(value.clone()),
                None => Out::Fault,
            },
            Operator::Messages | Operator::Message => Out::Fault,
            _ => pure(operator, values).map_or(Out::Fault, Out::Value),
        }
    }

    fn request(
        &self,
        s: &mut Environment,
        request: Request,
        groups: &Groups,
        names: &[Name],
        to: Option<Value>,
    ) -> Out {
        let group = self.program.chosen(groups, self.pid);
        let member = |one: usize| self.program.is_member(group, one);
        if !member(self.pid) {
            return Out::Fault;
        }
        let to = match to {
            None => 0,
            Some(Value::Int(to)) => match usize::try_from(to).ok().filter(|&to| member(to)) {
                Some(to) => to,
                None => return Out::Fault,
            },
            Some(_) => return Out::Fault,
        };
        let value = s.variables.get(&names[0]).cloned();
        match (request, value) {
            (Request::Put | Request::Send, Some(Value::Fun(_))) => return Out::Fault,
            (Request::Push, _) => s.pushes.entry(group).or_default().push(names[0]),
            (Request::Pop, _) => s.pops.entry(group).or_default().push((names[0], 0)),
            (Request::Get, _) => {
                s.gets
                    .entry(group)
                    .or_default()
                    .push((to, names[0], Some(names[1]), 0));
            }
            (Request::Put, Some(value)) => {
                s.puts
                    .entry(group)
                    .or_default()
                    .push((to, value, names[1], 0));
            }
            (Request::Send, Some(value)) => s.sends.entry(group).or_default().push((to, value)),
            (_, None) => return Out::Fault,
        }
        Out::Value(Value::Void)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Rule {
    DiamondFirst,
    DiamondLast,
    AllSub,
    AllSubToTheLetter,
}

/// What takes more steps between two barriers is taken to be endless.
const FUEL: u32 = 4_000;

/// How a program ends by a rule for barriers, with the variables of each processor.
fn big_step(program: &Program, rule: Rule) -> (Kind, Vec<BTreeMap<Name, Value>>, Vec<Value>) {
    let root = tree(program, program.root, &Rc::default());
    let mut all: Vec<(Environment, Out)> = Vec::new();
    let eval = |pid: usize, s: &mut Environment, e: &Rc<Tree>| {
        let mut big = Big {
            program,
            pid,
            fuel: FUEL,
        };
        big.eval(s, e)
    };
    for pid in 0..program.processors {
        let mut s = Environment::default();
        let out = eval(pid, &mut s, &root);
        all.push((s, out));
    }
    let mut supersteps = 0;
    loop {
        let waits =
            |one: usize, group: usize| matches!(all[one].1, Out::Sync(at, _) if at == group);
        let complete = |group: &usize| {
            let members = &program.groups[*group].members;
            members.iter().all(|&one| waits(one, *group))
        };
        let mut groups: Vec<usize> = (0..program.groups.len()).filter(complete).collect();
        match rule {
            Rule::DiamondFirst => groups.truncate(1),
            Rule::DiamondLast => groups = groups.last().copied().into_iter().collect(),
            Rule::AllSub => {}
            Rule::AllSubToTheLetter => {
                let done = |one: usize| {
                    let meets = groups.iter().any(|&group| program.is_member(group, one));
                    meets || matches!(all[one].1, Out::Value(_))
                };
                if !(0..program.processors).all(done) {
                    groups.clear();
                }
            }
        }
        supersteps += 1;
        if groups.is_empty() || supersteps > 60 {
            break;
        }
        for group in groups {
            let mut locals: Vec<Local> = Vec::new();
            for (s, _) in &all {
                let mut local = Local::new(0);
                local.environment = s.clone();
                locals.push(local);
            }
            machine::barrier(program, &mut locals, group);
            let failed = locals.iter().any(|local| local.fault().is_some());
            for &one in &program.groups[group].members {
                all[one].0 = locals[one].environment.clone();
                let Out::Sync(_, rest) = &all[one].1 else {
                    continue;
                };
                let rest = rest.clone();
                if failed {
                    all[one].1 = match locals[one].control {
                        Control::Faulty(_) => Out::Fault,
                        _ => Out::Sync(group, rest),
                    };
                } else {
                    let out = eval(one, &mut all[one].0, &rest);
                    all[one].1 = out;
                }
            }
            if failed {
                break;
            }
        }
    }
    let any = |fits: fn(&Out) -> bool| all.iter().any(|(_, out)| fits(out));
    let kind = if any(|out| matches!(out, Out::Fault | Out::Raised(..))) {
        Kind::Fault
    } else if supersteps > 60 || any(|out| matches!(out, Out::Endless)) {
        Kind::Diverges
    } else if any(|out| matches!(out, Out::Sync(..))) {
        Kind::Deadlock
    } else {
        Kind::Done
    };
    // What calls had is gone.
    let lasting = |(name, value): (&Name, &Value)| {
        let is_named = *name < program.names.len();
        is_named.then(|| (*name, value.clone()))
    };
    let variables = all.iter();
    let variables = variables.map(|(s, _)| s.variables.iter().filter_map(lasting).collect());
    let variables = variables.collect();
    let value = |(_, out): &(Environment, Out)| match out {
        Out::Value(value) => Some(value.clone()),
        _ => None,
    };
    (kind, variables, all.iter().filter_map(value).collect())
}

/// All interleavings: a state is the numbers of its local states.
struct Interleaved<'a> {
    program: &'a Program,
    pool: RefCell<(Vec<Local>, HashMap<Local, u64>)>,
}

impl Interleaved<'_> {
    fn number(&self, local: &Local) -> u64 {
        let mut pool = self.pool.borrow_mut();
        if let Some(&number) = pool.1.get(local) {
            return number;
        }
        let number = pool.0.len() as u64;
        pool.0.push(local.clone());
        pool.1.insert(local.clone(), number);
        number
    }

    fn locals(&self, state: &[u64]) -> Vec<Local> {
        let pool = self.pool.borrow();
        state
            .iter()
            .map(|&number| pool.0[number as usize].clone())
            .collect()
    }
}

impl System for Interleaved<'_> {
    fn width(&self) -> usize {
        self.program.processors
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        let all = machine::beginning(self.program);
        let all: Vec<u64> = all.iter().map(|local| self.number(local)).collect();
        emit(&all);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let locals = self.locals(state);
        for (pid, local) in locals.iter().enumerate() {
            let mut local = local.clone();
            if local.step(self.program, pid) {
                let mut next = state.to_vec();
                next[pid] = self.number(&local);
                emit(pid as u32, &next);
            }
        }
        for group in machine::complete(self.program, &locals) {
            let mut after = locals.clone();
            machine::barrier(self.program, &mut after, group);
            let next: Vec<u64> = after.iter().map(|local| self.number(local)).collect();
            emit(1000 + group as u32, &next);
        }
        Ok(())
    }
}

/// The states in which nothing can move, and whether all states were seen.
fn all_ends(program: &Program, most: usize) -> (Vec<Vec<Local>>, usize, bool) {
    let system = Interleaved {
        program,
        pool: RefCell::default(),
    };
    let mut ends = Vec::new();
    let visit = &mut |_: &Graph, _: StateId, state: &[u64], successors: usize| {
        if successors == 0 {
            ends.push(system.locals(state));
        }
        ControlFlow::Continue(())
    };
    let limits = Limits { states: most };
    let budget = Budget::unlimited();
    let (graph, ending) = search(&system, Order::Breadth, &limits, &budget, visit);
    (ends, graph.len(), ending == Ending::Complete)
}
