import { Sentence, type Text } from '#contract/sentence.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { Refusal, unavailable } from '#control-plane/base/refusal.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import type { EndReason, StreamClient } from './client.ts'
import { eventsBetween, markStream, missedEvents, readPosition, type StreamedEvent } from './feed.ts'
import { topicOf } from './topics.ts'
import { WatchedChecks } from './watched-checks.ts'

export const streamLimits = { ofToken: 3, ofProcess: 2_000 }

/** Notices wake a round; this is for those that were lost. */
const everyMs = 5_000
const markEveryMs = 60_000
const commentEveryMs = 20_000
/** From the end of one examination of all streams to the next. */
const verifyEveryMs = 2_000
/** Streams that are examined, or given what they missed, at a time. */
const verifiedAtOnce = 200
const resumedAtOnce = 20
/** How long a new stream waits for the database. */
const joinMs = 10_000
const retryAfterS = 15
/** What a browser waits before it reconnects; after a stop of the process each waits for another time. */
const retryMs = 3_000
const stopRetryMs = { least: 1_000, spread: 4_000 }

type HubServices = Pick<Services, 'platform' | 'listener' | 'log' | 'metrics'>

/**
 * All streams of this process. What is committed is read once for all of them, between two snapshots of the database,
 * and passed on in memory.
 */
export class StreamHub {
  readonly #services: HubServices
  readonly #limits: typeof streamLimits
  readonly #clients = new Set<StreamClient>()
  readonly #byTenant = new Map<string, Set<StreamClient>>()
  readonly #ofToken = new Map<string, number>()
  readonly #watched: WatchedChecks
  readonly #rounds: Loop
  readonly #verifying: Loop
  /** Streams that wait for the next round, each with what ends its wait. */
  readonly #joining = new Map<StreamClient, (error?: Refusal) => void>()
  #comments: NodeJS.Timeout | undefined
  /** The snapshot up to which streams have been sent all; null while none is open. */
  #seen: string | null = null
  #mark = '0'
  #markedAt = -Infinity
  #isStarted = false
  #isStopped = false

