import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { MigrationState } from './options.ts'
import type { MigrationRow } from './row.ts'

interface Changes {
  state: MigrationState
  phase: string | null
  failure: string | null
  failed_in: string | null
  has_file: boolean
  base_url: string | null
  credentials: string | null
  credentials_expire_at: string | null
  done: number
  total: number
  asked_by: string | null
  shadow_at: string | null
  cutover_at: string | null
  rollback_until: string | null
  pauses_source: boolean
}

/** Updates the row of a migration that this transaction has locked. */
export const change = (
  { em, tenant, now }: Pick<RequestContext, 'em' | 'tenant' | 'now'>,
  { id }: Pick<MigrationRow, 'id'>,
  changes: Partial<Changes>,
): Promise<unknown> =>
  queries(em)
    .updateTable('provider_migrations')
    .set({ ...changes, updated_at: now.toISOString() } satisfies Partial<Changes> & { updated_at: string })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
