import type { PoolClient } from 'pg'
import { uptimeKinds } from '#checks/index.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import type { Services } from '#control-plane/http/services.ts'
import { uptimeCheckOrder } from '#control-plane/monitoring/statistics/read-judged.ts'
import { type MigrationRow, selectMigrations, sourceKey } from './row.ts'
import { sourceNamed } from './sources/index.ts'
import { openWanted } from './store.ts'

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
const monitorsOf = `
  select m.id, m.name, (extract(epoch from m.created_at) * 1000)::float8 as created_at, c.type,
    case c.severity when 'warning' then 'minor' else c.severity end as severity
  from monitors m cross join lateral (
    select type, severity from checks where monitor_id = m.id and tenant_id = m.tenant_id
    order by type = any($3::varchar[]) desc, ${uptimeCheckOrder} limit 1
  ) c
  where m.tenant_id = $1 and m.id = any($2::uuid[])`

const known = `
  select monitor_id, imported_id from incidents
  where tenant_id = $1 and monitor_id = any($2::uuid[]) and imported_from = $3`

const nextNumbers = `
  insert into incident_numbers as stored (tenant_id, last) values ($1, $2)
  on conflict (tenant_id) do update set last = stored.last + excluded.last
  returning last - $2::int as last`

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
const insert = `
  insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, status,
    started_at, confirmed_at, resolved_at, resolution, quorum, notified_at, forwarded_at, imported_from, imported_id)
  select gen_random_uuid(), $1, r.monitor_id, null, r.check_type, r.number, r.title, r.cause, r.severity, 'resolved',
    r.started_at, r.started_at, r.resolved_at, 'recovered', $4, null, null, $2, r.imported_id
  from jsonb_to_recordset($3::jsonb) as r(monitor_id uuid, check_type text, number int, title text, cause text,
    severity text, started_at timestamptz, resolved_at timestamptz, imported_id text)
  on conflict do nothing`

// what an earlier import has brought stays: it reaches further back
const keepSpans = `
  insert into imported_histories (monitor_id, tenant_id, source, known_from, known_until)
  select r.monitor_id, $1, $2, r.known_from, r.known_until
  from jsonb_to_recordset($3::jsonb) as r(monitor_id uuid, known_from timestamptz, known_until timestamptz)
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
    const { rows: items } = await client.query<Item>(
      `select i.ordinal, i.monitor_id, i.wanted from migration_items i
       where i.migration_id = $1 and i.has_history and i.state = 'done' and i.wanted is not null
       order by i.ordinal limit ${batch}`,
      [row.id],
    )
    if (items.length === 0) return false
    await store(services, client, row, items)
    await client.query(
      'update migration_items set has_history = false where migration_id = $1 and ordinal = any($2::int[])',
      [row.id, items.map(({ ordinal }) => ordinal)],
    )
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
  const { rows } = await client.query<Monitor>(monitorsOf, [row.tenant_id, ids, uptimeKinds])
  const monitors = new Map(rows.map(monitor => [monitor.id, monitor]))
  // locks the last number: imports of a team wait for each other, and none stores an incident twice
  await client.query(nextNumbers, [row.tenant_id, 0])
  const stored = await client.query<{ monitor_id: string; imported_id: string }>(known, [row.tenant_id, ids, source])
  const has = new Set(stored.rows.map(({ monitor_id, imported_id }) => `${monitor_id} ${imported_id}`))
  const incidents: Record<string, unknown>[] = []
  const spans: Record<string, unknown>[] = []
  for (const { ordinal, monitor_id, wanted } of items) {
    const monitor = monitors.get(monitor_id)
    const { history } = openWanted(config, row.id, ordinal, wanted)
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
    const numbers = await client.query<{ last: number }>(nextNumbers, [row.tenant_id, incidents.length])
    const last = numbers.rows[0]!.last
    const numbered = incidents.map((incident, index) => ({ ...incident, number: last + index + 1 }))
    await client.query(insert, [row.tenant_id, source, JSON.stringify(numbered), JSON.stringify(noProof)])
  }
  await client.query(keepSpans, [row.tenant_id, source, JSON.stringify(spans)])
}
