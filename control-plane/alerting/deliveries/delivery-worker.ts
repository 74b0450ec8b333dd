import { FairQueue, Shares } from '#contract/fair-queue.ts'
import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { noTracing, type Tracing, untraced, within } from '#control-plane/base/tracing.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { attempt, openChannel } from './attempt.ts'
import { readBody } from './body.ts'
import { ChannelQueue } from './channel-queue.ts'
import type { AttemptDeps } from './delivery.ts'
import { type Channel, claimS, type Delivery, retryAfterS } from './delivery.ts'
import type { Sent } from './send.ts'
import {
  type Claimed,
  claimDeliveries,
  claimDelivery,
  followHandedOver,
  mayBeFollowed,
  type Outcome,
  putOffDelivery,
  releaseDeliveries,
  retryChannels,
  retryDeliveries,
  retryStateOf,
  type Settled,
  settleDeliveries,
  tracesOf,
} from './store.ts'

/** Attempts at once, over all channels; one tenant alone has at most half of the slots. */
const mostAtOnce = 400
const sweepMs = 1_000
const sweepMost = 200
/** How often deliveries are released that stay queued although no earlier one is unfinished. */
const releaseEveryMs = 5_000
/**
 * How long after a delivery was queued it is checked again: an earlier one that ended in that moment has been written
 * by then.
 */
const recheckMs = 100
/** How late a retry must be before the sweep takes it over from its workflow. */
const graceMs = 700
const jitterS = 0.3

interface Options extends AttemptDeps {
  /** Retries are started by a workflow, and the sweep takes over only those that are late. */
  hasWorkflows: boolean
  metrics?: Pick<Metrics, 'deliveries'>
  tracing?: Tracing
}

/** A channel with claimed deliveries, and its tenant. */
interface BusyChannel {
  tenantId: string
  queue: ChannelQueue
  /** Whether it waits among the channels of its tenant for a slot. */
  isWaiting: boolean
}

/**
 * Sends messages to their channels, at once where possible, and retries them. No channel blocks another, no tenant
 * another tenant.
 */
