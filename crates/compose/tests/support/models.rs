//! The systems of the assume-guarantee literature, by hand.
#![allow(dead_code)]

use std::collections::BTreeMap;

use quotient_compose::{Action, Lts, LtsBuilder, NodeId, System, operations::complete};

/// A transition system from named states; the first state mentioned is the initial one.
pub(crate) fn from_names<S: AsRef<str>>(system: &mut System, edges: &[(S, S, S)]) -> Lts {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut builder = LtsBuilder::new();
    for (from, action, to) in edges {
        let mut number = |name| {
            let fresh = numbers.len() as u32;
            *numbers.entry(name).or_insert(fresh)
        };
        let (from, to) = (number(from.as_ref()), number(to.as_ref()));
        builder.edge(from, system.actions.intern(action.as_ref()), to);
    }
    builder.build()
}

type Edges = Vec<(String, String, String)>;

fn edge(
    edges: &mut Edges,
    from: impl Into<String>,
    action: impl Into<String>,
    to: impl Into<String>,
) {
    edges.push((from.into(), action.into(), to.into()));
}

fn process(system: &mut System, name: &str, edges: &Edges) -> NodeId {
    let lts = from_names(system, edges);
    system.process(name, lts)
}

fn property(system: &mut System, name: &str, edges: &Edges) -> NodeId {
    let lts = complete(&from_names(system, edges));
    system.process(name, lts)
}

/// Users ask an arbiter for the conflicting resources of a rover: the model of the Mars
/// Exploration Rover's resource arbiter, with `faulty` granting without asking for a rescind.
pub(crate) fn mer(users: usize, faulty: bool) -> System {
    busy_mer(users, 0, faulty)
}

/// The same with users that have `work` things to do by themselves before they ask.
// Long because it is one list of models.
pub(crate) fn busy_mer(users: usize, work: usize, faulty: bool) -> System {
    let mut system = System::new();
    let mut nodes = Vec::new();
    let resources = ["comm", "drive"];
    for u in 1..=users {
        let mut e = Edges::new();
        for w in 0..work {
            let from = if w == 0 {
                "idle".to_owned()
            } else {
                format!("work {w}")
            };
            edge(
                &mut e,
                from,
                format!("user.{u}.work.{w}"),
                format!("work {}", w + 1),
            );
        }
        let ready = if work == 0 {
            "idle".to_owned()
        } else {
            format!("work {work}")
        };
        for r in resources {
            edge(
                &mut e,
                &ready,
                format!("user.{u}.request.{r}"),
                format!("asked {r}"),
            );
            edge(
                &mut e,
                format!("asked {r}"),
                format!("user.{u}.grant.{r}"),
                format!("holds {r}"),
            );
            edge(
                &mut e,
                format!("asked {r}"),
                format!("user.{u}.deny.{r}"),
                "idle",
            );
            edge(
                &mut e,
                format!("holds {r}"),
                format!("user.{u}.cancel.{r}"),
                "idle",
            );
            edge(
                &mut e,
                format!("holds {r}"),
                format!("user.{u}.rescind.{r}"),
                format!("returns {r}"),
            );
            edge(
                &mut e,
                format!("returns {r}"),
                format!("user.{u}.cancel.{r}"),
                "idle",
            );
        }
        nodes.push(process(&mut system, &format!("user.{u}:USER"), &e));
    }
    let mut e = Edges::new();
    for u in 1..=users {
        for r in resources {
            edge(
                &mut e,
                "free",
                format!("user.{u}.request.{r}"),
                format!("grants {u} {r}"),
            );
            edge(
                &mut e,
                format!("grants {u} {r}"),
                format!("user.{u}.grant.{r}"),
                format!("held {u} {r}"),
            );
            edge(
                &mut e,
                format!("held {u} {r}"),
                format!("user.{u}.cancel.{r}"),
                "free",
            );
            for v in 1..=users {
                for q in resources {
                    let decide = format!("decide {u} {r} {v} {q}");
                    let wait = format!("wait {u} {r} {v} {q}");
                    let grant = format!("grants {v} {q}");
                    edge(
                        &mut e,
                        format!("held {u} {r}"),
                        format!("user.{v}.request.{q}"),
                        &decide,
                    );
                    edge(
                        &mut e,
                        &decide,
                        format!("user.{v}.deny.{q}"),
                        format!("held {u} {r}"),
                    );
                    edge(&mut e, &decide, format!("user.{u}.rescind.{r}"), &wait);
                    edge(&mut e, &wait, format!("user.{u}.cancel.{r}"), &grant);
                    edge(&mut e, &decide, format!("user.{u}.cancel.{r}"), &grant);
                    if faulty && u != v {
                        edge(
                            &mut e,
                            &wait,
                            format!("user.{v}.grant.{q}"),
                            format!("held {v} {q}"),
                        );
                    }
                }
            }
        }
    }
    nodes.push(process(&mut system, "ARBITER", &e));
    let mut e = Edges::new();
    for u in 1..=users {
        for r in resources {
            edge(
                &mut e,
                "free",
                format!("user.{u}.grant.{r}"),
                format!("{u} {r}"),
            );
            edge(
                &mut e,
                format!("{u} {r}"),
                format!("user.{u}.cancel.{r}"),
                "free",
            );
        }
    }
    nodes.push(property(&mut system, "EXCLUSION", &e));
    system.parallel(nodes);
    system
}

