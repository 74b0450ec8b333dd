import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isSameSite } from '#checks/crawl/address.ts'
import type { Rules } from '#checks/crawl/robots.ts'
import { refusedByRobots, robotsOf, visit } from '#checks/crawl/visit.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { agentPaths, type WorkFrame } from '#contract/agent.ts'
import {
  type CrawlItem,
  type CrawlSettings,
  type CrawlStep,
  CrawlStepReply,
  CrawlVisit,
  crawlLimits,
} from '#contract/crawl.ts'
import { FairSlots } from '#contract/fair-queue.ts'
import type { Guard } from '#egress/guard.ts'
import { Backoff } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { SelfTest } from './health.ts'
import { type Link, messageOf } from './link.ts'

export interface CrawlsOptions {
  guard: Guard
  clock: ServerClock
  selfTest: Pick<SelfTest, 'check' | 'anchors' | 'resolver'>
  log: Logger
  /** An address failed by an unforeseen error. */
  onUnexpected?: (error: unknown) => void
}

/** One step should take about this long: a crash repeats at most one step. */
const stepMs = 5_000
/** A step ends early when its visits weigh more. */
const maxStepChars = 1_500_000
const timeoutMs = 60_000

type CrawlFrame = Extract<WorkFrame, { type: 'crawl' }>
type CrawlLink = Pick<Link, 'post'>

/**
 * The crawls of this agent. It stores no state: addresses come a few at a time, and their visits are reported before
 * more come.
 */
export class Crawls {
  readonly #options: CrawlsOptions
  readonly #active = new Map<string, { link: CrawlLink; controller: AbortController }>()
  /** Shared fairly between tenants; the control plane announces waiting crawls again. */
  readonly #slots = new FairSlots(crawlLimits.runsPerRegion)

  constructor(options: CrawlsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#active.size
  }

