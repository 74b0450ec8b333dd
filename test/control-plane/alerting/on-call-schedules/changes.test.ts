import { describe, expect, test } from 'vitest'
import { examineSchedules } from '#control-plane/alerting/on-call-schedules/notices/watch.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPersonIn, type PersonUnderTest } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const dayMs = 86_400_000
const path = '/on-call-schedules'
const midnight = Math.floor(Date.now() / dayMs) * dayMs
const momentOf = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')
/** The first person is on duty since two days ago, the next begins five days from now. */
const begin = midnight - 2 * dayMs
const handoff = (weeks: number) => momentOf(begin + weeks * 7 * dayMs)

async function aTeam() {
  const owner = await given.tenant({ plan: 'pro' })
  const people: PersonUnderTest[] = []
  for (const name of ['Ada', 'Bea', 'Cem']) people.push(await aPersonIn(owner.tenantId, 'member', { name }))
  const [ada, bea, cem] = people as [PersonUnderTest, PersonUnderTest, PersonUnderTest]
  const users = people.map(({ userId }) => userId!)
  const rotation = {
    name: 'Week',
    users,
    handoff: 'weekly',
    first_handoff_at: new Date(begin).toISOString().slice(0, 16),
  }
  const made = await owner.post(path, { name: 'Primary', timezone: 'UTC', rotations: [rotation] })
  expect(made.status).toBe(201)
  const { id, rotations } = made.body.data
  const nameOf = (user: string) => ['Ada', 'Bea', 'Cem'][users.indexOf(user)] ?? 'another'
  return {
    ...{ owner, ada, bea, cem, users, id: id as string },
    edit: (change: object) =>
      owner.patch(`${path}/${id}`, { rotations: [{ ...rotation, id: rotations[0].id, ...change }] }),
    get: async () => (await owner.get(`${path}/${id}`)).body.data,
    onDuty: async () => (await owner.get(`${path}/${id}/current`)).body.data.user?.name ?? null,
    /** Who begins when, from two weeks ago on. */
    planned: async (): Promise<[name: string, from: string][]> => {
      const from = momentOf(begin - 14 * dayMs)
      const { data } = (await owner.get(`${path}/${id}/preview?from=${from}&to=${handoff(4)}`)).body
      return data.shifts.map((shift: { user_id: string; starts_at: string }) => [
        nameOf(shift.user_id),
        shift.starts_at,
      ])
    },
  }
}

async function examined(schedule: string): Promise<void> {
  await expect
    .poll(async () => {
      await examineSchedules(app.services)
      const examined = 'select 1 from on_call_schedules where id = $1 and watch_at > now()'
      return (await platform.query(examined, [schedule])).rowCount
    })
    .toBe(1)
}

const week = (weeks: number, name: string) => [name, handoff(weeks)]

describe('a change of a rotation', () => {
  test('by which a person is appended counts from the next hand-off on', async () => {
    const team = await aTeam()
    await team.edit({ users: team.users.slice(0, 2) })
    await team.edit({ users: [team.users[2], ...team.users.slice(0, 2)] })
    expect(await team.onDuty()).toBe('Ada')
    expect(await team.planned()).toEqual([week(0, 'Ada'), week(1, 'Bea'), week(2, 'Cem'), week(3, 'Ada')])
    expect((await team.get()).counts_from).toBe(handoff(1))
    expect((await team.edit({ users: team.users })).body.data.counts_from).toBe(null)
  })

  test('of its zone, its hand-off and its hours leaves the running shift and the past', async () => {
    const team = await aTeam()
    const past = { from: momentOf(begin), to: new Date().toISOString() }
    const elapsed = async () =>
      (await team.owner.get(`${path}/${team.id}/preview?from=${past.from}&to=${past.to}`)).body.data.shifts
    const shifts = await elapsed()
    for (const change of [
      { handoff: 'daily' },
      { handoff: 'custom', shift_minutes: 60 },
      { first_handoff_at: new Date(begin - 3 * dayMs).toISOString().slice(0, 16) },
      { restrictions: [{ days: ['mon'], from: '00:00', to: '00:01' }] },
    ]) {
      expect((await team.edit(change)).body.data.counts_from).toBe(handoff(1))
      expect(await team.onDuty()).toBe('Ada')
      expect(await elapsed()).toEqual(shifts)
    }
    await team.edit({})
    await team.owner.patch(`${path}/${team.id}`, { timezone: 'Asia/Tokyo' })
    expect(await team.onDuty()).toBe('Ada')
    expect(await elapsed()).toEqual(shifts)
  })

  test('leaves the calendar of each person equal to the API', async () => {
    const team = await aTeam()
    const feeds: [string, string][] = []
    for (const [index, person] of [team.ada, team.bea, team.cem].entries())
      feeds.push([['Ada', 'Bea', 'Cem'][index]!, (await person.post(`${path}/calendar`)).body.data.url])
    const compare = async () => {
      const planned = (await team.planned()).map(([name, at]) => `${name} ${at.slice(0, 10)}`)
      const fed: string[] = []
      for (const [name, url] of feeds) {
        const { text } = await given.stranger().get(new URL(url).pathname)
        for (const [, day] of text.matchAll(/^DTSTART:(\d{8})/gm))
          fed.push(`${name} ${day!.slice(0, 4)}-${day!.slice(4, 6)}-${day!.slice(6)}`)
      }
      const last = handoff(4).slice(0, 10)
      expect(fed.filter(each => each.slice(4) < last).toSorted()).toEqual(planned.toSorted())
      return planned
    }
    const before = await compare()
    await team.edit({ users: [team.users[2], team.users[1]] })
    const after = await compare()
    expect(after).not.toEqual(before)
    expect(after[0]).toBe(before[0])
  })

  test('is mailed to the people whose shifts of the next days it changes, but not to who makes it', async () => {
    const team = await aTeam()
    await examined(team.id)
    expect((await team.cem.patch('/profile', { handover_mails: false })).status).toBe(200)
    await team.edit({ users: [team.users[0], team.users[2], team.users[1]] })
    await examined(team.id)
    const mails = (await mailsOf(team.owner)).filter(
      ({ type, data }) => type === 'on_call_handover' && data.change === 'planned',
    )
    expect(mails.map(({ recipient, data }) => [recipient.email, data.gained, data.lost])).toEqual([
      [
        team.bea.email,
        [{ starts_at: handoff(2), ends_at: expect.any(String) }],
        [{ starts_at: handoff(1), ends_at: handoff(2) }],
      ],
    ])
  })

  test('that another process made without its versions counts from the next hand-off on as well', async () => {
    const team = await aTeam()
    await platform.query(
      `update on_call_rotation_users set position = 2 - position
       where rotation_id = (select id from on_call_rotations where schedule_id = $1)`,
      [team.id],
    )
    await platform.query('update on_call_rotations set updated_at = now() where schedule_id = $1', [team.id])
    const planned = [week(0, 'Ada'), week(1, 'Cem'), week(2, 'Bea'), week(3, 'Ada')]
    expect(await team.planned()).toEqual(planned)
    await examined(team.id)
    expect(await team.planned()).toEqual(planned)
  })
})

