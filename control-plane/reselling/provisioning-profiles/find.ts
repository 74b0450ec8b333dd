import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type ProfileRow = InferResult<ReturnType<typeof selectProfiles>>[number]

export const selectProfiles = (em: EntityManager, reseller: { id: string }) =>
  queries(em)
    .selectFrom('provisioning_profiles as p')
    .where('p.tenant_id', '=', reseller.id)
    .select(['p.id', 'p.name', 'p.plan', 'p.trial_days', 'p.feature_overrides', 'p.branding', 'p.monitor_template_id'])
    .select(({ ref }) => [stamp(ref('p.created_at')).as('created_at'), stamp(ref('p.updated_at')).as('updated_at')])

/** A profile of this reseller by id, or a 404. Profiles of other resellers are not found. */
export async function findProfile(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  lock: '' | 'for update' = '',
): Promise<ProfileRow> {
  const found = selectProfiles(em, reseller).where('p.id', '=', id)
  const row = await (lock === 'for update' ? found.forUpdate() : found).executeTakeFirst()
  if (!row) throw notFound('Provisioning profile')
  return row
}
