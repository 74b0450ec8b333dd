import type { KnownAnswer } from '#control-plane/kernel/endpoint.ts'
import { etagOf } from '#control-plane/kernel/etag.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { type Badge, draw } from './draw.ts'
import { type BadgeFacts, factsLiveMs, readBadgeFacts } from './facts.ts'

interface Kept {
  facts: BadgeFacts | null
  until: number
}

/** The least recently used goes first when there are too many. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#values.size
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#max) this.#values.delete(this.#values.keys().next().value as string)
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  clear(): void {
    this.#values.clear()
  }

  entries(): MapIterator<[string, Value]> {
    return this.#values.entries()
  }
}

type Read = (monitorId: string) => Promise<BadgeFacts | null>

/**
 * What badges tell, kept for a minute: a bounded number of monitors, each read once however many ask at the same time,
 * and of drawings, which hold no monitor and are therefore shared. Nothing a caller writes besides the id and three
 * parsed parameters is ever part of a key.
 */
export class BadgeCache {
  readonly facts: Recent<Kept>
  readonly drawings: Recent<KnownAnswer>
  readonly #reading = new Map<string, Promise<BadgeFacts | null>>()
  readonly #read: Read

  constructor(read: Read, { monitors = 50_000, drawings = 5_000 } = {}) {
    this.#read = read
    this.facts = new Recent(monitors)
    this.drawings = new Recent(drawings)
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
    for (const [id, { facts }] of this.facts.entries()) if (facts?.tenantId === tenant) this.facts.delete(id)
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

const caches = new WeakMap<Services, BadgeCache>()

/** This process's cache. It hears of changed monitors and tenants as ingest does, so that what is deleted is gone at once. */
export function badgeCacheOf(services: Services): BadgeCache {
  const known = caches.get(services)
  if (known) return known
  const cache = new BadgeCache(monitorId => readBadgeFacts(services.platform, monitorId, services.clock.now()))
  caches.set(services, cache)
  services.listener.on('assignments', payload => cache.forget(changeIn(payload)))
  services.listener.onMissed(() => cache.forgetAll())
  return cache
}

function changeIn(payload: string): { monitor?: string; tenant?: string } {
  try {
    return JSON.parse(payload)
  } catch {
    return {}
  }
}
