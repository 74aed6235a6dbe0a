//! The program under tmux, as users run it: keys typed into a real terminal, the screen read back,
//! the terminal restored in the end.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{needs, netns};
const TEST: &str = "tests/programs/terminal.rs";
/// How long to wait for an expected screen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A separate tmux server with one terminal.
pub struct Tmux {
    program: PathBuf,
    pub socket: PathBuf,
    // Kept until the server is gone.
    _folder: tempfile::TempDir,
}

impl Tmux {
    /// A terminal of this size, with a shell that runs `line`.
    pub fn start(program: PathBuf, (columns, rows): (u16, u16), line: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("tmux");
        let tmux = Self { program, socket, _folder: folder };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, "sh"]);
        tmux.run(&["set", "-sg", "escape-time", "0"]);
        tmux.keys(&[line, "Enter"]);
        tmux
    }

    pub fn run(&self, arguments: &[&str]) -> String {
        let mut tmux = Command::new(&self.program);
        tmux.arg("-S").arg(&self.socket).args(arguments);
        // Not the configuration and the history of the developer.
        let home = self.socket.with_file_name("home");
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] {
            tmux.env(name, &home);
        }
        let output = tmux.env("LC_ALL", "C.UTF-8").env_remove("TMUX").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    /// The screen, as soon as it holds all of `texts`.
    pub fn shows(&self, texts: &[&str]) -> String {
        self.until(&format!("{texts:?}"), |screen| texts.iter().all(|text| screen.contains(text)))
    }

    /// The screen, as soon as it is `expected`.
    pub fn until(&self, expected: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.run(&["capture-pane", "-p"]);
            if is_there(&screen) {
                return screen;
            }
            assert!(begin.elapsed() < PATIENCE, "{expected} does not appear:\n{screen}");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let mut tmux = Command::new(&self.program);
        _ = tmux.arg("-S").arg(&self.socket).arg("kill-server").output();
    }
}

#[test]
fn the_tour_is_gone_through_in_a_real_terminal() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (100, 30), &format!("'{fragshark}'; echo status $?"));
    tmux.shows(&["fragshark the tour", "heartbeat", "1 of 27 messages", "QuakeArena-1"]);

    tmux.keys(&["j", "j", "Enter", "j", "j", "j", "j"]);
    let screen = tmux.shows(&["protocol = 68  Quake III 1.32", "document 001, section 1.2.2"]);
    assert!(screen.contains("3 of 27 messages"), "{screen}");

    tmux.keys(&["/"]);
    tmux.keys(&["-l", "cl_guid"]);
    tmux.keys(&["Enter"]);
    let screen = tmux.shows(&["cl_guid: ********", "by field"]);
    assert!(screen.contains("** **"), "{screen}");

    tmux.keys(&["?"]);
    tmux.shows(&["─ keys ─"]);
    tmux.keys(&["q", "q"]);
    tmux.shows(&["status 0"]);
}

#[test]
fn a_pipe_is_shown_while_it_is_still_open() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    // Opened for reading and writing, so that opening does not block and the pipe never ends.
    let mut pipe = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    pipe.write_all(include_bytes!("../../captures/tour.pcapng")).unwrap();
    let (fragshark, path) = (env!("CARGO_BIN_EXE_fragshark"), path.display());
    let line = format!("'{fragshark}' - <'{path}'; echo status $?");
    let tmux = Tmux::start(program, (80, 24), &line);
    tmux.shows(&["standard input", "heartbeat", "reading, "]);
    tmux.keys(&["G"]);
    tmux.shows(&["following", "27 of 27"]);
    // The index of received messages is built when a screen needs it.
    tmux.keys(&["2"]);
    tmux.shows(&["registration", "updated at message 27", "1 of 13 exchanges"]);
    tmux.keys(&["3"]);
    tmux.shows(&["192.0.2.10:27960", "1 of 6 servers"]);
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

