//! As much of HTTP/1.1 as a page on this machine needs, with a limit on everything.
//!
//! Requests have a length (no chunked bodies), responses have one or end with the connection.
//! A client that is slow, sends too much or talks nonsense loses its connection and nothing else.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quotient_core::Budget;

/// The most bytes of the first line and the headers together.
const MOST_HEAD: usize = 16 << 10;
/// The most bytes of a body.
pub(crate) const MOST_BODY: usize = 8 << 20;
/// How long a client may take to send the head of a request, once it began.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(20);
/// How long a connection may stay open without a request.
const IDLE_TIME: Duration = Duration::from_secs(30);
/// How long a client may take to accept what it asked for.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How often it is looked whether a client still waits for its answer.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// A request, read completely.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path without the query, decoded.
    pub(crate) path: String,
    /// The query, decoded.
    pub(crate) query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A request that came without headers.
    pub(crate) fn of(method: &str, path: &str, body: Vec<u8>) -> Request {
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            body,
            ..Request::default()
        }
    }

    /// A header by its name in lower case. One that is given twice counts as not given well.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(own, _)| own == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            (Some(_), Some(_)) => Some(""),
            (None, _) => None,
        }
    }

    /// A value of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    fn wants_to_stay(&self) -> bool {
        let connection = self.header("connection").unwrap_or_default();
        !connection.eq_ignore_ascii_case("close")
    }
}

/// A response with a length.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: std::borrow::Cow<'static, [u8]>,
}

impl Response {
    pub(crate) fn json(value: &serde_json::Value) -> Response {
        Response {
            status: 200,
            kind: "application/json",
            headers: vec![("Cache-Control", "no-store".to_owned())],
            body: value.to_string().into_bytes().into(),
        }
    }

    /// A refusal with a sentence about it.
    pub(crate) fn error(status: u16, message: &str) -> Response {
        let mut response = Response::json(&serde_json::json!({ "error": message }));
        response.status = status;
        response
    }
}

/// A client that is connected.
pub(crate) struct Client {
    stream: TcpStream,
    /// What was read and not used yet.
    waiting: Vec<u8>,
}

impl Client {
    pub(crate) fn new(stream: TcpStream) -> std::io::Result<Client> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        Ok(Client {
            stream,
            waiting: Vec::new(),
        })
    }

    /// The next request; nothing if the client has no more. What is sent along is read only
    /// after the head was admitted.
    pub(crate) fn next(
        &mut self,
        stopping: &dyn Fn() -> bool,
        admit: &dyn Fn(&Request) -> Result<(), Response>,
    ) -> Result<Option<Request>, Response> {
        if !self.began(stopping) {
            return Ok(None);
        }
        let until = Instant::now() + HEAD_TIME;
        let end = loop {
            if let Some(end) = find(&self.waiting, b"\r\n\r\n") {
                break end;
            }
            if self.waiting.len() > MOST_HEAD {
                return Err(refusal(431));
            }
            self.more(until)?;
        };
        if end > MOST_HEAD {
            return Err(refusal(431));
        }
        let head: Vec<u8> = self.waiting.drain(..end + 4).collect();
        let head = std::str::from_utf8(&head[..end]).map_err(|_| refusal(400))?;
        let mut request = parse(head).ok_or_else(|| refusal(400))?;
        if request.header("transfer-encoding").is_some() {
            return Err(refusal(411));
        }
        let length = match request.header("content-length") {
            None => 0,
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse::<usize>().map_err(|_| refusal(400))?
            }
            Some(_) => return Err(refusal(400)),
        };
        admit(&request)?;
        if length > MOST_BODY {
            return Err(refusal(413));
        }
        if request.header("expect").is_some() && length > 0 {
            let _ = self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        let until = Instant::now() + BODY_TIME;
        while self.waiting.len() < length {
            self.more(until)?;
        }
        request.body = self.waiting.drain(..length).collect();
        Ok(Some(request))
    }

    /// Waits for the first byte of a request.
    fn began(&mut self, stopping: &dyn Fn() -> bool) -> bool {
        let until = Instant::now() + IDLE_TIME;
        while self.waiting.is_empty() {
            let now = Instant::now();
            if now >= until || stopping() {
                return false;
            }
            let wait = (until - now).min(Duration::from_millis(500));
            match self.read(wait) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) if is_timeout(&error) => {}
                Err(_) => return false,
            }
        }
        true
    }

    fn more(&mut self, until: Instant) -> Result<(), Response> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(refusal(408));
        }
        match self.read(left) {
            Ok(0) => Err(refusal(400)),
            Ok(_) => Ok(()),
            Err(error) if is_timeout(&error) => Err(refusal(408)),
            Err(_) => Err(refusal(400)),
        }
    }

    fn read(&mut self, wait: Duration) -> std::io::Result<usize> {
        self.stream.set_read_timeout(Some(wait))?;
        let mut buffer = [0; 16 << 10];
        let read = self.stream.read(&mut buffer)?;
        self.waiting.extend_from_slice(&buffer[..read]);
        Ok(read)
    }

    /// Sends a response; says whether the connection stays open.
    pub(crate) fn send(&mut self, request: &Request, response: &Response) -> bool {
        let stays = request.wants_to_stay() && response.status < 400;
        let mut head = head(response.status, response.kind, &response.headers);
        head.push_str(&format!("Content-Length: {}\r\n", response.body.len()));
        head.push_str(match stays {
            true => "Connection: keep-alive\r\n\r\n",
            false => "Connection: close\r\n\r\n",
        });
        let mut bytes = head.into_bytes();
        if request.method != "HEAD" {
            bytes.extend_from_slice(&response.body);
        }
        self.write(&bytes).is_ok() && stays
    }

    /// Interrupts a budget when the client goes away, for as long as what is given back is kept:
    /// an answer that nobody waits for is not worked on. Nothing may be sent or read meanwhile.
    pub(crate) fn watch(&self, budget: &Budget) -> Option<Watch> {
        let stream = self.stream.try_clone().ok()?;
        let (end, ended) = channel::<()>();
        let budget = budget.clone();
        let look = move || {
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                let looked = stream.set_nonblocking(true);
                let seen = looked.and_then(|()| stream.peek(&mut [0]));
                let _ = stream.set_nonblocking(false);
                match seen {
                    Err(error) if is_timeout(&error) => {}
                    // The next request of a client that does not wait.
                    Ok(1..) => return,
                    Ok(0) | Err(_) => return budget.interrupt(),
                }
            }
        };
        let thread = std::thread::Builder::new().spawn(look).ok();
        Some(Watch {
            end: Some(end),
            thread,
        })
    }

    /// Begins a response that goes on until the connection ends.
    pub(crate) fn stream(&mut self) -> std::io::Result<()> {
        let own = [
            ("Cache-Control", "no-store".to_owned()),
            ("Connection", "close".to_owned()),
        ];
        let head = head(200, "text/event-stream", &own) + "\r\n";
        self.write(head.as_bytes())
    }

    /// Sends more of a response that goes on. All of it within a time: a client that takes a
    /// byte now and then is not waited for.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> std::io::Result<()> {
        let until = Instant::now() + WRITE_TIME;
        while !bytes.is_empty() {
            let written = self.stream.write(bytes)?;
            bytes = &bytes[written..];
            // Large answers to a client that takes them steadily are fine.
            if written == 0 || (Instant::now() > until && written < 4096) {
                return Err(ErrorKind::TimedOut.into());
            }
        }
        self.stream.flush()
    }

    /// Ends the connection, after a refusal so that the client can read it: what it is still
    /// sending is taken and thrown away for a moment.
    pub(crate) fn refuse(&mut self, response: &Response) {
        let _ = self.send(&Request::default(), response);
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
        let until = Instant::now() + Duration::from_millis(500);
        let mut taken = 0;
        while Instant::now() < until && taken < 4 * MOST_BODY {
            self.waiting.clear();
            match self.read(Duration::from_millis(100)) {
                Ok(0) | Err(_) => break,
                Ok(more) => taken += more,
            }
        }
    }
}

