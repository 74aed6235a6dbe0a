-- One row per server that sent anything, over all captures.
CREATE OR REPLACE TEMP VIEW merged_servers AS
WITH details AS (
    SELECT server,
           server_port,
           max_by(game, greatest(first_seen, first_answer, last_heartbeat, hostname_time,
                                 map_name_time, players_time)) AS latest_game,
           max_by(hostname, hostname_time) AS hostname,
           max_by(hostname_plain, hostname_time) AS hostname_plain,
           max_by(map_name, map_name_time) AS map_name,
           max_by(protocol, protocol_time) AS protocol,
           max_by(players, players_time) AS players,
           max_by(max_players, max_players_time) AS max_players,
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
), seen_in_flows AS (
    SELECT source AS server, source_port AS server_port, game, certainty, messages
    FROM flows WHERE source_role = 'server' AND game IS NOT NULL
    UNION ALL
    SELECT destination, destination_port, game, certainty, messages
    FROM flows WHERE destination_role = 'server' AND game IS NOT NULL
), games AS (
    -- The game for which there is the best evidence, in whatever capture.
    SELECT server,
           server_port,
           max_by(game, CAST(1000000000 AS BIGINT) * CASE certainty WHEN 'set' THEN 7 WHEN 'certain' THEN 6
                                     WHEN 'likely' THEN 5 WHEN 'by protocol number' THEN 4
                                     WHEN 'by form' THEN 3 WHEN 'by port' THEN 2 ELSE 1 END
                        + messages) AS game
    FROM seen_in_flows
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
       coalesce(g.game, d.latest_game, l.game) AS game,
       d.hostname,
       d.hostname_plain,
       d.map_name,
       d.protocol,
       d.players,
       d.max_players,
       least(d.first_seen, l.first_listed) AS first_seen,
       d.first_answer,
       d.heartbeats,
       d.first_heartbeat,
       d.last_heartbeat,
       m.heartbeat_interval_ns,
       m.heartbeat_interval_min_ns,
       m.heartbeat_interval_max_ns,
       m.heartbeat_interval_ns - 300000000000 AS heartbeat_drift_ns,
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
LEFT JOIN games g ON d.server = g.server AND d.server_port = g.server_port
LEFT JOIN merged_listed l ON d.server = l.server AND d.server_port = l.server_port
