//! Who may drive the server: only the page that it served itself, opened by the printed link.
//!
//! * The token is in the part of the link after `#`, which no browser sends anywhere; the page
//!   sends it as a header, which no other page can do without being asked (CORS).
//! * `Host` must be a name of this server: a foreign name that was made to lead here (DNS
//!   rebinding) is refused.
//! * `Origin`, where a browser sends it, must be the server itself.

use std::net::SocketAddr;

use crate::http::{Request, Response};

/// What requests are compared with.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    token: String,
    hosts: Vec<String>,
}

impl Guard {
    /// A guard with a new token, for a server at this address; `name` is what `--listen` said,
    /// if that was a name.
    pub(crate) fn new(address: SocketAddr, name: &str) -> std::io::Result<Guard> {
        let mut bytes = [0u8; 24];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let port = address.port();
        let mut hosts = vec![format!("{address}")];
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            for host in ["localhost", "127.0.0.1", "[::1]"] {
                hosts.push(format!("{host}:{port}"));
            }
        }
        if !name.is_empty() {
            hosts.push(format!("{name}:{port}"));
        }
        Ok(Guard { token, hosts })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Whether the request comes from where it says, and means this server.
    pub(crate) fn place(&self, request: &Request) -> Result<(), Response> {
        let is_here = |text: &str| {
            self.hosts
                .iter()
                .any(|host| host.eq_ignore_ascii_case(text))
        };
        if !request.header("host").is_some_and(is_here) {
            return Err(Response::error(403, "the request means another server"));
        }
        if let Some(origin) = request.header("origin") {
            let host = origin.strip_prefix("http://").unwrap_or_default();
            if !is_here(host) {
                return Err(Response::error(403, "the request comes from another page"));
            }
        }
        let site = request.header("sec-fetch-site").unwrap_or("none");
        let is_page = request.header("sec-fetch-mode") == Some("navigate");
        if !matches!(site, "same-origin" | "none") && !is_page {
            return Err(Response::error(403, "the request comes from another page"));
        }
        Ok(())
    }

    /// Whether the request has the token.
    pub(crate) fn token_of(&self, request: &Request) -> Result<(), Response> {
        let given = request.header("authorization").unwrap_or_default();
        let given = given.strip_prefix("Bearer ").unwrap_or_default();
        match same(given.as_bytes(), self.token.as_bytes()) {
            true => Ok(()),
            false => Err(Response::error(
                401,
                "open the page by the link that `quotient serve` printed",
            )),
        }
    }
}

/// Compares without telling by the time how much is right.
fn same(left: &[u8], right: &[u8]) -> bool {
    let pairs = left.iter().zip(right);
    let differences = pairs.fold(0, |all, (left, right)| all | (left ^ right));
    left.len() == right.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"ab", b"abc") && !same(b"abd", b"abc") && !same(b"", b"abc"));
        let address = "127.0.0.1:80".parse().unwrap();
        let (one, other) = (
            Guard::new(address, "").unwrap(),
            Guard::new(address, "").unwrap(),
        );
        assert_ne!(one.token(), other.token());
        assert_eq!(one.token().len(), 48);
    }
}
