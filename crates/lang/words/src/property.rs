//! Properties as data.

use quotient_automata::{Nfa, Problem};
use quotient_language::{Property, Settings};

use crate::problem_files::Stated;

/// The properties of a problem, each with a text that determines it: it names the file or the
/// part of the bad set, and ends with a [`fingerprint`] of its automaton. So evidence about a
/// property is not taken for evidence about another one of the same name.
pub(crate) fn properties(
    problem: &Problem,
    stated: &[Stated],
    settings: &Settings,
) -> Vec<Property> {
    let own = problem.properties().iter().enumerate();
    own.map(|(index, property)| {
        let stated = stated.get(index);
        let progress = progress(settings);
        let what = match (&progress, stated.and_then(|stated| stated.file.as_ref())) {
            (Some(progress), _) => progress.clone(),
            (None, Some(file)) => format!("no word of `{file}` is reached"),
            (None, None) => format!("no word of the bad set `{}` is reached", property.name),
        };
        Property {
            name: property.name.clone(),
            number: None,
            kind: match progress {
                Some(_) => "liveness".to_owned(),
                None => "safety".to_owned(),
            },
            text: format!("{what} (automaton {:016x})", fingerprint(&property.bad)),
            span: stated.and_then(|stated| stated.span),
            // What a setting asks of the file is a question about the file.
            in_file: true,
        }
    })
    .collect()
}

/// What is asked about progress, if it is.
fn progress(settings: &Settings) -> Option<String> {
    let whose = settings.text("liveness")?;
    let list = |name: &str| {
        let quoted = settings.all(name).iter().map(|one| format!("`{one}`"));
        quoted.collect::<Vec<_>>().join(" or ")
    };
    let steps = list("progress-step");
    Some(match whose {
        "individual" => format!("whoever waits ({}) makes a step {steps}", list("waiting")),
        _ => format!("a step {steps} is made again and again"),
    })
}

/// A number that stands for an automaton: the same for the same states, edges and names of
/// letters, in whatever format they were written. (FNV-1a with 64 bits: it tells mistakes apart,
/// not forgeries; those the checker finds out, for it checks evidence against the automaton
/// itself.)
pub(crate) fn fingerprint(nfa: &Nfa) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut put = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    put(&(nfa.len() as u64).to_le_bytes());
    for name in nfa.alphabet().names() {
        put(name.as_bytes());
        put(&[0]);
    }
    for state in nfa.initial() {
        put(&[1]);
        put(&state.0.to_le_bytes());
    }
    for state in nfa.accepting().ones() {
        put(&[2]);
        put(&(state as u64).to_le_bytes());
    }
    for edge in nfa.edges() {
        put(&[3]);
        put(&edge.source.0.to_le_bytes());
        put(&edge.target.0.to_le_bytes());
        for letter in nfa.label(edge).iter().flat_map(|letters| letters.letters()) {
            put(&letter.0.to_le_bytes());
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_automata::Alphabet;

    #[test]
    fn what_differs_has_another_fingerprint() {
        let alphabet = Alphabet::new(["a", "b"]).unwrap();
        let (a, b) = (alphabet.set(["a"]).unwrap(), alphabet.set(["b"]).unwrap());
        let one = |label, target: u32| {
            let builder = Nfa::builder(&alphabet).states(2).initial(0);
            builder.edge(0, label, target).accepting(target).build()
        };
        let all = [one(&a, 0), one(&b, 0), one(&a, 1), one(&b, 1)].map(|nfa| fingerprint(&nfa));
        let mut different = all.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), all.len());
        assert_eq!(all[0], fingerprint(&one(&a, 0)));
    }
}
