import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { readVersions } from './rotation-versions.ts'
import { findSchedule, readRotations } from './rows.ts'
import { ScheduleView, viewSchedule } from './view.ts'

export const getSchedule = endpoint({
  method: 'GET',
  path: '/on-call-schedules/{on_call_schedule}',
  summary: 'Get an on-call schedule',
  access: mayRead,
  returns: ok({ data: ScheduleView }),

  async handle({ em, tenant, params, now }) {
    const row = await findSchedule(em, tenant, params.on_call_schedule)
    const rotations = (await readRotations(em, tenant, [row.id])).get(row.id)
    const versions = (await readVersions(em, tenant, [row], now)).get(row.id)
    return { data: viewSchedule(row, { rotations, versions, now }) }
  },
})
