//! Connections in, answers out.

use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use quotient_core::Budget;
use quotient_workbench::Workbench;

use crate::api::Api;
use crate::assets::asset;
use crate::guard::Guard;
use crate::http::{Client, Request, Response};
use crate::runs::Run;
use crate::shelf::Shelf;

/// The most connections at a time.
const MOST_CONNECTIONS: usize = 256;

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder whose files may be read and written, or a file in it to open first.
    pub folder: PathBuf,
    /// Where to listen, as `ADDRESS:PORT`; port 0 takes any that is free.
    pub listen: String,
    /// How many runs work at a time; others wait.
    pub runs: usize,
    /// How long a run may take.
    pub run_time: Duration,
    /// How much memory the program may use before a run is ended, in bytes.
    pub run_memory: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            folder: PathBuf::from("."),
            listen: "127.0.0.1:0".to_owned(),
            runs: 2,
            run_time: Duration::from_secs(300),
            run_memory: None,
        }
    }
}

/// A server that has its address and waits to be run.
///
/// ```
/// use quotient_core::Budget;
/// use quotient_web::{Options, Server};
/// use quotient_workbench::Workbench;
/// let server = Server::bind(&Options::default(), Workbench::empty()).unwrap();
/// assert!(server.link().starts_with("http://127.0.0.1:"));
/// let budget = Budget::unlimited();
/// budget.interrupt();
/// server.run(&budget);
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    workers: usize,
}

struct Shared {
    guard: Guard,
    api: Api,
    stopping: AtomicBool,
    connections: AtomicUsize,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Takes an address and looks at the folder; nobody is served yet.
    pub fn bind(options: &Options, workbench: Workbench) -> std::io::Result<Server> {
        let (folder, first) = match options.folder.is_file() {
            true => {
                let name = options
                    .folder
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                let parent = options
                    .folder
                    .parent()
                    .filter(|path| !path.as_os_str().is_empty());
                (parent.unwrap_or(Path::new(".")).to_path_buf(), name)
            }
            false => (options.folder.clone(), None),
        };
        let shelf = Shelf::at(&folder)?;
        let addresses: Vec<SocketAddr> = options.listen.to_socket_addrs()?.collect();
        let listener = TcpListener::bind(&addresses[..])?;
        let address = listener.local_addr()?;
        let name = options.listen.rsplit_once(':').map_or("", |(name, _)| name);
        let shared = Shared {
            guard: Guard::new(address, name)?,
            api: Api {
                first,
                ..Api::new(workbench, shelf, options.run_time, options.run_memory)
            },
            stopping: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
        };
        Ok(Server {
            listener,
            address,
            shared: Arc::new(shared),
            workers: options.runs.max(1),
        })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link to the page. What follows `#` is the key: no browser sends it anywhere by itself.
    pub fn link(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}/#token={}", self.shared.guard.token())
    }

    /// Serves until the budget ends, then calls off all work.
    pub fn run(self, budget: &Budget) {
        for _ in 0..self.workers {
            let shared = self.shared.clone();
            std::thread::spawn(move || shared.api.runs.work());
        }
        let watch = {
            let (shared, budget, address) = (self.shared.clone(), budget.clone(), self.address);
            std::thread::spawn(move || {
                while budget.poll().is_ok() {
                    std::thread::sleep(Duration::from_millis(30));
                }
                shared.stopping.store(true, SeqCst);
                shared.api.budget.interrupt();
                shared.api.runs.close();
                // Whoever waits for a connection gets one, and looks up.
                let mut own = address;
                if own.ip().is_unspecified() {
                    own.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
                }
                let _ = TcpStream::connect_timeout(&own, Duration::from_secs(1));
            })
        };
        for stream in self.listener.incoming() {
            if self.shared.stopping.load(SeqCst) {
                break;
            }
            match stream {
                Ok(stream) => accept(&self.shared, stream),
                // Out of handles, say: the clients that are there go on.
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        let _ = watch.join();
    }
}

fn accept(shared: &Arc<Shared>, stream: TcpStream) {
    let Ok(mut client) = Client::new(stream) else {
        return;
    };
    if shared.connections.fetch_add(1, SeqCst) >= MOST_CONNECTIONS {
        shared.connections.fetch_sub(1, SeqCst);
        let response = Response::error(503, "too many connections");
        client.send(&Request::default(), &response);
        return;
    }
    let own = shared.clone();
    let served = std::thread::Builder::new().spawn(move || {
        let _leave = Leave(&own.connections);
        serve(&own, &mut client);
    });
    if served.is_err() {
        shared.connections.fetch_sub(1, SeqCst);
    }
}

/// Counts a connection that ends, however it ends.
struct Leave<'a>(&'a AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// One connection, request after request.
fn serve(shared: &Shared, client: &mut Client) {
    let stopping = || shared.stopping.load(SeqCst);
    let admit = |request: &Request| {
        shared.guard.place(request)?;
        match request.path.starts_with("/api/") {
            true => shared.guard.token_of(request),
            false => Ok(()),
        }
    };
    loop {
        let request = match client.next(&stopping, &admit) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(refusal) => return client.refuse(&refusal),
        };
        if let Some(run) = listened(shared, &request) {
            return stream(client, &run, &stopping);
        }
        let response = match request.path.starts_with("/api/") {
            true => {
                let budget = shared.api.budget.child();
                let _watch = match request.method.as_str() {
                    "POST" => client.watch(&budget),
                    _ => None,
                };
                shared.api.answer(&request, &budget)
            }
            false if !matches!(request.method.as_str(), "GET" | "HEAD") => {
                Response::error(405, "this can only be read")
            }
            false => {
                asset(&request).unwrap_or_else(|| Response::error(404, "there is nothing here"))
            }
        };
        if !client.send(&request, &response) || stopping() {
            return;
        }
    }
}

/// The run whose events a request asks for.
fn listened(shared: &Shared, request: &Request) -> Option<Arc<Run>> {
    let id = request.path.strip_prefix("/api/runs/")?;
    let id = id.strip_suffix("/events")?;
    (request.method == "GET").then(|| shared.api.runs.get(id))?
}

/// Sends events until there are no more, or nobody takes them.
fn stream(client: &mut Client, run: &Run, stopping: &dyn Fn() -> bool) {
    run.listen();
    let mut number = 0;
    let mut sent = client.stream();
    while sent.is_ok() && !stopping() {
        let (events, done) = run.events(number, Duration::from_millis(500));
        let mut text = String::new();
        for (name, value) in &events {
            text.push_str(&format!("id: {number}\nevent: {name}\ndata: {value}\n\n"));
            number += 1;
        }
        // A client that went away is noticed when something is sent.
        if events.is_empty() && !done {
            text.push_str(": still there\n\n");
        }
        sent = client.write(text.as_bytes());
        if events.is_empty() && done {
            break;
        }
    }
    run.leave();
}
