import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { affected, prepared, type Row, rows } from '#control-plane/db/queries.ts'

const [pack, unpack] = [promisify(zstdCompress), promisify(zstdDecompress)]

/** Bytes of the table with its indexes beyond which no more values are taken: agents keep what they are refused. */
const mostBytes = 1_000_000_000
/** Reports taken out at once. */
const pageReports = 500

/** One row of `server_samples`, in the order of its columns. */
const SampleRow = z.tuple([z.uuid(), z.uuid(), z.string(), z.string(), z.number(), z.number()], z.unknown())

export interface WaitingSample {
  monitor: string
  metric: string
  label: string
  at: number
  value: number
}

/** Keeps rows that ClickHouse did not take. False: too many wait already. */
export async function keepWaitingSamples(
  platform: Pool,
  tenantId: string,
  monitorId: string,
  rows: Buffer,
): Promise<boolean> {
  const rowCount = await affected(platform, keepWaitingServerSamples(tenantId, monitorId, await pack(rows)))
  return rowCount === 1
}

/** Stores what waits, the oldest first, until nothing is left or storing fails. `store`: rows, and how many they are. */
export async function storeWaitingSamples(
  platform: Pool,
  store: (rows: Buffer[], count: number) => Promise<void>,
): Promise<void> {
  for (let taken = pageReports; taken === pageReports; ) {
    const found = await rows(platform, readWaitingServerSamples())
    taken = found.length
    if (taken === 0) return
    const unpacked = await Promise.all(found.map(row => unpack(row.rows)))
    await store(
      unpacked,
      unpacked.reduce((sum, text) => sum + linesIn(text), 0),
    )
    await rows(platform)`delete from waiting_server_samples where id = any(${found.map(({ id }) => id)}::bigint[])`
  }
}

/** Values of these servers that wait, in reports after the given ones; and the last report of each. */
export async function readWaitingSamples(
  platform: Pool,
  after: ReadonlyMap<string, string>,
): Promise<{ samples: WaitingSample[]; last: Map<string, string> }> {
  const found = await rows(platform, waitingServerSamplesOf([...after.keys()], [...after.values()]))
  const samples: WaitingSample[] = []
  const last = new Map<string, string>()
  for (const { id, monitor_id, rows: packed } of found) {
    const text = (await unpack(packed)).toString()
    for (const line of text.split('\n')) {
      if (line === '') continue
      const [, monitor, metric, label, at, value] = SampleRow.parse(JSON.parse(line))
      samples.push({ monitor, metric, label, at, value })
    }
    last.set(monitor_id, id)
  }
  return { samples, last }
}

function linesIn(text: Buffer): number {
  let lines = 0
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) lines++
  return lines
}

const keepWaitingServerSamples = prepared(
  'keep-waiting-server-samples',
  (
    tenantId: string,
    monitorId: string,
    packValue: unknown,
  ) => sql`insert into waiting_server_samples (tenant_id, monitor_id, rows)
    select ${tenantId}, ${monitorId}, ${packValue}
    where pg_total_relation_size('waiting_server_samples') < ${sql.lit(mostBytes)}`,
)

const readWaitingServerSamples = prepared(
  'read-waiting-server-samples',
  () => sql<Row<'waiting_server_samples', 'id' | 'rows'>>`
    select id, rows from waiting_server_samples order by id limit ${sql.lit(pageReports)}`,
)

const waitingServerSamplesOf = prepared(
  'waiting-server-samples-of',
  (monitors: readonly string[], after: readonly string[]) => sql<
    Row<'waiting_server_samples', 'id' | 'monitor_id' | 'rows'>
  >`
    select w.id, w.monitor_id, w.rows
    from unnest(${monitors}::uuid[], ${after}::bigint[]) as d(monitor_id, after)
    join waiting_server_samples w on w.monitor_id = d.monitor_id and w.id > d.after
    order by w.id limit ${sql.lit(10 * pageReports)}`,
)
