import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { markAway } from '#analytics/away.ts'
import { Dispatcher, deleteOldOutboxRows, mostAttempts, type OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('dead_events', { roles: ['api'] })
})
afterAll(() => served?.close())

function dispatcher(receive: (event: OutboxEvent) => Promise<void>) {
  const { platform, listener, metrics } = served.plane.services
  const made = new Dispatcher({
    platform,
    listener,
    log: pino({ level: 'silent' }),
    metrics,
    kinds: ['event'],
    listeners: [receive],
  })
  made.start()
  started.push(made)
  return made
}
/** One that a failed test left would handle the rows of the next. */
const started: Dispatcher[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(each => each.stop()))
})

async function put(
  tenant: string,
  payload: Record<string, unknown>,
  { name = 'test', attempts = 0 } = {},
): Promise<string> {
  const { rows } = await served.platform.query<{ id: string }>(
    `insert into outbox (tenant_id, kind, name, payload, attempts) values ($1, 'event', $2, $3, $4) returning id`,
    [tenant, name, JSON.stringify(payload), attempts],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
  return rows[0]!.id
}

const row = async (id: string) =>
  (
    await served.platform.query(
      'select attempts, waits, error, payload, dead_id, done_at is not null as is_done, dead_at is not null as is_dead from outbox where id = $1',
      [id],
    )
  ).rows[0]
const isDead = (id: string) => eventually(async () => ((await row(id)).is_dead ? true : undefined))

describe('an event that cannot be handled', () => {
  test('is dead after its last attempt, and later events of its monitor go on', async () => {
    const tenant = await served.tenant()
    const monitor = randomUUID()
    const received: unknown[] = []
    const made = dispatcher(async ({ payload }) => {
      if (payload.nth === 0) throw new TypeError('a stored rule is of another shape')
      received.push(payload.nth)
    })
    // the last but one attempt was in vain
    const bad = await put(tenant, { monitor_id: monitor, nth: 0 }, { attempts: mostAttempts - 2 })
    await put(tenant, { monitor_id: monitor, nth: 1 })
    const early = await eventually(async () => ((await row(bad)).error ? row(bad) : undefined))
    expect(early).toMatchObject({ is_dead: false, attempts: mostAttempts - 1 })
    expect(received).toEqual([])
    await served.platform.query('update outbox set next_at = now() where id = $1', [bad])
    await isDead(bad)
    expect(await row(bad)).toMatchObject({
      attempts: mostAttempts,
      is_done: true,
      error: expect.stringMatching(/^TypeError/),
    })
    await eventually(() => (received.length === 1 ? true : undefined))
    await made.stop()
  })

  test('waits for an unavailable receiver without limit, which counts as no attempt', async () => {
    const tenant = await served.tenant()
    let isAway = true
    const received: string[] = []
    const made = dispatcher(async ({ id }) => {
      if (isAway) throw markAway(new Error('away'))
      received.push(id)
    })
    const id = await put(tenant, {}, { attempts: mostAttempts - 1 })
    const makeDue = () =>
      served.platform.query(
        `with due as (update outbox set next_at = now() where id = $1) select pg_notify('outbox', '')`,
        [id],
      )
    for (let waits = 0; waits < 12; ) {
      const before = waits
      waits = await eventually(async () => {
        const { waits } = await row(id)
        return waits > before ? waits : undefined
      })
      // not after the last: an attempt under way would write its own next moment over the one below
      if (waits < 12) await makeDue()
    }
    expect(await row(id)).toMatchObject({ is_dead: false, attempts: expect.any(Number) })
    expect((await row(id)).attempts).toBeLessThanOrEqual(mostAttempts)
    isAway = false
    await makeDue()
    await eventually(async () => ((await row(id)).is_done ? true : undefined))
    expect(received).toEqual([id])
    await made.stop()
  })

  test('is not retried for ever when it ends the process each time', async () => {
    const tenant = await served.tenant()
    const received: string[] = []
    const made = dispatcher(async ({ id }) => void received.push(id))
    const id = await put(tenant, {}, { attempts: 20 })
    await isDead(id)
    expect(received).toEqual([])
    await made.stop()
  })

  test('keeps no personal data when it is dead', async () => {
    const tenant = await served.tenant()
    const made = dispatcher(async () => {
      throw new Error('no')
    })
    const id = await put(tenant, { email: 'person@people.test' }, { name: 'member.erased', attempts: mostAttempts - 1 })
    await isDead(id)
    expect((await row(id)).payload).toEqual({})
    await made.stop()
  })

  test('does not have others handled again when its error cannot be stored', async () => {
    const tenant = await served.tenant()
    const received: string[] = []
    const made = dispatcher(async ({ id, payload }) => {
      if (payload.is_bad) throw markAway(new Error('NUL \0 and half \ud83d a character'))
      received.push(id)
    })
    const ids = await Promise.all([put(tenant, { is_bad: true }), put(tenant, {}), put(tenant, {})])
    await eventually(async () => ((await row(ids[0]!)).error ? true : undefined))
    for (const id of ids.slice(1)) await eventually(async () => ((await row(id)).is_done ? true : undefined))
    expect(received.sort()).toEqual(ids.slice(1).sort())
    await made.stop()
    await served.platform.query('delete from outbox where tenant_id = $1', [tenant])
  })

  test('stays for ninety days', async () => {
    const tenant = await served.tenant()
    const age = async (days: number) =>
      (
        await served.platform.query<{ id: string }>(
          `insert into outbox (tenant_id, kind, name, payload, done_at, dead_at, dead_id)
           values ($1, 'event', 'test', '{"x":1}', now() - $2 * interval '1 day', now() - $2 * interval '1 day',
             gen_random_uuid()) returning id`,
          [tenant, days],
        )
      ).rows[0]!.id
    const [young, old] = [await age(89), await age(91)]
    await deleteOldOutboxRows(served.platform)
    expect([await row(young), await row(old)].map(Boolean)).toEqual([true, false])
  })
})