export class DeliveryWorker {
  readonly #options: Options
  readonly #channels = new Map<string, BusyChannel>()
  readonly #waiting = new FairQueue<BusyChannel>()
  readonly #slots = new Shares(mostAtOnce)
  readonly #settling: Batch<Outcome, Settled | undefined>
  readonly #underWay = new Set<Promise<unknown>>()
  /** Deliveries that this process has claimed and not yet settled. */
  readonly #claimed = new Set<string>()
  readonly #quarantine: Quarantine
  #nextRelease = 0
  #queuedBehind: string[] = []
  readonly #loop: Loop
  /** Settles what was handed over: however many deliveries end in a moment, one at a time reads all. */
  readonly #following: Loop
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine(options)
    const round = () => this.#sweep()
    this.#loop = new Loop({ everyMs: sweepMs, round, log: options.log, failure: 'delivery sweep failure' })
    this.#following = new Loop({
      everyMs: releaseEveryMs,
      round: async () => {
        if ((await followHandedOver(options.platform)) > 0) this.sweep()
      },
      log: options.log,
      failure: 'handed over deliveries read failure',
    })
    this.#settling = new Batch(outcomes => settleDeliveries(options.platform, outcomes, options.hasWorkflows), {
      atOnce: 1,
      largest: 500,
    })
  }

  start(): void {
    this.#loop.start()
    this.#following.start()
  }

  /** Waits for the attempts under way. Deliveries that still wait are claimed by the next sweep of any process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#channels.clear()
    await this.#loop.stop()
    await Promise.allSettled(this.#underWay)
    await this.#settling.idle()
    await this.#following.stop()
  }

  get claimed(): string[] {
    return [...this.#claimed]
  }

  /** Takes a delivery that this process has claimed. */
  take(delivery: Delivery): void {
    if (this.#isStopped) return
    this.#claimed.add(delivery.id)
    const channel = this.#channelOf(delivery)
    if (delivery.attempts === 0 && channel.queue.isBroken) {
      this.#skipAttempt(delivery)
      return
    }
    channel.queue.add(delivery)
    this.#wait(channel)
    // also starts deliveries of other events than the caller's
    untraced(() => this.#startAttempts())
  }

  /**
   * Checks soon whether a delivery still is queued behind an earlier one, which may have ended while it was written.
   */
  recheck(id: string): void {
    if (this.#queuedBehind.push(id) > 1) return
    setTimeout(() => {
      const ids = this.#queuedBehind.splice(0)
      if (this.#isStopped) return
      releaseDeliveries(this.#options.platform, ids).then(
        released => released > 0 && this.sweep(),
        error => this.#options.log.warn({ err: error }, 'queued delivery check failed'),
      )
    }, recheckMs).unref()
  }

  /**
   * Starts one retry, for the workflow that slept until its time, and returns its state without waiting for the
   * attempt: a channel that hangs would block the workflow. The workflow asks again for the outcome.
   */
  async retry(id: string): Promise<DeliveryEnd | RetryLater> {
    const claimed = await claimDelivery(this.#options.platform, id)
    if (claimed) await this.#takeClaimed([claimed])
    return retryStateOf(this.#options.platform, id)
  }

  /** Makes quarantined deliveries due again. */
  async retryQuarantined(ids: readonly string[]): Promise<void> {
    await this.#quarantine.release('delivery', await retryDeliveries(this.#options.platform, ids))
    this.sweep()
  }

  /** Reads quarantined channels again. The deliveries of those that are readable now become due. */
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
    const { tracing = noTracing, platform } = this.#options
    const traces = tracing === noTracing || rows.length === 0 ? undefined : await tracesOf(platform, rows)
    const take = (claimed: Claimed) => {
      const delivery = { ...deliveryOf(this.#options.config, claimed), traceparent: traces?.get(claimed.id) }
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

  /**
   * Quarantines a row that cannot be sent as it is stored. It is retried after an hour, or when an operator has mended
   * it.
   */
  async #putOff(id: string, kind: 'delivery' | 'notification_channel', row: BadRow): Promise<void> {
    this.#claimed.delete(id)
    await this.#quarantine.putOff(kind, [row], client => putOffDelivery(client, id))
  }

  sweep(): void {
    this.#loop.wake()
  }

  async #sweep(): Promise<void> {
    const { platform, hasWorkflows } = this.#options
    if (performance.now() >= this.#nextRelease) {
      this.#nextRelease = performance.now() + releaseEveryMs
      await releaseDeliveries(platform)
    }
    for (let taken = sweepMost; taken === sweepMost && this.#slots.free > 0 && !this.#isStopped; ) {
      const claimed = await claimDeliveries(platform, sweepMost, hasWorkflows ? graceMs : 0)
      taken = claimed.length
      await this.#takeClaimed(claimed)
    }
  }

  #channelOf({ channel }: Delivery): BusyChannel {
    const known = this.#channels.get(channel.id)
    if (known) return known
    if (this.#channels.size > 10_000)
      for (const [id, { queue }] of this.#channels) if (queue.isIdle) this.#channels.delete(id)
    const made = { tenantId: channel.tenantId, queue: new ChannelQueue(), isWaiting: false }
    this.#channels.set(channel.id, made)
    return made
  }

  #wait(channel: BusyChannel): void {
    if (channel.isWaiting) return
    channel.isWaiting = true
    this.#waiting.push(channel.tenantId, channel)
  }

  /** Starts attempts of the waiting channels, tenants in turn, as far as there are slots. */
  #startAttempts(): void {
    if (this.#isStopped || this.#slots.free < 1) return
    for (const channel of this.#waiting.take(tenantId => this.#slots.mayTake(tenantId))) {
      channel.isWaiting = false
      const delivery = channel.queue.take()
      if (!delivery) continue
      this.#slots.take(channel.tenantId)
      const sending = this.#send(delivery, channel).finally(() => {
        this.#underWay.delete(sending)
      })
      this.#underWay.add(sending)
      this.#wait(channel)
      if (this.#slots.free < 1) return
    }
  }

  async #send(delivery: Delivery, channel: BusyChannel): Promise<void> {
    let sent: Sent | undefined
    const unreadable = this.#whyUnreadable(delivery.channel)
    if (unreadable && !delivery.isLate) return this.#putOffUnreadable(delivery, channel, unreadable)
    // so old a claim may expire during the attempt, and the next sweep would claim the delivery a second time
    if (performance.now() - delivery.claimedAt < (claimS - 12) * 1_000) sent = await this.#attempt(delivery)
    this.#slots.release(channel.tenantId)
    for (const waiting of channel.queue.release(delivery, {
      hung: sent?.error === 'timeout',
      delivered: sent?.isDelivered === true,
    }))
      this.#skipAttempt(waiting)
    if (sent) this.#settle(delivery, sent, waitAfter(delivery, sent))
    else this.#claimed.delete(delivery.id)
    this.#wait(channel)
    this.#startAttempts()
  }

  /** A part of the trace of its event. */
  #attempt(delivery: Delivery): Promise<Sent> {
    const { tracing = noTracing } = this.#options
    const { id, channel, event, attempts, traceparent } = delivery
    const span =
      traceparent === undefined
        ? undefined
        : tracing.begin({
            name: `deliver ${channel.type}`,
            kind: 'client',
            stored: traceparent,
            attributes: {
              'vedette.delivery.id': id,
              'vedette.delivery.attempt': attempts + 1,
              'vedette.channel.kind': channel.type,
              'vedette.outbox.name': event,
              'vedette.team.id': channel.tenantId,
            },
          })
    if (!span) return attempt(this.#options, delivery)
    return within(span, async () => {
      const sent = await attempt(this.#options, delivery)
      span.set({
        'vedette.delivery.outcome': sent.isDelivered ? 'delivered' : (sent.error ?? 'internal'),
        ...(sent.status !== null && { 'http.response.status_code': sent.status }),
      })
      if (!sent.isDelivered) span.fail(sent.error ?? 'internal')
      return sent
    })
  }

  #whyUnreadable(channel: Channel): { error: unknown } | undefined {
    try {
      openChannel(this.#options, channel)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  async #putOffUnreadable(delivery: Delivery, busy: BusyChannel, { error }: { error: unknown }): Promise<void> {
    const { id, channel } = delivery
    this.#slots.release(busy.tenantId)
    busy.queue.release(delivery, { hung: false, delivered: false })
    await this.#putOff(id, 'notification_channel', { key: channel.id, tenant: channel.tenantId, error }).catch(
      failure => this.#options.log.warn({ err: failure, delivery_id: id }, 'delivery quarantine failed'),
    )
    this.#wait(busy)
    this.#startAttempts()
  }

  /** Settles a delivery as failed without an attempt, so that it is retried later: its channel hangs. */
  #skipAttempt(delivery: Delivery): void {
    const sent = unsent('circuit_open')
    this.#settle(delivery, sent, waitAfter(delivery, sent))
  }

  #settle(delivery: Delivery, sent: Sent, waitS: number | null): void {
    const outcome = sent.handedTo?.length ? 'handed_over' : sent.isDelivered ? 'delivered' : (sent.error ?? 'internal')
    this.#options.metrics?.deliveries.inc({ channel: delivery.channel.type, outcome })
    const settling = this.#settling
      .add(outcomeOf(delivery, sent, waitS))
      .then(settled => {
        if (settled && mayBeFollowed(settled)) this.#following.wake()
        if (settled?.status === 'retrying' && !this.#options.hasWorkflows)
          this.#loop.wakeIn(Date.parse(settled.next_at) - Date.now())
      })
      // the claim expires and the delivery is sent again; where its row is at fault, not before an hour has passed
      .catch(async error => {
        this.#options.log.warn({ err: error, delivery_id: delivery.id }, 'delivery outcome write failed')
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

/**
 * Seconds until the next attempt, null if there is none. A random part keeps deliveries that failed together from being
 * retried together.
 */
function waitAfter({ attempts }: Delivery, { isDelivered, error, waitS = 0 }: Sent): number | null {
  const wait = retryAfterS[attempts]
  // neither is resolved within minutes
  if (error === 'unconfirmed' || error === 'mail_budget') return null
  return isDelivered || wait === undefined ? null : Math.max(wait, waitS) + Math.random() * jitterS
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
