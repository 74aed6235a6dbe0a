//! The rows of servers with each of their masters.

use super::hosts::files;
use super::row::row;
use analysis::{InputSet, Registration, RegistrationStats, ServerHost, StepName, StepReport};

row! {
    /// A server, and a master that it sent heartbeats to or that listed it.
    RegistrationRow {
        file: Texts in "", "as in `servers`";
        server;
        server_port;
        master: Address in "", "the master's address";
        master_port: Port in "", "the master's port";
        game;
        heartbeats: Number in "", "how many heartbeats the server sent to this master; those of a shutdown are none";
        first_heartbeat: Time or none in "UTC", "when its first heartbeat to this master was captured";
        last_heartbeat: Time or none in "UTC", "when its last heartbeat to this master was captured";
        heartbeat_intervals: Number in "", "how many times between two heartbeats were 5 seconds or longer, that to a shutdown by two heartbeats left out";
        heartbeat_interval_ns: Duration or none in "nanoseconds", "their mean";
        heartbeat_interval_min_ns: Duration or none in "nanoseconds", "the shortest of them";
        heartbeat_interval_max_ns: Duration or none in "nanoseconds", "the longest of them";
        heartbeat_documented_ns: Duration or none in "nanoseconds", "the documented interval of its heartbeats, if there is one";
        first_challenge: Time or none in "UTC", "when the master first sent a challenge";
        first_proof: Time or none in "UTC", "when the server first answered one correctly";
        list_packets: Number in "", "how many packets of this master's lists have the server";
        first_listed;
        last_listed: Time or none in "UTC", "when it was last listed";
        listed: Text in "", "the step `listing`: `ok`, `failed` or `unseen`; empty if it was not reached";
        failed_step: Text in "", "the step that failed, as `explain` names it: `heartbeat`, `challenge`, `answer`, `proof`, `contents` or `listing`; empty if none did";
        cause: Text in "", "why it failed: `master-unreachable`, `heartbeat-unanswered`, `refused`, `value-changed`, `server-unreachable`, `challenge-unanswered`, `misdirected`, `challenge-wrong`, `contents-incomplete`, `port-swapped`, `unlisted`";
        verdict: Text in "", "what came of it, in words, with the reason if a step failed";
        steps: Texts in "", "each step that was reached, as `name state`";
        is_list_port: Flag in "", "whether this port of the master only sent lists, over TCP; heartbeats go to another one";
    }
}

impl RegistrationRow<'_> {
    pub(super) fn new(
        server: &ServerHost,
        stats: &RegistrationStats,
        found: Option<&Registration>,
        inputs: &InputSet,
    ) -> Self {
        let intervals = stats.intervals();
        let failed = found.and_then(Registration::failed);
        let verdict = found.map(|found| match failed {
            Some(step) => format!("{}: {}", found.verdict(), step.text),
            None => found.verdict(),
        });
        let reached = || found.into_iter().flat_map(Registration::reached);
        let listing = reached().find(|step| step.name == StepName::Listing);
        let words = |step: &StepReport| format!("{} {}", step.name, step.state);
        Self {
            file: files(&server.inputs, inputs),
            server: server.address.ip(),
            server_port: server.address.port(),
            master: stats.master.ip(),
            master_port: stats.master.port(),
            game: server.game_id(),
            heartbeats: stats.heartbeats().into(),
            first_heartbeat: stats.first_heartbeat().map(|moment| moment.time),
            last_heartbeat: stats.last_heartbeat().map(|moment| moment.time),
            heartbeat_intervals: intervals.map_or(0, |of| of.count().into()),
            heartbeat_interval_ns: intervals.map(|of| of.mean),
            heartbeat_interval_min_ns: intervals.map(|of| of.shortest),
            heartbeat_interval_max_ns: intervals.map(|of| of.longest),
            heartbeat_documented_ns: stats.documented_interval(),
            first_challenge: stats.challenged().map(|moment| moment.time),
            first_proof: stats.verified().map(|moment| moment.time),
            list_packets: stats.listed.into(),
            first_listed: stats.first_listed.map(|moment| moment.time),
            last_listed: stats.last_listed.map(|moment| moment.time),
            listed: listing.map_or("", |step| step.state.name()).into(),
            failed_step: failed.map_or("", |step| step.name.name()).into(),
            cause: failed.and_then(|step| step.cause).map_or("", |cause| cause.name()).into(),
            verdict: verdict.unwrap_or_default().into(),
            steps: reached().map(words).collect(),
            is_list_port: stats.is_list_port,
        }
    }
}
