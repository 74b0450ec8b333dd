-- A closed day (UTC), summed from its hours.
CREATE TABLE IF NOT EXISTS results_by_day
(
    tenant_id UUID,
    monitor_id UUID,
    check_id UUID,
    day Date CODEC(Delta, ZSTD(1)),
    region LowCardinality(String),
    total UInt32,
    good UInt32,
    warning UInt32,
    failed UInt32,
    unknown UInt32,
    response_count UInt32,
    response_us_sum UInt64,
    response_us_min UInt32,
    response_us_max UInt32,
    response_buckets Array(UInt8),
    response_counts Array(UInt32),
    dns_us_sum UInt64,
    dns_count UInt32,
    connect_us_sum UInt64,
    connect_count UInt32,
    tls_us_sum UInt64,
    tls_count UInt32,
    first_byte_us_sum UInt64,
    first_byte_count UInt32,
    version UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYear(day)
ORDER BY (tenant_id, monitor_id, check_id, day, region)
TTL day + INTERVAL 1200 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
