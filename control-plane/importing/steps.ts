import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { rowChanged, workflowId } from '#contract/workflows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { amongTexts, queries, rows, total } from '#control-plane/db/queries.ts'
import { checkTenantScope } from '#control-plane/http/access/tenant.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { flag } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { change } from './change.ts'
import { baseUrl, credential, pingKey } from './input.ts'
import { keptMinutes, rollbackDays } from './options.ts'
import { isReady, readinessOf } from './readiness.ts'
import { findMigration, lockMigration, type MigrationRow, mayWrite } from './row.ts'
import { sourceNamed } from './sources.ts'
import { decryptKey, encryptKey } from './store.ts'
import { MigrationView, viewMigration } from './view.ts'

const oneMigration = ok({ data: MigrationView })
const minuteMs = 60_000
const dayMs = 86_400_000
/** How long a key that was sent for the shadow is kept at the most. */
const shadowKeyDays = 30

type StepContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'signal'>

/** The migration after a step, whose workflow gets a signal that its row has changed. */
async function answer({ em, tenant, signal }: StepContext, row: MigrationRow) {
  signal(workflowId.migration(row.id, row.revision), rowChanged)
  return { data: viewMigration(await findMigration(em, tenant, row.id)) }
}

export const previewMigration = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/preview',
  operation: 'migrations.preview',
  summary: 'Read the source of a migration again',
  access: mayWrite,
  body: z.object({ api_key: credential.optional(), ping_key: pingKey.optional() }).meta({ id: 'MigrationPreview' }),
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, body, services, now, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['draft', 'previewed', 'failed'])
    const source = sourceNamed(row.provider)
    if (source?.reads === 'file') throw invalid({ state: ['It is read from a file: send the file again.'] })
    if (source?.credential !== undefined && body.api_key === undefined && row.credentials === null)
      throw invalid({ api_key: ['The key was deleted: send it again.'] })
    if (body.ping_key !== undefined && !source?.hasPingKey)
      throw invalid({
        ping_key: [new Sentence('{source} has no ping key.', { source: source?.title ?? row.provider })],
      })
    const former =
      row.credentials === null || row.is_expired ? null : decryptKey(services.config, row.id, row.credentials)
    const key = body.api_key ?? former?.credential
    if (body.ping_key !== undefined && key === undefined)
      throw invalid({ api_key: ['The key was deleted: send it again.'] })
    await change(context, row, {
      state: 'draft',
      phase: null,
      failure: null,
      failed_in: null,
      ...((body.api_key ?? body.ping_key) !== undefined &&
        key !== undefined && {
          credentials: encryptKey(services.config, row.id, {
            credential: key,
            pingKey: body.ping_key ?? former?.pingKey ?? null,
          }),
          credentials_expire_at: new Date(now.getTime() + keptMinutes * minuteMs).toISOString(),
        }),
    })
    audit('migration.preview_requested', { type: 'migration', id: row.id })
    return answer(context, row)
  },
})

export const importMigration = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/import',
  operation: 'migrations.import',
  summary: 'Import what the preview shows, all of it or some items',
  description:
    'The monitors are created in the background, disabled: nothing is checked before the shadow begins. Repeated, it ' +
    'goes on where it was; a record becomes one monitor, however often it is imported. Status pages become drafts, ' +
    'for which the token needs `status-pages:write` as well.',
  access: mayWrite,
  body: z
    .object({
      source_ids: z
        .array(z.string().min(1).max(255))
        .min(1)
        .max(20_000)
        .optional()
        .meta({ description: 'The items to import, by their ids at the source. By default all.' }),
    })
    .meta({ id: 'MigrationImport' }),
  bodyLimit: 1_048_576,
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, body, caller, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['previewed', 'imported', 'failed'])
    if (row.state === 'failed' && row.failed_in !== 'importing')
      throw invalid({ state: ['It failed before there was a preview: read the source again.'] }, 'migration_state')
    const wanted = await chooseItems(em, tenant, row, body.source_ids)
    if (await hasPages(em, tenant, row))
      checkTenantScope(caller, { tenant: 'status-pages:write', reseller: 'status-pages:write' })
    if (wanted === 0 && row.state === 'imported')
      throw invalid({ source_ids: ['None of these items is left to be imported.'] })
    await change(context, row, {
      state: 'importing',
      phase: 'importing',
      failure: null,
      failed_in: null,
      done: 0,
      total: wanted,
      asked_by: caller.user?.id ?? null,
    })
    audit('migration.import_requested', { type: 'migration', id: row.id }, { items: wanted })
    return answer(context, row)
  },
})

