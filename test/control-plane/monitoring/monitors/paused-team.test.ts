import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name).toSorted()

/** A team with a monitor that has no verdict yet and one that is up; its reseller has paused it. */
async function aPausedTeam() {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'pro' })
  const fresh = await aMonitor(team, { name: 'fresh', status: null })
  const up = await aMonitor(team, { name: 'up' })
  const resume = () => reseller.post(`${team.path}/unpause`)
  expect((await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })).status).toBe(200)
  return { reseller, team, fresh, up, resume }
}

describe('a monitor of a paused team', () => {
  test('has the status paused, whether or not it has had a verdict', async () => {
    const { reseller, team, fresh, up, resume } = await aPausedTeam()
    for (const { id } of [fresh, up]) {
      const { data } = (await team.get(`/monitors/${id}`)).body
      expect(data).toMatchObject({
        status: 'paused',
        status_reason: 'The team is paused: unpaid',
        is_enabled: true,
        next_check_at: null,
      })
      expect(new Date(data.status_changed_at).getTime()).toBeGreaterThan(Date.now() - 60_000)
      expect((await reseller.get(`${team.path}/monitors/${id}`)).body.data.status).toBe('paused')
      const inContext = { headers: { 'X-Tenant-Id': team.tenantId } }
      expect((await reseller.get(`/monitors/${id}`, inContext)).body.data.status).toBe('paused')
    }
    await resume()
    expect((await team.get(`/monitors/${fresh.id}`)).body.data).toMatchObject({ status: null, status_reason: null })
    expect((await team.get(`/monitors/${up.id}`)).body.data.status).toBe('up')
  })

  test('is found by ?status=paused and by no other status', async () => {
    const { team, resume } = await aPausedTeam()
    const found = async (status: string) => namesOf((await team.get(`/monitors?status=${status}`)).body)
    expect(await found('paused')).toEqual(['fresh', 'up'])
    expect(await found('up,paused')).toEqual(['fresh', 'up'])
    expect(await found('up,down,warning,maintenance')).toEqual([])
    expect((await team.get('/dashboard/stats')).body.data.monitors).toMatchObject({
      total: 2,
      paused: 2,
      up: 0,
      pending: 0,
    })
    await resume()
    expect(await found('paused')).toEqual([])
    expect(await found('up')).toEqual(['up'])
  })

  test('is not run on request, crawled or audited: 422 names why', async () => {
    const { team, fresh, up } = await aPausedTeam()
    await app.services.platform.query(
      `update tenants set feature_overrides = '{"geo_audits": true, "site_crawls": true}' where id = $1`,
      [team.tenantId],
    )
    for (const [path, field] of [
      [`/checks/${fresh.check}/request-run`, 'check'],
      [`/monitors/${up.id}/checks/${up.check}/request-run`, 'check'],
      [`/monitors/${up.id}/crawl-runs`, 'monitor'],
      [`/monitors/${up.id}/geo-audits`, 'check_id'],
    ] as const) {
      const { status, body } = await team.post(path)
      expect([status, body.code, body.errors], path).toEqual([422, 'not_running', { [field]: ['The team is paused.'] }])
    }
    expect((await team.get(`/checks/${fresh.check}`)).body.data.next_check_at).toBeNull()
  })

  test('of another team is untouched', async () => {
    const { reseller } = await aPausedTeam()
    const other = await given.team(reseller)
    await aMonitor(other, { status: null })
    expect((await other.get('/monitors?status=paused')).body.data).toEqual([])
    expect((await other.get('/monitors')).body.data).toMatchObject([{ status: null }])
  })
})
