-- A closed hour of one metric of one server, always computed anew from the samples; the newest computation stands. Cores are one. Kept as long
-- as the samples it was computed from.
CREATE TABLE IF NOT EXISTS server_samples_by_hour
(
    tenant_id UUID,
    monitor_id UUID,
    metric LowCardinality(String),
    label String CODEC(ZSTD(1)),
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    samples UInt32,
    total Float64,
    highest Float64,
    keep_days UInt16 CODEC(ZSTD(1)),
    version UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, monitor_id, metric, label, hour)
TTL hour + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
