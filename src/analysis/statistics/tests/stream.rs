//! A pipeline is counted as a session is; the times in which heartbeats are overdue.

use std::ops::ControlFlow;

use std::sync::Arc;

use parking_lot::Mutex;

use super::super::{SessionStatistics, StatisticsStream};
use super::{CLIENT, MASTER, S, SERVER, in_steps, message};
use crate::analysis::session::Session;
use crate::analysis::{AnalysisNeeds, Analyzer, Pipeline};
use crate::capture::{Input, project_captures};

#[test]
fn a_pipeline_gives_the_statistics_of_a_session() {
    let mut heartbeats = 0;
    for path in project_captures() {
        let input = Input::File(path.clone());
        let (session, loader) = Session::open(std::slice::from_ref(&input), Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        loader.run(&session);
        let of_session = in_steps(&session.lock(), None, usize::MAX);

        let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
        let mut analyzer = Analyzer::new(AnalysisNeeds::Exchanges);
        let mut stream = StatisticsStream::new(false);
        let done = pipeline.messages_with(|message, flows| {
            stream.add_message(&message.header, true);
            analyzer.take(message, flows);
            analyzer.ended().for_each(|exchange| stream.add_exchange(exchange));
            ControlFlow::<()>::Continue(())
        });
        done.unwrap();
        analyzer.finish(pipeline.flows());
        analyzer.ended().for_each(|exchange| stream.add_exchange(exchange));
        let of_pipeline = stream.finish();
        heartbeats += of_pipeline.heartbeats.series().len();
        assert_eq!(format!("{of_pipeline:#?}"), format!("{of_session:#?}"), "{}", path.display());
    }
    assert!(heartbeats > 50, "{heartbeats}");
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
