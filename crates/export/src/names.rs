//! The names that other programs have for our columns: Zeek, Suricata, the Elastic Common Schema
//! and tshark.
//!
//! `docs/reference/export-columns.md` has this table, and `--names ecs` writes the names of the Elastic Common Schema.

/// The names of a column elsewhere; empty where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnNames {
    /// The name of the column.
    pub column: &'static str,
    /// The table, if another one has another column of this name.
    pub table: &'static str,
    /// In Zeek's logs, `conn.log` first.
    pub zeek: &'static str,
    /// In the events (EVE) of Suricata.
    pub suricata: &'static str,
    /// In the Elastic Common Schema; several where the value belongs to several fields.
    pub ecs: &'static [&'static str],
    /// In the display filters of Wireshark and tshark.
    pub tshark: &'static str,
}

const fn names(
    column: &'static str,
    [zeek, suricata, tshark]: [&'static str; 3],
    ecs: &'static [&'static str],
) -> ColumnNames {
    ColumnNames { column, table: "", zeek, suricata, ecs, tshark }
}

impl ColumnNames {
    const fn in_table(self, table: &'static str) -> Self {
        Self { table, ..self }
    }
}

/// All columns that have a name elsewhere. What is not here is under `fragshark.` in ECS.
pub const COLUMN_NAMES: &[ColumnNames] = &[
    names("file", ["", "pcap_filename", ""], &["log.file.path"]),
    names(
        "community_id",
        ["community_id", "community_id", "communityid"],
        &["network.community_id"],
    ),
    names("flow_id", ["uid", "flow_id", ""], &[]),
    names("flow_id", ["uid", "flow_id", ""], &["event.id"]).in_table("flows"),
    names("exchange_id", ["", "", ""], &["event.id"]),
    names("number", ["", "pcap_cnt", "frame.number"], &[]),
    names("time", ["ts", "timestamp", "frame.time_epoch"], &["@timestamp"]),
    names("source", ["id.orig_h", "src_ip", "ip.src, ipv6.src"], &["source.ip"]),
    names("source_port", ["id.orig_p", "src_port", "udp.srcport, tcp.srcport"], &["source.port"]),
    names("destination", ["id.resp_h", "dest_ip", "ip.dst, ipv6.dst"], &["destination.ip"]),
    names(
        "destination_port",
        ["id.resp_p", "dest_port", "udp.dstport, tcp.dstport"],
        &["destination.port"],
    ),
    names("transport", ["proto", "proto", "ip.proto, ipv6.nxt"], &["network.transport"]),
    names("flow", ["", "", "udp.stream, tcp.stream"], &[]),
    names("game", ["service", "app_proto", ""], &["network.application"]),
    names("protocol", ["service", "app_proto", "frame.protocols"], &["network.protocol"])
        .in_table("flows"),
    names("message_id", ["", "", ""], &["event.action"]),
    names("summary", ["", "", "_ws.col.info"], &["message"]),
    names("fault", ["", "", "_ws.expert.message"], &["error.message"]),
    names("length_bytes", ["", "", "udp.length, tcp.len"], &["source.bytes"]),
    names("bytes", ["orig_bytes", "flow.bytes_toserver", ""], &["source.bytes"]),
    names("bytes_back", ["resp_bytes", "flow.bytes_toclient", ""], &["destination.bytes"]),
    names("packets", ["orig_pkts", "flow.pkts_toserver", ""], &["source.packets"]),
    names("packets_back", ["resp_pkts", "flow.pkts_toclient", ""], &["destination.packets"]),
    names("start_time", ["ts", "flow.start", ""], &["@timestamp", "event.start"]),
    names("end_time", ["", "flow.end", ""], &["event.end"]),
    names("duration_ns", ["duration (s)", "flow.age (s)", ""], &["event.duration"]),
    names("duration_ms", ["duration (s)", "", ""], &["event.duration"]),
    names("server", ["", "", ""], &["server.ip"]),
    names("server", ["", "", ""], &["server.address"]).in_table("sessions"),
    names("server_port", ["", "", ""], &["server.port"]),
    names("first_seen", ["", "", ""], &["@timestamp"]),
    names("first_listed", ["", "", ""], &["@timestamp"]).in_table("listed"),
    names("id", ["note", "alert.signature_id", ""], &["rule.id"]).in_table("findings"),
    names("severity", ["", "alert.severity", "_ws.expert.severity"], &["log.level"]),
    names("text", ["msg", "alert.signature", "_ws.expert.message"], &["message"])
        .in_table("findings"),
];

/// The names of a column of a table elsewhere.
pub(super) fn column_names(table: &str, column: &str) -> Option<&'static ColumnNames> {
    let named = |names: &&ColumnNames| names.column == column;
    let mut all = COLUMN_NAMES.iter().filter(named);
    let of_table = COLUMN_NAMES.iter().filter(named).find(|names| names.table == table);
    of_table.or_else(|| all.find(|names| names.table.is_empty()))
}
