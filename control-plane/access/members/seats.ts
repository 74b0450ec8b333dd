import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { queries, total } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { lockCount, reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'

/** Makes transactions that add, remove or change members of a team run one after the other. */
export const lockMembers = (em: EntityManager, tenant: { id: string }) => lockCount(em, tenant, 'team_members')

/** Refuses a member or invitation beyond the seats of the plan. Open invitations take a seat, service users do not. */
export async function reserveSeat(context: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit'>): Promise<void> {
  const { em, tenant } = context
  await lockMembers(em, tenant)
  const kept = await queries(em)
    .selectFrom('invitations')
    .where('tenant_id', '=', tenant.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<string>`clock_timestamp()`)
    .select(total)
    .executeTakeFirstOrThrow()
  await reserveQuota(context, 'team_members', 1 + kept.total)
}
