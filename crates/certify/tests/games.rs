//! Games that are won or lost otherwise than evidence made by hand says: one for each thing that the
//! check demands.

use quotient_automata::evidence::{PlainAutomaton, PlainEdge};
use quotient_automata::game::{
    Choosing, Game, ORDER_KIND, OrderEvidence, PlainPairs, PlainRelation, TRAP_KIND, TrapEvidence,
};
use quotient_automata::{Alphabet, Label, Nfa, Transducer};
use quotient_certify::certify_game;
use quotient_core::{Budget, Evidence};

const LETTERS: [&str; 8] = ["a", "b", "c", "d", "e", "g", "w", "k"];

fn alphabet() -> Alphabet {
    Alphabet::new(LETTERS).unwrap()
}

/// Words, given letter by letter.
fn words(all: &[&str]) -> Nfa {
    let alphabet = alphabet();
    let mut builder = Nfa::builder(&alphabet).initial(0);
    let mut next = 1;
    for word in all {
        let mut at = 0;
        for letter in word.chars() {
            let letter = alphabet.set([letter.to_string().as_str()]).unwrap();
            builder = builder.edge(at, &letter, next);
            (at, next) = (next, next + 1);
        }
        builder = builder.accepting(at);
    }
    builder.build()
}

/// Moves from one word to another of the same length.
fn moves(all: &[(&str, &str)]) -> Transducer {
    let alphabet = alphabet();
    let mut builder = Transducer::builder(&alphabet).initial(0);
    let mut next = 1;
    for (from, to) in all {
        let mut at = 0;
        for (one, other) in from.chars().zip(to.chars()) {
            let set = |letter: char| alphabet.set([letter.to_string().as_str()]).unwrap();
            builder = builder.edge(at, &Label::Pair(Some(set(one)), Some(set(other))), next);
            (at, next) = (next, next + 1);
        }
        builder = builder.accepting(at);
    }
    builder.build()
}

fn game(initial: &[&str], first: &[(&str, &str)], second: &[(&str, &str)]) -> Game {
    Game {
        initial: words(initial),
        goal: words(&["g", "gg"]),
        first: moves(first),
        second: moves(second),
        everywhere: false,
        fairness: None,
    }
}

/// Who chooses turns `w` into `k`.
fn fair(mut game: Game) -> Game {
    let letter = |name: &str| alphabet().letter(name).unwrap();
    game.fairness = Some(Choosing {
        waiting: letter("w"),
        chosen: letter("k"),
    });
    game
}

/// Every word of the letters of a set, and pairs of words whose letters are pairs of a set.
fn order(invariant: &[&str], pairs: &[(&str, &str)]) -> OrderEvidence {
    let mut edges = Vec::new();
    let (mut accepting, mut next) = (Vec::new(), 1);
    for word in invariant {
        let mut from = 0;
        for letter in word.chars() {
            edges.push(PlainEdge {
                from,
                letters: vec![letter.to_string()],
                to: next,
            });
            (from, next) = (next, next + 1);
        }
        accepting.push(from);
    }
    let own = PlainAutomaton {
        alphabet: LETTERS.map(str::to_owned).to_vec(),
        states: next,
        initial: vec![0],
        accepting,
        edges,
    };
    let (mut edges, mut accepting, mut next) = (Vec::new(), Vec::new(), 1);
    for (greater, smaller) in pairs {
        let mut from = 0;
        for (one, other) in greater.chars().zip(smaller.chars()) {
            edges.push(PlainPairs {
                from,
                pairs: vec![(one.to_string(), other.to_string())],
                to: next,
            });
            (from, next) = (next, next + 1);
        }
        accepting.push(from);
    }
    OrderEvidence {
        invariant: own,
        order: PlainRelation {
            states: next,
            initial: vec![0],
            accepting,
            edges,
        },
    }
}

fn wins(game: &Game, invariant: &[&str], pairs: &[(&str, &str)]) -> Result<(), String> {
    let evidence = Evidence::of_holds(ORDER_KIND, &order(invariant, pairs));
    let checked = certify_game(&evidence, game, "wins", &Budget::unlimited());
    checked.map(drop).map_err(|why| why.to_string())
}

fn loses(game: &Game, play: &[&str], trap: &[&str]) -> Result<(), String> {
    let spelled = |words: &[&str]| -> Vec<Vec<String>> {
        let letters = |word: &&str| word.chars().map(String::from).collect();
        words.iter().map(letters).collect()
    };
    let data = TrapEvidence {
        play: spelled(play),
        trap: spelled(trap),
    };
    let evidence = Evidence::of_violated(TRAP_KIND, &data);
    let checked = certify_game(&evidence, game, "wins", &Budget::unlimited());
    checked.map(drop).map_err(|why| why.to_string())
}

