import { retryAfterS } from '#control-plane/alerting/deliveries/delivery.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Claimed, claimMessages, finish, type Outcome, type Queue, retryLater, waitWith } from './queue.ts'
import { type SendDeps, Sender } from './send.ts'

export interface WorkerDeps extends SendDeps {
  listener: Pick<Listener, 'on' | 'onMissed'>
}

interface Pace {
  /** Messages that are sent side by side. */
  atOnce: number
  /** Messages of one key in this process: claimed, or being sent. */
  ofKey: number
  /** Claimed messages, so that one claim serves many. */
  claimed: number
}

/**
 * Mails wait for few connections, requests for hosts that may hang: each queue has places of its own, and of its places
 * a team or a host gets only some.
 */
export const paces: Record<Queue, Pace> = {
  mail: { atOnce: 20, ofKey: 160, claimed: 200 },
  http: { atOnce: 40, ofKey: 2, claimed: 40 },
}
const sweepMs = 2_000
const awayS = 5

/** Sends the messages of one queue: each at least once, failed ones again after 10, 60 and 300 seconds. */
export class SubscriberWorker {
  readonly #deps: WorkerDeps
  readonly #queue: Queue
  readonly #pace: Pace
  readonly #sender: Sender
  readonly #loop: Loop
  readonly #quarantine: Quarantine
  readonly #claimed = new Map<string, Claimed>()
  readonly #waiting: Claimed[] = []
  readonly #sending = new Set<Promise<void>>()
  readonly #finishing: Batch<{ id: string; outcome: Outcome }, undefined>

  constructor(queue: Queue, deps: WorkerDeps) {
    this.#deps = deps
    this.#queue = queue
    this.#pace = paces[queue]
    this.#sender = new Sender(deps)
    this.#quarantine = new Quarantine(deps)
    const finishAll = async (done: readonly { id: string; outcome: Outcome }[]) => {
      await finish(deps.platform, done)
      return done.map(() => undefined)
    }
    this.#finishing = new Batch(finishAll, { largest: 100, atOnce: 1, everyMs: 20 })
    this.#loop = new Loop({
      everyMs: sweepMs,
      round: () => this.#round(),
      log: deps.log,
      failure: 'subscriber message read failure',
      wake: { listener: deps.listener, notice: 'subscriber_messages' },
    })
  }

  start(): void {
    this.#loop.start()
  }

  wake(): void {
    this.#loop.wake()
  }

  /** Waits for the messages that are being sent. Others are sent by the next process at once. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    const left = this.#waiting.splice(0).map(({ id }) => id)
    if (left.length > 0) await waitWith(this.#deps.platform, left, 0).catch(() => undefined)
    await Promise.all(this.#sending)
    await this.#finishing.idle()
  }

  async #round(): Promise<void> {
    const { platform } = this.#deps
    const { claimed: most, ofKey } = this.#pace
    for (;;) {
      const places = most - this.#claimed.size
      // one claim for many messages
      if (places < most / 2 || this.#loop.isStopped) return
      const claimed = await claimMessages(platform, this.#queue, {
        most: places,
        mostOfKey: ofKey,
        busyKeys: this.#busyKeys(),
      })
      if (claimed.length === 0) return
      for (const message of claimed) {
        this.#claimed.set(message.id, message)
        this.#waiting.push(message)
      }
      this.#fill()
    }
  }

  #busyKeys(): string[] {
    const counts = new Map<string, number>()
    for (const { queue_key } of this.#claimed.values()) counts.set(queue_key, (counts.get(queue_key) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= this.#pace.ofKey / 2).map(([key]) => key)
  }

  #fill(): void {
    while (this.#sending.size < this.#pace.atOnce) {
      const message = this.#waiting.shift()
      if (!message) return
      const sending: Promise<void> = this.#send(message)
        .catch(error => {
          const { id, tenant_id } = message
          this.#deps.log.warn(
            { err: error, tenant_id, subscriber_message_id: id },
            'subscriber message outcome write failed',
          )
        })
        .finally(() => {
          this.#sending.delete(sending)
          this.#claimed.delete(message.id)
          this.#fill()
          if (this.#claimed.size <= this.#pace.claimed / 2) this.#loop.wake()
        })
      this.#sending.add(sending)
    }
  }

  async #send(message: Claimed): Promise<void> {
    const { platform, log } = this.#deps
    const { id, tenant_id, attempts } = message
    try {
      const attempted = await this.#sender.send(message)
      const planned = retryAfterS[attempts]
      if (typeof attempted === 'string') return await this.#finishing.add({ id, outcome: attempted })
      if (planned === undefined) return await this.#finishing.add({ id, outcome: 'given_up' })
      const waitS = Math.max(planned, attempted.waitS)
      await retryLater(platform, message, waitS)
      this.#loop.wakeIn(waitS * 1_000 + 20)
    } catch (error) {
      if (isTransient(error)) return void (await waitWith(platform, [id], awayS))
      log.warn({ err: error, tenant_id, subscriber_message_id: id }, 'subscriber message failure')
      await this.#quarantine.putOff('subscriber_message', [{ key: id, tenant: tenant_id, error }], client =>
        waitWith(client, [id], putOffS),
      )
    }
  }
}
