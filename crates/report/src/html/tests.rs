//! Pages hold their own policy, and no text becomes markup.

use maud::html;

use super::{HtmlPage, SCRIPT, STYLE, facts, lines, shown, source};

fn page(title: &str, body: maud::Markup) -> String {
    HtmlPage { title, under: html! {}, style: "p { margin: 0; }\n", body }.into_string()
}

#[test]
fn the_policy_permits_the_style_and_the_script_of_the_page() {
    let page = page("a page", html! { p { "text" } });
    let inside = |tag: &str| {
        let rest = page.split(&format!("<{tag}>")).nth(1).unwrap();
        rest.split(&format!("</{tag}>")).next().unwrap().to_owned()
    };
    assert_eq!(inside("style"), format!("{STYLE}p {{ margin: 0; }}\n"));
    assert_eq!(inside("script"), SCRIPT);
    let policy = page.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap();
    for part in ["style", "script"] {
        assert!(policy.contains(&format!("{part}-src {};", source(&inside(part)))), "{policy}");
    }
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    // The known hash of no bytes.
    assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

#[test]
fn text_stays_text() {
    let hostile = "</title><script>x</script>\"'\u{202e}\u{1b}[2J&amp;\0";
    let page = page(hostile, facts([(hostile, vec![html! { (shown(hostile)) }])]));
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}') && !page.contains('\0'));
    assert!(page.contains("&lt;/title&gt;&lt;script&gt;x"));
    assert_eq!(lines("a\u{7}\nb"), "a\\x07\nb");
}
