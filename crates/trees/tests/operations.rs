//! Operations on random automata, transducers and rewriting rules against enumeration of small
//! trees.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Source};
use quotient_trees::{
    Alphabet, Completion, Inclusion, Node, OPERATIONS, Outcome, Piece, RewriteRule, RewriteSystem,
    Rule, State, Symbol, Term, Transducer, TransducerRule, Tree, TreeAutomaton, complement,
    determinise, equivalence, inclusion, intersection, minimise, reduce, timbuk, union,
    universality,
};
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};
use quotient_trial::trial;

fn alphabet() -> Arc<Alphabet> {
    let mut alphabet = Alphabet::default();
    for (name, arity) in [("a", 0), ("b", 0), ("g", 1), ("f", 2)] {
        alphabet.add(name, arity);
    }
    Arc::new(alphabet)
}

fn free() -> Budget {
    Budget::unlimited()
}

fn small_trees(size: usize) -> Vec<Tree> {
    let all = TreeAutomaton::all(alphabet());
    all.trees_up_to(size, usize::MAX, &free()).unwrap()
}

fn subset(u: &mut Unstructured, size: usize) -> Drawn<Bits> {
    let mut set = Bits::with_capacity(size);
    for place in 0..size {
        set.set(place, u.ratio(1, 2)?);
    }
    Ok(set)
}

fn state(u: &mut Unstructured, states: usize) -> Drawn<State> {
    Ok(State::from_index(u.int_in_range(0..=states - 1)?))
}

fn states(u: &mut Unstructured, arity: usize, count: usize) -> Drawn<Box<[State]>> {
    (0..arity).map(|_| state(u, count)).collect()
}

/// One of the first symbols, up to and with this number.
fn symbol(u: &mut Unstructured, last: usize) -> Drawn<Symbol> {
    Ok(Symbol::from_index(u.int_in_range(0..=last)?))
}

fn automaton(u: &mut Unstructured) -> Drawn<TreeAutomaton> {
    let alphabet = alphabet();
    let count = u.int_in_range(1..=4)?;
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(1..=9)? {
        let symbol = symbol(u, 3)?;
        let children = states(u, alphabet.arity(symbol), count)?;
        let target = state(u, count)?;
        rules.push(Rule {
            symbol,
            children,
            target,
        });
    }
    let accepting = subset(u, count)?;
    Ok(TreeAutomaton::new(alphabet, accepting, rules))
}

fn term(u: &mut Unstructured, variables: &mut Vec<u32>, depth: u32) -> Drawn<Vec<Piece>> {
    if !variables.is_empty() && u.ratio(1, 2)? {
        let place = u.choose_index(variables.len())?;
        return Ok(vec![Piece::Variable(variables.remove(place))]);
    }
    above(u, variables, depth)
}

/// A term with a symbol on top.
fn above(u: &mut Unstructured, variables: &mut Vec<u32>, depth: u32) -> Drawn<Vec<Piece>> {
    let most = if depth == 0 { 1 } else { 3 };
    let symbol = symbol(u, most)?;
    let arity = alphabet().arity(symbol) as u32;
    let mut pieces = vec![Piece::Node(Node { symbol, arity })];
    for _ in 0..arity {
        pieces.append(&mut term(u, variables, depth - 1)?);
    }
    Ok(pieces)
}

fn transducer(u: &mut Unstructured) -> Drawn<Transducer> {
    let alphabet = alphabet();
    let count = u.int_in_range(1..=3)?;
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(1..=6)? {
        let symbol = match u.ratio(1, 8)? {
            true => None,
            false => Some(symbol(u, 3)?),
        };
        let arity = symbol.map_or(1, |symbol| alphabet.arity(symbol));
        let mut variables: Vec<u32> = (0..arity as u32).collect();
        let output = match symbol {
            // What reads nothing adds something, so that single trees have finitely many images.
            None => vec![
                Piece::Node(Node {
                    symbol: Symbol::from_index(2),
                    arity: 1,
                }),
                Piece::Variable(0),
            ],
            Some(_) => term(u, &mut variables, 2)?,
        };
        rules.push(TransducerRule {
            symbol,
            children: states(u, arity, count)?,
            target: state(u, count)?,
            output: Term::new(output).unwrap(),
        });
    }
    let accepting = subset(u, count)?;
    Ok(Transducer::new(alphabet, accepting, rules))
}

