import { randomUUID } from 'node:crypto'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { mayWrite, refuseWithoutFeature } from './access.ts'
import { limits, NewSchedule } from './input.ts'
import { storeVersions } from './rotation-versions.ts'
import { findSchedule } from './rows.ts'
import { ScheduleView, viewSchedule } from './view.ts'
import { writeRotations } from './write.ts'

export const createSchedule = endpoint({
  method: 'POST',
  path: '/on-call-schedules',
  summary: 'Create an on-call schedule',
  description:
    'People of a rotation take turns. The rotation with the lowest order that has a person on duty decides, and an ' +
    'override decides over all rotations. A local time that the clock of the zone skips is the moment of the jump; ' +
    'of a time that it shows twice the first counts. ' +
    'A person who leaves the team, or is disabled there, has no more duty: the next person takes over at once, ' +
    'and a person who leaves is taken off all rotations and overrides; past duty stays. ' +
    `A team has at most ${limits.schedules} schedules. Needs the plan feature \`on_call_schedules\`.`,
  access: mayWrite,
  body: NewSchedule,
  returns: created({ data: ScheduleView }),

  async handle(context) {
    const { em, tenant, body, now, audit } = context
    await refuseWithoutFeature(em, tenant)
    const db = queries(em)
    // teams that create many at once do so one after the other, so that the count is right
    await advisoryLock(em, `on_call_schedules:${tenant.id}`)
    const count = await db
      .selectFrom('on_call_schedules')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    if (count.total >= limits.schedules)
      throw invalid({
        on_call_schedules: [new Sentence('A team has at most {n} on-call schedules.', { n: limits.schedules })],
      })
    const id = randomUUID()
    const at = now.toISOString()
    await db
      .insertInto('on_call_schedules')
      .values({ id, tenant_id: tenant.id, name: body.name, timezone: body.timezone, created_at: at, updated_at: at })
      .execute()
    audit('on_call_schedule.created', { type: 'on_call_schedule', id }, { name: body.name, timezone: body.timezone })
    const rotations = await writeRotations(context, id, body.rotations)
    const { after } = await storeVersions(em, tenant, { id, timezone: body.timezone })
    return { data: viewSchedule(await findSchedule(em, tenant, id), { rotations, versions: after, now }) }
  },
})
