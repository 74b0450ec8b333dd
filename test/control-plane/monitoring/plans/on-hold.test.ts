import { describe, expect, test } from 'vitest'
import { type Calendar, databaseCalendar } from '#control-plane/base/calendar.ts'
import { advanceTrial } from '#control-plane/reselling/managed-teams/trial.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { type Answer, app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const site = (name: string) => ({ name, url: `https://${name}.example.com/` })
const calendarAt = (now: Date): Calendar => ({ ...databaseCalendar, now: async () => now })

const heldOf = async ({ tenantId }: CallerUnderTest) => {
  const { rows } = await platform.query<{ name: string }>(
    'select name from monitors where tenant_id = $1 and held_by_plan order by name',
    [tenantId],
  )
  return rows.map(({ name }) => name)
}
const made = async (answer: Promise<{ status: number; body: { data: { id: string } } }>): Promise<string> => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

describe('what runs beyond a plan is on hold', () => {
  test('cron heartbeats and servers that it does not include, and servers beyond its number', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const limit = (overrides: Record<string, unknown>) => reseller.put(`${team.path}/feature-overrides`, { overrides })
    await made(team.post('/cron-monitors', { name: 'backup', period_minutes: 60 }))
    const servers = []
    for (const name of ['db1', 'db2', 'db3']) servers.push(await made(team.post('/agent-monitors', { name })))
    await made(team.post('/monitors', site('shop')))

    await limit({ agent_limit: 2 })
    expect(await heldOf(team)).toEqual(['db3'])
    await limit({ cron_heartbeats: false })
    expect(await heldOf(team)).toEqual(['backup', 'db3'])
    expect((await team.get('/plan')).body.data).toMatchObject({ on_hold: { monitors: 2 }, over_limit: ['agent_limit'] })
    await limit({ server_monitoring: false, monitors: 1 })
    // what the plan does not include takes no place of what it includes
    expect(await heldOf(team)).toEqual(['backup', 'db1', 'db2', 'db3'])

    await limit({ server_monitoring: true, monitors: null })
    expect(await heldOf(team)).toEqual(['backup', 'db3'])
    // the server that is chosen goes before the oldest
    expect((await team.put('/plan/kept-monitors', { monitor_ids: [servers[2]] })).status).toBe(200)
    expect(await heldOf(team)).toEqual(['backup', 'db2'])
    expect((await team.put('/plan/kept-monitors', { monitor_ids: servers })).body.errors).toEqual({
      monitor_ids: ['The plan allows 2 servers.'],
    })
    await team.delete(`/agent-monitors/${servers[0]}`)
    expect(await heldOf(team)).toEqual(['backup'])
    await limit({ cron_heartbeats: true })
    expect(await heldOf(team)).toEqual([])
  })

  test('the preview of a plan names the same as the change to it holds', async () => {
    const team = await given.tenant({ plan: 'pro' })
    for (const name of ['db1', 'db2']) await made(team.post('/agent-monitors', { name }))
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await made(team.post('/monitors', site(name)))
    await made(
      team.post('/notification-channels', {
        name: 'Ops',
        type: 'slack',
        config: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
      }),
    )
    const { body } = await team.get('/billing/plan-preview?plan=free')
    expect(body.data).toMatchObject({
      over_limit: [
        { feature: 'monitors', current: 8, limit: 5 },
        { feature: 'agent_limit', current: 2, limit: 1 },
      ],
      monitors_on_hold: [{ name: 'f' }, { name: 'db2' }, { name: 'db1' }],
      monitors_on_hold_count: 3,
      channels_on_hold_count: 1,
    })
    const operator = await given.operator()
    expect((await operator.patch(`/tenants/${team.tenantId}`, { plan: 'free' })).status).toBe(200)
    expect(await heldOf(team)).toEqual(['db1', 'db2', 'f'])
  })
})

