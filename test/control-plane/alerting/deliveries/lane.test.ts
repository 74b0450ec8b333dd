import { describe, expect, test } from 'vitest'
import type { Delivery } from '#control-plane/alerting/deliveries/delivery.ts'
import { Lane, laneWidth } from '#control-plane/alerting/deliveries/lane.ts'

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
const takeAll = (lane: Lane) => Array.from({ length: 20 }, () => lane.take()).flatMap(taken => (taken ? [taken] : []))

describe('what one channel is being sent', () => {
  test('so many at a time, and of one thing one at a time', () => {
    const lane = new Lane()
    for (let n = 0; n < 10; n++) lane.add(aDelivery(`${n}`, { subject: n < 5 ? 'shop' : `other-${n}` }))
    const taken = takeAll(lane)
    expect(taken.map(({ id }) => id)).toEqual(['0', '5', '6', '7', '8', '9'])
    expect(taken).toHaveLength(laneWidth)
    lane.release(taken[0]!, { hung: false, delivered: true })
    expect(lane.take()?.id).toBe('1')
  })

  test('one that hangs lets first attempts go by, keeps retries, and tries those one at a time until something arrives', () => {
    const lane = new Lane()
    for (let n = 0; n < 12; n++) lane.add(aDelivery(`${n}`, { attempts: n % 2 }))
    const taken = takeAll(lane)
    const passed = lane.release(taken[0]!, { hung: true, delivered: false })
    expect(passed.map(({ id }) => id)).toEqual(['6', '8', '10'])
    expect(lane.isBroken).toBe(true)
    for (const each of taken.slice(1)) lane.release(each, { hung: true, delivered: false })
    expect(takeAll(lane).map(({ id }) => id)).toEqual(['7'])
    lane.release(aDelivery('7'), { hung: false, delivered: true })
    expect(lane.isBroken).toBe(false)
    expect(takeAll(lane).map(({ id }) => id)).toEqual(['9', '11'])
  })
})
