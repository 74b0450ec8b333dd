import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Dispatcher, mostAttempts } from '#control-plane/outbox/dispatcher.ts'
import { app, given } from '#test/support/app.ts'

const { platform, listener, metrics } = app.services

async function aDeadEvent(payload: Record<string, unknown> = { monitor_id: randomUUID() }) {
  const { tenantId } = await given.tenant()
  const id = randomUUID()
  await platform.query(
    `insert into outbox (tenant_id, kind, name, payload, attempts, error, done_at, dead_at, dead_id)
     values ($1, 'event', 'incident.created', $2, $3, 'TypeError', now(), now(), $4)`,
    [tenantId, JSON.stringify(payload), mostAttempts, id],
  )
  return { id, tenantId, payload }
}

describe('GET /platform/dead-events', () => {
  test('lists what is tried no more for the operator, filtered by kind', async () => {
    const operator = await given.operator()
    const { id, tenantId, payload } = await aDeadEvent()
    const { status, body } = await operator.get('/platform/dead-events?kind=event')
    expect(status).toBe(200)
    expect(body.data.find((row: { id: string }) => row.id === id)).toMatchObject({
      name: 'incident.created',
      tenant_id: tenantId,
      monitor_id: payload.monitor_id,
      attempts: mostAttempts,
      reason: 'TypeError',
      is_replayable: true,
    })
    const signals = await operator.get('/platform/dead-events?kind=signal')
    expect(signals.body.data.map((row: { id: string }) => row.id)).not.toContain(id)
    expect((await operator.get('/platform/dead-events?kind=mail')).status).toBe(422)
  })

  test('refuses everybody but the operator', async () => {
    for (const caller of [await given.tenant(), await given.reseller()])
      expect((await caller.get('/platform/dead-events')).status).toBe(403)
  })
})

describe('POST /platform/dead-events/{dead_event}/replay', () => {
  test('hands the event on once more, under its former number', async () => {
    const operator = await given.operator()
    const { id, tenantId } = await aDeadEvent()
    const { status, body } = await operator.post(`/platform/dead-events/${id}/replay`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, died_at: null, is_replayable: false })
    const received: string[] = []
    const receive = async (event: { id: string; tenantId: string }) => {
      if (event.tenantId === tenantId) received.push(event.id)
    }
    const dispatcher = new Dispatcher({
      platform,
      listener,
      metrics,
      log: pino({ level: 'silent' }),
      kinds: ['event'],
      listeners: [receive],
    })
    dispatcher.start()
    await expect.poll(() => received).toHaveLength(1)
    await dispatcher.stop()
    expect(await app.audited(operator)).toEqual(['dead_event.replayed'])
    expect((await operator.post(`/platform/dead-events/${id}/replay`)).status).toBe(404)
  })

  test('makes one attempt: one that fails again is dead again, under the same id', async () => {
    const operator = await given.operator()
    const { id, tenantId } = await aDeadEvent()
    await operator.post(`/platform/dead-events/${id}/replay`)
    const receive = async (event: { tenantId: string }) => {
      if (event.tenantId === tenantId) throw new Error('still')
    }
    const dispatcher = new Dispatcher({
      platform,
      listener,
      metrics,
      log: pino({ level: 'silent' }),
      kinds: ['event'],
      listeners: [receive],
    })
    dispatcher.start()
    await expect
      .poll(
        async () =>
          (await platform.query('select 1 from outbox where dead_id = $1 and dead_at is not null', [id])).rowCount,
      )
      .toBe(1)
    await dispatcher.stop()
  })

  test('refuses what is under way or was not kept, and answers 404 for what is not dead', async () => {
    const operator = await given.operator()
    const forgotten = await aDeadEvent({})
    expect((await operator.post(`/platform/dead-events/${forgotten.id}/replay`)).body.code).toBe('not_replayable')
    const { id } = await aDeadEvent()
    await platform.query(
      'update outbox set dead_at = null, done_at = null, next_at = now() + interval $$1 hour$$ where dead_id = $1',
      [id],
    )
    expect((await operator.post(`/platform/dead-events/${id}/replay`)).status).toBe(422)
    expect((await operator.post(`/platform/dead-events/${randomUUID()}/replay`)).status).toBe(404)
  })
})
