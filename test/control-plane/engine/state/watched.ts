import { expect } from 'vitest'
import type { State } from '#control-plane/engine/state/rules.ts'
import { statusOfState } from '#control-plane/engine/state/state.ts'
import { aWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { aMonitor, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { aPublished, visit } from '#test/control-plane/publishing/status-pages/served.ts'
import { app, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services

/** All of them follow within five seconds, where the machine has nothing else to do. */
export const within = { timeout: 20_000, interval: 1_000 }

/** A team of a reseller with one monitor, which is up, and a page of it alone. */
export async function aWatchedTeam() {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'pro' })
  const monitor = await aMonitor(team)
  await verdicts(team, monitor, [[minutesAgo(600), 'up']])
  const page = await aPublished(team)
  await addTo(team, `${page.id}/components`, { name: 'Shop', type: 'monitor', monitor_id: monitor.id })
  return { reseller, team, monitor, page, windows: [] as string[] }
}
export type Watched = Awaited<ReturnType<typeof aWatchedTeam>>

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
export const ways: Record<Exclude<State, 'deleted'>, { into(of: Watched): unknown; out(of: Watched): unknown }> = {
  up: { into: () => undefined, out: () => undefined },
  down: { into: of => judge(of, 'down'), out: of => judge(of, 'up') },
  degraded: { into: of => judge(of, 'warning'), out: of => judge(of, 'up') },
  unknown: {
    into: ({ monitor }) => store(monitor, { coverage: 'none', coverage_since: new Date() }),
    out: of => judge(of, 'up'),
  },
  maintenance: {
    // one that was stopped is over
    into: async ({ team, monitor, windows }) => {
      const { id } = await aWindow(team, { scope: { monitor_ids: [monitor.id] } })
      windows.push(id)
      await team.post(`/maintenance-windows/${id}/start`)
    },
    out: ({ team, windows }) => team.post(`/maintenance-windows/${windows.pop()}/stop`),
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
  const data = async (caller: Pick<TeamUnderTest, 'get'>, path: string) => {
    const { status, body, text } = await caller.get(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return body.data
  }
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

export const agree = (of: Watched, state: State) =>
  expect.poll(() => seenOf(of, state), { ...within, message: state }).toEqual(expectedOf(state))
