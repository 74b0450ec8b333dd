import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { CheckResultEvent } from '#contract/stream.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'
import { Site } from '#test/support/target.ts'

let served: Serving
let api: ControlPlane
let site: Site

beforeAll(async () => {
  served = await serving('stream_results', { roles: ['ingest'] })
  api = await startControlPlane(served.config, ['api'])
  site = await Site.open()
  await served.agent('eu-west')
})
afterAll(async () => {
  await api?.close()
  await served?.close()
  await site?.close()
})

test('a stream of the API has the results of the checks it watches, which another process stores', async () => {
  const tenant = await served.tenant()
  const { monitor, check } = await served.monitor(tenant, site.url, { interval: 1, regions: ['eu-west'] })
  const unwatched = await served.monitor(tenant, site.url, { interval: 1, regions: ['eu-west'] })
  const { plain } = await createToken(served.platform, {
    kind: 'svc',
    tenantId: tenant,
    userId: null,
    name: 'test',
    scopes: ['monitors:read', 'checks:read'],
    expiresAt: null,
  })
  const stream = await EventStreamUnderTest.open(`${api.baseUrl}/api/v1/stream?topics=monitors,runs:${check}`, {
    headers: { Authorization: `Bearer ${plain}` },
  })
  const up = await stream.next(({ event }) => event === 'check.result')
  expect(up).toMatchObject({
    id: null,
    data: { check_id: check, monitor_id: monitor, region: 'eu-west', outcome: 'up' },
  })
  expect(CheckResultEvent.strict().parse(up.data)).toEqual(up.data)
  expect(up.data.phases.total).toBeGreaterThan(0)
  site.become('error')
  const down = await stream.next(({ event, data }) => event === 'check.result' && data.outcome === 'down')
  expect(down.data).toMatchObject({ http_status: 500, event: 'check.result' })
  const status = await stream.next(({ event, data }) => event === 'monitor.status' && data.status === 'down')
  expect([monitor, unwatched.monitor]).toContain(status.data.monitor_id)
  expect(stream.named('check.result').filter(({ data }) => data.check_id !== check)).toEqual([])
  stream.leave()
})