describe('what is read and people stay beyond a plan', () => {
  const day = 86_400_000
  const soon = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 16)

  test.each<{
    feature: string
    create: (team: CallerUnderTest, n: number) => Promise<Answer>
    path: string
    edit?: (team: CallerUnderTest, id: string) => Promise<Answer>
  }>([
    {
      feature: 'status_pages',
      create: (team, n) => team.post('/status-pages', { name: `Page ${n}`, slug: `p-${crypto.randomUUID()}` }),
      path: '/status-pages',
      edit: (team, id) => team.patch(`/status-pages/${id}`, { name: 'Renamed' }),
    },
    {
      feature: 'api_keys',
      create: (team, n) => team.post('/api-keys', { name: `Key ${n}`, scopes: ['monitors:read'] }),
      path: '/api-keys',
      edit: (team, id) => team.patch(`/api-keys/${id}`, { name: 'Renamed' }),
    },
    {
      feature: 'maintenance_windows',
      create: (team, n) =>
        team.post('/maintenance-windows', {
          ...{ title: `Window ${n}`, starts_at: soon(n + 1), duration_minutes: 60, timezone: 'UTC' },
          scope: { all: true },
        }),
      path: '/maintenance-windows',
      edit: (team, id) => team.patch(`/maintenance-windows/${id}`, { title: 'Renamed', starts_at: soon(9) }),
    },
    {
      feature: 'escalation_policies',
      create: (team, n) =>
        team.post('/escalation-policies', {
          name: `Policy ${n}`,
          steps: [{ delay_minutes: 1, targets: [{ type: 'user', id: team.userId }] }],
        }),
      path: '/escalation-policies',
      edit: (team, id) => team.patch(`/escalation-policies/${id}`, { name: 'Renamed' }),
    },
    {
      feature: 'pending_invitations',
      create: team => team.post('/invitations', { email: `${crypto.randomUUID()}@people.test`, role: 'member' }),
      path: '/invitations',
      edit: (team, id) => team.post(`/invitations/${id}/resend`),
    },
  ])('$feature: no create, but edits and deletes', async ({ feature, create, path, edit }) => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const ids = []
    for (const n of [0, 1, 2]) ids.push(await made(create(team, n)))
    await reseller.put(`${team.path}/feature-overrides`, { overrides: { [feature]: 1 } })
    expect((await team.get('/plan')).body.data.over_limit).toEqual([feature])
    const refused = await create(team, 3)
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([422, 'plan_limit', feature])
    const edited = await edit?.(team, ids[0]!)
    if (edited) expect(edited.status, JSON.stringify(edited.body)).toBe(200)
    expect((await team.delete(`${path}/${ids[2]}`)).status).toBe(204)
    expect((await create(team, 3)).status).toBe(422)
    expect((await team.delete(`${path}/${ids[1]}`)).status).toBe(204)
    expect((await team.get('/plan')).body.data.over_limit).toEqual([])
    expect((await create(team, 3)).body.quota).toBe(feature)
    expect((await team.delete(`${path}/${ids[0]}`)).status).toBe(204)
    expect((await create(team, 3)).status).toBe(201)
  })

  test('team_members: roles change, people leave, no other person joins by an invitation that is open', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const [anna, ben] = [await given.colleague(team, 'member'), await given.colleague(team, 'member')]
    await reseller.put(`${team.path}/feature-overrides`, { overrides: { team_members: 1 } })
    expect((await team.get('/plan')).body.data.over_limit).toEqual(['team_members'])
    expect((await team.patch(`/members/${anna.userId}`, { role: 'viewer' })).status).toBe(200)
    const invited = await team.post('/invitations', { email: `${crypto.randomUUID()}@people.test`, role: 'member' })
    expect([invited.status, invited.body.quota]).toEqual([422, 'team_members'])
    expect((await team.delete(`/members/${ben.userId}`)).status).toBe(204)
    expect((await team.delete(`/members/${anna.userId}`)).status).toBe(204)
    expect((await team.get('/plan')).body.data.over_limit).toEqual([])
  })
})

describe('the mail of a trial’s end', () => {
  const trialOf = async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const endsAt = new Date(Date.now() + 10 * 86_400_000)
    await platform.query('update managed_teams set trial_ends_at = $2 where id = $1', [team.id, endsAt])
    return { team, endsAt }
  }

  test('names what is on hold and what there is more of than the plan allows', async () => {
    const { team, endsAt } = await trialOf()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await made(team.post('/monitors', site(name)))
    await made(team.post('/agent-monitors', { name: 'db1' }))
    for (const n of [0, 1])
      await made(team.post('/status-pages', { name: `Page ${n}`, slug: `p-${crypto.randomUUID()}` }))
    await given.colleague(team, 'member')
    await advanceTrial(platform, team.id, endsAt, calendarAt(new Date(endsAt.getTime() - 86_400_000)))
    await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))
    const [ending, expired, ...others] = await mailsOf(team)
    expect(others).toEqual([])
    const beyond = {
      monitors_on_hold: 2,
      monitor_names: ['db1', 'f'],
      channels_on_hold: 0,
      channel_names: [],
      over_limit: [
        { feature: 'team_members', current: 2, limit: 1 },
        { feature: 'status_pages', current: 2, limit: 1 },
      ],
    }
    expect(ending).toMatchObject({ type: 'trial_ending', data: beyond })
    expect(expired).toMatchObject({ type: 'trial_expired', data: beyond })
  })

  test('has nothing to say of that where the team is within the plan', async () => {
    const { team, endsAt } = await trialOf()
    await made(team.post('/monitors', site('a')))
    await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))
    expect(
      (await mailsOf(team)).map(({ data }) => [data.monitors_on_hold, data.channels_on_hold, data.over_limit]),
    ).toEqual([[0, 0, []]])
  })
})
