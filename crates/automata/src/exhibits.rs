//! Machines beside an answer: as files, as pictures, and together as a problem to read again.

use std::collections::BTreeSet;

use quotient_core::{Budget, Trouble};
use quotient_language::Exhibit;

use crate::facts::summary;
use crate::formats::{Format, Limits, Named, Role, write};
use crate::pictures::{Meaning, machine_picture};

/// More pictures than these are not drawn, nor are machines with more states; all are files.
const MOST_PICTURES: usize = 150;
const MOST_STATES: usize = 50;

/// Makes exhibits of machines. No two files of one maker have the same name, whatever the
/// machines are called.
///
/// ```
/// use quotient_automata::exhibits::Exhibits;
/// use quotient_automata::formats::{Format, Named, Role};
/// use quotient_automata::{Alphabet, Transducer};
/// use quotient_core::Budget;
/// let alphabet = Alphabet::new(["a"])?;
/// let copy = Named::new("copy", Role::Transition, Transducer::identity(&alphabet));
/// let mut exhibits = Exhibits::new(Format::Timbuk);
/// let one = exhibits.machine("a step", "a/b", &copy, &Budget::unlimited()).unwrap();
/// let other = exhibits.machine("a step", "a-b", &copy, &Budget::unlimited()).unwrap();
/// assert_eq!((one.name.as_str(), other.name.as_str()), ("a-b", "a-b-2"));
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
pub struct Exhibits<'a> {
    format: Format,
    meaning: Option<Box<Meaning<'a>>>,
    /// Names that are given away, in lower case: some file systems do not tell cases apart.
    names: BTreeSet<String>,
    pictures: usize,
}

