//! The program answers as the server does: the same questions, the same JSON.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use quotient_core::Budget;
use quotient_web::{Options, Server};
use quotient_workbench::Workbench;
use serde_json::{Value, json};

/// What the program says to a question, line by line.
fn ask(question: &[u8]) -> Vec<Value> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_quotient-browser"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(question).unwrap();
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The answer of the program.
fn here(method: &str, path: &str, body: &Value) -> (u64, Value) {
    let question = json!({ "method": method, "path": path, "body": body });
    let lines = ask(question.to_string().as_bytes());
    let last = lines.last().unwrap();
    (last["status"].as_u64().unwrap(), last["body"].clone())
}

/// A server with an empty folder.
struct Site {
    address: std::net::SocketAddr,
    token: String,
    budget: Budget,
    _folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            folder: folder.path().to_path_buf(),
            ..Options::default()
        };
        let server = Server::bind(&options, Workbench::standard()).unwrap();
        let (address, link) = (server.address(), server.link());
        let budget = Budget::unlimited();
        let own = budget.clone();
        std::thread::spawn(move || server.run(&own));
        Site {
            address,
            token: link.rsplit_once("token=").unwrap().1.to_owned(),
            budget,
            _folder: folder,
        }
    }

    /// The answer of the server; of a run, its whole report.
    fn there(&self, method: &str, path: &str, body: &Value) -> (u64, Value) {
        let (status, said) = self.once(method, path, body);
        if path != "runs" || status >= 400 {
            return (status, said);
        }
        let path = format!("runs/{}", said["id"].as_str().unwrap());
        loop {
            let (_, report) = self.once("GET", &path, &Value::Null);
            if report.get("running").is_none() {
                return (200, report);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn once(&self, method: &str, path: &str, body: &Value) -> (u64, Value) {
        let body = body.to_string();
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(
            stream,
            "{method} /api/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Authorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (
            head[9..12].parse().unwrap(),
            serde_json::from_str(body).unwrap(),
        )
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.budget.interrupt();
    }
}

/// Times are no part of an answer.
fn without_times(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.shift_remove("seconds");
                fields.values_mut().for_each(strip);
            }
            Value::Array(all) => all.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

fn example(language: &str, name: &str) -> Value {
    let about = Workbench::standard().named(language).unwrap().about();
    let example = about.examples.iter().find(|one| one.name == name).unwrap();
    json!({ "path": example.files[0].0, "example": format!("{language}/{name}") })
}

#[test]
fn questions_are_answered_as_by_the_server() {
    let site = Site::new();
    let token = example("protocol", "token");
    let broken = json!({ "path": "a.lts", "texts": { "a.lts": "P = (a -> Q)." } });
    let questions = [
        ("POST", "look", json!({ "model": token })),
        ("POST", "look", json!({ "model": broken })),
        ("POST", "look", json!({ "model": { "path": "none.lts" } })),
        ("POST", "show", json!({ "model": token })),
        ("POST", "show", json!({ "model": token, "part": "none" })),
        (
            "POST",
            "simulate",
            json!({ "model": token, "random": 5, "seed": 7 }),
        ),
        ("POST", "convert", json!({ "model": token, "to": "none" })),
        ("POST", "draw", json!({ "graph": {}, "to": "svg" })),
        ("POST", "runs", json!({ "verb": "fly", "model": token })),
        ("POST", "runs", json!({ "verb": "check", "wings": 2 })),
        ("GET", "look", Value::Null),
        ("GET", "nothing", Value::Null),
    ];
    for (method, path, body) in questions {
        let own = here(method, path, &body);
        let other = site.there(method, path, &body);
        assert_eq!(own, other, "{path} {body}");
    }
    // It says the same about its languages; its files are others.
    let (_, about) = here("GET", "about", &Value::Null);
    let (_, other) = site.there("GET", "about", &Value::Null);
    assert_eq!(about["languages"], other["languages"]);
    assert_eq!(about["folder"], "this browser");
}

#[test]
fn runs_have_the_report_of_the_server() {
    let site = Site::new();
    let examples = [
        ("protocol", "token"),
        ("protocol", "szymanski_faulty"),
        ("words", "token-to-the-third"),
    ];
    for (language, name) in examples {
        let model = example(language, name);
        let order = json!({ "verb": "check", "model": model });
        let (_, own) = here("POST", "runs", &order);
        let (_, other) = site.there("POST", "runs", &order);
        assert_eq!(without_times(own.clone()), without_times(other), "{name}");
        let answer = &own["result"]["properties"][0];
        let order = json!({
            "verb": "certify", "model": model,
            "evidence": answer["evidence"], "properties": [answer["property"]],
        });
        let (_, own) = here("POST", "runs", &order);
        let (_, other) = site.there("POST", "runs", &order);
        assert_eq!(own["result"]["evidence"][0]["accepted"], true, "{name}");
        assert_eq!(without_times(own), without_times(other), "{name}");
    }
}

#[test]
fn a_run_is_told_as_it_goes() {
    let text = "\
PHIL = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> PHIL).
FORK = (get -> put -> FORK).
||DINERS = forall [i:0..1] (phil[i]:PHIL || {phil[i].left, phil[1-i].right}::FORK).
";
    let model = json!({ "path": "a.lts", "texts": { "a.lts": text } });
    let order = json!({ "verb": "check", "model": model });
    let question = json!({ "method": "POST", "path": "runs", "body": order });
    let lines = ask(question.to_string().as_bytes());
    let events: Vec<&str> = lines
        .iter()
        .filter_map(|one| one["event"].as_str())
        .collect();
    assert_eq!(events.first(), Some(&"began"));
    assert_eq!(events.last(), Some(&"done"));
    assert!(events.contains(&"model"));
    let answer = lines.iter().find(|one| one["event"] == "answer").unwrap();
    assert_eq!(answer["data"]["verdict"], "violated");
    assert_eq!(lines.last().unwrap()["body"]["verdict"], "violated");
}

#[test]
fn a_run_ends_in_its_time() {
    let text = "\
COUNT(I=0) = C[0], C[i:0..15] = (step[I] -> C[(i*7+I+1)%16] \
| swap[I] -> C[(i+3)%16] | swap[I+1] -> C[(i*5+2)%16]).
||SYS = (forall [i:0..11] COUNT(i)).
assert LIVE = [](step[0] -> <>swap[5])
";
    let model = json!({ "path": "a.lts", "texts": { "a.lts": text } });
    let order = json!({ "verb": "check", "model": model, "seconds": 0.5 });
    let (status, report) = here("POST", "runs", &order);
    assert_eq!((status, &report["verdict"]), (200, &json!("unknown")));
}

#[test]
fn nonsense_is_refused() {
    for nonsense in [&b"nonsense"[..], b"", b"{\"wings\": 2}", b"\xff"] {
        let lines = ask(nonsense);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["status"], 400);
    }
}
