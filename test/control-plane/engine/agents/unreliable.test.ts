import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { RawAgent } from './raw-agent.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('unreliable', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

test('a region that reports everything down becomes ineligible with one alarm, opens no incident, and votes again once it agrees', async () => {
  const regions = ['liar', 'honest', 'truthful']
  const agents = await Promise.all(regions.map(region => RawAgent.enrolled(served, region)))
  const streams = await Promise.all(agents.map(async agent => (await agent.work()).synced()))
  const tenant = await served.tenant()
  const checks = await Promise.all(
    Array.from({ length: 60 }, async () => (await served.monitor(tenant, 'http://127.0.0.1:1')).check),
  )
  await eventually(() => (streams.every(stream => checks.every(check => stream.checks.has(check))) ? true : undefined))

  const report = async (isLying: boolean) => {
    await new Promise(resolve => setTimeout(resolve, 950))
    const due = Date.now()
    for (const [index, agent] of agents.entries()) {
      const isGood = !(isLying && index === 0)
      const { status } = await agent.results(
        streams[index]!.generation,
        checks.map(check => ({ check, due, isGood })),
      )
      expect(status).toBe(200)
    }
  }
  const isUnreliable = async () => {
    const { values } = await served.plane.services.metrics.agents.get()
    return (values.find(({ labels }) => labels.state === 'suspect')?.value ?? 0) === 1
  }

  await report(false)
  await eventually(async () => {
    await report(true)
    return (await isUnreliable()) ? true : undefined
  }, 20_000)
  const incidents = await served.platform.query('select id from incidents where tenant_id = $1', [tenant])
  expect(incidents.rows).toEqual([])
  await eventually(async () => {
    await report(false)
    return (await isUnreliable()) ? undefined : true
  }, 20_000)
  for (const stream of streams) stream.break()
})
