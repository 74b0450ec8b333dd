import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'

export type Heartbeat = Schemas['CronMonitor']
const pollMs = 10_000

export const listQuery = (page: number) =>
  queryOptions({
    queryKey: ['heartbeats', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/cron-monitors', { params: { query: { page } }, signal })),
    refetchInterval: pollMs,
  })

const pathOf = (id: string) => ({ path: { cron_monitor: id } })

export const heartbeatQuery = (id: string) =>
  queryOptions({
    queryKey: ['heartbeat', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/cron-monitors/{cron_monitor}', { params: pathOf(id), signal }))).data,
    refetchInterval: pollMs,
  })

export const pingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['heartbeat', id, 'pings'],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/api/v1/cron-monitors/{cron_monitor}/pings', {
            params: { ...pathOf(id), query: { per_page: 100 } },
            signal,
          }),
        )
      ).data,
    refetchInterval: pollMs,
  })

export const snippetsQuery = (id: string) =>
  queryOptions({
    queryKey: ['heartbeat', id, 'snippets'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/cron-monitors/{cron_monitor}/snippets', { params: pathOf(id), signal }))).data,
  })

/** After a change: heartbeats are monitors too. */
export const readAgain = () => refresh('heartbeat', 'plan')
