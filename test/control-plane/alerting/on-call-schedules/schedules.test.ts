import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const path = '/on-call-schedules'
const rotation = (users: string[], more: Record<string, unknown> = {}) => ({
  name: 'Primary',
  users,
  handoff: 'weekly',
  first_handoff_at: '2026-01-05T09:00',
  ...more,
})
const schedule = (users: string[], more: Record<string, unknown> = {}) => ({
  name: 'Operations',
  timezone: 'Europe/Berlin',
  rotations: [rotation(users)],
  ...more,
})
const userOf = (caller: CallerUnderTest) => caller.userId ?? ''

async function aTeam() {
  const owner = await given.tenant()
  const colleague = await given.colleague(owner, 'member')
  return { owner, colleague, users: [userOf(owner), userOf(colleague)] }
}

describe('/on-call-schedules', () => {
  test('creates, lists, gets, updates and deletes a schedule', async () => {
    const { owner, users } = await aTeam()
    const made = await owner.post(path, schedule(users))
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          name: 'Operations',
          timezone: 'Europe/Berlin',
          rotations: [
            {
              name: 'Primary',
              order: 1,
              users,
              handoff: 'weekly',
              shift_minutes: null,
              first_handoff_at: '2026-01-05T09:00',
              restrictions: [],
              starts_at: null,
              ends_at: null,
            },
          ],
        },
      },
    })
    const { id, rotations } = made.body.data
    expect((await owner.get(path)).body).toMatchObject({ data: [made.body.data], meta: { total: 1 } })
    expect((await owner.get(`${path}/${id}`)).body.data).toEqual(made.body.data)
    const changed = await owner.patch(`${path}/${id}`, {
      name: 'Night watch',
      rotations: [
        rotation([users[1]!], {
          name: 'Nights',
          order: 2,
          restrictions: [{ days: ['mon'], from: '22:00', to: '06:00' }],
        }),
        { ...rotations[0], users: [users[1], users[0]], order: 1 },
      ],
    })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: {
          name: 'Night watch',
          timezone: 'Europe/Berlin',
          rotations: [
            { id: rotations[0].id, order: 1, users: [users[1], users[0]] },
            {
              name: 'Nights',
              order: 2,
              users: [users[1]],
              restrictions: [{ days: ['mon'], from: '22:00', to: '06:00' }],
            },
          ],
        },
      },
    })
    expect((await owner.get(`${path}/${id}`)).body.data).toEqual(changed.body.data)
    expect((await owner.patch(`${path}/${id}`, { rotations: [] })).body.data.rotations).toEqual([])
    expect((await owner.delete(`${path}/${id}`)).status).toBe(204)
    expect((await owner.get(`${path}/${id}`)).status).toBe(404)
    expect((await app.audited(owner)).toSorted()).toEqual([
      'on_call_rotation.created',
      'on_call_rotation.created',
      'on_call_rotation.deleted',
      'on_call_rotation.deleted',
      'on_call_rotation.updated',
      'on_call_schedule.created',
      'on_call_schedule.deleted',
      'on_call_schedule.updated',
    ])
  })

  test('a reseller has the same paths in its managed teams, with the scopes of notifications', async () => {
    const reseller = await given.reseller({ scopes: ['notifications:manage'] })
    const team = await given.team(reseller)
    const made = await reseller.post(`${team.path}${path}`, schedule([userOf(team)]))
    expect(made.status).toBe(201)
    const own = `${team.path}${path}/${made.body.data.id}`
    expect((await reseller.get(`${team.path}${path}`)).body.data).toEqual([made.body.data])
    expect((await reseller.get(own)).body.data).toEqual(made.body.data)
    expect((await reseller.get(`${own}/current`)).body.data.user).toMatchObject({ user_id: team.userId })
    expect((await reseller.get(`${own}/preview`)).body.data.shifts).toHaveLength(1)
    expect((await reseller.patch(own, { name: 'Renamed' })).body.data.name).toBe('Renamed')
    expect((await team.get(`${path}/${made.body.data.id}`)).body.data.name).toBe('Renamed')
    expect((await reseller.delete(own)).status).toBe(204)
    const reader = await given.token(reseller, 'rk', ['notifications:read'])
    expect((await reader.get(`${team.path}${path}`)).status).toBe(200)
    expect((await reader.post(`${team.path}${path}`, schedule([userOf(team)]))).status).toBe(403)
  })

  test('needs the scope of escalation', async () => {
    const { owner, users } = await aTeam()
    const reader = await given.token(owner, 'sk', ['escalation:read', 'notifications:manage'])
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(path, schedule(users))).status).toBe(403)
    expect((await (await given.token(owner, 'sk', ['notifications:manage'])).get(path)).status).toBe(403)
  })

  test('without the plan feature, schedules are read and deleted only', async () => {
    const { owner, users } = await aTeam()
    const { id } = (await owner.post(path, schedule(users))).body.data
    await app.services.platform.query(`update tenants set plan = 'starter' where id = $1`, [owner.tenantId])
    const refused = { status: 403, body: { code: 'not_in_plan', quota: 'on_call_schedules', plan: 'starter' } }
    expect(await owner.post(path, schedule(users))).toMatchObject(refused)
    expect(await owner.patch(`${path}/${id}`, { name: 'x' })).toMatchObject(refused)
    expect((await owner.get(`${path}/${id}/current`)).status).toBe(200)
    expect((await owner.delete(`${path}/${id}`)).status).toBe(204)
  })

  test('a schedule of another team is not found', async () => {
    const { owner, users } = await aTeam()
    const { id } = (await owner.post(path, schedule(users))).body.data
    const other = await given.tenant()
    for (const answer of [
      await other.get(`${path}/${id}`),
      await other.patch(`${path}/${id}`, { name: 'x' }),
      await other.delete(`${path}/${id}`),
      await other.get(`${path}/${id}/current`),
      await other.get(`${path}/${id}/preview`),
    ])
      expect(answer.status).toBe(404)
  })

  test('people who are no members are refused by their field, also where some are', async () => {
    const { owner, users } = await aTeam()
    const stranger = await given.tenant()
    for (const id of [userOf(stranger), crypto.randomUUID()]) {
      const answer = await owner.post(path, schedule([users[0]!, id]))
      expect(answer).toMatchObject({ status: 422, body: { errors: { 'rotations.0.users.1': [expect.any(String)] } } })
    }
  })

  test('a rotation of another schedule is refused by its field', async () => {
    const { owner, users } = await aTeam()
    const first = (await owner.post(path, schedule(users))).body.data
    const second = (await owner.post(path, schedule(users))).body.data
    const foreign = { ...rotation(users), id: first.rotations[0].id }
    const answer = await owner.patch(`${path}/${second.id}`, { rotations: [foreign] })
    expect(answer).toMatchObject({ status: 422, body: { errors: { 'rotations.0.id': [expect.any(String)] } } })
    const own = { ...rotation(users), id: second.rotations[0].id }
    expect(await owner.patch(`${path}/${second.id}`, { rotations: [own, { ...own, order: 3 }] })).toMatchObject({
      status: 422,
      body: { errors: { 'rotations.1.id': [expect.any(String)] } },
    })
  })

  const many = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())
  const restrictions = (count: number) =>
    Array.from({ length: count }, () => ({ days: ['mon'], from: '09:00', to: '17:00' }))
  test.each([
    ['a zone that does not exist', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset as a zone', { timezone: '+02:00' }, 'timezone'],
    ['an empty name', { name: ' ' }, 'name'],
    ['11 rotations', { rotations: Array.from({ length: 11 }, () => rotation(['self'])) }, 'rotations'],
    ['an order twice', { rotations: [rotation(['self']), rotation(['self'], { order: 1 })] }, 'rotations.1.order'],
    ['order 0', { rotations: [rotation(['self'], { order: 0 })] }, 'rotations.0.order'],
    ['order 1001', { rotations: [rotation(['self'], { order: 1_001 })] }, 'rotations.0.order'],
    ['no people', { rotations: [rotation([])] }, 'rotations.0.users'],
    ['51 people', { rotations: [rotation(many(51))] }, 'rotations.0.users'],
    ['a person twice', { rotations: [rotation(['self', 'SELF'])] }, 'rotations.0.users'],
    [
      'a custom hand-off without its length',
      { rotations: [rotation(['self'], { handoff: 'custom' })] },
      'rotations.0.shift_minutes',
    ],
    [
      '59 minutes',
      { rotations: [rotation(['self'], { handoff: 'custom', shift_minutes: 59 })] },
      'rotations.0.shift_minutes',
    ],
    [
      'more than a year',
      { rotations: [rotation(['self'], { handoff: 'custom', shift_minutes: 525_601 })] },
      'rotations.0.shift_minutes',
    ],
    [
      'a daily hand-off with a length',
      { rotations: [rotation(['self'], { handoff: 'daily', shift_minutes: 60 })] },
      'rotations.0.shift_minutes',
    ],
    [
      'a first hand-off with an offset',
      { rotations: [rotation(['self'], { first_handoff_at: '2026-01-05T09:00Z' })] },
      'rotations.0.first_handoff_at',
    ],
    [
      'a first hand-off with seconds',
      { rotations: [rotation(['self'], { first_handoff_at: '2026-01-05T09:00:30' })] },
      'rotations.0.first_handoff_at',
    ],
    [
      'a day that does not exist',
      { rotations: [rotation(['self'], { first_handoff_at: '2026-02-30T09:00' })] },
      'rotations.0.first_handoff_at',
    ],
    [
      'a first hand-off of another century',
      { rotations: [rotation(['self'], { first_handoff_at: '1999-12-31T09:00' })] },
      'rotations.0.first_handoff_at',
    ],
    [
      '11 restrictions',
      { rotations: [rotation(['self'], { restrictions: restrictions(11) })] },
      'rotations.0.restrictions',
    ],
    [
      'a restriction without days',
      { rotations: [rotation(['self'], { restrictions: [{ days: [], from: '09:00', to: '17:00' }] })] },
      'rotations.0.restrictions.0.days',
    ],
    [
      'a restriction with a day twice',
      { rotations: [rotation(['self'], { restrictions: [{ days: ['mon', 'mon'], from: '09:00', to: '17:00' }] })] },
      'rotations.0.restrictions.0.days',
    ],
    [
      'a restriction to 24:00',
      { rotations: [rotation(['self'], { restrictions: [{ days: ['mon'], from: '09:00', to: '24:00' }] })] },
      'rotations.0.restrictions.0.to',
    ],
    [
      'an end before the start',
      { rotations: [rotation(['self'], { starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' })] },
      'rotations.0.ends_at',
    ],
    [
      'a start of another century',
      { rotations: [rotation(['self'], { starts_at: '2100-01-01T00:00:00Z' })] },
      'rotations.0.starts_at',
    ],
    [
      'a start that is no time',
      { rotations: [rotation(['self'], { starts_at: 'tomorrow' })] },
      'rotations.0.starts_at',
    ],
  ])('refuses %s', async (_, more, field) => {
    const owner = await given.tenant()
    const id = userOf(owner)
    const body = JSON.parse(
      JSON.stringify(schedule([id], more))
        .replaceAll('self', id)
        .replaceAll('SELF', id.toUpperCase()),
    )
    const answer = await owner.post(path, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('takes each limit at its edge', async () => {
    const { owner, users } = await aTeam()
    const edge = rotation(users, {
      handoff: 'custom',
      shift_minutes: 60,
      restrictions: restrictions(10),
      starts_at: '2000-01-01T00:00:00Z',
      ends_at: '2099-12-31T23:59:59+00:00',
      first_handoff_at: '2000-01-01T00:00',
    })
    const rotations = Array.from({ length: 10 }, (_, index) => ({ ...edge, order: index === 9 ? 1_000 : index + 1 }))
    const made = await owner.post(path, { name: 'Edge', timezone: 'Pacific/Apia', rotations })
    expect(made.status).toBe(201)
    const { data } = (
      await owner.get(`${path}/${made.body.data.id}/preview?to=2026-06-01T00:00:00Z&from=2026-03-03T00:00:00Z`)
    ).body
    expect(data.shifts.length + data.gaps.length).toBeGreaterThan(100)
  })

  test('a team has at most 50 schedules', async () => {
    const owner = await given.tenant()
    await app.services.platform.query(
      `insert into on_call_schedules (id, tenant_id, name, timezone)
       select gen_random_uuid(), $1, 'x', 'UTC' from generate_series(1, 49)`,
      [owner.tenantId],
    )
    const both = await Promise.all([
      owner.post(path, schedule([userOf(owner)])),
      owner.post(path, schedule([userOf(owner)])),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
    const refused = both.find(({ status }) => status === 422)
    expect(Object.keys(refused?.body.errors)).toEqual(['on_call_schedules'])
    const page = await owner.get(`${path}?per_page=20&page=3`)
    expect(page.body).toMatchObject({ meta: { total: 50, last_page: 3 } })
    expect(page.body.data).toHaveLength(10)
  })
})

describe('who is on call', () => {
  test('is answered with the layer, the end, the next person, gaps and unreachable people', async () => {
    const { owner, users } = await aTeam()
    await app.services.platform.query('update users set email_verified_at = null where id = $1', [users[1]])
    const office = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }]
    const made = await owner.post(path, schedule(users, { rotations: [rotation(users, { restrictions: office })] }))
    const { id, rotations } = made.body.data
    const { status, body } = await owner.get(`${path}/${id}/current?at=2026-01-16T10:00:00Z`)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      schedule_id: id,
      schedule_name: made.body.data.name,
      at: '2026-01-16T10:00:00.000000Z',
      user: { user_id: users[1], name: 'Pat Person', is_reachable: false },
      source: 'rotation',
      rotation_id: rotations[0].id,
      override_id: null,
      until: '2026-01-16T16:00:00.000000Z',
      next_user: { user_id: users[0], name: 'Pat Person', is_reachable: true },
      next_at: '2026-01-19T08:00:00.000000Z',
      gaps: [
        { starts_at: '2026-01-16T16:00:00.000000Z', ends_at: '2026-01-19T08:00:00.000000Z' },
        { starts_at: '2026-01-19T16:00:00.000000Z', ends_at: '2026-01-20T08:00:00.000000Z' },
        { starts_at: '2026-01-20T16:00:00.000000Z', ends_at: '2026-01-21T08:00:00.000000Z' },
        { starts_at: '2026-01-21T16:00:00.000000Z', ends_at: '2026-01-22T08:00:00.000000Z' },
        { starts_at: '2026-01-22T16:00:00.000000Z', ends_at: '2026-01-23T08:00:00.000000Z' },
      ],
      unreachable: [{ user_id: users[1], name: 'Pat Person', is_reachable: false }],
    })
    const all = await owner.get(`${path}/current?at=2026-01-16T10:00:00Z`)
    expect([all.status, all.body.data, all.body.meta.total]).toEqual([200, [body.data], 1])
    const gap = await owner.get(`${path}/${id}/current?at=2026-01-17T10:00:00%2B01:00`)
    expect(gap.body.data).toMatchObject({ user: null, source: null, until: '2026-01-19T08:00:00.000000Z' })
  })

  test('is previewed as shifts that follow each other, up to 90 days', async () => {
    const { owner, users } = await aTeam()
    const { id } = (await owner.post(path, schedule(users))).body.data
    const preview = await owner.get(`${path}/${id}/preview?from=2026-03-23T00:00:00Z&to=2026-04-06T00:00:00Z`)
    expect(preview.body.data).toMatchObject({
      from: '2026-03-23T00:00:00.000000Z',
      to: '2026-04-06T00:00:00.000000Z',
      shifts: [
        { user_id: users[0], starts_at: '2026-03-23T00:00:00.000000Z', ends_at: '2026-03-23T08:00:00.000000Z' },
        { user_id: users[1], starts_at: '2026-03-23T08:00:00.000000Z', ends_at: '2026-03-30T07:00:00.000000Z' },
        { user_id: users[0], starts_at: '2026-03-30T07:00:00.000000Z', ends_at: '2026-04-06T00:00:00.000000Z' },
      ],
      gaps: [],
      unreachable: [],
    })
    const ask = (to: string) => owner.get(`${path}/${id}/preview?from=2026-03-01T00:00:00Z&to=${to}`)
    expect((await ask('2026-05-30T00:00:00Z')).status).toBe(200)
    for (const to of ['2026-05-30T00:00:01Z', '2026-03-01T00:00:00Z', '2100-01-01T00:00:00Z', 'x'])
      expect(await ask(to)).toMatchObject({ status: 422, body: { errors: { to: [expect.any(String)] } } })
    expect(await owner.get(`${path}/${id}/current?at=x`)).toMatchObject({
      status: 422,
      body: { errors: { at: [expect.any(String)] } },
    })
  })

  test('is previewed with what each rotation alone says, and with its overrides', async () => {
    const { owner, users } = await aTeam()
    const nights = rotation([users[1]!], {
      name: 'Nights',
      handoff: 'daily',
      restrictions: [{ days: ['mon'], from: '22:00', to: '06:00' }],
    })
    const made = await owner.post(
      path,
      schedule(users, { timezone: 'UTC', rotations: [nights, rotation([users[0]!])] }),
    )
    const { id, rotations } = made.body.data
    const from = '2098-01-06T00:00:00.000000Z'
    const to = '2098-01-07T00:00:00.000000Z'
    const override = {
      user_id: users[1],
      starts_at: '2098-01-06T12:00:00.000000Z',
      ends_at: '2098-01-08T00:00:00.000000Z',
    }
    const added = await owner.post(`${path}/${id}/overrides`, override)
    const { data } = (await owner.get(`${path}/${id}/preview?from=${from}&to=${to}`)).body
    expect(data.layers).toEqual([
      { rotation_id: rotations[0].id, name: 'Nights', shifts: [expect.objectContaining({ user_id: users[1] })] },
      { rotation_id: rotations[1].id, name: 'Primary', shifts: [{ user_id: users[0], starts_at: from, ends_at: to }] },
    ])
    expect(data.overrides).toEqual([
      { ...override, override_id: added.body.data.id, replaces_user_id: null, escalation_policy_id: null },
    ])
    expect(data.shifts.map(({ source }: { source: string }) => source)).toEqual(['rotation', 'override'])
  })

  test('a preview with very many shifts ends early and says where', async () => {
    const { owner, users } = await aTeam()
    const rotations = Array.from({ length: 10 }, (_, index) =>
      rotation(users, {
        order: index + 1,
        handoff: 'custom',
        shift_minutes: 60,
        first_handoff_at: `2026-01-01T00:${String(index * 5).padStart(2, '0')}`,
        restrictions: [
          { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: `0${index}:05`, to: `0${index}:50` },
          { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: `1${index}:05`, to: `1${index}:50` },
        ],
      }),
    )
    const { id } = (await owner.post(path, schedule(users, { rotations }))).body.data
    const { data } = (await owner.get(`${path}/${id}/preview?from=2026-02-01T00:00:00Z&to=2026-05-02T00:00:00Z`)).body
    expect(data.shifts.length + data.gaps.length).toBe(5_000)
    expect(data.to < '2026-05-02').toBe(true)
  })

  test('a person who leaves the team leaves rotations, overrides and the calendar', async () => {
    const { owner, colleague, users } = await aTeam()
    const { id } = (await owner.post(path, schedule(users))).body.data
    await colleague.post(`${path}/calendar`)
    for (const override of [
      { user_id: users[1] },
      { user_id: users[0], replaces_user_id: users[1] },
      { user_id: users[0] },
    ]) {
      const answer = await owner.post(`${path}/${id}/overrides`, {
        ...override,
        starts_at: '2099-01-01T00:00:00Z',
        ends_at: '2099-01-02T00:00:00Z',
      })
      expect(answer.status).toBe(201)
    }
    expect((await owner.delete(`/members/${users[1]}`)).status).toBe(204)
    expect((await owner.get(`${path}/${id}`)).body.data.rotations[0].users).toEqual([users[0]])
    expect((await owner.get(`${path}/${id}/overrides`)).body.data).toMatchObject([
      { user_id: users[0], replaces_user_id: null },
    ])
    const { rows } = await app.services.platform.query('select 1 from on_call_calendars where user_id = $1', [users[1]])
    expect(rows).toEqual([])
  })
})
