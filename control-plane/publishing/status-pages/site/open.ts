import type { Logger } from 'pino'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { rateKeyOfIp, rateLimits, SlidingWindow, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { logosOf } from '#control-plane/publishing/reports/pdf/logo.ts'
import { pagePictures } from '#control-plane/publishing/status-pages/picture/page-pictures.ts'
import { subscribeVisitor, type Wish } from '#control-plane/publishing/status-pages/subscribers/subscribe.ts'
import { statusPageNotice } from '#control-plane/publishing/status-pages/touch.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { PageFolder } from './folder.ts'
import { PageKeeper } from './keep.ts'
import { mailLink } from './mail-link.ts'
import { PageCache } from './page-cache.ts'
import { readIndex } from './read-index.ts'
import { readPage } from './read-page.ts'
import { pageSignIn } from './sign-in.ts'
import { Site } from './site.ts'
import { StatusIndex } from './status-index.ts'

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
      const { page, slug, shown, tenant, ended } = noticeIn(payload)
      if (page !== undefined) cache.changedById(page)
      if (slug !== undefined) cache.changed(slug)
      if (shown !== undefined) cache.shown(shown)
      if (tenant !== undefined) cache.shownByOwner(tenant)
      // pages that are not requested leave the folder
      if (ended) keeper?.wake()
    }),
    listener.onMissed(() => {
      cache.allChanged()
      keeper?.wake()
    }),
  ]
  const hosts = customHostsOf(services)
  const drawPicture = pagePictures(services.bounded, url => logosOf(services).load(url))
  let isStarted = false
  const site = new Site({
    cache,
    log,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    hsts: config.hsts,
    // counts of this process alone: a page must be served, and its password asked for, while the stores fail
    rate: new SlidingWindow(),
    nowMs: () => clock.nowMs(),
    ...(config.statusIndex && {
      index: new StatusIndex({ read: number => readIndex(platform, number), nowMs: () => clock.nowMs() }),
    }),
    slugOfHost(host) {
      const served = hosts.find(host)
      if (served) hosts.reached(served)
      return served?.pageSlug ?? undefined
    },
    isDomainOf: (slug, host) => hosts.find(host)?.pageSlug === slug,
    portalOfHost: host => portalHostsOf(services).find(host)?.tenantId,
    mailLink: (page, link) => mailLink(services, page, link),
    drawPicture,
    signIn: pageSignIn(services),
    subscribe: (slug, wish) => subscribeOnSite(services, slug, wish),
    observe: (method, status, seconds) => observeRequest(metrics, { method, route: '/status/{slug}', status }, seconds),
    ...(staleAfterMs !== undefined && { staleAfterMs }),
  })
  return {
    site,
    start() {
      if (isStarted) return
      isStarted = true
      hosts.start()
      keeper?.start()
    },
    async stop() {
      for (const stop of stopped) stop()
      await Promise.all([hosts.stop(), keeper?.stop()])
    },
  }
}

/** Subscriptions on the page and by the API are counted together, by the address of the visitor. */
async function subscribeOnSite(services: Services, slug: string, wish: Wish): Promise<void> {
  const { rate, clock, metrics } = services
  const counted = await rate.count(`subscribe:ip:${rateKeyOfIp(wish.ip)}`, rateLimits.subscribe, clock.nowMs())
  if (counted.isRefused) {
    metrics.rateRefusals.inc({ class: 'subscribe' })
    throw tooMany(counted)
  }
  await subscribeVisitor(services, slug, wish, clock.now())
}

interface Notice {
  page?: string
  slug?: string
  shown?: string
  tenant?: string
  ended?: boolean
}

function noticeIn(payload: string): Notice {
  try {
    return JSON.parse(payload)
  } catch {
    return {}
  }
}

interface FolderSiteOptions extends Pick<Services['config'], 'baseUrl' | 'trustedProxies' | 'hsts'> {
  folder: string
  log: Logger
  bounded: Services['bounded']
}

/** The status pages of a process without stores: all it needs is the folder that another process fills. */
export const openFolderSite = ({ folder, log, bounded, baseUrl, trustedProxies, hsts }: FolderSiteOptions): Site =>
  new Site({
    cache: new PageCache({ folder: new PageFolder(folder), log }),
    log,
    baseUrl,
    trustedProxies,
    hsts,
    rate: new SlidingWindow(),
    // logos are of strangers, and this process reaches nothing
    drawPicture: pagePictures(bounded),
    nowMs: () => Date.now(),
  })
