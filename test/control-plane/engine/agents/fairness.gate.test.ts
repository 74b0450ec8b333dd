import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { Site } from '#test/support/target.ts'

let served: Serving
let site: Site
beforeAll(async () => {
  ;[served, site] = await Promise.all([serving('fairness', { roles: ['ingest'] }), Site.open()])
})
afterAll(async () => {
  await served?.close()
  await site?.close()
})

interface Row {
  id: string
  status: string | null
  coverage: string
  coverage_since: Date | null
}

const monitorsOf = async (tenant: string): Promise<Row[]> =>
  (
    await served.platform.query<Row>('select id, status, coverage, coverage_since from monitors where tenant_id = $1', [
      tenant,
    ])
  ).rows
const metric = async (pattern: RegExp) =>
  Number(pattern.exec(await served.plane.services.metrics.register.metrics())?.[1] ?? 0)

test('two hundred monitors whose host hangs take no runs from another tenant, and show that they are not checked', async () => {
  const agent = await served.agent('fair', { MAX_IN_FLIGHT: '30' })
  const [hog, other] = [await served.tenant({ min_check_interval: 1, monitors: null }), await served.tenant()]
  for (let n = 0; n < 200; n++) {
    site.become('hang', `/hangs-${n}`)
    await served.monitor(hog, `${site.url}/hangs-${n}`, { interval: 2 })
  }
  await expect.poll(() => agent.figures().missed.host_limit, { timeout: 20_000 }).toBeGreaterThan(200)

  const own = [...Array(4).keys()].map(n => `/well-${n}`)
  for (const path of own) await served.monitor(other, site.url + path, { interval: 2 })
  const asked = (path: string) => site.log.filter(seen => seen.path === path).length
  await expect.poll(() => Math.min(...own.map(asked)), { timeout: 40_000 }).toBeGreaterThanOrEqual(8)
  expect(await monitorsOf(other)).toEqual(own.map(() => expect.objectContaining({ status: 'up', coverage: 'full' })))

  // each of these was run now and then, and found down or not yet; what is older than two intervals is no word on the
  // present
  const uncovered = async () =>
    (await monitorsOf(hog)).filter(({ status, coverage }) => status !== null && coverage === 'none')
  await expect.poll(async () => (await uncovered()).length, { timeout: 40_000 }).toBeGreaterThan(5)
  for (const { coverage_since } of await uncovered())
    expect(Math.abs(Date.now() - coverage_since!.getTime())).toBeLessThan(60_000)

  expect(await metric(/^vedette_missed_schedules_total\{region="fair",reason="host_limit"\} (\d+)$/m)).toBeGreaterThan(
    200,
  )
  expect(await metric(/^vedette_schedule_delay_seconds_count\{region="fair"\} (\d+)$/m)).toBeGreaterThan(20)
}, 120_000)
