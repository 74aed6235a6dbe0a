-- Pairs of masters of one game, and how many servers both list, and only one of them.
WITH listing AS (
    SELECT game, server, server_port, explode(listed_by) AS master FROM merged_listed
), masters_of_games AS (
    SELECT game, master, count(*) AS servers FROM listing GROUP BY game, master
), common AS (
    SELECT a.game, a.master AS first, b.master AS second, count(*) AS servers
    FROM listing a
    JOIN listing b ON a.game = b.game AND a.server = b.server AND a.server_port = b.server_port
                  AND a.master < b.master
    GROUP BY a.game, a.master, b.master
)
SELECT a.game,
       a.master AS first,
       b.master AS second,
       coalesce(common.servers, 0) AS listed_by_both,
       a.servers - coalesce(common.servers, 0) AS only_by_first,
       b.servers - coalesce(common.servers, 0) AS only_by_second
FROM masters_of_games a
JOIN masters_of_games b ON a.game = b.game AND a.master < b.master
LEFT JOIN common ON common.game = a.game AND common.first = a.master AND common.second = b.master
ORDER BY a.game, first, second
