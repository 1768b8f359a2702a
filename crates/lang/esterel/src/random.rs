//! Random programs for tests.

use quotient_trial::arbitrary::{Result, Unstructured};

/// What can be used at a place.
#[derive(Clone)]
pub(crate) struct Place {
    /// Signals that can be tested, and those that can be emitted.
    tested: Vec<String>,
    emitted: Vec<String>,
    traps: Vec<String>,
    locals: usize,
    /// Whether statements may handle data.
    data: bool,
    variables: Vec<String>,
}

/// A pure program with inputs `I`, `J` and outputs `O`, `P`.
pub(crate) fn pure_program(u: &mut Unstructured<'_>) -> Result<String> {
    let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let place = Place {
        tested: own(&["I", "J", "O", "P"]),
        emitted: own(&["O", "P"]),
        traps: Vec::new(),
        locals: 0,
        data: false,
        variables: Vec::new(),
    };
    let body = statement(u, 5, &place)?;
    Ok(format!(
        "module M: input I, J; output O, P; {body} end module"
    ))
}

/// A program with data in the class that can be purified.
pub(crate) fn valued_program(u: &mut Unstructured<'_>) -> Result<String> {
    let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let place = Place {
        tested: own(&["I", "X", "O"]),
        emitted: own(&["O"]),
        traps: Vec::new(),
        locals: 0,
        data: true,
        variables: Vec::new(),
    };
    let body = statement(u, 4, &place)?;
    Ok(format!(
        "module M: input I, X := 1 : integer, B : boolean; sensor T : float; sensor F : boolean;
        output O, Q := 0 : integer; {body} end module"
    ))
}

fn event(u: &mut Unstructured<'_>, place: &Place, depth: usize) -> Result<String> {
    Ok(match u.int_in_range(0..=if depth == 0 { 2 } else { 5 })? {
        0..=1 => u.choose(&place.tested)?.clone(),
        2 => format!("pre({})", u.choose(&place.tested)?),
        3 => format!("not {}", event(u, place, 0)?),
        4 => format!(
            "({} and {})",
            event(u, place, depth - 1)?,
            event(u, place, depth - 1)?
        ),
        _ => format!(
            "({} or {})",
            event(u, place, depth - 1)?,
            event(u, place, depth - 1)?
        ),
    })
}

fn statement(u: &mut Unstructured<'_>, depth: usize, place: &Place) -> Result<String> {
    if depth == 0 {
        return simple(u, place);
    }
    let inner = |u: &mut Unstructured<'_>| statement(u, depth - 1, place);
    Ok(match u.int_in_range(0..=19)? {
        0..=1 => simple(u, place)?,
        2..=5 => format!("{}; {}", inner(u)?, inner(u)?),
        6..=8 => format!("[ {} || {} ]", inner(u)?, inner(u)?),
        9 => format!("loop {}; pause end", inner(u)?),
        10 => format!("loop pause; {} end", inner(u)?),
        11 => format!("loop {} each [{}]", inner(u)?, event(u, place, 1)?),
        12 => {
            let (one, other) = (inner(u)?, inner(u)?);
            format!(
                "present [{}] then {one} else {other} end",
                event(u, place, 2)?
            )
        }
        13 => format!("suspend {} when [{}]", inner(u)?, event(u, place, 1)?),
        14 => preempted(u, depth, place)?,
        15..=16 => {
            let name = format!("T{}", place.traps.len());
            let mut place = place.clone();
            place.traps.push(name.clone());
            format!("trap {name} in {} end", statement(u, depth - 1, &place)?)
        }
        17 => format!("repeat 2 times pause; {} end", inner(u)?),
        _ if place.data => data(u, depth, place)?,
        _ => {
            let name = format!("S{}", place.locals);
            let mut place = place.clone();
            place.locals += 1;
            place.tested.push(name.clone());
            place.emitted.push(name.clone());
            // Twice as likely, so that it is used.
            place.tested.push(name.clone());
            format!("signal {name} in {} end", statement(u, depth - 1, &place)?)
        }
    })
}

