//! What an operation is given, checked and over one alphabet.

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_language::{Kind as Values, Setting, Settings, Verb};

use super::input::share_bits;
use super::{Input, JOIN_ALPHABETS, Operation, Sort};
use crate::formats::{
    Format, Kind, LETTERS_LIKE_BITS, LETTERS_OF_BITS, Limits, Machine, different_alphabets,
};
use crate::{Alphabet, Expression, Nfa, Transducer, Word};

/// What a front end puts together for an operation.
#[derive(Debug, Default)]
pub struct Operands {
    /// The machines, in the order of the operands.
    pub machines: Vec<Input>,
    /// The words and expressions, in the order of the operands.
    pub texts: Vec<String>,
    /// The settings that were given, by name; flags have an empty value. Those that name files
    /// stay here, for messages.
    pub settings: Vec<(String, String)>,
    /// The files that settings name, read.
    pub named_by_settings: Vec<Input>,
}

/// What an operation works on.
#[derive(Debug)]
pub struct Given {
    /// What the machines are called in messages, in the order of the operands.
    pub(super) names: Vec<String>,
    pub(super) automata: Vec<Nfa>,
    pub(super) transducers: Vec<Transducer>,
    pub(super) words: Vec<Word>,
    pub(super) expression: Option<Expression>,
    settings: Settings,
    known: &'static [Setting],
    /// The format to write a result in, if nobody asks for another.
    pub format: Format,
    /// What is odd about the files.
    pub warnings: Vec<Diagnostic>,
}

impl Given {
    /// A number that was given, or its default.
    pub(super) fn number(&self, name: &str) -> u64 {
        let given = self.settings.whole(name);
        given.unwrap_or_else(|| {
            let setting = self.known.iter().find(|setting| setting.name == name);
            let default = setting.and_then(|setting| setting.default);
            default.and_then(|text| text.parse().ok()).unwrap_or(0)
        })
    }

    /// The same as a size.
    pub(super) fn size(&self, name: &str) -> usize {
        usize::try_from(self.number(name)).unwrap_or(usize::MAX)
    }

    /// Whether a flag was given.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.settings.flag(name)
    }
}

