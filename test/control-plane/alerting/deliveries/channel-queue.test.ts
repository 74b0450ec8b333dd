import { describe, expect, test } from 'vitest'
import { ChannelQueue, queueWidth } from '#control-plane/alerting/deliveries/channel-queue.ts'
import type { Delivery } from '#control-plane/alerting/deliveries/delivery.ts'
import type { Sent } from '#control-plane/alerting/deliveries/send.ts'
import type { End } from '#control-plane/base/queue/end.ts'

const channel = { id: 'c', tenantId: 't', type: 'webhook' as const, config: {}, secrets: null }
const aDelivery = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  id,
  channel,
  event: 'incident.created',
  body: '{}',
  subject: null,
  attempts: 0,
  claimedAt: 0,
  ...more,
})
const sent = { isDelivered: true, status: 200, error: null, answer: null, durationMs: 1 }
const delivered: End<Sent> = { how: 'done', outcome: sent }
const hung: End<Sent> = { how: 'retry', why: 'timeout', outcome: { ...sent, isDelivered: false, error: 'timeout' } }
const takeAll = (queue: ChannelQueue) =>
  Array.from({ length: 20 }, () => queue.take()).flatMap(taken => (taken ? [taken] : []))

describe('the queue of a channel', () => {
  test('sends six deliveries at once, and one at a time about a subject', () => {
    const queue = new ChannelQueue()
    for (let n = 0; n < 10; n++) queue.add(aDelivery(`${n}`, { subject: n < 5 ? 'shop' : `other-${n}` }))
    const taken = takeAll(queue)
    expect(taken.map(({ id }) => id)).toEqual(['0', '5', '6', '7', '8', '9'])
    expect(taken).toHaveLength(queueWidth)
    queue.release(taken[0]!, delivered)
    expect(queue.take()?.id).toBe('1')
  })

  test('after a timeout skips first attempts and makes retries one at a time until one is delivered', () => {
    const queue = new ChannelQueue()
    for (let n = 0; n < 12; n++) queue.add(aDelivery(`${n}`, { attempts: n % 2 }))
    const taken = takeAll(queue)
    const passed = queue.release(taken[0]!, hung)
    expect(passed.map(({ id }) => id)).toEqual(['6', '8', '10'])
    expect(queue.isBroken).toBe(true)
    for (const each of taken.slice(1)) queue.release(each, hung)
    expect(takeAll(queue).map(({ id }) => id)).toEqual(['7'])
    queue.release(aDelivery('7'), delivered)
    expect(queue.isBroken).toBe(false)
    expect(takeAll(queue).map(({ id }) => id)).toEqual(['9', '11'])
  })
})
