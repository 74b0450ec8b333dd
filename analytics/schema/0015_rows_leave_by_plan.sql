-- Rows from before have the default of the column: their TTL is the same as before, and need not be computed again.
ALTER TABLE check_results MODIFY TTL toDateTime(due) + toIntervalDay(keep_days) SETTINGS materialize_ttl_after_modify = 0
