import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { isOwnedSql } from '#control-plane/base/shards.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { kindOf, type QuarantineKind } from './kinds.ts'
import { putOffS } from './quarantine.ts'

/** Has rows with these keys handled once more. The loop that handles them releases each, or puts it off again. */
export type Retry = (keys: string[]) => unknown

export type Retries = Partial<Record<QuarantineKind, Retry>>

interface Options {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Pick<Logger, 'warn'>
  retries: Retries
  /** Only rows of tenants in these; null: all rows. */
  shards?: readonly number[] | null
}

const everyMs = 5_000
const most = 500
export const quarantineNotice = 'quarantine'

const isOwned = sqlTextOf(isOwnedSql('tenant_id', sql`$2`))

// a row of a process that dies is claimed again an hour later
const claim = `
  with due as materialized (
    select id from quarantined_rows where kind = any($1::text[]) and next_try_at <= clock_timestamp() and ${isOwned}
    order by next_try_at limit ${most} for update skip locked
  )
  update quarantined_rows q set next_try_at = clock_timestamp() + interval '${putOffS} seconds' from due
  where q.id = due.id
  returning q.kind, q.key`

/** Retries quarantined rows: after an hour, after a change by their owner, or when the operator asks for it. */
export function retryQuarantined({ platform, listener, log, retries, shards = null }: Options): {
  stop(): Promise<void>
} {
  const kinds = Object.keys(retries) as QuarantineKind[]
  let isFirst = true
  const round = async () => {
    // the new process may have another key, or code that can read the rows
    if (isFirst)
      await platform.query(
        `update quarantined_rows set next_try_at = clock_timestamp() where kind = any($1::text[]) and ${isOwned}`,
        [kinds, shards],
      )
    isFirst = false
    if (!(await forgetGone(platform, kinds))) return
    for (let taken = most; taken === most; ) {
      const { rows } = await platform.query<{ kind: QuarantineKind; key: string }>(claim, [kinds, shards])
      taken = rows.length
      for (const [kind, of] of Map.groupBy(rows, row => row.kind))
        try {
          await retries[kind]?.(of.map(({ key }) => key))
        } catch (error) {
          log.warn({ err: error, kind }, 'quarantine retry failure')
        }
    }
  }
  const failure = 'quarantine read failure'
  return new Loop({ everyMs, round, log, failure, wake: { listener, notice: quarantineNotice } }).start()
}

/** Removes rows that no longer exist. Returns whether any row of these kinds was in quarantine. */
async function forgetGone(platform: Pool, kinds: readonly string[]): Promise<boolean> {
  const { rows } = await platform.query<{ kind: string }>({
    name: 'quarantined-kinds',
    text: 'select distinct kind from quarantined_rows where kind = any($1::text[])',
    values: [kinds],
  })
  for (const { kind } of rows) {
    const place = kindOf(kind)?.in
    if (!place) continue
    await platform.query(
      `delete from quarantined_rows q where q.kind = $1
         and not exists (select 1 from ${place.table} r where r.${place.key} = q.key::${place.type})`,
      [kind],
    )
  }
  return rows.length > 0
}
