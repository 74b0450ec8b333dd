-- The newest look of each check in each region. Whatever is in here was decided: it is the verdict engine's watermark after a restart.
CREATE TABLE IF NOT EXISTS latest_results
(
    tenant_id UUID,
    monitor_id UUID,
    check_id UUID,
    region LowCardinality(String),
    kind LowCardinality(String),
    due DateTime64(3, 'UTC'),
    attempt UInt16,
    at DateTime64(3, 'UTC'),
    received_at DateTime64(3, 'UTC'),
    outcome Enum8('up' = 1, 'warning' = 2, 'down' = 3, 'unknown' = 4),
    code LowCardinality(String),
    reason String CODEC(ZSTD(1)),
    response_ms Nullable(Float32),
    http_status Nullable(UInt16),
    seen String CODEC(ZSTD(1)),
    is_unreliable Bool,
    version UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (tenant_id, monitor_id, check_id, region)
TTL toDateTime(at) + INTERVAL 60 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
