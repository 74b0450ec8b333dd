import { QueryClient } from '@tanstack/react-query'
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
