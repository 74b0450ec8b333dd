import type { Page, Request } from 'playwright-core'
import { until } from '#cli/local/loopback.ts'

const quietMs = 150
const withinMs = 60_000

/**
 * Watches the requests of a page. The answer waits until the page shows what it asked for: no request is open but that
 * of the event stream, because of which `networkidle` never comes, and nothing says that it is loading.
 */
export function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let changedAt = performance.now()
  const change = (request: Request, isOpen: boolean) => {
    if (new URL(request.url()).pathname.endsWith('/stream')) return
    if (isOpen) open.add(request)
    else open.delete(request)
    changedAt = performance.now()
  }
  page.on('request', request => change(request, true))
  page.on('requestfinished', request => change(request, false))
  page.on('requestfailed', request => change(request, false))
  return async () => {
    const isSettled = async () =>
      open.size === 0 && performance.now() - changedAt > quietMs && (await page.locator('.loading').count()) === 0
    if (await until(isSettled, { withinMs, everyMs: 30 })) return
    throw new Error(`${page.url()} still waits for ${[...open].map(request => request.url()).join(', ') || 'itself'}.`)
  }
}
