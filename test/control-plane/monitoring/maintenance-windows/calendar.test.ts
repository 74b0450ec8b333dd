import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { vtimezone } from '#control-plane/monitoring/maintenance-windows/calendar-zone.ts'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aWindow, minutesFromNow } from './windows.ts'

const path = '/maintenance-windows/calendar'
const pathOf = (url: string) => new URL(url).pathname

test('the calendar has the windows that are to come, without a token', async () => {
  const team = await given.tenant()
  const once = await aWindow(team, { title: 'Once, with a comma', description: 'Line one\nLine two' })
  const monthly = await aWindow(team, {
    title: 'Monthly',
    rrule: 'FREQ=MONTHLY;BYDAY=-1SU',
    until: '2121-11-30T02:00',
    starts_at: '2120-11-24T02:00',
  })
  const cancelled = await aWindow(team, { title: 'Never' })
  await team.post(`/maintenance-windows/${cancelled.id}/cancel`)
  await aWindow(await given.tenant(), { title: 'Foreign' })
  const { status, body } = await team.post(path)
  expect(status).toBe(201)
  const { text, headers, ...read } = await given.stranger().get(pathOf(body.data.url))
  expect([read.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, no-cache',
  ])
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  expect(lines[0]).toBe('BEGIN:VCALENDAR')
  expect(lines.filter(line => line.startsWith('UID:'))).toEqual([`UID:${monthly.id}`, `UID:${once.id}`])
  expect(lines).toEqual(
    expect.arrayContaining([
      'SUMMARY:Once\\, with a comma',
      'DESCRIPTION:Line one\\nLine two',
      'DTSTART:21201129T010000Z',
      'DTEND:21201129T020000Z',
      'DTSTART;TZID=Europe/Berlin:21201124T020000',
      'DTEND;TZID=Europe/Berlin:21201124T030000',
      'RRULE:FREQ=MONTHLY;BYDAY=-1SU;UNTIL=21211130T010000Z',
      'TZID:Europe/Berlin',
      'DTSTART:21210330T020000',
    ]),
  )
  expect(text).not.toMatch(/Never|Foreign/)
  expect(lines.filter(line => line === 'BEGIN:VTIMEZONE')).toHaveLength(1)
})

/** Lines of the events of a team's calendar that say when, each with its property's name. */
async function timesOf(team: CallerUnderTest): Promise<string[]> {
  const { body } = await team.post(path)
  const { text } = await given.stranger().get(pathOf(body.data.url))
  const events = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1).join('')
  return events.split('\r\n').filter(line => /^(DTSTART|DTEND|EXDATE|RECURRENCE-ID|RRULE)/.test(line))
}
const utc = (name: string, moment: string) => `${name}:${moment.slice(0, 19).replace(/[-:]/g, '')}Z`
const later = (moment: string, days: number) => new Date(Date.parse(moment) + days * 86_400_000).toISOString()

test('an occurrence that began early has its real times in the calendar, while it runs and when it is over', async () => {
  const team = await given.tenant()
  const soon = { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(120) }
  const { id, next_starts_at: planned } = await aWindow(team, soon)
  expect(await timesOf(team)).toHaveLength(3)
  const started = (await team.post(`/maintenance-windows/${id}/start`)).body.data
  expect((await timesOf(team)).slice(3)).toEqual([
    utc('DTSTART', started.actual_started_at),
    utc('DTEND', started.next_ends_at),
    utc('RECURRENCE-ID', planned),
  ])
  const stopped = (await team.post(`/maintenance-windows/${id}/stop`)).body.data
  expect((await timesOf(team)).slice(3)).toEqual([
    utc('DTSTART', stopped.actual_started_at),
    utc('DTEND', stopped.actual_ended_at),
    utc('RECURRENCE-ID', planned),
  ])
  await team.patch(`/maintenance-windows/${id}`, { duration_minutes: 30 })
  expect((await timesOf(team)).slice(5)).toEqual([utc('RECURRENCE-ID', planned)])
  await team.patch(`/maintenance-windows/${id}`, { rrule: 'FREQ=DAILY;COUNT=9' })
  expect((await timesOf(team)).slice(2)).toEqual(['RRULE:FREQ=DAILY;COUNT=9', utc('EXDATE', planned)])
})

