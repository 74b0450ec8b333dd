-- What browsers told of a page, by day: only sums are ever stored, nothing of a single visit. Each batch adds a row, and rows of one key add up.
-- buckets: bucket b counts values in (1.05^(b-1), 1.05^b], in milliseconds, or thousandths for CLS: right within 2.5 %.
CREATE TABLE IF NOT EXISTS web_vitals_by_day
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
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (tenant_id, monitor_id, metric, day, path, connection)
TTL day + INTERVAL 400 DAY
SETTINGS old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
