//! Pages in a browser: Debian's chromium, without a window.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::needs;

/// What those need who use the keyboard, a screen reader, or see little contrast.
pub const ACCESSIBLE: &str = "
    page.querySelectorAll('details').forEach((one, at) => one.open = at < 5);
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = (colour) => {
        const of = colour.slice(0, 3).map((part) => {
            const one = part / 255;
            return one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * of[0] + 0.7152 * of[1] + 0.0722 * of[2];
    };
    const style = (one) => one.ownerDocument.defaultView.getComputedStyle(one);
    const background = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const colour = parts(style(at).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return parts(style(page.body).backgroundColor);
    };
    const contrasts = () => {
        const bad = [];
        for (const one of page.querySelectorAll('body *')) {
            const has = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!has || one.localName === 'script' || !one.getClientRects().length) continue;
            const of = style(one);
            const ink = parts(one.namespaceURI.endsWith('svg') ? of.fill : of.color);
            const [a, b] = [ink, background(one)].map(luminance).sort((a, b) => b - a);
            const contrast = (a + 0.05) / (b + 0.05);
            if (contrast < 4.5) bad.push([one.localName, one.className, contrast, one.textContent.slice(0, 20)]);
        }
        return bad;
    };
    const result = {};
    for (const theme of ['light', 'dark']) {
        page.getElementById('theme-' + theme).click();
        await settled();
        result[theme] = contrasts();
        result[theme + '-paper'] = parts(style(page.body).backgroundColor)[0];
    }
    const all = (selector) => [...page.querySelectorAll(selector)];
    const ids = all('[id]').map((one) => one.id);
    result.ids = ids.length - new Set(ids).size;
    result.labels = all('[aria-labelledby]').filter((one) => !page.getElementById(one.getAttribute('aria-labelledby'))).length;
    result.heads = all('th:not([scope])').length;
    result.regions = all('.scroll').filter((one) => one.tabIndex !== 0 || !one.ariaLabel).length;
    result.inputs = all('input, select').filter((one) => !one.labels.length).length;
    result.buttons = all('table.sorted th').filter((one) => !one.querySelector('button')).length;
    result.pictures = all('svg').filter((one) => !one.ariaHidden && !one.querySelector('title')).length;
    const levels = all('h1, h2, h3').map((one) => Number(one.localName[1]));
    result.levels = levels.filter((level, at) => at && level > levels[at - 1] + 1).length;
    result.links = all('a').filter((one) => !page.getElementById(one.getAttribute('href').slice(1))).length;
    result.reached = all('a, button, summary, input, select, .scroll').filter((one) => {
        if (!one.getClientRects().length) return false;
        one.focus();
        return page.activeElement !== one;
    }).length;
    result.main = all('main').length;
    return result;
";

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

    /// Asserts that a page can be read in both themes, reached by the keyboard, and read aloud.
    pub fn check_access(&self, name: &str, html: &str) {
        let seen = self.script(html, 1_280, ACCESSIBLE);
        assert_eq!(seen["light"], Value::Array(vec![]), "{name}");
        assert_eq!(seen["dark"], Value::Array(vec![]), "{name}");
        let paper = |theme: &str| seen[format!("{theme}-paper")].as_u64().unwrap();
        assert!(paper("light") > 200 && paper("dark") < 60, "{name}: {seen}");
        for what in [
            "ids", "labels", "heads", "regions", "inputs", "buttons", "pictures", "levels",
            "links", "reached",
        ] {
            assert_eq!(seen[what], 0, "{what} of {name}: {seen}");
        }
        assert_eq!(seen["main"], 1, "{name}");
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
