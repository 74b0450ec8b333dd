import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { uptimeKinds } from '#checks/index.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import type { Services } from '#control-plane/http/services.ts'
import { uptimeCheckOrder } from '#control-plane/monitoring/statistics/read-judged.ts'
import { type MigrationRow, selectMigrations, sourceKey } from './row.ts'
import { sourceNamed } from './sources.ts'
import { decryptDraft } from './store.ts'

const batch = 50

interface Item {
  ordinal: number
  monitor_id: string
  wanted: string
}

interface Monitor {
  id: string
  name: string
  created_at: number
  type: string
  severity: string
}

// its severity is that of the check that stands for its uptime, as of an incident of our own
const monitorsOf = (tenantId: string, ids: readonly string[], uptimeKinds: readonly string[]) => sql<Monitor>`
  select m.id, m.name, (extract(epoch from m.created_at) * 1000)::float8 as created_at, c.type,
    case c.severity when 'warning' then 'minor' else c.severity end as severity
  from monitors m cross join lateral (
    select type, severity from checks where monitor_id = m.id and tenant_id = m.tenant_id
    order by type = any(${uptimeKinds}::varchar[]) desc, ${uptimeCheckOrder} limit 1
  ) c
  where m.tenant_id = ${tenantId} and m.id = any(${ids}::uuid[])`

const nextNumbers = (tenantId: string, last: number) => sql<Row<'incident_numbers', 'last'>>`
  insert into incident_numbers as stored (tenant_id, last) values (${tenantId}, ${last})
  on conflict (tenant_id) do update set last = stored.last + excluded.last
  returning last - ${last}::int as last`

/** No region of ours has judged it. */
const noProof: QuorumProof = {
  policy: { mode: 'direct', count: null },
  required: 0,
  asked: [],
  failed: [],
  ok: [],
  silent: [],
  excluded: [],
  regions: {},
}

// with no moment at which a team or a reseller was notified: neither is notified of later changes of it
const insert = (tenantId: string, source: string, numbered: string, noProof: string) => sql`
  insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, status,
    started_at, confirmed_at, resolved_at, resolution, quorum, notified_at, forwarded_at, imported_from, imported_id)
  select gen_random_uuid(), ${tenantId}, r.monitor_id, null, r.check_type, r.number, r.title, r.cause, r.severity,
  'resolved', r.started_at, r.started_at, r.resolved_at, 'recovered', ${noProof}, null, null, ${source}, r.imported_id
  from jsonb_to_recordset(${numbered}::jsonb) as r(monitor_id uuid, check_type text, number int, title text, cause text,
    severity text, started_at timestamptz, resolved_at timestamptz, imported_id text)
  on conflict do nothing`

/**
 * Imports incidents of the past of some monitors: as resolved ones of which no notification is sent, each once, however
 * often it is read, and none that began after the monitor was created here: from then on our own count. Returns false
 * when there is nothing left.
 */
export const importHistories = (services: Pick<Services, 'platform' | 'config'>, row: MigrationRow): Promise<boolean> =>
  inTransaction(services.platform, async client => {
    const now = await selectMigrations(client).where('p.id', '=', row.id).forUpdate().executeTakeFirst()
    if (now?.state !== 'importing') return false
    const items = await rows(client)<Item>`
      select i.ordinal, i.monitor_id, i.wanted from migration_items i
      where i.migration_id = ${row.id} and i.has_history and i.state = 'done' and i.wanted is not null
      order by i.ordinal limit ${sql.lit(batch)}`
    if (items.length === 0) return false
    await store(services, client, row, items)
    await rows(client)`update migration_items set has_history = false where migration_id = ${row.id}
      and ordinal = any(${items.map(({ ordinal }) => ordinal)}::int[])`
    return true
  })

async function store(
  { config }: Pick<Services, 'config'>,
  client: PoolClient,
  row: MigrationRow,
  items: readonly Item[],
): Promise<void> {
  const source = sourceKey(row)
  const ids = items.map(({ monitor_id }) => monitor_id)
  const found = await rows(client, monitorsOf(row.tenant_id, ids, uptimeKinds))
  const monitors = new Map(found.map(monitor => [monitor.id, monitor]))
  // locks the last number: imports of a team wait for each other, and none stores an incident twice
  await rows(client, nextNumbers(row.tenant_id, 0))
  const stored = await rows(client)<Row<'incidents', 'monitor_id' | 'imported_id'>>`
select monitor_id, imported_id from incidents
where tenant_id = ${row.tenant_id} and monitor_id = any(${ids}::uuid[]) and imported_from = ${source}`
  const has = new Set(stored.map(({ monitor_id, imported_id }) => `${monitor_id} ${imported_id}`))
  const incidents: Record<string, unknown>[] = []
  const spans: Record<string, unknown>[] = []
  for (const { ordinal, monitor_id, wanted } of items) {
    const monitor = monitors.get(monitor_id)
    const { history } = decryptDraft(config, row.id, ordinal, wanted)
    // deleted since
    if (!monitor || !history) continue
    const until = new Date(Math.min(Date.parse(history.until), monitor.created_at)).toISOString()
    if (history.from < until) spans.push({ monitor_id, known_from: history.from, known_until: until })
    for (const { id, startedAt, resolvedAt, cause } of [...history.incidents].reverse()) {
      const key = `${monitor_id} ${id}`
      if (has.has(key) || Date.parse(startedAt) >= monitor.created_at) continue
      has.add(key)
      incidents.push({
        monitor_id,
        check_type: monitor.type,
        title: `${monitor.name} was down`,
        cause: cause ?? `${sourceNamed(row.provider)?.title ?? row.provider} did not say why.`,
        severity: monitor.severity,
        started_at: startedAt,
        resolved_at: resolvedAt,
        imported_id: id,
      })
    }
  }
  if (incidents.length > 0) {
    const numbers = await rows(client, nextNumbers(row.tenant_id, incidents.length))
    const last = numbers[0]!.last
    const numbered = incidents.map((incident, index) => ({ ...incident, number: last + index + 1 }))
    await rows(client, insert(row.tenant_id, source, JSON.stringify(numbered), JSON.stringify(noProof)))
  }
  await rows(client)`
    insert into imported_histories (monitor_id, tenant_id, source, known_from, known_until)
    select r.monitor_id, ${row.tenant_id}, ${source}, r.known_from, r.known_until
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as r(monitor_id uuid, known_from timestamptz, known_until
    timestamptz) on conflict do nothing`
}
