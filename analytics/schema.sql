CREATE TABLE check_results
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `check_id` UUID,
    `region` LowCardinality(String),
    `kind` LowCardinality(String),
    `due` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `attempt` UInt16,
    `at` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `received_at` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `run_reason` Enum8('due' = 0, 'confirm' = 1, 'asked' = 2),
    `request` Nullable(UUID),
    `outcome` Enum8('up' = 1, 'warning' = 2, 'down' = 3, 'unknown' = 4),
    `code` LowCardinality(String),
    `reason` String CODEC(ZSTD(1)) TTL toDateTime(due) + toIntervalDay(30),
    `response_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `dns_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `connect_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `tls_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `first_byte_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `total_ms` Nullable(Float32) CODEC(ZSTD(1)),
    `http_status` Nullable(UInt16),
    `seen` String CODEC(ZSTD(1)) TTL toDateTime(due) + toIntervalDay(30),
    `fault_phase` LowCardinality(String),
    `excerpt` String CODEC(ZSTD(1)) TTL toDateTime(due) + toIntervalDay(30),
    `address` String CODEC(ZSTD(1)) TTL toDateTime(due) + toIntervalDay(30),
    `is_unreliable` Bool,
    `agent_id` LowCardinality(String),
    `version` UInt64 DEFAULT 9007199254740991 - (toUnixTimestamp64Milli(received_at) * 1024) CODEC(Delta(8), ZSTD(1)),
    `keep_days` UInt16 DEFAULT 90 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toMonday(due)
ORDER BY (tenant_id, monitor_id, check_id, due, region, attempt)
TTL toDateTime(due) + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, ttl_only_drop_parts = 0, max_cleanup_delay_period = 10, index_granularity = 8192, merge_with_ttl_timeout = 86400;

CREATE TABLE latest_results
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `check_id` UUID,
    `region` LowCardinality(String),
    `kind` LowCardinality(String),
    `due` DateTime64(3, 'UTC'),
    `attempt` UInt16,
    `at` DateTime64(3, 'UTC'),
    `received_at` DateTime64(3, 'UTC'),
    `outcome` Enum8('up' = 1, 'warning' = 2, 'down' = 3, 'unknown' = 4),
    `code` LowCardinality(String),
    `reason` String CODEC(ZSTD(1)) TTL toDateTime(at) + toIntervalDay(30),
    `response_ms` Nullable(Float32),
    `http_status` Nullable(UInt16),
    `seen` String CODEC(ZSTD(1)) TTL toDateTime(at) + toIntervalDay(30),
    `is_unreliable` Bool,
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (tenant_id, monitor_id, check_id, region)
TTL toDateTime(at) + toIntervalDay(60)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE MATERIALIZED VIEW latest_results_feed TO latest_results
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `check_id` UUID,
    `region` LowCardinality(String),
    `kind` LowCardinality(String),
    `due` DateTime64(3, 'UTC'),
    `attempt` UInt16,
    `at` DateTime64(3, 'UTC'),
    `received_at` DateTime64(3, 'UTC'),
    `outcome` Enum8('up' = 1, 'warning' = 2, 'down' = 3, 'unknown' = 4),
    `code` LowCardinality(String),
    `reason` String,
    `response_ms` Nullable(Float32),
    `http_status` Nullable(UInt16),
    `seen` String,
    `is_unreliable` Bool,
    `version` UInt64
)
AS SELECT
    tenant_id,
    monitor_id,
    check_id,
    region,
    kind,
    due,
    attempt,
    at,
    received_at,
    outcome,
    code,
    reason,
    response_ms,
    http_status,
    seen,
    is_unreliable,
    (toUInt64(toUnixTimestamp64Milli(due)) * 65536) + attempt AS version
FROM check_results;

CREATE TABLE purged_tenants
(
    `tenant_id` UUID,
    `purged_at` DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY tenant_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192;

CREATE TABLE restore_marks
(
    `one` UInt8 DEFAULT 1,
    `id` UUID,
    `made_at` DateTime64(3, 'UTC') DEFAULT now64(3),
    `database` String,
    `timeline` UInt32,
    `left_at` DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(made_at)
ORDER BY one
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192;

CREATE TABLE results_by_day
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `check_id` UUID,
    `day` Date CODEC(Delta(2), ZSTD(1)),
    `region` LowCardinality(String),
    `total` UInt32,
    `good` UInt32,
    `warning` UInt32,
    `failed` UInt32,
    `unknown` UInt32,
    `response_count` UInt32,
    `response_us_sum` UInt64,
    `response_us_min` UInt32,
    `response_us_max` UInt32,
    `response_buckets` Array(UInt8),
    `response_counts` Array(UInt32),
    `dns_us_sum` UInt64,
    `dns_count` UInt32,
    `connect_us_sum` UInt64,
    `connect_count` UInt32,
    `tls_us_sum` UInt64,
    `tls_count` UInt32,
    `first_byte_us_sum` UInt64,
    `first_byte_count` UInt32,
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYear(day)
ORDER BY (tenant_id, monitor_id, check_id, day, region)
TTL day + toIntervalDay(1200)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE TABLE results_by_hour
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `check_id` UUID,
    `hour` DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    `region` LowCardinality(String),
    `total` UInt32,
    `good` UInt32,
    `warning` UInt32,
    `failed` UInt32,
    `unknown` UInt32,
    `response_count` UInt32,
    `response_us_sum` UInt64,
    `response_us_min` UInt32,
    `response_us_max` UInt32,
    `response_buckets` Array(UInt8),
    `response_counts` Array(UInt32),
    `dns_us_sum` UInt64,
    `dns_count` UInt32,
    `connect_us_sum` UInt64,
    `connect_count` UInt32,
    `tls_us_sum` UInt64,
    `tls_count` UInt32,
    `first_byte_us_sum` UInt64,
    `first_byte_count` UInt32,
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, monitor_id, check_id, hour, region)
TTL hour + toIntervalDay(400)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE TABLE server_hours
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `hour` DateTime('UTC'),
    `received_at` SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    `computed_at` SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
PARTITION BY toMonday(hour)
ORDER BY (tenant_id, monitor_id, hour)
TTL hour + toIntervalDay(21)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE MATERIALIZED VIEW server_hours_feed TO server_hours
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `hour` DateTime('UTC'),
    `received_at` DateTime64(3, 'UTC'),
    `computed_at` DateTime64(3, 'UTC')
)
AS SELECT
    tenant_id,
    monitor_id,
    toStartOfHour(at) AS hour,
    max(now64(3, 'UTC')) AS received_at,
    toDateTime64(0, 3, 'UTC') AS computed_at
FROM server_samples
GROUP BY
    tenant_id,
    monitor_id,
    hour;

CREATE TABLE server_samples
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `metric` LowCardinality(String),
    `label` String CODEC(ZSTD(1)),
    `at` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `value` Float64 CODEC(Gorilla(8), ZSTD(1)),
    `keep_days` UInt16 CODEC(ZSTD(1)),
    `received_at` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))
)
ENGINE = ReplacingMergeTree(received_at)
PARTITION BY toMonday(at)
ORDER BY (tenant_id, monitor_id, metric, label, at)
TTL toDateTime(at) + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE TABLE server_samples_by_hour
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `metric` LowCardinality(String),
    `label` String CODEC(ZSTD(1)),
    `hour` DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    `samples` UInt32,
    `total` Float64,
    `highest` Float64,
    `keep_days` UInt16 CODEC(ZSTD(1)),
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, monitor_id, metric, label, hour)
TTL hour + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;

CREATE TABLE web_vitals_by_day
(
    `tenant_id` UUID,
    `monitor_id` UUID,
    `metric` LowCardinality(String),
    `day` Date,
    `path` String,
    `connection` LowCardinality(String),
    `good` SimpleAggregateFunction(sum, UInt64),
    `needs_improvement` SimpleAggregateFunction(sum, UInt64),
    `poor` SimpleAggregateFunction(sum, UInt64),
    `buckets` SimpleAggregateFunction(sumMap, Tuple(
        Array(UInt8),
        Array(UInt64)))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (tenant_id, monitor_id, metric, day, path, connection)
TTL day + toIntervalDay(400)
SETTINGS old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10, index_granularity = 8192;
