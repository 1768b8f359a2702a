//! Names of components that fit into a line.

use rustc_hash::FxHashMap;

/// Names longer than this are abbreviated.
const LONG: usize = 32;

/// What to call components in reports: each name without the composites, prefixes and sharing
/// around it that no other component has instead; and in what is still long, only the first and
/// the last of those who share.
///
/// ```
/// let names = ["DEMO.p.1:LOOP", "DEMO.p.2:LOOP", "DEMO.{p.1,p.2}::mutex:SEMAPHORE(1)"];
/// let short = quotient_fsp::short_names(&names);
/// assert_eq!(short, ["p.1:LOOP", "p.2:LOOP", "SEMAPHORE(1)"]);
/// ```
pub fn short_names(full: &[&str]) -> Vec<String> {
    let mut ends: FxHashMap<&str, usize> = FxHashMap::default();
    for name in full {
        for end in endings(name) {
            *ends.entry(end).or_default() += 1;
        }
    }
    let short = full.iter().map(|name| {
        let alone = endings(name).into_iter().rev().find(|end| ends[end] == 1);
        alone.unwrap_or(name)
    });
    let short: Vec<&str> = short.collect();
    let brief: Vec<String> = short.iter().map(|name| abbreviated(name)).collect();
    let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
    for name in &brief {
        *uses.entry(name).or_default() += 1;
    }
    let names = brief.iter().zip(short);
    names
        .map(|(brief, short)| match uses[brief.as_str()] {
            1 => brief.clone(),
            _ => short.to_owned(),
        })
        .collect()
}

/// `a[1].b` as traces spell it: `a.1.b`.
///
/// ```
/// assert_eq!(quotient_fsp::plain_label("a[1].b"), "a.1.b");
/// ```
pub fn plain_label(label: &str) -> String {
    let dotted = label.trim().replace('[', ".").replace(']', "");
    dotted.trim_start_matches('.').replace("..", ".")
}

/// A name, and what is left of it after each composite (`A.`), prefix (`a.1:`) and sharing
/// (`{a,b}::`). Of several components in one (`A || B`) nothing can be left out.
fn endings(name: &str) -> Vec<&str> {
    let mut endings = vec![name];
    if name.contains(" || ") {
        return endings;
    }
    let mut depth = 0usize;
    let mut part = 0;
    for (at, letter) in name.char_indices() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            ':' | '.' if depth == 0 => {
                let composite = name[part..].starts_with(char::is_uppercase);
                let rest = &name[at + 1..];
                if !rest.starts_with(':') && (letter == ':' || composite) {
                    endings.push(rest);
                    part = at + 1;
                }
            }
            _ => {}
        }
    }
    endings
}

/// A long name with `{a,b,c,d}` as `{a,…,d}`.
fn abbreviated(name: &str) -> String {
    if name.chars().count() <= LONG {
        return name.to_owned();
    }
    let mut brief = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, beyond)) = after.split_once('}') else {
            break;
        };
        let members: Vec<&str> = inside.split(',').collect();
        brief.push_str(before);
        match members.as_slice() {
            [first, _, .., last] => brief.push_str(&format!("{{{first},…,{last}}}")),
            _ => brief.push_str(&format!("{{{inside}}}")),
        }
        rest = beyond;
    }
    brief + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_are_different() {
        let full = [
            "ALL.p.1:LOOP",
            "ALL.p.2:LOOP",
            "ALL.{p.1,p.2}::mutex:SEMAPHORE(1)",
            "X.FORK",
            "Y.FORK",
            "SAME",
            "SAME",
        ];
        let short = short_names(&full);
        let expected = ["p.1:LOOP", "p.2:LOOP", "SEMAPHORE(1)", "X.FORK", "Y.FORK"];
        assert_eq!(short[..5], expected);
        assert_eq!(short[5..], ["SAME", "SAME"]);
    }

    #[test]
    fn of_many_who_share_the_first_and_the_last_are_named() {
        let first = "{user.1,user.2,user.3,user.4}::LOCK";
        let other = "{guest.1,guest.2,guest.3,guest.4}::LOCK";
        let short = short_names(&[first, other]);
        assert_eq!(
            short,
            ["{user.1,…,user.4}::LOCK", "{guest.1,…,guest.4}::LOCK"]
        );
        // Not where two would look the same.
        let between = "{user.1,user.5,user.6,user.4}::LOCK";
        assert_eq!(short_names(&[first, between]), [first, between]);
    }

    #[test]
    fn of_components_put_together_all_names_stay() {
        let together = "SHELF.BOOK(0) || … || LAMP";
        assert_eq!(short_names(&[together, "DESK.LAMP"]), [together, "LAMP"]);
    }
}
