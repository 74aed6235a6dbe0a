//! The last step of a registration: whether the lists of the master have the server, and should.

use std::ops::Range;

use super::record::{MessageTally, RegistrationRecord};
use super::steps::{NAMED, RegistrationEvidence, failed, ok, unseen};
use super::{FailureCause, StepName, StepReport, swapped};
use crate::addresses::is_private;
use crate::host::ServerHost;
use crate::hosts::SILENCE;
use text::digits::counted;

impl RegistrationEvidence<'_> {
    pub(super) fn listing(&self) -> Option<StepReport> {
        let name = StepName::Listing;
        let master = self.master;
        let stats = |host: Option<&ServerHost>| {
            let with = host?.registrations.iter().find(|d| d.master == master)?;
            Some((with.first_listed?, with.listed))
        };
        if let Some((first, count)) = stats(self.host) {
            let of = self.lists.count().max(count.into());
            let text = format!("in {count} of {}", counted(of, "list"));
            return Some(ok(name, text, &[first.frame()]));
        }
        let other =
            self.swapped.filter(|other| other.answered.is_none() && other.heartbeats() == 0);
        if let Some((first, _)) = stats(other) {
            let as_port = swapped(self.server);
            let text = format!("it is listed as {as_port}: the bytes of its port are swapped");
            return Some(failed(name, FailureCause::PortSwapped, text, &[first.frame()]));
        }
        if let Some(refused) = self.refused(name) {
            return Some(refused);
        }
        Some(self.unlisted(name))
    }

    /// The master refuses what the server has answered.
    fn refused(&self, name: StepName) -> Option<StepReport> {
        let RegistrationRecord { answers, accepted, refusals, .. } = self.record;
        let last = refusals.last?;
        let is_last = |before: &MessageTally| before.last.is_none_or(|before| before < last);
        if answers.count == 0 || !is_last(answers) || !is_last(accepted) {
            return None;
        }
        let text = format!("the master refuses the server with {}", refusals.name);
        Some(failed(name, FailureCause::Refused, text, &refusals.frames))
    }

    /// The time in which lists should have it: after the registration, and before the server shut
    /// down or its entry expired. In nanoseconds since the Unix epoch.
    fn listed_time(&self) -> Option<Range<i64>> {
        let RegistrationRecord { answers, heartbeats, shutdowns, .. } = self.record;
        let since = answers.first.or(self.record.accepted.first).or(heartbeats.first)?;
        let last = heartbeats.last.unwrap_or(since).max(answers.last.unwrap_or(since));
        let gone = shutdowns.first.filter(|gone| *gone >= since).unwrap_or(i64::MAX);
        Some(since..gone.min(last.saturating_add(SILENCE)))
    }

    /// Whether the lists have it under another address. A router replaces a private one on the way to
    /// a master; a capture on all devices has both.
    fn translated(&self, name: StepName) -> Option<StepReport> {
        if !is_private(self.server.ip()) {
            return None;
        }
        let others = self.same_port.listed_by(self.master, self.server.port(), self.hosts);
        let others = others.filter(|other| other.address.ip() != self.server.ip());
        let own = self.host.and_then(|host| host.name.as_ref());
        // One of another name is another server.
        let may_be = |other: &&ServerHost| match (own, other.name.as_ref()) {
            (Some(own), Some(name)) => own == name,
            _ => true,
        };
        let is_it = |other: &&ServerHost| own.is_some() && other.name.as_ref() == own;
        let mut others = others.filter(may_be).peekable();
        let first = others.peek().map(|other| other.address);
        let listed = others.find(is_it).and_then(|other| {
            let with = other.registrations.iter().find(|with| with.master == self.master)?;
            Some((other.address, with.first_listed?, with.listed))
        });
        if let Some((address, moment, count)) = listed {
            let lists = counted(self.lists.count().max(count.into()), "list");
            let text = format!(
                "in {count} of {lists} as {address}, which has its port and its name: a router \
                 replaces its address"
            );
            return Some(ok(name, text, &[moment.frame()]));
        }
        if is_private(self.master.ip()) {
            return None;
        }
        let ip = self.server.ip();
        let mut text = format!(
            "not judged: {ip} is a private address, which a router replaces on the way to this \
             master; lists have the router's address"
        );
        if let Some(address) = first {
            text = format!("{text}, such as {address}, which has its port");
        }
        Some(unseen(name, text))
    }

    /// No list contains it: whether any should.
    fn unlisted(&self, name: StepName) -> StepReport {
        if let Some(translated) = self.translated(name) {
            return translated;
        }
        let lists = self.listed_time().map(|time| self.lists.within(time)).unwrap_or_default();
        if lists.is_empty() && self.lists.has_unknown() {
            let text = "not judged: this master sent more lists than are kept";
            return unseen(name, text);
        }
        if lists.is_empty() {
            let text = "no list of this master was asked for while the server was registered";
            return unseen(name, text);
        }
        let is_known_in_full = self.record.answers.count > 0 && !self.record.cut;
        let (mut without, mut excused, mut count) = (Vec::new(), Vec::new(), 0);
        for (kind, lists) in &lists {
            count += lists.len() as u64;
            let frames = lists.iter().filter_map(|list| list.frame);
            let excuse = match self.host {
                Some(host) => kind.excuse(host, is_known_in_full),
                None => Some("nothing is known of the server".to_owned()),
            };
            match excuse {
                None => without.extend(frames),
                // The first list of a kind stands for all of them.
                Some(why) => excused.extend(frames.min().map(|frame| (frame, why))),
            }
        }
        // Of a kind with very many lists only some are kept.
        let more = if lists.iter().any(|(kind, _)| kind.is_sampled()) { " or more" } else { "" };
        let first = excused.into_iter().min_by_key(|(frame, _)| *frame);
        if let Some((frame, why)) = first.filter(|_| without.is_empty()) {
            let of = counted(count, "list");
            let text =
                format!("{of}{more} after that, without it: in frame {} {why}", frame.number);
            return StepReport { frames: vec![frame], ..unseen(name, text) };
        }
        let of = counted(without.len() as u64, "list");
        let text = format!("{of}{more} after that should have it, without it");
        without.sort_unstable();
        without.truncate(NAMED);
        failed(name, FailureCause::Unlisted, text, &without)
    }
}
