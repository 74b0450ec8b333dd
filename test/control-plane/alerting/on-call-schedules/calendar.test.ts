import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const link = '/on-call-schedules/calendar'
const below = (url: string) => new URL(url).pathname
const userOf = (caller: CallerUnderTest) => caller.userId ?? ''
const dayMs = 86_400_000
const minuteOf = (ms: number) => new Date(ms).toISOString().slice(0, 16)

async function aSchedule() {
  const owner = await given.tenant()
  const colleague = await given.colleague(owner, 'viewer')
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const made = await owner.post('/on-call-schedules', {
    name: 'Operations; nights, "hot"\\cold',
    timezone: 'UTC',
    rotations: [
      {
        name: 'Primary',
        users: [userOf(owner), userOf(colleague)],
        handoff: 'daily',
        first_handoff_at: minuteOf(midnight),
      },
    ],
  })
  expect(made.status).toBe(201)
  return { owner, colleague, midnight, id: made.body.data.id as string }
}

const starts = (text: string) => [...text.matchAll(/^DTSTART:(\S+)/gm)].map(([, at]) => at)
const stampOf = (ms: number) => `${new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`

describe('the calendar of a person', () => {
  test('has the shifts of this person only, under a secret address that needs no other proof', async () => {
    const { colleague, midnight, id } = await aSchedule()
    expect((await colleague.get(link)).body).toEqual({ data: null })
    const made = await colleague.post(link)
    expect(made.status).toBe(200)
    const { status, headers, text } = await given.stranger().get(below(made.body.data.url))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/)
    expect(text).toMatch(/END:VCALENDAR(\r\n)?$/)
    expect(text).toContain('SUMMARY:On call: Operations\\; nights\\, "hot"\\\\cold')
    // every second day, beginning tomorrow
    expect(starts(text).slice(0, 3)).toEqual([1, 3, 5].map(day => stampOf(midnight + day * dayMs)))
    expect(starts(text)).toHaveLength(45)
    expect(text.replaceAll('\r\n ', '')).toContain(`UID:${id}-${colleague.userId}-${midnight + dayMs}`)
    expect((await colleague.get(link)).body.data).toEqual({ created_at: made.body.data.created_at })
  })

  test('a rotated, deleted or unknown address is not found', async () => {
    const { owner } = await aSchedule()
    const first = (await owner.post(link)).body.data.url
    const second = (await owner.post(link)).body.data.url
    expect(second).not.toBe(first)
    const stranger = given.stranger()
    expect((await stranger.get(below(first))).status).toBe(404)
    expect((await stranger.get(below(second))).status).toBe(200)
    expect((await owner.delete(link)).status).toBe(204)
    expect((await owner.delete(link)).status).toBe(204)
    expect((await stranger.get(below(second))).status).toBe(404)
    expect((await stranger.get(`/on-call-calendars/${'x'.repeat(43)}`)).status).toBe(404)
    expect((await stranger.get('/on-call-calendars/x')).status).toBeLessThan(500)
    expect((await app.audited(owner)).filter(action => action.startsWith('on_call_calendar'))).toEqual([
      'on_call_calendar.rotated',
      'on_call_calendar.rotated',
      'on_call_calendar.deleted',
    ])
  })

  test('only the hash of the address is stored', async () => {
    const { owner } = await aSchedule()
    const token = (await owner.post(link)).body.data.url.split('/').at(-1)
    const { rows } = await app.services.platform.query<{ row: string; hash: Buffer }>(
      'select c::text as row, token_hash as hash from on_call_calendars c where user_id = $1',
      [owner.userId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.hash).toHaveLength(32)
  })

  test('ends with the membership and with the team', async () => {
    const { owner, colleague } = await aSchedule()
    const [kept, left] = [(await owner.post(link)).body.data.url, (await colleague.post(link)).body.data.url]
    expect((await owner.delete(`/members/${colleague.userId}`)).status).toBe(204)
    expect((await given.stranger().get(below(left))).status).toBe(404)
    expect((await given.stranger().get(below(kept))).status).toBe(200)
    await app.services.platform.query('update tenants set deleted_at = now() where id = $1', [owner.tenantId])
    expect((await given.stranger().get(below(kept))).status).toBe(404)
  })

  test('a token of no person has none, and the plan must include schedules', async () => {
    const owner = await given.tenant()
    const key = await given.token({ ...owner, userId: null } as CallerUnderTest, 'svc', ['escalation:read'])
    expect(await key.post(link)).toMatchObject({ status: 403, body: { code: 'no_person' } })
    const small = await given.tenant({ plan: 'starter' })
    expect(await small.post(link)).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
  })
})
