import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isSameSite } from '#checks/crawl/address.ts'
import type { Rules } from '#checks/crawl/robots.ts'
import { refusedByRobots, robotsOf, visit } from '#checks/crawl/visit.ts'
import type { Reach } from '#checks/probe.ts'
import { agentPaths, type WorkFrame } from '#contract/agent.ts'
import { type CrawlItem, type CrawlSettings, CrawlStepReply, CrawlVisit, crawlLimits } from '#contract/crawl.ts'
import { FairSlots } from '#contract/fair-queue.ts'
import type { Guard } from '#egress/guard.ts'
import { Backoff } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { SelfTest } from './health.ts'
import { type Link, messageOf } from './link.ts'

export interface CrawlsOptions {
  link: Pick<Link, 'post'>
  guard: Guard
  clock: ServerClock
  selfTest: Pick<SelfTest, 'vouch' | 'anchors' | 'resolver'>
  log: Logger
}

/** What is handed out in one turn takes about this long: so much is done again after a sudden death. */
const turnMs = 5_000
/** Visits that weigh more are told at once. */
const heavyChars = 1_500_000
const patienceMs = 60_000

type CrawlFrame = Extract<WorkFrame, { type: 'crawl' }>

/** The crawls this region's agent makes. It keeps nothing of them: addresses come a few at a time, and what they said is told before more come. */
export class Crawls {
  readonly #options: CrawlsOptions
  readonly #active = new Map<string, AbortController>()
  /** Of one tenant only while as many places are left for others; the control plane reminds of crawls that wait. */
  readonly #slots = new FairSlots(crawlLimits.runsPerRegion)

  constructor(options: CrawlsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#active.size
  }

  begin({ run, tenant }: Pick<CrawlFrame, 'run' | 'tenant'>): void {
    const release = this.#active.has(run) ? undefined : this.#slots.tryTake(tenant)
    if (!release) return
    const controller = new AbortController()
    this.#active.set(run, controller)
    new Crawl(run, this.#options, controller.signal)
      .go()
      .catch(error => {
        if (!controller.signal.aborted)
          this.#options.log.error(
            { run, reason: messageOf(error) },
            'a crawl broke off; it is begun again when the control plane reminds of it',
          )
      })
      .finally(() => {
        release()
        if (this.#active.get(run) === controller) this.#active.delete(run)
      })
  }

  /** Lets go of everything at once. */
  clear(): void {
    for (const controller of this.#active.values()) controller.abort()
    this.#active.clear()
  }
}

class Crawl {
  readonly #run: string
  readonly #options: CrawlsOptions
  readonly #reach: Reach
  readonly #robots = new Map<string, Promise<Rules>>()
  #visits: CrawlVisit[] = []
  #weight = 0
  #isFresh = true
  #intervalMs = 0
  #nextAt = 0

  constructor(run: string, options: CrawlsOptions, signal: AbortSignal) {
    this.#run = run
    this.#options = options
    this.#reach = { guard: options.guard, signal, now: () => options.clock.now() }
  }

  async go(): Promise<void> {
    for (let wants = 1; ; ) {
      const answer = await this.#tell(wants)
      if (answer.state === 'ended') return
      const { settings, items } = answer
      if (items.length === 0) await sleep(1_000, undefined, { signal: this.#reach.signal })
      else await this.#work(items, settings)
      wants = Math.min(crawlLimits.itemsPerStep, Math.max(1, Math.ceil(turnMs / Math.max(1, this.#intervalMs))))
    }
  }

  /** Tells what was visited since, and hears what comes next. What was not heard is told again: the control plane does not mind. */
  async #tell(wants: number): Promise<CrawlStepReply> {
    const visits = this.#visits.splice(0)
    this.#weight = 0
    const { link, log } = this.#options
    const { signal } = this.#reach
    const backoff = new Backoff(200, 5_000)
    for (const end = performance.now() + patienceMs; ; ) {
      try {
        const body = Buffer.from(JSON.stringify({ run: this.#run, fresh: this.#isFresh, wants, visits }))
        const reply = await link.post(
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
          throw new Error(`The control plane refuses what was crawled: status ${reply.status}.`, { cause: 'refused' })
        log.warn({ status: reply.status }, 'what was crawled is not taken now')
      } catch (error) {
        if (signal.aborted || performance.now() > end || (error instanceof Error && error.cause === 'refused'))
          throw error
        log.warn({ reason: messageOf(error) }, 'what was crawled could not be told')
      }
      await backoff.wait(signal)
      if (signal.aborted) throw new Error('The crawl was let go.')
    }
  }

  async #work(items: CrawlItem[], terms: CrawlSettings): Promise<void> {
    const waiting = [...items]
    const worker = async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        const found = await this.#visit(item, terms)
        const line = CrawlVisit.parse({ id: item.id, ...found })
        this.#visits.push(line)
        this.#weight += weightOf(line)
        if (this.#weight > heavyChars) await this.#tell(0)
      }
    }
    await Promise.all(Array.from({ length: terms.concurrency }, worker))
  }

  async #visit(item: CrawlItem, terms: CrawlSettings): Promise<Omit<CrawlVisit, 'id'>> {
    const url = new URL(item.url)
    const rules = item.kind === 'external' ? undefined : await this.#rulesFor(url, terms)
    if (rules && !rules.allows(url)) return refusedByRobots
    for (;;) {
      await this.#pace(
        Math.max(1_000 / terms.requests_per_second, item.kind === 'external' ? 0 : (rules?.delayMs ?? 0)),
      )
      const found = await visit(item, terms, this.#reach)
      this.#reach.signal.throwIfAborted()
      if (found.fault === null) return found
      // when it is our own line that is down, every link looks broken: the site is asked again when we can vouch for ourselves
      await this.#options.selfTest.vouch()
      const { anchors, resolver } = this.#options.selfTest
      if (anchors !== 'failed' && resolver !== 'failed') return found
      await sleep(5_000, undefined, { signal: this.#reach.signal })
    }
  }

  /** Once an origin and run, and again by whoever goes on after us. */
  async #rulesFor({ origin }: URL, terms: CrawlSettings): Promise<Rules> {
    const known = this.#robots.get(origin)
    if (known) return known
    const asking = this.#pace(1_000 / terms.requests_per_second).then(() => robotsOf(new URL(origin), this.#reach))
    this.#robots.set(origin, asking)
    const rules = await asking
    const start = new URL(terms.start)
    this.#intervalMs = Math.max(
      this.#intervalMs,
      1_000 / terms.requests_per_second,
      isSameSite(new URL(origin), start, true) ? rules.delayMs : 0,
    )
    return rules
  }

  /** One request after the other, never closer than that. */
  async #pace(intervalMs: number): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + intervalMs
    if (at > now) await sleep(at - now, undefined, { signal: this.#reach.signal })
    this.#reach.signal.throwIfAborted()
  }
}

const weightOf = ({ links, mixed }: CrawlVisit) =>
  links.reduce((sum, { url, text }) => sum + url.length + text.length + 60, 400) +
  mixed.reduce((sum, { url }) => sum + url.length + 60, 0)
