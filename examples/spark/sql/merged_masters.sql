-- One row per master over all captures. A mean times the number of lists is the sum again.
CREATE OR REPLACE TEMP VIEW merged_masters AS
WITH sums AS (
    SELECT *,
           round(servers_mean * lists) AS servers_sum,
           round(bytes_mean * lists) AS bytes_sum,
           round(packets_mean * lists) AS packets_sum,
           round(bytes_mean * lists / nullif(amplification, 0)) AS request_bytes
    FROM masters
)
SELECT master,
       master_port,
       min_by(game, first_seen) AS game,
       min(first_seen) AS first_seen,
       sum(heartbeats) AS heartbeats,
       sum(list_requests) AS list_requests,
       sum(lists) AS lists,
       min(servers_min) AS servers_min,
       max(servers_max) AS servers_max,
       sum(servers_sum) / nullif(sum(lists), 0) AS servers_mean,
       min(bytes_min) AS bytes_min,
       max(bytes_max) AS bytes_max,
       sum(bytes_sum) / nullif(sum(lists), 0) AS bytes_mean,
       max(packets_max) AS packets_max,
       sum(packets_sum) / nullif(sum(lists), 0) AS packets_mean,
       sum(end_marked) AS end_marked,
       sum(end_partial) AS end_partial,
       sum(end_missing) AS end_missing,
       sum(bytes_sum) / nullif(sum(request_bytes), 0) AS amplification
FROM sums
GROUP BY master, master_port
