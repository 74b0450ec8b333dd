import type { EntityManager } from '@mikro-orm/postgresql'
import { json, type Row, rows } from '#control-plane/db/queries.ts'

type Changes = Partial<Pick<Row<'tenants'>, 'name' | 'plan' | 'paused_at' | 'deleted_at' | 'feature_overrides'>>

/**
 * Changes the tenant of a team in a transaction of its reseller. The role of the API may not write these columns; a
 * function of the database does, for teams of the reseller alone.
 */
export const changeManagedTenant = (
  em: EntityManager,
  tenantId: string,
  changes: Changes,
  now: Date,
): Promise<unknown> => rows(em)`select change_managed_tenant(${tenantId}, ${json({ ...changes, updated_at: now })})`
