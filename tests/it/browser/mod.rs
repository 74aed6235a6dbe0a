//! Pages in a browser: Debian's chromium, without a window.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::needs;

/// A browser with a profile of its own.
pub struct Browser {
    program: PathBuf,
    folder: TempDir,
}

impl Browser {
    /// `None`, with a message, if there is no chromium for `test`.
    pub fn new(test: &str) -> Option<Self> {
        let [program] = needs::programs(test, ["chromium"])?;
        Some(Self { program, folder: tempfile::tempdir().unwrap() })
    }

    fn run(&self, html: &str, [width, height]: [u32; 2], more: &[String]) -> Output {
        let file = self.folder.path().join("page.html");
        std::fs::write(&file, html).unwrap();
        let mut command = Command::new(&self.program);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-component-update"]);
        command.args(["--disable-sync", "--hide-scrollbars"]);
        command.arg(format!("--window-size={width},{height}"));
        command.arg(format!("--user-data-dir={}", self.folder.path().join("profile").display()));
        command.args(more).arg(format!("file://{}", file.display())).output().unwrap()
    }

    /// The elements of a page, after its script has run.
    pub fn dom(&self, html: &str) -> String {
        let output = self.run(html, [1_280, 2_000], &["--dump-dom".to_owned()]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A page of this width and height, as PNG. `FRAGSHARK_PICTURE` names a file that keeps it, with
    /// `name` before its own name.
    pub fn picture(&self, name: &str, html: &str, size: [u32; 2]) -> Vec<u8> {
        let picture = self.folder.path().join("page.png");
        let seen = self.run(html, size, &[format!("--screenshot={}", picture.display())]);
        let missing = |_| panic!("{}", String::from_utf8_lossy(&seen.stderr));
        let bytes = std::fs::read(&picture).unwrap_or_else(missing);
        if let Some(keep) = std::env::var_os("FRAGSHARK_PICTURE").map(PathBuf::from) {
            let file = keep.file_name().unwrap_or_default().to_string_lossy();
            std::fs::copy(&picture, keep.with_file_name(format!("{name}-{file}"))).unwrap();
        }
        bytes
    }

    /// Runs a script on a page in a frame of this width, which is narrower than a window can be:
    /// `page` is its document, with its own policy and script in force. Returns what the script
    /// returns.
    pub fn script(&self, html: &str, width: u32, script: &str) -> Value {
        // A file, because links in a `srcdoc` lead to the outer page.
        std::fs::write(self.folder.path().join("inner.html"), html).unwrap();
        let outer = format!(
            "<!DOCTYPE html><title></title>
            <iframe width={width} height=3000 src=inner.html></iframe>
            <script>addEventListener('load', async () => {{
                const page = document.querySelector('iframe').contentDocument;
                const settled = () => new Promise((done) => setTimeout(done, 50));
                let result;
                try {{ result = await (async () => {{ {script} }})(); }}
                catch (error) {{ result = String(error); }}
                document.title = JSON.stringify(result);
                document.querySelector('iframe').remove();
            }});</script>"
        );
        let more = ["--dump-dom", "--virtual-time-budget=20000", "--allow-file-access-from-files"];
        let more = more.map(str::to_owned);
        let output = self.run(&outer, [width.max(800), 3_000], &more);
        let dom = String::from_utf8_lossy(&output.stdout).into_owned();
        let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
        let title = unescaped(title.unwrap_or_default());
        let complaint = || String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_str(&title).unwrap_or_else(|why| panic!("{why}: {title} {}", complaint()))
    }
}

/// Text of HTML without its entities.
pub fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}
