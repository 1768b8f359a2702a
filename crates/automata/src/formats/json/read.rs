//! The reader of JSON problems.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use rustc_hash::FxHashMap;

use super::letters::{JsonLetters, is_pair};
use super::value::{Content, Value, parse};
use crate::formats::cursor::{duplicate, undeclared};
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Names};
use crate::formats::{Format, Kind, Role};

/// Reads a problem, or a single automaton or transducer.
pub(in crate::formats) fn read(source: &Source, budget: &Budget) -> Result<Draft, Trouble> {
    let value = parse(source, budget)?;
    let reader = Reader { source, budget };
    let top = reader.object(&value, "a problem or an automaton")?;
    let mut draft = Draft::new(source, Format::Json);
    let mut letters = JsonLetters {
        source,
        names: Names::default(),
        declared: false,
    };
    if top.get("transitions").is_some() {
        let kind = reader.kind_of(&top);
        if kind == Kind::Automaton || !reader.lists_only_pairs(&top) {
            reader.alphabet(&top, &mut letters)?;
        }
        draft
            .machines
            .push(reader.machine("", Role::Unspecified, kind, &top, &mut letters)?);
    } else {
        reader.alphabet(&top, &mut letters)?;
        reader.problem(&top, &mut letters, &mut draft)?;
    }
    draft.declared = letters.declared;
    draft.letters = letters.names;
    Ok(draft)
}

const KEYS_OF_MACHINES: &[&str] = &[
    "states",
    "initialStates",
    "accepting",
    "transitions",
    "alphabet",
];

const KEYS_OF_TRANSITIONS: &[&str] = &["source", "letter", "target"];

/// What machines and transitions may say for their readers.
const NOTES: &[&str] = &["name", "description", "comment"];

/// Whether a number is written in the one way in which whole numbers are.
fn is_whole(number: &str) -> bool {
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    digits && (number == "0" || !number.starts_with('0'))
}

/// The members of an object by key.
struct Object<'a> {
    span: Span,
    members: &'a [(String, Span, Value)],
}

impl<'a> Object<'a> {
    fn get(&self, key: &str) -> Option<&'a Value> {
        self.members
            .iter()
            .find(|(name, ..)| name == key)
            .map(|(_, _, value)| value)
    }

    fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.members.iter().map(|(name, ..)| name.as_str())
    }
}

struct Reader<'a> {
    source: &'a Source,
    budget: &'a Budget,
}

