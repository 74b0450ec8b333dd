import { sql } from 'kysely'
import type { RetryLater } from '#contract/workflows.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { insertWorkflowsSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { readMoments } from '#control-plane/tenancy/team-states/read.ts'
import { askAgainMs, goesOn } from '#control-plane/tenancy/team-states/state.ts'
import { httpLimits } from '#importers/http-client.ts'
import { type Source, SourceError } from '#importers/source.ts'
import { importHistories } from './import-history.ts'
import { type ImportDeps, importBatch } from './import-items.ts'
import { inputOf, preview } from './preview.ts'
import { isReady, readinessOf } from './readiness.ts'
import { type MigrationRow, selectMigrations } from './row.ts'
import { runSource } from './run-source.ts'
import { pollOnce } from './shadow.ts'
import { sourceNamed } from './sources.ts'

const hourMs = 3_600_000
const pollMs = 60_000
/** A workflow of more steps is followed by a new one: its history must stay short. */
const mostSteps = 400

export type Advanced = 'done' | 'continued' | 'superseded' | RetryLater

/**
 * Does what the row of a migration says is due, and says when to call again. It may be called at any time, by several
 * processes, and again after a kill: what was done is in the row.
 */
export async function advanceMigration(deps: ImportDeps, id: string): Promise<Advanced> {
  const { platform } = deps.services
  await forgetExpired(deps, id)
  const row = await selectMigrations(platform).where('p.id', '=', id).executeTakeFirst()
  if (!row) return 'superseded'
  const source = sourceNamed(row.provider)
  if (!source) return 'superseded'
  const later = (await mayGoOn(deps, row)) ? await step(deps, row, source) : { againInMs: askAgainMs }
  if (later === 'done') return 'done'
  return (await isContinued(deps, row)) ? 'continued' : later
}

/** One that has ended only forgets its keys, which never waits. */
const mayGoOn = async ({ services: { platform } }: ImportDeps, { state, tenant_id }: MigrationRow): Promise<boolean> =>
  state === 'rolled_back' || state === 'cancelled' || goesOn('migrations', await readMoments(platform, tenant_id))

async function step(deps: ImportDeps, row: MigrationRow, source: Source): Promise<'done' | RetryLater> {
  switch (row.state) {
    case 'draft':
      if (!isReadable(row, source)) return waiting(row)
      return attempt(deps, row, () => preview(deps.services, row, source))
    case 'importing':
      return attempt(deps, row, () => importAll(deps, row))
    case 'shadow':
    case 'ready':
      await pollOnce(deps.services, row, source)
      await judgeReadiness(deps, row)
      return { againInMs: pollMs }
    case 'cutover':
      await pauseSource(deps, row, source)
      await forget(deps, row.id)
      return 'done'
    case 'rolled_back':
    case 'cancelled':
      await forget(deps, row.id)
      return 'done'
    case 'previewed':
    case 'imported':
    case 'failed':
      return waiting(row)
  }
}

const isReadable = (row: MigrationRow, source: Source) =>
  source.reads === 'file' ? row.has_file : row.credentials !== null || source.credential === undefined

/** Until a signal, or until what is kept expires. */
const waiting = (row: MigrationRow): RetryLater => ({
  againInMs:
    row.credentials_expire_at === null
      ? hourMs
      : Math.min(hourMs, Math.max(1, Date.parse(row.credentials_expire_at) - row.now_ms + 1)),
})

/** A source that cannot be read fails the migration with its reason; anything else is tried again by the workflow. */
async function attempt(deps: ImportDeps, row: MigrationRow, work: () => Promise<void>): Promise<RetryLater> {
  try {
    await work()
  } catch (error) {
    const why =
      error instanceof SourceError
        ? error.message
        : error instanceof UnreadableSecret
          ? 'The stored key or file cannot be decrypted. Send it again.'
          : null
    if (why === null) throw error
    await rows(deps.services.platform)`update provider_migrations
      set state = 'failed', failed_in = state, failure = ${why.slice(0, 1_000)}, phase = null,
      updated_at = clock_timestamp() where id = ${row.id} and state = ${row.state}`
  }
  return { againInMs: 1 }
}

