-- One row per server and master over all captures. Which step failed and whether the server is
-- listed is not judged again: `fragshark export` of all captures together does that. The time between the last heartbeat in one
-- capture and the first in the next is no interval here: captures may lie days apart.
CREATE OR REPLACE TEMP VIEW merged_registrations AS
WITH own AS (
    SELECT server, server_port, max_by(game, last_sent) AS game
    FROM servers
    GROUP BY server, server_port
), listing AS (
    SELECT server, server_port, min_by(game, first_listed) AS game
    FROM registrations
    GROUP BY server, server_port
), seen AS (
    SELECT server, server_port, array_sort(array_distinct(flatten(array_agg(file)))) AS file
    FROM (SELECT server, server_port, file FROM servers
          UNION ALL SELECT server, server_port, file FROM registrations)
    GROUP BY server, server_port
), hosts AS (
    -- What the server itself sent last tells its game, else the first list that has it.
    SELECT l.server, l.server_port, f.file, coalesce(o.game, l.game) AS game
    FROM listing l
    JOIN seen f ON l.server = f.server AND l.server_port = f.server_port
    LEFT JOIN own o ON l.server = o.server AND l.server_port = o.server_port
)
SELECT r.server,
       r.server_port,
       master,
       master_port,
       h.file,
       h.game,
       CAST(sum(heartbeats) AS BIGINT) AS heartbeats,
       min(first_heartbeat) AS first_heartbeat,
       max(last_heartbeat) AS last_heartbeat,
       CAST(sum(heartbeat_intervals) AS BIGINT) AS heartbeat_intervals,
       CAST(round(sum(CAST(heartbeat_interval_ns AS DOUBLE) * heartbeat_intervals)
            / sum(heartbeat_intervals) FILTER (WHERE heartbeat_intervals > 0)) AS BIGINT)
           AS heartbeat_interval_ns,
       min(heartbeat_interval_min_ns) AS heartbeat_interval_min_ns,
       max(heartbeat_interval_max_ns) AS heartbeat_interval_max_ns,
       max(heartbeat_documented_ns) AS heartbeat_documented_ns,
       min(first_challenge) AS first_challenge,
       min(first_proof) AS first_proof,
       CAST(sum(list_packets) AS BIGINT) AS list_packets,
       min(first_listed) AS first_listed,
       max(last_listed) AS last_listed,
       min(is_list_port) AS is_list_port
FROM registrations r
JOIN hosts h ON r.server = h.server AND r.server_port = h.server_port
GROUP BY r.server, r.server_port, master, master_port, h.file, h.game
