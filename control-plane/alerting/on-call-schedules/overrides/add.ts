import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Sentence } from '#contract/sentence.ts'
import { limits, type NewOverride } from '#control-plane/alerting/on-call-schedules/input.ts'
import { type OverrideRow, selectOverrides } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { among, queries, total } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit' | 'caller'>

/** Refuses a time that is over, by its field. */
export function refuseOver({ ends_at }: { ends_at: Date }, now: Date, field: string): void {
  if (ends_at <= now) throw invalid({ [field]: ['Must be in the future.'] })
}

/** Adds overrides to a locked schedule, whose people have been validated. */
export async function addOverrides(
  { em, tenant, now, audit, caller }: Context,
  scheduleId: string,
  overrides: readonly NewOverride[],
): Promise<OverrideRow[]> {
  const db = queries(em)
  const count = await db
    .selectFrom('on_call_overrides')
    .where('tenant_id', '=', tenant.id)
    .where('schedule_id', '=', scheduleId)
    .where('ends_at', '>', now.toISOString())
    .select(total)
    .executeTakeFirstOrThrow()
  if (count.total + overrides.length > limits.overrides)
    throw invalid({
      overrides: [new Sentence('A schedule has at most {n} overrides that are not over.', { n: limits.overrides })],
    })
  const rows = overrides.map(override => ({ ...override, id: randomUUID() }))
  await db
    .insertInto('on_call_overrides')
    .values(
      rows.map(row => ({
        id: row.id,
        tenant_id: tenant.id,
        schedule_id: scheduleId,
        user_id: row.user_id,
        replaces_user_id: row.replaces_user_id,
        policy_id: row.escalation_policy_id,
        starts_at: row.starts_at.toISOString(),
        ends_at: row.ends_at.toISOString(),
        reason: row.reason,
        created_by: caller.user?.id ?? null,
        created_at: sql<string>`clock_timestamp()`,
      })),
    )
    .execute()
  for (const { id, user_id, replaces_user_id, escalation_policy_id, starts_at, ends_at } of rows)
    audit(
      'on_call_schedule.override_created',
      { type: 'on_call_schedule', id: scheduleId },
      {
        override_id: id,
        user_id,
        replaces_user_id,
        ...(escalation_policy_id !== null && { escalation_policy_id }),
        starts_at: starts_at.toISOString(),
        ends_at: ends_at.toISOString(),
      },
    )
  const ids: string[] = rows.map(({ id }) => id)
  const stored = await selectOverrides(em, tenant, [scheduleId]).where('o.id', '=', among(ids)).execute()
  return stored.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
