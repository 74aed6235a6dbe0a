//! Wireshark's `sharkd`: reads many captures in one process, with the dissector. It is asked by lines
//! of JSON (JSON-RPC 2.0).

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::Process;

/// Where Wireshark looks for scripts in Lua, below the home directory.
const PLUGINS: &str = ".local/lib/wireshark/plugins";
/// It keeps some memory of every capture that it has read.
const CAPTURES_PER_PROCESS: usize = 50;

/// A running sharkd.
pub struct Sharkd {
    process: Process,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
    asked: u64,
    /// Its home directory, with the dissector and what it says on standard error.
    home: TempDir,
}

impl Sharkd {
    /// Starts it with a home directory of its own, which has this dissector.
    pub fn start(program: &Path, dissector: Option<&Path>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let plugins = home.path().join(PLUGINS);
        fs::create_dir_all(&plugins).unwrap();
        if let Some(script) = dissector {
            fs::copy(script, plugins.join("fragshark.lua")).unwrap();
        }
        let mut command = Command::new(program);
        command.arg("-").env("HOME", home.path());
        for name in ["XDG_CONFIG_HOME", "WIRESHARK_CONFIG_DIR", "WIRESHARK_PLUGIN_DIR"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(File::create(home.path().join("err")).unwrap());
        let mut process = Process::start(&mut command);
        let requests = process.0.stdin.take().unwrap();
        let replies = BufReader::new(process.0.stdout.take().unwrap());
        Self { process, requests, replies, asked: 0, home }
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters});
        writeln!(self.requests, "{request}").unwrap();
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line)
            .unwrap_or_else(|why| panic!("{request}: {why}: {line}{:?}", self.complaints()));
        assert_eq!(reply["id"], id, "{request}");
        assert!(!reply["result"].is_null(), "{request}: {reply}");
        reply["result"].clone()
    }

    /// Sets a preference.
    pub fn set(&mut self, preference: &str, value: &str) {
        self.call("setconf", &json!({"name": preference, "value": value}));
    }

    /// Opens a capture, instead of the one before, and reads it once.
    pub fn load(&mut self, capture: &Path) {
        let loaded = self.call("load", &json!({"file": capture}));
        assert_eq!(loaded["status"], "OK", "{}", capture.display());
    }

    /// The numbers of the frames that a display filter selects.
    pub fn selected(&mut self, filter: &str) -> Vec<u64> {
        let frames = self.call("frames", &json!({"filter": filter}));
        frames.as_array().unwrap().iter().map(|frame| frame["num"].as_u64().unwrap()).collect()
    }

    /// The number of each frame, and the values of these fields, joined by commas.
    pub fn frames(&mut self, fields: &[&str]) -> Vec<(u64, Vec<String>)> {
        let columns = fields.iter().enumerate();
        let columns = columns.map(|(n, field)| (format!("column{n}"), format!("{field}:0").into()));
        let frames = self.call("frames", &Value::Object(columns.collect()));
        let text = |cell: &Value| cell.as_str().unwrap().to_owned();
        let of = |frame: &Value| {
            let cells = frame["c"].as_array().unwrap().iter().map(text).collect();
            (frame["num"].as_u64().unwrap(), cells)
        };
        frames.as_array().unwrap().iter().map(of).collect()
    }

    /// The fields of a frame, as a tree.
    pub fn tree(&mut self, frame: u64) -> Value {
        self.call("frame", &json!({"frame": frame, "proto": true}))["tree"].clone()
    }

    /// What it has said on standard error, beside what it always says.
    pub fn complaints(&self) -> Vec<String> {
        let usual = ["Running as user", "Hello in child.", "load: filename="];
        let text = fs::read(self.home.path().join("err")).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines = text.lines().filter(|line| !line.is_empty());
        let lines = lines.filter(|line| !usual.iter().any(|usual| line.starts_with(usual)));
        lines.map(str::to_owned).collect()
    }

    /// Ends it; returns its complaints.
    pub fn end(mut self) -> Vec<String> {
        self.process.end();
        self.complaints()
    }
}

/// What is read in each capture, in a few processes one after another. Fails if one complains of
/// anything but other dissectors.
pub fn in_each<T>(
    program: &Path,
    dissector: Option<&Path>,
    captures: &[PathBuf],
    mut read: impl FnMut(&mut Sharkd, &Path) -> T,
) -> Vec<T> {
    let mut all = Vec::new();
    for part in captures.chunks(CAPTURES_PER_PROCESS) {
        let mut sharkd = Sharkd::start(program, dissector);
        all.extend(part.iter().map(|capture| read(&mut sharkd, capture)));
        // Damaged bytes find errors of Wireshark's own dissectors too.
        let is_foreign =
            |line: &String| line.contains("Dissector bug") && !line.contains("fragshark");
        let mut complaints = sharkd.end();
        complaints.retain(|line| !is_foreign(line));
        assert!(complaints.is_empty(), "{complaints:?}");
    }
    all
}
