import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { aliasKey } from '#contract/ping-alias.ts'
import type { Limits } from '#contract/plans.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { MigrationCounts } from '#control-plane/db/model/shapes.ts'
import { countRows, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { takenAliases } from '#control-plane/passive/heartbeats/aliases/store.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { httpLimits, openHttpClient } from '#importers/http-client.ts'
import { keptPingAddress, newPingAddress, takenPingAddress } from '#importers/shapes.ts'
import type { Source, SourceInput, SourceItem, Wanted } from '#importers/source.ts'
import { draft, draftPage } from './draft.ts'
import { noCounts } from './options.ts'
import { type ImportedBefore, importedBefore, importedPages, type MigrationRow, selectMigrations } from './row.ts'
import { runSource } from './run-source.ts'
import { decryptKey, encryptDraft, readFile } from './store.ts'

type PreviewDeps = Pick<Services, 'platform' | 'config' | 'guard' | 'bounded'>

const wholeMs = 600_000
const progressEveryMs = 500
/** Items that are examined and encrypted before others have a turn. */
const atOnce = 20

/** What a source is given: its file, its key, and how to reach it. */
export async function inputOf(
  { platform, config, guard }: Pick<Services, 'platform' | 'config' | 'guard'>,
  row: MigrationRow,
  source: Source,
  signal = AbortSignal.timeout(wholeMs),
  limits = httpLimits,
): Promise<SourceInput> {
  let [reported, at] = [0, -Infinity]
  return {
    file: source.reads === 'file' ? await readFile(platform, config, row.id) : null,
    path: null,
    ...(row.credentials === null || row.is_expired
      ? { credential: null, pingKey: null }
      : decryptKey(config, row.id, row.credentials)),
    baseUrl: row.base_url ?? source.baseUrl ?? null,
    reach: openHttpClient(guard, signal, limits),
    async progress(done, total) {
      if (done < reported || performance.now() - at < progressEveryMs) return
      reported = done
      at = performance.now()
      await rows(platform)`update provider_migrations set done = ${done}, total = ${total ?? 0} where id = ${row.id}`
    },
  }
}

/** Reads the source and stores what would become of each record. Nothing else is written. */
export async function preview(deps: PreviewDeps, row: MigrationRow, source: Source): Promise<void> {
  await rows(deps.platform)`
    update provider_migrations set phase = 'reading', done = 0, total = 0 where id = ${row.id}`
  const input = await inputOf(deps, row, source)
  const found = await runSource(deps.bounded, row.tenant_id, source).read(input)
  const { items, notes } = distinct(found)
  await inTransaction(deps.platform, client => store(deps, client, { row, items, notes }))
}

/** Records by their ids: a source that names one twice, while it changes between pages, gets one item for it. */
function distinct(found: readonly SourceItem[]): { items: SourceItem[]; notes: string[] } {
  const byId = new Map<string, SourceItem>()
  for (const item of found) {
    const sourceId = item.sourceId.slice(0, 255)
    const key = `${item.kind} ${sourceId}`
    if (!byId.has(key)) byId.set(key, { ...item, sourceId })
  }
  const doubled = found.length - byId.size
  const notes = doubled > 0 ? [`The source named ${doubled} records twice; each is carried over once.`] : []
  return { items: [...byId.values()], notes }
}

interface Previewed {
  row: MigrationRow
  items: SourceItem[]
  notes: string[]
}

const insertItems = (rowId: string, tenantId: string, records: string) => sql`
  insert into migration_items (migration_id, tenant_id, ordinal, kind, source_id, source_kind, name, target, action,
    reason, exceeds, stand_ins, wanted, is_enabled, monitor_id, keeps_ping_address, past_incidents,
    has_history)
  select ${rowId}, ${tenantId}, r.ordinal, r.kind, r.source_id, r.source_kind, r.name, r.target, r.action, r.reason,
  r.exceeds, r.stand_ins, r.wanted, r.is_enabled, r.monitor_id, r.keeps_ping_address, r.past_incidents,
    r.has_history
  from jsonb_to_recordset(${records}::jsonb) as r(ordinal int, kind text, source_id text, source_kind text, name text,
    target text, action text, reason text, exceeds text, stand_ins jsonb, wanted text, is_enabled boolean,
    monitor_id uuid, keeps_ping_address boolean, past_incidents int, has_history boolean)`

async function store(deps: PreviewDeps, client: PoolClient, { row, items, notes }: Previewed): Promise<void> {
  const now = await selectMigrations(client).where('p.id', '=', row.id).forUpdate().executeTakeFirst()
  // another attempt has finished, or it was cancelled meanwhile
  if (now?.state !== 'draft') return
  const known = await importedBefore(client, row)
  const { limits } = await planNow(client, row.tenant_id)
  const monitors = await countRows(client)`from monitors where tenant_id = ${row.tenant_id}`
  const pages = await countRows(client)`from status_pages where tenant_id = ${row.tenant_id}`
  const free = {
    monitors: limits.monitors === null ? Infinity : limits.monitors - monitors,
    status_pages: limits.status_pages === null ? Infinity : limits.status_pages - pages,
  }
  const knownPages = await importedPages(client, row)
  const leadingTo = await aliasesOf(client, items)
  const counts: MigrationCounts = { ...noCounts }
  await rows(client)`delete from migration_items where migration_id = ${row.id}`
  for (let at = 0; at < items.length; at += atOnce) {
    const records = items.slice(at, at + atOnce).map((item, index) => {
      const ordinal = at + index
      const decided =
        item.wanted?.of === 'status_page'
          ? decidePage(item, item.wanted, knownPages.has(item.sourceId), { limits, free: free.status_pages })
          : decide(item, known.get(item.sourceId), {
              ...{ limits, guard: deps.guard, free: free.monitors },
              addresses: addressesHere(item, known.get(item.sourceId), row, leadingTo),
            })
      counts[decided.action]++
      if (decided.action === 'create') free[item.wanted?.of === 'status_page' ? 'status_pages' : 'monitors']--
      const { wanted, ...stored } = decided
      const history = wanted === null ? null : (item.history ?? null)
      return {
        ordinal,
        kind: item.kind,
        source_id: item.sourceId,
        source_kind: item.sourceKind.slice(0, 60),
        name: item.name,
        is_enabled: item.isEnabled,
        ...stored,
        past_incidents: history?.incidents.length ?? null,
        has_history: history !== null,
        wanted:
          wanted && encryptDraft(deps.config, row.id, ordinal, { ...wanted, aliases: item.pingAliases ?? [], history }),
      }
    })
    await rows(client, insertItems(row.id, row.tenant_id, JSON.stringify(records)))
  }
  await rows(client)`delete from migration_files where migration_id = ${row.id}`
  await rows(client)`update provider_migrations
    set state = 'previewed', phase = null, done = ${items.length}, total = ${items.length}, counts =
    ${JSON.stringify(counts)}, notes = ${JSON.stringify(notes)},
    failure = null, failed_in = null, has_file = false, previewed_at = clock_timestamp(),
    credentials_expire_at = case when credentials is not null then credentials_expire_at end,
    updated_at = clock_timestamp() where id = ${row.id}`
  const { create, update, skip } = counts
  await addAudit(
    client,
    [
      {
        tenantId: row.tenant_id,
        action: 'migration.previewed',
        type: 'migration',
        id: row.id,
        changes: { create, update, skip },
      },
    ],
    { userId: row.asked_by },
  )
}

interface Decided {
  action: 'create' | 'update' | 'skip'
  reason: string
  exceeds: string | null
  stand_ins: string[]
  target: string | null
  wanted: Wanted | null
  monitor_id: string | null
  keeps_ping_address?: boolean | null
}

/** What of a record counts when it is compared with the one that was imported. */
export const fingerprintOf = (wanted: unknown): string =>
  createHash('sha256').update(JSON.stringify(wanted)).digest('base64url').slice(0, 22)

/**
 * What becomes of a ping address that a job has at its source: it leads to its heartbeat already (`own`), it will
 * (`free`), or it leads to another heartbeat and stays there (`taken`).
 */
type AddressHere = 'own' | 'free' | 'taken'

const aliasesOf = (client: PoolClient, items: readonly SourceItem[]) =>
  takenAliases(
    client,
    items.flatMap(({ pingAliases }) => pingAliases ?? []),
  )

const addressesHere = (
  { pingAliases = [] }: SourceItem,
  known: ImportedBefore | undefined,
  { tenant_id }: MigrationRow,
  leadingTo: Awaited<ReturnType<typeof aliasesOf>>,
): AddressHere[] =>
  pingAliases.map(alias => {
    const taken = leadingTo.get(aliasKey(alias))
    if (!taken) return 'free'
    return known?.monitor_id === taken.monitor_id && tenant_id === taken.tenant_id ? 'own' : 'taken'
  })

function decide(
  item: SourceItem,
  known: ImportedBefore | undefined,
  { limits, guard, free, addresses }: Parameters<typeof draft>[1] & { free: number; addresses: AddressHere[] },
): Decided {
  const isJob = item.pingAliases !== undefined
  const keeps_ping_address = isJob ? addresses.length > 0 && !addresses.includes('taken') : null
  const addressNote = keeps_ping_address ? keptPingAddress : addresses.length > 0 ? takenPingAddress : newPingAddress
  const target = targetOf(item)
  const skip = (reason: string, exceeds: string | null = null, monitor_id: string | null = null): Decided => ({
    action: 'skip',
    reason,
    exceeds,
    stand_ins: item.standIns,
    target,
    wanted: null,
    monitor_id,
  })
  if (item.wanted === null || item.wanted.of === 'status_page') return skip(item.reason ?? 'It cannot be carried over.')
  const isUnchanged = known?.fingerprint === fingerprintOf(item.wanted)
  const isTakenUp = known?.is_left === true && known.was_ended
  if (known && isUnchanged && !isTakenUp && !addresses.includes('free'))
    return {
      ...skip('It was imported before and has not changed at the source since.', null, known.monitor_id),
      keeps_ping_address,
    }
  const drafted = draft(item.wanted, { limits, guard })
  if ('why' in drafted) return skip(drafted.why, drafted.exceeds)
  const stand_ins = [...item.standIns, ...(isJob ? [addressNote] : []), ...drafted.standIns]
  if (known)
    return {
      action: 'update',
      keeps_ping_address,
      reason: reasonOf({ isUnchanged, isTakenUp }),
      exceeds: null,
      stand_ins: isUnchanged
        ? stand_ins
        : [...stand_ins, 'Name, address, interval, tags and group are updated; settings of its checks stay.'],
      target,
      wanted: item.wanted,
      monitor_id: known.monitor_id,
    }
  if (free <= 0) return { ...skip(`The plan allows ${limits.monitors} monitors.`, 'monitors'), stand_ins }
  return {
    action: 'create',
    keeps_ping_address,
    reason: 'It is not here yet.',
    exceeds: null,
    stand_ins,
    target,
    wanted: item.wanted,
    monitor_id: null,
  }
}

function reasonOf({ isUnchanged, isTakenUp }: { isUnchanged: boolean; isTakenUp: boolean }): string {
  if (isTakenUp)
    return isUnchanged
      ? 'It was imported before and disabled again: this migration takes it up.'
      : 'It was imported before and disabled again, and has changed at the source: this migration takes it up.'
  return isUnchanged
    ? 'It was imported before; its ping address at the source will count as well.'
    : 'It was imported before and has changed at the source.'
}

/** A page is imported once: what people have changed of it here stays. */
function decidePage(
  item: SourceItem,
  wanted: Extract<Wanted, { of: 'status_page' }>,
  isKnown: boolean,
  { limits, free }: { limits: Limits; free: number },
): Decided {
  const drafted = draftPage(wanted)
  const decided = { exceeds: null, stand_ins: item.standIns, target: null, wanted: null, monitor_id: null }
  const skip = (reason: string): Decided => ({ ...decided, action: 'skip', reason })
  if (isKnown) return skip('It was imported before: a status page is imported once.')
  if ('why' in drafted) return skip(drafted.why)
  if (free <= 0) return { ...skip(`The plan allows ${limits.status_pages} status pages.`), exceeds: 'status_pages' }
  return { ...decided, action: 'create', reason: 'It is not here yet.', wanted }
}

/** The address as it is shown: without a name and a password. */
function targetOf({ wanted }: SourceItem): string | null {
  if (wanted?.of !== 'monitor') return null
  const { url } = wanted.body
  if (!URL.canParse(url)) return url.slice(0, 2_048)
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href.slice(0, 2_048)
}
