//! Why a flow was classified as a game's, as the lines of an overlay.

use super::Update;
use crate::flow::{FlowId, Flows};
use crate::text::escaped;
use crate::tui::model::OverlayKind;
use crate::tui::text::counted;

impl Update<'_> {
    pub(super) fn why(&mut self) {
        let place = self.model.place(self.model.list.cursor);
        let Some(header) = place.and_then(|place| self.session.header(place)) else {
            return;
        };
        match lines(self.session.flows(), header.flow) {
            Some(lines) => {
                let heading = format!("flow {}: {}", header.flow.0, header.verdict.game.title);
                self.cover(OverlayKind::Why(heading, lines));
            }
            None => self.model.hint = Some("nothing is kept of this flow".to_owned()),
        }
    }
}

fn lines(flows: &Flows, id: FlowId) -> Option<Vec<String>> {
    let (flow, judged) = (flows.flow(id)?, flows.judge(id)?);
    let game = judged.verdict.game;
    let mut lines = vec![format!("{} ({})", game.id, judged.verdict.sure)];
    lines.extend(judged.reasons.iter().map(|reason| format!("  because {}", escaped(reason))));
    lines.push(String::new());
    let (transport, _) = flows.ends(id)?;
    for (end, traffic) in flows.endpoints(id)?.into_iter().zip(&flow.traffic) {
        let (packets, bytes) = (counted(traffic.packets, "packet"), counted(traffic.bytes, "byte"));
        let role = match end.party(game) {
            Some(party) if end.is_proven(party) => format!("{party}, by its messages"),
            Some(party) => format!("{party}, by its port"),
            None => "role unknown".to_owned(),
        };
        lines.push(format!("{} {transport}: {role}", end.address));
        lines.push(format!("  sent {packets}, {bytes}"));
    }
    lines.push(String::new());
    lines.extend(flow.messages().map(|(_, name, n)| format!("{name} ×{n}")));
    for error in flow.errors() {
        let what = escaped(&error.what);
        lines.push(format!("#{}: {what}, says {}", error.number, error.from));
    }
    Some(lines)
}
