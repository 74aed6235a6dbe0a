//! The pairs of an infostring in a summary.

use super::info_values::InfoValues;
use super::{NAMED, SummaryWriter};
use codec::{Kind, Span};

impl SummaryWriter<'_> {
    /// First what identifies a server or a player, then what is played; an infostring that has
    /// neither shows its first pairs.
    pub(super) fn pairs(&mut self, parts: &[Span]) {
        let values = InfoValues::from_parts(parts);
        let before = self.out.len();
        let first = if self.is_labelled { ", " } else { " " };
        self.is_labelled = true;
        for span in [values.hostname, values.person, values.map].into_iter().flatten() {
            self.gap(if self.out.len() == before { first } else { ", " });
            self.value(span);
        }
        match (values.clients, values.max_clients) {
            (Some(clients), Some(max)) => {
                self.labelled("clients", clients);
                self.out.push(b'/');
                self.value(max);
            }
            (Some(clients), None) => self.labelled("clients", clients),
            (None, Some(max)) => self.labelled("max players", max),
            (None, None) => {}
        }
        for span in [values.game, values.protocol].into_iter().flatten() {
            self.labelled(span.field.name, span);
        }
        self.numbered_players(values.players);
        if let (true, Some(version)) = (self.out.len() == before, values.version) {
            self.labelled(version.field.name, version);
        }
        if self.out.len() == before {
            self.first_pairs(parts);
        }
    }

    /// Players whose names are in numbered keys: how many, and the first of them.
    fn numbered_players(&mut self, (first, count): ([Option<&Span>; NAMED], usize)) {
        if count == 0 {
            return;
        }
        self.gap(", ");
        self.count(count, if count == 1 { "player:" } else { "players:" });
        for (named, person) in first.into_iter().flatten().enumerate() {
            self.gap(if named == 0 { " " } else { ", " });
            self.value(person);
        }
        if count > NAMED {
            self.out.extend_from_slice(", …".as_bytes());
        }
    }

    fn first_pairs(&mut self, parts: &[Span]) {
        let mut key = None;
        for span in parts {
            match span.field.kind {
                Kind::Key => key = Some(span),
                Kind::Separator => {}
                _ => {
                    if let Some(key) = key.take() {
                        self.gap(", ");
                        self.value(key);
                        if span.start < span.end {
                            self.out.push(b' ');
                            self.value(span);
                        }
                    }
                }
            }
            if self.is_full() {
                return;
            }
        }
    }
}
