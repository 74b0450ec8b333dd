-- One row a look. The natural key (check, region, due, attempt) makes a batch sent twice harmless: read with FINAL, the row that
-- came first stands, so a result judged again after its settings changed rewrites nothing.
-- Outcomes, times and phases are kept for 90 days, so that what was decided on can be replayed; what was read of the target for 30.
-- By week: any span of 24 hours lies in at most two partitions, and reading a month opens few.
CREATE TABLE IF NOT EXISTS check_results
(
    tenant_id UUID,
    monitor_id UUID,
    check_id UUID,
    region LowCardinality(String),
    kind LowCardinality(String),
    due DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    attempt UInt16,
    at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    run_reason Enum8('due' = 0, 'confirm' = 1, 'asked' = 2),
    request Nullable(UUID),
    outcome Enum8('up' = 1, 'warning' = 2, 'down' = 3, 'unknown' = 4),
    code LowCardinality(String),
    reason String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    response_ms Nullable(Float32) CODEC(ZSTD(1)),
    dns_ms Nullable(Float32) CODEC(ZSTD(1)),
    connect_ms Nullable(Float32) CODEC(ZSTD(1)),
    tls_ms Nullable(Float32) CODEC(ZSTD(1)),
    first_byte_ms Nullable(Float32) CODEC(ZSTD(1)),
    total_ms Nullable(Float32) CODEC(ZSTD(1)),
    http_status Nullable(UInt16),
    seen String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    fault_phase LowCardinality(String),
    excerpt String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    address String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    is_unreliable Bool,
    agent_id LowCardinality(String),
    version UInt64 DEFAULT 9007199254740991 - toUnixTimestamp64Milli(received_at) * 1024 CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toMonday(due)
ORDER BY (tenant_id, monitor_id, check_id, due, region, attempt)
TTL toDateTime(due) + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, ttl_only_drop_parts = 1, max_cleanup_delay_period = 10
