import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anIncident, aTenantOf, happen } from '#test/control-plane/alerting/alerted.ts'
import { herd } from '#test/control-plane/alerting/herd.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { quantile } from '../../../../bench/figures.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('deliveries', { roles: ['api', 'worker'] })
  receiver.answer = ({ path, headers, body }, response) => {
    const answer = answers.get(path)
    if (!answer) response.end('ok')
    else answer(response, { headers, body, nth: receiver.at(path).length })
  }
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

type Response = Parameters<Receiver['answer']>[1]
const answers = new Map<string, (response: Response, seen: { headers: object; body: object; nth: number }) => void>()
const fails = (response: Response) => response.writeHead(503).end('not now')
const hangs = () => undefined

const subscribed = async (answer?: Parameters<typeof answers.set>[1]) => {
  const tenant = await aTenantOf(served, receiver)
  const { channel } = await tenant.subscribe(['incident.created'], {}, { secret: 'a secret of sixteen' })
  if (answer) answers.set(tenant.path, answer)
  const log = async () => (await tenant.call('GET', '/notification-logs'))[0]
  return {
    ...tenant,
    channel,
    log,
    until: (status: string, withinMs = 20_000) =>
      eventually(async () => {
        const found = await log()
        return found?.status === status ? found : undefined
      }, withinMs),
  }
}
const hurry = async (tenantId: string) => {
  await served.platform.query(
    `update deliveries set next_at = clock_timestamp() where tenant_id = $1 and status = 'retrying'`,
    [tenantId],
  )
  await served.platform.query(`select pg_notify('deliveries', '')`)
}

