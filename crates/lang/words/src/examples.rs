//! The problems of the gallery.
//!
//! But for the one to begin with they are written from the models of `crates/experiments`, whose tests
//! keep them up to date.

use quotient_language::Example;

/// A folder of the gallery; the first file is the one to open.
macro_rules! problem {
    ($name:literal, $title:literal, [$($file:literal),* $(,)?]) => {
        Example {
            name: $name,
            title: $title,
            files: &[
                ("problem.toml", text!($name, "problem.toml")),
                $((concat!($file, ".tmb"), text!($name, concat!($file, ".tmb")))),*
            ],
        }
    };
}

macro_rules! text {
    ($folder:literal, $file:expr) => {
        include_str!(concat!("../gallery/", $folder, "/", $file))
    };
}

pub(crate) const EXAMPLES: &[Example] = &[
    problem!(
        "to-begin-with",
        "A problem whose lines are explained",
        ["bad", "init", "step-pass"]
    ),
    problem!(
        "token",
        "A token goes from neighbour to neighbour",
        ["bad", "init", "pass"]
    ),
    problem!(
        "token-duplicated",
        "Whoever passes the token keeps a copy",
        ["bad", "init", "pass"]
    ),
    problem!(
        "token-to-the-third",
        "The token goes to the third neighbour and never gets to the end",
        ["bad", "init", "pass"]
    ),
    problem!(
        "bakery",
        "Lamport's bakery, line by line",
        [
            "announce",
            "announce-done",
            "bad",
            "enter",
            "init",
            "leave",
            "take-a-ticket"
        ]
    ),
    problem!(
        "bakery-small",
        "The bakery with three letters",
        ["bad", "enter", "init", "leave", "take-a-ticket"]
    ),
    problem!(
        "bakery-unordered",
        "Whoever waits may enter when nobody is critical",
        ["bad", "enter", "init", "leave", "take-a-ticket"]
    ),
    problem!(
        "bakery-communal-liveness",
        "Somebody enters the bakery again and again",
        [
            "bad",
            "enter",
            "freeze",
            "init",
            "leave",
            "leave-in-the-loop",
            "take-a-ticket",
            "take-a-ticket-in-the-loop"
        ]
    ),
    problem!(
        "bakery-individual-liveness",
        "Whoever waits in the bakery enters, if schedules are fair",
        [
            "bad",
            "cannot-step-in-the-loop",
            "enter",
            "enter-in-the-loop",
            "freeze",
            "init",
            "leave",
            "leave-in-the-loop",
            "take-a-ticket",
            "take-a-ticket-in-the-loop"
        ]
    ),
    problem!(
        "bakery-individual-liveness-published",
        "The same in the published encoding, which takes less for fair",
        [
            "bad",
            "enter",
            "enter-in-the-loop",
            "freeze",
            "init",
            "leave",
            "leave-in-the-loop",
            "take-a-ticket",
            "take-a-ticket-in-the-loop"
        ]
    ),
    problem!(
        "bakery-starvation",
        "Without the order of tickets a process may wait for ever",
        [
            "bad",
            "cannot-step-in-the-loop",
            "enter",
            "enter-in-the-loop",
            "freeze",
            "init",
            "leave",
            "leave-in-the-loop",
            "take-a-ticket",
            "take-a-ticket-in-the-loop"
        ]
    ),
    problem!(
        "burns",
        "Burns' algorithm",
        [
            "1-lower-the-flag",
            "2-nobody-left-is-up",
            "2-someone-left-is-up",
            "3-raise-the-flag",
            "4-nobody-left-is-up",
            "4-someone-left-is-up",
            "5-nobody-right-is-up",
            "6-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "dijkstra",
        "Dijkstra's algorithm",
        [
            "1-ask",
            "2-p-is-mine",
            "2-p-is-not-mine",
            "3-p-is-free",
            "4-take-p",
            "5-try",
            "6-another-tries",
            "6-enter",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "dijkstra-neighbours",
        "Dijkstra's algorithm where only neighbours interact",
        [
            "1-ask",
            "2-p-is-mine",
            "2-p-is-not-mine",
            "3-p-is-free",
            "4-take-p",
            "5-try",
            "6-another-tries",
            "6-enter",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "dijkstra-brief",
        "Dijkstra's algorithm in six lines",
        [
            "a-ask",
            "b-p-is-free",
            "b-p-is-mine",
            "bad",
            "c-take-p",
            "d-try",
            "e-another-tries",
            "e-enter",
            "f-leave",
            "init"
        ]
    ),
    problem!(
        "szymanski",
        "Szymański's algorithm",
        [
            "1-nobody-has-s",
            "2-set-w-and-s",
            "3-all-wait",
            "3-someone-does-not-wait",
            "4-let-through",
            "5-nobody-waits",
            "6-nobody-left-has-s",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "szymanski-brief",
        "Szymański's algorithm for two or more processes with their flags down",
        [
            "1-nobody-has-s",
            "2-set-w-and-s",
            "3-all-wait",
            "3-someone-does-not-wait",
            "4-let-through",
            "5-nobody-waits",
            "6-nobody-left-has-s",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "szymanski-faulty",
        "Faults in lines 3 and 6",
        [
            "1-nobody-has-s",
            "2-set-w-and-s",
            "3-all-wait",
            "3-someone-does-not-wait",
            "4-let-through",
            "5-nobody-waits",
            "6-nobody-left-has-s",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "szymanski-line-3",
        "Only line 3 is repaired",
        [
            "1-nobody-has-s",
            "2-set-w-and-s",
            "3-all-wait",
            "3-someone-does-not-wait",
            "4-let-through",
            "5-nobody-waits",
            "6-nobody-left-has-s",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "szymanski-line-6",
        "Only line 6 is repaired",
        [
            "1-nobody-has-s",
            "2-set-w-and-s",
            "3-all-wait",
            "3-someone-does-not-wait",
            "4-let-through",
            "5-nobody-waits",
            "6-nobody-left-has-s",
            "7-leave",
            "bad",
            "init"
        ]
    ),
    problem!(
        "plotter",
        "A recursive program draws a skyline",
        [
            "bad",
            "init",
            "m-begins",
            "m-calls-m",
            "m-calls-m-above",
            "m-calls-s",
            "m-chooses-right",
            "m-chooses-up",
            "m-goes-down",
            "m-goes-on",
            "m-goes-right",
            "m-goes-up",
            "m-is-done",
            "m-returns",
            "main-begins",
            "main-calls-s",
            "main-ends",
            "s-calls-m",
            "s-draws",
            "s-draws-nothing",
            "s-goes-down",
            "s-goes-up",
            "s-returns",
            "s-returns-at-once"
        ]
    ),
    problem!(
        "plotter-brief",
        "The same with a flag instead of a log",
        [
            "bad",
            "init",
            "m-begins",
            "m-calls-m",
            "m-calls-m-above",
            "m-calls-s",
            "m-chooses",
            "m-goes-down",
            "m-goes-down-at-once",
            "m-goes-on-or-not",
            "m-goes-right",
            "m-goes-up",
            "m-returns",
            "main-begins",
            "main-calls-s",
            "s-calls-m",
            "s-draws-or-not",
            "s-goes-down",
            "s-goes-down-at-once",
            "s-goes-up",
            "s-returns",
            "s-returns-at-once"
        ]
    ),
    problem!(
        "alternating-bit",
        "The alternating bit protocol over queues that lose messages",
        [
            "bad",
            "get-acknowledgement-0",
            "get-acknowledgement-1",
            "get-message-0",
            "get-message-1",
            "ignore-acknowledgement-0",
            "ignore-acknowledgement-1",
            "ignore-message-0",
            "ignore-message-1",
            "init",
            "lose-a-message",
            "lose-an-acknowledgement",
            "put-acknowledgement-0",
            "put-acknowledgement-1",
            "put-message-0",
            "put-message-1",
            "receive-0",
            "receive-1",
            "send-0",
            "send-1"
        ]
    ),
    problem!(
        "alternating-bit-lossless",
        "The same over queues that lose nothing",
        [
            "bad",
            "get-acknowledgement-0",
            "get-acknowledgement-1",
            "get-message-0",
            "get-message-1",
            "ignore-acknowledgement-0",
            "ignore-acknowledgement-1",
            "ignore-message-0",
            "ignore-message-1",
            "init",
            "put-acknowledgement-0",
            "put-acknowledgement-1",
            "put-message-0",
            "put-message-1",
            "receive-0",
            "receive-1",
            "send-0",
            "send-1"
        ]
    ),
    problem!(
        "alternating-bit-brief",
        "The lossy protocol with a flag instead of a log",
        [
            "bad",
            "get-acknowledgement-0",
            "get-acknowledgement-1",
            "get-message-0",
            "get-message-1",
            "ignore-acknowledgement-0",
            "ignore-acknowledgement-1",
            "ignore-message-0",
            "ignore-message-1",
            "init",
            "lose-a-message",
            "lose-an-acknowledgement",
            "put-acknowledgement-0",
            "put-acknowledgement-1",
            "put-message-0",
            "put-message-1",
            "receive-0",
            "receive-0-unsent",
            "receive-1",
            "receive-1-unsent",
            "send-0",
            "send-0-too-early",
            "send-1",
            "send-1-too-early"
        ]
    ),
    problem!(
        "readers-writers",
        "Readers and writers, a Petri net with inhibitor arcs",
        [
            "a-reader-asks",
            "a-reader-begins",
            "a-reader-comes",
            "a-reader-ends",
            "a-reader-goes",
            "a-writer-asks",
            "a-writer-begins",
            "a-writer-comes",
            "a-writer-ends",
            "a-writer-goes",
            "bad",
            "init"
        ]
    ),
    problem!(
        "readers-writers-faulty",
        "A reader does not look for active writers",
        [
            "a-reader-asks",
            "a-reader-begins",
            "a-reader-comes",
            "a-reader-ends",
            "a-reader-goes",
            "a-writer-asks",
            "a-writer-begins",
            "a-writer-comes",
            "a-writer-ends",
            "a-writer-goes",
            "bad",
            "init"
        ]
    ),
    problem!(
        "list-reversal",
        "A program reverses a linked list",
        [
            "at-last-l-n-x",
            "at-last-l-n-x-fails",
            "bad",
            "init",
            "l-n-is-not-there",
            "l-n-is-there",
            "l-n-x",
            "l-n-x-fails",
            "l-y",
            "l-y-fails",
            "x-0",
            "x-l",
            "x-l-fails",
            "y-l-n",
            "y-l-n-fails"
        ]
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What is packed is what lies in the folder.
    #[test]
    fn the_list_is_the_gallery() {
        let gallery = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gallery");
        let mut on_disk = BTreeSet::new();
        for folder in std::fs::read_dir(&gallery).unwrap() {
            let folder = folder.unwrap().path();
            for file in std::fs::read_dir(&folder).into_iter().flatten() {
                let file = file.unwrap().path();
                let path = file.strip_prefix(&gallery).unwrap();
                on_disk.insert(path.to_string_lossy().into_owned());
            }
        }
        let listed: BTreeSet<String> = EXAMPLES
            .iter()
            .flat_map(|one| {
                one.files
                    .iter()
                    .map(|(name, _)| format!("{}/{name}", one.name))
            })
            .collect();
        assert_eq!(listed, on_disk);
    }
}