#[track_caller]
fn refused(found: Result<(), String>, why: &str) {
    let found = found.expect_err("it is false");
    assert!(found.contains(why), "{found}");
}

#[test]
fn orders_in_which_nobody_gets_down() {
    // Two steps down to the goal.
    let won = game(&["a"], &[("a", "b"), ("c", "d")], &[("b", "c"), ("d", "g")]);
    assert_eq!(wins(&won, &["a", "c"], &[("a", "c")]), Ok(()));
    // Round and round: from `a` to `c` and back.
    let lost = game(&["a"], &[("a", "b"), ("c", "d")], &[("b", "c"), ("d", "a")]);
    refused(wins(&lost, &["a", "c"], &[("a", "c")]), "no answer");
    refused(wins(&lost, &["a", "c"], &[]), "no answer");
    refused(
        wins(&lost, &["a", "c"], &[("a", "c"), ("c", "a")]),
        "transitive",
    );
    let all = [("a", "c"), ("c", "a"), ("a", "a"), ("c", "c")];
    refused(wins(&lost, &["a", "c"], &all), "than itself");
    // What is smaller lies outside of the set; the beginning does; nothing lies in it.
    refused(wins(&lost, &["a"], &[("a", "c")]), "no answer");
    refused(wins(&lost, &["c"], &[("a", "c")]), "initial word");
    refused(wins(&lost, &[], &[]), "initial word");
    let stays = game(&["a"], &[("a", "b")], &[("b", "a")]);
    refused(wins(&stays, &["a"], &[]), "no answer");
    refused(wins(&stays, &["a"], &[("a", "a")]), "than itself");
    // There is no answer at all, or only to one of two moves.
    let stuck = game(&["a"], &[("a", "b")], &[]);
    refused(wins(&stuck, &["a"], &[]), "no answer");
    let half = game(&["a"], &[("a", "b"), ("a", "d")], &[("b", "g"), ("d", "a")]);
    refused(wins(&half, &["a"], &[]), "no answer");
}

#[test]
fn coins_that_lead_out_of_the_set() {
    // One answer is the goal, the other one leads to where nothing else comes any more.
    let mut coins = game(
        &["a"],
        &[("a", "b"), ("d", "e")],
        &[("b", "g"), ("b", "d"), ("e", "d")],
    );
    assert_eq!(wins(&coins, &["a"], &[]), Ok(()));
    coins.everywhere = true;
    refused(wins(&coins, &["a", "g"], &[]), "leaves");
    refused(wins(&coins, &["a", "d", "g"], &[]), "no answer");
    assert_eq!(loses(&coins, &["a", "b", "d"], &["d"]), Ok(()));
    coins.everywhere = false;
    refused(
        loses(&coins, &["a", "b", "d"], &["d"]),
        "only plays from the beginning",
    );
}

#[test]
fn processes_that_do_not_help_when_they_are_chosen() {
    // Whoever is chosen changes nothing: the play never ends, and is fair.
    let lost = fair(game(&["w"], &[("w", "k")], &[("k", "w")]));
    refused(wins(&lost, &["w"], &[]), "no process helps");
    // The first helps, the second does not; nobody is left to be chosen only where all is done.
    let helps = fair(game(
        &["ww"],
        &[("ww", "kw"), ("ww", "wk")],
        &[("kw", "gg"), ("wk", "ww")],
    ));
    assert_eq!(wins(&helps, &["ww"], &[]), Ok(()));
    let mut unfair = helps.clone();
    unfair.fairness = None;
    refused(wins(&unfair, &["ww"], &[]), "no answer");
    // Who moves otherwise than by a choice may put any process off.
    for first in [
        &[("ww", "kw"), ("ww", "wk"), ("ww", "wg")][..],
        &[("ww", "kk")],
        &[("kw", "kw")],
    ] {
        let odd = fair(game(
            &["ww"],
            first,
            &[("kw", "gg"), ("wk", "ww"), ("wg", "ww"), ("kk", "gg")],
        ));
        refused(wins(&odd, &["ww"], &[]), "something else");
        refused(loses(&odd, &["ww"], &["ww"]), "something else");
    }
    // The first player, who would have to choose the one that helps, is not fair in the trap.
    refused(loses(&helps, &["ww"], &["ww"]), "not fair");
    assert_eq!(loses(&unfair, &["ww"], &["ww"]), Ok(()));
}

