import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Gather } from '#control-plane/alerting/deliveries/gather.ts'

test('work that is added right after other work has ended is done, however soon it comes', async () => {
  const gather = new Gather(async (items: number[]) => items)
  for (let hops = 0; hops < 16; hops++) {
    await gather.add(hops)
    for (let hop = 0; hop < hops; hop++) await null
    expect(await Promise.race([gather.add(hops), sleep(1_000)]), `after ${hops} microtasks`).toBe(hops)
  }
})
