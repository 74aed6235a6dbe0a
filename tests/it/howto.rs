//! The pages of `docs/howto`: commands work as printed. Each page of all documents says for whom it
//! is.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, iter, mem};

use crate::process::{Process, until};
use crate::{golden, needs};

/// All tasks: the pages in `docs/howto` but its index, sorted.
fn tasks() -> Vec<String> {
    let files = fs::read_dir(golden::path("docs/howto")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name != "README.md").collect();
    names.sort();
    names.into_iter().map(|name| format!("docs/howto/{name}")).collect()
}

/// A folder as a reader has it, with the captures in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(golden::path("captures"), folder.path().join("captures"))
            .unwrap();
        Self(folder)
    }

    /// What a block prints on standard output. It has to succeed, and what it leaves running is
    /// ended. Output goes to files: a pipe would stay open as long as a server that it started.
    fn run(&self, page: &str, block: &str) -> String {
        let folder = self.0.path();
        let [out, err] = ["out", "err"].map(|name| folder.join(format!(".{name}")));
        let create = |path: &PathBuf| Stdio::from(File::create(path).unwrap());
        let built = Path::new(env!("CARGO_BIN_EXE_fragshark")).parent().unwrap().to_owned();
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(iter::once(built).chain(env::split_paths(&path))).unwrap();
        let mut bash = Command::new("bash");
        bash.args(["-eu", "-o", "pipefail", "-c", block]).current_dir(folder).process_group(0);
        bash.env("PATH", path).env("NO_COLOR", "1").env("LC_ALL", "C");
        bash.env("XDG_CONFIG_HOME", folder).env("XDG_STATE_HOME", folder);
        bash.stdin(Stdio::null()).stdout(create(&out)).stderr(create(&err));
        let mut bash = Group(Process::start(&mut bash));
        let status = until(block, || bash.0.ended());
        drop(bash);
        let [out, err] = [out, err].map(|path| fs::read_to_string(path).unwrap());
        assert!(status.success(), "{page}: {status}\n{block}{out}{err}");
        out
    }
}

/// A shell and all that it started, which end with this.
struct Group(Process);

impl Drop for Group {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
}

#[test]
fn commands_work_as_printed() {
    let programs = ["bash", "jq", "diff"];
    let Some([..]) = needs::programs("howto::commands_work_as_printed", programs) else { return };
    for name in tasks() {
        let page = fs::read_to_string(golden::path(&name)).unwrap();
        let (folder, mut should) = (Folder::new(), String::new());
        // The kind and the text of the open block, and what the block before it printed.
        let (mut open, mut block, mut printed) = (None, String::new(), None);
        let mut ran = 0;
        for line in page.split_inclusive('\n') {
            match (open, line.strip_prefix("```")) {
                (None, Some(kind)) => open = Some(kind.trim()),
                (None, None) => printed = printed.filter(|_| line == "\n"),
                (Some(_), None) => block.push_str(line),
                (Some(kind), Some(_)) => {
                    let text = mem::take(&mut block);
                    let expected = printed.take().filter(|_| kind == "text");
                    should.push_str(&expected.unwrap_or_else(|| text.clone()));
                    if kind == "sh" {
                        printed = Some(folder.run(&name, &text));
                        ran += 1;
                    }
                    open = None;
                }
            }
            if block.is_empty() {
                should.push_str(line);
            }
        }
        assert!(ran > 0, "{name} has no commands");
        golden::check(&name, should);
    }
}

#[test]
fn pages_name_their_readers() {
    let folders = ["docs", "docs/protocols", "docs/howto", "docs/reference"];
    let in_folders = folders.into_iter().flat_map(|folder| {
        let files = fs::read_dir(golden::path(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let is_page = |name: &String| Path::new(name).extension().is_some_and(|is| is == "md");
        names.filter(is_page).map(move |name| format!("{folder}/{name}"))
    });
    for name in in_folders.chain(["README.md".to_owned()]) {
        let page = fs::read_to_string(golden::path(&name)).unwrap();
        let says = page.lines().take(5).any(|line| line.starts_with("For "));
        assert!(says, "{name} does not say in its first lines for whom it is");
    }
}