  /** `link`: to the process of the control plane that runs the crawl. */
  begin({ run, tenant }: Pick<CrawlFrame, 'run' | 'tenant'>, link: CrawlLink): void {
    const release = this.#active.has(run) ? undefined : this.#slots.tryTake(tenant)
    if (!release) return
    const controller = new AbortController()
    this.#active.set(run, { link, controller })
    new Crawl(run, link, this.#options, controller.signal)
      .go()
      .catch(error => {
        if (!controller.signal.aborted) this.#options.log.error({ run, reason: messageOf(error) }, 'crawl interrupted')
      })
      .finally(() => {
        release()
        if (this.#active.get(run)?.controller === controller) this.#active.delete(run)
      })
  }

  /** Stops the crawls of this link at once; without one, all. */
  clear(link?: CrawlLink): void {
    for (const [run, crawl] of this.#active) {
      if (link && crawl.link !== link) continue
      crawl.controller.abort()
      this.#active.delete(run)
    }
  }
}

class Crawl {
  readonly #run: string
  readonly #link: CrawlLink
  readonly #options: CrawlsOptions
  readonly #context: ProbeContext
  readonly #robots = new Map<string, Promise<Rules>>()
  #visits: CrawlVisit[] = []
  #weight = 0
  #isFresh = true
  #intervalMs = 0
  #nextAt = 0

  constructor(run: string, link: CrawlLink, options: CrawlsOptions, signal: AbortSignal) {
    this.#run = run
    this.#link = link
    this.#options = options
    const { guard, clock, onUnexpected } = options
    this.#context = { guard, signal, now: () => clock.now(), ...(onUnexpected && { onUnexpected }) }
  }

  async go(): Promise<void> {
    for (let capacity = 1; ; ) {
      const answer = await this.#report(capacity)
      if (answer.state === 'ended') return
      const { settings, items } = answer
      if (items.length === 0) await sleep(1_000, undefined, { signal: this.#context.signal })
      else await this.#work(items, settings)
      capacity = Math.min(crawlLimits.itemsPerStep, Math.max(1, Math.ceil(stepMs / Math.max(1, this.#intervalMs))))
    }
  }

  /**
   * Reports the visits since the last step and receives the next addresses. A report without a response is sent again;
   * the control plane accepts duplicates.
   */
  async #report(capacity: number): Promise<CrawlStepReply> {
    const visits = this.#visits.splice(0)
    this.#weight = 0
    const { log } = this.#options
    const { signal } = this.#context
    const backoff = new Backoff(200, 5_000)
    for (const end = performance.now() + timeoutMs; ; ) {
      try {
        const step: CrawlStep = { run: this.#run, fresh: this.#isFresh, wants: capacity, visits }
        const body = Buffer.from(JSON.stringify(step))
        const reply = await this.#link.post(
          agentPaths.crawl,
          body,
          {},
          AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
        )
        if (reply.status === 200) {
          this.#isFresh = false
          return CrawlStepReply.parse(reply.body)
        }
        if (reply.status < 500)
          throw new Error(`The control plane refused the crawl step: status ${reply.status}.`, { cause: 'refused' })
        log.warn({ status: reply.status }, 'crawl report deferred')
      } catch (error) {
        if (signal.aborted || performance.now() > end || (error instanceof Error && error.cause === 'refused'))
          throw error
        log.warn({ reason: messageOf(error) }, 'crawl report failure')
      }
      await backoff.wait(signal)
      if (signal.aborted) throw new Error('The crawl was stopped.')
    }
  }

  async #work(items: CrawlItem[], settings: CrawlSettings): Promise<void> {
    const waiting = [...items]
    const worker = async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        const found = await this.#visit(item, settings)
        const line = CrawlVisit.parse({ id: item.id, ...found })
        this.#visits.push(line)
        this.#weight += weightOf(line)
        if (this.#weight > maxStepChars) await this.#report(0)
      }
    }
    await Promise.all(Array.from({ length: settings.concurrency }, worker))
  }

  async #visit(item: CrawlItem, settings: CrawlSettings): Promise<Omit<CrawlVisit, 'id'>> {
    const url = new URL(item.url)
    const rules = item.kind === 'external' ? undefined : await this.#rulesFor(url, settings)
    if (rules && !rules.allows(url)) return refusedByRobots
    for (;;) {
      await this.#pace(
        Math.max(1_000 / settings.requests_per_second, item.kind === 'external' ? 0 : (rules?.delayMs ?? 0)),
      )
      const found = await visit(item, settings, this.#context)
      this.#context.signal.throwIfAborted()
      if (found.fault === null) return found
      // if the agent's own network is down, every link seems broken: the visit is repeated once the self-check passes
      await this.#options.selfTest.check()
      const { anchors, resolver } = this.#options.selfTest
      if (anchors !== 'failed' && resolver !== 'failed') return found
      await sleep(5_000, undefined, { signal: this.#context.signal })
    }
  }

  /** Fetched once per origin and run, and again by an agent that takes over. */
  async #rulesFor({ origin }: URL, settings: CrawlSettings): Promise<Rules> {
    const known = this.#robots.get(origin)
    if (known) return known
    const asking = this.#pace(1_000 / settings.requests_per_second).then(() => robotsOf(new URL(origin), this.#context))
    this.#robots.set(origin, asking)
    const rules = await asking
    const start = new URL(settings.start)
    this.#intervalMs = Math.max(
      this.#intervalMs,
      1_000 / settings.requests_per_second,
      isSameSite(new URL(origin), start, true) ? rules.delayMs : 0,
    )
    return rules
  }

  /** Spaces the requests by at least the interval. */
  async #pace(intervalMs: number): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + intervalMs
    if (at > now) await sleep(at - now, undefined, { signal: this.#context.signal })
    this.#context.signal.throwIfAborted()
  }
}

const weightOf = ({ links, mixed }: CrawlVisit) =>
  links.reduce((sum, { url, text }) => sum + url.length + text.length + 60, 400) +
  mixed.reduce((sum, { url }) => sum + url.length + 60, 0)
