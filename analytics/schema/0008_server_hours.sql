-- When samples of a server's hour came last, and when that hour was computed last: one is behind the other where something is to do. Samples are
-- taken for seven days back, so older hours do not change any more.
CREATE TABLE IF NOT EXISTS server_hours
(
    tenant_id UUID,
    monitor_id UUID,
    hour DateTime('UTC'),
    received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    computed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
PARTITION BY toMonday(hour)
ORDER BY (tenant_id, monitor_id, hour)
TTL hour + INTERVAL 21 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 15, cleanup_delay_period = 5, max_cleanup_delay_period = 10
