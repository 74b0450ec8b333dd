import { describe, expect, test } from 'vitest'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { NewCronMonitor } from '#control-plane/passive/heartbeats/input.ts'
import { NewAgentMonitor } from '#control-plane/passive/servers/input.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { everyCheck, filled } from '#test/support/filled.ts'

const made = async (team: CallerUnderTest, path: string, body: unknown): Promise<Record<string, unknown>> => {
  const { status, text, body: answer } = await team.post(path, body)
  expect(status, text).toBe(201)
  return answer.data
}

/** Values of the fields that jobs, servers and websites share. */
async function shared(team: CallerUnderTest, place: string) {
  const parent = await made(team, '/monitors', { name: 'Router', type: 'host', url: 'router.example.com' })
  const policy = await made(team, '/escalation-policies', {
    name: 'First',
    steps: [{ delay_minutes: 1, targets: [{ type: 'user', id: team.userId }] }],
  })
  const values = {
    name: 'Shop',
    tags: ['prod', 'eu'],
    group: 'Shops',
    notes: 'Call Pat\nfirst.',
    depends_on: [parent.id],
    escalation_policy_id: policy.id,
    external_ref: 'ref-1',
    metadata: { owner: 'ops' },
    slo: { target_pct: 99.5, window_days: 7 },
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${place}.${name}`, value]))
}

const regions = async () =>
  (await app.services.platform.query<{ name: string }>('select name from regions order by name limit 1')).rows.map(
    ({ name }) => name,
  )

describe('a copy of a monitor', () => {
  test('is the same in every field that can be sent, with all checks and their secrets', async () => {
    const team = await given.tenant()
    const own = {
      ...(await shared(team, 'monitor')),
      'monitor.url': 'https://shop.example.com/a?b=c',
      'monitor.type': undefined,
      'monitor.check_interval': 120,
      'monitor.regions': await regions(),
      'monitor.region_policy': { mode: 'count', count: 1 },
      'monitor.checks': everyCheck(),
    }
    const first = await made(team, '/monitors', filled(NewMonitor, own, 'monitor'))
    const copy = await made(team, `/monitors/${first.id}/clone`, {})
    expect(copy).toMatchObject({ name: 'Shop (copy)', external_ref: null })
    expect(copy.id).not.toBe(first.id)
    for (const name of Object.keys(NewMonitor.shape).filter(
      field => !['name', 'external_ref', 'checks'].includes(field),
    ))
      expect(copy[name], name).toEqual(first[name])
    const checksOf = async ({ id }: Record<string, unknown>) =>
      (await team.get(`/monitors/${id}/checks`)).body.data.map(
        ({ type, settings, interval, severity, is_enabled }: Record<string, unknown>) => ({
          ...{ type, settings, interval, severity, is_enabled },
        }),
      )
    expect(await checksOf(copy)).toEqual(await checksOf(first))
    expect(JSON.stringify(await checksOf(copy))).toContain('"password":"********"')
    expect(await app.emitted(team)).toContain('monitor.created')
  })

  test('of a job is the same, with a ping URL of its own; of a server too, without a token', async () => {
    const team = await given.tenant()
    const ofJob = {
      ...(await shared(team, 'job')),
      'job.url': 'https://jobs.example.com/1',
      'job.schedule_kind': 'cron',
      'job.schedule': '0 3 * * 1-5',
      'job.timezone': 'Europe/Berlin',
      'job.period_minutes': undefined,
      'job.fail_keyword': 'ERROR',
    }
    const job = await made(team, '/cron-monitors', filled(NewCronMonitor, ofJob, 'job'))
    const jobCopy = await made(team, `/monitors/${job.id}/clone`, { name: 'Other' })
    const { data: shown } = (await team.get(`/cron-monitors/${jobCopy.id}`)).body
    expect(shown.name).toBe('Other')
    expect(shown.ping_url).not.toBe(job.ping_url)
    for (const name of Object.keys(NewCronMonitor.shape).filter(field => !['name', 'external_ref'].includes(field)))
      expect(shown[name], name).toEqual(job[name])

    const ofServer = {
      ...(await shared(team, 'server')),
      'server.external_ref': 'ref-2',
      'server.thresholds': [{ metric: 'disk', above: 70, for_minutes: 7, severity: 'critical', label: '/srv' }],
    }
    const server = await made(team, '/agent-monitors', filled(NewAgentMonitor, ofServer, 'server'))
    const serverCopy = await made(team, `/monitors/${server.id}/clone`, {})
    const { data: seen } = (await team.get(`/agent-monitors/${serverCopy.id}`)).body
    expect(seen.token).toBeNull()
    for (const name of Object.keys(NewAgentMonitor.shape).filter(field => !['name', 'external_ref'].includes(field)))
      expect(seen[name], name).toEqual(server[name])
    expect((await team.post(`/agent-monitors/${serverCopy.id}/rotate-token`)).status).toBe(201)
  })

  test('takes a place within the plan, and is not made for viewers or of monitors of other teams', async () => {
    const team = await given.tenant({ overrides: { monitors: 1 } })
    const { id } = await made(team, '/monitors', { name: 'x'.repeat(255), url: 'https://example.com/' })
    const refused = await team.post(`/monitors/${id}/clone`)
    expect([refused.status, refused.body.code]).toEqual([422, 'plan_limit'])
    await app.services.platform.query(`update tenants set feature_overrides = '{"monitors": 2}' where id = $1`, [
      team.tenantId,
    ])
    const copy = await made(team, `/monitors/${id}/clone`, {})
    expect(copy.name).toBe(`${'x'.repeat(248)} (copy)`)
    expect((await (await given.colleague(team, 'viewer')).post(`/monitors/${id}/clone`)).status).toBe(403)
    expect((await (await given.tenant()).post(`/monitors/${id}/clone`)).status).toBe(404)
  })
})
