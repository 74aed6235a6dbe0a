//! A pipeline is counted as a session is; the times in which heartbeats are overdue.

use std::collections::HashSet;
use std::ops::ControlFlow;

use std::sync::Arc;

use parking_lot::Mutex;

use super::super::{SessionStatistics, StatisticsStream};
use super::{CLIENT, MASTER, S, SERVER, in_steps, message};
use crate::session::Session;
use crate::{AnalysisNeeds, Analyzer, Pipeline};
use capture::Input;
use test_data::captures;

/// All messages, and then every second one.
#[test]
fn a_pipeline_gives_the_statistics_of_a_session() {
    let mut heartbeats = 0;
    for path in captures() {
        let input = Input::File(path.clone());
        let (session, loader) = Session::open(std::slice::from_ref(&input), Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        loader.run(&session);
        for every in [1, 2] {
            let session = session.lock();
            let selected = (0..session.len() as u32).filter(|index| index % every == 0);
            let selected = (every > 1).then(|| selected.collect());
            let of_session = in_steps(&session, selected, usize::MAX);
            let of_pipeline = of_pipeline(input.clone(), every);
            heartbeats += of_pipeline.heartbeats.series().len();
            let [one, other] = [of_pipeline, of_session].map(|all| format!("{all:#?}"));
            assert_eq!(one, other, "{}, every {every}", path.display());
        }
    }
    assert!(heartbeats > 100, "{heartbeats}");
}

/// The statistics of a pipeline in which every second message, or every one, is selected.
fn of_pipeline(input: Input, every: u32) -> SessionStatistics {
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut analyzer = Analyzer::new(AnalysisNeeds::Exchanges);
    let mut stream = StatisticsStream::new(every > 1);
    let (mut index, mut selected) = (0, HashSet::new());
    let done = pipeline.messages_with(|message, flows| {
        let is_selected = index % every == 0;
        index += 1;
        stream.add_message(&message.header, is_selected);
        let exchange = analyzer.analyze(message, flows);
        selected.extend(exchange.filter(|_| is_selected).map(|(exchange, _)| exchange));
        for exchange in analyzer.ended() {
            stream.add_exchange(exchange, selected.remove(&exchange.id));
        }
        ControlFlow::<()>::Continue(())
    });
    done.unwrap();
    analyzer.finish(pipeline.flows(), |exchange| {
        stream.add_exchange(exchange, selected.remove(&exchange.id));
    });
    stream.finish()
}

#[test]
fn overdue_times_begin_when_a_heartbeat_is_late() {
    let mut statistics = SessionStatistics::default();
    for at in [0, 300, 900, 1_200] {
        let header = message(at, "quake3", "heartbeat", SERVER, MASTER);
        statistics.add_message((&header, true), || None);
    }
    let end = message(2_000, "quake3", "getservers", CLIENT, MASTER);
    statistics.add_message((&end, true), || None);
    statistics.finish();
    let [series] = statistics.heartbeats.series() else { panic!("one server") };
    let width = statistics.heartbeats.buckets().width();
    // Due after 300 s and 10 %.
    let seconds = series.overdue(width, 2_000 * S).into_iter().map(|of| of.map(|time| time / S));
    assert_eq!(seconds.collect::<Vec<_>>(), [[630, 900], [1_530, 2_000]]);
}
