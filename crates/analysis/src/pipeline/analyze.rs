//! The analysis of all messages of a pipeline.

use std::ops::ControlFlow;

use super::super::analyzer::Analyzer;
use super::super::exchange::Exchange;
use super::super::message::CapturedMessage;
use super::super::message_batch::MessageBatch;
use super::super::placed::PlacedBatch;
use super::super::values::{ValueBatch, ValueReader};
use super::Pipeline;
use capture::OpenError;
use flow::Flows;

/// What is known of the messages of a batch.
#[derive(Default)]
struct AnalysedBatch {
    values: ValueBatch,
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
            let (exchanges, conclusions) = analyzer.stages();
            let worker = || {
                let mut reader = ValueReader::new(secrets, needs);
                move |batch: &MessageBatch, of: &mut AnalysedBatch| {
                    of.values.clear();
                    batch
                        .messages()
                        .for_each(|message| reader.read_values(&message, &mut of.values));
                }
            };
            let place = |batch: &MessageBatch, of: &mut AnalysedBatch, flows: &Flows| {
                let AnalysedBatch { values, placed } = of;
                placed.clear(exchanges);
                for (message, values) in batch.messages().zip(values.iter()) {
                    if selects(&message) {
                        placed.place(exchanges, &message, values, flows);
                    } else {
                        placed.skip();
                    }
                }
            };
            self.work_ahead_in_order(worker, place, |batch, of, flows| {
                conclusions.show(flows.secrets());
                let read = of.values.iter().zip(of.placed.iter());
                for (message, (values, placed)) in batch.messages().zip(read) {
                    conclusions.conclude(&message, values, placed, &mut ended);
                }
                ControlFlow::<()>::Continue(())
            })?;
        } else {
            self.messages_with(|message, flows| {
                if selects(message) {
                    analyzer.analyze(message, flows);
                    analyzer.ended().for_each(&mut ended);
                }
                ControlFlow::<()>::Continue(())
            })?;
        }
        analyzer.finish(&self.flows);
        analyzer.ended().for_each(&mut ended);
        self.warnings.extend(analyzer.warnings());
        Ok(analyzer)
    }
}