#[test]
fn the_servers_of_the_tour_are_written_from_inside() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (fragshark, here) = (env!("CARGO_BIN_EXE_fragshark"), folder.path().display());
    let line = format!("cd '{here}' && NO_COLOR=1 '{fragshark}'; echo status $?");
    let tmux = Tmux::start(program, (80, 24), &line);
    tmux.shows(&["1 of 27 messages"]);
    tmux.keys(&["3", "e"]);
    tmux.shows(&[
        "export to: tour-servers.csv",
        "1 of 6 servers (the others sent no message) as CSV; Enter writes",
    ]);
    tmux.keys(&["Enter"]);
    tmux.shows(&["1 server written to tour-servers.csv"]);
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    let mut export = Command::new(fragshark);
    let exported = export.arg("export").arg(&tour).args(["--what", "servers"]).output().unwrap();
    let exported = String::from_utf8(exported.stdout).unwrap();
    let written = fs::read_to_string(folder.path().join("tour-servers.csv")).unwrap();
    // The built-in capture has a name instead of a path.
    assert!(written.contains("the tour"), "{written}");
    let named = exported.replace(tour.to_str().unwrap(), "the tour");
    assert_eq!(written, named);

    // Elsewhere nothing is written; an existing file needs a confirmation.
    tmux.keys(&["e", "C-u"]);
    tmux.keys(&["-l", &other.path().join("x.csv").display().to_string()]);
    tmux.keys(&["Enter"]);
    tmux.shows(&["outside of the folder for exports", "export to: "]);
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    tmux.keys(&["Escape"]);
    tmux.shows(&["? help"]);
    tmux.keys(&["e", "Enter"]);
    tmux.shows(&["Enter overwrites the file"]);
    tmux.keys(&["Escape"]);
    tmux.shows(&["? help"]);
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

#[test]
fn another_folder_takes_the_exports() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (fragshark, there) = (env!("CARGO_BIN_EXE_fragshark"), folder.path().display());
    let line = format!("'{fragshark}' open --save-in '{there}'; echo status $?");
    let tmux = Tmux::start(program, (80, 24), &line);
    tmux.shows(&["1 of 27 messages"]);
    tmux.keys(&["e", "C-u"]);
    tmux.keys(&["-l", "tour.pcapng"]);
    tmux.shows(&["as packets, secrets included; Enter writes"]);
    tmux.keys(&["Enter"]);
    tmux.shows(&["27 messages written to tour.pcapng"]);
    assert!(fs::metadata(folder.path().join("tour.pcapng")).unwrap().len() > 1000);
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

/// The folder of the history is writable, and nothing else in it is.
#[test]
fn the_history_is_kept_between_runs() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (80, 24), "");
    let file = tmux.socket.with_file_name("home/fragshark/history.toml");
    let run = |command: &str, filter: &str| {
        tmux.keys(&[&format!("clear; {command}; echo status $?"), "Enter"]);
        tmux.shows(&["1 of 27 messages"]);
        tmux.keys(&["f"]);
        tmux.keys(&["-l", filter]);
        tmux.shows(&[&format!("filter: {filter}"), "Enter applies it"]);
        tmux.keys(&["Enter"]);
        tmux.shows(&["of 27 messages", "? help"]);
        tmux.keys(&["q"]);
        tmux.shows(&["status 0"]);
        fs::read_to_string(&file).unwrap()
    };
    let first = run(&format!("'{fragshark}'"), "quake3.getinfo");
    assert_eq!(first, "filters = [\"quake3.getinfo\"]\nsearches = []\n");
    let second = run(&format!("'{fragshark}'"), "quake3.getstatus");
    let both =
        "filters = [\n    \"quake3.getinfo\",\n    \"quake3.getstatus\",\n]\nsearches = []\n";
    assert_eq!(second, both);
    // A user who called sudo owns what root writes, and root keeps its rights to read captures.
    let is_root = fs::read_to_string("/proc/self/status").unwrap().contains("Uid:\t0\t0\t0\t0");
    if !is_root {
        return needs::not_run(TEST, "root", "only root can write files for somebody else");
    }
    let state = tmux.socket.with_file_name("state");
    let file = state.join("a/fragshark/history.toml");
    let state = state.join("a").display().to_string();
    let sudo = format!("SUDO_UID=65534 SUDO_GID=65534 XDG_STATE_HOME='{state}' '{fragshark}'");
    let run = |command: &str| {
        tmux.keys(&[&format!("clear; {command}; echo status $?"), "Enter"]);
        tmux.shows(&["1 of 27 messages"]);
        tmux.keys(&["/"]);
        tmux.keys(&["-l", "infoResponse"]);
        tmux.keys(&["Enter"]);
        tmux.shows(&["3 of 27 messages"]);
        tmux.keys(&["q"]);
        tmux.shows(&["status 0"]);
    };
    run(&sudo);
    for path in [&file, file.parent().unwrap(), Path::new(&state)] {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(path).unwrap();
        let mode = if path == file { 0o600 } else { 0o700 };
        assert_eq!((metadata.uid(), metadata.gid()), (65534, 65534), "{}", path.display());
        assert_eq!(metadata.mode() & 0o777, mode, "{}", path.display());
    }
}

