//! The user's display filter, applied to the messages of a pipeline.

use analysis::{Analyzer, CapturedMessage, FrameIndex, InputSet, Pipeline};
use filter::{EvalScratch, ExchangeRef, Filter, Subject};
use text::Secrets;

/// Applies the user's display filter to messages; without one, all match.
pub(super) struct MessageFilter {
    filter: Option<Filter>,
    /// Exchanges and findings by frame, if the filter needs them.
    index: FrameIndex<ExchangeRef>,
    scratch: EvalScratch,
    inputs: InputSet,
    /// The time of the first message.
    first: Option<i64>,
}

impl MessageFilter {
    /// A filter for the messages of a pipeline; what it needs to know is analysed.
    pub fn open(
        filter: Option<Filter>,
        pipeline: &mut Pipeline,
        secrets: Secrets,
    ) -> anyhow::Result<Self> {
        let mut index = FrameIndex::default();
        if filter.as_ref().is_some_and(Filter::needs_analysis) {
            let analyzer = pipeline.analyze(Analyzer::with_frames(), |exchange| {
                index.add_exchange(ExchangeRef::from(exchange), exchange.numbers());
            })?;
            index.finish(&analyzer);
            if index.left_out() > 0 {
                let n = index.left_out();
                pipeline.add_warnings([format!(
                    "filters do not know the exchanges of {n} messages: there are too many"
                )]);
            }
        }
        let scratch = EvalScratch::new(secrets);
        let inputs = pipeline.input_set().clone();
        Ok(Self { filter, index, scratch, inputs, first: None })
    }

    /// Whether every message matches.
    pub fn matches_all(&self) -> bool {
        self.filter.is_none()
    }

    /// Whether a message matches. Called for all messages in order.
    pub fn matches(&mut self, message: &CapturedMessage<'_>) -> bool {
        let Self { filter, index, scratch, inputs, first } = self;
        *first = first.or(Some(message.header.time).filter(|time| text::has_time(*time)));
        let first = first.unwrap_or(message.header.time);
        let subject = Subject::new(message, first).with_inputs(inputs).with(index);
        filter.as_ref().is_none_or(|filter| filter.matches(&subject, scratch))
    }
}
