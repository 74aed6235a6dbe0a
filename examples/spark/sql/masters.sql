-- Masters: how many list requests they answer, and how fast. Times are rounded as decimal numbers:
-- Spark and DuckDB round floating-point numbers differently.
SELECT destination AS master,
       destination_port AS master_port,
       game,
       count(*) AS requests,
       count(*) FILTER (WHERE state = 'answered') AS answered,
       round(100.0 * count(*) FILTER (WHERE state = 'answered') / count(*), 1) AS percent,
       CAST(round(CAST(median(latency_ms) AS DECIMAL(18, 6)), 3) AS DOUBLE) AS median_ms,
       CAST(round(CAST(percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms)
                       AS DECIMAL(18, 6)), 3) AS DOUBLE) AS p95_ms
FROM sessions
WHERE kind = 'list' AND state <> 'unsolicited'
GROUP BY destination, destination_port, game
ORDER BY requests DESC, master, master_port, game
