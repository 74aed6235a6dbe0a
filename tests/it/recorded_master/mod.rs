//! Recorded masters: each request of each capture is answered again as in the recording, and the
//! command answers live clients, those of this test and those of other authors.

mod answers;
mod clients;
mod streams;

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fragshark::analysis::{CapturedMessage, Pipeline, Prepared};
use fragshark::capture::Input;
use fragshark::flow::Transport;
use masters::{DueReply, IncomingDatagram, RecordedAnswers as _};
use replay::{
    MasterAddress, PlayEvent, PlayOptions, RecordedMaster, RecordedReply, RecordedRequest,
    Transcript,
};

use crate::golden::{self, captures};
use crate::story::{Format, Link, Story};

fn transcript(path: &Path) -> Transcript {
    transcript_of(path, |_| true)
}

/// The same of the selected messages.
fn transcript_of(path: &Path, select: impl FnMut(&CapturedMessage<'_>) -> bool) -> Transcript {
    let prepared = Prepared::new(vec![Input::from_argument(path.as_os_str())]);
    let mut pipeline = Pipeline::begin(prepared, Vec::new()).unwrap();
    Transcript::of_recording(&mut pipeline, select).unwrap()
}

/// A capture of the project.
fn capture(name: &str) -> PathBuf {
    golden::path("captures").join(name)
}

/// A capture of datagrams: microseconds after the one before, from where, to where, and its bytes.
fn story(datagrams: &[(i64, &str, &str, &[u8])]) -> tempfile::NamedTempFile {
    let mut story = Story::new(Link::RawIp, Format::PcapNg, 1_000);
    for (pause, from, to, payload) in datagrams {
        story.after(*pause).send(from.parse().unwrap(), to.parse().unwrap(), payload);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), story.file()).unwrap();
    file
}

/// A recorded master, and what it reports.
fn master_of(path: &Path, options: &PlayOptions) -> (RecordedMaster, Arc<Mutex<Vec<PlayEvent>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let report = Box::new(move |event| kept.lock().unwrap().push(event));
    let master = RecordedMaster::new(&transcript(path), options, report);
    (master.unwrap_or_else(|why| panic!("{}: {why}", path.display())), events)
}

/// A list of Quake III's.
fn list(servers: &[&str]) -> Vec<u8> {
    let mut list = b"\xff\xff\xff\xffgetserversResponse".to_vec();
    for server in servers {
        let SocketAddr::V4(server) = server.parse().unwrap() else { panic!("{server}") };
        list.push(b'\\');
        list.extend(server.ip().octets());
        list.extend(server.port().to_be_bytes());
    }
    list.extend(b"\\EOT\0\0\0");
    list
}

/// A datagram of a master: from where, to where, and its bytes.
type Sent = (SocketAddr, SocketAddr, Vec<u8>);

/// Whether a reply went to the sender of the request, or to the port that it names.
fn is_played(request: &RecordedRequest, reply: &RecordedReply) -> bool {
    !reply.cut && (reply.to == request.from || Some(reply.to) == request.server)
}

/// What a recorded master sends when it is sent a request from a recorded address.
fn played(master: &mut RecordedMaster, request: &RecordedRequest) -> Vec<Sent> {
    let (recorded, local, from) = (request.to, request.to.ip(), request.from);
    let payload = &request.bytes;
    master.take_datagram(&IncomingDatagram { now: 0, recorded, local, from, payload });
    let due = std::iter::from_fn(|| master.pop_due(0));
    due.map(|DueReply { recorded, to, bytes, .. }| (recorded, to, bytes)).collect()
}

#[test]
fn every_recorded_request_is_answered_as_it_was() {
    let (mut replies, mut wrong) = (BTreeMap::new(), Vec::new());
    for path in captures() {
        let transcript = transcript(&path);
        for end in transcript.masters.keys().filter(|(t, _)| *t == Transport::Udp).map(|(_, e)| *e)
        {
            let master: MasterAddress = end.to_string().parse().unwrap();
            let options = PlayOptions { master: Some(master), ..PlayOptions::default() };
            let Ok(mut master) = RecordedMaster::new(&transcript, &options, Box::new(|_| {}))
            else {
                continue;
            };
            let (mut expected, mut sent) = (Vec::new(), Vec::new());
            let requests = transcript.requests.iter().filter(|request| {
                let is_answered = request.replies.iter().any(|reply| is_played(request, reply));
                request.transport == Transport::Udp && (is_answered || request.is_answer)
            });
            for request in requests {
                let of_master = request.to == end;
                let recorded =
                    request.replies.iter().filter(|r| of_master && is_played(request, r));
                expected.extend(recorded.map(|r| (r.from, r.to, r.bytes.to_vec())));
                sent.extend(played(&mut master, request));
            }
            let protocol = transcript.masters[&(Transport::Udp, end)].protocol.id;
            *replies.entry(protocol).or_insert(0) += expected.len();
            // A server's answer comes before what the master sends next, wherever that is listed.
            expected.sort();
            sent.sort();
            if sent != expected {
                let name = path.display();
                wrong.push(format!("{name} {end}: {} {}", sent.len(), expected.len()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(replies.len() >= 10 && replies.values().sum::<usize>() > 250, "{replies:?}");
}
