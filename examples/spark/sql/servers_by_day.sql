-- Servers that sent anything, by game and day.
SELECT game,
       CAST(start_time AS DATE) AS day,
       count(DISTINCT server) AS servers,
       count(*) AS exchanges
FROM sessions
WHERE server IS NOT NULL
  AND (kind IN ('registration', 'shutdown') OR state IN ('answered', 'unsolicited'))
GROUP BY game, CAST(start_time AS DATE)
ORDER BY day, servers DESC, game
