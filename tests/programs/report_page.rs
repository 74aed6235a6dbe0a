//! The page of `report` in a browser: it can be read and used, and hostile text stays text.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::browser::{ACCESSIBLE, Browser};
use crate::{golden, marked};

/// The page of a capture. Whatever the program says on standard error is a warning of the page too.
fn page_of(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.arg("report").args(arguments).stdin(Stdio::null()).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    let page = String::from_utf8(output.stdout).unwrap();
    for line in complaint.lines() {
        let warning = line.strip_prefix("fragshark: warning: ").unwrap_or_else(|| panic!("{line}"));
        assert!(page.contains(&format!("<li>{warning}</li>")), "{warning}");
    }
    page
}

/// The page of a capture of the repository, which gives no warning.
fn page_of_capture(name: &str) -> String {
    let page = page_of(&[golden::path("captures").join(name).to_str().unwrap()]);
    assert!(!page.contains("fragshark: warning"), "{name}");
    page
}

/// Texts that would do something on a page, if they were not text.
const HOSTILE: [&str; 6] = [
    "<script>parent.fired = 1</script>",
    "</script></style></title></pre><img src=x onerror=\"parent.fired=1\">",
    "\"><svg onload=parent.fired=1>",
    "' onmouseover='parent.fired=1' x='&lt;b&gt;&amp;",
    "<a href=\"javascript:parent.fired=1\">\u{202e}x\u{200b}</a>",
    "^1<!--\u{1b}[31m]]>\u{7}<iframe srcdoc=\"<script>top.fired=1</script>\">",
];

#[test]
fn hostile_text_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let messages = marked::with_texts(&HOSTILE);
    assert!(messages.len() > 500, "{}", messages.len());
    let name = "x\"><img src=x onerror=parent.fired=1>.pcapng";
    let file = folder.path().join(name);
    fs::write(&file, marked::capture(&messages)).unwrap();
    let file = file.to_str().unwrap();
    let more = ["--messages", "100000", "--title", HOSTILE[1]];
    let page = page_of(&[&[file][..], &more].concat());
    let mut hidden = page.chars().filter(|c| *c != '\n' && fragshark::text::is_hidden(*c));
    assert_eq!(hidden.next(), None);
    assert!(page.matches("&lt;script&gt;parent.fired").count() > 100);
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains("<img") && !page.contains("<a href=\"javascript"));

    let Some(browser) = Browser::new("hostile text on a page") else { return };
    // Without its policy, which would stop a script if one were there.
    for html in [page.clone(), page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"x\"")]
    {
        let seen = browser.script(&html, 1_200, INJECTED);
        assert_eq!(seen["fired"], Value::Null, "{seen}");
        assert_eq!((&seen["scripts"], &seen["handlers"]), (&1.into(), &0.into()), "{seen}");
        assert_eq!(
            (&seen["links"], &seen["foreign"]),
            (&0.into(), &Value::Array(vec![])),
            "{seen}"
        );
        assert!(seen["texts"].as_u64().unwrap() > 100, "{seen}");
    }
}

fn without_policy(page: &str) -> String {
    page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"")
}

/// Opens all messages, and looks for what no page of ours has.
const INJECTED: &str = "
    page.querySelectorAll('details').forEach((one) => one.open = true);
    await settled();
    const all = [...page.querySelectorAll('*')];
    const ours = new Set(('html head meta title style body header div h1 h2 h3 p fieldset legend label ' +
        'input table thead tbody tr th td br time data small span strong code nav ul li a main section ' +
        'figure figcaption svg rect path line g text tspan details summary pre b select option output ' +
        'script button').split(' '));
    const own = (one) => one.closest('details, tbody, .facts, svg');
    return {
        fired: window.fired ?? null,
        scripts: page.scripts.length,
        handlers: all.filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))).length,
        links: all.filter((one) => one.href && !one.getAttribute('href')?.startsWith('#')).length,
        foreign: all.map((one) => one.localName).filter((name) => !ours.has(name)),
        texts: [...page.querySelectorAll('pre')].filter((one) => one.textContent.includes('<script>')).length,
    };
";

