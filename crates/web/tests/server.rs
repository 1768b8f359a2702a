//! The server as a client sees it: who is kept out, what is answered, how runs are called off.

mod client;
mod lamp;

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use client::{Site, read_all};
use serde_json::{Value, json};

#[test]
fn the_page_is_served_and_loads_nothing_from_elsewhere() {
    let site = Site::new();
    let page = site.get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<div id=\"app\">"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
    for file in ["/app.js", "/app.css", "/icon.svg"] {
        let file = site.get(file);
        assert_eq!(file.status, 200);
        assert!(!file.body.is_empty());
    }
    let tag = page.header("etag").unwrap().to_owned();
    let again = site.ask("GET", "/", &[("If-None-Match", &tag)], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(site.get("/nothing").status, 404);
    assert_eq!(site.ask("POST", "/", &[], "").status, 405);
}

#[test]
fn without_the_token_nothing_is_answered() {
    let site = Site::new();
    for key in ["", "Bearer ", "Bearer 0000", "Basic abc"] {
        let refused = site.ask("GET", "/api/about", &[("Authorization", key)], "");
        assert_eq!(refused.status, 401, "{key}");
    }
    let almost = format!("Bearer {}", &site.token[..47]);
    let refused = site.ask("GET", "/api/about", &[("Authorization", &almost)], "");
    assert_eq!(refused.status, 401);
    assert_eq!(site.call("GET", "/api/about", &Value::Null).0, 200);
}

#[test]
fn other_pages_and_other_names_are_refused() {
    let site = Site::new();
    let key = format!("Bearer {}", site.token);
    let own = format!("http://{}", site.address);
    let with = |headers: &[(&str, &str)]| {
        let mut all = vec![("Authorization", key.as_str())];
        all.extend(headers);
        site.ask("GET", "/api/about", &all, "").status
    };
    assert_eq!(with(&[("Origin", &own)]), 200);
    assert_eq!(with(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(with(&[("Origin", "null")]), 403);
    assert_eq!(with(&[("Origin", "https://localhost")]), 403);
    assert_eq!(with(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(with(&[("Sec-Fetch-Site", "same-site")]), 403);
    assert_eq!(with(&[("Sec-Fetch-Site", "same-origin")]), 200);
    // A name that was made to lead here.
    for host in ["evil.example", "evil.example:80", "127.0.0.1", ""] {
        let refused = site.raw(&format!(
            "GET /api/about HTTP/1.1\r\nHost: {host}\r\nAuthorization: {key}\r\nConnection: close\r\n\r\n"
        ));
        assert!(refused.starts_with("HTTP/1.1 403"), "{host}: {refused}");
    }
    let nameless = site.raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(nameless.starts_with("HTTP/1.1 403"));
}

#[test]
fn files_are_read_and_written_inside_the_folder_only() {
    let site = Site::new();
    let (status, files) = site.call("GET", "/api/files", &Value::Null);
    assert_eq!(status, 200);
    assert_eq!(files["files"][0]["path"], "porch.lamp");
    for path in [
        "../secret.lamp",
        "%2e%2e/secret.lamp",
        "/etc/hostname",
        "up/secret.lamp",
        "link.lamp",
    ] {
        assert_eq!(
            site.call("GET", &format!("/api/file?path={path}"), &Value::Null)
                .0,
            404,
            "{path}"
        );
    }
    for path in [
        "../secret.lamp",
        "up/new.lamp",
        "link.lamp",
        "/tmp/new.lamp",
        "no/such.lamp",
        ".hidden",
    ] {
        let saved = site.call(
            "PUT",
            "/api/file",
            &json!({ "path": path, "text": "x", "over": true }),
        );
        assert_eq!(saved.0, 403, "{path}");
    }
    let secret = std::fs::read_to_string(site.folder.path().join("secret.lamp")).unwrap();
    assert_eq!(secret, "secret");
    // What others changed in the meantime is not written over.
    let save = |before: Option<&str>, text: &str| {
        site.call(
            "PUT",
            "/api/file",
            &json!({ "path": "porch.lamp", "text": text, "before": before }),
        )
        .0
    };
    assert_eq!(save(Some("other"), "on"), 409);
    assert_eq!(save(Some("lamp off"), "lamp on"), 200);
    let (_, file) = site.call("GET", "/api/file?path=porch.lamp", &Value::Null);
    assert_eq!(file["text"], "lamp on");
    // A model cannot name files outside either.
    let model =
        json!({ "path": "porch.lamp", "texts": { "porch.lamp": "lamp off\nread ../secret.lamp" } });
    let (_, look) = site.call("POST", "/api/look", &json!({ "model": model }));
    assert!(
        look["diagnostics"][0]["message"]
            .as_str()
            .unwrap()
            .contains("outside"),
        "{look}"
    );
}

#[test]
fn too_much_is_refused() {
    let site = Site::new();
    let key = &site.token;
    let host = site.address;
    let head =
        format!("POST /api/look HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n");
    let large = site.raw(&format!("{head}Content-Length: 99999999\r\n\r\n"));
    assert!(large.starts_with("HTTP/1.1 413"), "{large}");
    let chunked = site.raw(&format!(
        "{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ));
    assert!(chunked.starts_with("HTTP/1.1 411"), "{chunked}");
    let long = site.raw(&format!("{head}X: {}\r\n\r\n", "x".repeat(40_000)));
    assert!(long.starts_with("HTTP/1.1 431"), "{long}");
    let odd = site.raw(&format!("{head}Content-Length: -1\r\n\r\n"));
    assert!(odd.starts_with("HTTP/1.1 400"), "{odd}");
    assert!(site.raw("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
    // Without the token not even the body is read.
    let stranger = site.raw(&format!(
        "POST /api/look HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5000000\r\n\r\n"
    ));
    assert!(stranger.starts_with("HTTP/1.1 401"), "{stranger}");
    assert_eq!(site.call("GET", "/api/about", &Value::Null).0, 200);
}

#[test]
fn a_slow_client_keeps_nobody_waiting() {
    let site = Site::new();
    let mut slow: Vec<_> = (0..20).map(|_| site.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HT").unwrap();
    }
    let began = Instant::now();
    assert_eq!(site.get("/").status, 200);
    assert!(began.elapsed() < Duration::from_secs(3));
    // They are given up after a while, with a word about it.
    let mut text = String::new();
    let _ = slow[0].read_to_string(&mut text);
    assert!(text.starts_with("HTTP/1.1 408"), "{text}");
}

#[test]
fn two_hundred_requests_at_once_are_answered() {
    let site = Site::new();
    let key = format!("Bearer {}", site.token);
    let answered: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..200)
            .map(|number| {
                let (site, key) = (&site, &key);
                scope.spawn(move || {
                    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": format!("lamp off {number}") } });
                    let body = json!({ "model": model }).to_string();
                    site.ask("POST", "/api/look", &[("Authorization", key)], &body).status
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(answered.iter().all(|status| *status == 200), "{answered:?}");
}

#[test]
fn one_connection_serves_many_requests() {
    let site = Site::new();
    let mut stream = site.connect();
    let host = site.address;
    for _ in 0..3 {
        write!(stream, "GET /icon.svg HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut start = [0; 15];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200 OK");
        let mut rest = Vec::new();
        while !rest.ends_with(b"</svg>\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            rest.push(byte[0]);
        }
    }
}

#[test]
fn a_look_tells_mistakes_with_their_places() {
    let site = Site::new();
    let model = json!({ "path": "new.lamp", "texts": { "new.lamp": "lamp off\n  blink" } });
    let (_, look) = site.call("POST", "/api/look", &json!({ "model": model }));
    assert_eq!(look["language"], "lamp");
    let wrong = &look["diagnostics"][0];
    assert_eq!(
        (&wrong["places"][0]["line"], &wrong["places"][0]["column"]),
        (&json!(2), &json!(3))
    );
    assert_eq!(wrong["help"][0], "say on or off");
    let unknown = json!({ "path": "x.txt", "texts": { "x.txt": "prose" } });
    let (_, look) = site.call("POST", "/api/look", &json!({ "model": unknown }));
    assert_eq!(look["diagnostics"][0]["code"], "unknown-language");
}

#[test]
fn a_check_is_told_as_it_goes_and_certified() {
    let site = Site::new();
    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp off" } });
    let events = site.run(&json!({ "verb": "check", "model": model }));
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["queued", "began", "story", "answer", "model", "done"]
    );
    let answer = &events[3].1;
    assert_eq!(answer["verdict"], "violated");
    assert_eq!(answer["view"]["run"]["steps"][1]["place"]["line"], 1);
    assert!(
        answer["view"]["run"]["drawing"]
            .as_str()
            .unwrap()
            .starts_with("<svg")
    );
    // The whole report is that of `--format json`.
    let (_, report) = site.call(
        "GET",
        &format!("/api/runs/{}", site.last_run()),
        &Value::Null,
    );
    assert_eq!(report["schema"], 1);
    assert_eq!(report["result"]["properties"][0]["verdict"], "violated");
    let certify = |evidence: &Value, text: &str| {
        let model = json!({ "path": "a.lamp", "texts": { "a.lamp": text } });
        site.run(&json!({ "verb": "certify", "model": model, "evidence": evidence }));
        let (_, report) = site.call(
            "GET",
            &format!("/api/runs/{}", site.last_run()),
            &Value::Null,
        );
        report["result"]["evidence"][0]["accepted"].clone()
    };
    assert_eq!(certify(&answer["evidence"], "lamp off"), true);
    let mut forged = answer["evidence"].clone();
    forged["claim"] = json!("holds");
    assert_eq!(certify(&forged, "lamp off"), false);
}

#[test]
fn a_run_is_called_off_within_a_second_and_others_wait_their_turn() {
    let site = Site::new();
    let endless = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp endless" } });
    let begin = || {
        let (status, begun) = site.call(
            "POST",
            "/api/runs",
            &json!({ "verb": "check", "model": endless }),
        );
        assert_eq!(status, 202);
        begun["id"].as_str().unwrap().to_owned()
    };
    let runs: Vec<String> = (0..20).map(|_| begin()).collect();
    std::thread::sleep(Duration::from_millis(300));
    // With all places taken, the page still answers.
    let began = Instant::now();
    assert_eq!(site.call("GET", "/api/about", &Value::Null).0, 200);
    assert!(began.elapsed() < Duration::from_secs(1));
    for id in &runs {
        let began = Instant::now();
        assert_eq!(
            site.call("DELETE", &format!("/api/runs/{id}"), &Value::Null)
                .0,
            200
        );
        let report = loop {
            let (_, report) = site.call("GET", &format!("/api/runs/{id}"), &Value::Null);
            if report.get("running").is_none() {
                break report;
            }
            assert!(began.elapsed() < Duration::from_secs(5), "{id} goes on");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(report["verdict"], "unknown");
    }
    assert_eq!(site.call("DELETE", "/api/runs/999", &Value::Null).0, 404);
}

#[test]
fn a_run_whose_listener_left_is_called_off() {
    let site = Site::new();
    let endless = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp endless" } });
    let (_, begun) = site.call(
        "POST",
        "/api/runs",
        &json!({ "verb": "check", "model": endless }),
    );
    let id = begun["id"].as_str().unwrap();
    {
        let mut listener = site.connect();
        let (host, key) = (site.address, &site.token);
        write!(listener, "GET /api/runs/{id}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n").unwrap();
        let mut start = [0; 15];
        listener.read_exact(&mut start).unwrap();
    }
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let (_, report) = site.call("GET", &format!("/api/runs/{id}"), &Value::Null);
        if report.get("running").is_none() {
            break;
        }
        assert!(Instant::now() < until, "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_look_that_nobody_waits_for_is_called_off() {
    let site = Site::new();
    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp dim" } });
    let body = json!({ "model": model }).to_string();
    let before = lamp::CALLED_OFF.load(std::sync::atomic::Ordering::SeqCst);
    // As somebody who types: each look is given up for the next one.
    for _ in 0..10 {
        let mut client = site.connect();
        let (host, key, length) = (site.address, &site.token, body.len());
        write!(client, "POST /api/look HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    let until = Instant::now() + Duration::from_secs(60);
    while lamp::CALLED_OFF.load(std::sync::atomic::Ordering::SeqCst) == before {
        assert!(Instant::now() < until, "none was called off");
        std::thread::sleep(Duration::from_millis(20));
    }
    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp off" } });
    let (status, look) = site.call("POST", "/api/look", &json!({ "model": model }));
    assert_eq!((status, &look["language"]), (200, &json!("lamp")));
}

#[test]
fn a_panic_of_a_language_is_an_answer() {
    let site = Site::new();
    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp broken" } });
    let events = site.run(&json!({ "verb": "check", "model": model }));
    let (name, done) = events.last().unwrap();
    assert_eq!(name, "done");
    assert_eq!(done["diagnostics"][0]["code"], "bug");
    assert_eq!(site.call("GET", "/api/about", &Value::Null).0, 200);
}

#[test]
fn a_simulation_follows_a_run_and_goes_on_by_hand() {
    let site = Site::new();
    let model = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp off" } });
    let (_, first) = site.call("POST", "/api/simulate", &json!({ "model": model }));
    assert_eq!(first["choices"][0]["action"], "press");
    let (_, second) = site.call(
        "POST",
        "/api/simulate",
        &json!({ "model": model, "choices": [0] }),
    );
    assert_eq!(second["run"]["steps"][1]["cells"][0], json!(["on", true]));
    let follow = json!([
        { "action": "", "columns": ["lamp"], "cells": ["off"] },
        { "action": "press", "columns": ["lamp"], "cells": ["on"] },
        { "action": "press", "columns": ["lamp"], "cells": ["off"] },
    ]);
    let (_, third) = site.call(
        "POST",
        "/api/simulate",
        &json!({ "model": model, "follow": follow }),
    );
    assert_eq!(third["choices_taken"], json!([0, 0]));
    let (_, fourth) = site.call(
        "POST",
        "/api/simulate",
        &json!({ "model": model, "choices": [7] }),
    );
    assert_eq!(fourth["failed"], true);
    let (_, many) = site.call(
        "POST",
        "/api/simulate",
        &json!({ "model": model, "random": 25, "seed": 3 }),
    );
    assert_eq!(many["run"]["steps"].as_array().unwrap().len(), 26);
}

#[test]
fn the_server_ends_when_it_is_told_to() {
    let site = Site::new();
    let endless = json!({ "path": "a.lamp", "texts": { "a.lamp": "lamp endless" } });
    site.call(
        "POST",
        "/api/runs",
        &json!({ "verb": "check", "model": endless }),
    );
    let began = Instant::now();
    let address = site.address;
    drop(site.stop());
    assert!(began.elapsed() < Duration::from_secs(5));
    let refused = std::net::TcpStream::connect_timeout(&address, Duration::from_millis(300));
    assert!(refused.is_err() || read_all(refused.unwrap()).is_empty());
}

#[test]
fn a_graph_is_drawn_again_as_somebody_wants_it() {
    let site = Site::new();
    let count = 2_000;
    let node = |number: usize| json!([format!("<{number}>"), "", 0, ""]);
    let edge = |number: usize| json!([number, number + 1, "on"]);
    let graph = json!({
        "title": "long",
        "nodes": (0..count).map(node).collect::<Vec<_>>(),
        "edges": (0..count - 1).map(edge).collect::<Vec<_>>(),
        "groups": [],
    });
    let ask = |more: Value| {
        let mut body = json!({ "graph": graph });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        site.call("POST", "/api/draw", &body)
    };
    let (status, near) = ask(json!({}));
    let near = near["text"].as_str().unwrap();
    assert_eq!(status, 200);
    assert!(near.starts_with("<svg") && near.matches("class=\"node").count() < 200);
    assert!(!near.contains("data-at=\"1500\"") && !near.contains("<0>"));
    let (_, far) = ask(json!({ "reveal": [1500, 999_999], "down": true }));
    assert!(far["text"].as_str().unwrap().contains("data-at=\"1500\""));
    let (_, dot) = ask(json!({ "to": "dot" }));
    assert!(dot["text"].as_str().unwrap().starts_with("digraph"));
    // What is no graph, or names nodes that are not there, is refused.
    for wrong in [
        json!({}),
        json!({ "graph": { "nodes": [], "edges": [[0, 1, ""]], "groups": [] } }),
        json!({ "graph": { "nodes": 3 } }),
        json!({ "graph": { "nodes": [["a", "", 0, ""]], "edges": [], "groups": [["g", [7]]] } }),
    ] {
        assert_eq!(site.call("POST", "/api/draw", &wrong).0, 400, "{wrong}");
    }
}
