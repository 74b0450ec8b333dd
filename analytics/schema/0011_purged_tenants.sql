-- Which tenants are gone for good. A second list beside PostgreSQL's own: whichever of the two is put back to an older state,
-- the other still knows whose rows must not come back with it.
CREATE TABLE IF NOT EXISTS purged_tenants
(
    tenant_id UUID,
    purged_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY tenant_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
