import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { validateMembers } from '#control-plane/alerting/on-call-schedules/members.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import type { StepInput } from './input.ts'

/**
 * Refuses targets that are no members, schedules and channels of the team, by the fields that name them. Those that are
 * named stay until this transaction ends.
 */
export async function validateTargets(
  em: EntityManager,
  tenant: { id: string },
  steps: readonly StepInput[],
): Promise<void> {
  const named = steps.flatMap(({ targets }, step) =>
    targets.flatMap(({ type, id }, place) =>
      id === null ? [] : [{ type, id, field: `steps.${step}.targets.${place}.id` }],
    ),
  )
  await validateMembers(
    em,
    tenant,
    named.filter(({ type }) => type === 'user'),
  )
  for (const [type, table, what] of [
    ['schedule', 'on_call_schedules', 'on-call schedule'],
    ['channel', 'notification_channels', 'notification channel'],
  ] as const) {
    const some = named.filter(each => each.type === type)
    if (some.length === 0) continue
    const rows = await queries(em)
      .selectFrom(table)
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', among(some.map(({ id }) => id)))
      // a contact method belongs to a person, not to the team
      .$if(type === 'channel', query => query.where(sql<boolean>`owner_user_id is null`))
      .select('id')
      .orderBy('id')
      .forKeyShare()
      .execute()
    const known = new Set(rows.map(({ id }) => id))
    const unknown = some.filter(({ id }) => !known.has(id))
    if (unknown.length > 0)
      throw invalid(Object.fromEntries(unknown.map(({ field }) => [field, [`There is no such ${what}.`]])))
  }
}

const mostNames = 20

/** The names of policies that call a schedule or a channel, for the refusal to delete it. */
export async function refuseWhileCalled(
  em: EntityManager,
  tenant: { id: string },
  called: { schedule_id: string } | { channel_id: string },
): Promise<void> {
  const [column, id] =
    'schedule_id' in called
      ? (['t.schedule_id', called.schedule_id] as const)
      : (['t.channel_id', called.channel_id] as const)
  const rows = await queries(em)
    .selectFrom('escalation_targets as t')
    .innerJoin('escalation_steps as s', 's.id', 't.step_id')
    .innerJoin('escalation_policies as p', 'p.id', 's.policy_id')
    .where('t.tenant_id', '=', tenant.id)
    .where(column, '=', id)
    .select(['p.id', 'p.name'])
    .groupBy(['p.id', 'p.name'])
    .orderBy(namesOf('p.name'))
    .limit(mostNames)
    .execute()
  if (rows.length > 0)
    throw invalid(
      { escalation_policies: rows.map(({ name }) => `Is called by the escalation policy “${name}”.`) },
      'in_use',
    )
}
