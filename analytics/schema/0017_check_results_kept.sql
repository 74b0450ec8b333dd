-- What was decided on can be replayed for 90 days: outcomes, times and phases stay. What was read of the target goes after 30, as before.
ALTER TABLE check_results
    MODIFY COLUMN seen String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    MODIFY COLUMN excerpt String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    MODIFY COLUMN reason String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    MODIFY COLUMN address String CODEC(ZSTD(1)) TTL toDateTime(due) + INTERVAL 30 DAY,
    MODIFY TTL toDateTime(due) + INTERVAL 90 DAY
SETTINGS materialize_ttl_after_modify = 0
