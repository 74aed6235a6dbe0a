-- Heartbeat intervals against the documented ones, by game. A server counts once for each master;
-- `regular` are those whose mean is within ten seconds of the documented interval.
SELECT game,
       count(*) AS registrations,
       count(*) FILTER (WHERE abs(heartbeat_interval_ns - heartbeat_documented_ns) <= 10000000000)
           AS regular,
       round(min(heartbeat_interval_min_ns) / 1e9, 1) AS shortest_s,
       round(median(heartbeat_interval_ns) / 1e9, 1) AS median_s,
       round(max(heartbeat_interval_max_ns) / 1e9, 1) AS longest_s
FROM merged_registrations
WHERE heartbeat_interval_ns IS NOT NULL
GROUP BY game
ORDER BY registrations DESC, game
