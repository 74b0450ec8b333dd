import { LRUCache } from 'lru-cache'
import type { KnownAnswer } from '#control-plane/http/endpoint.ts'
import { etagOf } from '#control-plane/http/etag.ts'
import { perServices } from '#control-plane/http/services.ts'
import { type Badge, draw } from './draw.ts'
import { type BadgeFacts, factsLiveMs, readBadgeFacts } from './facts.ts'

interface Kept {
  facts: BadgeFacts | null
  until: number
}

type Read = (monitorId: string) => Promise<BadgeFacts | null>

/**
 * What badges tell, kept for a minute: a bounded number of monitors, each read once however many ask at the same time,
 * and of drawings, which hold no monitor and are therefore shared. Nothing a caller writes besides the id and three
 * parsed parameters is ever part of a key.
 */
export class BadgeCache {
  readonly facts: LRUCache<string, Kept>
  readonly drawings: LRUCache<string, KnownAnswer>
  readonly #reading = new Map<string, Promise<BadgeFacts | null>>()
  readonly #read: Read

  constructor(read: Read, { monitors = 50_000, drawings = 5_000 } = {}) {
    this.#read = read
    this.facts = new LRUCache({ max: monitors })
    this.drawings = new LRUCache({ max: drawings })
  }

  /** Known facts at once, without a promise; others when they are read. */
  factsOf(monitorId: string, nowMs: number): BadgeFacts | null | Promise<BadgeFacts | null> {
    const kept = this.facts.get(monitorId)
    if (kept && kept.until > nowMs) return kept.facts
    const reading = this.#reading.get(monitorId) ?? this.#readOnce(monitorId, nowMs)
    this.#reading.set(monitorId, reading)
    return reading
  }

  drawingOf(badge: Badge): KnownAnswer {
    const key = `${badge.form} ${badge.style} ${badge.labelColor} ${badge.textColor} ${badge.message}`
    const known = this.drawings.get(key)
    if (known !== undefined) return known
    const text = draw(badge)
    const drawing = { text, etag: etagOf(text) }
    this.drawings.set(key, drawing)
    return drawing
  }

  /** Something about a monitor, or about its whole tenant, has changed. */
  forget({ monitor, tenant }: { monitor?: string; tenant?: string }): void {
    if (monitor) {
      this.facts.delete(monitor)
      this.#reading.delete(monitor)
    }
    if (!tenant) return
    this.#reading.clear()
    // a tenant that is restored has monitors again that were not found before, and nothing tells whose they were
    for (const [id, { facts }] of this.facts.entries())
      if (facts === null || facts.tenantId === tenant) this.facts.delete(id)
  }

  forgetAll(): void {
    this.facts.clear()
    this.#reading.clear()
  }

  async #readOnce(monitorId: string, nowMs: number): Promise<BadgeFacts | null> {
    // a turn later, so that the caller has noted that this is being read
    await Promise.resolve()
    const reading = this.#reading.get(monitorId)
    try {
      const facts = await this.#read(monitorId)
      // what was forgotten while it was read may be outdated already: told, not kept
      if (this.#reading.get(monitorId) === reading) this.facts.set(monitorId, { facts, until: nowMs + factsLiveMs })
      return facts
    } finally {
      if (this.#reading.get(monitorId) === reading) this.#reading.delete(monitorId)
    }
  }
}

/** This process's cache. It hears of changed monitors and tenants as ingest does, so that what is deleted is gone at once. */
export const badgeCacheOf = perServices(services => {
  const cache = new BadgeCache(monitorId => readBadgeFacts(services.platform, monitorId, services.clock.now()))
  services.listener.on('assignments', payload => cache.forget(changeIn(payload)))
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