/** Marks the items to import as pending and all others as left out. Returns how many are to be imported. */
async function chooseItems(
  em: EntityManager,
  tenant: { id: string },
  row: MigrationRow,
  sourceIds: readonly string[] | undefined,
): Promise<number> {
  const items = queries(em)
    .updateTable('migration_items')
    .where('tenant_id', '=', tenant.id)
    .where('migration_id', '=', row.id)
    .where('state', '<>', 'done')
  await items.set({ state: 'left_out', failure: null }).execute()
  let chosen = items
    .where('action', '<>', 'skip')
    .where('wanted', 'is not', null)
    .where('kind', 'in', ['monitor', 'status_page'])
    .set({ state: 'pending' })
  if (sourceIds) {
    await refuseUnknown(em, tenant, row, sourceIds)
    chosen = chosen.where('source_id', '=', amongTexts(sourceIds))
  }
  const { numUpdatedRows } = await chosen.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Whether status pages are among the chosen items: to create them takes more than to create monitors. */
async function hasPages(em: EntityManager, tenant: { id: string }, row: MigrationRow): Promise<boolean> {
  const page = await queries(em)
    .selectFrom('migration_items')
    .where('tenant_id', '=', tenant.id)
    .where('migration_id', '=', row.id)
    .where('kind', '=', 'status_page')
    .where('state', '=', 'pending')
    .where('action', '<>', 'skip')
    .select('ordinal')
    .limit(1)
    .executeTakeFirst()
  return page !== undefined
}

async function refuseUnknown(
  em: EntityManager,
  tenant: { id: string },
  row: MigrationRow,
  sourceIds: readonly string[],
): Promise<void> {
  const wanted = new Set(sourceIds)
  const { total: known } = await queries(em)
    .selectFrom('migration_items')
    .where('tenant_id', '=', tenant.id)
    .where('migration_id', '=', row.id)
    .where('kind', '=', 'monitor')
    .where('source_id', '=', amongTexts([...wanted]))
    .select(total)
    .executeTakeFirstOrThrow()
  if (known < wanted.size) throw invalid({ source_ids: ['Names a record that the preview does not have.'] })
}

export const startMigrationShadow = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/shadow',
  operation: 'migrations.shadow',
  summary: 'Run the imported checks beside the old provider',
  description:
    'Without notifications. ' +
    'Each minute the old provider is asked for its statuses, where its API allows. Uptime Kuma and Gatus, which are ' +
    'read from files, are asked where `base_url` says where they are reached. A key that is sent here is kept ' +
    `until the shadow ends, at most ${shadowKeyDays} days; without one the provider is asked until the earlier key ` +
    'is deleted, which a new `base_url` does as well.',
  access: mayWrite,
  body: z
    .object({
      api_key: credential.optional(),
      base_url: baseUrl.optional().meta({
        description: 'Where the provider is asked for its statuses, such as the address of Uptime Kuma or Gatus.',
      }),
    })
    .meta({ id: 'MigrationShadow' }),
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, body, services, now, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['imported', 'shadow', 'ready'])
    if (!sourceNamed(row.provider)?.poll)
      for (const field of ['api_key', 'base_url'] as const)
        if (body[field] !== undefined) throw invalid({ [field]: ['This provider is not asked for its statuses.'] })
    const refused = body.base_url === undefined ? null : services.guard.refuseUrl(body.base_url)
    if (refused !== null) throw invalid({ base_url: [refused] })
    if (row.state === 'imported') {
      await switchMonitors(em, tenant, row, 'enable', now)
      await change(context, row, { state: 'shadow', shadow_at: now.toISOString() })
    }
    // a key is sent to the address for which it was given, and nowhere else
    if (body.base_url !== undefined)
      await change(context, row, { base_url: body.base_url, credentials: null, credentials_expire_at: null })
    if (body.api_key !== undefined)
      await change(context, row, {
        credentials: encryptKey(services.config, row.id, { credential: body.api_key, pingKey: null }),
        credentials_expire_at: new Date(now.getTime() + shadowKeyDays * dayMs).toISOString(),
      })
    audit('migration.shadow_started', { type: 'migration', id: row.id }, { has_key: body.api_key !== undefined })
    return answer(context, row)
  },
})

