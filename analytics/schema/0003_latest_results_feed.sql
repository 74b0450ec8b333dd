CREATE MATERIALIZED VIEW IF NOT EXISTS latest_results_feed TO latest_results AS
SELECT
    tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at,
    outcome, code, reason, response_ms, http_status, seen, is_unreliable,
    toUInt64(toUnixTimestamp64Milli(due)) * 65536 + attempt AS version
FROM check_results
