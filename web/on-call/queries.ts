import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'
import { policiesQuery } from '../shared-queries.ts'

export type Schedule = Schemas['OnCallSchedule']
export type Preview = Schemas['OnCallPreview']
export type Override = Schemas['OnCallOverride']

const whole = { per_page: 100 }
const key = 'on-call-schedules'
const freshMs = 60_000

export const pathOf = (id: string) => ({ path: { on_call_schedule: id } })

export const schedulesQuery = queryOptions({
  queryKey: [key],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/on-call-schedules', { params: { query: whole }, signal })),
})
export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: [key, id],
    queryFn: async ({ signal }) => {
      const params = pathOf(id)
      return (await bodyOf(api.GET('/api/v1/on-call-schedules/{on_call_schedule}', { params, signal }))).data
    },
  })
/** The shifts of a span; milliseconds since 1970. */
export const previewQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: [key, id, 'preview', from, to],
    queryFn: async ({ signal }) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      const params = { ...pathOf(id), query }
      return (await bodyOf(api.GET('/api/v1/on-call-schedules/{on_call_schedule}/preview', { params, signal }))).data
    },
    refetchInterval: freshMs,
  })
export const overridesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [key, id, 'overrides', page],
    queryFn: ({ signal }) => {
      const params = { ...pathOf(id), query: { page } }
      return bodyOf(api.GET('/api/v1/on-call-schedules/{on_call_schedule}/overrides', { params, signal }))
    },
  })
export const currentQuery = (id: string) =>
  queryOptions({
    queryKey: [key, id, 'current'],
    queryFn: ({ signal }) => {
      const params = pathOf(id)
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
/** The policies that may call a schedule. */
export const policyChoices = queryOptions({
  ...policiesQuery,
  select: ({ data }) => data.map(({ id, name: label }) => ({ id, label })),
})

/** After a change of a schedule: everything that follows from it is read again. */
export const readAgain = () => refresh([key])