impl<'a> Exhibits<'a> {
    /// A maker whose files are in this format.
    pub fn new(format: Format) -> Exhibits<'a> {
        Exhibits {
            format,
            meaning: None,
            names: BTreeSet::new(),
            pictures: 0,
        }
    }

    /// With pictures that say what sets of letters mean.
    #[must_use]
    pub fn in_words(
        mut self,
        meaning: impl Fn(&crate::Predicate) -> Option<String> + 'a,
    ) -> Exhibits<'a> {
        self.meaning = Some(Box::new(meaning));
        self
    }

    /// A machine as a file and, unless it is too large, as a picture.
    pub fn machine(
        &mut self,
        caption: &str,
        name: &str,
        named: &Named,
        budget: &Budget,
    ) -> Result<Exhibit, Trouble> {
        let plain = Named {
            role: Role::Unspecified,
            ..named.clone()
        };
        let written = write(&[plain], self.format, &Limits::default(), budget)?;
        let ending = self.format.extension();
        let mut files = vec![(ending.to_owned(), written.text)];
        for (suffix, table) in written.companions {
            files.push((format!("{ending}{suffix}"), table));
        }
        let not_drawn = if named.machine.states() > MOST_STATES {
            ", too large to be drawn"
        } else if self.pictures >= MOST_PICTURES {
            ", not drawn, to keep the page short"
        } else {
            ""
        };
        let picture = not_drawn.is_empty().then(|| {
            self.pictures += 1;
            machine_picture(named, self.meaning.as_deref()).into()
        });
        Ok(Exhibit {
            name: self.file_name(name),
            caption: format!("{caption} ({}){not_drawn}", summary(named)),
            picture,
            files,
        })
    }

    /// The machines that belong to an answer about a property, with a caption each.
    pub fn of_answer(
        &mut self,
        property: &str,
        machines: &[(String, Named)],
        budget: &Budget,
    ) -> Result<Vec<Exhibit>, Trouble> {
        let one = |(caption, named): &(String, Named)| {
            let name = format!("{property} {}", named.name);
            self.machine(caption, &name, named, budget)
        };
        machines.iter().map(one).collect()
    }

    /// The parts of a problem by their roles, and a manifest `problem.toml` of them, so that it
    /// can be checked again.
    pub fn problem(&mut self, parts: &[Named], budget: &Budget) -> Result<Vec<Exhibit>, Trouble> {
        let mut exhibits = Vec::new();
        for part in parts {
            let (role, prefix) = match part.role {
                Role::Initial => ("initial configurations", "problem"),
                Role::Bad => ("bad configurations", "bad"),
                _ => ("step", "step"),
            };
            let caption = format!("{role}: {}", part.name);
            let name = format!("{prefix} {}", part.name);
            exhibits.push(self.machine(&caption, &name, part, budget)?);
        }
        if let Some(text) = self.manifest(parts, &exhibits) {
            exhibits.push(Exhibit {
                name: "problem".to_owned(),
                caption: "the problem as a manifest".to_owned(),
                picture: None,
                files: vec![("=problem.toml".to_owned(), text)],
            });
        }
        Ok(exhibits)
    }

    /// The manifest of parts that were exhibited; what cannot be read again has none.
    fn manifest(&self, parts: &[Named], exhibits: &[Exhibit]) -> Option<String> {
        if self.format == Format::Dot {
            return None;
        }
        let ending = self.format.extension();
        let of = |role: Role| {
            let both = parts.iter().zip(exhibits);
            both.filter(move |(part, _)| part.role == role)
        };
        let file = |exhibit: &Exhibit| quoted(&format!("{}.{ending}", exhibit.name));
        let (_, initial) = of(Role::Initial).next()?;
        let mut text = format!("init = {}\n", file(initial));
        for (table, role) in [("bad", Role::Bad), ("transitions", Role::Transition)] {
            text.push_str(&format!("\n[{table}]\n"));
            for (part, exhibit) in of(role) {
                text.push_str(&format!("{} = {}\n", quoted(&part.name), file(exhibit)));
            }
        }
        Some(text)
    }

    /// A name that every file system takes and that was not given away before.
    fn file_name(&mut self, name: &str) -> String {
        let safe = |c: char| match c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            true => c,
            false => '-',
        };
        let plain: String = name.chars().map(safe).take(80).collect();
        // Evidence is called so, beside these files.
        let plain = match plain.to_ascii_lowercase().starts_with("evidence-") {
            true => format!("of-{plain}"),
            false => plain,
        };
        let numbered = (2usize..).map(|number| format!("{plain}-{number}"));
        let fresh = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| self.names.insert(name.to_ascii_lowercase()));
        fresh.unwrap_or(plain)
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, Nfa, Predicate, Transducer};

    fn bad(name: &str) -> Named {
        let alphabet = Alphabet::new(["a", "b"]).unwrap();
        Named::new(name, Role::Bad, Nfa::empty(&alphabet))
    }

    #[test]
    fn names_of_files_never_collide() {
        let mut exhibits = Exhibits::new(Format::Timbuk);
        let names = [
            "a/b",
            "a-b",
            "a b",
            "A-B",
            "a-b-2",
            "",
            "-",
            "é",
            "a-b 3",
            "evidence-x",
        ];
        let mut seen = BTreeSet::new();
        for name in names {
            let exhibit = exhibits.machine("x", name, &bad(name), &Budget::unlimited());
            let name = exhibit.unwrap().name;
            assert!(!name.starts_with("evidence-"));
            assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
        }
        let long = "x".repeat(200);
        for other in ["1", "2"] {
            let name = format!("{long}{other}");
            let exhibit = exhibits.machine("x", &name, &bad(&name), &Budget::unlimited());
            assert!(seen.insert(exhibit.unwrap().name));
        }
    }

    #[test]
    fn the_manifest_names_the_files_of_its_parts() {
        let alphabet = Alphabet::new(["a", "b"]).unwrap();
        let parts = [
            Named::new("init", Role::Initial, Nfa::empty(&alphabet)),
            bad("a/b"),
            bad("a-b \"\n"),
            Named::new("go", Role::Transition, Transducer::identity(&alphabet)),
        ];
        let mut exhibits = Exhibits::new(Format::Timbuk);
        let all = exhibits.problem(&parts, &Budget::unlimited()).unwrap();
        let names: Vec<&str> = all.iter().map(|exhibit| exhibit.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "problem-init",
                "bad-a-b",
                "bad-a-b---",
                "step-go",
                "problem"
            ]
        );
        let (name, text) = &all[4].files[0];
        assert_eq!(name, "=problem.toml");
        assert!(
            text.contains("\"a/b\" = \"bad-a-b.tmb\"\n\"a-b \\\"\\u000a\" = \"bad-a-b---.tmb\"")
        );
    }

    #[test]
    fn large_machines_are_files_without_a_picture() {
        let alphabet = Alphabet::new(["a"]).unwrap();
        let all = Predicate::all(&alphabet);
        let mut builder = Nfa::builder(&alphabet).initial(0);
        for state in 0..51u32 {
            builder = builder.edge(state, &all, state + 1);
        }
        let named = Named::new("x", Role::Unspecified, builder.build());
        let mut exhibits = Exhibits::new(Format::Fsm);
        let exhibit = exhibits
            .machine("a set", "x", &named, &Budget::unlimited())
            .unwrap();
        assert!(exhibit.picture.is_none() && exhibit.caption.ends_with("too large to be drawn"));
        let endings: Vec<&str> = exhibit
            .files
            .iter()
            .map(|(ending, _)| ending.as_str())
            .collect();
        assert_eq!(endings, ["fsm", "fsm.syms"]);
    }
}
