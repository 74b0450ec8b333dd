import { FairQueue, Shares } from '#contract/fair-queue.ts'
import type { DeliveryEnd, Later } from '#contract/workflows.ts'
import type { Keyring } from '#control-plane/kernel/secrets.ts'
import { attempt, type Means } from './attempt.ts'
import { openBody } from './body.ts'
import { claimS, type Delivery, retryAfterS } from './delivery.ts'
import { Gather } from './gather.ts'
import { Lane } from './lane.ts'
import type { Sent } from './send.ts'
import { type Claimed, claimDeliveries, claimDelivery, type Outcome, releaseDeliveries, type Settled, settleDeliveries, standingOf } from './store.ts'

/** In all, whatever the number of channels; one tenant alone has half of the slots. */
const mostAtOnce = 400
const sweepMs = 500
const sweepMost = 200
/** Now and then: what is held although nothing is in its way. */
const overlookedEveryMs = 5_000
/** How long after it was held a message is looked at again: whatever ended in that moment has been written down by then. */
const heldAgainMs = 100
/** How late a retry must be before it is taken from the durable process that should have woken it. */
const graceMs = 700
const jitterS = 0.3

interface Options extends Means {
  /** Retries are woken by a durable process, and the sweep only picks up what that one leaves. */
  hasWorkflows: boolean
}

/** What one channel is being sent, and whose channel it is. */
interface ChannelLane {
  tenantId: string
  lane: Lane
  /** Whether it waits in its tenant's line for a slot. */
  isWaiting: boolean
}