  constructor(services: HubServices, limits = streamLimits) {
    const { listener, log } = services
    this.#services = services
    this.#limits = limits
    this.#watched = new WatchedChecks(services, (check, frame) => this.#sendResult(check, frame))
    this.#rounds = new Loop({
      everyMs,
      round: () => this.#round(),
      log,
      failure: 'stream read failure',
      wake: { listener, notice: 'stream' },
    })
    this.#verifying = new Loop({
      everyMs: verifyEveryMs,
      round: () => this.#verify(),
      log,
      failure: 'stream check failure',
    })
  }

  /** Opens a stream: it gets all that is committed after this has resolved. Rejects with a 503 at a limit. */
  async open(client: StreamClient): Promise<void> {
    if (this.#isStopped) throw unavailable('The service is stopping.')
    this.#admit(client)
    this.#start()
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        client.end('unavailable')
      }, joinMs).unref()
      this.#joining.set(client, error => {
        clearTimeout(late)
        this.#joining.delete(client)
        if (error) reject(error)
        else resolve()
      })
      this.#rounds.wake()
    })
  }

  /** Forgets a stream that has ended. */
  ended(client: StreamClient, reason: EndReason): void {
    if (!this.#clients.delete(client)) return
    this.#joining.get(client)?.(unavailable('The events cannot be read at the moment.', retryAfterS))
    const { metrics } = this.#services
    const others = this.#byTenant.get(client.tenantId)
    others?.delete(client)
    if (others?.size === 0) this.#byTenant.delete(client.tenantId)
    const ofToken = (this.#ofToken.get(client.tokenId) ?? 1) - 1
    if (ofToken > 0) this.#ofToken.set(client.tokenId, ofToken)
    else this.#ofToken.delete(client.tokenId)
    this.#watched.remove(client)
    metrics.streams.set(this.#clients.size)
    metrics.streamsEnded.inc({ reason })
  }

  /** Ends all streams: their clients reconnect, to another process or to the next one. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#comments)
    for (const client of [...this.#clients])
      client.end('stopping', `retry: ${Math.round(stopRetryMs.least + stopRetryMs.spread * Math.random())}\n\n`)
    this.#watched.stop()
    await Promise.all([this.#rounds.stop(), this.#verifying.stop()])
  }

  #admit(client: StreamClient): void {
    const ofToken = this.#ofToken.get(client.tokenId) ?? 0
    if (ofToken >= this.#limits.ofToken)
      throw tooMany(new Sentence('A token has at most {n} streams at a time.', { n: this.#limits.ofToken }))
    if (this.#clients.size >= this.#limits.ofProcess) throw tooMany('Too many streams are open.')
    this.#ofToken.set(client.tokenId, ofToken + 1)
    this.#clients.add(client)
    this.#services.metrics.streams.set(this.#clients.size)
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#rounds.start({ atOnce: false })
    this.#verifying.start({ atOnce: false })
    const comment = Buffer.from(':\n\n')
    this.#comments = setInterval(() => {
      for (const set of this.#byTenant.values()) for (const client of set) client.send([comment], this.#resetFrame)
    }, commentEveryMs).unref()
  }

  async #round(): Promise<void> {
    const { platform } = this.#services
    if (this.#clients.size === 0) {
      this.#seen = null
      return
    }
    const joining = [...this.#joining.keys()]
    if (performance.now() - this.#markedAt > markEveryMs) {
      await markStream(platform)
      this.#markedAt = performance.now()
    }
    const tenants = [...this.#byTenant.keys()]
    const { snapshot, mark, isBack } = await readPosition(platform, this.#seen)
    this.#mark = mark ?? '0'
    if (isBack) this.#reset()
    else if (this.#seen !== null && tenants.length > 0)
      for await (const page of eventsBetween(platform, this.#seen, snapshot, tenants)) this.#deliver(page)
    this.#seen = snapshot
    await this.#join(joining, snapshot)
  }

  /** Adds streams that have waited since before this snapshot. What follows it is sent to them as to the others. */
  async #join(joining: readonly StreamClient[], snapshot: string): Promise<void> {
    for (let from = 0; from < joining.length; from += resumedAtOnce) {
      const some = joining.slice(from, from + resumedAtOnce)
      const resumed = some.filter(({ lastId }) => lastId !== null)
      const found = await missedEvents(
        this.#services.platform,
        snapshot,
        resumed.map(({ tenantId, lastId }) => ({ tenantId, lastId: lastId ?? '0' })),
      )
      const missed = new Map(resumed.map((client, index) => [client, found[index] ?? null]))
      for (const client of some) this.#begin(client, missed.get(client))
    }
  }

  /** `missed`: undefined for a new stream, null for one that cannot go on where it was. */
  #begin(client: StreamClient, missed: StreamedEvent[] | null | undefined): void {
    const joined = this.#joining.get(client)
    if (!joined) return
    const first = missed === null ? this.#resetFrame : missed === undefined ? positionFrame(this.#mark) : '\n'
    client.begin(`retry: ${retryMs}\n${first}`)
    const set = this.#byTenant.get(client.tenantId) ?? new Set()
    this.#byTenant.set(client.tenantId, set.add(client))
    this.#watched.add(client)
    if (missed)
      this.#sendTo(
        client,
        missed.map(event => ({ event, frame: frameOf(event) })),
      )
    joined()
  }

  #deliver(page: readonly StreamedEvent[]): void {
    const frames = page.map(event => ({ event, frame: frameOf(event) }))
    const byTenant = Map.groupBy(frames, ({ event }) => event.tenantId)
    const marks = byTenant.get(null)
    for (const [tenant, clients] of this.#byTenant) {
      const own = byTenant.get(tenant)
      if (!own && !marks) continue
      // in the order of ids
      const all =
        own && marks ? frames.filter(({ event: { tenantId } }) => tenantId === null || tenantId === tenant) : own
      for (const client of clients) this.#sendTo(client, all ?? marks ?? [])
    }
  }

  #sendTo(client: StreamClient, all: readonly { event: StreamedEvent; frame: Buffer }[]): void {
    const { metrics } = this.#services
    const sent = all.filter(({ event: { tenantId, name } }) => tenantId === null || client.topics[topicOf(name)])
    if (sent.length === 0) return
    for (const { event } of sent) if (event.tenantId !== null) metrics.streamEvents.inc({ topic: topicOf(event.name) })
    client.send(
      sent.map(({ frame }) => frame),
      this.#resetFrame,
    )
  }

  #sendResult(clients: Iterable<StreamClient>, frame: Buffer): void {
    for (const client of clients) {
      this.#services.metrics.streamEvents.inc({ topic: 'runs' })
      client.send([frame], this.#resetFrame)
    }
  }

  #reset(): void {
    this.#markedAt = -Infinity
    const frame = Buffer.from(this.#resetFrame)
    for (const set of this.#byTenant.values()) for (const client of set) client.send([frame], this.#resetFrame)
  }

  get #resetFrame(): string {
    return `event: reset\nid: ${this.#mark}\ndata: {}\n\n`
  }

  /** Ends the streams whose callers are no longer admitted. What the database cannot answer ends none. */
  async #verify(): Promise<void> {
    const clients = [...this.#byTenant.values()].flatMap(set => [...set])
    for (let from = 0; from < clients.length; from += verifiedAtOnce)
      await Promise.all(
        clients.slice(from, from + verifiedAtOnce).map(client =>
          client.verify().catch(error => {
            if (error instanceof Refusal && error.status < 500) client.end('refused')
          }),
        ),
      )
  }
}

const positionFrame = (id: string) => `event: position\nid: ${id}\ndata: {}\n\n`

const frameOf = ({ id, tenantId, name, data }: StreamedEvent): Buffer =>
  Buffer.from(tenantId === null ? positionFrame(id) : `event: ${name}\nid: ${id}\ndata: ${data}\n\n`)

const tooMany = (why: Text) =>
  new Refusal(503, 'too_many_streams', why, { headers: { 'Retry-After': String(retryAfterS) } })

export const streamHubOf = perServices(services => new StreamHub(services))
