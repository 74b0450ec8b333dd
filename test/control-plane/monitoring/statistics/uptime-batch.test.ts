import { randomUUID } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { aMonitor, minutesAgo, spans, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { CallerUnderTest, given } from '#test/support/app.ts'

const path = '/monitors/uptime-batch'
const judgements = ['up_s', 'warning_s', 'downtime_s', 'maintenance_s', 'paused_s', 'no_data_s'] as const
const daysAgo = (days: number) => minutesAgo(days * 24 * 60)

async function read(caller: CallerUnderTest, body: object) {
  const answer = await caller.post(path, body)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const idsOf = (data: { monitors: { monitor_id: string }[] }) => data.monitors.map(({ monitor_id }) => monitor_id)

describe('POST /monitors/uptime-batch', () => {
  test('reads each day as GET /monitors/{monitor}/uptime does, maintenance included', async () => {
    const team = await given.tenant()
    const monitor = await aMonitor(team)
    await verdicts(team, monitor, [
      [daysAgo(5), 'up'],
      [daysAgo(3), 'warning'],
      [daysAgo(2.5), 'down'],
      [daysAgo(2), 'up'],
      [daysAgo(1.2), 'paused'],
      [daysAgo(1.1), 'up'],
    ])
    await spans(team, monitor, [{ from: daysAgo(2.2).getTime(), to: daysAgo(1.9).getTime() }])
    const batch = await read(team, { monitor_ids: [monitor.id], days: 7 })
    expect(batch).toMatchObject({ timezone: 'UTC', formula_version: 3 })
    const { body } = await team.get(`/monitors/${monitor.id}/uptime?from=${batch.dates[0]}`)
    const [read7] = batch.monitors
    expect(body.data.days.map(({ date }: { date: string }) => date)).toEqual(batch.dates)
    expect(read7.uptime_pct).toBeCloseTo(body.data.uptime_pct, 2)
    // the last day goes on between the two calls
    for (const name of judgements)
      expect(read7[name].slice(0, -1)).toEqual(
        body.data.days.slice(0, -1).map((day: Record<string, number>) => day[name]),
      )
    expect(read7.maintenance_s.reduce((sum: number, s: number) => sum + s, 0)).toBeCloseTo(0.3 * 86_400, -1)
    expect(read7.paused_s.reduce((sum: number, s: number) => sum + s, 0)).toBeCloseTo(0.1 * 86_400, -1)
  })

  test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kathmandu'])(
    'cuts ninety days at the midnights of %s, whatever their length',
    async timezone => {
      const team = await given.tenant()
      const monitor = await aMonitor(team)
      await verdicts(team, monitor, [[daysAgo(200), 'up']])
      const { dates, monitors, ...rest } = await read(team, { monitor_ids: [monitor.id], days: 90, timezone })
      expect(rest.timezone).toBe(timezone)
      expect(dates).toHaveLength(90)
      const lengths = dates.slice(0, -1).map((date: string) => {
        const day = Temporal.PlainDate.from(date)
        return (
          (day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds -
            day.toZonedDateTime(timezone).epochMilliseconds) /
          1_000
        )
      })
      expect(monitors[0].up_s.slice(0, -1)).toEqual(lengths)
      const today = Temporal.PlainDate.from(dates.at(-1)).toZonedDateTime(timezone).epochMilliseconds
      expect(monitors[0].up_s.at(-1)).toBe(Math.floor((Date.parse(rest.to) - today) / 1_000))
    },
  )

  test('takes the zone of the person who asks, and UTC for a key', async () => {
    const team = await given.tenant()
    const monitor = await aMonitor(team)
    expect((await team.patch('/profile', { timezone: 'Asia/Tokyo' })).status).toBe(200)
    const asked = { monitor_ids: [monitor.id] }
    const own = await read(team, asked)
    expect([own.timezone, own.dates.length]).toEqual(['Asia/Tokyo', 30])
    const service = new CallerUnderTest(team.tenantId, null, null)
    const key = await given.token(service, 'svc', ['monitors:read'])
    expect((await read(key, asked)).timezone).toBe('UTC')
  })

  test('leaves out unknown monitors and those of others, and lists each once in the order named', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [first, second, foreign] = [await aMonitor(team), await aMonitor(team), await aMonitor(other)]
    const named = [second.id, foreign.id, randomUUID(), first.id, second.id.toUpperCase()]
    const data = await read(team, { monitor_ids: named, days: 1 })
    expect(idsOf(data)).toEqual([second.id, first.id])
    const whole = Math.floor((Date.parse(data.to) - Date.parse(data.from)) / 1_000)
    expect(data.monitors[0]).toMatchObject({ uptime_pct: null, up_s: [0], no_data_s: [whole] })
  })

  test('answers a reseller for all its teams, or for the team in its path alone', async () => {
    const [reseller, stranger] = [await given.reseller(), await given.reseller()]
    const [one, two] = [await given.team(reseller), await given.team(reseller)]
    const foreign = await given.team(stranger)
    const ids: string[] = []
    for (const team of [one, two, foreign]) ids.push((await aMonitor(team)).id)
    expect(idsOf(await read(reseller, { monitor_ids: ids }))).toEqual(ids.slice(0, 2))
    const { body } = await reseller.post(`${two.path}${path}`, { monitor_ids: ids })
    expect(idsOf(body.data)).toEqual([ids[1]])
  })

  test('takes 200 monitors and 90 days, and names the field that is beyond', async () => {
    const team = await given.tenant()
    const ids = Array.from({ length: 201 }, () => randomUUID())
    expect((await read(team, { monitor_ids: ids.slice(0, 200), days: 90 })).monitors).toEqual([])
    const [monitor_ids] = [[ids[0]]]
    for (const [body, field] of [
      [{ monitor_ids: ids }, 'monitor_ids'],
      [{ monitor_ids: [] }, 'monitor_ids'],
      [{ monitor_ids: ['nonsense'] }, 'monitor_ids.0'],
      [{ monitor_ids, days: 91 }, 'days'],
      [{ monitor_ids, days: 0 }, 'days'],
      [{ monitor_ids, days: 1.5 }, 'days'],
      [{ monitor_ids, timezone: 'Mars/Olympus' }, 'timezone'],
      [{ monitor_ids, timezone: '+02:00' }, 'timezone'],
    ] as const) {
      const answer = await team.post(path, body)
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    }
  })
})
