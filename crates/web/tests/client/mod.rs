//! A plain client, and a site to talk to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::Duration;

use quotient_core::Budget;
use quotient_web::{Options, Server};
use quotient_workbench::Workbench;
use serde_json::Value;

use crate::lamp::LAMP;

/// A server on a folder of its own, with one language.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    pub(crate) folder: tempfile::TempDir,
    budget: Budget,
    server: Option<JoinHandle<()>>,
    last: Mutex<String>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut pairs = self.head.lines().filter_map(|line| line.split_once(": "));
        let found = pairs.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }
}

impl Site {
    pub(crate) fn new() -> Site {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("models");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(inside.join("porch.lamp"), "lamp off").unwrap();
        std::fs::write(folder.path().join("secret.lamp"), "secret").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(folder.path().join("secret.lamp"), inside.join("link.lamp")).unwrap();
            symlink(folder.path(), inside.join("up")).unwrap();
        }
        let options = Options {
            folder: inside,
            ..Options::default()
        };
        let server = Server::bind(&options, Workbench::empty().with(LAMP)).unwrap();
        let address = server.address();
        let link = server.link();
        let budget = Budget::unlimited();
        let own = budget.clone();
        Site {
            address,
            token: link.rsplit_once("token=").unwrap().1.to_owned(),
            folder,
            budget,
            server: Some(std::thread::spawn(move || server.run(&own))),
            last: Mutex::default(),
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends a text as it is, and gives all that comes back.
    pub(crate) fn raw(&self, text: &str) -> String {
        let mut stream = self.connect();
        // A server that refuses early may not take all of it.
        let _ = stream.write_all(text.as_bytes());
        read_all(stream)
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let headers: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let text = self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        ));
        let (head, body) = text.split_once("\r\n\r\n").expect("a response");
        Answer {
            status: head[9..12].parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    /// Asks with the token, in JSON.
    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let key = format!("Bearer {}", self.token);
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let answer = self.ask(method, path, &[("Authorization", &key)], &body);
        (answer.status, serde_json::from_str(&answer.body).unwrap())
    }

    /// Runs an order to its end and gives its events.
    pub(crate) fn run(&self, order: &Value) -> Vec<(String, Value)> {
        let (status, begun) = self.call("POST", "/api/runs", order);
        assert_eq!(status, 202, "{begun}");
        let id = begun["id"].as_str().unwrap();
        *self.last.lock().unwrap() = id.to_owned();
        let key = format!("Bearer {}", self.token);
        let told = self.ask(
            "GET",
            &format!("/api/runs/{id}/events"),
            &[("Authorization", &key)],
            "",
        );
        let frames = told
            .body
            .split("\n\n")
            .filter(|frame| frame.contains("event: "));
        let read = |frame: &str| {
            let line = |name: &str| {
                frame
                    .lines()
                    .find_map(|line| line.strip_prefix(name))
                    .unwrap()
                    .to_owned()
            };
            (
                line("event: "),
                serde_json::from_str(&line("data: ")).unwrap(),
            )
        };
        frames.map(read).collect()
    }

    /// The id of the run that was last.
    pub(crate) fn last_run(&self) -> String {
        self.last.lock().unwrap().clone()
    }

    /// Ends the server and waits for it.
    pub(crate) fn stop(mut self) -> tempfile::TempDir {
        self.budget.interrupt();
        self.server.take().unwrap().join().unwrap();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.budget.interrupt();
    }
}

pub(crate) fn read_all(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
