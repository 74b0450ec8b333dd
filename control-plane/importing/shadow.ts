import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { resultsSince } from '#analytics/queries/results-since.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type ImportedItem, isPolled, type Source, SourceError, type TheirStatus } from '#importers/source.ts'
import { compare, type Found, type OurStatus } from './divergence.ts'
import { MigrationOptions } from './options.ts'
import { inputOf } from './preview.ts'
import type { MigrationRow } from './row.ts'
import { runSource } from './run-source.ts'

type ShadowDeps = Pick<Services, 'platform' | 'config' | 'guard' | 'bounded' | 'clickhouse'>

/** Polls the old provider once, and stores what differs. A provider that cannot be asked is no failure of the move. */
export async function pollOnce(deps: ShadowDeps, row: MigrationRow, source: Source): Promise<void> {
  if (!source.poll || !isPolled(source, row)) return
  try {
    const input = await inputOf(deps, row, source, AbortSignal.timeout(120_000))
    const running = runSource(deps.bounded, row.tenant_id, source)
    const theirs = await running.poll(input, await importedItems(deps.platform, row))
    await note(deps, row, theirs)
    await rows(deps.platform)`update provider_migrations
      set polled_at = clock_timestamp(), poll_failure = null, polls = polls + 1
      where id = ${row.id}`
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await rows(deps.platform)`update provider_migrations set poll_failure = ${error.message} where id = ${row.id}`
  }
}

async function importedItems(platform: Pool, { id }: MigrationRow): Promise<ImportedItem[]> {
  const found = await rows(platform)<
    Row<'imported_monitors', 'source_id'> & Row<'migration_items', 'source_kind' | 'name'>
  >`
  select o.source_id, i.source_kind, i.name from imported_monitors o
   join migration_items i on i.migration_id = o.migration_id and i.kind = 'monitor' and i.source_id = o.source_id
   where o.migration_id = ${id}`
  return found.map(({ source_id, source_kind, name }) => ({ sourceId: source_id, sourceKind: source_kind, name }))
}

const ourStatuses = (rowId: string) => sql<Ours>`
  select o.source_id, m.id as monitor_id, monitor_status(s.state) as status, s.detail as status_reason,
    ${stamp('s.since')} as status_changed_at, m.check_interval, s.state = 'maintenance' as
    is_in_maintenance, coalesce((select array_agg(distinct f.region order by f.region)
      from checks c cross join unnest(c.failing_regions) as f(region) where c.monitor_id = m.id), '{}')
      as failing_regions,
    (select min((c.settings ->> 'degraded_after_ms')::int) from checks c
      where c.monitor_id = m.id and jsonb_typeof(c.settings -> 'degraded_after_ms') = 'number') as degraded_after_ms
  from imported_monitors o join monitors m on m.id = o.monitor_id
    cross join lateral (select * from monitor_states(m.tenant_id) f where f.monitor_id = m.id) s
  where o.migration_id = ${rowId}`

type Ours = Omit<OurStatus, 'response_ms'> & { source_id: string }

/** The last minutes, over which our response time is a mean. */
const recentMs = 900_000

export async function readOurs(
  { platform, clickhouse }: Pick<ShadowDeps, 'platform' | 'clickhouse'>,
  row: Pick<MigrationRow, 'id' | 'tenant_id'>,
): Promise<(OurStatus & { source_id: string })[]> {
  const found = await rows(platform, ourStatuses(row.id))
  const times = await resultsSince(clickhouse, { tenant: row.tenant_id, from: new Date(Date.now() - recentMs) })
  const byMonitor = new Map(times.map(each => [each.monitor_id, each.response_ms]))
  return found.map(each => ({ ...each, response_ms: byMonitor.get(each.monitor_id) ?? null }))
}

interface Seen extends Found {
  id: string
  monitor_id: string
}

async function note(deps: ShadowDeps, row: MigrationRow, theirs: ReadonlyMap<string, TheirStatus>): Promise<void> {
  const { latency_factor } = MigrationOptions.parse(row.options)
  const ours = await readOurs(deps, row)
  const seen = ours.flatMap((each): Seen[] => {
    const other = theirs.get(each.source_id)
    const found = other && compare(other, each, latency_factor)
    return found ? [{ id: randomUUID(), monitor_id: each.monitor_id, ...found }] : []
  })
  await storeDivergences(deps.platform, row, seen)
}

/**
 * Ends what is no longer seen, goes on with what is, and begins what is new. What only one poll saw is deleted when it
 * ends: two statuses of different moments are no divergence.
 */
export const storeDivergences = (
  platform: Pool,
  row: Pick<MigrationRow, 'id' | 'tenant_id'>,
  seen: readonly Seen[],
): Promise<void> =>
  inTransaction(platform, async client => {
    await rows(client)`select 1 from provider_migrations where id = ${row.id} for update`
    const found = JSON.stringify(seen)
    const gone = sql`d.migration_id = ${row.id} and d.ended_at is null and not exists (
      select 1 from jsonb_to_recordset(${found}::jsonb) as r(monitor_id uuid, kind text)
      where r.monitor_id = d.monitor_id and r.kind = d.kind)`
    await rows(client)`delete from migration_divergences d where ${gone} and d.polls < 2`
    await rows(client)`update migration_divergences d set ended_at = clock_timestamp() where ${gone}`
    await rows(client)`
      insert into migration_divergences (id, migration_id, tenant_id, monitor_id, kind, ours, theirs, started_at,
        verdict, explanation)
      select r.id, ${row.id}, ${row.tenant_id}, r.monitor_id, r.kind, r.ours, r.theirs, clock_timestamp(), r.verdict,
        r.explanation
      from jsonb_to_recordset(${found}::jsonb) as r(id uuid, monitor_id uuid, kind text, ours jsonb, theirs jsonb,
        verdict text, explanation text)
      on conflict (migration_id, monitor_id) where ended_at is null do update set
        polls = migration_divergences.polls + 1, verdict = excluded.verdict, explanation = excluded.explanation,
        ours = excluded.ours, theirs = excluded.theirs`
  })
