-- Masters: how many list requests they answer, and how fast.
SELECT destination AS master,
       destination_port AS master_port,
       game,
       count(*) AS requests,
       count(*) FILTER (WHERE state = 'answered') AS answered,
       round(100.0 * count(*) FILTER (WHERE state = 'answered') / count(*), 1) AS percent,
       round(median(latency_ms), 3) AS median_ms,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms), 3) AS p95_ms
FROM sessions
WHERE kind = 'list' AND state <> 'unsolicited'
GROUP BY destination, destination_port, game
ORDER BY requests DESC, master, master_port, game
