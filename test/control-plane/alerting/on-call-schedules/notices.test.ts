import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newGaps } from '#control-plane/alerting/on-call-schedules/notices/gaps.ts'
import { examineSchedules } from '#control-plane/alerting/on-call-schedules/notices/watch.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPersonIn } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const minutes = (ms: number) => new Date(ms).toISOString().slice(0, 16)

const aTeam = () => given.tenant({ plan: 'pro' })
/** A schedule that one person has from a week ago until `ends` hours from now. */
const aSchedule = async (owner: CallerUnderTest, user: string, ends: number | null) => {
  const week = {
    name: 'Week',
    handoff: 'weekly',
    first_handoff_at: minutes(Date.now() - 7 * dayMs),
    users: [user],
    ...(ends !== null && { ends_at: new Date(Date.now() + ends * hourMs).toISOString() }),
  }
  const made = await owner.post('/on-call-schedules', { name: 'Primary', timezone: 'UTC', rotations: [week] })
  expect(made.status).toBe(201)
  return made.body.data.id as string
}
/** Another process may examine it as well; this returns once it is examined. */
async function examined(schedule: string): Promise<void> {
  await expect
    .poll(async () => {
      await examineSchedules(app.services)
      const { rows } = await platform.query('select 1 from on_call_schedules where id = $1 and watch_at > now()', [
        schedule,
      ])
      return rows.length
    })
    .toBe(1)
}
const again = async (schedule: string) => {
  await platform.query('update on_call_schedules set watch_at = now() where id = $1', [schedule])
  await examined(schedule)
}
const sent = async (team: { tenantId: string }, name: string) =>
  (await mailsOf(team)).filter(({ type }) => type === name)
const published = async (team: { tenantId: string }) =>
  (
    await platform.query(`select payload from outbox where tenant_id = $1 and name = 'on_call.gap_found' order by id`, [
      team.tenantId,
    ])
  ).rows.map(({ payload }) => payload)
const cover = (owner: CallerUnderTest, schedule: string, user: string, from: number, to: number) =>
  owner.post(`/on-call-schedules/${schedule}/overrides`, {
    user_id: user,
    starts_at: new Date(Date.now() + from).toISOString(),
    ends_at: new Date(Date.now() + to).toISOString(),
  })

describe('gaps', () => {
  test('are the same if they overlap or touch', () => {
    const warned = [{ from: 10, to: 20 }]
    expect(
      newGaps(
        [
          { from: 20, to: 30 },
          { from: 5, to: 40 },
        ],
        warned,
      ),
    ).toEqual([])
    expect(
      newGaps(
        [
          { from: 21, to: 30 },
          { from: 1, to: 9 },
        ],
        warned,
      ),
    ).toEqual([
      { from: 21, to: 30 },
      { from: 1, to: 9 },
    ])
  })

  test('of the next seven days are warned of once, by mail to the administrators and by event', async () => {
    const owner = await aTeam()
    const [admin, member] = [await aPersonIn(owner.tenantId, 'admin'), await aPersonIn(owner.tenantId)]
    const schedule = await aSchedule(owner, member.userId!, 48)
    for (let time = 0; time < 3; time++) await again(schedule)
    const mails = await sent(owner, 'on_call_gap')
    expect(mails.map(({ recipient }) => recipient.email)).toContain(admin.email)
    expect(mails.map(({ recipient }) => recipient.email)).not.toContain(member.email)
    expect(new Set(mails.map(({ recipient }) => recipient.email)).size).toBe(mails.length)
    expect(await published(owner)).toMatchObject([{ schedule_id: schedule, schedule_name: 'Primary', timezone: 'UTC' }])

    // an override in the middle makes two gaps of the one that is known; the end of another is a new one
    expect((await cover(owner, schedule, member.userId!, 40 * hourMs, 8 * dayMs)).status).toBe(201)
    await examined(schedule)
    expect(await published(owner)).toHaveLength(1)
    const { rows } = await platform.query('select warned_gaps from on_call_schedules where id = $1', [schedule])
    expect(rows[0].warned_gaps).toEqual([])
  })

  test('beyond seven days are not warned of yet, and those of plans without schedules never', async () => {
    const owner = await aTeam()
    const far = await aSchedule(owner, (await aPersonIn(owner.tenantId)).userId!, 8 * 24)
    await examined(far)
    expect(await published(owner)).toEqual([])
    const other = await aTeam()
    const near = await aSchedule(other, (await aPersonIn(other.tenantId)).userId!, 48)
    await examined(near)
    const before = (await published(other)).length
    await platform.query(`update tenants set plan = 'free' where id = $1`, [other.tenantId])
    await platform.query(`update on_call_schedules set warned_gaps = '[]' where id = $1`, [near])
    await again(near)
    expect(await published(other)).toHaveLength(before)
  })

  test('that begin as a person leaves the team are warned of', async () => {
    const owner = await aTeam()
    const member = await aPersonIn(owner.tenantId)
    const schedule = await aSchedule(owner, member.userId!, null)
    await examined(schedule)
    expect(await published(owner)).toEqual([])
    expect((await owner.delete(`/members/${member.userId}`)).status).toBe(204)
    await examined(schedule)
    expect(await published(owner)).toHaveLength(1)
  })
})

