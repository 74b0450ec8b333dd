import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { type BadRow, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Claimed as ClaimedItem, End, Ended } from '#control-plane/base/queue/end.ts'
import { Queue, retryAfterS } from '#control-plane/base/queue/queue.ts'
import { putOff } from '#control-plane/base/queue/table.ts'
import { noTracing, type Span, type Tracing, within } from '#control-plane/base/tracing.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { attempt, openChannel } from './attempt.ts'
import { readBody } from './body.ts'
import { ChannelQueue } from './channel-queue.ts'
import { type AttemptDeps, claimS, type Delivery } from './delivery.ts'
import type { Sent } from './send.ts'
import {
  type Claimed,
  claimDeliveries,
  claimDelivery,
  deliveryTable,
  followHandedOver,
  mayBeFollowed,
  type Outcome,
  releaseDeliveries,
  retryChannels,
  retryStateOf,
  type Settled,
  settleDeliveries,
  tracesOf,
} from './store.ts'

const pace = { atOnce: 400, ofKey: 400, isShared: true }
const sweepMost = 200
const sweepMs = 1_000
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
  listener: Pick<Listener, 'on' | 'onMissed'>
  /** Retries are started by a workflow, and the sweep takes over only those that are late. */
  hasWorkflows: boolean
  metrics?: Pick<Metrics, 'deliveries'>
  tracing?: Tracing
}

/** A delivery as the queue has it. `problem`: why it is not attempted. */
type Item = Delivery & ClaimedItem & { problem?: End<Sent> }

/**
 * Sends messages to their channels, at once where possible, and retries them. No channel blocks another, no tenant
 * another tenant. Claimed deliveries wait by channel; in the table, one waits until earlier ones about its subject are
 * finished.
 */
