import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { type MigrationState, migrationStates } from './options.ts'

export const mayRead = { tenant: 'monitors:read', reseller: 'monitors:read' } as const
export const mayWrite = { tenant: 'monitors:write', reseller: 'monitors:write' } as const

/** Migrations of all tenants that the connection reaches. */
export const selectMigrations = (db: EntityManager | Pool | PoolClient) =>
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
      state: [`The migration is ${state}${phase ? ` (${phase})` : ''}; this needs one that is ${states.join(' or ')}.`],
    },
    'migration_state',
  )

/** What distinguishes the records of one source from those of another. */
export const sourceKey = ({ provider, account }: Pick<MigrationRow, 'provider' | 'account'>): string =>
  account ? `${provider}/${account}` : provider

export const isState = (state: string): state is MigrationState => migrationStates.some(known => known === state)

/** The ids at the source of the status pages that were imported from it and are still here. */
export async function importedPages(
  db: EntityManager | Pool | PoolClient,
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
