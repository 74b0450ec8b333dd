import { ApiError } from '../api.ts'

/** Why something failed, as one sentence: of the API, or that it was the way there. */
export function whyOf(error: unknown, t: (key: 'failed') => string): string {
  if (!(error instanceof ApiError)) return t('failed')
  return Object.values(error.fields)[0] ?? error.message
}