test('an override of another person is mailed to who gains and who loses shifts by it, and so is its end', async () => {
  const team = await aTeam()
  const times = { starts_at: handoff(1), ends_at: momentOf(begin + 8 * dayMs) }
  const made = await team.owner.post(`${path}/${team.id}/overrides`, { user_id: team.cem.userId, ...times })
  const planned = async () =>
    (await mailsOf(team.owner))
      .filter(({ data }) => data.change === 'planned')
      .map(({ recipient, data }) => [recipient.email, data.gained, data.lost])
  const [cem, bea] = [team.cem.email, team.bea.email]
  const sorted = (mails: unknown[][]) => mails.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  expect(sorted(await planned())).toEqual(
    sorted([
      [cem, [times], []],
      [bea, [], [times]],
    ]),
  )
  expect((await team.owner.delete(`${path}/${team.id}/overrides/${made.body.data.id}`)).status).toBe(204)
  expect(sorted((await planned()).slice(2))).toEqual(
    sorted([
      [cem, [], [times]],
      [bea, [times], []],
    ]),
  )
})

describe('a person who leaves the team', () => {
  test('and is not on duty changes no running shift', async () => {
    const team = await aTeam()
    expect((await team.owner.delete(`/members/${team.bea.userId}`)).status).toBe(204)
    const planned = [week(0, 'Ada'), week(1, 'Cem'), week(2, 'Ada'), week(3, 'Cem')]
    expect(await team.onDuty()).toBe('Ada')
    expect(await team.planned()).toEqual(planned)
    await examined(team.id)
    expect(await team.planned()).toEqual(planned)
    const mails = (await mailsOf(team.owner)).filter(({ data }) => data.change === 'planned')
    expect(mails.map(({ recipient }) => recipient.email).toSorted()).toEqual(
      [team.ada.email, team.cem.email].toSorted(),
    )
  })

  test('and is on duty is followed by the next person at once, and stays in the past', async () => {
    const team = await aTeam()
    expect((await team.ada.delete(`/profile/teams/${team.owner.tenantId}`)).status).toBe(204)
    expect(await team.onDuty()).toBe('Bea')
    await examined(team.id)
    expect(await team.onDuty()).toBe('Bea')
    const planned = await team.planned()
    expect(planned.map(([name]) => name)).toEqual(['Ada', 'Bea', 'Cem', 'Bea', 'Cem'])
    expect(planned[2]).toEqual(week(1, 'Cem'))
  })

  test('and was taken off the list before is followed at once as well', async () => {
    const team = await aTeam()
    await team.edit({ users: team.users.slice(1) })
    expect(await team.onDuty()).toBe('Ada')
    expect((await team.owner.delete(`/members/${team.ada.userId}`)).status).toBe(204)
    expect(await team.onDuty()).toBe('Bea')
  })
})

test('a person on duty who is disabled is followed by the next at once, and has turns again when enabled', async () => {
  const team = await aTeam()
  const put = (status: string) => team.owner.patch(`/members/${team.ada.userId}`, { status })
  expect((await put('disabled')).status).toBe(200)
  expect(await team.onDuty()).toBe('Bea')
  await examined(team.id)
  expect((await team.get()).rotations[0].users).toEqual(team.users)
  expect((await put('active')).status).toBe(200)
  expect(await team.onDuty()).toBe('Bea')
  expect((await team.planned()).map(([name]) => name)).toEqual(['Ada', 'Bea', 'Cem', 'Ada', 'Bea'])
})
