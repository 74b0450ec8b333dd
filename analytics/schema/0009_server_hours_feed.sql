-- Written with the samples: a batch sent again has its hours computed again, to the same.
CREATE MATERIALIZED VIEW IF NOT EXISTS server_hours_feed TO server_hours AS
SELECT tenant_id, monitor_id, toStartOfHour(at) AS hour, max(now64(3, 'UTC')) AS received_at, toDateTime64(0, 3, 'UTC') AS computed_at
FROM server_samples
GROUP BY tenant_id, monitor_id, hour