export class DeliveryWorker {
  readonly #options: Options
  readonly #channels = new Map<string, ChannelQueue<Item>>()
  readonly #queue: Queue<Item, Sent, Settled | undefined>
  readonly #quarantine: Quarantine
  #nextRelease = 0
  #queuedBehind: string[] = []
  /** Settles what was handed over: however many deliveries end in a moment, one at a time reads all. */
  readonly #following: Loop
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine(options)
    this.#queue = new Queue<Item, Sent, Settled | undefined>({
      ...options,
      name: 'delivery',
      notice: 'deliveries',
      sweepMs,
      table: deliveryTable,
      pace,
      claim: () => this.#claim(),
      retryAfter,
      handle: delivery => this.#send(delivery),
      sequenceOf: delivery => (delivery.problem ? undefined : this.#channelOf(delivery)),
      skip: () => endOf(unsent('circuit_open')),
      settle: ends => this.#settle(ends),
      onSettled: ({ channel }, end, settled) => {
        if (end.how === 'wait' || end.how === 'left') return
        const sent = sentIn(end)
        const kept = sent.isDelivered ? 'delivered' : (sent.error ?? 'internal')
        options.metrics?.deliveries.inc({
          channel: channel.type,
          outcome: sent.handedTo?.length ? 'handed_over' : kept,
        })
        if (settled && mayBeFollowed(settled)) this.#following.wake()
      },
    })
    this.#following = new Loop({
      everyMs: releaseEveryMs,
      round: async () => {
        if ((await followHandedOver(options.platform)) > 0) this.#queue.wake()
      },
      log: options.log,
      failure: 'handed over deliveries read failure',
    })
  }

  start(): void {
    this.#queue.start()
    this.#following.start()
  }

  /** Waits for the attempts under way. Deliveries that still wait are claimed by the next process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#queue.stop()
    await this.#following.stop()
  }

  get claimed(): string[] {
    return this.#queue.claimed
  }

  /** Takes a delivery that this process has claimed. */
  take(delivery: Delivery): void {
    this.#queue.take(itemOf(delivery))
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
        released => released > 0 && this.#queue.wake(),
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
    for (const item of await this.#itemsOf(claimed)) this.#queue.take(item)
    return retryStateOf(this.#options.platform, id)
  }

  /** Makes quarantined deliveries due again. */
  retryQuarantined(ids: readonly string[]): Promise<void> {
    return this.#queue.retry(ids)
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
    this.#queue.wake()
  }

  async #claim(): Promise<Item[]> {
    const { platform, hasWorkflows } = this.#options
    if (performance.now() >= this.#nextRelease) {
      this.#nextRelease = performance.now() + releaseEveryMs
      await releaseDeliveries(platform)
    }
    return this.#itemsOf(await claimDeliveries(platform, sweepMost, hasWorkflows ? graceMs : 0))
  }

  async #itemsOf(rows: readonly Claimed[]): Promise<Item[]> {
    const { tracing = noTracing, platform, config } = this.#options
    const traces = tracing === noTracing || rows.length === 0 ? undefined : await tracesOf(platform, rows)
    const items: Item[] = []
    const add = (row: Claimed, body: string, problem?: End<Sent>) =>
      items.push({
        ...itemOf({ ...deliveryOf(row, body), traceparent: traces?.get(row.id) }, row.is_quarantined),
        ...(problem && { problem }),
      })
    const read = (row: Claimed) => {
      const body = readBody(config, row) ?? ''
      add(row, body, row.may_send && body !== '' ? undefined : deadOf(unsent('channel_off')))
    }
    await eachIsolated(rows, read, (row, error) => {
      if (row.is_late) return add(row, '', deadOf(unsent('internal')))
      return this.#putOff(row.id, 'delivery', { key: row.id, tenant: row.tenant_id, error })
    })
    return items
  }

  /**
   * Quarantines a row that cannot be sent as it is stored. It is retried after an hour, or when an operator has mended
   * it.
   */
  #putOff(id: string, kind: 'delivery' | 'notification_channel', row: BadRow): Promise<void> {
    return this.#quarantine.putOff(kind, [row], client => putOff(client, deliveryTable, [id], putOffS))
  }

  #channelOf({ channel: { id } }: Item): ChannelQueue<Item> {
    const known = this.#channels.get(id)
    if (known) return known
    if (this.#channels.size > 10_000)
      for (const [each, queue] of this.#channels) if (queue.isIdle) this.#channels.delete(each)
    const made = new ChannelQueue<Item>()
    this.#channels.set(id, made)
    return made
  }

  async #send(delivery: Item): Promise<End<Sent>> {
    const { id, channel, claimedAt, isLate, problem } = delivery
    if (problem) return problem
    try {
      openChannel(this.#options, channel)
    } catch (error) {
      if (!isLate) {
        await this.#putOff(id, 'notification_channel', { key: channel.id, tenant: channel.tenantId, error })
        return { how: 'left' }
      }
    }
    // so old a claim may expire during the attempt, and the next sweep would claim the delivery a second time
    if (performance.now() - claimedAt >= (claimS - 12) * 1_000) return { how: 'left' }
    return endOf(await this.#attempt(delivery))
  }

  /** A part of the trace of its event. */
  #beginSpan({ id, channel, event, attempts, traceparent }: Delivery): Span | undefined {
    if (traceparent === undefined) return undefined
    return this.#options.tracing?.begin({
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
  }

  #attempt(delivery: Delivery): Promise<Sent> {
    return within(this.#beginSpan(delivery), async span => {
      const sent = await attempt(this.#options, delivery)
      span?.set({
        'vedette.delivery.outcome': sent.isDelivered ? 'delivered' : (sent.error ?? 'internal'),
        ...(sent.status !== null && { 'http.response.status_code': sent.status }),
      })
      if (!sent.isDelivered) span?.fail(sent.error ?? 'internal')
      return sent
    })
  }

  async #settle(ends: readonly Ended<Item, Sent>[]): Promise<(Settled | undefined)[]> {
    const { platform, hasWorkflows } = this.#options
    const outcomes = ends.flatMap(({ item: { id, attempts }, end }): Outcome[] =>
      end.how === 'wait'
        ? []
        : [{ id, attempts, sent: sentIn(end), waitS: end.how === 'retry' ? (end.afterS ?? 0) : null }],
    )
    const settled = await settleDeliveries(platform, outcomes, hasWorkflows)
    const byId = new Map(settled.map(row => [row?.id, row]))
    return ends.map(({ item }) => byId.get(item.id))
  }
}

const unsent = (error: Sent['error']): Sent => ({
  isDelivered: false,
  status: null,
  error,
  answer: null,
  durationMs: 0,
})
const deadOf = (sent: Sent): End<Sent> => ({ how: 'dead', why: sent.error ?? 'internal', outcome: sent })

/** Neither an unconfirmed address nor a budget that is used up is resolved within minutes. */
function endOf(sent: Sent): End<Sent> {
  const { isDelivered, error, waitS: afterS = 0 } = sent
  if (isDelivered) return { how: 'done', outcome: sent }
  if (error === 'unconfirmed' || error === 'mail_budget') return deadOf(sent)
  return { how: 'retry', why: error ?? 'internal', afterS, outcome: sent }
}

const sentIn = ({ outcome = unsent('internal') }: { outcome?: Sent }): Sent => outcome

/** A random part keeps deliveries that failed together from being retried together. */
function retryAfter({ attempts }: Delivery): number | undefined {
  const waitS = retryAfterS[attempts]
  return waitS === undefined ? undefined : waitS + Math.random() * jitterS
}

const itemOf = (delivery: Delivery, is_quarantined = false): Item => ({
  ...delivery,
  tenant_id: delivery.channel.tenantId,
  key: delivery.channel.tenantId,
  is_quarantined,
})

function deliveryOf(claimed: Claimed, body: string): Delivery {
  const { id, tenant_id, channel_id, event, attempts, subject, type, config, secrets, is_late } = claimed
  const channel = { id: channel_id, tenantId: tenant_id, type, config, secrets }
  return { id, channel, event, body, subject, attempts, claimedAt: performance.now(), isLate: is_late }
}
