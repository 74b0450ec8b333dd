import { FairQueue, Shares } from '#contract/fair-queue.ts'
import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { attempt, type Means, openChannel } from './attempt.ts'
import { readBody } from './body.ts'
import { type Channel, claimS, type Delivery, retryAfterS } from './delivery.ts'
import { Lane } from './lane.ts'
import type { Sent } from './send.ts'
import {
  type Claimed,
  claimDeliveries,
  claimDelivery,
  type Outcome,
  putOffDelivery,
  releaseDeliveries,
  retryChannels,
  retryDeliveries,
  type Settled,
  settleDeliveries,
  standingOf,
} from './store.ts'

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
export class DeliveryWorker {
  readonly #options: Options
  readonly #lanes = new Map<string, ChannelLane>()
  readonly #waiting = new FairQueue<ChannelLane>()
  readonly #slots = new Shares(mostAtOnce)
  readonly #settling: Batch<Outcome, Settled | undefined>
  readonly #underWay = new Set<Promise<unknown>>()
  /** What this process has claimed and not yet settled. */
  readonly #claimed = new Set<string>()
  readonly #quarantine: Quarantine
  #nextOverlooked = 0
  #held: string[] = []
  readonly #loop: Loop
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine(options)
    const round = () => this.#sweep()
    this.#loop = new Loop({ everyMs: sweepMs, round, log: options.log, failure: 'delivery sweep failure' })
    this.#settling = new Batch(outcomes => settleDeliveries(options.platform, outcomes, options.hasWorkflows), {
      atOnce: 1,
      largest: 500,
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** What is under way is brought to its end; what waits is left to whoever sweeps next. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#lanes.clear()
    await this.#loop.stop()
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
  async retry(id: string): Promise<DeliveryEnd | RetryLater> {
    const claimed = await claimDelivery(this.#options.platform, id)
    if (claimed) await this.#takeClaimed([claimed])
    return standingOf(this.#options.platform, id)
  }

  /** Deliveries that were put off are due again. */
  async retryQuarantined(ids: readonly string[]): Promise<void> {
    await this.#quarantine.release('delivery', await retryDeliveries(this.#options.platform, ids))
    this.sweep()
  }

  /** Channels that could not be read are read again, and what waits for them is due. */
  async retryChannels(ids: readonly string[]): Promise<void> {
    const { platform } = this.#options
    const rows = await queries(platform)
      .selectFrom('notification_channels')
      .where('id', '=', among(ids))
      .select(['id', 'tenant_id', 'type', 'config', 'secrets'])
      .execute()
    const [readable, bad]: [string[], BadRow[]] = [[], []]
    const open = ({ tenant_id, ...channel }: (typeof rows)[number]) => {
      openChannel(this.#options, { ...channel, tenantId: tenant_id })
      readable.push(channel.id)
    }
    await eachIsolated(rows, open, ({ id, tenant_id }, error) => {
      bad.push({ key: id, tenant: tenant_id, error })
    })
    await this.#quarantine.release('notification_channel', readable)
    await this.#quarantine.add('notification_channel', bad)
    await retryChannels(platform, readable)
    this.sweep()
  }

  async #takeClaimed(rows: readonly Claimed[]): Promise<void> {
    const mended: string[] = []
    const take = (claimed: Claimed) => {
      const delivery = deliveryOf(this.#options.config, claimed)
      if (claimed.may_send && delivery.body !== '') this.take(delivery)
      else this.#settle(delivery, unsent('channel_off'), null)
      if (claimed.is_quarantined) mended.push(claimed.id)
    }
    await eachIsolated(rows, take, (claimed, error) => {
      if (!claimed.is_late)
        return this.#putOff(claimed.id, 'delivery', { key: claimed.id, tenant: claimed.tenant_id, error })
      this.#settle(deliveryOf(this.#options.config, { ...claimed, body: null }), unsent('internal'), null)
    })
    await this.#quarantine.release('delivery', mended)
  }

  /** Nothing can be sent of it as it is stored: it waits for whoever can mend that, and others go on. */
  async #putOff(id: string, kind: 'delivery' | 'notification_channel', row: BadRow): Promise<void> {
    this.#claimed.delete(id)
    await this.#quarantine.putOff(kind, [row], client => putOffDelivery(client, id))
  }

  sweep(): void {
    this.#loop.wake()
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
      await this.#takeClaimed(claimed)
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
    const unreadable = this.#whyUnreadable(delivery.channel)
    if (unreadable && !delivery.isLate) return this.#leave(delivery, channel, unreadable)
    // a claim this old may end while we are at it: whoever sweeps then takes it anew
    if (performance.now() - delivery.claimedAt < (claimS - 12) * 1_000) sent = await attempt(this.#options, delivery)
    this.#slots.release(channel.tenantId)
    for (const waiting of channel.lane.release(delivery, {
      hung: sent?.error === 'timeout',
      delivered: sent?.isDelivered === true,
    }))
      this.#passBy(waiting)
    if (sent) this.#settle(delivery, sent, waitAfter(delivery, sent))
    else this.#claimed.delete(delivery.id)
    this.#wait(channel)
    this.#go()
  }

  #whyUnreadable(channel: Channel): { error: unknown } | undefined {
    try {
      openChannel(this.#options, channel)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  async #leave(delivery: Delivery, lane: ChannelLane, { error }: { error: unknown }): Promise<void> {
    const { id, channel } = delivery
    this.#slots.release(lane.tenantId)
    lane.lane.release(delivery, { hung: false, delivered: false })
    await this.#putOff(id, 'notification_channel', { key: channel.id, tenant: channel.tenantId, error }).catch(
      failure => this.#options.log.warn({ err: failure, delivery_id: id }, 'delivery put-off failure'),
    )
    this.#wait(lane)
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
        if (settled?.status === 'retrying' && !this.#options.hasWorkflows)
          this.#loop.wakeIn(Date.parse(settled.next_at) - Date.now())
      })
      // the claim ends and it is sent again: at least once, and no sooner than in an hour where the row is at fault
      .catch(async error => {
        this.#options.log.warn({ err: error, delivery_id: delivery.id }, 'how an attempt ended could not be written')
        const row = { key: delivery.id, tenant: delivery.channel.tenantId, error }
        if (!isTransient(error)) await this.#putOff(delivery.id, 'delivery', row).catch(() => undefined)
      })
      .finally(() => {
        this.#claimed.delete(delivery.id)
        this.#underWay.delete(settling)
      })
    this.#underWay.add(settling)
  }
}

const unsent = (error: Sent['error']): Sent => ({
  isDelivered: false,
  status: null,
  error,
  answer: null,
  durationMs: 0,
})
const outcomeOf = ({ id, attempts }: Delivery, sent: Sent, waitS: number | null): Outcome => ({
  id,
  attempts,
  sent,
  waitS,
})

/** Spread a little, and only ever later, so that many that failed together do not come back together. */
function waitAfter({ attempts }: Delivery, { isDelivered, error }: Sent): number | null {
  const wait = retryAfterS[attempts]
  // neither is mended within minutes
  if (error === 'unconfirmed' || error === 'mail_budget') return null
  return isDelivered || wait === undefined ? null : wait + Math.random() * jitterS
}

function deliveryOf(keys: Keyring, claimed: Claimed): Delivery {
  const { id, tenant_id, channel_id, event, body, attempts, subject, type, config, secrets, is_late } = claimed
  return {
    id,
    channel: { id: channel_id, tenantId: tenant_id, type, config, secrets },
    event,
    body: readBody(keys, { id, event, body }) ?? '',
    subject,
    attempts,
    claimedAt: performance.now(),
    isLate: is_late,
  }
}
