import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { PingAlias } from '#contract/ping-alias.ts'
import { anonymous } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import { among, json, queries, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { Services } from '#control-plane/http/services.ts'
import { changeMonitor } from '#control-plane/monitoring/monitors/change-monitors.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import type { WantedMonitor } from '#control-plane/monitoring/monitors/draft.ts'
import { single } from '#control-plane/monitoring/monitors/validate.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { claimAliases } from '#control-plane/passive/heartbeats/aliases/store.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { keptPingAddress, takenPingAddress } from '#importers/shapes.ts'
import type { Wanted, WantedMonitor as WantedMonitorOfSource } from '#importers/source.ts'
import { draft, draftPage } from './draft.ts'
import { importPage } from './import-page.ts'
import { fingerprintOf } from './preview.ts'
import {
  type ImportedBefore,
  importedBefore,
  importedPages,
  type MigrationRow,
  selectMigrations,
  sourceKey,
} from './row.ts'
import { decryptDraft } from './store.ts'

export interface ImportDeps {
  services: Services
  /** The connection of the API's role: row security binds it to the tenant. */
  em: EntityManager
}

const batch = 100

/**
 * Imports the pending items of a migration in batches, each a transaction of its own: its monitors, their origin, the
 * state of its items and the progress commit together. After a kill in between it goes on where it was, and no
 * record becomes two monitors. Returns false when there is nothing left.
 */
export async function importBatch(deps: ImportDeps, row: MigrationRow): Promise<boolean> {
  try {
    return (await importPart(deps, row, batch)) > 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // one item is refused: each for itself, so that the others are imported
    for (let at = 0; at < batch; at++) if (!(await importOne(deps, row))) return false
    return true
  }
}

async function importOne(deps: ImportDeps, row: MigrationRow): Promise<boolean> {
  try {
    return (await importPart(deps, row, 1)) > 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const why = error.errors ? Object.values(error.errors).flat().join(' ') : error.message
    await rows(deps.services.platform)`with refused as (
        update migration_items i set state = 'failed', failure = ${why.slice(0, 1_000)}
        where i.migration_id = ${row.id} and i.ordinal = (select min(p.ordinal) from migration_items p
          where p.migration_id = ${row.id} and p.state = 'pending')
        returning 1
      )
      update provider_migrations set done = done + 1, counts = jsonb_set(counts, '{failed}',
        to_jsonb(coalesce((counts->>'failed')::int, 0) + 1)) where id = ${row.id} and exists (select 1 from refused)`
    return true
  }
}

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'emit' | 'audit'>

/** Imports the next items. Returns how many there were. */
async function importPart({ services, em: root }: ImportDeps, row: MigrationRow, most: number): Promise<number> {
  const tenant = await tenantOf(services, row.tenant_id)
  const now = new Date()
  const unit = {
    tenantId: tenant.id,
    resellerId: null,
    caller: callerOf(row.asked_by),
    ip: '',
    requestId: `migration-${row.id}`,
    now,
  }
  return unitOfWork(root, unit, async (em, sideEffects) => {
    const state = await selectMigrations(em).where('p.id', '=', row.id).forUpdate().executeTakeFirst()
    // two workers may be at it, or it was cancelled: the row decides
    if (state?.state !== 'importing') return 0
    const items = await queries(em)
      .selectFrom('migration_items')
      .where('migration_id', '=', row.id)
      .where('tenant_id', '=', tenant.id)
      .where('state', '=', 'pending')
      .orderBy('ordinal')
      .limit(most)
      .select(['ordinal', 'action', 'source_id', 'wanted', 'is_enabled', 'monitor_id'])
      .execute()
    if (items.length === 0) return 0
    const context: Context = { em, tenant, now, services, emit: sideEffects.emit, audit: auditOf(sideEffects) }
    const wanted = items.map(item => {
      const { aliases, history: _, ...wanted } = decryptDraft(services.config, row.id, item.ordinal, item.wanted ?? '')
      return { ...item, wanted, aliases }
    })
    const opened = wanted.filter((item): item is Item<WantedMonitorOfSource> => item.wanted.of !== 'status_page')
    const pages = await importPages(
      context,
      row,
      wanted.filter((item): item is Item<WantedPage> => item.wanted.of === 'status_page'),
    )
    const existing = await importedBefore(
      em,
      row,
      opened.map(({ source_id }) => source_id),
    )
    const fresh = opened.filter(({ source_id }) => !existing.has(source_id))
    const drafts = await draftsOf(context, fresh)
    const ids = await createMonitors(context, drafts, single)
    const madeOf = new Map(fresh.map(({ source_id }, index) => [source_id, ids[index]!]))
    const old = opened.filter(({ source_id }) => existing.has(source_id))
    const changed = old.filter(
      ({ source_id, wanted }) => existing.get(source_id)?.fingerprint !== fingerprintOf(wanted),
    )
    for (const item of changed) await update(context, existing.get(item.source_id)!.monitor_id, item.wanted)
    await keep(context, row, fresh, madeOf)
    await refresh(em, row, old, existing)
    const monitorOf = (sourceId: string) => madeOf.get(sourceId) ?? existing.get(sourceId)!.monitor_id
    await keepAddresses(context, row, opened, monitorOf)
    const done = opened.map(({ ordinal, source_id }) => ({ ordinal, monitor_id: monitorOf(source_id) }))
    await rows(em)`update migration_items i set state = 'done', monitor_id = r.monitor_id
     from jsonb_to_recordset(${json(done)}) as r(ordinal int, monitor_id uuid)
     where i.migration_id = ${row.id} and i.tenant_id = ${tenant.id} and i.ordinal = r.ordinal`
    const counts = state.counts
    await queries(em)
      .updateTable('provider_migrations')
      .set({
        done: state.done + items.length,
        counts: sql`${JSON.stringify({
          ...counts,
          created: (counts.created ?? 0) + fresh.length + pages,
          updated: (counts.updated ?? 0) + old.length,
        })}::jsonb`,
        updated_at: now.toISOString(),
      })
      .where('id', '=', row.id)
      .where('tenant_id', '=', tenant.id)
      .execute()
    return items.length
  })
}

type WantedPage = Extract<Wanted, { of: 'status_page' }>
interface Item<Of extends Wanted> {
  ordinal: number
  action: string
  source_id: string
  is_enabled: boolean
  monitor_id: string | null
  wanted: Of
  aliases: readonly PingAlias[]
}

/** Creates the status pages that are not here yet. Returns how many. */
async function importPages(context: Context, row: MigrationRow, items: readonly Item<WantedPage>[]): Promise<number> {
  if (items.length === 0) return 0
  const { em, tenant } = context
  const known = await importedPages(em, row)
  let created = 0
  for (const { ordinal, source_id, wanted } of items) {
    const drafted = draftPage(wanted)
    if ('why' in drafted) throw new Refusal(422, 'invalid', drafted.why)
    const isKnown = known.has(source_id)
    const status_page_id = isKnown ? null : await importPage(context, drafted.page)
    if (!isKnown) created++
    await queries(em)
      .updateTable('migration_items')
      .set({ state: 'done', status_page_id })
      .where('tenant_id', '=', tenant.id)
      .where('migration_id', '=', row.id)
      .where('ordinal', '=', ordinal)
      .execute()
  }
  return created
}

/** Monitors as they will be: disabled until the shadow begins. */
async function draftsOf(
  { em, tenant, services }: Context,
  items: readonly { wanted: WantedMonitorOfSource }[],
): Promise<WantedMonitor[]> {
  const limits = await limitsNow(em, tenant.id)
  return items.map(({ wanted }) => {
    const drafted = draft(wanted, { limits, guard: services.guard })
    if ('why' in drafted) throw new Refusal(422, 'invalid', drafted.why)
    return { ...drafted.monitor, is_enabled: false }
  })
}

interface Fresh {
  source_id: string
  is_enabled: boolean
  wanted: Wanted
}

/** Notes where new monitors come from, and that no channel is notified of them yet. */
async function keep(
  { em, tenant }: Context,
  row: MigrationRow,
  fresh: readonly Fresh[],
  madeOf: ReadonlyMap<string, string>,
): Promise<void> {
  if (fresh.length === 0) return
  const db = queries(em)
  await db
    .insertInto('imported_monitors')
    .values(
      fresh.map(({ source_id, is_enabled, wanted }) => ({
        tenant_id: tenant.id,
        source: sourceKey(row),
        source_id,
        monitor_id: madeOf.get(source_id)!,
        migration_id: row.id,
        fingerprint: fingerprintOf(wanted),
        is_enabled,
        is_created: true,
      })),
    )
    .execute()
  await db
    .updateTable('monitors')
    .set({ is_shadow: true })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', among([...madeOf.values()]))
    .execute()
}

/**
 * Lets the old ping addresses of jobs lead to their heartbeats. One that another heartbeat has got since the preview
 * stays there, and the item says so.
 */
async function keepAddresses(
  { em, tenant }: Context,
  row: MigrationRow,
  items: readonly Item<WantedMonitorOfSource>[],
  monitorOf: (sourceId: string) => string,
): Promise<void> {
  const jobs = items.flatMap(({ ordinal, source_id, aliases }) =>
    aliases.map(alias => ({ ordinal, monitor_id: monitorOf(source_id), alias })),
  )
  const kept = await claimAliases(em, tenant, jobs)
  const refused = jobs.filter(({ monitor_id, alias }) => !kept.has(`${monitor_id} ${alias.kind}`))
  if (refused.length === 0) return
  await rows(em)`update migration_items set keeps_ping_address = false,
     stand_ins = (stand_ins - ${[keptPingAddress, takenPingAddress]}::text[]) || to_jsonb(${takenPingAddress}::text)
   where migration_id = ${row.id} and tenant_id = ${tenant.id}
     and ordinal = any(${refused.map(({ ordinal }) => ordinal)}::int[])`
}

/**
 * Monitors of an earlier import now belong to this migration, which compares them. One that an earlier migration left
 * disabled or in shadow is as if this one had created it; others run already, and it does not disable them.
 */
async function refresh(
  em: EntityManager,
  row: MigrationRow,
  old: readonly Fresh[],
  existing: ReadonlyMap<string, ImportedBefore>,
): Promise<void> {
  for (const { source_id, wanted } of old) {
    const { monitor_id, is_left } = existing.get(source_id)!
    await queries(em)
      .updateTable('imported_monitors')
      .set({
        fingerprint: fingerprintOf(wanted),
        migration_id: row.id,
        is_created: is_left,
      })
      .where('tenant_id', '=', row.tenant_id)
      .where('source', '=', sourceKey(row))
      .where('source_id', '=', source_id)
      .execute()
    if (is_left)
      await queries(em)
        .updateTable('monitors')
        .set({ is_shadow: true })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', monitor_id)
        .execute()
  }
}

async function update(context: Context, id: string, wanted: WantedMonitorOfSource): Promise<void> {
  const limits = await limitsNow(context.em, context.tenant.id)
  const drafted = draft(wanted, { limits, guard: context.services.guard })
  if ('why' in drafted) throw new Refusal(422, 'invalid', drafted.why)
  const { name, url, tags, group, check_interval, timeout, type } = drafted.monitor
  const isRun = type === 'website' || type === 'host'
  await changeMonitor(context, {
    id,
    name,
    tags,
    group,
    ...(isRun && { url: url ?? '', timeout, ...(check_interval !== undefined && { check_interval }) }),
  })
}

async function tenantOf({ platform }: Pick<Services, 'platform'>, id: string): Promise<RequestContext['tenant']> {
  const row = await queries(platform)
    .selectFrom('tenants')
    .where('id', '=', id)
    .select(['id', 'name', 'slug', 'plan', 'feature_overrides', 'is_reseller'])
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    featureOverrides: row.feature_overrides,
    isReseller: row.is_reseller,
  }
}

/** The person who asked for the import, as audit entries name them. */
const callerOf = (userId: string | null) => ({
  ...anonymous,
  user:
    (userId && {
      id: userId,
      name: '',
      email: '',
      role: 'member' as const,
      isSuperAdmin: false,
      language: 'en',
    }) ||
    null,
})

const auditOf =
  ({ audits }: SideEffects): RequestContext['audit'] =>
  (action, { type, id = null }, changes, whose = 'tenant') => {
    audits.push({ whose, action, type, id, changes })
  }
