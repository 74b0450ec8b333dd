import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'

export type Incident = Schemas['Incident']
const pollMs = 15_000
const slowPollMs = 60_000
export const dayMs = 86_400_000

export const statsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/dashboard/stats', { signal }))).data,
  refetchInterval: pollMs,
})

/** Incidents by their last change: open ones and what has changed lately are both among them. */
const incidentsBy = (sort: 'resolved_at' | 'updated_at', perPage: number) =>
  queryOptions({
    queryKey: ['incidents', 'overview', sort],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/incidents', { params: { query: { sort, per_page: perPage } }, signal }))).data,
    refetchInterval: pollMs,
  })

export const shownOpen = 10
export const openQuery = queryOptions({
  ...incidentsBy('resolved_at', shownOpen),
  select: incidents => incidents.filter(({ resolved_at }) => resolved_at === null),
})
export const changedQuery = incidentsBy('updated_at', 30)

/** Who is on call in each schedule: the first five. */
export const onCallQuery = queryOptions({
  queryKey: ['on-call', 'now'],
  queryFn: async ({ signal }) => {
    const { data: schedules } = await bodyOf(
      api.GET('/api/v1/on-call-schedules', { params: { query: { per_page: 5 } }, signal }),
    )
    return Promise.all(
      schedules.map(async ({ id, name }) => {
        const path = { on_call_schedule: id }
        const { data } = await bodyOf(
          api.GET('/api/v1/on-call-schedules/{on_call_schedule}/current', { params: { path }, signal }),
        )
        return { id, name, ...data }
      }),
    )
  },
  refetchInterval: slowPollMs,
})

/** The five monitors with the lowest uptime of thirty days; none that was never down. */
export const worstQuery = queryOptions({
  queryKey: ['monitors', 'worst'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/dashboard/worst-monitors', { signal }))).data,
  staleTime: slowPollMs,
})