#[test]
fn traps_that_let_the_play_out() {
    let lost = game(&["a"], &[("a", "b"), ("c", "d")], &[("b", "c"), ("d", "a")]);
    assert_eq!(loses(&lost, &["a"], &["a", "c"]), Ok(()));
    let won = game(&["a"], &[("a", "b"), ("c", "d")], &[("b", "c"), ("d", "g")]);
    // An answer is the goal, or outside; a word of the trap is the goal.
    refused(loses(&won, &["a"], &["a", "c"]), "leave the trap");
    refused(loses(&won, &["a"], &["a"]), "leave the trap");
    refused(loses(&won, &["a"], &["a", "c", "g"]), "is in the goal");
    // One of two answers is outside, or the move itself is the goal.
    let two = game(&["a"], &[("a", "b")], &[("b", "a"), ("b", "g")]);
    refused(loses(&two, &["a"], &["a"]), "leave the trap");
    let gift = game(&["a"], &[("a", "g")], &[("g", "a")]);
    refused(loses(&gift, &["a"], &["a"]), "leave the trap");
    // The first player is stuck there, so that it is won.
    let stuck = game(&["a"], &[], &[]);
    refused(loses(&stuck, &["a"], &["a"]), "leave the trap");
    let nobody = fair(game(&[""], &[], &[]));
    refused(loses(&nobody, &[""], &[""]), "leave the trap");
    // A play that begins elsewhere, ends elsewhere, at the other's turn, or is none.
    let beside = game(&["a"], &[("a", "b"), ("d", "e")], &[("b", "g"), ("e", "d")]);
    refused(loses(&beside, &["d"], &["d"]), "initial word");
    refused(loses(&beside, &["a"], &["d"]), "end in the trap");
    refused(loses(&beside, &["a", "b"], &["b"]), "end in the trap");
    refused(loses(&beside, &[], &["d"]), "no play");
    refused(loses(&beside, &[], &[]), "no play");
    refused(loses(&beside, &["a"], &[]), "end in the trap");
    let mut everywhere = beside.clone();
    everywhere.everywhere = true;
    refused(
        loses(&everywhere, &["a", "b", "d"], &["d"]),
        "not one of the player",
    );
    refused(
        loses(&everywhere, &["a", "e", "d"], &["d"]),
        "not one of the player",
    );
    let mut after = game(
        &["a"],
        &[("a", "b"), ("g", "b"), ("d", "e")],
        &[("b", "g"), ("b", "d"), ("e", "d")],
    );
    after.everywhere = true;
    refused(
        loses(&after, &["a", "b", "g", "b", "d"], &["d"]),
        "after the goal",
    );
    // Words of different lengths are not in one trap.
    refused(loses(&lost, &["a"], &["a", "c", "ww"]), "length");
    refused(loses(&lost, &["a"], &["a", "c", ""]), "length");
}

#[test]
fn numbers_and_letters_that_the_game_has_not() {
    let won = game(&["a"], &[("a", "b")], &[("b", "g")]);
    let check = |data: &OrderEvidence| {
        let evidence = Evidence::of_holds(ORDER_KIND, data);
        certify_game(&evidence, &won, "wins", &Budget::unlimited()).is_ok()
    };
    let plain = order(&["a"], &[("a", "c")]);
    assert!(check(&plain));
    let mut forged = plain.clone();
    forged.order.accepting = vec![7];
    assert!(!check(&forged));
    forged = plain.clone();
    forged.order.edges[0].to = u32::MAX;
    assert!(!check(&forged));
    forged = plain.clone();
    forged.order.edges[0].pairs[0].1 = "x".to_owned();
    assert!(!check(&forged));
    forged = plain.clone();
    forged.invariant.states = u32::MAX;
    assert!(!check(&forged));
    forged = plain.clone();
    forged.invariant.edges[0].to = 99;
    assert!(!check(&forged));
    // The empty word is smaller than itself.
    forged = plain;
    forged.order.accepting.push(0);
    assert!(!check(&forged));
    // Each kind shows its own claim.
    let turned = Evidence::of_violated(ORDER_KIND, &order(&["a"], &[]));
    assert!(certify_game(&turned, &won, "wins", &Budget::unlimited()).is_err());
    let turned = Evidence::of_holds(
        TRAP_KIND,
        &TrapEvidence {
            play: vec![vec!["a".into()]],
            trap: vec![vec!["a".into()]],
        },
    );
    assert!(certify_game(&turned, &won, "wins", &Budget::unlimited()).is_err());
}
