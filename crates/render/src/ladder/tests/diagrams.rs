//! Whole ladders as pictures, Mermaid and text.

use super::*;

/// Text that would be something else, if it got through.
const EVIL: &str = "a;b#c\n<b>&\"' %% end $$x$$ \u{1b}[2J\u{ffff}";

/// A diagram of the messages that it has room for.
fn diagram(arrows: &[Arrow<'_>]) -> Diagram {
    let (mut diagram, mut left_out) = (Diagram::default(), 0);
    for arrow in arrows {
        if diagram.takes(arrow) {
            diagram.push(arrow);
        } else {
            left_out += 1;
        }
    }
    diagram.set_left_out(left_out);
    diagram
}

/// Messages of `servers` servers to a master, and its queries.
fn many(servers: u16, messages: u16) -> Vec<Arrow<'static>> {
    let arrows = (0..messages).map(|n| {
        let source = SocketAddr::from(([10, 0, 0, 1], 1000 + n % servers));
        let mut arrow = Arrow { source, ..arrow(Some(Role::Server), Some(Role::Master)) };
        (arrow.number, arrow.time) = (u64::from(n), i64::from(n) * SECOND / 2);
        if n % 3 == 2 {
            arrow.direction = Direction { from: arrow.direction.to, to: arrow.direction.from };
            (arrow.source, arrow.destination) = (arrow.destination, arrow.source);
        }
        arrow
    });
    arrows.collect()
}

/// The elements of a picture, which must be closed in order, and the attributes quoted.
fn check_xml(picture: &str) -> usize {
    let (mut open, mut elements, mut rest) = (Vec::new(), 0, picture);
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(!text.contains('>'), "{text}");
        let entities = text.split('&').skip(1);
        let known = |text: &str| ["amp;", "lt;", "gt;"].iter().any(|e| text.starts_with(e));
        assert!(entities.into_iter().all(known), "{text}");
        assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text:?}");
        let (tag, after) = rest[at + 1..].split_once('>').unwrap();
        rest = after;
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name)),
            (None, true) => elements += 1,
            (None, false) => open.push(name),
        }
    }
    assert!(open.is_empty() && rest == "\n", "{open:?} {rest}");
    elements
}

#[test]
fn text_in_diagrams_is_escaped() {
    let asked = arrow(Some(Role::Client), Some(Role::Server));
    let evil = Arrow { name: EVIL, text: EVIL, outcome: Some(MessageOutcome::Lost(EVIL)), ..asked };
    let diagram = diagram(&[asked, evil]);
    let picture = diagram.draw(DiagramForm::Svg, EVIL);
    assert!(!picture.contains("<b>") && !picture.contains(['\u{1b}', '\u{ffff}']), "{picture}");
    check_xml(&picture);

    let text = diagram.draw(DiagramForm::Text, EVIL);
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text}");

    let mermaid = diagram.draw(DiagramForm::Mermaid, EVIL);
    let lines: Vec<_> = mermaid.lines().collect();
    assert_eq!(lines.len(), 5, "{mermaid}");
    let line = lines[4].strip_prefix("    P1--xP2: ").unwrap();
    for c in ['<', '>', '"', '\'', '%', '$', '&', '\u{1b}'] {
        assert!(!line.contains(c), "{c:?} in {line}");
    }
    assert!(!line.contains(" end "), "{line}");
    // The remaining syntax characters are escaped as numbers.
    for part in line.split('#').skip(1) {
        let (number, _) = part.split_once(';').unwrap();
        assert!(number.parse::<u32>().is_ok(), "{line}");
    }
    assert_eq!(line.matches(';').count(), line.matches('#').count(), "{line}");
}

#[test]
fn a_diagram_has_a_lifeline_for_each_host() {
    let arrows = many(20, 100);
    let diagram = diagram(&arrows);
    assert_eq!(diagram.note(), None);

    let picture = diagram.draw(DiagramForm::Svg, "servers & masters");
    check_xml(&picture);
    assert_eq!(picture.matches("<line ").count(), 21);
    assert!(picture.contains("<title>servers &amp; masters</title>"), "{picture}");
    // The last lifeline is inside of the picture.
    assert!(picture.contains("viewBox=\"0 0 5540 "), "{}", &picture[..200]);
    assert!(picture.contains("<line x1=\"5400\" "), "{picture}");

    let mermaid = diagram.draw(DiagramForm::Mermaid, "");
    assert_eq!(mermaid.matches("    participant P").count(), 21);
    assert!(mermaid.contains("    participant P2 as master<br/>203.0.113.1:27950\n"), "{mermaid}");
    assert!(mermaid.contains("\n    P1->>P2: getinfo, xxx\n"), "{mermaid}");
    assert!(mermaid.contains("\n    P2->>P4: getinfo, xxx\n"), "{mermaid}");

    let text = diagram.draw(DiagramForm::Text, "");
    assert_eq!(text.lines().count(), 102);
    let lifelines = |line: &str| line.matches(['│', '┼']).count();
    assert!(text.lines().skip(2).all(|line| lifelines(line) == 21), "{text}");
}

#[test]
fn a_diagram_has_limits_and_says_what_is_left_out() {
    for (servers, messages, drawn, note) in [
        (
            2,
            1500,
            1000,
            "500 messages are left out: a diagram has at most 1000 messages of 50 hosts",
        ),
        (70, 70, 49, "21 messages are left out: a diagram has at most 1000 messages of 50 hosts"),
        (50, 50, 49, "1 message is left out: a diagram has at most 1000 messages of 50 hosts"),
    ] {
        let mut arrows = many(servers, messages);
        if servers > 49 {
            // All messages are of servers.
            arrows = (0..servers)
                .map(|n| Arrow { source: SocketAddr::from(([10, 0, 0, 1], n)), ..arrows[0] })
                .collect();
        }
        let diagram = diagram(&arrows);
        assert_eq!(diagram.note().as_deref(), Some(note));
        assert_eq!(diagram.arrows().count(), drawn);
        for form in [DiagramForm::Svg, DiagramForm::Mermaid, DiagramForm::Text] {
            let drawn = diagram.draw(form, "");
            assert!(drawn.contains(note), "{form:?}: {drawn}");
        }
        check_xml(&diagram.draw(DiagramForm::Svg, ""));
    }
}

#[test]
fn an_empty_diagram_is_drawn() {
    let empty = Diagram::default();
    assert_eq!(empty.draw(DiagramForm::Mermaid, ""), "sequenceDiagram\n");
    assert_eq!(empty.draw(DiagramForm::Text, ""), "\n\n");
    check_xml(&empty.draw(DiagramForm::Svg, ""));
    assert_eq!(Rows::default().at(0), None);
}
