//! Which specifications there are, and which one is meant.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Trouble, nearest};
use quotient_language::Property;

use super::Opened;
use crate::parse::is_hybrid;
use crate::program::{Program, Specification};
use crate::syntax::SpecificationKind;

/// A specification of the file.
pub(super) struct Entry {
    pub(super) property: Property,
    pub(super) says: Says,
}

/// What a specification says.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// A formula: the specification of the program with this number.
    Formula(usize),
    /// Something else: the number among those.
    Special(usize),
}

/// A specification that was asked for.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) property: Property,
    /// What it says, or why that is no formula.
    pub(super) specification: Result<Specification, String>,
    /// The number among the specifications of the program that are no formulas.
    pub(super) special: Option<usize>,
    /// The text that its places are in.
    pub(super) source: Source,
}

impl Entry {
    /// All specifications of a program, in the order of the source.
    pub(super) fn all(program: &Program) -> Vec<Entry> {
        let written = program.specifications();
        let mut says: Vec<Says> = Vec::new();
        let mut specials = program.specials().iter().enumerate().peekable();
        for place in 0..=written.len() {
            while let Some((at, _)) = specials.next_if(|(_, one)| one.place <= place) {
                says.push(Says::Special(at));
            }
            says.extend((place < written.len()).then_some(Says::Formula(place)));
        }
        let mut names = HashSet::new();
        let entries = says.into_iter().enumerate().map(|(at, says)| {
            let (name, kind, text, span) = match says {
                Says::Formula(at) => {
                    let one = &written[at];
                    (&one.name, keyword(one).to_owned(), &one.text, one.span)
                }
                Says::Special(at) => {
                    let one = &program.specials()[at];
                    (&one.name, one.keyword.clone(), &one.text, one.span)
                }
            };
            let number = at + 1;
            let mut name = name.clone().unwrap_or_else(|| text.clone());
            // The same formula may stand there twice, or be the name of another.
            while !names.insert(name.clone()) {
                name.push_str(&format!(" #{number}"));
            }
            let property = Property {
                name,
                number: Some(number),
                kind,
                text: text.clone(),
                span: Some(span),
                in_file: true,
            };
            Entry { property, says }
        });
        entries.collect()
    }
}

impl Entry {
    /// What it says, among the specifications of its program.
    pub(super) fn specification<'a>(&self, all: &'a [Specification]) -> Option<&'a Specification> {
        match self.says {
            Says::Formula(at) => all.get(at),
            Says::Special(_) => None,
        }
    }
}

impl Opened {
    /// What is asked for: the whole file, or some of it in its order, then formulas.
    pub(super) fn choose(&mut self, wanted: &[String]) -> Result<Vec<Asked>, Trouble> {
        if wanted.is_empty() {
            return Ok((0..self.entries.len()).map(|at| self.of_file(at)).collect());
        }
        let mut chosen: Vec<Asked> = Vec::new();
        for name in wanted {
            let found = self.find(name)?;
            if chosen.iter().all(|one| one.property != found.property) {
                chosen.push(found);
            }
        }
        chosen.sort_by_key(|one| one.property.number.unwrap_or(usize::MAX));
        Ok(chosen)
    }

    /// The specification that is meant by a number, a name or a formula.
    pub(super) fn find(&mut self, name: &str) -> Result<Asked, Trouble> {
        let by_number = name.parse().ok().filter(|&number: &usize| number > 0);
        if let Some(number) = by_number {
            return match number <= self.entries.len() {
                true => Ok(self.of_file(number - 1)),
                false => Err(no_such_number(number, self.entries.len()).into()),
            };
        }
        let named = (self.entries.iter()).position(|entry| entry.property.name == name);
        if let Some(at) = named {
            return Ok(self.of_file(at));
        }
        self.of_formula(name)
    }

    /// A specification of the file.
    fn of_file(&self, at: usize) -> Asked {
        let entry = &self.entries[at];
        let program = self.file.program();
        let specification = match entry.says {
            Says::Formula(at) => Ok(program.specifications()[at].clone()),
            Says::Special(at) => {
                let keyword = &program.specials()[at].keyword;
                Err(format!("only `check` answers this `{keyword}`"))
            }
        };
        Asked {
            property: entry.property.clone(),
            specification,
            special: match entry.says {
                Says::Special(at) => Some(at),
                Says::Formula(_) => None,
            },
            source: self.source.clone(),
        }
    }

    /// A formula that is not in the file.
    fn of_formula(&mut self, text: &str) -> Result<Asked, Trouble> {
        let source = Source::new("--property", text);
        if is_hybrid(&source) {
            return self.of_hybrid(text, source);
        }
        let found = self.file.formula(&source, None);
        let specification = found.map_err(|errors| self.unknown(text, errors))?;
        // The same formula of the file, written with other blanks.
        let alike = |entry: &Entry| entry.property.name == specification.text;
        if let Some(at) = self.entries.iter().position(alike) {
            return Ok(self.of_file(at));
        }
        Ok(Asked {
            property: Property {
                name: specification.text.clone(),
                number: None,
                kind: keyword(&specification).to_owned(),
                text: specification.text.clone(),
                span: None,
                in_file: false,
            },
            specification: Ok(specification),
            special: None,
            source,
        })
    }

    /// A formula with names for states that is not in the file.
    fn of_hybrid(&mut self, text: &str, source: Source) -> Result<Asked, Trouble> {
        let found = self.file.add_hybrid(&source);
        let number = found.map_err(|errors| self.unknown(text, errors))?;
        let special = &self.file.program().specials()[number];
        let (keyword, text) = (special.keyword.clone(), special.text.clone());
        let alike = |entry: &Entry| entry.property.name == text;
        if let Some(at) = self.entries.iter().position(alike) {
            return Ok(self.of_file(at));
        }
        Ok(Asked {
            specification: Err(format!("only `check` answers this `{keyword}`")),
            property: Property {
                name: text.clone(),
                number: None,
                kind: keyword,
                text,
                span: None,
                in_file: false,
            },
            special: Some(number),
            source,
        })
    }

    /// What is no formula may be a name that was misspelt.
    fn unknown(&self, property: &str, mut errors: Vec<Diagnostic>) -> Trouble {
        let names = self.entries.iter().map(|one| one.property.name.as_str());
        if let Some(near) = nearest(property, names)
            && let Some(first) = errors.first_mut()
        {
            let help = format!("or did you mean the specification `{near}`?");
            first.help.push(help);
        }
        Trouble::Invalid(errors)
    }
}

fn no_such_number(number: usize, written: usize) -> Diagnostic {
    let message = format!("there is no specification {number}");
    let note = match written {
        0 => "the file has no specification".to_owned(),
        _ => format!("the file has specifications 1 to {written}"),
    };
    Diagnostic::error("no-such-property", message).note(note)
}

/// The keyword of a specification.
pub(super) fn keyword(specification: &Specification) -> &'static str {
    match specification.kind {
        _ if specification.is_psl => "PSLSPEC",
        SpecificationKind::Ctl => "CTLSPEC",
        SpecificationKind::Ltl => "LTLSPEC",
        SpecificationKind::Invariant => "INVARSPEC",
    }
}
