import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimS } from '#control-plane/alerting/deliveries/delivery.ts'
import { anIncident, aTenantOf, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { startWorker } from '#test/support/worker.ts'

let served: Serving
let receiver: Receiver
let worker: ChildProcess | undefined
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('kill_deliverer', { roles: ['api'] })
})
afterAll(async () => {
  worker?.kill('SIGKILL')
  await served?.close()
  await receiver?.close()
})

describe('a process that is killed while it delivers', () => {
  test('after the receiver got the message, before the outcome is written: it is sent again with the same id', {
    timeout: 120_000,
  }, async () => {
    const tenant = await aTenantOf(served, receiver)
    await tenant.subscribe(['incident.created'], {}, { secret: 'a secret of sixteen' })
    worker = startWorker(served.config)
    const [first] = [worker]
    receiver.answer = ({ path }, response) => {
      // the receiver has got it, but the process that sent it is gone
      if (path === tenant.path && receiver.at(path).length === 1) first.kill('SIGKILL')
      response.end('ok')
    }
    await happen(served, tenant.id, 'incident.created', anIncident())
    await eventually(() => tenant.received()[0], 30_000)
    if (first.exitCode === null && first.signalCode === null) await once(first, 'exit')
    expect((await tenant.call('GET', '/notification-logs'))[0]).toMatchObject({ status: 'pending', attempts: [] })

    worker = startWorker(served.config)
    const taken = await eventually(() => tenant.received()[1], 60_000)
    // well before the claim would have expired
    expect(taken.at - tenant.received()[0]!.at).toBeLessThan((claimS - 5) * 1_000)
    const { rows } = await eventually(async () => {
      const found = await served.platform.query(
        `select log from deliveries where tenant_id = $1 and status = 'delivered'`,
        [tenant.id],
      )
      return found.rows.length > 0 ? found : undefined
    })
    expect(rows[0].log).toHaveLength(1)
    const [before, after, ...more] = tenant.received()
    expect(more).toEqual([])
    expect(after!.text).toBe(before!.text)
    expect(after!.headers['webhook-id']).toBe(before!.headers['webhook-id'])
    expect(after!.headers['x-webhook-signature']).toBe(before!.headers['x-webhook-signature'])
  })
})
