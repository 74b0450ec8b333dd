-- With ttl_only_drop_parts ClickHouse never removes the columns that have a TTL of their own: texts read of a target stayed as long as their row.
-- Now they leave after 30 days, and rows when their own time is over. For that a week is rewritten once a day while it has rows that end.
ALTER TABLE check_results MODIFY SETTING ttl_only_drop_parts = 0, merge_with_ttl_timeout = 86400
