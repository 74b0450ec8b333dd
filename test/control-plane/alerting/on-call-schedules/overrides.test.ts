import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const userOf = (caller: CallerUnderTest) => caller.userId ?? ''
const times = { starts_at: '2099-01-07T00:00:00Z', ends_at: '2099-01-08T00:00:00Z' }

async function aSchedule() {
  const owner = await given.tenant()
  const users = [userOf(owner)]
  for (let index = 0; index < 2; index++) users.push(userOf(await given.colleague(owner, 'member')))
  const [ann = '', ben = '', cid = ''] = users
  const made = await owner.post('/on-call-schedules', {
    name: 'Operations',
    timezone: 'UTC',
    rotations: [{ name: 'Primary', users: [ann, ben], handoff: 'weekly', first_handoff_at: '2099-01-05T00:00' }],
  })
  const path = `/on-call-schedules/${made.body.data.id}`
  const onCall = async (at: string) => (await owner.get(`${path}/current?at=${at}`)).body.data
  return { owner, ann, ben, cid, path, onCall }
}

describe('overrides', () => {
  test('one is created, decides, is listed and deleted', async () => {
    const { owner, ann, cid, path, onCall } = await aSchedule()
    const made = await owner.post(`${path}/overrides`, { user_id: cid, ...times, reason: 'Dentist' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          user_id: cid,
          replaces_user_id: null,
          starts_at: '2099-01-07T00:00:00.000000Z',
          ends_at: '2099-01-08T00:00:00.000000Z',
          reason: 'Dentist',
          created_by: owner.userId,
        },
      },
    })
    const { id } = made.body.data
    expect(await onCall('2099-01-07T12:00:00Z')).toMatchObject({
      user: { user_id: cid },
      source: 'override',
      rotation_id: null,
      override_id: id,
      until: '2099-01-08T00:00:00.000000Z',
      next_user: { user_id: ann },
    })
    expect((await owner.get(`${path}/overrides`)).body).toMatchObject({ data: [made.body.data], meta: { total: 1 } })
    expect((await owner.delete(`${path}/overrides/${id}`)).status).toBe(204)
    expect((await owner.delete(`${path}/overrides/${id}`)).status).toBe(404)
    expect(await onCall('2099-01-07T12:00:00Z')).toMatchObject({ user: { user_id: ann }, source: 'rotation' })
    expect(await app.audited(owner)).toEqual(
      expect.arrayContaining(['on_call_schedule.override_created', 'on_call_schedule.override_deleted']),
    )
  })

  test('one that is limited to an escalation policy counts only where that policy calls, and ends with it', async () => {
    const { owner, ann, cid, path, onCall } = await aSchedule()
    const targets = [{ type: 'schedule', id: path.split('/').at(-1) }]
    const policies = []
    for (const name of ['Shop', 'Other'])
      policies.push(
        (await owner.post('/escalation-policies', { name, steps: [{ delay_minutes: 1, targets }] })).body.data.id,
      )
    const [policy, other] = policies
    const made = await owner.post(`${path}/overrides`, { user_id: cid, ...times, escalation_policy_id: policy })
    expect([made.status, made.body.data.escalation_policy_id]).toEqual([201, policy])
    const noon = '2099-01-07T12:00:00Z'
    expect(await onCall(noon)).toMatchObject({ user: { user_id: ann }, source: 'rotation' })
    expect(await onCall(`${noon}&escalation_policy_id=${other}`)).toMatchObject({ user: { user_id: ann } })
    expect(await onCall(`${noon}&escalation_policy_id=${policy}`)).toMatchObject({
      user: { user_id: cid },
      override_id: made.body.data.id,
    })
    const preview = `${path}/preview?from=${times.starts_at}&to=${times.ends_at}`
    expect((await owner.get(preview)).body.data).toMatchObject({ shifts: [{ user_id: ann }], overrides: [] })
    expect((await owner.get(`${preview}&escalation_policy_id=${policy}`)).body.data).toMatchObject({
      shifts: [{ user_id: cid }],
      overrides: [{ user_id: cid, escalation_policy_id: policy }],
    })
    expect((await owner.get(`${path}/overrides`)).body.data).toHaveLength(1)
    await owner.delete(`/escalation-policies/${policy}`)
    expect((await owner.get(`${path}/overrides`)).body.data).toEqual([])
  })

  test('one cannot be limited to the escalation policy of another team', async () => {
    const [first, second] = [await aSchedule(), await aSchedule()]
    const steps = [{ delay_minutes: 1, targets: [{ type: 'team' }] }]
    const { id } = (await second.owner.post('/escalation-policies', { name: 'Theirs', steps })).body.data
    const refused = { status: 422, body: { errors: { escalation_policy_id: [expect.any(String)] } } }
    const body = { user_id: first.cid, ...times, escalation_policy_id: id }
    expect(await first.owner.post(`${first.path}/overrides`, body)).toMatchObject(refused)
    for (const about of ['current', 'preview'])
      expect(await first.owner.get(`${first.path}/${about}?escalation_policy_id=${id}`)).toMatchObject(refused)
  })

  test('one of another schedule is not found', async () => {
    const [first, second] = [await aSchedule(), await aSchedule()]
    const { id } = (await first.owner.post(`${first.path}/overrides`, { user_id: first.cid, ...times })).body.data
    expect((await second.owner.delete(`${second.path}/overrides/${id}`)).status).toBe(404)
    expect((await second.owner.get(`${first.path}/overrides`)).status).toBe(404)
    expect((await second.owner.post(`${first.path}/overrides`, { user_id: second.cid, ...times })).status).toBe(404)
  })

  test.each([
    ['an end that is not later than the start', { ends_at: times.starts_at }, 'ends_at'],
    ['more than 366 days', { starts_at: '2098-01-01T00:00:00Z', ends_at: '2099-01-02T00:00:01Z' }, 'ends_at'],
    ['a time that is over', { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' }, 'ends_at'],
    ['a start without seconds', { starts_at: '2098-01-01T00:00Z' }, 'starts_at'],
    ['an end that is no time', { ends_at: 'tomorrow' }, 'ends_at'],
    ['a person of no team', { user_id: crypto.randomUUID() }, 'user_id'],
    ['a replaced person of no team', { replaces_user_id: crypto.randomUUID() }, 'replaces_user_id'],
    ['the same person twice', { replaces_user_id: 'cid' }, 'replaces_user_id'],
    ['a reason of 256 characters', { reason: 'x'.repeat(256) }, 'reason'],
  ])('refuses %s', async (_, more, field) => {
    const { owner, cid, path } = await aSchedule()
    const named = 'replaces_user_id' in more && more.replaces_user_id === 'cid' ? { replaces_user_id: cid } : more
    const answer = await owner.post(`${path}/overrides`, { user_id: cid, ...times, ...named })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('takes 366 days, and a start in the past', async () => {
    const { owner, cid, path } = await aSchedule()
    const longest = { starts_at: '2098-01-01T00:00:00Z', ends_at: '2099-01-02T00:00:00Z' }
    expect((await owner.post(`${path}/overrides`, { user_id: cid, ...longest })).status).toBe(201)
    const begun = new Date(Date.now() - 3_600_000).toISOString()
    const ends_at = new Date(Date.now() + 3_600_000).toISOString()
    expect((await owner.post(`${path}/overrides`, { user_id: cid, starts_at: begun, ends_at })).status).toBe(201)
  })

  test('one that runs ends when it is deleted or its person leaves, and one that is over stays', async () => {
    const { owner, ann, cid, path, onCall } = await aSchedule()
    const hours = (from: number, to: number, user: string) =>
      owner.post(`${path}/overrides`, {
        user_id: user,
        starts_at: new Date(Date.now() + from * 3_600_000).toISOString(),
        ends_at: new Date(Date.now() + to * 3_600_000).toISOString(),
      })
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const { id } = (await hours(-2, 2, cid)).body.data
    expect((await owner.delete(`${path}/overrides/${id}`)).status).toBe(204)
    expect((await onCall(hourAgo)).user.user_id).toBe(cid)
    expect((await owner.get(`${path}/current`)).body.data.user).toBe(null)
    const again = await owner.delete(`${path}/overrides/${id}`)
    expect(again).toMatchObject({ status: 422, body: { errors: { override: [expect.any(String)] } } })

    const running = (await hours(-2, 2, cid)).body.data
    await hours(3, 4, cid)
    await hours(5, 6, ann)
    expect((await owner.delete(`/members/${cid}`)).status).toBe(204)
    expect((await owner.get(`${path}/current`)).body.data.user).toBe(null)
    const kept = (await owner.get(`${path}/overrides`)).body.data
    expect(kept.map((each: { user_id: string }) => each.user_id)).toEqual([ann, cid, cid])
    expect(kept.find((each: { id: string }) => each.id === running.id).ends_at < running.ends_at).toBe(true)
    expect((await onCall(hourAgo)).override_id).toBe(running.id)
  })

  test('a schedule has at most 100 overrides that are not over', async () => {
    const { owner, cid, path } = await aSchedule()
    await app.services.platform.query(
      `insert into on_call_overrides (id, tenant_id, schedule_id, user_id, starts_at, ends_at)
       select gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, timestamptz '2099-01-01', timestamptz '2099-01-02'
       from generate_series(1, 99)
       union all select gen_random_uuid(), $1, $2, $3, timestamptz '2020-01-01', timestamptz '2020-01-02'`,
      [owner.tenantId, path.split('/').at(-1), cid],
    )
    expect((await owner.post(`${path}/overrides`, { user_id: cid, ...times })).status).toBe(201)
    expect(await owner.post(`${path}/overrides`, { user_id: cid, ...times })).toMatchObject({
      status: 422,
      body: { errors: { overrides: [expect.any(String)] } },
    })
  })
})

describe('a swap of shifts', () => {
  const week = (first: string, second: string, user_id: string) => ({
    user_id,
    starts_at: `${first}T00:00:00Z`,
    ends_at: `${second}T00:00:00Z`,
  })

  test('creates two overrides at once', async () => {
    const { owner, ann, ben, path, onCall } = await aSchedule()
    const answer = await owner.post(`${path}/swap`, {
      first: week('2099-01-05', '2099-01-12', ann),
      second: week('2099-01-12', '2099-01-19', ben),
      reason: 'Holiday',
    })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: [
          { user_id: ben, replaces_user_id: ann, reason: 'Holiday' },
          { user_id: ann, replaces_user_id: ben, reason: 'Holiday' },
        ],
      },
    })
    expect((await onCall('2099-01-07T00:00:00Z')).user.user_id).toBe(ben)
    expect((await onCall('2099-01-14T00:00:00Z')).user.user_id).toBe(ann)
    expect(await onCall('2099-01-21T00:00:00Z')).toMatchObject({ user: { user_id: ann }, source: 'rotation' })
  })

  test('is refused as a whole by the field that is wrong', async () => {
    const { owner, ann, ben, cid, path } = await aSchedule()
    const first = week('2099-01-05', '2099-01-12', ann)
    for (const [second, field] of [
      [week('2099-01-11', '2099-01-19', ben), 'second.starts_at'],
      [week('2099-01-12', '2099-01-19', ann), 'second.user_id'],
      [week('2099-01-12', '2099-01-12', ben), 'second.ends_at'],
      [week('2099-01-12', '2099-01-19', crypto.randomUUID()), 'second.user_id'],
      [week('2020-01-12', '2020-01-19', ben), 'second.ends_at'],
      // weeks and days that are not those of the person
      [week('2099-01-19', '2099-01-26', ben), 'second.user_id'],
      [week('2099-01-12', '2099-01-20', ben), 'second.user_id'],
      [week('2099-01-12', '2099-01-19', cid), 'second.user_id'],
    ] as const) {
      const answer = await owner.post(`${path}/swap`, { first, second })
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual([field])
    }
    expect((await owner.get(`${path}/overrides`)).body.meta.total).toBe(0)
  })

  test('says in plain words, also in German, when the person is not on duty', async () => {
    const { owner, ann, ben, path } = await aSchedule()
    await app.services.platform.query(`update users set name = 'Ada' where id = $1`, [ann])
    const swap = { first: week('2099-01-12', '2099-01-19', ann), second: week('2099-01-05', '2099-01-12', ben) }
    const english = 'Ada is not on duty from 2099-01-12 00:00 to 2099-01-19 00:00 (UTC).'
    expect((await owner.post(`${path}/swap`, swap)).body.errors).toEqual({ 'first.user_id': [english] })
    const german = await owner.post(`${path}/swap`, swap, { headers: { 'Accept-Language': 'de' } })
    expect(german.body.errors).toEqual({
      'first.user_id': ['Ada hat von 2099-01-12 00:00 bis 2099-01-19 00:00 keine Bereitschaft (UTC).'],
    })
  })
})

describe('an override that replaces a person', () => {
  test('is refused for a time in which that person has no duty at all', async () => {
    const { owner, ben, cid, path, onCall } = await aSchedule()
    const replace = (first: string, second: string, replaces_user_id: string) =>
      owner.post(`${path}/overrides`, {
        user_id: replaces_user_id === cid ? ben : cid,
        ...{ replaces_user_id, starts_at: `${first}T00:00:00Z`, ends_at: `${second}T00:00:00Z` },
      })
    for (const [first, second, person] of [
      ['2099-01-05', '2099-01-12', ben],
      ['2098-12-01', '2098-12-24', ben],
      ['2099-01-05', '2099-01-12', cid],
    ] as const) {
      const answer = await replace(first, second, person)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual(['replaces_user_id'])
    }
    expect((await replace('2099-01-07', '2099-01-14', ben)).status).toBe(201)
    expect((await onCall('2099-01-13T00:00:00Z')).user.user_id).toBe(cid)
  })
})
