-- One row per finding over all captures: its occurrences together, and the text of the one with the
-- earliest frame. `query.unanswered` counts requests of several flows: its number is that of one
-- capture.
CREATE OR REPLACE TEMP VIEW merged_findings AS
WITH reached AS (
    -- Hosts that something was sent to; an ICMP error goes to the sender of the packet.
    SELECT destination AS host FROM flows WHERE packets > 0
    UNION
    SELECT source FROM flows WHERE packets_back > 0 OR icmp_errors > 0
), timed AS (
    SELECT f.id, f.severity, f.reference, f.subject, f.subject_port, f.about, f.community_id,
           f.occurrences, f.byte_offset, f.byte_length, f.text, f.file,
           regexp_extract(f.text, '; the capture has nothing that was sent to ([^ ]+)$', 1) AS host,
           coalesce(min(m.time), TIMESTAMP '9999-12-31') AS time
    FROM findings f
    LEFT JOIN messages m ON m.file = f.file AND m.number = array_min(slice(f.frames, 1, 1))
    GROUP BY ALL
)
SELECT min_by(file, time) AS file,
       id,
       severity,
       reference,
       subject,
       subject_port,
       about,
       CASE WHEN count(community_id) = count(*) AND count(DISTINCT community_id) = 1
            THEN min(community_id) END AS community_id,
       CAST(sum(occurrences) AS BIGINT) AS occurrences,
       -- A finding without bytes at fault has none here, whatever others have.
       nullif(min_by(coalesce(CAST(byte_offset AS BIGINT), -1), time), -1) AS byte_offset,
       nullif(min_by(coalesce(CAST(byte_length AS BIGINT), -1), time), -1) AS byte_length,
       min_by(CASE WHEN r.host IS NULL THEN text
                   ELSE regexp_replace(text, '; the capture has nothing that was sent to .*$', '')
              END, time) AS text
FROM timed t
LEFT JOIN reached r ON t.host = r.host
GROUP BY id, severity, reference, subject, subject_port, about
