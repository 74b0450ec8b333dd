import { describe, expect, test } from 'vitest'
import type { State } from '#control-plane/engine/state/rules.ts'
import { statusOfState } from '#control-plane/engine/state/state.ts'
import { aWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { aMonitor, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { aPublished, visit } from '#test/control-plane/publishing/status-pages/served.ts'
import { app, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services

/** All of them follow within five seconds, where the machine has nothing else to do. */
const within = { timeout: 20_000, interval: 200 }

/** A team of a reseller with one monitor, which is up, and a page of it alone. */
async function aWatchedTeam() {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'pro' })
  const monitor = await aMonitor(team)
  await verdicts(team, monitor, [[minutesAgo(600), 'up']])
  const page = await aPublished(team)
  await addTo(team, `${page.id}/components`, { name: 'Shop', type: 'monitor', monitor_id: monitor.id })
  const window = await aWindow(team, { scope: { monitor_ids: [monitor.id] } })
  return { reseller, team, monitor, page, window: `/maintenance-windows/${window.id}` }
}
type Watched = Awaited<ReturnType<typeof aWatchedTeam>>

const store = (monitor: { id: string; check: string }, fields: Record<string, unknown>) =>
  platform.query(`update monitors set ${Object.keys(fields).map((name, n) => `${name} = $${n + 2}`)} where id = $1`, [
    monitor.id,
    ...Object.values(fields),
  ])
const judge = async ({ monitor }: Watched, status: string) => {
  await platform.query('update checks set verdict = $2 where id = $1', [monitor.check, status])
  await store(monitor, { status, status_changed_at: new Date(), coverage: 'full', coverage_since: new Date() })
}

/** The ways into a state and out of it, from up. */
const ways: Record<Exclude<State, 'deleted'>, { into(of: Watched): unknown; out(of: Watched): unknown }> = {
  up: { into: () => undefined, out: () => undefined },
  down: { into: of => judge(of, 'down'), out: of => judge(of, 'up') },
  degraded: { into: of => judge(of, 'warning'), out: of => judge(of, 'up') },
  unknown: {
    into: ({ monitor }) => store(monitor, { coverage: 'none', coverage_since: new Date() }),
    out: of => judge(of, 'up'),
  },
  maintenance: {
    into: ({ team, window }) => team.post(`${window}/start`),
    out: ({ team, window }) => team.post(`${window}/stop`),
  },
  disabled: {
    into: ({ team, monitor }) => team.post(`/monitors/${monitor.id}/disable`),
    out: ({ team, monitor }) => team.post(`/monitors/${monitor.id}/enable`),
  },
  on_hold: {
    into: ({ monitor }) => store(monitor, { held_by_plan: true, switched_at: new Date() }),
    out: ({ monitor }) => store(monitor, { held_by_plan: false, switched_at: new Date() }),
  },
  team_paused: {
    into: ({ reseller, team }) => reseller.post(`${team.path}/pause`, { reason: 'Invoice 4711 unpaid' }),
    out: ({ reseller, team }) => reseller.post(`${team.path}/unpause`),
  },
}

const componentOf = {
  up: 'operational',
  down: 'major_outage',
  degraded: 'degraded_performance',
  maintenance: 'under_maintenance',
}
const sentenceOf = {
  up: 'All systems operational',
  down: 'Major outage',
  degraded: 'Degraded performance',
  maintenance: 'Maintenance in progress',
}

/** What each surface says of a monitor in this state. */
function expectedOf(state: State) {
  const status = statusOfState[state]
  const one = (wanted: string | null) => (status === wanted ? 1 : 0)
  const measured = state as keyof typeof componentOf
  return {
    detail: { state, status },
    list: { state, status },
    byStatus: 1,
    byState: 1,
    dashboard: {
      total: 1,
      up: one('up'),
      down: one('down'),
      warning: one('warning'),
      paused: one('paused'),
      maintenance: one('maintenance'),
      pending: one(null),
    },
    summary: { monitors_up: one('up'), monitors_down: one('down') },
    listOfTeams: { monitors_up_count: one('up'), monitors_down_count: one('down') },
    overview: { total: 1, up: one('up'), down: one('down') },
    component: { status: componentOf[measured] ?? 'operational', no_data: componentOf[measured] === undefined },
    description: sentenceOf[measured] ?? 'No data at the moment',
    page: true,
    isBadgeDown: state === 'down',
  }
}

async function seenOf({ reseller, team, monitor, page }: Watched, state: State) {
  const data = async (caller: Pick<TeamUnderTest, 'get'>, path: string) => (await caller.get(path)).body.data
  const stated = ({ status, state }: { status: string | null; state: { state: State } }) => ({
    status,
    state: state.state,
  })
  const [detail, listed, byStatus, byState, stats, summary, teams, overview, json, html, badge] = await Promise.all([
    data(team, `/monitors/${monitor.id}`),
    data(team, '/monitors'),
    data(team, `/monitors?status=${statusOfState[state] ?? 'pending'}`),
    data(team, `/monitors?state=${state}`),
    data(team, '/dashboard/stats'),
    data(reseller, `${team.path}/summary`),
    data(reseller, '/reseller/managed-teams'),
    data(reseller, '/reseller/overview'),
    visit(`/status/${page.slug}/summary.json`),
    visit(`/status/${page.slug}`),
    given.stranger().get(`/api/badges/${monitor.id}`),
  ])
  const read = JSON.parse(json.text)
  const [{ status, no_data }] = read.components
  const { monitors_up, monitors_down } = summary
  const [{ monitors_up_count, monitors_down_count }] = teams
  return {
    detail: stated(detail),
    list: stated(listed[0]),
    byStatus: byStatus.length,
    byState: byState.length,
    dashboard: stats.monitors,
    summary: { monitors_up, monitors_down },
    listOfTeams: { monitors_up_count, monitors_down_count },
    overview: overview.monitors,
    component: { status, no_data },
    description: read.status.description,
    page: html.text.includes(read.status.description),
    isBadgeDown: badge.text.includes('down'),
  }
}

const agree = (of: Watched, state: State) =>
  expect.poll(() => seenOf(of, state), { ...within, message: state }).toEqual(expectedOf(state))

describe('every surface says the same of a monitor', () => {
  test.each(Object.entries(ways) as [State, (typeof ways)['up']][])(
    'in the state %s, and after it',
    async (state, { into, out }) => {
      const of = await aWatchedTeam()
      await agree(of, 'up')
      await into(of)
      await agree(of, state)
      await out(of)
      await agree(of, 'up')
    },
    90_000,
  )

  test.each<[State, State, State]>([
    ['down', 'maintenance', 'maintenance'],
    ['down', 'unknown', 'unknown'],
    ['unknown', 'disabled', 'disabled'],
    ['maintenance', 'disabled', 'disabled'],
    ['disabled', 'team_paused', 'team_paused'],
    ['down', 'team_paused', 'team_paused'],
    ['on_hold', 'maintenance', 'on_hold'],
  ])(
    'in the states %s and %s at once: %s',
    async (first, second, state) => {
      const of = await aWatchedTeam()
      await ways[first as keyof typeof ways].into(of)
      await ways[second as keyof typeof ways].into(of)
      await agree(of, state)
      await ways[second as keyof typeof ways].out(of)
      await agree(of, second === 'unknown' ? 'up' : first)
    },
    90_000,
  )

  test('of a deleted team, which no one sees any more', async () => {
    const of = await aWatchedTeam()
    await agree(of, 'up')
    const { name } = (await of.reseller.get(of.team.path)).body.data
    expect((await of.reseller.delete(of.team.path, { confirm_name: name })).status).toBeLessThan(300)
    await expect
      .poll(
        async () => ({
          page: (await visit(`/status/${of.page.slug}`)).status,
          json: (await visit(`/status/${of.page.slug}/summary.json`)).status,
          badge: (await given.stranger().get(`/api/badges/${of.monitor.id}`)).status,
          monitors: (await of.reseller.get('/reseller/overview')).body.data.monitors,
        }),
        within,
      )
      .toEqual({ page: 404, json: 404, badge: 404, monitors: { total: 0, up: 0, down: 0 } })
  }, 90_000)
})

test('a monitor says since when, why and by whom its state can be changed', async () => {
  const of = await aWatchedTeam()
  const stateNow = async () => (await of.team.get(`/monitors/${of.monitor.id}`)).body.data.state
  expect(await stateNow()).toMatchObject({ state: 'up', why: null, cause: null, changed_by: 'checks' })
  await ways.team_paused.into(of)
  expect(await stateNow()).toMatchObject({
    state: 'team_paused',
    why: 'The team is paused: Invoice 4711 unpaid',
    cause: 'team_paused',
    changed_by: 'reseller',
  })
  expect(Date.now() - Date.parse((await stateNow()).since)).toBeLessThan(30_000)
  await ways.team_paused.out(of)
  await ways.on_hold.into(of)
  expect(await stateNow()).toMatchObject({ state: 'on_hold', cause: 'over_plan', changed_by: 'administrator' })
})

test('a page of two components, of which one is paused, does not call all systems operational', async () => {
  const of = await aWatchedTeam()
  const other = await aMonitor(of.team, { name: 'Other' })
  await addTo(of.team, `${of.page.id}/components`, { name: 'Other', type: 'monitor', monitor_id: other.id })
  await of.team.post(`/monitors/${other.id}/disable`)
  const said = async () => JSON.parse((await visit(`/status/${of.page.slug}/summary.json`)).text).status.description
  await expect.poll(said, within).toBe('1 of 2 components is not monitored')
  expect((await visit(`/status/${of.page.slug}`)).text).toContain('1 of 2 components is not monitored')
  await of.team.post(`/monitors/${of.monitor.id}/disable`)
  await expect.poll(said, within).toBe('No data at the moment')
})
