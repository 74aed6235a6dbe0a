-- One row per server that a master listed, over all captures. A list over TCP comes from another
-- port than heartbeats go to. Where the server registers with exactly one master at that address,
-- perhaps in another capture, the list is that master's.
CREATE OR REPLACE TEMP VIEW merged_listed AS
WITH only_master AS (
    SELECT server, server_port, master, max(master_port) AS master_port
    FROM merged_registrations
    WHERE NOT is_list_port
    GROUP BY server, server_port, master
    HAVING count(*) = 1
), listing AS (
    SELECT r.server,
           r.server_port,
           r.file,
           r.game,
           r.first_listed,
           r.last_listed,
           CASE WHEN r.master LIKE '%:%' THEN concat('[', r.master, ']:') ELSE concat(r.master, ':')
           END AS host,
           CASE WHEN r.is_list_port THEN coalesce(o.master_port, r.master_port)
                ELSE r.master_port END AS port
    FROM merged_registrations r
    LEFT JOIN only_master o
           ON r.server = o.server AND r.server_port = o.server_port AND r.master = o.master
    WHERE r.first_listed IS NOT NULL
)
SELECT l.server,
       l.server_port,
       l.file,
       l.game,
       max(CASE WHEN s.server IS NULL THEN false ELSE true END) AS has_sent,
       array_sort(array_agg(DISTINCT concat(l.host, CAST(l.port AS STRING)))) AS listed_by,
       min(l.first_listed) AS first_listed,
       max(l.last_listed) AS last_listed
FROM listing l
LEFT JOIN (SELECT DISTINCT server, server_port FROM servers) s
       ON l.server = s.server AND l.server_port = s.server_port
GROUP BY l.server, l.server_port, l.file, l.game
