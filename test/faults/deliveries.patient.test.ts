import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { herd } from '#test/control-plane/alerting/herd.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, System } from '#test/support/system.ts'
import { quantile } from '../../bench/figures.ts'

/**
 * R4, F5, F6, F17: two thousand events on their way while the control plane (API and worker) and Temporal are killed.
 * The oracle is the receiver's own log. R5, R11, F24: a thousand that fail together; the room's own tests have a few of
 * them.
 */
const isLong = process.env.DELIVERY_KILLS !== undefined
const inHerd = Number(process.env.HERD_MESSAGES ?? 0)
const kills = Number(process.env.DELIVERY_KILLS ?? 2)
const each = Number(process.env.DELIVERY_EVENTS ?? 20)
const monitors = Array.from({ length: 100 }, () => randomUUID())
const secret = 'a secret for the long way'

let system: System
let receiver: Receiver
let platform: pg.Pool
let channel: string
beforeAll(async () => {
  receiver = await Receiver.open()
  system = await System.start({ regions: ['eu-west'] })
  platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
  platform.on('error', () => undefined)
  const made = await system.post('/notification-channels', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `${receiver.url}/in`, secret },
    notify_all: false,
  })
  channel = made.body.data.id
  expect(
    (await system.post('/notification-rules', { channel_id: channel, event_types: ['incident.created'] })).status,
  ).toBe(201)
}, 180_000)
afterAll(async () => {
  await platform?.end()
  await system?.stop()
  await receiver?.close()
})

/** Every monitor's next event, in one transaction. */
const happen = (nth: number) =>
  platform.query(
    `with said as (
       insert into outbox (tenant_id, kind, name, payload)
       select $1, 'event', 'incident.created', jsonb_build_object(
           'incident_id', gen_random_uuid(), 'monitor_id', m, 'monitor_name', 'Shop', 'nth', $3::int
         )
       from unnest($2::uuid[]) m returning 1)
     select pg_notify('outbox', '') from (select count(*) from said) s`,
    [system.local.team.tenant_id, monitors, nth],
  )

test.skipIf(inHerd > 0)(
  `kill -9 of control plane and Temporal, ${kills} times each: all arrives, repeats bear the same id, and each monitor's events come in order`,
  async () => {
    const refusedOnce = new Set<string>()
    receiver.answer = ({ body, headers }, response) => {
      const id = String(headers['webhook-id'])
      // now and then a first attempt fails, so that retries are under way as well
      const isRefused = body.nth === 2 && monitors.indexOf(body.monitor_id) % 20 === 0 && !refusedOnce.has(id)
      if (isRefused) refusedOnce.add(id)
      response.writeHead(isRefused ? 503 : 200).end()
    }
    let killed = 0
    let temporalKills = 0
    const killing = (async () => {
      for (; killed < kills; killed++) {
        await sleep(500 + Math.random() * 500)
        await system.kill('control-plane')
        // it is killed as well, though less often in the long run: what is delivered is the control plane's work
        if (isLong && killed % 10 > 0) continue
        await sleep(500 + Math.random() * 500)
        await system.kill('temporal')
        temporalKills++
      }
    })()
    let nth = 0
    for (; nth < each; nth++) {
      await happen(nth)
      await sleep(200)
      // some are on their way at every kill
      while (isLong && nth * kills > killed * each) await sleep(20)
    }
    await killing
    const all = nth * monitors.length
    const progress = async () => {
      const { rows } = await platform.query<{ status: string; n: number }>(
        'select status, count(*)::int as n from deliveries where channel_id = $1 group by 1',
        [channel],
      )
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    }
    await eventually(
      'all is delivered',
      async () => (await progress()).delivered === all,
      isLong ? 900_000 : 60_000,
      250,
    ).catch(async error => {
      throw new Error(`${error.message}: ${JSON.stringify(await progress())} of ${all}`)
    })

    const messages = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
    const repeats = receiver.received.length - messages.size - refusedOnce.size
    console.log(
      `deliveries ${all}: ${kills} kills of the deliverer and ${temporalKills} of Temporal, ${all - new Set(receiver.received.map(({ body }) => body.incident_id)).size} lost, ${repeats} repeated under the same id, ${refusedOnce.size} retried (bound ${(300 / all).toPrecision(2)} %)`,
    )
    expect(new Set(receiver.received.map(({ body }) => body.incident_id)).size).toBe(all)
    expect(messages.size).toBe(all)
    for (const same of messages.values()) {
      expect(new Set(same.map(({ text }) => text)).size).toBe(1)
      for (const { headers, text } of same)
        expect(headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'))
    }
    for (const [monitor, deliveries] of Map.groupBy(receiver.received, ({ body }) => String(body.monitor_id))) {
      const order = deliveries.map(({ body }) => Number(body.nth))
      expect(order, monitor).toEqual(order.toSorted((a, b) => a - b))
    }
  },
  3_600_000,
)

test.runIf(inHerd > 0)(
  `${inHerd} that fail together come again when they should, and others are not delayed`,
  async () => {
    const reached = { platform, plane: { baseUrl: system.local.base_url } }
    const { errors, meanwhile, summary } = await herd(reached, {
      messages: inHerd,
      offMs: [70_000, 70_000, 70_000, 70_000, 100_000],
      channels: 20,
    })
    console.log(summary)
    for (const [wait, late] of errors) {
      expect(late.length, `after ${wait} s`).toBeGreaterThan(0)
      expect(Math.min(...late), `after ${wait} s`).toBeGreaterThanOrEqual(0)
      expect(quantile(late, 0.99), `after ${wait} s`).toBeLessThanOrEqual(1_200)
    }
    expect(quantile(meanwhile, 0.99)).toBeLessThan(1_000)
    expect(Math.max(...meanwhile)).toBeLessThan(5_000)
  },
  900_000,
)
