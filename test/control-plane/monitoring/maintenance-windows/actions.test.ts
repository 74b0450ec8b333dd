import { describe, expect, test } from 'vitest'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
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

describe('a window whose last monitor is deleted', () => {
  const end = async (changes: (ids: string[]) => Record<string, unknown>, verb: 'start' | null) => {
    const team = await given.tenant()
    const ids: string[] = []
    for (const name of ['one', 'two'])
      ids.push(
        (await team.post('/monitors', { name, url: `https://${name}.example.com/`, tags: ['web'] })).body.data.id,
      )
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY', ...changes(ids) })
    if (verb) expect((await team.post(`/maintenance-windows/${id}/${verb}`)).status).toBe(200)
    const states: string[] = []
    for (const monitor of ids) {
      expect((await team.delete(`/monitors/${monitor}`)).status).toBe(204)
      states.push((await team.get(`/maintenance-windows/${id}`)).body.data.state)
    }
    return { team, states }
  }

  test('is cancelled with all its occurrences, or over if it is active', async () => {
    const scheduled = await end(ids => ({ scope: { monitor_ids: ids } }), null)
    expect(scheduled.states).toEqual(['scheduled', 'cancelled'])
    expect(await maintenanceEvents(scheduled.team)).toEqual(['maintenance.scheduled', 'maintenance.cancelled'])
    expect(await app.audited(scheduled.team)).toContain('maintenance_window.cancelled')
    const active = await end(ids => ({ scope: { monitor_ids: ids } }), 'start')
    expect(active.states).toEqual(['active', 'completed'])
    expect((await maintenanceEvents(active.team)).at(-1)).toBe('maintenance.ended')
  })

  test('goes on if it covers monitors by a tag, or all', async () => {
    for (const scope of [{ tags: ['web'] }, { all: true }])
      expect((await end(() => ({ scope }), null)).states).toEqual(['scheduled', 'scheduled'])
  })
})

describe('what is over of a window that recurs does not start again', () => {
  const edits = {
    duration_minutes: 45,
    until: '2120-11-29T02:00',
    rrule: 'FREQ=DAILY;INTERVAL=1',
    timezone: 'Etc/GMT+1',
  }
  const round = () => moveWindows(app.services)
  const read = async (team: CallerUnderTest, id: string) => (await team.get(`${path}/${id}`)).body.data
  const hoursFromNow = (moment: string) => (Date.parse(moment) - app.services.clock.nowMs()) / 3_600_000

  test.each([...Object.entries(edits), ['starts_at', minutesFromNow(-5)]])(
    'when it was stopped and %s changes',
    async (field, value) => {
      const team = await given.tenant()
      const { id } = await aWindow(team, { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(-10) })
      await round()
      expect((await read(team, id)).state).toBe('active')
      await team.post(`${path}/${id}/stop`)
      const { status, body } = await team.patch(`${path}/${id}`, { [field]: value })
      expect([status, body.data.state]).toEqual([200, 'scheduled'])
      expect(hoursFromNow(body.data.next_starts_at)).toBeGreaterThan(20)
      await round()
      expect((await read(team, id)).state).toBe('scheduled')
      const events = await maintenanceEvents(team)
      expect(events.slice(0, 3)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.ended'])
      const isMoved = field === 'timezone' || field === 'starts_at'
      expect(events.slice(3)).toEqual(isMoved ? ['maintenance.scheduled'] : [])
    },
  )

  test.each([...Object.entries(edits), ['starts_at', minutesFromNow(50).replace(/^\d{4}-\d\d-\d\d/, '2026-01-01')]])(
    'when an early start used it up and %s changes',
    async (field, value) => {
      const team = await given.tenant()
      const soon = { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(60) }
      const before = await aWindow(team, soon)
      await team.post(`${path}/${before.id}/start`)
      await team.post(`${path}/${before.id}/stop`)
      const { status, body } = await team.patch(`${path}/${before.id}`, { [field]: value })
      expect(status).toBe(200)
      expect(minutesBetween(before.next_starts_at, body.data.next_starts_at)).toBeGreaterThan(1_380)
      const again = await team.patch(`${path}/${before.id}`, { duration_minutes: 30 })
      expect(again.body.data.next_starts_at).toBe(body.data.next_starts_at)
    },
  )

  test('when it ended by itself and changes, or its rule could not be read meanwhile', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(-10) })
    await round()
    await app.services.platform.query(`update maintenance_windows set rrule = 'FREQ=NEVER' where id = $1`, [id])
    expect((await team.post(`${path}/${id}/stop`)).body.data).toMatchObject({
      state: 'scheduled',
      next_starts_at: null,
    })
    const { status, body } = await team.patch(`${path}/${id}`, { rrule: 'FREQ=DAILY' })
    expect([status, hoursFromNow(body.data.next_starts_at) > 20]).toEqual([200, true])
    await round()
    expect((await read(team, id)).state).toBe('scheduled')
    await team.post(`${path}/${id}/start`)
    await app.services.platform.query(
      `update maintenance_windows set next_ends_at = clock_timestamp() - interval '1 millisecond' where id = $1`,
      [id],
    )
    await round()
    const next = (await read(team, id)).next_starts_at
    expect(hoursFromNow(next)).toBeGreaterThan(44)
    expect((await team.patch(`${path}/${id}`, { duration_minutes: 90 })).body.data.next_starts_at).toBe(next)
  })

  test('but a new first start that lies ahead counts', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(-10) })
    await round()
    await team.post(`${path}/${id}/stop`)
    const ahead = minutesFromNow(20)
    const { body } = await team.patch(`${path}/${id}`, { starts_at: ahead })
    expect(body.data.next_starts_at).toBe(`${ahead}.000000Z`)
    const again = await team.patch(`${path}/${id}`, { duration_minutes: 45 })
    expect(again.body.data.next_starts_at).toBe(body.data.next_starts_at)
  })
})