/// What a tree can become, by hand; at most three silent rules one after the other.
fn become_by_hand(transducer: &Transducer, tree: &Tree) -> BTreeSet<Tree> {
    let all = tree.fold(|node, below: Vec<BTreeSet<(State, Tree)>>| {
        let mut found: BTreeSet<(State, Tree)> = BTreeSet::new();
        for rule in transducer.rules() {
            if rule.symbol != Some(node.symbol) {
                continue;
            }
            let mut partial: Vec<Vec<Option<Tree>>> = vec![Vec::new()];
            for (&child, possible) in rule.children.iter().zip(&below) {
                let fitting = possible.iter().filter(|(state, _)| *state == child);
                let fitting: Vec<&Tree> = fitting.map(|(_, tree)| tree).collect();
                let longer = |old: &Vec<Option<Tree>>| -> Vec<Vec<Option<Tree>>> {
                    let one = |tree: &&Tree| [&old[..], &[Some((*tree).clone())]].concat();
                    fitting.iter().map(one).collect()
                };
                partial = partial.iter().flat_map(longer).collect();
            }
            for trees in partial {
                found.insert((rule.target, rule.output.filled(&trees).unwrap()));
            }
        }
        for _ in 0..3 {
            for (state, tree) in found.clone() {
                for rule in transducer.rules() {
                    if rule.symbol.is_none() && rule.children[0] == state {
                        let tree = rule.output.filled(&[Some(tree.clone())]).unwrap();
                        found.insert((rule.target, tree));
                    }
                }
            }
        }
        found
    });
    let accepted = all
        .into_iter()
        .filter(|(state, _)| transducer.accepting().contains(state.index()));
    accepted.map(|(_, tree)| tree).collect()
}

