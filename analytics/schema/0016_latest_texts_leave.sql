-- What a paused check read last leaves after 30 days as well.
ALTER TABLE latest_results MODIFY COLUMN reason String CODEC(ZSTD(1)) TTL toDateTime(at) + INTERVAL 30 DAY, MODIFY COLUMN seen String CODEC(ZSTD(1)) TTL toDateTime(at) + INTERVAL 30 DAY
