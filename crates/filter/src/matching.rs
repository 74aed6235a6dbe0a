//! All messages of a session that match a filter.

use std::ops::ControlFlow;

use parking_lot::Mutex;

use super::{EvalScratch, Filter, Subject};
use analysis::{ScanBatch, ScanMessages, Session, SessionScan};
use text::Secrets;

impl Filter {
    /// Tests messages of a session with so many threads, while others may use the session. Passes
    /// the indices of those that match to `take`, batch by batch, in the order of `messages`, each
    /// time with the number of messages that have been tested; until `take` breaks.
    ///
    /// What is known of exchanges and findings is that of the session's index when it begins.
    pub fn matching(
        &self,
        session: &Mutex<Session>,
        messages: ScanMessages,
        secrets: Secrets,
        threads: usize,
        mut take: impl FnMut(&[u32], usize) -> ControlFlow<()>,
    ) {
        let (first, index, inputs) = {
            let session = session.lock();
            let index = self.needs_analysis().then(|| session.shared_index()).flatten();
            (session.begin_time().unwrap_or(0), index, session.input_set().clone())
        };
        let scan = SessionScan { messages, needs_payload: self.needs_payload(), threads };
        let worker = || {
            let mut scratch = EvalScratch::new(secrets);
            let (index, inputs) = (index.as_deref(), &inputs);
            move |batch: &ScanBatch, found: &mut Vec<u32>| {
                found.clear();
                for (at, message) in batch.messages() {
                    let subject = Subject::new(&message, first).with_inputs(inputs);
                    let subject = match index {
                        Some(index) => subject.with(index),
                        None => subject,
                    };
                    if self.matches(&subject, &mut scratch) {
                        found.push(at as u32);
                    }
                }
            }
        };
        scan.run(session, worker, |found, tested| take(found, tested));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::CapturedMessage;
    use capture::Input;

    /// A session with everything that a capture has.
    fn loaded(capture: &str) -> Mutex<Session> {
        let path = test_data::capture(capture);
        let (session, loader) = Session::open(&[Input::File(path)], Vec::new()).unwrap();
        let session = Mutex::new(session);
        loader.run(&session);
        session
    }

    /// A plain loop over all messages.
    fn tested(session: &Session, filter: &Filter) -> Vec<u32> {
        let (mut scratch, mut payload) = (EvalScratch::default(), Vec::new());
        let first = session.time(0).unwrap();
        let matches = |index: &u32| {
            let message = session.message(*index as usize, &mut payload).unwrap().unwrap();
            let CapturedMessage { header, payload } = message;
            let message = CapturedMessage { header, payload };
            let subject = Subject::new(&message, first).with(session.index().unwrap());
            filter.matches(&subject, &mut scratch)
        };
        (0..session.len() as u32).filter(matches).collect()
    }

    #[test]
    fn messages_of_one_capture_are_found() {
        let inputs = ["tour.pcapng", "quake3/third-column.pcap"];
        let inputs = inputs.map(|name| Input::File(test_data::capture(name)));
        let (session, loader) = Session::open(&inputs, Vec::new()).unwrap();
        let session = Mutex::new(session);
        loader.run(&session);
        for (text, input) in [("tour.pcapng", 0), ("third-column", 1)] {
            let filter = Filter::parse(&format!("file contains \"{text}\"")).unwrap();
            let mut found = Vec::new();
            let all = ScanMessages::Range(0..usize::MAX);
            filter.matching(&session, all, Secrets::Masked, 2, |some, _| {
                found.extend_from_slice(some);
                ControlFlow::Continue(())
            });
            let session = session.lock();
            let is_of = |at: &u32| session.header(*at as usize).unwrap().input == input;
            let should: Vec<u32> = (0..session.len() as u32).filter(is_of).collect();
            assert!(!should.is_empty() && should.len() < session.len(), "{text}");
            assert_eq!(found, should, "{text}");
        }
    }

    #[test]
    fn all_messages_that_match_are_found() {
        for capture in ["tour.pcapng", "quake3/third-column.pcap"] {
            let session = loaded(capture);
            let mut found_any = 0;
            for text in [
                "udp",
                "quake3.status-response",
                "field.protocol == 68",
                "field.sv_hostname ~ \"a\" or field.ping > 30",
                "not field.ping",
                "exchange.state == \"answered\"",
                "finding",
                "frame.time > 1s and field.challenge",
            ] {
                let Ok(filter) = Filter::parse(text) else { panic!("{text}") };
                let should = tested(&session.lock(), &filter);
                found_any += usize::from(!should.is_empty());
                for threads in [1, 2] {
                    for back in [false, true] {
                        let order: fn(_) -> _ =
                            if back { ScanMessages::Back } else { ScanMessages::Range };
                        let mut all = Vec::new();
                        filter.matching(
                            &session,
                            order(0..usize::MAX),
                            Secrets::Masked,
                            threads,
                            |found, _| {
                                all.extend_from_slice(found);
                                ControlFlow::Continue(())
                            },
                        );
                        if back {
                            all.reverse();
                        }
                        assert_eq!(all, should, "{capture}: {text}");
                    }
                }
            }
            assert!(found_any > 4, "{capture}: {found_any}");
        }
    }
}
