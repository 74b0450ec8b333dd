import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import type { TracingConfig } from '#control-plane/base/opentelemetry.ts'
import type { Config } from '#control-plane/config.ts'
import { SpanReceiver } from '#test/support/span-receiver.ts'
import { eventually, prepared } from './serving.ts'

let config: Config
let receiver: SpanReceiver
beforeAll(async () => {
  ;[{ config }, receiver] = await Promise.all([prepared('tracing'), SpanReceiver.open()])
})
afterAll(() => receiver?.close())

const tracing = (changes: Partial<TracingConfig> = {}): TracingConfig => ({
  endpoint: receiver.url,
  headers: { 'x-key': 'the key of the receiver' },
  serviceName: 'vedette-of-the-test',
  ratio: 1,
  ...changes,
})

describe('requests', () => {
  let plane: ControlPlane
  beforeAll(async () => {
    plane = await startControlPlane({ ...config, tracing: tracing() }, ['api'])
  })
  afterAll(() => plane?.close())

  const spanOf = (requestId: string) =>
    eventually(() => receiver.spans.find(span => span.attributes['vedette.request.id'] === requestId))

  test('a request is one span, named by its route, which continues the trace of its caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
    const id = crypto.randomUUID()
    const answer = await fetch(`${plane.baseUrl}/api/v1/monitors/${crypto.randomUUID()}?token=hush`, {
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
    expect(receiver.headers.at(-1)?.['x-key']).toBe('the key of the receiver')
  })
})
