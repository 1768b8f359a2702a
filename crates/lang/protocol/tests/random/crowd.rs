//! Random protocols of processes without order that count, hold, send to and fail each other.

use super::Random;

/// What a protocol has beside its steps.
struct Crowd {
    parameter: bool,
    holder: bool,
    pair: bool,
    identity: bool,
    message: bool,
    reader: bool,
}

/// The text of a random protocol.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn crowd(random: &mut Random) -> String {
    let crowd = Crowd {
        parameter: random.chance(60),
        holder: random.chance(40),
        pair: random.chance(40),
        identity: random.chance(20),
        message: random.chance(30),
        reader: random.chance(20),
    };
    let mut text = "topology set\n".to_owned();
    if crowd.parameter {
        let assumption = random.pick(&[
            "n > 2 * t",
            "t < n / 2",
            "n / 3 >= t",
            "2 * t >= n - 1",
            "t > n / 2",
            "(n + t) / 2 >= 2",
            "not t = n / 2",
        ]);
        text += &format!("parameter t\nassume {assumption}\n");
    }
    // Whoever lies says anything to everybody: with values for each that is a lot.
    let faults: &[&str] = match (crowd.parameter, crowd.pair || crowd.message) {
        (true, false) => &["", "may lie at most t", "may crash at most t", "may crash"],
        (true, true) => &["", "may crash at most t"],
        (false, _) => &[
            "",
            "",
            "may crash",
            "may crash and recover",
            "may crash at most 1",
        ],
    };
    let faults = random.pick(faults);
    let mut fields = vec!["location a, b, c  x : bool = false"];
    if crowd.holder {
        fields.push(random.pick(&[
            "v : process or none = none",
            "v : process = self",
            "v : process or none = any",
        ]));
    }
    if crowd.pair {
        fields.push("m[process] : bool = false");
    }
    if crowd.identity {
        fields.push("id : identity");
    }
    let name = if crowd.reader { "writer " } else { "" };
    text += &format!("process {name}{faults} {{ {} }}\n", fields.join("  "));
    if crowd.reader {
        text += "process reader { location a, b }\n";
    }
    if crowd.message {
        let kind = random.pick(&["", "lossy ", "duplicating "]);
        text += &format!("{kind}message ask, vote : {{ y, z }}\n");
    }
    for number in 0..2 + random.below(3) {
        text += &step(random, &crowd, number);
    }
    text += &format!(
        "property two: never exists {name}p, q: p.at = c and q.at = c\n\
         property some: never {}\n\
         property odd: never exists {name}p: p.x and {}\n",
        counted(random, &crowd, None),
        about(random, &crowd, "p", None)
    );
    text
}

fn step(random: &mut Random, crowd: &Crowd, number: usize) -> String {
    let of = if crowd.reader { " of writer" } else { "" };
    let kind = if crowd.reader { "writer " } else { "" };
    let received = crowd.message && random.chance(40);
    let witness = received || random.chance(50);
    let with = match (received, witness) {
        (true, _) => format!(" on {} from q", random.pick(&["ask", "vote(y)"])),
        (_, true) => format!(" with {kind}q"),
        _ => String::new(),
    };
    let q = witness.then_some("q");
    let mut guard = vec![format!("at = {}", random.pick(&["a", "b", "c"]))];
    if random.chance(50) {
        guard.push(about(random, crowd, "self", q));
    }
    if witness && !crowd.reader && random.chance(40) {
        guard.push(about(random, crowd, "q", Some("self")));
    }
    if random.chance(60) {
        guard.push(counted(random, crowd, Some("self")));
    }
    if random.chance(30) {
        let quantifier = random.pick(&["forall", "exists"]);
        let body = about(random, crowd, "o", Some("self"));
        guard.push(format!("({quantifier} {kind}o: {body})"));
    }
    let mut actions = vec![format!("at := {}", random.pick(&["a", "b", "c"]))];
    for _ in 0..random.below(3) {
        actions.push(action(random, crowd, q));
    }
    format!(
        "step s{number}{of}{with}: when {} then {}\n",
        guard.join(" and "),
        actions.join(", ")
    )
}

/// Something about a process, and perhaps another.
fn about(random: &mut Random, crowd: &Crowd, who: &str, other: Option<&str>) -> String {
    let other = other.unwrap_or(who);
    match random.below(8) {
        0 if crowd.holder => format!("{who}.v = {other}"),
        1 if crowd.holder => format!("{who}.v != {other}"),
        2 if crowd.pair => format!("{who}.m[{other}]"),
        3 if crowd.identity && other != who => format!("{who}.id < {other}.id"),
        4 if crowd.message => format!("{who}.ask[{other}]"),
        5 if other != who => format!("({who}.x or {who} = {other})"),
        6 => format!("not {who}.x"),
        _ => format!("{who}.at = {}", random.pick(&["a", "b"])),
    }
}

/// A count compared with a number that depends on how many there are.
fn counted(random: &mut Random, crowd: &Crowd, other: Option<&str>) -> String {
    let body = about(random, crowd, "o", other);
    let comparison = random.pick(&[">", ">=", "<", "<=", "="]);
    let number = match crowd.parameter {
        true => random.pick(&[
            "n / 2",
            "t + 1",
            "n - t",
            "t",
            "(n + t) / 2",
            "2 * t",
            "n / 2 - t / 3",
        ]),
        false => random.pick(&["n / 2", "n - 1", "n / 3", "n", "2 * n / 3", "1"]),
    };
    let kind = if crowd.reader { "writer " } else { "" };
    format!("count({kind}o: {body}) {comparison} {number}")
}

fn action(random: &mut Random, crowd: &Crowd, witness: Option<&str>) -> String {
    let kind = if crowd.reader { "writer " } else { "" };
    let who = witness.unwrap_or("self");
    match random.below(8) {
        0 if crowd.holder => format!("v := {who}"),
        1 if crowd.holder && witness.is_some() => "q.v := self".to_owned(),
        2 if crowd.pair => format!("m[{who}] := {}", random.pick(&["true", "false"])),
        3 if crowd.pair && witness.is_some() => "q.m[self] := not q.m[self]".to_owned(),
        4 if crowd.message && witness.is_some() => random
            .pick(&["send ask to q", "send vote(y) to q", "send vote(z) to q"])
            .to_owned(),
        5 if crowd.message => "send ask to others".to_owned(),
        6 => format!(
            "for {}o where o.at = b {{ o.x := {} }}",
            if crowd.reader { kind } else { "other " },
            random.pick(&["true", "x"])
        ),
        _ => format!("x := {}", random.pick(&["true", "not x"])),
    }
}
