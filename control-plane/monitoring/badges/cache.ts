import { LRUCache } from 'lru-cache'
import { Batch } from '#control-plane/base/batch.ts'
import type { MemoryAnswer } from '#control-plane/http/endpoint.ts'
import { etagOf } from '#control-plane/http/etag.ts'
import { perServices } from '#control-plane/http/services.ts'
import { type Badge, draw } from './draw.ts'
import { areMonitors, type BadgeStatus, readBadgeStatus, statusTtlMs } from './status.ts'

interface Kept {
  status: BadgeStatus | null
  until: number
}

type Read = (monitorId: string) => Promise<BadgeStatus | null>

/**
 * Caches the status of a bounded number of monitors for a minute, each read once for concurrent requests, and a bounded
 * number of drawings, which contain no monitor and are therefore shared. Keys consist of the id and three parsed
 * parameters, nothing else of the request.
 */
export class BadgeCache {
  readonly statuses: LRUCache<string, Kept>
  readonly drawings: LRUCache<string, MemoryAnswer>
  readonly #reading = new Map<string, Promise<BadgeStatus | null>>()
  readonly #read: Read

  constructor(read: Read, { monitors = 50_000, drawings = 5_000 } = {}) {
    this.#read = read
    this.statuses = new LRUCache({ max: monitors })
    this.drawings = new LRUCache({ max: drawings })
  }

  /** A cached status at once, without a promise; others when they are read. */
  statusOf(monitorId: string, nowMs: number): BadgeStatus | null | Promise<BadgeStatus | null> {
    const kept = this.statuses.get(monitorId)
    if (kept && kept.until > nowMs) return kept.status
    const reading = this.#reading.get(monitorId) ?? this.#readOnce(monitorId, nowMs)
    this.#reading.set(monitorId, reading)
    return reading
  }

  drawingOf(badge: Badge): MemoryAnswer {
    const key = `${badge.form} ${badge.style} ${badge.labelColor} ${badge.textColor} ${badge.message}`
    const known = this.drawings.get(key)
    if (known !== undefined) return known
    const text = draw(badge)
    const drawing = { text, etag: etagOf(text) }
    this.drawings.set(key, drawing)
    return drawing
  }

  /** Drops what is cached of a monitor, or of a whole tenant, after a change. */
  forget({ monitor, tenant }: { monitor?: string; tenant?: string }): void {
    if (monitor) {
      this.statuses.delete(monitor)
      this.#reading.delete(monitor)
    }
    if (!tenant) return
    this.#reading.clear()
    // monitors of a restored tenant may be cached as not found, and such entries have no tenant
    for (const [id, { status }] of this.statuses.entries())
      if (status === null || status.tenantId === tenant) this.statuses.delete(id)
  }

  forgetAll(): void {
    this.statuses.clear()
    this.#reading.clear()
  }

  async #readOnce(monitorId: string, nowMs: number): Promise<BadgeStatus | null> {
    // one microtask later, so that the caller has stored this promise
    await Promise.resolve()
    const reading = this.#reading.get(monitorId)
    try {
      const status = await this.#read(monitorId)
      // a status that was dropped during the read may be outdated: it is returned, but not cached
      if (this.#reading.get(monitorId) === reading) this.statuses.set(monitorId, { status, until: nowMs + statusTtlMs })
      return status
    } finally {
      if (this.#reading.get(monitorId) === reading) this.#reading.delete(monitorId)
    }
  }
}

/** The cache of this process. It receives changes of monitors and tenants, so that a deleted monitor is gone at once. */
export const badgeCacheOf = perServices(services => {
  const { platform, clock } = services
  const known = new Batch((ids: readonly string[]) => areMonitors(platform, ids))
  const cache = new BadgeCache(async id => ((await known.add(id)) ? readBadgeStatus(platform, id, clock.now()) : null))
  services.listener.on('assignments', payload => cache.forget(changeIn(payload)))
  services.listener.on('monitors_shown', payload => {
    for (const monitor of payload.split(' ')) cache.forget({ monitor })
  })
  services.listener.onMissed(() => cache.forgetAll())
  return cache
})

function changeIn(payload: string): { monitor?: string; tenant?: string } {
  try {
    return JSON.parse(payload)
  } catch {
    return {}
  }
}
