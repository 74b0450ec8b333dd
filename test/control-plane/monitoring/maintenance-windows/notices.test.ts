import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { app, given } from '#test/support/app.ts'
import { aWindow, minutesFromNow, newWindow } from './windows.ts'

const { platform, log, bounded } = app.services
const path = '/maintenance-windows'
const move = () => moveWindows({ platform, log, bounded })

// windows of other tests whose moment has come
beforeEach(move)

/** A team that an owner, an administrator and a member joined, of whom the first two get mails. */
async function aTeam() {
  const team = await given.tenant()
  for (const [role, language] of [
    ['owner', 'en'],
    ['admin', 'de'],
    ['member', 'en'],
  ]) {
    const id = randomUUID()
    await platform.query('insert into users (id, name, email, home_tenant_id, language) values ($1, $2, $3, $4, $5)', [
      id,
      role,
      `${id}@people.test`,
      team.tenantId,
      language,
    ])
    await platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [
      id,
      team.tenantId,
      role,
    ])
  }
  return team
}
type Team = Awaited<ReturnType<typeof aTeam>>

/** The occasions of a team's mails, each with its recipients. */
async function mails({ tenantId }: Team): Promise<string[]> {
  const { rows } = await platform.query<{ occasion: string; name: string; language: string }>(
    `select payload -> 'data' ->> 'occasion' as occasion, payload -> 'recipient' ->> 'name' as name,
       payload -> 'recipient' ->> 'language' as language
     from outbox where tenant_id = $1 and kind = 'mail' and name = 'maintenance'
       and payload -> 'recipient' ->> 'name' in ('owner', 'admin', 'member')`,
    [tenantId],
  )
  return rows.map(({ occasion, name, language }) => `${occasion} ${name} ${language}`).sort()
}
const each = (occasion: string) => [`${occasion} admin de`, `${occasion} owner en`]
const dueOf = async (window: string): Promise<number[]> => {
  const { rows } = await platform.query<{ minutes: number }>(
    `select (extract(epoch from starts_at - due_at) / 60)::int as minutes from maintenance_notices
     where window_id = $1 and kind = 'reminder' order by 1`,
    [window],
  )
  return rows.map(({ minutes }) => minutes)
}
const letPass = (window: string, minutes: number) =>
  platform.query(`update maintenance_notices set due_at = due_at - make_interval(mins => $2) where window_id = $1`, [
    window,
    minutes,
  ])

describe('mails about a maintenance window', () => {
  test('go to owners and administrators in their languages, on the occasions that were chosen', async () => {
    const team = await aTeam()
    const notify = { on_create: true, before_minutes: [], on_start: true, on_end: true }
    const window = await aWindow(team, { notify })
    expect(window.notify).toEqual(notify)
    await move()
    expect(await mails(team)).toEqual(each('scheduled'))
    await team.post(`${path}/${window.id}/start`)
    await move()
    await team.post(`${path}/${window.id}/stop`)
    await move()
    expect(await mails(team)).toEqual([...each('ended'), ...each('scheduled'), ...each('started')])
  })

  test('are not sent unless they were chosen', async () => {
    const team = await aTeam()
    const window = await aWindow(team)
    expect(window.notify).toEqual({ on_create: false, before_minutes: [], on_start: false, on_end: false })
    await team.post(`${path}/${window.id}/start`)
    await team.post(`${path}/${window.id}/stop`)
    await move()
    expect(await mails(team)).toEqual([])
  })

  test('remind once before a start, also where two processes send', async () => {
    const team = await aTeam()
    const { id } = await aWindow(team, {
      timezone: 'UTC',
      starts_at: minutesFromNow(100),
      notify: { before_minutes: [60, 30] },
    })
    expect(await dueOf(id)).toEqual([30, 60])
    await move()
    expect(await mails(team)).toEqual([])
    await letPass(id, 45)
    await Promise.all([move(), move(), move()])
    expect(await mails(team)).toEqual(each('reminder'))
    await letPass(id, 30)
    await Promise.all([move(), move(), move()])
    expect(await mails(team)).toEqual([...each('reminder'), ...each('reminder')].sort())
    expect(await dueOf(id)).toEqual([])
  })

  test('do not remind of a moment that has passed when the window is created or changed', async () => {
    const team = await aTeam()
    const soon = { timezone: 'UTC', starts_at: minutesFromNow(40) }
    const { id } = await aWindow(team, { ...soon, notify: { before_minutes: [10_080, 60, 5] } })
    expect(await dueOf(id)).toEqual([5])
    await team.patch(`${path}/${id}`, { notify: { before_minutes: [90, 30] } })
    expect(await dueOf(id)).toEqual([30])
    await team.patch(`${path}/${id}`, { starts_at: minutesFromNow(80) })
    expect(await dueOf(id)).toEqual([30])
    await team.patch(`${path}/${id}`, { starts_at: minutesFromNow(20_000) })
    expect(await dueOf(id)).toEqual([30, 90])
    await team.post(`${path}/${id}/cancel`)
    expect(await dueOf(id)).toEqual([])
    await move()
    expect(await mails(team)).toEqual([])
  })

  test('remind of each occurrence, and not of one that has begun already', async () => {
    const team = await aTeam()
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY', notify: { before_minutes: [15] } })
    await team.post(`${path}/${id}/start`)
    expect(await dueOf(id)).toEqual([])
    await team.post(`${path}/${id}/stop`)
    expect(await dueOf(id)).toEqual([15])
  })

  test('may be changed while the window is active', async () => {
    const team = await aTeam()
    const { id } = await aWindow(team)
    await team.post(`${path}/${id}/start`)
    expect((await team.patch(`${path}/${id}`, { notify: { on_end: true } })).status).toBe(200)
    await team.post(`${path}/${id}/stop`)
    await move()
    expect(await mails(team)).toEqual(each('ended'))
  })

  test.each([
    ['notify.before_minutes.0', [0]],
    ['notify.before_minutes.0', [10_081]],
    ['notify.before_minutes.0', [1.5]],
    ['notify.before_minutes', [5, 5]],
    ['notify.before_minutes', [1, 2, 3, 4, 5, 6]],
  ])('are refused with %s for %j', async (field, before_minutes) => {
    const team = await given.tenant()
    const { status, body } = await team.post(path, newWindow({ notify: { before_minutes } }))
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('are accepted at each limit', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { notify: { before_minutes: [1, 10_080, 3, 4, 5] } })
    expect((await team.get(`${path}/${id}`)).body.data.notify.before_minutes).toEqual([1, 10_080, 3, 4, 5])
  })
})
