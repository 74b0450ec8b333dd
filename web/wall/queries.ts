import { queryOptions } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import { bodyOf } from '../api.ts'
import type { paths } from '../api-types.d.ts'

const pollMs = 15_000
const mostShown = 12

/** The token after `#`, which no server and no log gets by the address. */
export const tokenOf = (hash: string): string | null => /^#(?:token=)?((?:sk|svc)-[\w-]+)$/.exec(hash)?.[1] ?? null

/** What the wall shows, read by a token alone: a session of the browser is never used. */
export const wallQuery = (token: string) => {
  const api = createClient<paths>({
    baseUrl: location.origin,
    credentials: 'omit',
    headers: { Authorization: `Bearer ${token}` },
  })
  return queryOptions({
    queryKey: ['wall', token],
    queryFn: async ({ signal }) => {
      const query = { sort: 'resolved_at', per_page: mostShown } as const
      const [stats, incidents, regions] = await Promise.all([
        bodyOf(api.GET('/api/v1/dashboard/stats', { signal })),
        bodyOf(api.GET('/api/v1/incidents', { params: { query }, signal })),
        bodyOf(api.GET('/api/v1/regions', { params: { query: { per_page: 100 } }, signal })),
      ])
      return {
        stats: stats.data,
        open: incidents.data.filter(({ resolved_at }) => resolved_at === null),
        silent: regions.data.filter(({ is_reporting }) => !is_reporting).map(({ name }) => name),
        at: Date.now(),
      }
    },
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
    // the last answer stays on the wall, with its time
    gcTime: Number.POSITIVE_INFINITY,
  })
}
