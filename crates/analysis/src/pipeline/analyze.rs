//! The analysis of all messages of a pipeline.

use std::ops::ControlFlow;

use super::super::analyzer::Analyzer;
use super::super::exchange::{EndedRange, Exchange, MessageTurn};
use super::super::message::CapturedMessage;
use super::super::message_batch::MessageBatch;
use super::super::placed::PlacedBatch;
use super::super::values::{ValueBatch, ValueReader};
use super::Pipeline;
use capture::OpenError;
use flow::Flows;

/// What was read of the messages of a batch, in order.
pub trait ReadBatch: Default + Send {
    /// Their values.
    fn values(&self) -> &ValueBatch;
}

impl ReadBatch for ValueBatch {
    fn values(&self) -> &ValueBatch {
        self
    }
}

/// A message that has been analysed.
pub struct AnalysedMessage<'a, R> {
    /// The message.
    pub message: &'a CapturedMessage<'a>,
    /// What was read of its batch, and its position there.
    pub read: (&'a R, usize),
    /// The number of its exchange, and what it does there; nothing if it was not analysed.
    pub exchange: Option<(u64, MessageTurn)>,
    /// The exchanges that it has ended, in order.
    pub ended: EndedRange<'a>,
}

/// What is known of the messages of a batch.
#[derive(Default)]
struct AnalysedBatch<R> {
    read: R,
    placed: PlacedBatch,
}

#[expect(clippy::missing_errors_doc, reason = "OpenError says which input cannot be opened")]
impl Pipeline {
    /// Analyses everything, and passes on each exchange when it ends: 30 seconds without an answer,
    /// 5 seconds without more of one, or the end of the capture.
    pub fn analyze(
        &mut self,
        analyzer: Analyzer,
        ended: impl FnMut(&Exchange),
    ) -> Result<Analyzer, OpenError> {
        self.analyze_where(analyzer, |_| true, ended)
    }

    /// The same for the messages that `selects` accepts.
    pub fn analyze_where(
        &mut self,
        mut analyzer: Analyzer,
        mut selects: impl FnMut(&CapturedMessage<'_>) -> bool + Send,
        mut ended: impl FnMut(&Exchange),
    ) -> Result<Analyzer, OpenError> {
        if self.reopens() {
            let (secrets, needs) = (self.flows.secrets(), analyzer.needs());
            let worker = || {
                let mut reader = ValueReader::new(secrets, needs);
                move |batch: &MessageBatch, values: &mut ValueBatch| {
                    values.clear();
                    batch.messages().for_each(|message| reader.read_values(&message, values));
                }
            };
            self.analyze_ahead(
                &mut analyzer,
                worker,
                selects,
                |_| {},
                |of, _| {
                    of.ended.for_each(&mut ended);
                    ControlFlow::<()>::Continue(())
                },
            )?;
        } else {
            self.messages_with(|message, flows| {
                if selects(message) {
                    analyzer.analyze(message, flows);
                    analyzer.ended().for_each(&mut ended);
                }
                ControlFlow::<()>::Continue(())
            })?;
        }
        analyzer.finish(&self.flows, &mut ended);
        self.warnings.extend(analyzer.warnings());
        Ok(analyzer)
    }

    /// Analyses the messages that `selects` accepts with all threads: each reads messages with its
    /// own worker, one at a time finds their exchanges and passes on what was read of each batch to
    /// `pass_on`, and this one concludes and passes on all messages in order to `take`, until that
    /// breaks. The analysis is to be finished then. Input
    /// that is read once is not for this.
    pub fn analyze_ahead<R: ReadBatch, W: FnMut(&MessageBatch, &mut R), B>(
        &mut self,
        analyzer: &mut Analyzer,
        worker: impl Fn() -> W + Sync,
        mut selects: impl FnMut(&CapturedMessage<'_>) -> bool + Send,
        mut pass_on: impl FnMut(&R) + Send,
        mut take: impl FnMut(AnalysedMessage<'_, R>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        let (exchanges, conclusions) = analyzer.stages();
        let worker = || {
            let mut work = worker();
            move |batch: &MessageBatch, of: &mut AnalysedBatch<R>| work(batch, &mut of.read)
        };
        let place = |batch: &MessageBatch, of: &mut AnalysedBatch<R>, flows: &Flows| {
            let AnalysedBatch { read, placed } = of;
            placed.clear(exchanges);
            exchanges.prefetch(batch.end().unwrap_or(i64::MIN));
            for (message, values) in batch.messages().zip(read.values().iter()) {
                if selects(&message) {
                    placed.place(exchanges, &message, values, flows);
                } else {
                    placed.skip();
                }
            }
            pass_on(read);
        };
        self.work_ahead_in_order(worker, place, |batch, AnalysedBatch { read, placed }, flows| {
            conclusions.show(flows.secrets());
            let all = batch.messages().zip(read.values().iter().zip(placed.iter()));
            for (at, (message, (values, placed))) in all.enumerate() {
                let exchange = placed.placement.map(|placement| (placement.id, placement.step));
                let (ended, read) = (placed.ended.clone(), (&*read, at));
                conclusions.conclude(&message, values, placed);
                take(AnalysedMessage { message: &message, read, exchange, ended }, flows)?;
            }
            ControlFlow::Continue(())
        })
    }
}
