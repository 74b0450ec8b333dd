CREATE TABLE IF NOT EXISTS schema_migrations ON CLUSTER 'vedette'
    (name String, checksum String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
    ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/schema_migrations', '{shard}-{replica}')
    ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS check_results_local ON CLUSTER 'vedette'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/check_results_local', '{replica}', version)
PARTITION BY toMonday(due)
ORDER BY (tenant_id, monitor_id, check_id, due, region, attempt)
TTL toDateTime(due) + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, ttl_only_drop_parts = 1, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS check_results ON CLUSTER 'vedette' AS check_results_local
ENGINE = Distributed('vedette', currentDatabase(), 'check_results_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS latest_results_local ON CLUSTER 'vedette'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/latest_results_local', '{replica}', version)
ORDER BY (tenant_id, monitor_id, check_id, region)
TTL toDateTime(at) + INTERVAL 60 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS latest_results ON CLUSTER 'vedette' AS latest_results_local
ENGINE = Distributed('vedette', currentDatabase(), 'latest_results_local', cityHash64(tenant_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS latest_results_feed ON CLUSTER 'vedette' TO latest_results_local AS
SELECT
    tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at,
    outcome, code, reason, response_ms, http_status, seen, is_unreliable,
    toUInt64(toUnixTimestamp64Milli(due)) * 65536 + attempt AS version
FROM check_results_local;

CREATE TABLE IF NOT EXISTS results_by_hour_local ON CLUSTER 'vedette'
(
    tenant_id UUID,
    monitor_id UUID,
    check_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/results_by_hour_local', '{replica}', version)
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, monitor_id, check_id, hour, region)
TTL hour + INTERVAL 400 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS results_by_hour ON CLUSTER 'vedette' AS results_by_hour_local
ENGINE = Distributed('vedette', currentDatabase(), 'results_by_hour_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS results_by_day_local ON CLUSTER 'vedette'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/results_by_day_local', '{replica}', version)
PARTITION BY toYear(day)
ORDER BY (tenant_id, monitor_id, check_id, day, region)
TTL day + INTERVAL 1200 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS results_by_day ON CLUSTER 'vedette' AS results_by_day_local
ENGINE = Distributed('vedette', currentDatabase(), 'results_by_day_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS server_samples_local ON CLUSTER 'vedette'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/server_samples_local', '{replica}', received_at)
PARTITION BY toMonday(at)
ORDER BY (tenant_id, monitor_id, metric, label, at)
TTL toDateTime(at) + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS server_samples ON CLUSTER 'vedette' AS server_samples_local
ENGINE = Distributed('vedette', currentDatabase(), 'server_samples_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS server_samples_by_hour_local ON CLUSTER 'vedette'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/server_samples_by_hour_local', '{replica}', version)
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, monitor_id, metric, label, hour)
TTL hour + toIntervalDay(keep_days)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS server_samples_by_hour ON CLUSTER 'vedette' AS server_samples_by_hour_local
ENGINE = Distributed('vedette', currentDatabase(), 'server_samples_by_hour_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS server_hours_local ON CLUSTER 'vedette'
(
    tenant_id UUID,
    monitor_id UUID,
    hour DateTime('UTC'),
    received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    computed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/server_hours_local', '{replica}')
PARTITION BY toMonday(hour)
ORDER BY (tenant_id, monitor_id, hour)
TTL hour + INTERVAL 21 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS server_hours ON CLUSTER 'vedette' AS server_hours_local
ENGINE = Distributed('vedette', currentDatabase(), 'server_hours_local', cityHash64(tenant_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS server_hours_feed ON CLUSTER 'vedette' TO server_hours_local AS
SELECT tenant_id, monitor_id, toStartOfHour(at) AS hour, max(now64(3, 'UTC')) AS received_at, toDateTime64(0, 3, 'UTC') AS computed_at
FROM server_samples_local
GROUP BY tenant_id, monitor_id, hour;

CREATE TABLE IF NOT EXISTS web_vitals_by_day_local ON CLUSTER 'vedette'
(
    tenant_id UUID,
    monitor_id UUID,
    metric LowCardinality(String),
    day Date,
    path String,
    connection LowCardinality(String),
    good SimpleAggregateFunction(sum, UInt64),
    needs_improvement SimpleAggregateFunction(sum, UInt64),
    poor SimpleAggregateFunction(sum, UInt64),
    buckets SimpleAggregateFunction(sumMap, Tuple(Array(UInt8), Array(UInt64)))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/web_vitals_by_day_local', '{replica}')
PARTITION BY toYYYYMM(day)
ORDER BY (tenant_id, monitor_id, metric, day, path, connection)
TTL day + INTERVAL 400 DAY
SETTINGS old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10;

CREATE TABLE IF NOT EXISTS web_vitals_by_day ON CLUSTER 'vedette' AS web_vitals_by_day_local
ENGINE = Distributed('vedette', currentDatabase(), 'web_vitals_by_day_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS purged_tenants_local ON CLUSTER 'vedette'
(
    tenant_id UUID,
    purged_at DateTime64(3, 'UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/purged_tenants_local', '{replica}')
ORDER BY tenant_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS purged_tenants ON CLUSTER 'vedette' AS purged_tenants_local
ENGINE = Distributed('vedette', currentDatabase(), 'purged_tenants_local', cityHash64(tenant_id));

CREATE TABLE IF NOT EXISTS restore_marks_local ON CLUSTER 'vedette'
(
    one UInt8 DEFAULT 1,
    id UUID,
    made_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/restore_marks_local', '{replica}', made_at)
ORDER BY one
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS restore_marks ON CLUSTER 'vedette' AS restore_marks_local
ENGINE = Distributed('vedette', currentDatabase(), 'restore_marks_local', 0);

ALTER TABLE check_results_local ON CLUSTER 'vedette' MODIFY SETTING ttl_only_drop_parts = 0, merge_with_ttl_timeout = 86400;

ALTER TABLE check_results_local ON CLUSTER 'vedette' ADD COLUMN IF NOT EXISTS keep_days UInt16 DEFAULT 90 CODEC(ZSTD(1));

ALTER TABLE check_results ON CLUSTER 'vedette' ADD COLUMN IF NOT EXISTS keep_days UInt16 DEFAULT 90 CODEC(ZSTD(1));

ALTER TABLE check_results_local ON CLUSTER 'vedette' MODIFY TTL toDateTime(due) + toIntervalDay(keep_days) SETTINGS materialize_ttl_after_modify = 0;

ALTER TABLE latest_results_local ON CLUSTER 'vedette' MODIFY COLUMN reason String CODEC(ZSTD(1)) TTL toDateTime(at) + INTERVAL 30 DAY, MODIFY COLUMN seen String CODEC(ZSTD(1)) TTL toDateTime(at) + INTERVAL 30 DAY;

ALTER TABLE restore_marks_local ON CLUSTER 'vedette' ADD COLUMN IF NOT EXISTS database String, ADD COLUMN IF NOT EXISTS timeline UInt32, ADD COLUMN IF NOT EXISTS left_at DateTime64(3, 'UTC');

ALTER TABLE restore_marks ON CLUSTER 'vedette' ADD COLUMN IF NOT EXISTS database String, ADD COLUMN IF NOT EXISTS timeline UInt32, ADD COLUMN IF NOT EXISTS left_at DateTime64(3, 'UTC');
