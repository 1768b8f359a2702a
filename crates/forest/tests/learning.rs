//! What is learned about trees is so: compared with a search of all small trees.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Context};
use quotient_forest::{Found, Options, Step, System, check};
use quotient_trees::{
    Alphabet, Node, Piece, Rule, State, Symbol, Term, Transducer, TransducerRule, Tree,
    TreeAutomaton, inclusion, intersection,
};
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};

/// Leaves `a` and `b`, one above one `g` and `h`, one above two `f`.
const SYMBOLS: [(&str, usize); 5] = [("a", 0), ("b", 0), ("g", 1), ("h", 1), ("f", 2)];

fn state(u: &mut Unstructured, count: usize) -> Drawn<State> {
    Ok(State::from_index(u.int_in_range(0..=count - 1)?))
}

fn automaton(u: &mut Unstructured, alphabet: &Arc<Alphabet>) -> Drawn<TreeAutomaton> {
    let count = u.int_in_range(1..=3)?;
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(3..=9)? {
        let symbol = Symbol::from_index(u.int_in_range(0..=SYMBOLS.len() - 1)?);
        let children: Drawn<Box<[State]>> = (0..alphabet.arity(symbol))
            .map(|_| state(u, count))
            .collect();
        rules.push(Rule {
            symbol,
            children: children?,
            target: state(u, count)?,
        });
    }
    let mut accepting = Bits::with_capacity(count);
    accepting.insert(u.int_in_range(0..=count - 1)?);
    Ok(TreeAutomaton::new(alphabet.clone(), accepting, rules).trimmed())
}

/// A step that keeps the shape: every symbol may become one with as many children.
fn transducer(u: &mut Unstructured, alphabet: &Arc<Alphabet>) -> Drawn<Transducer> {
    let count = u.int_in_range(1..=3)?;
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(4..=10)? {
        let symbol = Symbol::from_index(u.int_in_range(0..=SYMBOLS.len() - 1)?);
        let arity = alphabet.arity(symbol);
        let alike: Vec<Symbol> = (0..SYMBOLS.len())
            .map(Symbol::from_index)
            .filter(|one| alphabet.arity(*one) == arity)
            .collect();
        let children: Drawn<Box<[State]>> = (0..arity).map(|_| state(u, count)).collect();
        let written = *u.choose(&alike)?;
        let top = Piece::Node(Node {
            symbol: written,
            arity: arity as u32,
        });
        let below = (0..arity).map(|one| Piece::Variable(one as u32));
        rules.push(TransducerRule {
            symbol: Some(symbol),
            children: children?,
            target: state(u, count)?,
            output: Term::new(std::iter::once(top).chain(below).collect()).unwrap(),
        });
    }
    let mut accepting = Bits::with_capacity(count);
    accepting.insert(u.int_in_range(0..=count - 1)?);
    Ok(Transducer::new(alphabet.clone(), accepting, rules))
}

/// All trees of at most so many nodes that are reached, image after image.
fn reached(system: &System, size: usize, budget: &Budget) -> BTreeSet<Tree> {
    let first = system.initial.trees_up_to(size, usize::MAX, budget);
    let mut left: Vec<Tree> = first.unwrap();
    let mut all: BTreeSet<Tree> = left.iter().cloned().collect();
    while let Some(tree) = left.pop() {
        let alone = TreeAutomaton::only(system.initial.alphabet().clone(), &tree);
        let next = system.image(&alone, budget).unwrap();
        for tree in next.trees_up_to(size, usize::MAX, budget).unwrap() {
            if all.insert(tree.clone()) {
                left.push(tree);
            }
        }
    }
    all
}

#[test]
fn what_is_learned_is_so() {
    let mut alphabet = Alphabet::default();
    for (name, arity) in SYMBOLS {
        alphabet.add(name, arity);
    }
    let alphabet = Arc::new(alphabet);
    let free = Budget::unlimited();
    let (mut held, mut violated) = (0, 0);
    quotient_trial::trial(|u| {
        let system = System {
            initial: automaton(u, &alphabet)?,
            steps: vec![
                (
                    "one".to_owned(),
                    Step::Transducer(transducer(u, &alphabet)?),
                ),
                (
                    "two".to_owned(),
                    Step::Transducer(transducer(u, &alphabet)?),
                ),
            ],
            equations: Vec::new(),
        };
        let bad = automaton(u, &alphabet)?;
        let options = Options {
            method: Some("forward learning".to_owned()),
        };
        let cx = Context {
            budget: free.child_with_work(200_000),
            ..Context::default()
        };
        let small = reached(&system, 4, &free);
        let is_bad = small.iter().any(|tree| bad.contains(tree));
        match check(&system, &bad, &options, &cx).found {
            Found::Invariant(invariant) => {
                held += 1;
                assert!(!is_bad);
                assert!(small.iter().all(|tree| invariant.set.contains(tree)));
                let next = system.image(&invariant.set, &free).unwrap();
                assert!(inclusion(&next, &invariant.set, &free).unwrap().holds());
                let both = intersection(&invariant.set, &bad, &free).unwrap();
                assert!(both.is_empty());
            }
            Found::Run(run) => {
                violated += 1;
                assert!(system.initial.contains(&run.first));
                let mut here = run.first;
                for (step, next) in run.steps {
                    let leads = system.steps[step].1.leads(&here, &next, &free);
                    assert!(leads.unwrap());
                    here = next;
                }
                assert!(bad.contains(&here));
            }
            Found::Nothing(_) => {}
        }
        Ok(())
    })
    .budget_ms(2_000);
    assert!(
        held > 0 && violated > 0,
        "{held} held, {violated} were violated"
    );
}
