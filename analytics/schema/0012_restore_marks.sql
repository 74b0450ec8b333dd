-- The newest mark that was left both here and in PostgreSQL. One that PostgreSQL does not know any more was left after the backup it was restored from.
CREATE TABLE IF NOT EXISTS restore_marks
(
    one UInt8 DEFAULT 1,
    id UUID,
    made_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(made_at)
ORDER BY one
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