impl Operation {
    /// Checks what an operation is given: that nothing is missing, that machines are of the right
    /// kind and over one alphabet, that words and expressions are over it too.
    pub fn prepare(
        &self,
        operands: Operands,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Given, Trouble> {
        let settings = Settings::new(self.name, self.settings, Verb::Convert, &operands.settings)?;
        self.check_numbers(&operands)?;
        let mut inputs = operands.machines;
        share_bits(&mut inputs, limits, budget)?;
        let machines = self.machines(&inputs)?;
        let machines = over_one_alphabet(machines, settings.flag(JOIN_ALPHABETS.name))?;
        let mut given = Given {
            names: inputs.iter().map(Input::name).collect(),
            automata: Vec::new(),
            transducers: Vec::new(),
            words: Vec::new(),
            expression: None,
            known: self.settings,
            format: usual_format(inputs.first()),
            warnings: inputs
                .iter()
                .flat_map(|input| input.document().warnings.clone())
                .collect(),
            settings,
        };
        let alphabet = machines.first().map(|machine| machine.alphabet().clone());
        for machine in machines {
            match machine {
                Machine::Automaton(nfa) => given.automata.push(nfa),
                Machine::Transducer(transducer) => given.transducers.push(transducer),
            }
        }
        match (self.operands.last().map(|last| last.sort), alphabet) {
            (Some(Sort::Word), Some(alphabet)) => {
                let words = operands.texts.iter().map(|text| word(&alphabet, text));
                given.words = words.collect::<Result<_, _>>()?;
            }
            (Some(Sort::Expression), _) => {
                let text = operands.texts.concat();
                let source = Source::new("expression", text);
                let alphabet = match (
                    given.settings.text("letters"),
                    operands.named_by_settings.first(),
                ) {
                    (Some(letters), _) => {
                        Alphabet::new(letters.split_whitespace()).map_err(|error| {
                            Diagnostic::error("duplicate-letter", error.to_string())
                        })?
                    }
                    (None, Some(file)) => file.document().alphabet.clone(),
                    (None, None) => Expression::alphabet_named_in(&source)?,
                };
                given.expression = Some(Expression::parse(&source, &alphabet)?);
            }
            _ => {}
        }
        Ok(given)
    }

    /// As many machines and texts as there are operands.
    fn check_numbers(&self, operands: &Operands) -> Result<(), Trouble> {
        let of = |machines: bool| {
            let own = self
                .operands
                .iter()
                .filter(move |one| one.sort.is_machine() == machines);
            (own.clone().count(), own.clone().any(|one| one.many))
        };
        let given = [
            (true, operands.machines.len()),
            (false, operands.texts.len()),
        ];
        let fits = given.iter().all(|&(machines, given)| {
            let (least, many) = of(machines);
            given == least || many && given > least
        });
        let missing = self.settings.iter().find(|setting| {
            let is_number = matches!(setting.kind, Values::Whole { .. });
            let is_given = operands
                .settings
                .iter()
                .any(|(name, _)| name == setting.name);
            is_number && setting.default.is_none() && !is_given
        });
        match (fits, missing) {
            (true, None) => Ok(()),
            (_, Some(setting)) => Err(Trouble::usage(format!(
                "`{}` needs `--{}`",
                self.name, setting.name
            ))),
            (false, None) => {
                let names: Vec<&str> = self.operands.iter().map(|operand| operand.name).collect();
                let message = format!("`{}` takes {}", self.name, names.join(", "));
                Err(Trouble::usage(message))
            }
        }
    }

    /// The machines of the operands, each of the kind that is wanted.
    fn machines(&self, inputs: &[Input]) -> Result<Vec<(String, Machine)>, Diagnostic> {
        let operands = self.operands.iter();
        let sorts = operands.map(|operand| operand.sort);
        let last = sorts.clone().next_back().unwrap_or(Sort::Machine);
        let sorts = sorts.chain(std::iter::repeat(last));
        let mut machines: Vec<(String, Machine)> = Vec::new();
        for (sort, input) in sorts.zip(inputs) {
            let kind = match (sort.expected(), machines.first()) {
                (Some(kind), _) => kind,
                (None, Some((_, first))) => first.kind(),
                (None, None) => input.machine()?.kind(),
            };
            let machine = match kind {
                Kind::Automaton => input.automaton()?.clone().into(),
                Kind::Transducer => input.transducer()?.clone().into(),
            };
            machines.push((input.name(), machine));
        }
        Ok(machines)
    }
}

/// The format of the first file; problems have no place for a single automaton.
fn usual_format(first: Option<&Input>) -> Format {
    match first.map(|input| input.document().format) {
        None | Some(Format::Slrp | Format::Json) => Format::Timbuk,
        Some(format) => format,
    }
}

/// Machines over the letters that they share or, if alphabets are joined, over all letters.
fn over_one_alphabet(
    machines: Vec<(String, Machine)>,
    join: bool,
) -> Result<Vec<Machine>, Diagnostic> {
    let mut all: Option<(&str, Alphabet)> = None;
    for (name, machine) in &machines {
        let Some((first, letters)) = &all else {
            all = Some((name, machine.alphabet().clone()));
            continue;
        };
        let pair = ((*first, letters), (name.as_str(), machine.alphabet()));
        let different =
            different_alphabets(pair.0, pair.1).filter(|why| !join || why.code == LETTERS_OF_BITS);
        if let Some(mut different) = different {
            if ![LETTERS_OF_BITS, LETTERS_LIKE_BITS].contains(&different.code) {
                different.help =
                    vec!["declare the same letters in both, or give --join-alphabets".to_owned()];
            }
            return Err(different);
        }
        all = Some((*first, letters.union(machine.alphabet())));
    }
    let Some((_, alphabet)) = all.filter(|_| machines.len() > 1) else {
        return Ok(machines.into_iter().map(|(_, machine)| machine).collect());
    };
    let over = |(_, machine): &(String, Machine)| {
        let unknown =
            |error: crate::AlphabetError| Diagnostic::error("undeclared-letter", error.to_string());
        machine.over(&alphabet).map_err(unknown)
    };
    machines.iter().map(over).collect()
}

/// A word over an alphabet.
fn word(alphabet: &Alphabet, text: &str) -> Result<Word, Diagnostic> {
    alphabet.word(text).map_err(|error| {
        let unknown = text
            .split_whitespace()
            .find(|name| alphabet.letter(name).is_none())
            .unwrap_or_default();
        Diagnostic::error("undeclared-letter", error.to_string())
            .note("the letters of a word are apart by blanks")
            .did_you_mean(unknown, alphabet.names())
    })
}