async function importAll(deps: ImportDeps, row: MigrationRow): Promise<void> {
  while (await importBatch(deps, row));
  while (await importHistories(deps.services, row));
  await inTransaction(deps.services.platform, async client => {
    const [found] = await rows(client)<{ counts: Record<string, number> }>`
      update provider_migrations p set state = 'imported', phase = null, failure = null, failed_in = null,
        updated_at = clock_timestamp()
      where id = ${row.id} and state = 'importing' and not exists (
        select 1 from migration_items i where i.migration_id = p.id and i.state = 'pending')
      returning counts`
    if (found)
      await addAudit(
        client,
        [
          {
            tenantId: row.tenant_id,
            action: 'migration.imported',
            type: 'migration',
            id: row.id,
            changes: found.counts,
          },
        ],
        { userId: row.asked_by },
      )
  })
}

async function judgeReadiness(deps: ImportDeps, row: MigrationRow): Promise<void> {
  const { platform } = deps.services
  const now = await selectMigrations(platform).where('p.id', '=', row.id).executeTakeFirstOrThrow()
  const state = isReady(await readinessOf(deps.services, now)) ? 'ready' : 'shadow'
  await rows(platform)`update provider_migrations set state = ${state}, updated_at = clock_timestamp()
    where id = ${row.id} and state in ('shadow', 'ready') and state <> ${state}`
}

/** A provider that does not obey must not undo the cutover: its reason is shown. */
async function pauseSource(deps: ImportDeps, row: MigrationRow, source: Source): Promise<void> {
  if (!row.pauses_source || !source.pause) return
  const { platform } = deps.services
  const found = await rows(platform)<Row<'imported_monitors', 'source_id'>>`
    select source_id from imported_monitors where migration_id = ${row.id}`
  try {
    await runSource(deps.services.bounded, row.tenant_id, source).pause(
      await inputOf(deps.services, row, source, undefined, { ...httpLimits, pages: httpLimits.commands }),
      found.map(({ source_id }) => source_id),
    )
    await rows(platform)`update provider_migrations set pauses_source = false where id = ${row.id}`
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await rows(platform)`update provider_migrations
      set pauses_source = false, poll_failure =
      ${`The monitors of the old provider were not paused. ${error.message}`}
      where id = ${row.id}`
  }
}

/** Deletes keys and files whose hour is over, of this migration and of any other that no workflow has reached. */
async function forgetExpired({ services: { platform } }: ImportDeps, id: string): Promise<void> {
  await rows(platform)`with expired as (
      update provider_migrations set credentials = null, credentials_expire_at = null, has_file = false
      where credentials_expire_at <= clock_timestamp() and (id = ${id} or credentials_expire_at < clock_timestamp()
        - interval '5 minutes') returning id
    )
    delete from migration_files where migration_id in (select id from expired)`
}

async function forget({ services: { platform } }: ImportDeps, id: string): Promise<void> {
  await rows(platform)`with ended as (
      update provider_migrations set credentials = null, credentials_expire_at = null, has_file = false
      where id = ${id} returning id
    ), items as (
      update migration_items set wanted = null where migration_id in (select id from ended) and wanted is not null
    )
    delete from migration_files where migration_id in (select id from ended)`
}

const continueSql = (id: string, mostSteps: number) => sql`
  with continued as (
    update provider_migrations set steps = 0, revision = revision + 1 where id = ${id} and steps >= ${mostSteps}
    returning * ), started as (
    ${insertWorkflowsSql<'migration'>({
      workflow: 'migration',
      id: sql`'migration:' || p.id || ':' || p.revision`,
      tenant: 'p.tenant_id',
      input: { tenantId: 'p.tenant_id', migrationId: 'p.id' },
      from: sql`from continued p`,
    })}
  )
  select ${wakeSql} from started`

/** Counts the step, and hands over to a new workflow after so many. */
async function isContinued({ services: { platform } }: ImportDeps, { id }: MigrationRow): Promise<boolean> {
  await rows(platform)`update provider_migrations set steps = steps + 1 where id = ${id}`
  const rowCount = await affected(platform, continueSql(id, mostSteps))
  return rowCount > 0
}
