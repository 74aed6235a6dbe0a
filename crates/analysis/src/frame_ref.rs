//! A frame as findings name it.

use flow::FlowId;

/// A frame: its number, its flow, and the input that it is from. Ordered by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameRef {
    /// From 1, over all inputs.
    pub number: u64,
    /// 0 where it is not known.
    pub flow: FlowId,
    /// The index of its input.
    pub input: u16,
}

/// Where the frames of a finding come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameOrigin {
    /// The input of the first of them.
    pub input: u16,
    /// The flow that all of them are of, if there is one.
    pub flow: Option<FlowId>,
}

impl FrameOrigin {
    /// Of these frames; of none, the first input.
    pub fn from_frames(frames: &[FrameRef]) -> Self {
        let Some((first, others)) = frames.split_first() else {
            return Self { input: 0, flow: None };
        };
        let flow = Some(first.flow).filter(|flow| *flow != FlowId(0));
        Self { input: first.input, flow }.and(others)
    }

    /// The same with more frames.
    #[must_use]
    pub fn and(self, others: &[FrameRef]) -> Self {
        let is_same = |flow: &FlowId| others.iter().all(|frame| frame.flow == *flow);
        Self { flow: self.flow.filter(is_same), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_counts_if_all_frames_are_of_it() {
        let frame = |number, flow| FrameRef { number, flow: FlowId(flow), input: number as u16 };
        let flow = |flows: &[u32]| {
            let frames: Vec<_> = (1..).zip(flows).map(|(n, flow)| frame(n, *flow)).collect();
            FrameOrigin::from_frames(&frames).flow.map(|flow| flow.0)
        };
        for (flows, one) in
            [(&[][..], None), (&[7], Some(7)), (&[7, 7], Some(7)), (&[7, 8], None), (&[0, 0], None)]
        {
            assert_eq!(flow(flows), one, "{flows:?}");
        }
        assert_eq!(FrameOrigin::from_frames(&[frame(3, 1), frame(2, 1)]).input, 3);
    }
}