/** Enables imported monitors that are active at the source, or disables those that this migration created. */
const switchMonitors = (
  em: EntityManager,
  tenant: { id: string },
  { id }: MigrationRow,
  to: 'enable' | 'disable',
  now: Date,
) =>
  rows(em)`update monitors m set is_enabled = ${to === 'enable'}, switched_at = ${now}, updated_at = ${now}
   from imported_monitors o
     left join migration_items i on i.migration_id = o.migration_id and i.tenant_id = o.tenant_id
       and i.kind = 'monitor' and i.source_id = o.source_id
   where o.migration_id = ${id} and o.tenant_id = ${tenant.id} and m.id = o.monitor_id and m.tenant_id = o.tenant_id
     and o.is_created and (coalesce(i.is_enabled, o.is_enabled) or ${to === 'disable'})
     and m.is_enabled <> ${to === 'enable'}`

const endShadow = (em: EntityManager, tenant: { id: string }, { id }: MigrationRow) =>
  rows(em)`update monitors m set is_shadow = false
   from imported_monitors o
   where o.migration_id = ${id} and o.tenant_id = ${tenant.id} and m.id = o.monitor_id and m.tenant_id = o.tenant_id
     and m.is_shadow`

export const cutOverMigration = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/cutover',
  operation: 'migrations.cutover',
  summary: 'Turn alerts on for the imported monitors',
  description:
    'From now on people are notified, also of what is down already. With `force` it is done although a condition of ' +
    '`GET /migrations/{migration}/cutover-readiness` is not met. For seven days it can be rolled back.',
  access: mayWrite,
  body: z
    .object({
      force: z.boolean().default(false),
      pause_source: z
        .boolean()
        .default(false)
        .meta({ description: 'Pause the imported monitors at the old provider, where its API allows it.' }),
    })
    .meta({ id: 'MigrationCutover' }),
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, body, services, now, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['shadow', 'ready'])
    if (body.pause_source && !sourceNamed(row.provider)?.pause)
      throw invalid({ pause_source: ['The monitors of this provider cannot be paused from here.'] })
    if (body.pause_source && (row.credentials === null || row.is_expired))
      throw invalid({ pause_source: ['The key of the provider was deleted: send it with `shadow` first.'] })
    const missing = (await readinessOf(services, row)).filter(({ is_met }) => !is_met)
    if (!body.force && !isReady(missing))
      throw invalid({ force: missing.map(({ name, explanation }) => `${name} is not met. ${explanation}`) })
    await endShadow(em, tenant, row)
    await change(context, row, {
      state: 'cutover',
      cutover_at: now.toISOString(),
      rollback_until: new Date(now.getTime() + rollbackDays * dayMs).toISOString(),
      pauses_source: body.pause_source,
    })
    audit(
      'migration.cutover',
      { type: 'migration', id: row.id },
      { was_forced: missing.length > 0, not_met: missing.map(({ name }) => name), pause_source: body.pause_source },
    )
    return answer(context, row)
  },
})

export const rollBackMigration = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/rollback',
  operation: 'migrations.rollback',
  summary: 'Go back to the old provider',
  description:
    'The imported monitors are disabled and kept. ' +
    'Within seven days after the cutover. Monitors that were here before the migration stay as they are.',
  access: mayWrite,
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, now, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['cutover'])
    if (row.rollback_until !== null && Date.parse(row.rollback_until) <= row.now_ms)
      throw invalid({ state: ['The seven days in which it can be rolled back are over.'] }, 'migration_state')
    await switchMonitors(em, tenant, row, 'disable', now)
    await change(context, row, { state: 'rolled_back' })
    audit('migration.rolled_back', { type: 'migration', id: row.id })
    return answer(context, row)
  },
})

export const cancelMigration = endpoint({
  method: 'POST',
  path: '/migrations/{migration}/cancel',
  operation: 'migrations.cancel',
  summary: 'Cancel a migration before its cutover',
  description: 'Monitors that were imported are disabled and kept. Its key and its file are deleted.',
  access: mayWrite,
  query: z.object({ keep_enabled: flag.default(false) }),
  returns: oneMigration,

  async handle(context) {
    const { em, tenant, params, query, now, audit } = context
    const row = await lockMigration(em, tenant, params.migration, [
      'draft',
      'previewed',
      'importing',
      'imported',
      'shadow',
      'ready',
      'failed',
    ])
    if (!query.keep_enabled) await switchMonitors(em, tenant, row, 'disable', now)
    await endShadow(em, tenant, row)
    await change(context, row, {
      state: 'cancelled',
      phase: null,
      has_file: false,
      credentials: null,
      credentials_expire_at: null,
    })
    await queries(em)
      .deleteFrom('migration_files')
      .where('tenant_id', '=', tenant.id)
      .where('migration_id', '=', row.id)
      .execute()
    audit('migration.cancelled', { type: 'migration', id: row.id }, { keep_enabled: query.keep_enabled })
    return answer(context, row)
  },
})