#[test]
fn operations_agree_with_enumeration() {
    let trees = small_trees(6);
    trial(|u| {
        let (one, other) = (automaton(u)?, automaton(u)?);
        let deterministic = determinise(&one, &free()).unwrap();
        let minimal = minimise(&one, &free()).unwrap();
        let reduced = reduce(&one, &free()).unwrap();
        let others = complement(&one, &free()).unwrap();
        let both = intersection(&one, &other, &free()).unwrap();
        let either = union(&one, &other);
        for tree in &trees {
            let here = one.contains(tree);
            assert_eq!(one.trimmed().contains(tree), here);
            assert_eq!(deterministic.contains(tree), here);
            assert!(deterministic.states_of(tree).count_ones(..) <= 1);
            assert_eq!(minimal.contains(tree), here);
            assert_eq!(reduced.contains(tree), here);
            assert_eq!(others.contains(tree), !here);
            assert_eq!(both.contains(tree), here && other.contains(tree));
            assert_eq!(either.contains(tree), here || other.contains(tree));
        }
        assert!(minimal.states() <= deterministic.states());
        let again = minimise(&minimal, &free()).unwrap();
        assert_eq!(again.states(), minimal.states());
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn operations_by_name_agree_with_enumeration() {
    let trees = small_trees(5);
    let set = |name: &str, sets: &[&TreeAutomaton]| {
        let operation = OPERATIONS.iter().find(|one| one.name == name).unwrap();
        assert_eq!(operation.takes, sets.len());
        match (operation.run)(sets, &free()).unwrap() {
            Outcome::Set(set) => set,
            other => panic!("{name} is no set but {other:?}"),
        }
    };
    trial(|u| {
        let (one, other) = (automaton(u)?, automaton(u)?);
        let only_one = set("symmetric-difference", &[&one, &other]);
        let difference = set("difference", &[&one, &other]);
        let complete = set("complete", &[&one]);
        for tree in &trees {
            let (here, there) = (one.contains(tree), other.contains(tree));
            assert_eq!(only_one.contains(tree), here != there);
            assert_eq!(difference.contains(tree), here && !there);
            assert_eq!(complete.contains(tree), here);
            assert_eq!(complete.states_of(tree).count_ones(..), 1);
        }
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn minimal_automata_of_one_set_have_one_size() {
    trial(|u| {
        let one = automaton(u)?;
        let direct = minimise(&one, &free()).unwrap();
        let twice = complement(&complement(&one, &free()).unwrap(), &free()).unwrap();
        let around = minimise(&twice, &free()).unwrap();
        assert_eq!(direct.states(), around.states());
        assert_eq!(direct.rules().len(), around.rules().len());
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn inclusion_is_what_the_complement_says() {
    trial(|u| {
        let (one, other) = (automaton(u)?, automaton(u)?);
        let outside = complement(&other, &free()).unwrap();
        let difference = intersection(&one, &outside, &free()).unwrap();
        match inclusion(&one, &other, &free()).unwrap() {
            Inclusion::Included => assert!(difference.is_empty()),
            Inclusion::Not(tree) => assert!(one.contains(&tree) && !other.contains(&tree)),
        }
        let same = equivalence(&one, &reduce(&one, &free()).unwrap(), &free());
        assert_eq!(same, Ok(Inclusion::Included));
        match universality(&one, &free()).unwrap() {
            Inclusion::Included => {
                assert!(complement(&one, &free()).unwrap().is_empty());
            }
            Inclusion::Not(tree) => assert!(!one.contains(&tree)),
        }
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn witnesses_are_smallest() {
    let trees = small_trees(6);
    trial(|u| {
        let one = automaton(u)?;
        let smallest = trees.iter().find(|tree| one.contains(tree));
        match one.witness().unwrap() {
            None => assert!(smallest.is_none() && one.is_empty()),
            Some(tree) => {
                assert!(one.contains(&tree));
                assert!(smallest.is_none_or(|small| small.size() == tree.size()));
                assert!(smallest.is_some() || tree.size() > 6);
            }
        }
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn images_and_preimages_are_what_single_trees_become() {
    let trees = small_trees(4);
    trial(|u| {
        let (step, set) = (transducer(u)?, automaton(u)?);
        let image = step.image(&set, &free()).unwrap();
        let before = step.preimage(&set, &free()).unwrap();
        let mut reached = BTreeSet::new();
        for tree in &trees {
            let images = become_by_hand(&step, tree);
            let meets = images.iter().any(|tree| set.contains(tree));
            let silent = step.rules().iter().any(|rule| rule.symbol.is_none());
            if meets || !silent {
                assert_eq!(before.contains(tree), meets, "{}", tree.text(&alphabet()));
            }
            if set.contains(tree) {
                reached.extend(images);
            }
        }
        for tree in &reached {
            assert!(image.contains(tree));
        }
        // What is in the image came from somewhere: its preimage meets the set.
        for tree in image.trees_up_to(5, 20, &free()).unwrap() {
            let one = TreeAutomaton::only(alphabet(), &tree);
            let back = step.preimage(&one, &free()).unwrap();
            assert!(!intersection(&back, &set, &free()).unwrap().is_empty());
        }
        Ok(())
    })
    .budget_ms(2_000);
}

fn system(u: &mut Unstructured) -> Drawn<RewriteSystem> {
    let mut rules = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        let left = Term::new(above(u, &mut vec![0, 1], 2)?).unwrap();
        let mut variables: Vec<u32> = left.variables().collect();
        let right = Term::new(term(u, &mut variables, 2)?).unwrap();
        rules.push(RewriteRule { left, right });
    }
    let variables = vec!["x".to_owned(), "y".to_owned()];
    Ok(RewriteSystem {
        alphabet: alphabet(),
        rules,
        variables,
    })
}

#[test]
fn one_step_of_rewriting_a_set_is_one_step_of_its_trees() {
    let trees = small_trees(5);
    trial(|u| {
        let (system, set) = (system(u)?, automaton(u)?);
        let image = system.image(&set, &free()).unwrap();
        let before = system.preimage(&set, &free()).unwrap();
        let mut reached = BTreeSet::new();
        for tree in &trees {
            let next: Vec<Tree> = system
                .successors(tree)
                .into_iter()
                .map(|one| one.1)
                .collect();
            let meets = next.iter().any(|tree| set.contains(tree));
            assert_eq!(before.contains(tree), meets, "{}", tree.text(&alphabet()));
            if set.contains(tree) {
                reached.extend(next);
            }
        }
        assert!(reached.iter().all(|tree| image.contains(tree)));
        for tree in image.trees_up_to(4, 20, &free()).unwrap() {
            let one = TreeAutomaton::only(alphabet(), &tree);
            let back = system.preimage(&one, &free()).unwrap();
            assert!(!intersection(&back, &set, &free()).unwrap().is_empty());
        }
        Ok(())
    })
    .budget_ms(2_000);
}

/// Image after image, until there is nothing new; nothing if that takes too long.
fn descendants(system: &RewriteSystem, set: &TreeAutomaton) -> Option<TreeAutomaton> {
    let mut all = set.clone();
    for _ in 0..8 {
        let more = union(&all, &system.image(&all, &free()).unwrap());
        if inclusion(&more, &all, &free()).unwrap() == Inclusion::Included {
            return Some(all);
        }
        all = reduce(&more, &free()).unwrap();
    }
    None
}

#[test]
fn completion_holds_what_trees_can_become_and_nothing_else() {
    let trees = small_trees(4);
    let mut ended = 0;
    trial(|u| {
        let (system, set) = (system(u)?, automaton(u)?);
        let mut completion = Completion::new(&set);
        let mut reached: BTreeSet<Tree> = trees
            .iter()
            .filter(|tree| set.contains(tree))
            .cloned()
            .collect();
        let mut closed = false;
        for _ in 0..4 {
            assert!(
                reached
                    .iter()
                    .all(|tree| completion.automaton().contains(tree))
            );
            closed = !completion.round(&system.rules, &free()).unwrap();
            let next = reached.iter().flat_map(|tree| system.successors(tree));
            let next = next
                .map(|(_, tree)| tree)
                .filter(|tree| tree.size() < 12)
                .take(200);
            reached = next.collect();
        }
        if closed {
            let done = completion.automaton();
            let image = system.image(done, &free()).unwrap();
            let stays = inclusion(&image, done, &free()).unwrap();
            assert_eq!(stays, Inclusion::Included);
            if let Some(exact) = descendants(&system, &set) {
                ended += 1;
                let same = equivalence(&exact, done, &free()).unwrap();
                assert_eq!(same, Inclusion::Included);
            }
        }
        Ok(())
    })
    .budget_ms(2_000);
    assert!(ended > 0);
}

#[test]
fn merging_states_of_a_completion_keeps_what_is_there() {
    trial(|u| {
        let (system, set) = (system(u)?, automaton(u)?);
        let mut completion = Completion::new(&set);
        for _ in 0..6 {
            let before = completion.automaton().clone();
            let closed = !completion.round(&system.rules, &free()).unwrap();
            let after = completion.automaton();
            let more = inclusion(&before, after, &free()).unwrap();
            assert_eq!(more, Inclusion::Included);
            if closed {
                let image = system.image(after, &free()).unwrap();
                let stays = inclusion(&image, after, &free()).unwrap();
                assert_eq!(stays, Inclusion::Included);
                break;
            }
            // At most four states: whatever is merged, it ends.
            let states = after.states();
            let class: Drawn<Vec<State>> = (0..states).map(|_| state(u, 4)).collect();
            completion.merge(&class?, 4, &free()).unwrap();
        }
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn what_is_written_is_read_again() {
    trial(|u| {
        let (one, step) = (automaton(u)?, transducer(u)?);
        let text = timbuk::write_automaton(&one, "A");
        let file = timbuk::read(&Source::new("a.tmb", text)).unwrap();
        let back = &file.automata[0].automaton;
        assert_eq!(equivalence(&one, back, &free()), Ok(Inclusion::Included));
        let text = timbuk::write_transducer(&step, "T");
        let file = timbuk::read(&Source::new("t.tmb", text.clone())).unwrap();
        assert_eq!(
            file.transducers[0].transducer.rules(),
            step.rules(),
            "{text}"
        );
        assert_eq!(
            timbuk::write_transducer(&file.transducers[0].transducer, "T"),
            text
        );
        Ok(())
    })
    .budget_ms(1_000);
}
