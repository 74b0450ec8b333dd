/**
 * Several ingest processes decide side by side. Each monitor belongs to one of 64 shards, and each shard to one process
 * at a time. The shard follows from the tenant: so parents, storms, flapping and requested runs of a tenant are decided
 * by one process, which needs to ask no other.
 */
export const shardCount = 64

/** The last byte of a tenant's id, which is random in each version of UUID that is used. */
export const shardOf = (tenant: string): number => Number.parseInt(tenant.slice(-2), 16) % shardCount
