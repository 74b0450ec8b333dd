import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('asked_looks', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

interface Notice {
  request: string
  region: string | null
}

/** The notices that answer requested runs. */
function answers() {
  const notices: Notice[] = []
  const stop = served.plane.services.listener.on('run_results', payload => notices.push(JSON.parse(payload)))
  return { of: (request: string) => notices.filter(notice => notice.request === request), stop }
}

test('a run that is requested in the moment of creation waits for the work list and reaches every region', async () => {
  const regions = ['asked-east', 'asked-west']
  const streams = []
  for (const region of regions) {
    const agent = await RawAgent.enrolled(served, region)
    streams.push(await (await agent.work()).synced())
  }
  const tenant = await served.tenant()
  const answered = answers()
  const [monitor, check, request] = [randomUUID(), randomUUID(), randomUUID()]
  // both notices arrive together, so that the new check cannot have been read when the request comes
  const client = await served.platform.connect()
  await client.query('begin')
  await client.query(
    `with made as (
       insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, regions, region_policy,
         confirmations, recovery_confirmations)
       values ($1, $2, 'Site', 'http://127.0.0.1:1', 'website', 3600, 10, $3, '{"mode":"majority","count":null}', 2, 2)
       returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, severity) select $4, $2, id, 'uptime', 'critical' from made`,
    [monitor, tenant, regions, check],
  )
  await client.query(`select pg_notify('run_requests', $1)`, [JSON.stringify({ request, check })])
  await client.query('commit')
  client.release()
  for (const stream of streams) {
    const runs = () => stream.frames.filter(frame => frame.type === 'run' && frame.request === request)
    await expect.poll(runs).toMatchObject([{ check }])
    const assigned = stream.frames.findIndex(
      frame => frame.type === 'assign' && frame.checks.some(each => each.check === check),
    )
    expect(assigned).toBeLessThan(stream.frames.findIndex(frame => frame.type === 'run' && frame.request === request))
    expect(assigned).not.toBe(-1)
  }
  expect(answered.of(request)).toEqual([])
  answered.stop()
})

test('a run of a check that is not in the work list is answered at once: no region is asked', async () => {
  const answered = answers()
  const request = randomUUID()
  await served.platform.query(`select pg_notify('run_requests', $1)`, [
    JSON.stringify({ request, check: randomUUID() }),
  ])
  await expect.poll(() => answered.of(request)).toEqual([expect.objectContaining({ region: null, asked: [] })])
  answered.stop()
})
