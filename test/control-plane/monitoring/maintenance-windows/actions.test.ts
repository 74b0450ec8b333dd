import { describe, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { aWindow, maintenanceEvents, minutesFromNow } from './windows.ts'

const path = '/maintenance-windows'
const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000

describe('a maintenance window', () => {
  test('that is started by hand lasts its whole duration, and is over when it is stopped', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { duration_minutes: 90 })
    const started = (await team.post(`${path}/${id}/start`)).body.data
    expect(started.state).toBe('active')
    expect(minutesBetween(started.actual_started_at, started.next_ends_at)).toBe(90)
    const stopped = (await team.post(`${path}/${id}/stop`)).body.data
    expect(stopped).toMatchObject({ state: 'completed', next_starts_at: null, next_ends_at: null })
    expect(stopped.actual_ended_at >= started.actual_started_at).toBe(true)
    expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.ended'])
  })

  test('that recurs and was started early does not take place a second time', async () => {
    const team = await given.tenant()
    const soon = { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(60) }
    const before = await aWindow(team, soon)
    await team.post(`${path}/${before.id}/start`)
    const stopped = (await team.post(`${path}/${before.id}/stop`)).body.data
    expect(stopped.state).toBe('scheduled')
    expect(minutesBetween(before.next_starts_at, stopped.next_starts_at)).toBe(1_440)
  })

  test('that recurs is completed after its last occurrence', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY;COUNT=1' })
    await team.post(`${path}/${id}/start`)
    expect((await team.post(`${path}/${id}/stop`)).body.data.state).toBe('completed')
  })

  test('is extended while it is active, to the longest duration', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team)
    const extend = (minutes: number) => team.post(`${path}/${id}/extend`, { minutes })
    expect((await extend(5)).body.code).toBe('window_not_active')
    const started = (await team.post(`${path}/${id}/start`)).body.data
    const extended = (await extend(30)).body.data
    expect(minutesBetween(started.actual_started_at, extended.next_ends_at)).toBe(90)
    const tooLong = await extend(43_111)
    expect([tooLong.status, Object.keys(tooLong.body.errors)]).toEqual([422, ['minutes']])
    expect((await extend(43_110)).status).toBe(200)
    for (const minutes of [0, 43_201, 1.5]) expect((await extend(minutes)).status, `${minutes}`).toBe(422)
  })

  test('is cancelled only before it starts', async () => {
    const team = await given.tenant()
    const [one, other] = [await aWindow(team), await aWindow(team)]
    expect((await team.post(`${path}/${one.id}/cancel`)).body.data).toMatchObject({
      state: 'cancelled',
      next_starts_at: null,
    })
    await team.post(`${path}/${other.id}/start`)
    const { status, body } = await team.post(`${path}/${other.id}/cancel`)
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'window_active', ['state']])
    expect((await maintenanceEvents(team)).filter(name => name === 'maintenance.cancelled')).toHaveLength(1)
  })

  test('changes its state once for fifty callers', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team)
    const atOnce = async (action: string) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => team.post(`${path}/${id}/${action}`)))
      return Object.entries(Object.groupBy(answers, answer => answer.body.code ?? answer.status)).map(
        ([outcome, some]) => `${some?.length} ${outcome}`,
      )
    }
    expect((await atOnce('start')).sort()).toEqual(['1 200', '49 window_active'])
    expect((await atOnce('stop')).sort()).toEqual(['1 200', '49 window_over'])
    expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.ended'])
  })
})
