//! Several processes of the command on one machine: all answer, and one that dies is named.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Philosophers round a table who each take one fork after the other.
fn philosophers(number: usize) -> String {
    let mut text = String::new();
    for one in 0..number {
        let next = (one + 1) % number;
        text += &format!("pl idle{one} (1)\npl fork{one} (1)\n");
        text += &format!("tr left{one} idle{one} fork{one} -> half{one}\n");
        text += &format!("tr right{one} half{one} fork{next} -> eats{one}\n");
        text += &format!("tr done{one} eats{one} -> idle{one} fork{one} fork{next}\n");
    }
    text
}

/// A folder with a net and the addresses of two processes.
fn place(number: usize) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let listeners: Vec<TcpListener> = (0..2)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let line = |listener: &TcpListener| format!("{}\n", listener.local_addr().unwrap());
    let hosts: String = listeners.iter().map(line).collect();
    std::fs::write(place.path().join("hosts.txt"), hosts).unwrap();
    std::fs::write(place.path().join("table.net"), philosophers(number)).unwrap();
    place
}

fn start(folder: &Path, process: &str, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_quotient"))
        .args(["check", "table.net", "--hosts", "hosts.txt"])
        .args(["--process", process])
        .args(more)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn both_processes_find_the_deadlock_and_its_evidence_is_accepted() {
    let place = place(6);
    let first = start(place.path(), "0", &["--evidence", "e.json"]);
    let second = start(place.path(), "1", &[]);
    for process in [first, second] {
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(text(&output).contains("6 steps"), "{}", text(&output));
    }
    let certified = Command::new(env!("CARGO_BIN_EXE_quotient"))
        .args(["certify", "e.json", "table.net"])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert_eq!(certified.status.code(), Some(0), "{}", text(&certified));
}

#[test]
fn a_process_that_dies_ends_the_run_with_its_name() {
    // So many markings that nobody is done when it happens.
    let place = place(40);
    let first = start(place.path(), "0", &["--timeout", "60"]);
    let mut second = start(place.path(), "1", &["--timeout", "60"]);
    std::thread::sleep(Duration::from_secs(5));
    second.kill().unwrap();
    second.wait().unwrap();
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        text(&output).contains("process 1 was lost"),
        "{}",
        text(&output)
    );
}