impl Reader<'_> {
    fn problem(
        &self,
        top: &Object<'_>,
        letters: &mut JsonLetters<'_>,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        for (key, span, value) in top.members {
            let (role, kind) = match key.as_str() {
                "alphabet" => continue,
                "initial" => (Role::Initial, Kind::Automaton),
                "transducer" | "transition" => (Role::Transition, Kind::Transducer),
                "properties" => {
                    for (name, _, property) in self.object(value, "properties by name")?.members {
                        let object = self.object(property, "an automaton")?;
                        draft.machines.push(self.machine(
                            name,
                            Role::Bad,
                            Kind::Automaton,
                            &object,
                            letters,
                        )?);
                    }
                    continue;
                }
                _ => {
                    draft.settings.push(key.clone());
                    draft.warnings.push(
                        Diagnostic::warning("unknown-key", format!("`{key}` means nothing here"))
                            .at(self.source, *span, "not looked at")
                            .did_you_mean(key, ["alphabet", "initial", "transducer", "properties"]),
                    );
                    continue;
                }
            };
            let object = self.object(value, kind.with_article())?;
            draft
                .machines
                .push(self.machine(key, role, kind, &object, letters)?);
        }
        match draft.machines.is_empty() {
            false => Ok(()),
            true => Err(
                Diagnostic::error("missing-part", "there is no automaton in the file")
                    .at(
                        self.source,
                        Span::new(top.span.start, top.span.start + 1),
                        "this object",
                    )
                    .note("a problem has `alphabet`, `initial`, `transducer` and `properties`")
                    .help(
                        "an automaton has `states`, `initialStates`, `accepting` and `transitions`",
                    )
                    .into(),
            ),
        }
    }

    fn machine(
        &self,
        name: &str,
        role: Role,
        kind: Kind,
        object: &Object<'_>,
        letters: &mut JsonLetters<'_>,
    ) -> Result<DraftMachine, Trouble> {
        self.only_known(object, "a machine", KEYS_OF_MACHINES)?;
        if role != Role::Unspecified {
            self.own_alphabet(object, letters)?;
        }
        let mut machine = DraftMachine::new(name, role, kind);
        machine.shown_at = Some(Span::new(object.span.start, object.span.start + 1));
        let declared = self.states(object, &mut machine)?;
        machine.initial = self.state_list(object, "initialStates", declared, &mut machine)?;
        machine.accepting = self.state_list(object, "accepting", declared, &mut machine)?;
        let Some(transitions) = object.get("transitions") else {
            return Err(self.missing(object, "transitions").into());
        };
        // A list of pairs of letters repeats often: each text is looked up once.
        let mut labels: FxHashMap<&str, Vec<DraftLabel>> = FxHashMap::default();
        for transition in self.list(transitions)? {
            self.budget.poll()?;
            let transition = self.object(transition, "a transition")?;
            self.only_known(&transition, "a transition", KEYS_OF_TRANSITIONS)?;
            let source = self.member(&transition, "source")?;
            let source = self.state(source, declared, &mut machine)?;
            let letter = self.member(&transition, "letter")?;
            let Content::Text(text) = &letter.content else {
                return Err(self.wrong(letter, "a letter in quotes").into());
            };
            let here = match labels.get(text.as_str()) {
                Some(labels) => labels.clone(),
                None => {
                    let found = letters.labels(text, kind, letter.span)?;
                    labels.insert(text, found.clone());
                    found
                }
            };
            let target = self.member(&transition, "target")?;
            let targets = match &target.content {
                Content::List(targets) => targets.as_slice(),
                _ => std::slice::from_ref(target),
            };
            for target in targets {
                let target = self.state(target, declared, &mut machine)?;
                for label in &here {
                    machine.edge(source, label.clone(), target);
                }
            }
        }
        Ok(machine)
    }

    /// Refuses keys that nobody looks at: what they say is lost. Notes are not about the machine.
    fn only_known(
        &self,
        object: &Object<'_>,
        what: &str,
        known: &[&str],
    ) -> Result<(), Diagnostic> {
        let is_known = |key: &str| known.contains(&key) || NOTES.contains(&key);
        let unknown = object.members.iter().find(|(key, ..)| !is_known(key));
        let Some((key, span, _)) = unknown else {
            return Ok(());
        };
        Err(
            Diagnostic::error("unknown-key", format!("{what} has no key `{key}`"))
                .at(self.source, *span, "not looked at")
                .note(format!("the keys are `{}`", known.join("`, `")))
                .did_you_mean(key, known.iter().copied()),
        )
    }

    /// The letters that a part of a problem lists for itself, which are letters of the problem; a
    /// transducer may list its pairs.
    fn own_alphabet(
        &self,
        object: &Object<'_>,
        letters: &mut JsonLetters<'_>,
    ) -> Result<(), Trouble> {
        let Some(alphabet) = object.get("alphabet") else {
            return Ok(());
        };
        for letter in self.list(alphabet)? {
            match &letter.content {
                Content::Text(name) if is_pair(name) => {}
                Content::Text(name) => {
                    letters.letter(name, letter.span)?;
                }
                _ => return Err(self.wrong(letter, "a letter in quotes").into()),
            }
        }
        Ok(())
    }

    /// Whether there is a list of states; others are refused then.
    fn states(&self, object: &Object<'_>, machine: &mut DraftMachine) -> Result<bool, Trouble> {
        let Some(states) = object.get("states") else {
            return Ok(false);
        };
        let mut places: Vec<Span> = Vec::new();
        for state in self.list(states)? {
            let name = self.state_name(state)?;
            let number = machine.states.intern(name) as usize;
            match places.get(number) {
                Some(&first) => {
                    return Err(duplicate(self.source, "state", name, first, state.span).into());
                }
                None => places.push(state.span),
            }
        }
        Ok(true)
    }

    fn state_list(
        &self,
        object: &Object<'_>,
        key: &str,
        declared: bool,
        machine: &mut DraftMachine,
    ) -> Result<Vec<u32>, Trouble> {
        let Some(list) = object.get(key) else {
            return Err(self.missing(object, key).into());
        };
        self.list(list)?
            .iter()
            .map(|state| self.state(state, declared, machine))
            .collect()
    }

    fn state(
        &self,
        value: &Value,
        declared: bool,
        machine: &mut DraftMachine,
    ) -> Result<u32, Trouble> {
        let name = self.state_name(value)?;
        match machine.states.get(name) {
            Some(state) => Ok(state),
            None if !declared => Ok(machine.states.intern(name)),
            None => Err(undeclared(
                self.source,
                value.span,
                "state",
                name,
                machine.states.iter(),
            )
            .help("or add it to `states`")
            .into()),
        }
    }

    fn state_name<'v>(&self, value: &'v Value) -> Result<&'v str, Diagnostic> {
        match &value.content {
            // `1` and `1.0` are one number, and would be two names.
            Content::Number(name) if !is_whole(name) => Err(self
                .wrong(value, "a state: a whole number or a string")
                .help("write it without a fraction, an exponent or signs: `1`")),
            Content::Number(name) | Content::Text(name) => Ok(name),
            _ => Err(self.wrong(value, "a state: a number or a string")),
        }
    }

    fn alphabet(&self, object: &Object<'_>, letters: &mut JsonLetters<'_>) -> Result<(), Trouble> {
        let Some(alphabet) = object.get("alphabet") else {
            return Ok(());
        };
        letters.declared = true;
        let mut places: Vec<Span> = Vec::new();
        for letter in self.list(alphabet)? {
            let Content::Text(name) = &letter.content else {
                return Err(self.wrong(letter, "a letter in quotes").into());
            };
            match places.get(letters.names.intern(name) as usize) {
                Some(&first) => {
                    return Err(duplicate(self.source, "letter", name, first, letter.span).into());
                }
                None => places.push(letter.span),
            }
        }
        Ok(())
    }

    /// A lone machine is a transducer if all its letters are pairs, unless its alphabet has
    /// them as letters among others.
    fn kind_of(&self, object: &Object<'_>) -> Kind {
        let Some(Content::List(transitions)) =
            object.get("transitions").map(|value| &value.content)
        else {
            return Kind::Automaton;
        };
        let letter = |transition: &Value| match &transition.content {
            Content::Object(members) => {
                let object = Object {
                    span: transition.span,
                    members,
                };
                matches!(object.get("letter").map(|letter| &letter.content), Some(Content::Text(text)) if is_pair(text))
            }
            _ => false,
        };
        let pairs = !transitions.is_empty() && transitions.iter().all(letter);
        match pairs && (self.lists_only_pairs(object) || !self.lists_pairs(object)) {
            true => Kind::Transducer,
            false => Kind::Automaton,
        }
    }

    /// A lone transducer may list its pairs as its alphabet.
    fn lists_only_pairs(&self, object: &Object<'_>) -> bool {
        let mut letters = self.listed_letters(object).peekable();
        letters.peek().is_some() && letters.all(is_pair)
    }

    fn lists_pairs(&self, object: &Object<'_>) -> bool {
        self.listed_letters(object).any(is_pair)
    }

    fn listed_letters<'v>(&self, object: &Object<'v>) -> impl Iterator<Item = &'v str> {
        let letters = match object.get("alphabet").map(|value| &value.content) {
            Some(Content::List(letters)) => letters.as_slice(),
            _ => &[],
        };
        letters.iter().map(|letter| match &letter.content {
            Content::Text(text) => text.as_str(),
            _ => "",
        })
    }

    fn object<'v>(&self, value: &'v Value, what: &str) -> Result<Object<'v>, Diagnostic> {
        match &value.content {
            Content::Object(members) => Ok(Object {
                span: value.span,
                members,
            }),
            _ => Err(self.wrong(value, &format!("{what} (an object)"))),
        }
    }

    fn list<'v>(&self, value: &'v Value) -> Result<&'v [Value], Diagnostic> {
        match &value.content {
            Content::List(elements) => Ok(elements),
            _ => Err(self.wrong(value, "a list")),
        }
    }

    fn member<'v>(&self, object: &Object<'v>, key: &str) -> Result<&'v Value, Diagnostic> {
        object.get(key).ok_or_else(|| self.missing(object, key))
    }

    fn missing(&self, object: &Object<'_>, key: &str) -> Diagnostic {
        let span = Span::new(object.span.start, object.span.start + 1);
        let diagnostic = Diagnostic::error("missing-key", format!("the key `{key}` is missing"))
            .at(self.source, span, "in this object");
        match quotient_core::nearest(key, object.keys()) {
            Some(near) => diagnostic.help(format!("is `{near}` meant to be `{key}`?")),
            None => diagnostic,
        }
    }

    fn wrong(&self, value: &Value, expected: &str) -> Diagnostic {
        let message = format!("expected {expected}, found {}", value.describe());
        Diagnostic::error("syntax", message).at(
            self.source,
            value.span,
            format!("expected {expected}"),
        )
    }
}
