import { type Health, limits, type WorkFrame } from '#contract/agent.ts'
import type { WorkStream } from './work-stream.ts'

/** Why a region is ineligible at the moment. */
export const ineligibilities = [
  'never_seen',
  'silent',
  'revision_behind',
  'self_test_failed',
  'clock_off',
  'overloaded',
  'suspect',
] as const
export type Ineligibility = (typeof ineligibilities)[number]

const driftLimitMs = 5_000
/** Single results under a shorter standstill are marked by the agent itself. */
const lagLimitMs = 2_000
/** A change of the work list is confirmed by the next beat; two missing beats mean that it was not received. */
const confirmWithinMs = 2 * limits.beatMs + 2_000

/**
 * One region as the active ingest process knows it: its agent, the time of its last message, its health.
 *
 * | Lease | a second agent asks for work | the holder's stream breaks | the holder is silent for 15 s |
 * |---|---|---|---|
 * | taken | 409 | free | free |
 * | free | takes it, generation + 1 | | |
 *
 * The newest generation alone may upload, whether its stream is open or not.
 */
export class Region {
  readonly name: string
  agent: string | null
  generation: number
  stream: WorkStream | null = null
  #session: string | null = null
  health: Health | null = null
  lastMessageAt: number | null = null
  isUnreliable = false
  revision: number
  #unconfirmed: { revision: number; since: number } | null = null

  constructor(
    name: string,
    { agent, generation, revision }: { agent: string | null; generation: number; revision: number },
  ) {
    this.name = name
    this.agent = agent
    this.generation = generation
    this.revision = revision
  }

  /** Whether this agent may take the region now. The process that has it may always reconnect. */
  mayTake({ agent, session }: { agent: string; session: string }, now: number): boolean {
    if (!this.stream || this.stream.isClosed) return true
    if (this.stream.agent === agent && this.#session === session) return true
    return !this.#isReporting(now)
  }

  take(
    { agent, session, generation, stream }: { agent: string; session: string; generation: number; stream: WorkStream },
    now: number,
  ): void {
    this.stream?.end()
    if (agent !== this.agent) this.health = null
    this.agent = agent
    this.#session = session
    this.generation = generation
    this.stream = stream
    this.lastMessageAt = now
    this.#unconfirmed = { revision: this.revision, since: now }
    void stream.closed.then(() => {
      if (this.stream === stream) this.stream = null
    })
  }

  /** Whether a message with this generation comes from the region's holder. */
  isHolder(agent: string, generation: number): boolean {
    return generation === this.generation && agent === this.agent
  }

  receive(health: Health, session: string, now: number): void {
    this.#session = session
    this.lastMessageAt = now
    this.health = health
    if (this.#unconfirmed && health.revision >= this.#unconfirmed.revision)
      this.#unconfirmed = health.revision >= this.revision ? null : { revision: this.revision, since: now }
  }

  /** Sends the agent a change of its list. Without a stream the change counts as not yet received. */
  sendChange(frames: (revision: number) => WorkFrame[], now: number): void {
    this.revision++
    this.#unconfirmed ??= { revision: this.revision, since: now }
    for (const frame of frames(this.stream?.isSynced ? this.revision : 0)) this.stream?.send(frame)
  }

  /** The agent was revoked: its reports no longer count. */
  drop(): void {
    this.stream?.end()
    this.agent = null
    this.lastMessageAt = null
    this.health = null
  }

  whyIneligible(now: number): Ineligibility | null {
    const { health } = this
    if (this.lastMessageAt === null) return 'never_seen'
    if (!this.#isReporting(now)) return 'silent'
    if (!health) return 'revision_behind'
    if (this.#unconfirmed && now - this.#unconfirmed.since > confirmWithinMs) return 'revision_behind'
    if (health.anchors === 'failed' || health.resolver === 'failed') return 'self_test_failed'
    if (Math.abs(health.clock_drift_ms) > driftLimitMs) return 'clock_off'
    if (health.lag_ms > lagLimitMs) return 'overloaded'
    return this.isUnreliable ? 'suspect' : null
  }

  #isReporting(now: number): boolean {
    return this.lastMessageAt !== null && now - this.lastMessageAt <= limits.leaseMs
  }
}
