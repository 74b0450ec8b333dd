import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { queries } from '../queries.ts'

export type Schedule = Schemas['OnCallSchedule']

const whole = { per_page: 100 }
const key = 'on-call-schedules'
const freshMs = 60_000

export const schedulesQuery = queryOptions({
  queryKey: [key],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/on-call-schedules', { params: { query: whole }, signal })),
})
export const currentQuery = (id: string) =>
  queryOptions({
    queryKey: [key, id, 'current'],
    queryFn: ({ signal }) => {
      const params = { path: { on_call_schedule: id } }
      return bodyOf(api.GET('/api/v1/on-call-schedules/{on_call_schedule}/current', { params, signal }))
    },
    refetchInterval: freshMs,
  })
export const calendarQuery = queryOptions({
  queryKey: ['on-call-calendar'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/on-call-schedules/calendar', { signal })),
})
/** Who can be on call. */
export const peopleQuery = queryOptions({
  queryKey: ['members', 'whole'],
  queryFn: async ({ signal }) => {
    const { data } = await bodyOf(api.GET('/api/v1/members', { params: { query: whole }, signal }))
    return data.map(({ user_id: id, name }) => ({ id, label: name }))
  },
})

/** After a change of a schedule: everything that follows from it is read again. */
export const readAgain = () => queries.invalidateQueries({ queryKey: [key] })
