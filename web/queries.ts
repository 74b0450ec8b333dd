import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const tries = 2

/** How long a page that was asked for waits to be shown with its rows: what comes later is shown when it is there. */
const mostMs = 500

/** Ends with the work, or after half a second. Failures are shown by the part of the page that needs the answer. */
export const forAMoment = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), new Promise(resolve => setTimeout(resolve, mostMs))])

/** Answers of the API, kept for a few seconds. A refusal stays one: only failures of the way are tried again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < tries && !(error instanceof ApiError && error.status < 500),
    },
  },
})

const monitors = ['monitors', 'monitor', 'dashboard', 'overview']
/** First words of the keys of what a change of each changes: after an own change and after an event of the stream. */
export const changedBy = {
  monitor: [...monitors, 'tags'],
  check: ['check'],
  incident: ['incidents', 'incident', 'monitor', 'dashboard', 'overview', 'status-pages'],
  heartbeat: ['heartbeats', 'heartbeat', ...monitors],
  maintenance: ['maintenance', ...monitors, 'status-pages'],
  alerts: ['notification-channels', 'notification-rules', 'notification-gaps', 'escalation-policies'],
  'status-page': ['status-pages', 'status-page-templates', 'custom-domains'],
  migration: ['migrations', ...monitors],
  plan: ['plan'],
}

/** Reads again what is on the screen of what has changed: a subject of the table, or the key of a query. */
export const refresh = (...changed: (keyof typeof changedBy | QueryKey)[]): Promise<unknown> =>
  Promise.all(
    changed
      .flatMap(each => (typeof each === 'string' ? changedBy[each].map(key => [key]) : [each]))
      .map(queryKey => queries.invalidateQueries({ queryKey })),
  )
