import { glob, readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#cli/serve/log.ts'
import { type ControlPlane, type ServeRole, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { openTracing } from '#control-plane/base/open-tracing.ts'
import { mostWaiting, OpenTelemetry, type TracingConfig } from '#control-plane/base/opentelemetry.ts'
import { within } from '#control-plane/base/tracing.ts'
import type { Config } from '#control-plane/config.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import type { Databases } from '#test/support/databases.ts'
import { type ReceivedSpan, SpanReceiver } from '#test/support/span-receiver.ts'
import { Site } from '#test/support/target.ts'
import { eventually, prepared, Serving } from './serving.ts'

let stores: Databases
let config: Config
let spans: SpanReceiver
let webhooks: Receiver
beforeAll(async () => {
  ;[{ stores, config }, spans, webhooks] = await Promise.all([
    prepared('tracing'),
    SpanReceiver.open(),
    Receiver.open(),
  ])
})
afterAll(async () => {
  await Promise.all([spans?.close(), webhooks?.close()])
})

const tracing = (changes: Partial<TracingConfig> = {}): TracingConfig => ({
  endpoint: spans.url,
  headers: { 'x-key': 'the key of the receiver' },
  serviceName: 'vedette-of-the-test',
  ratio: 1,
  ...changes,
})

const start = (roles: ServeRole[], changes: Partial<Config> = {}, log = pino({ level: 'silent' })) =>
  startControlPlane({ ...config, tracing: tracing(), ...changes }, roles, { log })

const spanOf = (requestId: string): Promise<ReceivedSpan> =>
  eventually(() => spans.spans.find(span => span.attributes['vedette.request.id'] === requestId))

/** A log whose lines are kept. */
function keptLog(): { lines: string[]; log: pino.Logger } {
  const lines: string[] = []
  return { lines, log: createLog('info', { write: line => void lines.push(line) }) }
}

describe('a request and what follows from it, in two processes', () => {
  let api: ControlPlane
  let worker: ControlPlane
  const [written, worked] = [keptLog(), keptLog()]
  beforeAll(async () => {
    ;[api, worker] = await Promise.all([start(['api'], {}, written.log), start(['worker'], {}, worked.log)])
  })
  afterAll(async () => {
    await Promise.all([api?.close(), worker?.close()])
  })

  async function aTeam(): Promise<{ id: string; call(path: string, body: object, headers?: object): Promise<void> }> {
    const { platform } = api.services
    const id = await createTenant(platform, {
      name: 'Team',
      slug: `t-${crypto.randomUUID()}`,
      plan: 'pro',
      featureOverrides: {},
      isReseller: false,
    })
    const scopes = ['monitors:write', 'notifications:manage']
    const { plain } = await createToken(platform, {
      ...{ kind: 'svc', tenantId: id, userId: null, name: 'test', scopes, expiresAt: null },
    })
    return {
      id,
      async call(path, body, headers = {}) {
        const response = await fetch(`${api.baseUrl}/api/v1${path}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
        const text = await response.text()
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
        return JSON.parse(text).data
      },
    }
  }

  test('a request is one span, named by its route, which continues the trace of its caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
    const id = crypto.randomUUID()
    const answer = await fetch(`${api.baseUrl}/api/v1/monitors/${crypto.randomUUID()}?token=hush`, {
      headers: { 'X-Request-Id': id, traceparent },
    })
    expect(answer.status).toBe(401)
    const span = await spanOf(id)
    expect(span).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      name: 'GET /api/v1/monitors/{monitor}',
      kind: 2,
      hasFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/monitors/{monitor}',
        'http.response.status_code': 401,
      },
      resource: { 'service.name': 'vedette-of-the-test' },
    })
    expect(span.endMs).toBeGreaterThan(span.startMs)
    expect(spans.headers.at(-1)?.['x-key']).toBe('the key of the receiver')
    const line = await eventually(() =>
      written.lines
        .join('')
        .split('\n')
        .find(text => text.includes(id)),
    )
    expect(JSON.parse(line)).toMatchObject({ trace_id: span.traceId, span_id: span.spanId })
  })

  test('a header that is not a valid traceparent begins a trace of its own', async () => {
    const bad = [
      '00-00000000000000000000000000000000-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319d-0000000000000000-01',
      'ff-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01',
      '00-0AF7651916CD43DD8448EB211C80319D-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01-more',
      `00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01${'-'.repeat(300)}`,
      'hush',
    ]
    const ask = async (traceparent: string) => {
      const id = crypto.randomUUID()
      await fetch(`${api.baseUrl}/api/v1/monitors`, { headers: { 'X-Request-Id': id, traceparent } })
      const span = await spanOf(id)
      expect(span.parentSpanId, traceparent).toBeUndefined()
      expect(span.traceId, traceparent).not.toContain('0af7651916cd43dd8448eb211c80319d')
    }
    await Promise.all(bad.map(ask))
  })

  test('the transaction, the event and each attempt to deliver it are in the trace of the request', {
    timeout: 60_000,
  }, async () => {
    const team = await aTeam()
    const channel = (await team.call('/notification-channels', {
      name: 'planted-name',
      type: 'webhook',
      config: { url: `${webhooks.url}/planted-path?key=planted-query`, secret: 'planted-signing-secret' },
    })) as unknown as { id: string }
    await team.call('/notification-rules', { channel_id: channel.id, event_types: ['monitor.created'] })
    let attempts = 0
    webhooks.answer = (_, response) => response.writeHead(++attempts === 1 ? 500 : 200).end('planted-answer')
    const id = crypto.randomUUID()
    await team.call(
      '/monitors?x=planted-parameter',
      {
        name: 'planted-monitor',
        url: 'https://planted.example/planted?a=planted',
        type: 'website',
      },
      {
        'X-Request-Id': id,
        Cookie: 'a=planted-cookie',
        tracestate: 'a=planted-state',
        baggage: 'a=planted-baggage',
        'User-Agent': 'planted-agent planted@people.test',
      },
    )
    const request = await spanOf(id)
    const deliveries = await eventually(() => {
      const found = spans.trace(request.traceId).filter(({ name }) => name === 'deliver webhook')
      return found.length === 2 ? found : undefined
    }, 40_000)
    const trace = spans.trace(request.traceId)
    const transaction = trace.find(({ name }) => name === 'transaction')
    const dispatch = trace.find(({ name }) => name === 'dispatch event monitor.created')
    expect(request).toMatchObject({
      name: 'POST /api/v1/monitors',
      attributes: { 'http.response.status_code': 201, 'vedette.team.id': team.id },
    })
    expect(request.parentSpanId).toBeUndefined()
    expect(transaction).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'db.system.name': 'postgresql', 'vedette.transaction.read_only': false },
    })
    expect(dispatch).toMatchObject({
      parentSpanId: transaction?.spanId,
      attributes: { 'vedette.outbox.kind': 'event', 'vedette.outbox.name': 'monitor.created' },
    })
    const [first, second] = deliveries
    expect(first).toMatchObject({
      parentSpanId: dispatch?.spanId,
      kind: 3,
      hasFailed: true,
      attributes: {
        'vedette.channel.kind': 'webhook',
        'vedette.delivery.attempt': 1,
        'vedette.delivery.outcome': 'http_status',
        'http.response.status_code': 500,
      },
    })
    // a retry is of any process: it continues what the row of the event names
    expect(second).toMatchObject({
      parentSpanId: transaction?.spanId,
      hasFailed: false,
      attributes: { 'vedette.delivery.attempt': 2, 'vedette.delivery.outcome': 'delivered' },
    })
    expect(dispatch?.resource['service.instance.id']).not.toBe(request.resource['service.instance.id'])
    expect(first?.resource['service.instance.id']).toBe(dispatch?.resource['service.instance.id'])
    // receivers get the event alone
    for (const { text } of webhooks.received) expect(text).not.toContain('traceparent')
    expect(JSON.parse(webhooks.received[0]?.text ?? '{}').event).toBe('monitor.created')
  })

  test('control: what was planted was received by the channel, and none of it by the receiver of spans', () => {
    expect(JSON.stringify(webhooks.received.map(({ path, text }) => path + text))).toContain('planted')
    const bytes = spans.bytes.join('\n')
    expect(bytes).toContain('deliver webhook')
    expect(bytes).not.toContain('planted')
    expect(bytes).not.toContain('hush')
    expect(bytes).not.toContain('Bearer')
    expect(bytes).not.toMatch(/\b(svc|ss|rk|sk)-[\w-]{40}/)
    expect(bytes).not.toContain('@people')
  })
})

describe('a check run and what follows from it, in two processes', () => {
  let served: Serving
  let worker: ControlPlane
  let site: Site
  beforeAll(async () => {
    const both = { ...config, tracing: tracing() }
    site = await Site.open()
    served = new Serving(stores, both, await start(['api', 'ingest']))
    worker = await start(['worker'])
    await Promise.all(['eu-west', 'us-east', 'ap-south'].map(region => served.agent(region)))
    await eventually(async () => ((await served.plane.health.readiness()).parts.agents?.is_ready ? true : undefined))
  }, 60_000)
  afterAll(async () => {
    await worker?.close()
    await served?.close()
    await site?.close()
  })

  test('the run whose result opens an incident is followed from its start to the notification', {
    timeout: 90_000,
  }, async () => {
    const { platform } = served
    const tenant = await served.tenant()
    const { check } = await served.monitor(tenant, `${site.url}/?planted=hush`, { interval: 1 })
    const isNow = (verdict: string) => async () => {
      const { rows } = await platform.query('select verdict from checks where id = $1', [check])
      return rows[0].verdict === verdict ? true : undefined
    }
    await eventually(isNow('up'))
    site.become('error')
    await eventually(isNow('down'))
    const ofTeam = (name: string) =>
      eventually(() =>
        spans.spans.find(
          span =>
            span.name === name &&
            span.attributes['vedette.team.id'] === tenant &&
            spans.trace(span.traceId).some(other => other.name === 'check run'),
        ),
      )
    for (const event of ['incident.created', 'incident.resolved']) {
      if (event === 'incident.resolved') site.become('up')
      const dispatch = await ofTeam(`dispatch event ${event}`)
      const names = ['check run', 'ingest', 'verdict', 'transaction']
      const path = await eventually(() => {
        const trace = spans.trace(dispatch.traceId)
        const found = names.map(name => trace.find(span => span.name === name))
        return found.every(span => span !== undefined) ? found : undefined
      })
      const [run, ingest, verdict, transaction] = path as [ReceivedSpan, ReceivedSpan, ReceivedSpan, ReceivedSpan]
      const isDown = event === 'incident.created'
      expect(run).toMatchObject({
        parentSpanId: undefined,
        attributes: {
          'vedette.check.id': check,
          'vedette.check.kind': 'uptime',
          'vedette.check.outcome': isDown ? 'down' : 'up',
          'vedette.team.id': tenant,
          'vedette.region': expect.stringMatching(/^(eu-west|us-east|ap-south)$/),
        },
      })
      expect(ingest.parentSpanId).toBe(run.spanId)
      expect(ingest.startMs).toBeGreaterThanOrEqual(run.startMs)
      expect(verdict).toMatchObject({
        parentSpanId: ingest.spanId,
        // up, or a warning while the other regions have not confirmed it
        attributes: { 'vedette.verdict': expect.stringMatching(isDown ? /^down$/ : /^(up|warning)$/) },
      })
      expect(transaction.parentSpanId).toBe(verdict.spanId)
      expect(dispatch.parentSpanId).toBe(transaction.spanId)
      expect(dispatch.resource['service.instance.id']).not.toBe(run.resource['service.instance.id'])
    }
    const { rows } = await platform.query(`select payload from stream_events where tenant_id = $1`, [tenant])
    expect(rows.length).toBeGreaterThan(0)
    expect(spans.bytes.join('\n')).not.toContain('planted')
  })
})

describe('what is recorded', () => {
  const ask = async (plane: ControlPlane, headers: Record<string, string> = {}) => {
    const id = crypto.randomUUID()
    const answer = await fetch(`${plane.baseUrl}/api/v1/monitors`, { headers: { 'X-Request-Id': id, ...headers } })
    expect(answer.status).toBe(401)
    return id
  }

  test('nothing is recorded and no connection is made where no receiver is named', async () => {
    const before = spans.connections
    const plane = await start(['api', 'worker'], { tracing: undefined })
    for (let count = 0; count < 20; count++) await ask(plane)
    await plane.close()
    expect(spans.connections).toBe(before)
  })

  test('no module but one loads a package of OpenTelemetry, and that one is loaded by need', async () => {
    const own = 'control-plane/base/opentelemetry.ts'
    for await (const file of glob(
      '{analytics,checks,cli,contract,control-plane,egress,probe-agent,workflows}/**/*.ts',
    )) {
      const source = await readFile(file, 'utf8')
      if (file !== own) expect(source, file).not.toContain("'@opentelemetry/")
      expect(source, file).not.toMatch(/^import (?!type )[^'\n]*opentelemetry\.ts'/m)
    }
    expect(await readFile(own, 'utf8')).toContain("'@opentelemetry/")
  })

  test('with a share of 0 nothing is recorded, whatever a caller asks', async () => {
    const before = spans.connections
    const plane = await start(['api'], { tracing: tracing({ ratio: 0 }) })
    for (let count = 0; count < 20; count++)
      await ask(plane, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
    await plane.close()
    expect(spans.connections).toBe(before)
  })

  test('a stop sends what is recorded', async () => {
    const plane = await start(['api'])
    const ids = await Promise.all(Array.from({ length: 10 }, () => ask(plane)))
    await plane.close()
    const known = new Set(spans.spans.map(span => span.attributes['vedette.request.id']))
    expect(ids.filter(id => !known.has(id))).toEqual([])
  })

  test.each(['hangs', 'refuses'] as const)(
    'a receiver that %s changes nothing for callers, nor delays a stop',
    async mood => {
      const receiver = await SpanReceiver.open()
      receiver.mood = mood
      const { lines, log } = keptLog()
      const plane = await start(['api'], { tracing: tracing({ endpoint: receiver.url }) }, log)
      for (let count = 0; count < 20; count++) await ask(plane)
      await eventually(() => (receiver.bytes.length > 0 ? true : undefined))
      await ask(plane)
      const begun = performance.now()
      await plane.close()
      expect(performance.now() - begun).toBeLessThan(4_000)
      await receiver.close()
      expect(lines.filter(line => line.includes('span export failure')).length).toBeLessThanOrEqual(1)
      expect(receiver.spans).toEqual([])
    },
  )
})

describe('a receiver that is too slow or away', () => {
  const counts = async (metrics: ReturnType<typeof createMetrics>) =>
    Object.fromEntries((await metrics.spans.get()).values.map(({ labels, value }) => [labels.outcome, value]))

  test('costs bounded memory: what is too much is dropped and counted, and logged once a minute', async () => {
    const receiver = await SpanReceiver.open()
    receiver.mood = 'hangs'
    const [metrics, { lines, log }] = [createMetrics(), keptLog()]
    const opened = new OpenTelemetry(tracing({ endpoint: receiver.url }), { log, metrics })
    for (let count = 0; count < 20_000; count++) opened.begin({ name: 'test', kind: 'internal' })?.end()
    const { dropped = 0 } = await counts(metrics)
    // one batch is under way
    expect(dropped).toBeGreaterThanOrEqual(20_000 - 2 * mostWaiting)
    expect(dropped).toBeLessThanOrEqual(20_000 - mostWaiting)
    expect(lines.filter(line => line.includes('span export failure'))).toHaveLength(1)
    const begun = performance.now()
    await opened.close()
    expect(performance.now() - begun).toBeLessThan(2_000)
    await receiver.close()
  })

  test('where it is away spans are counted as failed', async () => {
    const away = await SpanReceiver.open()
    const endpoint = away.url
    await away.close()
    const [metrics, { lines, log }] = [createMetrics(), keptLog()]
    const opened = await openTracing(tracing({ endpoint }), { log, metrics })
    for (let count = 0; count < 600; count++) opened.begin({ name: 'test', kind: 'internal' })?.end()
    await eventually(async () => ((await counts(metrics)).failed ? true : undefined))
    expect(lines.filter(line => line.includes('span export failure'))).toHaveLength(1)
    await opened.close()
  })

  test('a share of traces is recorded, by chance or by the id of the trace', async () => {
    const [metrics, { log }] = [createMetrics(), keptLog()]
    const opened = await openTracing(tracing({ ratio: 0.1 }), { log, metrics })
    const begun = Array.from({ length: 10_000 }, () => opened.begin({ name: 'test', kind: 'internal' }))
    const share = begun.filter(Boolean).length / begun.length
    expect(share).toBeGreaterThan(0.07)
    expect(share).toBeLessThan(0.13)
    const traceIds = Array.from({ length: 1_000 }, () => crypto.randomUUID().replaceAll('-', ''))
    const recorded = traceIds.filter(traceId => opened.begin({ name: 'test', kind: 'internal', traceId }))
    expect(recorded.length).toBeGreaterThan(50)
    expect(recorded.length).toBeLessThan(160)
    for (const traceId of recorded)
      expect(opened.begin({ name: 'test', kind: 'internal', traceId })?.traceId).toBe(traceId)
    await opened.close()
  })

  test('an error is named by its class or code, never by its message', async () => {
    const receiver = await SpanReceiver.open()
    const opened = await openTracing(tracing({ endpoint: receiver.url }), {
      log: keptLog().log,
      metrics: createMetrics(),
    })
    const failing = within(opened.begin({ name: 'test', kind: 'internal' }), async () => {
      throw Object.assign(new TypeError('the row (hush)'), { code: '23505', detail: 'hush' })
    })
    await expect(failing).rejects.toThrow('the row')
    await opened.close()
    expect(receiver.spans).toMatchObject([{ hasFailed: true, attributes: { 'error.type': '23505' } }])
    expect(receiver.bytes.join('')).not.toContain('hush')
    await receiver.close()
  })
})
