import { setTimeout as sleep } from 'node:timers/promises'
import { type Assignment, type Health, limits, type WorkFrame } from '#contract/agent.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { AgentIdentity } from './access-token.ts'
import { whyNotSpoken } from './agent-protocol.ts'
import type { AgentRegistry } from './agent-registry.ts'
import { type Ineligibility, Region } from './region.ts'
import type { WorkStream } from './work-stream.ts'

const tickMs = 1_000
const touchMs = 5_000
/** Agents find a process that has just started, or taken shards, within this time. */
const arrivalMs = 10_000
const arrivalPollMs = 100
const frameChecks = 500

/** Where the regions' lists of work come from. */
export interface Work {
  /** All checks that the region runs, in pages, each read at the moment it is taken. */
  list(region: string): Iterable<Assignment[]>
}

/**
 * Called when some region became eligible or ineligible: all regions, each with the reason if ineligible, and since
 * when the silent ones have been silent.
 */
export type NotifyEligibility = (
  regions: ReadonlyMap<string, Ineligibility | null>,
  silentSince: ReadonlyMap<string, number>,
) => void

/** What came with the last message is decided by then. */
const decidedWithinMs = 1_000

interface Options {
  services: Pick<Services, 'clock' | 'log' | 'metrics'>
  agentRegistry: AgentRegistry
  work: Work
  onEligibility: NotifyEligibility
  /** Called when a region was added or removed. */
  onRegions(regions: string[]): void
  /** The agent of a region reports since when results of it wait to be stored; null: none do. */
  onWaiting(region: string, sinceMs: number | null): void
  /** Named to agents where there are other processes that own the others. */
  shards: OwnedShards
}

/** Who asks for a region, and in which protocol it is answered. */
interface Taker {
  agent: string
  session: string
  protocol: number
}

/** All regions of the active ingest process: their leases, their streams, and whether each is eligible. */
export class Regions {
  readonly #services: Options['services']
  readonly #agentRegistry: AgentRegistry
  readonly #work: Work
  readonly #onEligibility: NotifyEligibility
  readonly #onRegions: (regions: string[]) => void
  readonly #onWaiting: (region: string, sinceMs: number | null) => void
  readonly #shards: OwnedShards
  readonly #regions = new Map<string, Region>()
  readonly #taking = new Map<string, Promise<unknown>>()
  readonly #published = new Map<string, Ineligibility | null>()
  readonly #reporting = new Set<string>()
  readonly #firstRevision: number
  readonly #arrivalsUntil = performance.now() + arrivalMs
  #timers: NodeJS.Timeout[] = []
  #isClosed = false

  constructor({ services, agentRegistry, work, onEligibility, onRegions, onWaiting, shards }: Options) {
    this.#shards = shards
    this.#services = services
    this.#agentRegistry = agentRegistry
    this.#work = work
    this.#onEligibility = onEligibility
    this.#onRegions = onRegions
    this.#onWaiting = onWaiting
    // higher than any revision a former process has given out
    this.#firstRevision = services.clock.nowMs()
  }