/** Brings messages to their channels: at once where it can, and again when their time has come. No channel waits for another, no tenant for another's. */
export class Courier {
  readonly #options: Options
  readonly #lanes = new Map<string, ChannelLane>()
  readonly #waiting = new FairQueue<ChannelLane>()
  readonly #slots = new Shares(mostAtOnce)
  readonly #settling: Gather<Outcome, Settled | undefined>
  readonly #underWay = new Set<Promise<unknown>>()
  /** What this process has claimed and not yet settled. */
  readonly #claimed = new Set<string>()
  #nextOverlooked = 0
  #held: string[] = []
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#settling = new Gather(outcomes => settleDeliveries(options.platform, outcomes, options.hasWorkflows))
  }

  start(): void {
    this.#timer = setInterval(() => this.sweep(), sweepMs)
    this.sweep()
  }

  /** What is under way is brought to its end; what waits is left to whoever sweeps next. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#lanes.clear()
    await this.#sweeping
    await Promise.allSettled(this.#underWay)
    await this.#settling.idle()
  }

  get claimed(): string[] {
    return [...this.#claimed]
  }

  /** Takes a delivery that this process has claimed. */
  take(delivery: Delivery): void {
    if (this.#isStopped) return
    this.#claimed.add(delivery.id)
    const channel = this.#laneOf(delivery)
    if (delivery.attempts === 0 && channel.lane.isBroken) {
      this.#passBy(delivery)
      return
    }
    channel.lane.add(delivery)
    this.#wait(channel)
    this.#go()
  }

  /** Hears that a delivery waits for an earlier one, which may have ended just then. */
  hold(id: string): void {
    if (this.#held.push(id) > 1) return
    setTimeout(() => {
      const ids = this.#held.splice(0)
      if (this.#isStopped) return
      releaseDeliveries(this.#options.platform, ids).then(
        released => released > 0 && this.sweep(),
        error => this.#options.log.warn({ err: error }, 'what is held could not be looked at; the sweep will'),
      )
    }, heldAgainMs).unref()
  }

  /**
   * One retry, asked for by the process that slept until its time. It is taken like any other and not waited for: whoever waited
   * would be held by a channel that hangs, and so would all that wait behind. How it ended is there to be read when asked again.
   */
  async retry(id: string): Promise<DeliveryEnd | Later> {
    const claimed = await claimDelivery(this.#options.platform, id)
    if (claimed) this.#takeClaimed(claimed)
    return standingOf(this.#options.platform, id)
  }

  #takeClaimed(claimed: Claimed): void {
    const delivery = deliveryOf(this.#options.config, claimed)
    if (claimed.may_send && delivery.body !== '') this.take(delivery)
    else this.#settle(delivery, unsent('channel_off'), null)
  }

  sweep(): void {
    if (this.#isStopped) return
    this.#sweeping ??= this.#sweep()
      .catch(error => this.#options.log.warn({ err: error }, 'deliveries that are due could not be read; trying on'))
      .finally(() => {
        this.#sweeping = undefined
      })
  }

  async #sweep(): Promise<void> {
    const { platform, hasWorkflows } = this.#options
    if (performance.now() >= this.#nextOverlooked) {
      this.#nextOverlooked = performance.now() + overlookedEveryMs
      await releaseDeliveries(platform)
    }
    for (let taken = sweepMost; taken === sweepMost && this.#slots.free > 0 && !this.#isStopped; ) {
      const claimed = await claimDeliveries(platform, sweepMost, hasWorkflows ? graceMs : 0)
      taken = claimed.length
      for (const row of claimed) this.#takeClaimed(row)
    }
  }

  #laneOf({ channel }: Delivery): ChannelLane {
    const known = this.#lanes.get(channel.id)
    if (known) return known
    if (this.#lanes.size > 10_000) for (const [id, { lane }] of this.#lanes) if (lane.isIdle) this.#lanes.delete(id)
    const made = { tenantId: channel.tenantId, lane: new Lane(), isWaiting: false }
    this.#lanes.set(channel.id, made)
    return made
  }

  #wait(channel: ChannelLane): void {
    if (channel.isWaiting) return
    channel.isWaiting = true
    this.#waiting.push(channel.tenantId, channel)
  }

  /** Channels that have something to be sent, tenants in turn, as far as there are slots. */
  #go(): void {
    if (this.#isStopped || this.#slots.free < 1) return
    for (const channel of this.#waiting.take(tenantId => this.#slots.mayTake(tenantId))) {
      channel.isWaiting = false
      const delivery = channel.lane.take()
      if (!delivery) continue
      this.#slots.take(channel.tenantId)
      const going = this.#bring(delivery, channel).finally(() => {
        this.#underWay.delete(going)
      })
      this.#underWay.add(going)
      this.#wait(channel)
      if (this.#slots.free < 1) return
    }
  }

  async #bring(delivery: Delivery, channel: ChannelLane): Promise<void> {
    let sent: Sent | undefined
    // a claim this old may end while we are at it: whoever sweeps then takes it anew
    if (performance.now() - delivery.claimedAt < (claimS - 12) * 1_000) sent = await attempt(this.#options, delivery)
    this.#slots.release(channel.tenantId)
    for (const waiting of channel.lane.release(delivery, { hung: sent?.error === 'timeout', delivered: sent?.isDelivered === true })) this.#passBy(waiting)
    if (sent) this.#settle(delivery, sent, waitAfter(delivery, sent))
    else this.#claimed.delete(delivery.id)
    this.#wait(channel)
    this.#go()
  }

  /** Straight to the retries: an attempt now would be in vain, and others would wait for it. */
  #passBy(delivery: Delivery): void {
    const sent = unsent('circuit_open')
    this.#settle(delivery, sent, waitAfter(delivery, sent))
  }

  #settle(delivery: Delivery, sent: Sent, waitS: number | null): void {
    const settling = this.#settling
      .add(outcomeOf(delivery, sent, waitS))
      .then(settled => {
        if (settled?.status === 'retrying' && !this.#options.hasWorkflows) setTimeout(() => this.sweep(), settled.next_at.getTime() - Date.now()).unref()
      })
      // the claim ends and it is sent again: at least once
      .catch(error => this.#options.log.warn({ err: error, delivery_id: delivery.id }, 'how an attempt ended could not be written'))
      .finally(() => {
        this.#claimed.delete(delivery.id)
        this.#underWay.delete(settling)
      })
    this.#underWay.add(settling)
  }
}

const unsent = (error: Sent['error']): Sent => ({ isDelivered: false, status: null, error, answer: null, durationMs: 0 })
const outcomeOf = ({ id, attempts }: Delivery, sent: Sent, waitS: number | null): Outcome => ({ id, attempts, sent, waitS })

/** Spread a little, and only ever later, so that many that failed together do not come back together. */
function waitAfter({ attempts }: Delivery, { isDelivered, error }: Sent): number | null {
  const wait = retryAfterS[attempts]
  // neither is mended within minutes
  if (error === 'unconfirmed' || error === 'mail_budget') return null
  return isDelivered || wait === undefined ? null : wait + Math.random() * jitterS
}

const deliveryOf = (keys: Keyring, { id, tenant_id, channel_id, event, body, attempts, subject, type, config, secrets }: Claimed): Delivery => ({
  id,
  channel: { id: channel_id, tenantId: tenant_id, type, config, secrets },
  event,
  body: openBody(keys, { id, event, body }) ?? '',
  subject,
  attempts,
  claimedAt: performance.now(),
})
