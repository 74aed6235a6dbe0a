-- One row per server from the tables `servers` of several runs (a view or table `servers`).
-- For DuckDB; in Spark SQL write `array_distinct(flatten(collect_list(x)))` for
-- `list_distinct(flatten(list(x)))`, and `max_by`, `min`, `max`, `sum` as they are.
SELECT
    server,
    server_port,
    list_sort(list_distinct(flatten(list(file)))) AS file,
    max_by(game, coalesce(last_heartbeat, first_answer, first_seen)) AS game,
    max_by(hostname, coalesce(last_heartbeat, first_answer, first_seen)) AS hostname,
    max_by(map_name, coalesce(last_heartbeat, first_answer, first_seen)) AS map_name,
    min(first_seen) AS first_seen,
    min(first_answer) AS first_answer,
    sum(heartbeats) AS heartbeats,
    min(first_heartbeat) AS first_heartbeat,
    max(last_heartbeat) AS last_heartbeat,
    list_sort(list_distinct(flatten(list(masters)))) AS masters,
    bool_or(listed) AS listed,
    list_sort(list_distinct(flatten(list(listed_by)))) AS listed_by,
    min(first_listed) AS first_listed
FROM servers
GROUP BY server, server_port
ORDER BY first_seen, server, server_port;
