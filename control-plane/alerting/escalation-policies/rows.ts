import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import type { Pool } from 'pg'
import { notFound } from '#control-plane/base/refusal.ts'
import type { positions } from '#control-plane/db/model/escalation.ts'
import type { StepCondition } from '#control-plane/db/model/shapes.ts'
import { among, queries, stamp } from '#control-plane/db/queries.ts'

type Db = EntityManager | Pool

/** One of user, schedule and channel; none for the team. */
export interface TargetRow {
  user_id: string | null
  schedule_id: string | null
  channel_id: string | null
  duty: (typeof positions)[number] | null
}
export type PolicyRow = InferResult<ReturnType<typeof selectPolicies>>[number]
export type StepRow = InferResult<ReturnType<typeof selectSteps>>[number]

/** The policies of a team, to be filtered. */
export const selectPolicies = (db: Db, tenant: { id: string }) =>
  queries(db)
    .selectFrom('escalation_policies as p')
    .where('p.tenant_id', '=', tenant.id)
    .select(['p.id', 'p.name', 'p.is_default', 'p.repeat_count', 'p.repeat_delay_minutes', 'p.fallback_policy_id'])
    .select(({ ref }) => [stamp(ref('p.created_at')).as('created_at'), stamp(ref('p.updated_at')).as('updated_at')])

/** A policy of this team, or a 404. */
export async function findPolicy(em: EntityManager, tenant: { id: string }, id: string): Promise<PolicyRow> {
  const row = await selectPolicies(em, tenant).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Escalation policy')
  return row
}

/** The same, and locks it until this transaction ends. */
export async function lockPolicy(em: EntityManager, tenant: { id: string }, id: string): Promise<PolicyRow> {
  const row = await selectPolicies(em, tenant).where('p.id', '=', id).forUpdate('p').executeTakeFirst()
  if (!row) throw notFound('Escalation policy')
  return row
}

/** Steps with their targets, to be filtered. */
const selectSteps = (db: Db, policyIds: readonly string[]) =>
  queries(db)
    .selectFrom('escalation_steps as s')
    .where('s.policy_id', '=', among(policyIds))
    .select(['s.id', 's.policy_id', 's.position', 's.delay_minutes', 's.assignment', 's.turn'])
    .select(({ ref }) => [
      ref('s.only_if').$castTo<StepCondition | null>().as('only_if'),
      sql<TargetRow[]>`(select coalesce(json_agg(json_build_object('user_id', t.user_id, 'schedule_id', t.schedule_id,
        'channel_id', t.channel_id, 'duty', t.duty) order by t.position), '[]')
        from escalation_targets t where t.step_id = ${ref('s.id')})`.as('targets'),
    ])
    .orderBy('s.position')
    .orderBy('s.id')

/** The steps of policies, each list in its order. One statement, however many policies. */
export async function readSteps(db: Db, policyIds: readonly string[]): Promise<Map<string, StepRow[]>> {
  return Map.groupBy(await selectSteps(db, policyIds).execute(), row => row.policy_id)
}