/// What a reader does, by clicks.
const USED: &str = "
    const seen = (one) => one.getClientRects().length > 0;
    const messages = [...page.querySelectorAll('.message')];
    const shown = () => messages.filter(seen).map((one) => Number(one.id.slice(1)));
    const input = (one, value) => {
        one.value = value;
        one.dispatchEvent(new Event('input', {bubbles: true}));
    };
    const result = {width: page.documentElement.scrollWidth, all: shown().length};
    const output = page.querySelector('output');
    input(page.getElementById('find'), 'GETSERVERSRESPONSE 192.0.2.11');
    result.found = shown();
    result.count = output.textContent;
    input(page.getElementById('find'), '');
    input(page.querySelector('select[data-key=message]'), 'heartbeat');
    result.heartbeats = shown();
    input(page.querySelector('select[data-key=message]'), '');
    page.querySelector('input[data-key=finding]').click();
    result.findings = shown();
    // A link leads to a message that the filter hides, and opens it.
    const link = page.querySelector('[data-table=sessions] a[href=\"#m1\"]');
    link.click();
    await settled();
    const first = page.getElementById('m1');
    result.linked = seen(first) && first.open;
    result.countLinked = output.textContent;
    page.querySelector('input[data-key=finding]').click();
    // A line opens and closes.
    const third = page.getElementById('m3');
    third.querySelector('summary').click();
    third.scrollIntoView();
    await settled();
    result.opened = third.open && seen(third.querySelector('pre'));
    result.bytes = third.querySelector('pre').textContent.includes('hostname: ^3The ^1Longest ^3Yard');
    third.querySelector('summary').click();
    result.closed = !third.open;
    // Sorting, both ways.
    const table = page.querySelector('[data-table=sessions]');
    const head = [...table.tHead.rows[0].cells].find((one) => one.textContent === 'latency');
    const column = head.cellIndex;
    const latencies = () => [...table.tBodies[0].rows]
        .map((row) => row.cells[column].querySelector('data')?.value).filter(Boolean).map(Number);
    const is = (order) => latencies().every((one, at, all) => at === 0 || order(all[at - 1], one));
    head.querySelector('button').click();
    result.up = is((a, b) => a <= b) && head.ariaSort === 'ascending' && latencies().length > 5;
    head.querySelector('button').click();
    result.down = is((a, b) => a >= b) && head.ariaSort === 'descending';
    return result;
";

#[test]
fn a_page_is_used_by_clicks_wide_and_narrow() {
    let Some(browser) = Browser::new("a report in a browser") else { return };
    let page = page_of_capture("tour.pcapng");
    for width in [1_280, 390] {
        let seen = browser.script(&page, width, USED);
        assert!(seen["width"].as_u64().unwrap_or(u64::MAX) <= width.into(), "{seen}");
        assert_eq!((&seen["all"], &seen["found"]), (&27.into(), &vec![7].into()), "{seen}");
        assert_eq!(seen["count"], "1 of 27 messages");
        assert_eq!(seen["countLinked"], "3 of 27 messages");
        assert_eq!(seen["heartbeats"], serde_json::json!([1, 29, 33, 34]), "{seen}");
        assert_eq!(seen["findings"], serde_json::json!([7, 10]), "{seen}");
        for what in ["linked", "opened", "bytes", "closed", "up", "down"] {
            assert_eq!(seen[what], true, "{what}: {seen}");
        }
    }
    let picture = browser.picture("report", &page, [1_280, 5_200]);
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 100_000, "{}", picture.len());
}

#[test]
fn a_page_is_read_in_both_themes_and_reached_by_the_keyboard() {
    let Some(browser) = Browser::new("the contrast of a report") else { return };
    for name in ["tour.pcapng", "findings/heartbeat.rare.pcapng", "quake3/dead-master.pcapng"] {
        let page = page_of_capture(name);
        browser.check_access(name, &page);
    }
    // The test sees colours that are too pale, once the policy permits another style.
    let page = page_of_capture("tour.pcapng");
    let pale = page.replace("#57606a", "#a7b0ba");
    assert!(pale != page);
    let seen = browser.script(&without_policy(&pale), 1_280, ACCESSIBLE);
    assert!(seen["light"].as_array().unwrap().len() > 10, "{seen}");
    assert_eq!(seen["dark"], Value::Array(vec![]));
    // With the policy, no style but that of the page is in force.
    let seen = browser.script(&pale, 1_280, "return getComputedStyle(page.body).fontFamily;");
    let whole = browser.script(&page, 1_280, "return getComputedStyle(page.body).fontFamily;");
    assert_ne!(seen, whole);
}

/// What sorting by the first column of the servers gives: addresses in the order of their numbers.
const SORTED: &str = "
    const table = page.querySelector('[data-table=servers]');
    const body = table.tBodies[0];
    const [row] = body.rows;
    const rows = ['[::1]:9', '[2001:db8::10]:27960', '[2001:db8::9]:27960', '[2001:db8::9]:3',
        '10.0.0.10:27960', '10.0.0.9:27961', '10.0.0.9:27960', '[2001:db8:1:2:3:4:5:6]:1', '']
        .map((text) => {
            const one = row.cloneNode(true);
            one.cells[0].textContent = text;
            return one;
        });
    body.replaceChildren(...rows);
    table.tHead.rows[0].cells[0].querySelector('button').click();
    return [...body.rows].map((row) => row.cells[0].textContent);
";

#[test]
fn addresses_are_sorted_as_numbers() {
    let Some(browser) = Browser::new("the order of addresses on a page") else { return };
    let page = page_of_capture("tour.pcapng");
    let sorted = browser.script(&page, 1_280, SORTED);
    assert_eq!(
        sorted,
        serde_json::json!([
            "",
            "10.0.0.9:27960",
            "10.0.0.9:27961",
            "10.0.0.10:27960",
            "[::1]:9",
            "[2001:db8::9]:3",
            "[2001:db8::9]:27960",
            "[2001:db8::10]:27960",
            "[2001:db8:1:2:3:4:5:6]:1",
        ])
    );
}
