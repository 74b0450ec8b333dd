-- One row a value that a customer's server told of itself. The key is what it is of and when, so a batch sent again changes nothing.
-- Kept as long as the team's plan says on the day it came; charts are computed from these rows, since a month of one metric is read in
-- milliseconds and what is not kept twice cannot differ.
CREATE TABLE IF NOT EXISTS server_samples
(
    tenant_id UUID,
    monitor_id UUID,
    metric LowCardinality(String),
    label String CODEC(ZSTD(1)),
    at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    value Float64 CODEC(Gorilla, ZSTD(1)),
    keep_days UInt16 CODEC(ZSTD(1)),
    received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(received_at)
PARTITION BY toMonday(at)
ORDER BY (tenant_id, monitor_id, metric, label, at)
TTL toDateTime(at) + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