describe('hand-overs', () => {
  test('are mailed once to who begins and who ends, unless the person wants no such mails', async () => {
    const owner = await aTeam()
    const [one, other] = [await aPersonIn(owner.tenantId, 'member', { name: 'Ann' }), await aPersonIn(owner.tenantId)]
    const schedule = await aSchedule(owner, one.userId!, null)
    await examined(schedule)
    await again(schedule)
    const handed = async () =>
      (await sent(owner, 'on_call_handover')).map(({ recipient, data }) => [
        recipient.email,
        data.change,
        data.other_name,
      ])
    expect(await handed()).toEqual([[one.email, 'begins', null]])

    expect((await cover(owner, schedule, other.userId!, -1_000, hourMs)).status).toBe(201)
    await examined(schedule)
    await again(schedule)
    expect((await handed()).slice(1).toSorted()).toEqual(
      [
        [other.email, 'begins', 'Ann'],
        [one.email, 'ends', 'Mo Member'],
      ].toSorted(),
    )

    expect((await one.patch('/profile', { handover_mails: false })).body.data.handover_mails).toBe(false)
    await platform.query('delete from on_call_overrides where schedule_id = $1', [schedule])
    await again(schedule)
    expect((await handed()).slice(3)).toEqual([[other.email, 'ends', 'Ann']])
  })

  test('are no longer mailed to a person who unsubscribed by the link of such a mail', async () => {
    const owner = await aTeam()
    const [one, other] = [await aPersonIn(owner.tenantId), await aPersonIn(owner.tenantId)]
    const schedule = await aSchedule(owner, one.userId!, null)
    await examined(schedule)
    await again(schedule)
    const [mail] = await sent(owner, 'on_call_handover')
    const { pathname, search } = new URL(mail!.data.one_click_url)
    expect(pathname).toBe('/api/v1/on-call-handover/unsubscribe')
    expect(mail!.data.unsubscribe_url).toContain('/unsubscribe/on-call-handover#')
    expect((await given.stranger().post(`/digest/unsubscribe${search}`)).status).toBe(422)
    for (const _ of [1, 2])
      expect((await given.stranger().post(`/on-call-handover/unsubscribe${search}`)).status).toBe(200)
    expect((await one.get('/profile')).body.data.handover_mails).toBe(false)
    expect((await cover(owner, schedule, other.userId!, -1_000, hourMs)).status).toBe(201)
    await examined(schedule)
    await again(schedule)
    expect((await sent(owner, 'on_call_handover')).map(({ recipient }) => recipient.email)).toEqual([
      one.email,
      other.email,
    ])
  })

  test('of schedules from before are not mailed the first time', async () => {
    const owner = await aTeam()
    const member = await aPersonIn(owner.tenantId)
    const id = randomUUID()
    await platform.query(
      `insert into on_call_schedules (id, tenant_id, name, timezone, knows_duty) values ($1, $2, 'Old', 'UTC', false)`,
      [id, owner.tenantId],
    )
    await platform.query(
      `insert into on_call_overrides (id, tenant_id, schedule_id, user_id, starts_at, ends_at)
       values ($1, $2, $3, $4, now() - interval '1 hour', now() + interval '1 hour')`,
      [randomUUID(), owner.tenantId, id, member.userId],
    )
    await examined(id)
    expect(await sent(owner, 'on_call_handover')).toEqual([])
  })
})

test('a person without a working contact method and a proven address is unreachable', async () => {
  const owner = await aTeam()
  const member = await aPersonIn(owner.tenantId)
  const schedule = await aSchedule(owner, member.userId!, null)
  const unreachable = async () =>
    (await owner.get(`/on-call-schedules/${schedule}/current`)).body.data.unreachable.map(
      ({ user_id }: { user_id: string }) => user_id,
    )
  expect(await unreachable()).toEqual([])
  const [{ id }] = (await member.get('/profile/contact-methods')).body.data
  await member.patch(`/profile/contact-methods/${id}`, { is_enabled: false })
  expect(await unreachable()).toEqual([])
  await platform.query('update users set email_verified_at = null where id = $1', [member.userId])
  expect(await unreachable()).toEqual([member.userId])
  const phone = { name: 'Phone', type: 'custom', config: { preset: 'ntfy', fields: { topic: 'x' } } }
  const added = (await member.post('/profile/contact-methods', phone)).body.data.id
  expect(await unreachable()).toEqual([member.userId])
  await platform.query('update notification_channels set verified_at = now() where id = $1', [added])
  expect(await unreachable()).toEqual([])
  await platform.query('update notification_channels set failing_since = now() where id = $1', [added])
  expect(await unreachable()).toEqual([member.userId])
})
