import { describe, expect, test } from 'vitest'
import type { State } from '#control-plane/engine/state/rules.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { visit } from '#test/control-plane/publishing/status-pages/served.ts'
import { given } from '#test/support/app.ts'
import { agree, aWatchedTeam, ways, within } from './watched.ts'

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
