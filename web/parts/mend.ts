import { ApiError } from '../api.ts'
import { isMissingPart } from './missing-part.ts'

/** Between two questions whether the server answers again. */
const askMs = 3_000
/** A part that is missing after the app was loaded again is missing for another reason. */
const reloadMs = 60_000
const reloaded = 'reloaded-at'

/** Whether it may go well by itself later: the server is away or in trouble, or has another version. */
const isPassing = (error: unknown) =>
  error instanceof ApiError
    ? error.status >= 500
    : isMissingPart(error) || (error instanceof Error && lostWay.test(error.message))

/** A request that had no answer, as Chromium, Firefox and Safari say it. */
const lostWay = /Failed to fetch|NetworkError|Load failed/

/**
 * Tries again what a page has failed with, once the server answers, and every few seconds until then. A missing part of
 * the app is mended by loading the app again. Returns what ends it.
 */
export function mend(error: unknown, again: () => void): () => void {
  if (!isPassing(error)) return () => undefined
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    if (!isOver) timer = setTimeout(() => void ask(), askMs)
  }
  const ask = async () => {
    clearTimeout(timer)
    if (isOver) return
    if (document.hidden || !(await answers())) return rest()
    if (isOver) return
    if (!isMissingPart(error)) return again()
    if (Date.now() - Number(sessionStorage.getItem(reloaded) ?? 0) < reloadMs) return rest()
    sessionStorage.setItem(reloaded, String(Date.now()))
    location.reload()
  }
  const now = () => void ask()
  addEventListener('online', now)
  document.addEventListener('visibilitychange', now)
  // a version that was deployed is there already; a server that failed needs a moment
  if (isMissingPart(error)) now()
  else rest()
  return () => {
    isOver = true
    clearTimeout(timer)
    removeEventListener('online', now)
    document.removeEventListener('visibilitychange', now)
  }
}

/** Whether the server can give out this page. */
const answers = () =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
