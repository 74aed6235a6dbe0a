-- The tables of the history. Times are nanoseconds since 1970.
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    target TEXT NOT NULL,
    subject TEXT NOT NULL,
    UNIQUE (name, target, subject)
) STRICT;
CREATE TABLE samples (
    series INTEGER NOT NULL REFERENCES series (id),
    time INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (series, time)
) STRICT, WITHOUT ROWID;
CREATE INDEX samples_time ON samples (time);
CREATE TABLE listed (
    target TEXT NOT NULL,
    server TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (target, server, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX listed_until ON listed (until);
CREATE TABLE alerts (
    name TEXT NOT NULL,
    target TEXT NOT NULL,
    subject TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (name, target, subject, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE probes (
    target TEXT PRIMARY KEY,
    address TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE rounds (
    time INTEGER PRIMARY KEY
) STRICT;
