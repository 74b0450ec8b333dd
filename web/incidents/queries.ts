import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'

export type Incident = Schemas['Incident']
export type IncidentDetail = Schemas['IncidentDetail']
export type Decision = Schemas['IncidentNotifications']
export type Proof = Schemas['QuorumProof']
export type Severity = Schemas['Severity']

export const severities = ['critical', 'major', 'minor'] as const satisfies readonly Severity[]
const openStatuses = ['investigating', 'identified', 'monitoring'] as const
export const shownStatuses = ['open', ...openStatuses, 'resolved'] as const
export type ShownStatus = (typeof shownStatuses)[number]

export interface IncidentFilters {
  search?: string
  status?: ShownStatus
  severity?: Severity
  acknowledged?: boolean
  /** The id of a monitor. */
  monitor?: string
  tag?: string
  archived?: boolean
  cursor?: string
}

const perPage = 50
const pollMs = 15_000

/** Open incidents come first: they end last. */
export const listQuery = (filters: IncidentFilters) =>
  queryOptions({
    queryKey: ['incidents', 'list', filters],
    queryFn: ({ signal }) => {
      const { search, status, severity, acknowledged, monitor, tag, archived, cursor } = filters
      const query = {
        per_page: perPage,
        sort: 'resolved_at',
        ...(search !== undefined && { search }),
        ...(status !== undefined && { status: status === 'open' ? [...openStatuses] : [status] }),
        ...(severity !== undefined && { severity: [severity] }),
        ...(acknowledged !== undefined && { acknowledged }),
        ...(monitor !== undefined && { monitor_id: monitor }),
        ...(tag !== undefined && { tag }),
        ...(archived !== undefined && { archived }),
        ...(cursor !== undefined && { cursor }),
      } as const
      return bodyOf(api.GET('/api/v1/incidents', { params: { query }, signal }))
    },
    refetchInterval: pollMs,
  })

const pathOf = (incident: string) => ({ params: { path: { incident } } })

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incident', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/incidents/{incident}', { ...pathOf(id), signal }))).data,
    refetchInterval: ({ state }) => (state.data?.resolved_at === null ? 5_000 : 30_000),
  })

/** What was decided of each notification of an incident: the first hundred events, which have the beginning. */
export const decisionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['incident', id, 'notifications'],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/api/v1/incidents/{incident}/notifications', {
            params: { path: { incident: id }, query: { per_page: 100 } },
            signal,
          }),
        )
      ).data,
    refetchInterval: pollMs,
  })

const weekMs = 7 * 86_400_000

/** Response times of each region in the week before an incident: what was usual. */
export const usualQuery = ({ monitor_id, started_at }: Pick<Incident, 'monitor_id' | 'started_at'>) =>
  queryOptions({
    queryKey: ['monitor', monitor_id, 'usual', started_at],
    queryFn: async ({ signal }) => {
      const to = Date.parse(started_at)
      const period = { from: new Date(to - weekMs).toISOString(), to: new Date(to).toISOString() }
      const { data } = await bodyOf(
        api.GET('/api/v1/monitors/{monitor}/performance', {
          params: { path: { monitor: monitor_id }, query: period },
          signal,
        }),
      )
      return new Map(data.regions.map(row => [row.region, row]))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Names of people by their ids, as far as the person may read them. */
export const namesQuery = queryOptions({
  queryKey: ['members', 'names'],
  queryFn: async ({ signal }) => {
    const { data } = await bodyOf(api.GET('/api/v1/members', { params: { query: { per_page: 100 } }, signal }))
    return new Map(data.map(({ user_id, name }) => [user_id, name]))
  },
  staleTime: 60_000,
})

export const pagesQuery = queryOptions({
  queryKey: ['status-pages'],
  queryFn: async ({ signal }) =>
    (await bodyOf(api.GET('/api/v1/status-pages', { params: { query: { per_page: 100 } }, signal }))).data,
})

/** An incident as a status page has it. */
export const postQuery = (page: string, post: string) =>
  queryOptions({
    queryKey: ['status-pages', page, 'published', post],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/api/v1/status-pages/{status_page}/posts/{post}', {
            params: { path: { status_page: page, post } },
            signal,
          }),
        )
      ).data,
  })