test('what an extension covers is left out of the calendar, until the window is stopped before', async () => {
  const team = await given.tenant()
  const daily = { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(60) }
  const { id, next_starts_at: planned } = await aWindow(team, daily)
  await team.post(`/maintenance-windows/${id}/start`)
  const extended = (await team.post(`/maintenance-windows/${id}/extend`, { minutes: 2 * 1_440 + 10 })).body.data
  expect((await timesOf(team)).slice(3)).toEqual([
    utc('EXDATE', later(planned, 1)),
    utc('EXDATE', later(planned, 2)),
    utc('DTSTART', extended.actual_started_at),
    utc('DTEND', extended.next_ends_at),
    utc('RECURRENCE-ID', planned),
  ])
  const stopped = (await team.post(`/maintenance-windows/${id}/stop`)).body.data
  expect(stopped.next_starts_at.slice(0, 19)).toBe(later(planned, 1).slice(0, 19))
  expect(await timesOf(team)).not.toContain(utc('EXDATE', later(planned, 1)))
  expect((await timesOf(team)).slice(-1)).toEqual([utc('RECURRENCE-ID', planned)])
})

test('a window that ended late by itself left out what it covered, in the API and in the calendar', async () => {
  const team = await given.tenant()
  const daily = { rrule: 'FREQ=DAILY', timezone: 'UTC', starts_at: minutesFromNow(-30) }
  const { id, next_starts_at: planned } = await aWindow(team, daily)
  await moveWindows(app.services)
  await app.services.platform.query(
    `update maintenance_windows set next_starts_at = next_starts_at - interval '3 days',
       actual_started_at = actual_started_at - interval '3 days', next_ends_at = clock_timestamp() where id = $1`,
    [id],
  )
  await moveWindows(app.services)
  const { data } = (await team.get(`/maintenance-windows/${id}`)).body
  expect(data.next_starts_at.slice(0, 19)).toBe(later(planned, 1).slice(0, 19))
  expect((await timesOf(team)).filter(line => /^(EXDATE|RECURRENCE)/.test(line))).toEqual([
    utc('EXDATE', planned),
    utc('RECURRENCE-ID', later(planned, -3)),
  ])
})

test('a first start that the clocks skip is moved alone in the calendar', async () => {
  const team = await given.tenant()
  await aWindow(team, { rrule: 'FREQ=DAILY', starts_at: '2120-03-31T02:30' })
  expect(await timesOf(team)).toEqual([
    'DTSTART;TZID=Europe/Berlin:21200331T023000',
    'DTEND;TZID=Europe/Berlin:21200331T033000',
    'RRULE:FREQ=DAILY',
    'DTSTART;TZID=Europe/Berlin:21200331T033000',
    'DTEND;TZID=Europe/Berlin:21200331T043000',
    'RECURRENCE-ID;TZID=Europe/Berlin:21200331T023000',
  ])
})

test('a zone is described by each change of its offset from the first start on', () => {
  const observances = (zone: string, first: string) =>
    [...vtimezone(zone, first).matchAll(/BEGIN:(\w+)\r\nDTSTART:(\w+)\r\nTZOFFSETFROM:(\S+)\r\nTZOFFSETTO:(\S+)/g)].map(
      match => match.slice(1).join(' '),
    )
  expect(observances('Europe/Berlin', '2026-11-01T02:00:00').slice(0, 3)).toEqual([
    'STANDARD 20261025T030000 +0200 +0100',
    'DAYLIGHT 20270328T020000 +0100 +0200',
    'STANDARD 20271031T030000 +0200 +0100',
  ])
  expect(observances('Australia/Lord_Howe', '2026-05-01T02:00:00').slice(0, 2)).toEqual([
    'STANDARD 20260405T020000 +1100 +1030',
    'DAYLIGHT 20261004T020000 +1030 +1100',
  ])
  expect(observances('Etc/UTC', '2026-05-01T02:00:00')).toEqual(['STANDARD 19700101T000000 +0000 +0000'])
})

test('a calendar ends with its address: when it is deleted, or another is made', async () => {
  const team = await given.tenant()
  const stranger = given.stranger()
  const [first, second] = [(await team.post(path)).body.data.url, (await team.post(path)).body.data.url]
  expect((await stranger.get(pathOf(first))).status).toBe(404)
  expect((await stranger.get(pathOf(second))).status).toBe(200)
  expect((await team.delete(path)).status).toBe(204)
  expect((await team.delete(path)).status).toBe(204)
  expect((await stranger.get(pathOf(second))).status).toBe(404)
  expect((await stranger.get(`/api/maintenance-calendars/${randomBytes(32).toString('base64url')}`)).status).toBe(404)
})

test('a window that cannot be read is left out of the calendar', async () => {
  const team = await given.tenant()
  const [broken, sound] = [await aWindow(team, { rrule: 'FREQ=DAILY' }), await aWindow(team)]
  await app.services.platform.query(`update maintenance_windows set timezone = 'Atlantis/Capital' where id = $1`, [
    broken.id,
  ])
  const { body } = await team.post(path)
  const { text } = await given.stranger().get(pathOf(body.data.url))
  expect(text).toContain(sound.id)
  expect(text).not.toContain(broken.id)
})
