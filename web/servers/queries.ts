import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { periodOf, type Span } from '../monitors/queries.ts'

export type Server = Schemas['AgentMonitor']
export type Metric = Schemas['ServerMetric']

const pollMs = 10_000
const pathOf = (id: string) => ({ path: { agent_monitor: id } })

// below the keys of monitors, which are read again after each change of a monitor
export const listQuery = (page: number) =>
  queryOptions({
    queryKey: ['monitors', 'servers', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/agent-monitors', { params: { query: { page } }, signal })),
    refetchInterval: pollMs,
  })

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id, 'server'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/agent-monitors/{agent_monitor}', { params: pathOf(id), signal }))).data,
    refetchInterval: pollMs,
  })

/** The charts of a server, in their order: metrics of one unit share a chart. */
export const charts = {
  cpu: ['cpu'],
  memory: ['memory', 'swap'],
  disk: ['disk'],
  load: ['load', 'load_5m', 'load_15m'],
  network: ['network_in', 'network_out'],
  temperature: ['temperature'],
} as const satisfies Record<string, readonly Metric[]>

export const metricsQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['monitor', id, 'metrics', span],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/agent-monitors/{agent_monitor}/metrics', {
          params: { ...pathOf(id), query: { ...periodOf(span), metrics: Object.values(charts).flat() } },
          // names with commas between them, not a parameter each
          querySerializer: { array: { style: 'form', explode: false } },
          signal,
        }),
      ),
    refetchInterval: 60_000,
  })