/// Somebody who looks whether a client is still there, until dropped.
pub(crate) struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The refusal with a status.
pub(crate) fn refusal(status: u16) -> Response {
    Response::error(status, reason(status))
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|part| part == what)
}

/// The first line and the headers.
fn parse(head: &str) -> Option<Request> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let known = matches!(version, "HTTP/1.1" | "HTTP/1.0");
    if !known || words.next().is_some() || !target.starts_with('/') {
        return None;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        Some((decode(name)?, decode(value)?))
    };
    let query = query.split('&').filter(|part| !part.is_empty()).map(pair);
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        if name.is_empty() || !name.bytes().all(is_name) {
            return None;
        }
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Some(Request {
        method: method.to_owned(),
        path: decode(path)?,
        query: query.collect::<Option<_>>()?,
        headers,
        body: Vec::new(),
    })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(&byte)
}

/// `%20` and `+` as what they stand for.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Nothing from elsewhere is loaded, nobody frames the page, and nothing is guessed.
const SAFETY: &str = "\
X-Content-Type-Options: nosniff\r\n\
X-Frame-Options: DENY\r\n\
Referrer-Policy: no-referrer\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'\r\n";

fn head(status: u16, kind: &str, headers: &[(&'static str, String)]) -> String {
    let mut head = format!("HTTP/1.1 {status} {}\r\n{SAFETY}", reason(status));
    if !kind.is_empty() {
        head.push_str(&format!("Content-Type: {kind}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_apart() {
        let request = parse("GET /a%20b?x=1&y=a+b HTTP/1.1\r\nHost: here\r\nA:b").unwrap();
        assert_eq!(request.path, "/a b");
        assert_eq!(request.parameter("y"), Some("a b"));
        assert_eq!(request.header("host"), Some("here"));
    }

    #[test]
    fn nonsense_is_no_request() {
        for head in [
            "",
            "GET",
            "GET / HTTP/2",
            "GET http://other/ HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET /%zz HTTP/1.1",
            "GET /%ff HTTP/1.1",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\n folded: x",
        ] {
            assert!(parse(head).is_none(), "{head:?}");
        }
    }

    #[test]
    fn a_header_given_twice_is_not_believed() {
        let request = parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b").unwrap();
        assert_eq!(request.header("host"), Some(""));
    }
}
