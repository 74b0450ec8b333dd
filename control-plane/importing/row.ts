import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { Sentence } from '#contract/sentence.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { amongTexts, type Db, queries, stamp } from '#control-plane/db/queries.ts'
import { type MigrationState, migrationStates } from './options.ts'

export const mayRead = { tenant: 'monitors:read', reseller: 'monitors:read' } as const
export const mayWrite = { tenant: 'monitors:write', reseller: 'monitors:write' } as const

/** Migrations of all tenants that the connection reaches. */
export const selectMigrations = (db: Db) =>
  queries(db)
    .selectFrom('provider_migrations as p')
    .select([
      'p.id',
      'p.tenant_id',
      'p.provider',
      'p.name',
      'p.account',
      'p.base_url',
      'p.options',
      'p.failed_in',
      'p.failure',
      'p.credentials',
      'p.has_file',
      'p.phase',
      'p.done',
      'p.total',
      'p.counts',
      'p.notes',
      'p.asked_by',
      'p.poll_failure',
      'p.polls',
      'p.pauses_source',
      'p.revision',
      'p.steps',
    ])
    .select(({ ref }) => [
      ref('p.state').$castTo<MigrationState>().as('state'),
      stamp(ref('p.credentials_expire_at')).as('credentials_expire_at'),
      stamp(ref('p.previewed_at')).as('previewed_at'),
      stamp(ref('p.shadow_at')).as('shadow_at'),
      stamp(ref('p.cutover_at')).as('cutover_at'),
      stamp(ref('p.rollback_until')).as('rollback_until'),
      stamp(ref('p.polled_at')).as('polled_at'),
      stamp(ref('p.created_at')).as('created_at'),
      stamp(ref('p.updated_at')).as('updated_at'),
      sql<boolean>`coalesce(p.credentials_expire_at <= clock_timestamp(), false)`.as('is_expired'),
      sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`.as('now_ms'),
    ])

export type MigrationRow = InferResult<ReturnType<typeof selectMigrations>>[number]

export async function findMigration(em: EntityManager, tenant: { id: string }, id: string): Promise<MigrationRow> {
  const row = await selectMigrations(em).where('p.tenant_id', '=', tenant.id).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Migration')
  return row
}

/** The migration, locked until the transaction ends, if it is in one of these states; 422 on `state` otherwise. */
export async function lockMigration(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  states: readonly MigrationState[],
): Promise<MigrationRow> {
  const row = await selectMigrations(em)
    .where('p.tenant_id', '=', tenant.id)
    .where('p.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Migration')
  if (!states.includes(row.state)) throw wrongState(row, states)
  return row
}

export const wrongState = (
  { state, phase }: Pick<MigrationRow, 'state' | 'phase'>,
  states: readonly MigrationState[],
) =>
  invalid(
    {
      state: [
        new Sentence('The migration is {state}; this needs one that is {states}.', {
          state: phase ? `${state} (${phase})` : state,
          states: states.join(' or '),
        }),
      ],
    },
    'migration_state',
  )

/** What distinguishes the records of one source from those of another. */
export const sourceKey = ({ provider, account }: Pick<MigrationRow, 'provider' | 'account'>): string =>
  account ? `${provider}/${account}` : provider

/** Monitors by the ids that they have at the source of a migration, all or those of these ids. */
export async function importedBefore(
  db: Db,
  row: Pick<MigrationRow, 'id' | 'tenant_id' | 'provider' | 'account'>,
  sourceIds?: readonly string[],
): Promise<Map<string, ImportedBefore>> {
  const all = queries(db)
    .selectFrom('imported_monitors as o')
    .innerJoin('monitors as m', 'm.id', 'o.monitor_id')
    .innerJoin('provider_migrations as p', 'p.id', 'o.migration_id')
    .where('o.tenant_id', '=', row.tenant_id)
    .where('m.tenant_id', '=', row.tenant_id)
    .where('p.tenant_id', '=', row.tenant_id)
    .where('o.source', '=', sourceKey(row))
  const rows = await (sourceIds ? all.where('o.source_id', '=', amongTexts(sourceIds)) : all)
    .select(['o.source_id', 'o.monitor_id', 'o.fingerprint', 'o.migration_id', 'o.is_created', 'p.state'])
    .select(sql<boolean>`not m.is_enabled or m.is_shadow`.as('is_quiet'))
    .execute()
  return new Map(
    rows.map(({ source_id, monitor_id, fingerprint, migration_id, is_created, state, is_quiet }) => [
      source_id,
      {
        monitor_id,
        fingerprint,
        is_left: migration_id !== row.id && is_created && is_quiet && state !== 'cutover',
        was_ended: state === 'rolled_back' || state === 'cancelled',
      },
    ]),
  )
}

export interface ImportedBefore {
  monitor_id: string
  fingerprint: string
  /** Another migration created it and was never cut over, or was rolled back: it runs not at all, or in its shadow. */
  is_left: boolean
  /** The migration that it belongs to was rolled back or cancelled. */
  was_ended: boolean
}

export const isState = (state: string): state is MigrationState => migrationStates.some(known => known === state)

/** The ids at the source of the status pages that were imported from it and are still here. */
export async function importedPages(
  db: Db,
  { tenant_id, provider, account }: Pick<MigrationRow, 'tenant_id' | 'provider' | 'account'>,
): Promise<Set<string>> {
  const rows = await queries(db)
    .selectFrom('migration_items as i')
    .innerJoin('provider_migrations as p', 'p.id', 'i.migration_id')
    .innerJoin('status_pages as s', 's.id', 'i.status_page_id')
    .where('i.tenant_id', '=', tenant_id)
    .where('p.tenant_id', '=', tenant_id)
    .where('s.tenant_id', '=', tenant_id)
    .where('p.provider', '=', provider)
    .where('p.account', '=', account)
    .where('i.kind', '=', 'status_page')
    .select('i.source_id')
    .execute()
  return new Set(rows.map(({ source_id }) => source_id))
}
