import { randomUUID } from 'node:crypto'
import { Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { SpanReceiver } from '#test/support/span-receiver.ts'
import { store } from '#test/support/stores.ts'

let spans: SpanReceiver
let served: Serving
let connection: Connection
beforeAll(async () => {
  spans = await SpanReceiver.open()
  const { address } = await store('temporal')
  connection = await Connection.connect({ address })
  // a task queue of this file, which no other file's worker polls
  const namespace = `test-${randomUUID().slice(0, 8)}`
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  served = await serving('traced_processes', {
    roles: ['worker'],
    config: {
      temporal: { address, namespace },
      // recorded is only what continues a recorded trace
      tracing: { endpoint: spans.url, headers: {}, serviceName: 'test', ratio: 0 },
    },
  })
  await eventually(
    async () => ((await served.plane.health.readiness()).parts.temporal?.is_ready ? true : undefined),
    120_000,
  )
}, 300_000)
afterAll(async () => {
  await served?.close()
  await connection?.close()
  await spans?.close()
})

test('an activity is in the trace whose transaction started its workflow', { timeout: 60_000 }, async () => {
  const tenant = await served.tenant()
  const { check } = await served.monitor(tenant, 'http://127.0.0.1:1')
  const untilMs = Date.now() + 1_000
  await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, new Date(untilMs)])
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const payload = {
    id: `snooze-end-${check}-${untilMs}`,
    input: { tenantId: tenant, checkId: check, untilMs },
    traceparent: `00-${traceId}-${spanId}-01`,
  }
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload) values ($1, 'workflow', 'snoozeEnd', $2)`,
    [tenant, JSON.stringify(payload)],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
  const activity = await eventually(() => spans.spans.find(({ name }) => name === 'activity endSnooze'), 40_000)
  const trace = spans.trace(traceId)
  const dispatch = trace.find(({ name }) => name === 'dispatch workflow snoozeEnd')
  expect(dispatch?.parentSpanId).toBe(spanId)
  expect(activity).toMatchObject({
    traceId,
    parentSpanId: dispatch?.spanId,
    hasFailed: false,
    attributes: { 'vedette.activity.name': 'endSnooze', 'vedette.activity.attempt': 1 },
  })
  const transaction = trace.find(({ name }) => name === 'transaction')
  expect(transaction?.parentSpanId).toBe(activity.spanId)
  expect(new Set(spans.spans.map(span => span.traceId))).toEqual(new Set([traceId]))
})
