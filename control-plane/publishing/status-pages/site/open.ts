import type { Logger } from 'pino'
import { SlidingWindow } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { statusPageNotice } from '#control-plane/publishing/status-pages/touch.ts'
import { PageFolder } from './folder.ts'
import { PageKeeper } from './keep.ts'
import { mailLink } from './mail-link.ts'
import { PageCache } from './page-cache.ts'
import { readPage } from './read-page.ts'
import { Site } from './site.ts'

export interface OpenSite {
  site: Site
  /** To be called once the database has been reached. */
  start(): void
  stop(): Promise<void>
}

/** The status pages of a process with stores: read again after each change, and kept in the folder of the setting. */
export function openSite(services: Services, { staleAfterMs }: { staleAfterMs?: number } = {}): OpenSite {
  const { config, log, clock, listener, platform, metrics } = services
  const folder = config.pagesFolder === undefined ? undefined : new PageFolder(config.pagesFolder)
  const cache = new PageCache({ read: slug => readPage(services, slug), log, ...(folder && { folder }) })
  const keeper = folder && new PageKeeper({ platform, cache, folder, log })
  const stopped = [
    listener.on(statusPageNotice, payload => {
      const { page, slug } = noticeIn(payload)
      if (page !== undefined) cache.changedById(page)
      if (slug !== undefined) cache.changed(slug)
    }),
    listener.onMissed(() => {
      cache.allChanged()
      keeper?.wake()
    }),
  ]
  const site = new Site({
    cache,
    log,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    hsts: config.hsts,
    // counts of this process alone: a page must be served, and its password asked for, while the stores fail
    rate: new SlidingWindow(),
    nowMs: () => clock.nowMs(),
    mailLink: (page, link) => mailLink(services, page, link),
    observe: (method, status, seconds) =>
      metrics.requests.observe({ method, route: '/status/{slug}', status: String(status) }, seconds),
    ...(staleAfterMs !== undefined && { staleAfterMs }),
  })
  let isStarted = false
  return {
    site,
    start() {
      if (!isStarted) keeper?.start()
      isStarted = true
    },
    async stop() {
      for (const stop of stopped) stop()
      await keeper?.stop()
    },
  }
}

function noticeIn(payload: string): { page?: string; slug?: string } {
  try {
    return JSON.parse(payload)
  } catch {
    return {}
  }
}

interface FolderSiteOptions extends Pick<Services['config'], 'baseUrl' | 'trustedProxies' | 'hsts'> {
  folder: string
  log: Logger
}

/** The status pages of a process without stores: all it needs is the folder that another process fills. */
export const openFolderSite = ({ folder, log, baseUrl, trustedProxies, hsts }: FolderSiteOptions): Site =>
  new Site({
    cache: new PageCache({ folder: new PageFolder(folder), log }),
    log,
    baseUrl,
    trustedProxies,
    hsts,
    rate: new SlidingWindow(),
    nowMs: () => Date.now(),
  })
