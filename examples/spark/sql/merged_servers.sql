-- One row per server that sent anything, over all captures. Why it is not listed is not judged
-- again: `fragshark export` of all captures together does that.
CREATE OR REPLACE TEMP VIEW merged_servers AS
WITH details AS (
    SELECT server,
           server_port,
           max_by(game, last_sent) AS game,
           max_by(certainty, last_sent) AS certainty,
           array_sort(array_distinct(flatten(array_agg(protocols)))) AS protocols,
           -- A text that was sent empty is null, and its time is not.
           nullif(max_by(coalesce(hostname, ''), hostname_time), '') AS hostname,
           nullif(max_by(coalesce(hostname_plain, ''), hostname_time), '') AS hostname_plain,
           max(hostname_time) AS hostname_time,
           nullif(max_by(coalesce(map_name, ''), map_name_time), '') AS map_name,
           max(map_name_time) AS map_name_time,
           nullif(max_by(coalesce(protocol, ''), protocol_time), '') AS protocol,
           max(protocol_time) AS protocol_time,
           max_by(players, players_time) AS players,
           max(players_time) AS players_time,
           max_by(max_players, max_players_time) AS max_players,
           max(max_players_time) AS max_players_time,
           max(last_sent) AS last_sent,
           min(first_seen) AS first_seen,
           min(first_answer) AS first_answer,
           array_sort(array_distinct(flatten(array_agg(masters)))) AS masters,
           CAST(sum(heartbeats) AS BIGINT) AS heartbeats,
           min(first_heartbeat) AS first_heartbeat,
           max(last_heartbeat) AS last_heartbeat,
           max(shutdown_time) FILTER (WHERE shutdown = 'message') AS shutdown_message
    FROM servers
    GROUP BY server, server_port
), running AS (
    -- Two heartbeats close together are a shutdown if the server then sends nothing for five
    -- seconds; in another capture it may have sent something.
    SELECT DISTINCT d.server, d.server_port
    FROM details d
    JOIN messages m ON m.source = d.server AND m.source_port = d.server_port
    WHERE m.time > d.shutdown_message + INTERVAL '0.25' SECOND
      AND m.time <= d.shutdown_message + INTERVAL '5' SECOND
), seen AS (
    -- Also the captures that only list it.
    SELECT server, server_port, array_sort(array_distinct(flatten(array_agg(file)))) AS file
    FROM (SELECT server, server_port, file FROM servers
          UNION ALL SELECT server, server_port, file FROM registrations)
    GROUP BY server, server_port
), ranked AS (
    -- The master that it sends most heartbeats to; of several, to which it did so first.
    SELECT *,
           row_number() OVER (PARTITION BY server, server_port
                              ORDER BY heartbeats DESC, first_heartbeat, master, master_port) AS place
    FROM merged_registrations
), ends AS (
    SELECT max(time) AS last_message FROM messages
)
SELECT d.server,
       d.server_port,
       f.file,
       d.game,
       d.certainty,
       d.protocols,
       d.hostname,
       d.hostname_plain,
       d.hostname_time,
       d.map_name,
       d.map_name_time,
       d.protocol,
       d.protocol_time,
       d.players,
       d.players_time,
       d.max_players,
       d.max_players_time,
       least(d.first_seen, l.first_listed) AS first_seen,
       d.last_sent,
       d.first_answer,
       d.heartbeats,
       d.first_heartbeat,
       d.last_heartbeat,
       m.heartbeat_interval_ns,
       m.heartbeat_interval_min_ns,
       m.heartbeat_interval_max_ns,
       m.heartbeat_interval_ns - m.heartbeat_documented_ns AS heartbeat_drift_ns,
       d.masters,
       l.server IS NOT NULL AS listed,
       coalesce(l.listed_by, array_repeat('', 0)) AS listed_by,
       l.first_listed,
       -- A server that shuts down tells all its masters within a quarter of a second. One that
       -- sends a heartbeat after that is back.
       CASE WHEN n.server IS NULL AND d.shutdown_message + INTERVAL '0.25' SECOND
                 >= coalesce(d.last_heartbeat, d.shutdown_message) THEN 'message'
            WHEN d.last_heartbeat + INTERVAL '900' SECOND <= e.last_message THEN 'silence'
       END AS shutdown,
       CASE WHEN n.server IS NULL AND d.shutdown_message + INTERVAL '0.25' SECOND
                 >= coalesce(d.last_heartbeat, d.shutdown_message)
            THEN greatest(d.shutdown_message, d.last_heartbeat)
            WHEN d.last_heartbeat + INTERVAL '900' SECOND <= e.last_message THEN d.last_heartbeat
       END AS shutdown_time
FROM details d
CROSS JOIN ends e
LEFT JOIN ranked m ON d.server = m.server AND d.server_port = m.server_port AND m.place = 1
LEFT JOIN running n ON d.server = n.server AND d.server_port = n.server_port
JOIN seen f ON d.server = f.server AND d.server_port = f.server_port
LEFT JOIN merged_listed l ON d.server = l.server AND d.server_port = l.server_port
