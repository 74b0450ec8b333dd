import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { readVersions } from './rotation-versions.ts'
import { pageOfSchedules, readRotations } from './rows.ts'
import { ScheduleView, viewSchedule } from './view.ts'

export const listSchedules = endpoint({
  method: 'GET',
  path: '/on-call-schedules',
  summary: 'List on-call schedules, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(ScheduleView),

  async handle({ em, tenant, query, url, now }) {
    const { rows, count } = await pageOfSchedules(em, tenant, query)
    const rotations = await readRotations(
      em,
      tenant,
      rows.map(({ id }) => id),
    )
    const versions = await readVersions(em, tenant, rows, now)
    const data = rows.map(row =>
      viewSchedule(row, { rotations: rotations.get(row.id), versions: versions.get(row.id), now }),
    )
    return { data, ...offsetParts(query, count, url) }
  },
})
