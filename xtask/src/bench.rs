//! `cargo xtask bench`: measurements next to peers.

use crate::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a measurement is told.
#[derive(Default)]
struct Options {
    /// The unpacked source package of the peer, if it is there.
    mata: Option<PathBuf>,
    /// Passed on to the measuring program.
    others: Vec<String>,
}

/// Measures the automata library next to mata; whether all went well.
///
/// The peer is built from its source package (`pip download --no-binary :all: --no-deps
/// libmata`, unpacked); without it only our side is measured.
pub(crate) fn automata(arguments: &[&str]) -> bool {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let Some(value) = rest.next() else {
            eprintln!("{argument} needs a value");
            return false;
        };
        match argument {
            "--mata" => options.mata = Some(PathBuf::from(value)),
            // Cargo runs benchmarks in the folder of the package.
            "--models" => match std::path::absolute(value) {
                Ok(path) => options
                    .others
                    .extend(["--models".into(), path.display().to_string()]),
                Err(error) => {
                    eprintln!("{value}: {error}");
                    return false;
                }
            },
            "--only" | "--milliseconds" | "--worst" => {
                options
                    .others
                    .extend([argument.to_owned(), (*value).to_owned()]);
            }
            _ => {
                eprintln!(
                    "unknown option {argument}: use --mata, --models, --only, --worst or \
                     --milliseconds"
                );
                return false;
            }
        }
    }
    if let Some(mata) = &options.mata {
        match build_mata(mata) {
            Ok(peer) => options
                .others
                .extend(["--peer".into(), peer.display().to_string()]),
            Err(error) => {
                eprintln!("mata was not built: {error}");
                return false;
            }
        }
    }
    let others: Vec<&str> = options.others.iter().map(String::as_str).collect();
    run("quotient-automata", "side_by_side", &others)
}

/// Measures the command on circuits, next to ABC; whether all went well. Without a binary that is there
/// already, one is built.
pub(crate) fn circuits(arguments: &[&str]) -> bool {
    let mut options: Vec<String> = Vec::new();
    for (at, &argument) in arguments.iter().enumerate() {
        let is_path = at > 0 && ["--models", "--quotient"].contains(&arguments[at - 1]);
        // Cargo runs benchmarks in the folder of the package.
        match is_path.then(|| std::path::absolute(argument)) {
            Some(Ok(path)) => options.push(path.display().to_string()),
            _ => options.push(argument.to_owned()),
        }
    }
    if !arguments.contains(&"--quotient") {
        let built = cargo()
            .args(["build", "--release", "--package", "quotient-cli"])
            .status();
        if !built.is_ok_and(|status| status.success()) {
            return false;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let target = std::env::var_os("CARGO_TARGET_DIR");
        let target = target.map_or_else(|| root.join("target"), PathBuf::from);
        let Ok(binary) = std::path::absolute(target.join("release/quotient")) else {
            return false;
        };
        options.extend(["--quotient".to_owned(), binary.display().to_string()]);
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    run("quotient-circuit", "side_by_side", &options)
}

/// Runs one measuring program of a crate; whether all went well.
pub(crate) fn run(package: &str, bench: &str, options: &[&str]) -> bool {
    let status = cargo()
        .args(["bench", "--package", package, "--bench", bench, "--"])
        .args(options)
        .status();
    status.is_ok_and(|status| status.success())
}

/// The parts of mata that the measured operations need.
const SOURCES: &[&str] = &[
    "src/alphabet.cc",
    "src/inter-aut.cc",
    "src/nfa/builder.cc",
    "src/nfa/complement.cc",
    "src/nfa/concatenation.cc",
    "src/nfa/delta.cc",
    "src/nfa/inclusion.cc",
    "src/nfa/nfa.cc",
    "src/nfa/operations.cc",
    "src/nfa/product.cc",
    "src/nfa/universal.cc",
    "src/nft/builder.cc",
    "src/nft/complement.cc",
    "src/nft/composition.cc",
    "src/nft/concatenation.cc",
    "src/nft/inclusion.cc",
    "src/nft/intersection.cc",
    "src/nft/nft.cc",
    "src/nft/operations.cc",
    "src/nft/universal.cc",
    "src/parser.cc",
    "3rdparty/simlib/src/explicit_lts_sim.cc",
];

/// Compiles mata and our driver, as optimised as the package itself is, and returns the program.
fn build_mata(package: &Path) -> Result<PathBuf, String> {
    let library = std::path::absolute(package.join("mata")).map_err(|error| error.to_string())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = root.join("target/peers/mata");
    std::fs::create_dir_all(&out).map_err(|error| error.to_string())?;
    // Headers of the package include <format>, which compilers before GCC 13 lack, without
    // using it: an empty one does.
    std::fs::write(out.join("format"), "").map_err(|error| error.to_string())?;
    let includes = [
        "include",
        "3rdparty/simlib/include",
        "3rdparty/cudd/include",
    ];
    let compile = |arguments: &[&Path]| -> Result<(), String> {
        let mut command = Command::new("g++");
        command.args(["-std=c++20", "-O3", "-DNDEBUG", "-w", "-ffunction-sections"]);
        for include in includes {
            command.arg("-I").arg(library.join(include));
        }
        command.arg("-I").arg(&out).args(arguments);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("{command:?} failed")),
            Err(error) => Err(format!("g++ did not run: {error}")),
        }
    };
    let mut objects = Vec::new();
    for source in SOURCES {
        let object = out.join(format!("{}.o", source.replace('/', "_")));
        if !object.exists() {
            println!("== compiling mata: {source}");
            let source = library.join(source);
            compile(&[Path::new("-c"), &source, Path::new("-o"), &object])?;
        }
        objects.push(object);
    }
    // From an archive the linker takes only what is needed: the rest wants more of the package.
    let archive = out.join("libmata.a");
    let packed = Command::new("ar")
        .arg("rcs")
        .arg(&archive)
        .args(&objects)
        .status();
    if !packed.is_ok_and(|status| status.success()) {
        return Err("ar failed".to_owned());
    }
    let driver = root.join("crates/automata/benches/peers/mata.cc");
    let program = out.join("driver");
    // The builder of the peer refers to its reader of regular expressions, which needs another
    // library and is never called here.
    let unused = Path::new("-Wl,--gc-sections");
    compile(&[&driver, &archive, unused, Path::new("-o"), &program])?;
    std::path::absolute(program).map_err(|error| error.to_string())
}
