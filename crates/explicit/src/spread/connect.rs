//! Processes find each other: each listens at its address, and calls those before it in the list.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use quotient_core::Budget;

use super::{Apart, Party, own_address};

/// What begins every greeting.
const MAGIC: u64 = u64::from_be_bytes(*b"quotient");
/// Changes when processes of two versions could not understand each other.
const VERSION: u64 = 1;
/// How long one attempt to call, or a greeting, may take.
const CALL: Duration = Duration::from_millis(500);
const GREETING: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(20);

/// What each side says first. All but the last must agree.
type Greeting = [u64; 6];

fn greeting(party: &Party) -> Greeting {
    [
        MAGIC,
        VERSION,
        party.addresses.len() as u64,
        party.workers.max(1) as u64,
        party.question,
        party.process as u64,
    ]
}

/// A connection to each other process, in the order of the list.
pub(super) fn connect(party: &Party, budget: &Budget) -> Result<Vec<Option<TcpStream>>, Apart> {
    let own = own_address(party);
    let deaf = |error: io::Error| Apart::Deaf(own.clone(), error.to_string());
    let listener = TcpListener::bind(&own).map_err(deaf)?;
    listener.set_nonblocking(true).map_err(deaf)?;
    let mut sockets: Vec<Option<TcpStream>> = party.addresses.iter().map(|_| None).collect();
    let began = Instant::now();
    loop {
        let before = sockets.iter_mut().zip(&party.addresses).enumerate();
        for (process, (place, address)) in before.take(party.process) {
            if place.is_none()
                && let Some(socket) = call(address)
                && let Some(said) = greet(&socket, party)
            {
                agree(party, &said, process)?;
                *place = Some(socket);
            }
        }
        while let Ok((socket, _)) = listener.accept() {
            // Whoever does not greet is somebody else.
            let Some(said) = socket
                .set_nonblocking(false)
                .ok()
                .and_then(|()| greet(&socket, party))
            else {
                continue;
            };
            let process = usize::try_from(said[5]).unwrap_or(usize::MAX);
            agree(party, &said, process)?;
            if process > party.process && process < sockets.len() {
                sockets[process] = Some(socket);
            }
        }
        let others = (0..sockets.len()).filter(|&process| process != party.process);
        let missing: Vec<usize> = others.filter(|&one| sockets[one].is_none()).collect();
        if missing.is_empty() {
            return Ok(sockets);
        }
        budget.poll()?;
        if began.elapsed() > party.patience {
            let name = |&process: &usize| format!("{process} ({})", party.addresses[process]);
            let names: Vec<String> = missing.iter().map(name).collect();
            return Err(Apart::Absent(names.join(", ")));
        }
        std::thread::sleep(PAUSE);
    }
}

fn call(address: &str) -> Option<TcpStream> {
    let mut places = address.to_socket_addrs().ok()?;
    places.find_map(|place| TcpStream::connect_timeout(&place, CALL).ok())
}

/// Says who we are, and hears who the other is.
fn greet(mut socket: &TcpStream, party: &Party) -> Option<Greeting> {
    socket.set_nodelay(true).ok()?;
    socket.set_read_timeout(Some(GREETING)).ok()?;
    let words = greeting(party).map(u64::to_be_bytes);
    socket.write_all(words.as_flattened()).ok()?;
    let mut bytes = [0; 48];
    socket.read_exact(&mut bytes).ok()?;
    socket.set_read_timeout(None).ok()?;
    let mut said = [0; 6];
    for (word, bytes) in said.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_be_bytes(bytes.try_into().ok()?);
    }
    (said[0] == MAGIC).then_some(said)
}

fn agree(party: &Party, said: &Greeting, process: usize) -> Result<(), Apart> {
    match said[..5] == greeting(party)[..5] {
        true => Ok(()),
        false => Err(Apart::Different(process)),
    }
}
