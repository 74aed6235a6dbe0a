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
       array_sort(array_distinct(flatten(array_agg(file)))) AS file,
       min_by(game, first_seen) AS game,
       min_by(certainty, first_seen) AS certainty,
       array_sort(array_distinct(flatten(array_agg(protocols)))) AS protocols,
       min(first_seen) AS first_seen,
       CAST(sum(heartbeats) AS BIGINT) AS heartbeats,
       CAST(sum(list_requests) AS BIGINT) AS list_requests,
       CAST(sum(lists) AS BIGINT) AS lists,
       min(servers_min) AS servers_min,
       max(servers_max) AS servers_max,
       sum(servers_sum) / nullif(sum(lists), 0) AS servers_mean,
       min(bytes_min) AS bytes_min,
       max(bytes_max) AS bytes_max,
       sum(bytes_sum) / nullif(sum(lists), 0) AS bytes_mean,
       max(packets_max) AS packets_max,
       sum(packets_sum) / nullif(sum(lists), 0) AS packets_mean,
       CAST(sum(end_marked) AS BIGINT) AS end_marked,
       CAST(sum(end_partial) AS BIGINT) AS end_partial,
       CAST(sum(end_missing) AS BIGINT) AS end_missing,
       sum(bytes_sum) / nullif(sum(request_bytes), 0) AS amplification
FROM sums
GROUP BY master, master_port