#[test]
fn the_command_line_and_the_configuration_say_what_is_shown_first() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (80, 24), "");
    let folder = tmux.socket.with_file_name("home").join("fragshark");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "screen = 'masters'\nhistory = no\ntheme = 'dark'\n")
        .unwrap();
    for (arguments, shown) in [
        ("", &["1 of 1 master", "line 2: history: ", "! 1 warning (w)"][..]),
        ("--screen servers", &["1 of 6 servers"]),
        (
            "open -Y quake3.getinfo --screen 1 --config /dev/null",
            &["1 of 5 messages", "5 of 27 messages"],
        ),
    ] {
        tmux.keys(&[&format!("clear; '{fragshark}' {arguments}; echo status $?"), "Enter"]);
        tmux.shows(shown);
        tmux.keys(&["q"]);
        tmux.shows(&["status 0"]);
    }
}

/// Every terminating signal ends it, and restores the terminal of its shell.
#[test]
fn signals_end_the_interface_and_give_the_terminal_back() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let net = netns::Net::for_capture(TEST);
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let mut ways = vec![(format!("'{fragshark}'"), "1 of 27 messages")];
    if let Some(net) = &net {
        let mut live = net.command(fragshark);
        live.args(["open", "-i", "lo"]);
        let words = std::iter::once(live.get_program()).chain(live.get_args());
        let words: Vec<_> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
        ways.push((words.join(" "), "live, 0 packets"));
    }
    for (command, shown) in &ways {
        for signal in ["-TERM", "-HUP", "-INT"] {
            let folder = tempfile::tempdir().unwrap();
            let id = folder.path().join("id");
            let tell = format!("echo $$ > '{}'; exec {command}", id.display());
            let line = format!("sh -c \"{tell}\"; echo status $?", tell = tell.replace('$', "\\$"));
            let tmux = Tmux::start(program.clone(), (80, 24), &line);
            tmux.shows(&[shown]);
            let id = fs::read_to_string(id).unwrap();
            assert!(Command::new("kill").args([signal, id.trim()]).status().unwrap().success());
            tmux.shows(&["status 0"]);
            tmux.keys(&["stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo", "Enter"]);
            tmux.shows(&["\nicanon\necho\n"]);
        }
    }
}

/// A closed window ends its program, even if no signal arrives.
#[test]
fn a_terminal_that_goes_ends_the_interface() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (id, status) = (folder.path().join("id"), folder.path().join("status"));
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let script = format!(
        "trap '' HUP\nsh -c 'echo $$ > {}; exec {fragshark}'\necho $? > {}\n",
        id.display(),
        status.display()
    );
    let path = folder.path().join("script");
    fs::write(&path, script).unwrap();
    let tmux = Tmux::start(program, (80, 24), &format!("exec sh '{}'", path.display()));
    tmux.shows(&["1 of 27 messages"]);
    drop(tmux);
    let begin = Instant::now();
    let ended = loop {
        let status_text = fs::read_to_string(&status).unwrap_or_default();
        if !status_text.is_empty() {
            break status_text;
        }
        if begin.elapsed() > PATIENCE {
            let id = fs::read_to_string(&id).unwrap();
            assert!(Command::new("kill").args(["-KILL", id.trim()]).status().unwrap().success());
            panic!("it is still there");
        }
        sleep(Duration::from_millis(10));
    };
    assert_eq!(ended.trim(), "0");
}
