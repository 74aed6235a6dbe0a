-- One row per master from the tables `masters` of several runs (a view or table `masters`).
-- Means are weighted by the number of lists.
SELECT
    master,
    master_port,
    list_sort(list_distinct(flatten(list(file)))) AS file,
    min_by(game, first_seen) AS game,
    min(first_seen) AS first_seen,
    sum(heartbeats) AS heartbeats,
    sum(list_requests) AS list_requests,
    sum(lists) AS lists,
    min(servers_min) AS servers_min,
    max(servers_max) AS servers_max,
    sum(servers_mean * lists) / nullif(sum(lists), 0) AS servers_mean,
    min(bytes_min) AS bytes_min,
    max(bytes_max) AS bytes_max,
    sum(bytes_mean * lists) / nullif(sum(lists), 0) AS bytes_mean,
    max(packets_max) AS packets_max,
    sum(packets_mean * lists) / nullif(sum(lists), 0) AS packets_mean,
    sum(end_marked) AS end_marked,
    sum(end_partial) AS end_partial,
    sum(end_missing) AS end_missing,
    sum(bytes_mean * lists) / nullif(sum(bytes_mean * lists / amplification), 0) AS amplification
FROM masters
GROUP BY master, master_port
ORDER BY first_seen, master, master_port;
