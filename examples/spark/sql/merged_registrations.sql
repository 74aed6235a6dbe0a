-- One row per server and master over all captures. The time between the last heartbeat in one
-- capture and the first in the next is no interval here: captures may lie days apart.
CREATE OR REPLACE TEMP VIEW merged_registrations AS
SELECT server,
       server_port,
       master,
       master_port,
       max_by(game, coalesce(last_heartbeat, last_listed)) AS game,
       CAST(sum(heartbeats) AS BIGINT) AS heartbeats,
       min(first_heartbeat) AS first_heartbeat,
       max(last_heartbeat) AS last_heartbeat,
       CAST(sum(heartbeat_intervals) AS BIGINT) AS heartbeat_intervals,
       CAST(round(sum(CAST(heartbeat_interval_ns AS DOUBLE) * heartbeat_intervals)
            / sum(heartbeat_intervals) FILTER (WHERE heartbeat_intervals > 0)) AS BIGINT)
           AS heartbeat_interval_ns,
       min(heartbeat_interval_min_ns) AS heartbeat_interval_min_ns,
       max(heartbeat_interval_max_ns) AS heartbeat_interval_max_ns,
       min(first_challenge) AS first_challenge,
       min(first_proof) AS first_proof,
       CAST(sum(list_packets) AS BIGINT) AS list_packets,
       min(first_listed) AS first_listed,
       max(last_listed) AS last_listed,
       min(is_list_port) AS is_list_port
FROM registrations
GROUP BY server, server_port, master, master_port
