import { expect, test } from 'vitest'
import { examineBudgets } from '#control-plane/monitoring/objectives/watch.ts'
import { aMonitor, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const slo = { target_pct: 99.9, window_days: 30 }
const minuteMs = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs)
const daysAgo = (days: number) => ago(days * 1_440)

const stateOf = async (monitor: { id: string }) =>
  (
    await platform.query<{ state: string; is_done: boolean }>(
      'select state, examine_at > clock_timestamp() as is_done from slo_states where monitor_id = $1',
      [monitor.id],
    )
  ).rows[0]

/** The state after an examination; another process may make it. */
async function examined(monitor: { id: string }): Promise<string | undefined> {
  await platform.query('update slo_states set examine_at = clock_timestamp() where monitor_id = $1', [monitor.id])
  await expect
    .poll(async () => {
      await examineBudgets(app.services)
      return (await stateOf(monitor))?.is_done
    })
    .toBe(true)
  return (await stateOf(monitor))?.state
}

const published = async (team: CallerUnderTest) =>
  (
    await platform.query(`select name, payload from outbox where tenant_id = $1 and name like 'slo.%' order by id`, [
      team.tenantId,
    ])
  ).rows

/** A monitor with an objective that was up for forty days. */
async function aKept(team: CallerUnderTest) {
  const monitor = await aMonitor(team)
  await verdicts(team, monitor, [[daysAgo(40), 'up']])
  expect((await team.patch(`/monitors/${monitor.id}`, { slo })).status).toBe(200)
  return monitor
}

test('a budget that is used fast, then used up, then regained, is published each time once', async () => {
  const team = await given.tenant()
  const monitor = await aKept(team)
  expect(await examined(monitor)).toBe('kept')
  expect(await published(team)).toEqual([])

  await verdicts(team, monitor, [
    [ago(15), 'down'],
    [ago(5), 'up'],
  ])
  for (const _ of [1, 2]) expect(await examined(monitor)).toBe('burning')
  const [burning, ...others] = await published(team)
  expect(others).toEqual([])
  expect(burning).toMatchObject({
    name: 'slo.budget_burning',
    payload: { monitor_id: monitor.id, ...slo, budget_s: 2_592, used_s: 600, left_s: 1_992, left_pct: 76.85 },
  })
  expect(burning.payload.burn_rate_1h).toBeGreaterThan(100)

  await verdicts(team, monitor, [
    [ago(120), 'down'],
    [ago(80), 'up'],
  ])
  for (const _ of [1, 2]) expect(await examined(monitor)).toBe('exhausted')
  expect((await published(team))[1]).toMatchObject({
    name: 'slo.budget_exhausted',
    payload: { used_s: 3_000, left_s: 0, left_pct: 0 },
  })

  for (const table of ['verdict_changes', 'monitor_changes'])
    await platform.query(`delete from ${table} where monitor_id = $1 and at > $2`, [monitor.id, ago(30)])
  expect(await examined(monitor)).toBe('burning')
  expect(await published(team)).toHaveLength(2)

  for (const table of ['verdict_changes', 'monitor_changes'])
    await platform.query(`delete from ${table} where monitor_id = $1 and at > $2`, [monitor.id, daysAgo(1)])
  for (const _ of [1, 2]) expect(await examined(monitor)).toBe('kept')
  expect((await published(team)).map(({ name }) => name)).toEqual([
    'slo.budget_burning',
    'slo.budget_exhausted',
    'slo.budget_recovered',
  ])
})

test('what was used before an objective was set is not published, and an objective that ended is not examined', async () => {
  const team = await given.tenant()
  const monitor = await aMonitor(team)
  await verdicts(team, monitor, [
    [daysAgo(40), 'up'],
    [ago(600), 'down'],
    [ago(10), 'up'],
  ])
  await team.patch(`/monitors/${monitor.id}`, { slo })
  expect(await examined(monitor)).toBe('exhausted')
  await team.patch(`/monitors/${monitor.id}`, { slo: { ...slo, target_pct: 99.99 } })
  expect((await stateOf(monitor))?.state).toBe('unknown')
  expect(await examined(monitor)).toBe('exhausted')
  await team.patch(`/monitors/${monitor.id}`, { notes: 'Other fields leave it.' })
  expect((await stateOf(monitor))?.state).toBe('exhausted')
  await team.patch(`/monitors/${monitor.id}`, { slo: null })
  expect(await stateOf(monitor)).toBeUndefined()
  expect(await published(team)).toEqual([])
})

test('a rule can send each of them to a channel', async () => {
  const team = await given.tenant()
  for (const event of ['slo.budget_burning', 'slo.budget_exhausted', 'slo.budget_recovered']) {
    const channel = { type: 'webhook', name: event, config: { url: 'https://hooks.example.com/x' } }
    const made = (await team.post('/notification-channels', { ...channel, notify_all: false })).body.data
    const rule = await team.post('/notification-rules', { channel_id: made.id, event_types: [event] })
    expect([event, rule.status]).toEqual([event, 201])
  }
})
