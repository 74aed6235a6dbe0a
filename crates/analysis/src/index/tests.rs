//! The index has what the analysis of the same messages gives.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::{
    AnalysisIndex, AnalysisNeeds, Analyzer, Exchange, ListContents, Loader, Pipeline, Session,
};
use capture::Input;

/// Every capture of this project, by its name.
fn captures() -> Vec<(String, Arc<[u8]>)> {
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read(path).unwrap().into());
    test_data::captures().into_iter().map(read).collect()
}

fn input(name: &str, bytes: &Arc<[u8]>) -> Input {
    Input::Memory { name: name.to_owned(), bytes: Arc::clone(bytes) }
}

/// The exchanges as text, with what an index keeps of lists.
fn texts(exchanges: impl Iterator<Item = Exchange>) -> Vec<String> {
    let mut all: Vec<_> = exchanges.collect();
    all.sort_by_key(|exchange| (exchange.first, exchange.number(), exchange.id));
    let text = |mut exchange: Exchange| {
        exchange.listing = exchange.listing.map(|listing| {
            let ListContents { count, packet_count, .. } = *listing;
            Box::new(ListContents { count, packet_count, ..ListContents::default() })
        });
        (exchange.missing_parts, exchange.observed_for) = (None, 0);
        format!("{exchange:?}")
    };
    all.into_iter().map(text).collect()
}

fn analysed(name: &str, bytes: &Arc<[u8]>) -> Vec<String> {
    let mut pipeline = Pipeline::open(vec![input(name, bytes)], Vec::new()).unwrap();
    let (analyzer, mut all) = (Analyzer::new(AnalysisNeeds::Findings), Vec::new());
    pipeline.analyze(analyzer, |exchange: &Exchange| all.push(exchange.clone())).unwrap();
    texts(all.into_iter())
}

fn indexed(session: &Session) -> Vec<String> {
    let index: &AnalysisIndex = session.index().unwrap();
    let exchanges = 0..index.exchanges().len();
    texts(exchanges.map(|at| index.exchange(at, session).unwrap()))
}

fn load_at_once(mut loader: Loader, session: &mut Session) {
    while loader.load(session, 100) {}
}

#[test]
fn an_index_has_every_exchange_as_it_was() {
    let mut count = 0;
    for (name, bytes) in captures() {
        let should = analysed(&name, &bytes);
        let (session, loader) = Session::open(&[input(&name, &bytes)], Vec::new()).unwrap();
        let session = Mutex::new(session);
        loader.run(&session);
        assert_eq!(indexed(&session.lock()), should, "{name}");

        let (mut session, loader) = Session::open(&[input(&name, &bytes)], Vec::new()).unwrap();
        load_at_once(loader, &mut session);
        assert_eq!(indexed(&session), should, "{name}");
        count += should.len();
    }
    assert!(count > 250, "{count} exchanges");
}

#[test]
fn each_message_belongs_to_the_exchange_that_has_it() {
    for (name, bytes) in captures() {
        let (mut session, loader) = Session::open(&[input(&name, &bytes)], Vec::new()).unwrap();
        load_at_once(loader, &mut session);
        let index = session.index().unwrap();
        for at in 0..index.exchanges().len() {
            let exchange = index.exchange(at, &session).unwrap();
            let messages = index.messages_of(at).map(|at| session.header(at).unwrap().number);
            assert!(messages.eq(exchange.numbers()), "{name}");
            for number in exchange.numbers() {
                let own = index.exchange_of(number).and_then(|own| index.exchange(own, &session));
                assert!(own.unwrap().numbers().any(|other| other == number), "{name}: {number}");
            }
        }
    }
}
