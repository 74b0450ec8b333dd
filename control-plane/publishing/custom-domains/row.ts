import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { type DomainPurpose, domainPurposes } from '#control-plane/tenancy/portal-hosts/states.ts'

export type DomainRow = InferResult<ReturnType<typeof selectDomains>>[number]

export const selectDomains = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('custom_domains as d')
    .where('d.tenant_id', '=', tenant.id)
    .select(['d.id', 'd.hostname', 'd.purpose', 'd.target_id', 'd.state', 'd.txt_token', 'd.last_error'])
    .select(({ ref }) => [
      stamp(ref('d.verified_at')).as('verified_at'),
      stamp(ref('d.last_checked_at')).as('last_checked_at'),
      stamp(ref('d.next_check_at')).as('next_check_at'),
      stamp(ref('d.created_at')).as('created_at'),
      stamp(ref('d.updated_at')).as('updated_at'),
    ])

export async function findDomain(em: EntityManager, tenant: { id: string }, id: string): Promise<DomainRow> {
  const row = await selectDomains(em, tenant).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Custom domain')
  return row
}

export const purposeOf = ({ purpose }: Pick<DomainRow, 'purpose'>): DomainPurpose =>
  domainPurposes.find(known => known === purpose) ?? 'status_page'

/** Refuses a target that is no status page of the team, and any target of a portal. */
export async function validateTarget(
  em: EntityManager,
  tenant: { id: string },
  purpose: DomainPurpose,
  id: string | null,
): Promise<void> {
  if (id === null) return
  if (purpose === 'portal') throw invalid({ target_id: ['Only a domain of a status page has a target.'] })
  const page = await queries(em)
    .selectFrom('status_pages')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()
  if (!page) throw invalid({ target_id: ['Is no status page of this team.'] })
}
