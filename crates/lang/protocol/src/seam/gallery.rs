//! The protocols that come with the program.

use quotient_language::Example;

macro_rules! gallery {
    ($($name:literal: $title:literal),* $(,)?) => {
        &[$(Example {
            name: $name,
            title: $title,
            files: &[(
                concat!($name, ".protocol"),
                include_str!(concat!("../../gallery/", $name, ".protocol")),
            )],
        }),*]
    };
}

/// Each under the name of its file, with the title that it gives itself.
pub(super) const EXAMPLES: &[Example] = gallery![
    "alternating_bit": "alternating bit",
    "alternating_bit_faulty": "alternating bit, faulty",
    "bakery": "bakery",
    "barrier": "barrier",
    "berkeley": "Berkeley",
    "bounded_buffer": "bounded buffer",
    "burns": "Burns",
    "burns_faulty": "Burns, faulty",
    "burns_one_by_one": "Burns, one by one",
    "commit_crash": "two-phase commit with crashes",
    "commit_crash_faulty": "two-phase commit with crashes, faulty",
    "dijkstra": "Dijkstra",
    "dijkstra_one_by_one": "Dijkstra, one by one",
    "dragon": "Dragon",
    "firefly": "Firefly",
    "german": "German",
    "german_faulty": "German, faulty",
    "illinois": "Illinois",
    "leader_line": "leader election in a line",
    "lehmann_rabin": "Lehmann-Rabin",
    "lehmann_rabin_stubborn": "Lehmann-Rabin, stubborn",
    "lossy_handshake": "lossy handshake",
    "mcs_lock": "MCS lock",
    "mesi": "MESI",
    "mesi_faulty": "MESI, faulty",
    "moesi": "MOESI",
    "peterson": "Peterson",
    "peterson_faulty": "Peterson, faulty",
    "philosophers": "dining philosophers",
    "philosophers_all_left": "dining philosophers, all left-handed",
    "plotter": "plotter",
    "readers_writers": "readers and writers",
    "readers_writers_faulty": "readers and writers, faulty",
    "reentrant_lock": "reentrant lock",
    "reentrant_lock_faulty": "reentrant lock, faulty",
    "ricart_agrawala": "Ricart-Agrawala, simplified",
    "ricart_agrawala_faulty": "Ricart-Agrawala, faulty",
    "semaphore": "semaphore",
    "spin_lock": "spin lock",
    "stabilising": "self-stabilising line",
    "synapse": "Synapse N+1",
    "szymanski": "Szymański",
    "szymanski_faulty": "Szymański, faulty",
    "szymanski_line3": "Szymański, line 3 repaired",
    "szymanski_line6": "Szymański, line 6 repaired",
    "szymanski_one_by_one": "Szymański, one by one",
    "ticket_lock": "ticket lock",
    "token": "token passing",
    "token_duplicated": "token passing, faulty",
    "token_ring": "token ring",
    "two_locks": "two locks",
    "two_phase_commit": "two-phase commit",
    "two_phase_commit_faulty": "two-phase commit, faulty",
    "workers": "workers",
];
