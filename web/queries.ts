import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const tries = 2

/** Answers of the API, kept for a few seconds. A refusal stays one: only failures of the way are tried again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < tries && !(error instanceof ApiError && error.status < 500),
    },
  },
})