/// Two clients, a server with one resource, and mutual exclusion.
pub(crate) fn client_server(clients: usize) -> System {
    let mut system = System::new();
    let mut nodes = Vec::new();
    for c in 1..=clients {
        let mut e = Edges::new();
        edge(&mut e, "idle", format!("client.{c}.request"), "asked");
        edge(&mut e, "asked", format!("client.{c}.grant"), "holds");
        edge(&mut e, "asked", format!("client.{c}.deny"), "idle");
        edge(&mut e, "holds", format!("client.{c}.useResource"), "used");
        edge(&mut e, "used", format!("client.{c}.cancel"), "idle");
        nodes.push(process(&mut system, &format!("client.{c}:CLIENT"), &e));
    }
    let mut e = Edges::new();
    for c in 1..=clients {
        edge(
            &mut e,
            "free",
            format!("client.{c}.request"),
            format!("grants {c}"),
        );
        edge(
            &mut e,
            format!("grants {c}"),
            format!("client.{c}.grant"),
            format!("busy {c}"),
        );
        edge(
            &mut e,
            format!("busy {c}"),
            format!("client.{c}.cancel"),
            "free",
        );
        for d in (1..=clients).filter(|&d| d != c) {
            edge(
                &mut e,
                format!("busy {c}"),
                format!("client.{d}.request"),
                format!("denies {c} {d}"),
            );
            edge(
                &mut e,
                format!("denies {c} {d}"),
                format!("client.{d}.deny"),
                format!("busy {c}"),
            );
        }
    }
    nodes.push(process(&mut system, "SERVER", &e));
    let mut e = Edges::new();
    for c in 1..=clients {
        edge(&mut e, "free", format!("client.{c}.grant"), format!("{c}"));
        edge(&mut e, format!("{c}"), format!("client.{c}.cancel"), "free");
    }
    nodes.push(property(&mut system, "MUTEX", &e));
    system.parallel(nodes);
    system
}

/// A channel that may be sent to again before it delivers.
pub(crate) fn input_output() -> System {
    let mut system = System::new();
    let input = from_names(
        &mut system,
        &[("0", "input", "1"), ("1", "send", "2"), ("2", "ack", "0")],
    );
    let output = from_names(
        &mut system,
        &[
            ("0", "send", "1"),
            ("1", "send", "1"),
            ("1", "output", "2"),
            ("2", "ack", "0"),
        ],
    );
    let order = from_names(&mut system, &[("0", "input", "1"), ("1", "output", "0")]);
    let nodes = [
        system.process("INPUT", input),
        system.process("OUTPUT", output),
        system.process("ORDER", complete(&order)),
    ];
    system.parallel(nodes);
    system
}

/// Customers who queue for a counter that remembers two of them in order, and a door that lets
/// only those out who have paid.
pub(crate) fn queue(customers: usize) -> System {
    let mut system = System::new();
    let mut names = |what: &str| -> Vec<Action> {
        let name = |at| format!("{what}.{at}");
        (0..customers)
            .map(|at| system.actions.intern(&name(at)))
            .collect()
    };
    let (come, pay, go) = (names("come"), names("pay"), names("go"));
    let mut parts = Vec::new();
    for at in 0..customers {
        let mut customer = LtsBuilder::new();
        customer
            .edge(0, come[at], 1)
            .edge(1, pay[at], 2)
            .edge(2, go[at], 0);
        parts.push((format!("customer.{at}"), customer.build()));
    }
    let mut counter = LtsBuilder::new();
    let alone = |one: usize| 1 + one as u32;
    let both = |one: usize, two: usize| (1 + customers + one * customers + two) as u32;
    for one in 0..customers {
        counter
            .edge(0, come[one], alone(one))
            .edge(alone(one), pay[one], 0);
        for two in (0..customers).filter(|&two| two != one) {
            counter.edge(alone(one), come[two], both(one, two));
            counter.edge(both(one, two), pay[one], alone(two));
        }
    }
    counter.alphabet(come.iter().chain(&pay).copied());
    let mut door = LtsBuilder::new();
    for at in 0..customers {
        door.edge(0, pay[at], alone(at)).edge(alone(at), go[at], 0);
    }
    parts.push(("door".into(), door.build()));
    parts.push(("counter".into(), counter.build()));
    let nodes: Vec<_> = parts
        .into_iter()
        .map(|(name, lts)| system.process(name, lts))
        .collect();
    system.parallel(nodes);
    system
}