/// A body that is left for a delay, or for the first of two.
fn preempted(u: &mut Unstructured<'_>, depth: usize, place: &Place) -> Result<String> {
    let kind = u.choose(&["abort", "weak abort"])?;
    let body = statement(u, depth - 1, place)?;
    let delay = |u: &mut Unstructured<'_>| -> Result<String> {
        let immediate = u.choose(&["", "immediate ", "2 "])?;
        Ok(format!("{immediate}[{}]", event(u, place, 1)?))
    };
    if u.ratio(1, 2)? {
        return Ok(format!("{kind} {body} when {}", delay(u)?));
    }
    let (first, then) = (delay(u)?, statement(u, depth - 1, place)?);
    let (second, later) = (delay(u)?, statement(u, depth - 1, place)?);
    Ok(format!(
        "{kind} {body} when case {first} do {then} case {second} do {later} end"
    ))
}

/// Variables and tests.
fn data(u: &mut Unstructured<'_>, depth: usize, place: &Place) -> Result<String> {
    if u.ratio(1, 3)? {
        let name = format!("v{}", place.variables.len());
        let mut place = place.clone();
        place.variables.push(name.clone());
        let start = u.int_in_range(-2..=2)?;
        let body = statement(u, depth - 1, &place)?;
        return Ok(format!("var {name} := {start} : integer in {body} end"));
    }
    let test = test(u, place, 1)?;
    let (one, other) = (
        statement(u, depth - 1, place)?,
        statement(u, depth - 1, place)?,
    );
    Ok(format!("if {test} then {one} else {other} end"))
}

/// An expression with one object.
fn number(u: &mut Unstructured<'_>, place: &Place) -> Result<String> {
    let mut objects = vec!["?X".to_owned(), "pre(?Q)".to_owned()];
    objects.extend(place.variables.iter().cloned());
    objects.extend(place.variables.iter().cloned());
    let object = u.choose(&objects)?;
    let (factor, offset) = (u.int_in_range(-2..=2)?, u.int_in_range(-2..=2)?);
    Ok(match u.int_in_range(0..=3)? {
        0 => offset.to_string(),
        1 => object.clone(),
        _ => format!("{factor} * {object} + {offset}"),
    })
}

fn test(u: &mut Unstructured<'_>, place: &Place, depth: usize) -> Result<String> {
    let operator = *u.choose(&["<", "<=", ">", ">=", "=", "<>"])?;
    Ok(match u.int_in_range(0..=if depth == 0 { 3 } else { 6 })? {
        0..=1 => format!(
            "{} {operator} {}",
            number(u, place)?,
            u.int_in_range(-3..=3)?
        ),
        2 => format!("?T {operator} {}.5", u.int_in_range(0..=2)?),
        3 => "?F".to_owned(),
        4 => format!("not ({})", test(u, place, 0)?),
        5 => format!("({}) and ({})", test(u, place, 0)?, test(u, place, 0)?),
        _ => format!("({}) or ({})", test(u, place, 0)?, test(u, place, 0)?),
    })
}

fn simple(u: &mut Unstructured<'_>, place: &Place) -> Result<String> {
    Ok(match u.int_in_range(0..=9)? {
        0..=1 => "pause".to_owned(),
        2 if !place.traps.is_empty() => format!("exit {}", u.choose(&place.traps)?),
        2..=3 if place.data && !place.variables.is_empty() => {
            format!("{} := {}", u.choose(&place.variables)?, number(u, place)?)
        }
        2..=5 if place.data => format!("emit Q({})", number(u, place)?),
        2..=6 => format!("emit {}", u.choose(&place.emitted)?),
        7 => format!("await {}", u.choose(&place.tested)?),
        8 => format!("await immediate {}", u.choose(&place.tested)?),
        _ => "nothing".to_owned(),
    })
}
