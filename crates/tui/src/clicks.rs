//! The actions of the mouse: clicks, double clicks, the wheel.

use std::time::Instant;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::action::{Action, Motion};

/// Two clicks within this time at one place are a double click, in milliseconds.
const DOUBLE_CLICK: u128 = 400;

/// When and where the button of the mouse was last pressed.
#[derive(Debug, Default)]
pub struct Clicks {
    last: Option<(Instant, Position)>,
}

impl Clicks {
    /// The action of an event; nothing for those without a meaning.
    pub fn action(&mut self, mouse: MouseEvent) -> Option<Action> {
        let at = Position::new(mouse.column, mouse.row);
        let is_sideways = mouse.modifiers.contains(KeyModifiers::SHIFT);
        Some(match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let now = Instant::now();
                let before = self.last.replace((now, at));
                let is_second = before.is_some_and(|(then, there)| {
                    there == at && now.duration_since(then).as_millis() < DOUBLE_CLICK
                });
                if is_second {
                    self.last = None;
                    Action::DoubleClick(at)
                } else {
                    Action::Click(at)
                }
            }
            MouseEventKind::Down(MouseButton::Right) => Action::RightClick(at),
            MouseEventKind::Drag(MouseButton::Left) => Action::Drag(at),
            MouseEventKind::Up(MouseButton::Left) => Action::Release,
            MouseEventKind::ScrollDown if is_sideways => Action::Wheel(at, Motion::ScrollRight),
            MouseEventKind::ScrollUp if is_sideways => Action::Wheel(at, Motion::ScrollLeft),
            MouseEventKind::ScrollDown => Action::Wheel(at, Motion::Down),
            MouseEventKind::ScrollUp => Action::Wheel(at, Motion::Up),
            MouseEventKind::ScrollRight => Action::Wheel(at, Motion::ScrollRight),
            MouseEventKind::ScrollLeft => Action::Wheel(at, Motion::ScrollLeft),
            _ => return None,
        })
    }
}
