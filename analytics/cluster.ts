import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'

/*
 * ClickHouse on many servers. Each table NAME is two there: NAME_local, replicated within each shard, and NAME itself,
 * which is distributed over the shards by tenant. Everything else reads and writes NAME, whether there is a cluster or
 * not: the rows of a tenant lie in one shard, so that FINAL, roll-ups and joins of one tenant are right in each alone.
 */

/** Where replicas find each other in Keeper. The two macros are part of every server's own configuration. */
const keeperPath = (table: string) => `'/clickhouse/tables/{shard}/{database}/${table}', '{replica}'`

/** Part of a statement about tables or databases: it is carried out on every server of the cluster. */
export const onCluster = (cluster: string | undefined): string =>
  cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`

/** What a table is distributed by. One without a tenant lies in the first shard. */
const shardKey = (columns: string) => (/^\s*tenant_id UUID/m.test(columns) ? 'cityHash64(tenant_id)' : '0')

const table = /^CREATE TABLE IF NOT EXISTS (\w+)\s*\(\n(.*?)\n\)\nENGINE = (\w*MergeTree)(?:\(([^)]*)\))?\n(.*)$/s
const change = /^ALTER TABLE (\w+) ((ADD COLUMN|MODIFY SETTING|MODIFY TTL|MODIFY COLUMN) .*)$/s
const view = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS\n(.*)\nFROM (\w+)(.*)$/s

/**
 * The statements of a migration on a cluster. Only forms that the migrations have are known: a new one fails here, and
 * in the test of `analytics/schema-cluster.sql`, before it reaches a server.
 */
export function clusterStatements(sql: string, cluster: string): string[] {
  const text = sql.replace(/^--.*\n/gm, '').trim()
  const on = onCluster(cluster)
  const [, name, columns, engine, args, rest] = table.exec(text) ?? []
  if (name && columns) {
    const places = [keeperPath(`${name}_local`), ...(args ? [args] : [])].join(', ')
    return [
      `CREATE TABLE IF NOT EXISTS ${name}_local${on}\n(\n${columns}\n)\n` +
        `ENGINE = Replicated${engine}(${places})\n${rest}`,
      `CREATE TABLE IF NOT EXISTS ${name}${on} AS ${name}_local\n` +
        `ENGINE = Distributed('${cluster}', currentDatabase(), '${name}_local', ${shardKey(columns)})`,
    ]
  }
  const [, changed, action, sort] = change.exec(text) ?? []
  if (changed) {
    // settings and times to live are those of the stored rows alone
    const tables = sort === 'ADD COLUMN' ? [`${changed}_local`, changed] : [`${changed}_local`]
    return tables.map(name => `ALTER TABLE ${name}${on} ${action}`)
  }
  const [, feed, target, select, source, tail = ''] = view.exec(text) ?? []
  if (feed)
    return [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${feed}${on} TO ${target}_local AS\n` +
        `${select}\nFROM ${source}_local${tail}`,
    ]
  throw new Error(`There is no form for clusters of: ${text.slice(0, 120)}`)
}

/** One group of replicas over all shards, so that every server has all migrations. */
const replicatedMigrations =
  "ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/schema_migrations', '{shard}-{replica}')"

/** The table of applied migrations. */
export const migrationsTable = (cluster: string | undefined): string =>
  `CREATE TABLE IF NOT EXISTS schema_migrations${onCluster(cluster)}
    (name String, checksum String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
    ENGINE = ${cluster === undefined ? 'ReplacingMergeTree' : replicatedMigrations}
    ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

/**
 * How a cluster is written to and read.
 *
 * Writes are answered when the shard has them, and a majority of its replicas: what is acknowledged to an agent
 * survives the loss of a server. Identical batches are stored again, not left out: each table counts them once or
 * adds them up on purpose.
 *
 * Reads ask a replica that is at most ten seconds behind, else they fail: a list may show a result ten seconds late,
 * never nothing. Only the watermarks of results are read in sequence with the writes (`sequentially`).
 */
export const clusterSettings: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_timeout: 10_000,
  insert_deduplicate: 0,
  // both sides of a join or IN are of the same tenants, hence in the same shard
  distributed_product_mode: 'local',
  optimize_skip_unused_shards: 1,
  max_replica_delay_for_distributed_queries: '10',
  fallback_to_stale_replicas_for_distributed_queries: 0,
  distributed_ddl_task_timeout: '600',
}

/** One write after the other, each on a majority of replicas: what `sequentially` reads. For the results alone. */
export const inSequence: ClickHouseSettings = { insert_quorum_parallel: 0 }

/** Reads everything that was acknowledged, from whichever replica; one that lacks some of it is passed over. */
export const sequentially: ClickHouseSettings = { select_sequential_consistency: '1' }

const clusters = new WeakMap<ClickHouseClient, string>()

/** Remembers the cluster that a client was opened for. */
export function noteCluster(client: ClickHouseClient, cluster: string): void {
  clusters.set(client, cluster)
}

/** The cluster of a client; undefined where there is one server. */
export const clusterOf = (client: ClickHouseClient): string | undefined => clusters.get(client)
