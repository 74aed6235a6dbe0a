//! Every screen, overlay, menu and prompt of the interface, by the keys that lead there: as text and
//! styles, as pictures, and with hostile text.

mod grid;
mod hostile;
mod pictures;
pub mod user;

use fragshark::capture::Input;
use user::{User, file};

/// A place in the interface.
pub struct View {
    pub name: &'static str,
    input: ViewInput,
    pub keys: &'static str,
}

/// What is open.
#[derive(Clone, Copy)]
enum ViewInput {
    Tour,
    /// The tour without its last bytes.
    Cut,
    /// A master that is down.
    Dead,
    /// A capture without packets.
    Empty,
    /// The tour, before anything is read.
    Unread,
}

use ViewInput::{Cut, Dead, Empty, Tour, Unread};

const fn view(name: &'static str, input: ViewInput, keys: &'static str) -> View {
    View { name, input, keys }
}

/// All places.
pub const VIEWS: &[View] = &[
    view("messages", Tour, "jj"),
    view("messages: fields", Tour, "jj<Tab>jjjj"),
    view("messages: bytes", Tour, "jj<Tab><Tab>jjj"),
    view("messages: coded bytes", Tour, "/connect <Enter><Tab><Tab><Tab>j"),
    view("messages: fields maximised", Tour, "jj<Tab>z"),
    view("messages: marked", Tour, "mjjm"),
    view("exchanges", Tour, "2j"),
    view("exchanges: details", Tour, "2j<Tab>j"),
    view("servers", Tour, "3"),
    view("masters", Tour, "4"),
    view("findings", Tour, "5"),
    view("ladder", Tour, "6jj"),
    view("ladder of an exchange", Tour, "L"),
    view("flows", Tour, "7j"),
    view("statistics", Tour, "8"),
    view("statistics: heartbeats", Tour, "8<Tab>z"),
    view("statistics: latencies", Tour, "8<Tab><Tab>z"),
    view("statistics: lists", Tour, "8<Tab><Tab><Tab>z"),
    view("statistics: games", Tour, "8<Tab><Tab><Tab><Tab>z"),
    view("catalogue", Tour, "9jj"),
    view("catalogue: page", Tour, "9jj<Tab>"),
    view("specification", Tour, "jji"),
    view("help", Tour, "?"),
    view("help: searched", Tour, "?/time<Enter>"),
    view("warnings", Cut, "w"),
    view("reasons", Tour, "r"),
    view("reasons with errors", Dead, "r"),
    view("comparison", Tour, "/infoResponse<Enter>mnmd"),
    view("question", Tour, ":9<Enter>Q"),
    view("question to a master", Tour, "4Q"),
    view("menu: go to", Tour, "jjo"),
    view("menu: sort", Tour, "s"),
    view("menu: columns", Tour, "C"),
    view("menu: decode as", Tour, "D"),
    view("menu: decode as, typed", Tour, "Drtc"),
    view("menu: earlier filters", Tour, "fquake3.getinfo<Enter>f<C-u>server<Enter>f<C-u><C-r>"),
    view("search: text", Tour, "/yard"),
    view("search: regular expression", Tour, "/<Tab>q3dm[0-9]+"),
    view("search: hex bytes", Tour, "/<Tab><Tab>4b 6"),
    view("search: display filter", Tour, "/<Tab><Tab><Tab>field.protocol == 68"),
    view("filter: empty", Tour, "f"),
    view("filter: completions", Tour, "fquake3.get"),
    view("filter: one completion", Tour, "fquake3.getin"),
    view("filter: wrong", Tour, "fquake3.getinfo and frame.number ="),
    view("filter in force", Tour, "fquake3.getinfo<Enter>j"),
    view("filter in force: servers", Tour, "fquake3.getinfo<Enter>3"),
    view("filter without matches", Tour, "fquake2<Enter>"),
    view("filter without exchanges", Tour, "fquake2<Enter>2"),
    view("go to", Tour, ":"),
    view("go to: wrong", Tour, ":soon<Enter>"),
    view("export", Tour, "e"),
    view("export: wrong", Tour, "2e<C-u>x.pcapng"),
    view("not found", Tour, "/nothing<Enter>"),
    view("sorted and with a column", Tour, "slength<Enter>Cfield.hostname<Enter><Esc>"),
    view("times of day", Tour, "t"),
    view("secrets shown", Tour, "/connect <Enter>U"),
    view("one finding", Dead, "5"),
    view("a master that is down", Dead, "4"),
    view("nothing read yet", Unread, ""),
    view("paused", Unread, "p"),
    view("no packets", Empty, ""),
    view("no packets: exchanges", Empty, "2"),
    view("no packets: servers", Empty, "3"),
    view("no packets: masters", Empty, "4"),
    view("no packets: findings", Empty, "5"),
    view("no packets: ladder", Empty, "6"),
    view("no packets: flows", Empty, "7"),
    view("no packets: statistics", Empty, "8"),
];

/// The built-in themes.
pub const THEMES: [&str; 4] = ["16-colours", "dark", "light", "high-contrast"];

impl View {
    /// The interface at this place.
    pub fn open(&self, size: (u16, u16), theme: &str) -> User {
        let memory = |name: &str, bytes: &[u8]| {
            vec![Input::Memory { name: name.to_owned(), bytes: bytes.into() }]
        };
        let tour = std::fs::read(file("tour.pcapng")).unwrap();
        let inputs = match self.input {
            Tour | Unread => vec![Input::File(file("tour.pcapng"))],
            Dead => vec![Input::File(file("quake3/dead-master.pcapng"))],
            Cut => memory("cut.pcapng", &tour[..tour.len() - 30]),
            // Its section and its interface only.
            Empty => {
                let block = |at: usize| {
                    u32::from_le_bytes(tour[at + 4..at + 8].try_into().unwrap()) as usize
                };
                memory("empty.pcapng", &tour[..block(0) + block(block(0))])
            }
        };
        let title = match self.input {
            Tour | Unread => "tour.pcapng",
            Dead => "dead-master.pcapng",
            Cut => "cut.pcapng",
            Empty => "empty.pcapng",
        };
        let mut user = User::unread(&inputs, title, size, theme);
        if !matches!(self.input, Unread) {
            user.load(usize::MAX);
        }
        user.keys(self.keys);
        user
    }
}
