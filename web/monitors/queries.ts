import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'

export type Monitor = Schemas['Monitor']
export type CheckSummary = Schemas['CheckSummary']
export type Check = Schemas['Check']
export type CheckType = Schemas['CheckType']
export type MonitorStatus = Schemas['MonitorStatus']
export type MonitorChanges = Schemas['MonitorChanges']
export type Simulation = Schemas['Simulation']

/** Statuses to filter by: that of the API, or `pending`, without one yet. */
export const statuses = ['down', 'warning', 'up', 'maintenance', 'paused', 'pending'] as const
export type StatusFilter = (typeof statuses)[number]

/** Orders of the list: the worst first, unless the address says another. */
export const sorts = ['status', 'name', 'created_at', 'url'] as const
export type MonitorSort = (typeof sorts)[number]

export interface MonitorFilters {
  search?: string
  status?: StatusFilter
  tag?: string
  group?: string
  sort?: MonitorSort
  page?: number
}

export const perPage = 50
/** Days of the bars. */
export const barDays = 90
const pollMs = 30_000

export const listQuery = ({ search, status, tag, group, sort = 'status', page = 1 }: MonitorFilters) =>
  queryOptions({
    queryKey: ['monitors', 'list', { search, status, tag, group, sort, page }],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/monitors', {
          params: {
            query: {
              page,
              per_page: perPage,
              sort,
              ...(search !== undefined && { search }),
              ...(status !== undefined && { status: [status] }),
              ...(tag !== undefined && { tag: [tag] }),
              ...(group !== undefined && { group }),
            },
          },
          signal,
        }),
      ),
    refetchInterval: pollMs,
  })

/** Uptime and response time over 30 days of the monitors of a page, by their ids. */
export const statsQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['monitors', 'stats', ids],
    queryFn: async ({ signal }) => {
      const { data } = await bodyOf(api.POST('/api/v1/monitors/stats-batch', { body: { monitor_ids: ids }, signal }))
      return new Map(data.map(row => [row.monitor_id, row]))
    },
    enabled: ids.length > 0,
    staleTime: pollMs,
  })

/** The judged time of each day of the monitors of a page. */
export const daysQuery = (ids: string[], timezone: string) =>
  queryOptions({
    queryKey: ['monitors', 'days', ids, timezone],
    queryFn: async ({ signal }) => {
      const { data } = await bodyOf(
        api.POST('/api/v1/monitors/uptime-batch', {
          body: { monitor_ids: ids, days: barDays, timezone },
          signal,
        }),
      )
      return { dates: data.dates, byMonitor: new Map(data.monitors.map(row => [row.monitor_id, row])) }
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
  })

const hourMs = 3_600_000
const recentHours = 24

/** The response times of the last day, by check: the mean of each hour, and the 95th percentile. */
export const recentQuery = (checks: string[]) =>
  queryOptions({
    queryKey: ['monitors', 'recent', checks],
    queryFn: async ({ signal }) => {
      const to = Math.ceil(Date.now() / hourMs) * hourMs
      const from = to - recentHours * hourMs
      const { data } = await bodyOf(
        api.POST('/api/v1/checks/timeseries-batch', {
          body: {
            ...{ check_ids: checks, bucket: 'hour', p95: true },
            ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
          },
          signal,
        }),
      )
      return new Map(
        data.map(({ check_id, points, p95_response_ms = null }) => {
          const byHour = new Map(points.map(({ at, avg_response_ms }) => [Date.parse(at), avg_response_ms]))
          const hours = Array.from({ length: recentHours }, (_, hour) => byHour.get(from + hour * hourMs) ?? null)
          return [check_id, { hours, p95: p95_response_ms }]
        }),
      )
    },
    enabled: checks.length > 0,
    staleTime: 60_000,
  })

export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async ({ signal }) =>
    (await bodyOf(api.GET('/api/v1/regions', { params: { query: { per_page: 100 } }, signal }))).data,
  staleTime: 60_000,
})

const pathOf = (monitor: string) => ({ params: { path: { monitor } } })

export const monitorQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/monitors/{monitor}', { ...pathOf(id), signal }))).data,
    // until the first results are in, a person waits for them
    refetchInterval: ({ state }) => (state.data?.status === null ? 2_000 : 15_000),
  })

/** The checks of a monitor with the newest result of each region. */
export const checksQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id, 'checks'],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/api/v1/monitors/{monitor}/checks', {
            params: { path: { monitor: id }, query: { per_page: 100 } },
            signal,
          }),
        )
      ).data,
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? 2_000 : 15_000),
  })

const isWaiting = ({ is_enabled, region_results }: Check) => is_enabled && region_results.length === 0

/** Lengths of time of the response chart, in hours. */
export const spans = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 } as const
export type Span = keyof typeof spans

export interface Period {
  from: string
  to: string
}

/** The time from so many hours ago until now, on full minutes. */
export function periodOf(span: Span): Period {
  const to = Math.floor(Date.now() / 60_000) * 60_000
  return { from: new Date(to - spans[span] * hourMs).toISOString(), to: new Date(to).toISOString() }
}

/** Response times of a check over time: of all regions together, or of one. */
export const seriesQuery = (check: string, span: Span, region: string | undefined) =>
  queryOptions({
    queryKey: ['check', check, 'series', span, region],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/checks/{check}/timeseries', {
          params: { path: { check }, query: { ...periodOf(span), ...(region !== undefined && { region: [region] }) } },
          signal,
        }),
      ),
    refetchInterval: 60_000,
  })

/** Percentiles and phases of the response times, in all and by region. */
export const performanceQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['monitor', id, 'performance', span],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/api/v1/monitors/{monitor}/performance', {
            params: { path: { monitor: id }, query: periodOf(span) },
            signal,
          }),
        )
      ).data,
    refetchInterval: 60_000,
  })

/** The newest incidents of a monitor. */
export const incidentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id, 'incidents'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/incidents', { params: { query: { monitor_id: id, per_page: 100 } }, signal })))
        .data,
    refetchInterval: pollMs,
  })

/** Results of a check, newest first: one page. */
export const resultsQuery = (check: string, perPage: number) =>
  queryOptions({
    queryKey: ['check', check, 'results', perPage],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/checks/{check}/results', {
          params: { path: { check }, query: { per_page: perPage } },
          signal,
        }),
      ),
    refetchInterval: pollMs,
  })

export const auditQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['monitor', id, 'audit', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/audit-log', { params: { query: { entity_id: id, page, per_page: 25 } }, signal })),
  })