  /** Adds the regions of the list of agents, and drops revoked agents. Called again whenever that list changed. */
  refresh(): void {
    // of other shards a former generation may have been: only the next stream names those of now
    const holders = this.#agentRegistry.holders
    const names = new Set(this.#agentRegistry.regions)
    for (const name of names) {
      if (this.#regions.has(name)) continue
      const { agent, generation } = (this.#shards.isAll && holders.get(name)) || { agent: null, generation: 0 }
      this.#regions.set(name, new Region(name, { agent, generation, revision: this.#firstRevision }))
    }
    for (const [name, region] of this.#regions) {
      const isGone = !names.has(name)
      if (region.agent && !this.#agentRegistry.isTrusted(region.agent, name)) {
        this.#services.log.info({ region: name, agent: region.agent }, 'agent revoked')
        region.drop()
      }
      if (!isGone) continue
      this.#regions.delete(name)
      this.#services.metrics.schedules.delete(name)
    }
    this.#onRegions([...names].sort())
    this.check()
    this.countRefused()
  }

  /** Sets the metric of agents that are refused for their protocol. */
  countRefused(): void {
    const refused = this.#agentRegistry.refusedProtocols.map(whyNotSpoken)
    for (const why of ['too_old', 'too_new'] as const)
      this.#services.metrics.refusedAgents.set({ why }, refused.filter(other => other === why).length)
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.check(), tickMs),
      setInterval(() => this.#beat(), limits.beatMs),
      setInterval(() => this.#touch(), touchMs),
    ]
  }

  /** Ends all streams; agents connect to another process at once. */
  stop(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const region of this.#regions.values()) region.stream?.end()
    this.#services.metrics.schedules.clear()
  }

  /** Gives the region to this agent and sends its list; 409 while another holds it. One taker at a time. */
  async open(name: string, taker: Taker, openStream: () => WorkStream): Promise<void> {
    const before = this.#taking.get(name)
    const taken = (async () => {
      await before?.catch(() => undefined)
      return this.#take(name, taker, openStream)
    })()
    this.#taking.set(name, taken)
    const stream = await taken
    await this.#sendList(name, stream)
  }

  async #take(name: string, taker: Taker, openStream: () => WorkStream): Promise<WorkStream> {
    const region = this.#regions.get(name)
    if (this.#isClosed || !region)
      throw new Refusal(503, 'unavailable', 'This process is not ready for agents.', {
        headers: { 'Retry-After': '1' },
      })
    const taken = new Refusal(409, 'region_held', 'Another agent holds this region.')
    if (!region.mayTake(taker, this.#services.clock.nowMs())) throw taken
    const generation = await this.#agentRegistry.take(taker.agent, name)
    if (this.#isClosed) throw taken
    const stream = openStream()
    const now = this.#services.clock.nowMs()
    region.take({ ...taker, generation, stream }, now)
    const { protocol } = taker
    stream.send({
      type: 'hello',
      protocol,
      generation,
      now_ms: now,
      ...(!this.#shards.isAll && { shards: [...this.#shards.numbers] }),
    })
    this.#services.log.info({ region: name, agent: taker.agent, generation, protocol }, 'agent connected')
    void stream.closed.then(() =>
      this.#services.log.info({ region: name, agent: taker.agent, generation }, 'agent disconnected'),
    )
    this.check()
    return stream
  }

  /**
   * Changes made meanwhile go out between the pages; each check is read when its page is sent, so the last frame
   * about it is the newest.
   */
  async #sendList(name: string, stream: WorkStream): Promise<void> {
    const region = this.#regions.get(name)
    if (!region) return stream.end()
    for (const checks of this.#work.list(name)) {
      if (stream.isClosed) return
      stream.send({ type: 'assign', revision: 0, checks })
      await stream.drained()
    }
    stream.isSynced = true
    stream.send({ type: 'synced', revision: region.revision })
  }

  /** The generation under which this agent may upload, or null when the region is another's. */
  generationOf({ agent, region: name }: Pick<AgentIdentity, 'agent' | 'region'>): number | null {
    const region = this.#regions.get(name)
    return region?.agent === agent && region.generation > 0 ? region.generation : null
  }

  /** Records a message of the region's holder; false when the agent is not the holder. */
  receive({ agent, region: name, session }: AgentIdentity, generation: number, health: Health): boolean {
    const region = this.#regions.get(name)
    if (!region?.isHolder(agent, generation)) return false
    if (health.unstored_since_ms !== undefined) this.#onWaiting(name, health.unstored_since_ms)
    region.receive(health, session, this.#services.clock.nowMs())
    this.#services.metrics.schedules.set(name, health)
    this.#reporting.add(agent)
    if (region.whyIneligible(this.#services.clock.nowMs()) !== this.#published.get(name)) this.check()
    return true
  }

  /** Sends a region's agent the changes of its list. */
  sendChanges(name: string, assigned: Assignment[], withdrawn: string[]): void {
    this.#regions
      .get(name)
      ?.sendChange(
        revision => [
          ...pages(withdrawn).map(checks => ({ type: 'withdraw' as const, revision, checks })),
          ...pages(assigned).map(checks => ({ type: 'assign' as const, revision, checks })),
        ],
        this.#services.clock.nowMs(),
      )
  }

  /** Requests a run or a crawl; false when no agent of the region is connected. */
  request(name: string, frame: Extract<WorkFrame, { type: 'run' | 'crawl' }>): boolean {
    const stream = this.#regions.get(name)?.stream
    if (!stream || stream.isClosed) return false
    stream.send(frame)
    return true
  }

  isListening(name: string): boolean {
    const region = this.#regions.get(name)
    return region?.stream !== undefined && region.stream !== null && !region.stream.isClosed
  }

  /** Resolves once these regions have their lists; after the time in which agents find this process, at once. */
  async connected(names: readonly string[]): Promise<void> {
    const isAwaited = (name: string) => {
      const region = this.#regions.get(name)
      return region !== undefined && !(this.isListening(name) && region.stream?.isSynced)
    }
    while (!this.#isClosed && performance.now() < this.#arrivalsUntil && names.some(isAwaited))
      await sleep(arrivalPollMs, undefined, { ref: false })
  }

  get names(): string[] {
    return [...this.#regions.keys()]
  }

  /** Regions that the verdict engine found unreliable are ineligible. */
  setUnreliable(unreliable: ReadonlySet<string>): void {
    for (const region of this.#regions.values()) region.isUnreliable = unreliable.has(region.name)
    this.check()
  }

  /** By region: runs that its agent has missed since it began. */
  get missedSchedules(): Map<string, Health['missed_schedules']> {
    return new Map(
      [...this.#regions].flatMap(([name, { health }]) => (health ? [[name, health.missed_schedules]] : [])),
    )
  }

  get isAnyConnected(): boolean {
    return [...this.#regions.values()].some(region => region.stream !== null)
  }

  /** Milliseconds since some agent's last message; null: there was none. */
  get reachedMsAgo(): number | null {
    const last = Math.max(0, ...[...this.#regions.values()].map(({ lastMessageAt }) => lastMessageAt ?? 0))
    return last === 0 ? null : Math.max(0, this.#services.clock.nowMs() - last)
  }

  get silent(): string[] {
    const now = this.#services.clock.nowMs()
    return [...this.#regions.values()].filter(region => region.whyIneligible(now) !== null).map(region => region.name)
  }

  /**
   * Reviews the eligibility of every region, and passes changes to the verdict engine. One line in the log for each
   * silent agent.
   */
  check(): void {
    const now = this.#services.clock.nowMs()
    const states = new Map([...this.#regions].map(([name, region]) => [name, region.whyIneligible(now)]))
    let isChanged = states.size !== this.#published.size
    for (const [name, why] of states) {
      const before = this.#published.get(name)
      if (before === why) continue
      isChanged = true
      if (before === null)
        this.#services.log.error(
          { region: name, agent: this.#regions.get(name)?.agent, why, alarm: 'agent' },
          'region ineligible',
        )
      else if (why === null) this.#services.log.info({ region: name, was: before }, 'region eligible')
    }
    if (!isChanged) return
    this.#published.clear()
    for (const [name, why] of states) this.#published.set(name, why)
    this.#count(states)
    const silentSince = [...this.#regions].flatMap(([name, { lastMessageAt }]): [string, number][] =>
      states.get(name) === 'silent' && lastMessageAt !== null ? [[name, lastMessageAt + decidedWithinMs]] : [],
    )
    this.#onEligibility(states, new Map(silentSince))
  }

  #count(states: ReadonlyMap<string, Ineligibility | null>): void {
    const { agents, regionEligible } = this.#services.metrics
    agents.reset()
    agents.set({ state: 'ok' }, 0)
    regionEligible.reset()
    for (const [region, why] of states) {
      agents.inc({ state: why ?? 'ok' })
      regionEligible.set({ region }, why === null ? 1 : 0)
    }
  }

  #beat(): void {
    const now = this.#services.clock.nowMs()
    for (const { stream, revision } of this.#regions.values())
      stream?.send({ type: 'beat', now_ms: now, revision: stream.isSynced ? revision : 0 })
  }

  #touch(): void {
    const ids = [...this.#reporting]
    this.#reporting.clear()
    // shown to the operator, decides nothing: the next write makes up for one that fails
    void this.#agentRegistry.touch(ids).catch(() => undefined)
  }
}

const pages = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / frameChecks) }, (_, page) =>
    items.slice(page * frameChecks, (page + 1) * frameChecks),
  )
