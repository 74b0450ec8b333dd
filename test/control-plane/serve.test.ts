import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Site } from '#test/support/target.ts'
import { eventually, type Serving, serving } from './serving.ts'

let served: Serving
let site: Site

beforeAll(async () => {
  ;[served, site] = await Promise.all([serving('serve', { roles: ['api', 'ingest'] }), Site.open()])
  await Promise.all(['eu-west', 'us-east', 'ap-south'].map(region => served.agent(region)))
})
afterAll(async () => {
  await served.close()
  await site.close()
})

const incidentOf = async (check: string) => {
  const { rows } = await served.platform.query('select * from incidents where check_id = $1', [check])
  return rows[0]
}

describe('the whole loop in one process', () => {
  test('a site that goes down opens an incident with its proof, and recovery resolves it', async () => {
    await eventually(async () => ((await served.plane.health.readiness()).parts.agents?.is_ready ? true : undefined), 15_000)
    const { check } = await served.monitor(await served.tenant(), site.url)
    await eventually(async () => {
      const { rows } = await served.platform.query('select verdict from checks where id = $1', [check])
      return rows[0].verdict === 'up' ? true : undefined
    }, 15_000)
    site.become('error')
    const incident = await eventually(() => incidentOf(check), 20_000)
    expect(incident.quorum.failed.length).toBeGreaterThanOrEqual(2)
    site.become('up')
    await eventually(async () => (await incidentOf(check))?.resolved_at ?? undefined, 20_000)
  })
})