describe('the outcome of a delivery', () => {
  test('a delivered message is in the log with its attempt', async () => {
    const tenant = await subscribed()
    const incident = anIncident()
    await happen(served, tenant.id, 'incident.created', incident)
    const log = await tenant.until('delivered')
    expect(log).toMatchObject({
      channel_id: tenant.channel.id,
      channel_type: 'webhook',
      event: 'incident.created',
      monitor_id: incident.monitor_id,
      managed_tenant_id: null,
      attempts: [{ number: 1, status_code: 200, error: null, response: 'ok', duration_ms: expect.any(Number) }],
      next_attempt_at: null,
      is_replayable: true,
    })
    expect((await tenant.call('GET', `/notification-logs/${log.id}`)).payload).toMatchObject(incident)
    const { rows } = await served.platform.query(
      'select metric, count::int from usage_counters where tenant_id = $1 and metric <> $2 order by metric',
      [tenant.id, 'api_requests'],
    )
    expect(rows).toEqual([
      { metric: 'notifications_sent', count: 1 },
      { metric: 'webhook_deliveries', count: 1 },
    ])
  })

  test('a failed message is retried unchanged in ten seconds, also if many failed; others are not late', async () => {
    const tenant = await subscribed((response, { nth }) => (nth === 1 ? fails(response) : response.end('thanks')))
    const many = herd(served, { messages: 200, offMs: [3_000] })
    await happen(served, tenant.id, 'incident.created', anIncident())
    const waiting = await tenant.until('retrying')
    expect(waiting.attempts).toMatchObject([{ status_code: 503, error: 'http_status', response: 'not now' }])
    const { errors, quiet, meanwhile, summary } = await many
    console.log(summary)
    const late = errors.get(10) ?? []
    expect(late).toHaveLength(200)
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
    expect(quantile(late, 0.99)).toBeLessThanOrEqual(2_000)
    expect(new Set(late.map(ms => Math.floor(ms / 50))).size).toBeGreaterThan(3)
    expect(meanwhile.length).toBeGreaterThan(50)
    expect(quantile(meanwhile, 0.99)).toBeLessThan(3_000)
    expect(quantile(meanwhile, 0.5) - quantile(quiet, 0.5)).toBeLessThan(1_000)

    const log = await tenant.until('delivered')
    expect(log.attempts).toHaveLength(2)
    const [first, second] = tenant.received()
    expect(second!.text).toBe(first!.text)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.headers['x-webhook-signature']).toBe(first!.headers['x-webhook-signature'])
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']))
  })

  test('after retries at 10, 60 and 300 seconds it has failed, as its channel; it can be replayed', async () => {
    let isBroken = true
    const tenant = await subscribed(response => (isBroken ? fails(response) : response.end('ok')))
    await happen(served, tenant.id, 'incident.created', anIncident())
    for (const [made, waitS] of [
      [1, 10],
      [2, 60],
      [3, 300],
    ] as const) {
      const log = await eventually(async () => {
        const found = await tenant.log()
        return found?.attempts.length === made ? found : undefined
      })
      const waits = (Date.parse(log.next_attempt_at) - Date.parse(log.attempts.at(-1).at)) / 1_000
      expect(waits).toBeGreaterThanOrEqual(waitS)
      expect(waits).toBeLessThan(waitS + 2)
      await hurry(tenant.id)
    }
    const dead = await tenant.until('failed')
    expect(dead.attempts).toHaveLength(4)
    expect(await tenant.call('GET', `/notification-channels/${tenant.channel.id}`)).toMatchObject({ is_failing: true })
    await sleep(1_200)
    expect(tenant.received()).toHaveLength(4)

    isBroken = false
    expect(await tenant.call('POST', `/notification-logs/${dead.id}/replay`)).toMatchObject({
      id: dead.id,
      status: 'pending',
    })
    const replayed = await tenant.until('delivered')
    expect(replayed.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(tenant.received().map(({ text }) => text)).size).toBe(1)
    expect(new Set(tenant.received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await tenant.call('GET', `/notification-channels/${tenant.channel.id}`)).toMatchObject({ is_failing: false })
  })

  test('a redirect is a failure and is not followed', async () => {
    const elsewhere = `/${crypto.randomUUID()}`
    const tenant = await subscribed(response => response.writeHead(307, { Location: receiver.url + elsewhere }).end())
    await happen(served, tenant.id, 'incident.created', anIncident())
    expect((await tenant.until('retrying')).attempts).toMatchObject([{ status_code: 307, error: 'http_status' }])
    expect(receiver.at(elsewhere)).toEqual([])
  })

  test('a kilobyte of an endless response is kept', async () => {
    const tenant = await subscribed(response => {
      const timer = setInterval(() => response.write('x'.repeat(50_000)), 1)
      response.once('close', () => clearInterval(timer))
    })
    await happen(served, tenant.id, 'incident.created', anIncident())
    const { attempts } = await tenant.until('delivered')
    expect(attempts[0].response).toBe('x'.repeat(1_024))
  })

  test('a channel that hangs times out after ten seconds, delays no others, and is skipped for a while', async () => {
    const hanging = await subscribed(hangs)
    const quick = await subscribed()
    for (let i = 0; i < 30; i++) await happen(served, hanging.id, 'incident.created', anIncident())
    const begun = Date.now()
    await happen(served, quick.id, 'incident.created', anIncident())
    await quick.until('delivered', 5_000)
    expect(Date.now() - begun).toBeLessThan(3_000)
    const logs = await eventually(async () => {
      const found = await hanging.call('GET', '/notification-logs?per_page=50&status=retrying')
      return found.length === 30 ? found : undefined
    }, 20_000)
    const errors = logs.map((log: { attempts: { error: string; duration_ms: number }[] }) => log.attempts[0]!.error)
    expect(errors.filter((error: string) => error === 'timeout')).toHaveLength(6)
    expect(errors.filter((error: string) => error === 'circuit_open')).toHaveLength(24)
    for (const { attempts } of logs)
      if (attempts[0].error === 'timeout') expect(attempts[0].duration_ms).toBeLessThan(10_500)
  })

  test('an address that has become private is blocked, and the log says no more', async () => {
    const tenant = await subscribed()
    await served.platform.query(
      `update notification_channels set config = jsonb_set(config, '{url}', '"http://10.0.0.1/x"') where id = $1`,
      [tenant.channel.id],
    )
    await happen(served, tenant.id, 'incident.created', anIncident())
    expect((await tenant.until('retrying')).attempts).toMatchObject([
      { status_code: null, error: 'blocked', response: null },
    ])
  })

  test('a message about an erased person is deleted once it is delivered', async () => {
    const reseller = await aTenantOf(served, receiver, { isReseller: true })
    await reseller.subscribe(['member.erased'])
    const event = await happen(served, reseller.id, 'member.erased', {
      email: 'gone@example.com',
      name: 'Gone',
      teams: [],
    })
    await eventually(() => reseller.received()[0])
    const [log] = await eventually(async () => {
      const found = await reseller.call('GET', '/notification-logs?status=delivered')
      return found.length > 0 ? found : undefined
    })
    expect(log.is_replayable).toBe(false)
    expect((await reseller.call('GET', `/notification-logs/${log.id}`)).payload).toBeNull()
    await expect(reseller.call('POST', `/notification-logs/${log.id}/replay`)).rejects.toThrow('422')
    const { rows } = await served.platform.query(
      `select o.payload::text, d::text as delivery
       from outbox o join deliveries d on d.event_id = o.id where o.id = $1`,
      [event],
    )
    expect(JSON.stringify(rows)).not.toContain('gone@')
  })

  test('the log is read in pages, by status, event and channel', async () => {
    const tenant = await subscribed()
    for (let i = 0; i < 5; i++) await happen(served, tenant.id, 'incident.created', anIncident())
    await eventually(async () =>
      (await tenant.call('GET', '/notification-logs?status=delivered')).length === 5 ? true : undefined,
    )
    const page = async (query: string): Promise<Awaited<ReturnType<typeof tenant.call>>> => {
      const response = await fetch(`${served.plane.baseUrl}/api/v1/notification-logs?${query}`, {
        headers: { Authorization: `Bearer ${tenant.token}` },
      })
      return response.json()
    }
    const first = await page('per_page=3')
    const second = await page(`per_page=3&cursor=${first.meta.next_cursor}`)
    expect([first.data.length, first.meta.has_more, second.data.length, second.meta.has_more]).toEqual([
      3,
      true,
      2,
      false,
    ])
    expect(new Set([...first.data, ...second.data].map(({ id }: { id: string }) => id)).size).toBe(5)
    expect((await page(`per_page=3&cursor=${second.meta.prev_cursor}`)).data).toEqual(first.data)
    expect((await page('event=monitor.created')).data).toEqual([])
    expect((await page(`channel_id=${crypto.randomUUID()}`)).data).toEqual([])
    expect((await page('status=lost')).errors).toHaveProperty('status.0')
    expect((await page('cursor=abc')).errors).toHaveProperty('cursor')
  })

  test('another tenant’s log is unknown', async () => {
    const [tenant, other] = [await subscribed(), await subscribed()]
    await happen(served, tenant.id, 'incident.created', anIncident())
    const { id } = await tenant.until('delivered')
    await expect(other.call('GET', `/notification-logs/${id}`)).rejects.toThrow('404')
    await expect(other.call('POST', `/notification-logs/${id}/replay`)).rejects.toThrow('404')
    expect(await other.call('GET', '/notification-logs')).toEqual([])
  })
})
