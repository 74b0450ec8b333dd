import { describe, expect, test } from 'vitest'
import { events } from '#contract/events.ts'
import { decryptMail } from '#control-plane/outbox/mail.ts'
import { aWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aMonitor, comeBack, escalationOf, goDown, goDownOfHost, incidentOf, pass, passTime } from './escalated.ts'

const { platform, config } = app.services
const path = '/escalation-policies'
const userOf = (caller: CallerUnderTest) => caller.userId ?? ''
const step = (targets: object[] = [{ type: 'team' }], more: Record<string, unknown> = {}) => ({
  delay_minutes: 1,
  targets,
  ...more,
})

async function aPolicy(team: CallerUnderTest, steps: object[], more: Record<string, unknown> = {}): Promise<string> {
  const made = await team.post(path, { name: 'Operations', is_default: true, steps, ...more })
  expect(made.status, made.text).toBe(201)
  return made.body.data.id
}

async function aTeam(steps: object[] = [step(), step([{ type: 'team' }], { delay_minutes: 5 })], more = {}) {
  const team = await given.tenant()
  await aPolicy(team, steps, more)
  return { team, ...(await aMonitor(team)) }
}

async function eventsOf(team: { tenantId: string }, name: string) {
  const { rows } = await platform.query<{ payload: Record<string, unknown> }>(
    `select payload from outbox where tenant_id = $1 and kind = 'event' and name = $2 order by id`,
    [team.tenantId, name],
  )
  for (const { payload } of rows) events.get(name)!.schema.parse(payload)
  return rows.map(({ payload }) => payload)
}

async function mailsOf(team: { tenantId: string }, type = 'escalation_notice') {
  const { rows } = await platform.query<{ payload: { recipient: { user_id: string }; data: Record<string, string> } }>(
    `select payload from outbox where tenant_id = $1 and kind = 'mail' and name = $2 order by id`,
    [team.tenantId, type],
  )
  return rows.map(({ payload }) => ({
    userId: payload.recipient.user_id,
    data: decryptMail(config, type as 'escalation_notice', payload.data) as Record<string, string>,
  }))
}

/** The people that steps called, in order. */
const peopleOf = async (team: CallerUnderTest) =>
  (await eventsOf(team, 'incident.escalated')).flatMap(({ targets }) =>
    (targets as { type: string; id: string }[]).flatMap(({ type, id }) => (type === 'user' ? [id] : [])),
  )
/** Who has no contact method is mailed. */
const withoutContacts = (team: CallerUnderTest) =>
  platform.query(
    'update notification_channels set is_enabled = false where tenant_id = $1 and owner_user_id is not null',
    [team.tenantId],
  )
const steps = async (team: CallerUnderTest) =>
  (await eventsOf(team, 'incident.escalated')).map(({ round, step }) => `${round}.${step}`)
const ask = (link: string, data: Record<string, string>) => {
  const [, action, token] = /\/(acknowledge|resolve)#(.+)$/.exec(data[link] ?? '') ?? []
  return given.stranger().post(`/incidents/${action}-by-link`, { token })
}

describe('an escalation', () => {
  test('begins with its incident, and takes its steps when they are due', async () => {
    const { team, check } = await aTeam()
    await goDown(check)
    expect(await escalationOf(team)).toMatchObject({
      policy_name: 'Operations',
      state: 'pending',
      step: 0,
      round: 1,
      next_at: expect.any(String),
      notifications: [],
      notifications_total: 0,
    })
    await pass()
    expect(await steps(team)).toEqual([])
    await passTime(team)
    expect(await escalationOf(team)).toMatchObject({
      state: 'running',
      step: 1,
      notifications: [
        {
          step: 1,
          round: 1,
          user_id: team.userId,
          via: 'channel',
          channel_id: null,
          channel_name: null,
          channel_type: 'email',
          delivery: 'pending',
          reason: null,
        },
      ],
    })
    for (let time = 0; time < 3; time++) await pass()
    expect(await steps(team)).toEqual(['1.1'])
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1', '1.2'])
    expect(await peopleOf(team)).toEqual([team.userId, team.userId])
    expect(await mailsOf(team)).toEqual([])
  })

  test('repeats, goes on with the fallback policy, and notifies administrators when it is exhausted', async () => {
    const { team, check } = await aTeam()
    const fallback = await aPolicy(team, [step()], { name: 'Second line', is_default: false })
    const own = await aPolicy(team, [step(), step()], { repeat_count: 1, fallback_policy_id: fallback })
    await goDown(check)
    for (let time = 0; time < 8; time++) await passTime(team)
    expect(await steps(team)).toEqual(['1.1', '1.2', '2.1', '2.2', '3.1'])
    const escalation = await escalationOf(team)
    expect(escalation).toMatchObject({ state: 'exhausted', policy_name: 'Second line', next_at: null })
    expect(escalation.notifications.map((each: { policy_id: string }) => each.policy_id)).toEqual([
      fallback,
      own,
      own,
      own,
      own,
    ])
    expect(await eventsOf(team, 'incident.escalation_exhausted')).toHaveLength(1)
    expect((await mailsOf(team, 'escalation_exhausted')).map(({ userId }) => userId)).toEqual([team.userId])
  })

  test('follows the policy of the monitor rather than the default, and none where there is none', async () => {
    const team = await given.tenant()
    const own = await aPolicy(team, [step()], { name: 'Own', is_default: false })
    const [plain, named] = [await aMonitor(team), await aMonitor(team, { escalation_policy_id: own })]
    await goDown(plain.check)
    expect(await escalationOf(team)).toBeNull()
    await goDown(named.check)
    expect((await escalationOf(team)).policy_name).toBe('Own')
  })

  test('ends with an acknowledgement, and goes on when that is removed', async () => {
    const { team, check } = await aTeam()
    await goDown(check)
    await passTime(team)
    const incident = await incidentOf(team)
    await team.post(`/incidents/${incident}/acknowledge`)
    expect((await escalationOf(team)).state).toBe('acknowledged')
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
    await team.post(`/incidents/${incident}/unacknowledge`)
    expect((await escalationOf(team)).state).toBe('running')
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1', '1.2'])
  })

  test('takes each step once, though several processes take them at once', async () => {
    const teams = await Promise.all(Array.from({ length: 8 }, () => aTeam()))
    await goDown(...teams.map(({ check }) => check))
    const ids = teams.map(({ team }) => team.tenantId)
    for (const [time, expected] of [['1.1'], ['1.1', '1.2']].entries()) {
      await platform.query('update escalation_runs set next_at = clock_timestamp() where tenant_id = any($1)', [ids])
      await Promise.all([pass(), pass(), pass(), pass()])
      await pass()
      for (const { team } of teams) expect(await steps(team), `time ${time}`).toEqual(expected)
    }
  })

  test('ends with the acknowledgement of many incidents by the reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await aPolicy(team, [step()])
    await goDown((await aMonitor(team)).check)
    const acknowledged = await reseller.post('/reseller/incidents/batch-acknowledge', {
      incident_ids: [await incidentOf(team)],
    })
    expect(acknowledged.body.data.acknowledged).toBe(1)
    expect((await escalationOf(team)).state).toBe('acknowledged')
  })

  test('ends with its incident, by itself or by hand', async () => {
    const [own, manual] = [await aTeam(), await aTeam()]
    await goDown(own.check, manual.check)
    await comeBack(own.check)
    await manual.team.post(`/incidents/${await incidentOf(manual.team)}/resolve`, {})
    for (const { team } of [own, manual]) {
      expect((await escalationOf(team)).state).toBe('resolved')
      await passTime(team)
      expect(await steps(team)).toEqual([])
    }
  })

  test('is parked by a snooze, and goes on after it', async () => {
    const { team, check } = await aTeam()
    await goDown(check)
    const incident = await incidentOf(team)
    await team.post(`/incidents/${incident}/snooze`, { minutes: 5 })
    expect(await escalationOf(team)).toMatchObject({ state: 'parked', next_at: null })
    await passTime(team)
    expect(await steps(team)).toEqual([])
    await team.post(`/incidents/${incident}/unsnooze`)
    expect((await escalationOf(team)).state).toBe('pending')
    await team.post(`/incidents/${incident}/snooze`, { minutes: 5 })
    await platform.query('update incidents set snoozed_until = clock_timestamp() where id = $1', [incident])
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
  })

  test('is parked by a snooze of its check while it goes on, and calls after it', async () => {
    const { team, check } = await aTeam()
    await goDown(check)
    await team.post(`/checks/${check}/snooze`, { minutes: 5 })
    await passTime(team)
    expect(await escalationOf(team)).toMatchObject({ state: 'parked', next_at: null })
    expect(await steps(team)).toEqual([])
    await team.post(`/checks/${check}/unsnooze`)
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
    await team.post(`/checks/${check}/snooze`, { minutes: 5 })
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
    await platform.query('update checks set snoozed_until = clock_timestamp() where id = $1', [check])
    await passTime(team)
    expect((await steps(team)).length).toBe(2)
  })

  test('waits while a maintenance window covers its monitor, whether it began before or in the window', async () => {
    const { team, check } = await aTeam()
    await goDown(check)
    const window = async () => (await aWindow(team)).id
    const first = await window()
    await team.post(`/maintenance-windows/${first}/start`)
    await passTime(team)
    expect(await escalationOf(team)).toMatchObject({ state: 'held', next_at: null })
    expect(await steps(team)).toEqual([])
    await team.post(`/maintenance-windows/${first}/stop`)
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
    await comeBack(check)
    const second = await window()
    await team.post(`/maintenance-windows/${second}/start`)
    await goDown(check)
    await passTime(team)
    expect((await escalationOf(team)).state).toBe('held')
    await team.post(`/maintenance-windows/${second}/stop`)
    await platform.query('update incidents set suppressed_by = null where id = $1', [await incidentOf(team)])
    await pass()
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1', '1.1'])
  })

  test('of a muted check begins when the mute ends', async () => {
    const { team, check } = await aTeam()
    await team.post(`/checks/${check}/snooze`, { minutes: 5 })
    await goDown(check)
    expect(await escalationOf(team)).toMatchObject({ state: 'parked', next_at: null })
    await team.post(`/checks/${check}/unsnooze`)
    expect(await escalationOf(team)).toMatchObject({ state: 'pending', next_at: expect.any(String) })
  })

  test('is one for each policy while a storm lasts, and one for each incident after it', async () => {
    const team = await given.tenant()
    await aPolicy(team, [step()])
    const monitors = await Promise.all(Array.from({ length: 6 }, () => aMonitor(team)))
    await goDown(...monitors.map(({ check }) => check))
    const states = async () => {
      const { rows } = await platform.query<{ state: string }>(
        'select state from escalation_runs where tenant_id = $1 order by state desc',
        [team.tenantId],
      )
      return rows.map(({ state }) => state).join(' ')
    }
    expect(await states()).toBe('pending held held held held held')
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
  })

  test.each<[state: string, become: (first: { id: string; check: string }) => Promise<unknown>]>([
    ['recovers', ({ check }) => comeBack(check)],
    ['is deleted', ({ id }) => platform.query('delete from monitors where id = $1', [id])],
    ['is paused', ({ id }) => platform.query('update monitors set is_enabled = false where id = $1', [id])],
    [
      'is snoozed',
      ({ check }) =>
        platform.query(`update checks set snoozed_until = clock_timestamp() + interval '1 hour' where id = $1`, [
          check,
        ]),
    ],
  ])('of a dead host goes on with its next monitor when the first one %s', async (_, become) => {
    const team = await given.tenant()
    await aPolicy(team, [step(), step([{ type: 'team' }], { delay_minutes: 5 })])
    const monitors = await Promise.all(Array.from({ length: 4 }, () => aMonitor(team)))
    const [first, ...others] = monitors
    const host = `${team.tenantId}.example.com`
    await goDownOfHost(host, [first!.check])
    for (const { check } of others) await goDownOfHost(host, [check])
    const waiting = async () => {
      const { rows } = await platform.query(
        `select 1 from escalation_runs where tenant_id = $1 and monitor_id = any($2) and state = 'held'`,
        [team.tenantId, others.map(({ id }) => id)],
      )
      return rows.length
    }
    await pass()
    expect(await waiting()).toBe(3)
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1'])
    await become(first!)
    await pass()
    expect(await waiting()).toBe(2)
    await passTime(team)
    expect(await steps(team)).toHaveLength(2)
    await passTime(team)
    expect(await waiting()).toBe(2)
  })

  test('of a dead host is one still when the snooze of its first monitor ends', async () => {
    const team = await given.tenant()
    await aPolicy(team, [step(), step([{ type: 'team' }], { delay_minutes: 5 }), step()])
    const monitors = await Promise.all(Array.from({ length: 4 }, () => aMonitor(team)))
    const host = `${team.tenantId}.example.com`
    for (const { check } of monitors) await goDownOfHost(host, [check])
    await pass()
    await passTime(team)
    await team.post(`/checks/${monitors[0]!.check}/snooze`, { minutes: 5 })
    await pass()
    await passTime(team)
    expect(await steps(team)).toEqual(['1.1', '1.2'])
    await team.post(`/checks/${monitors[0]!.check}/unsnooze`)
    await pass()
    await pass()
    const { rows } = await platform.query(
      `select 1 from escalation_runs where tenant_id = $1 and state in ('pending', 'running')`,
      [team.tenantId],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('the targets of a step', () => {
  test('are called in turn by round robin, over runs', async () => {
    const owner = await given.tenant()
    const [second, third] = [await given.colleague(owner, 'member'), await given.colleague(owner, 'member')]
    await given.colleague(owner, 'viewer')
    await aPolicy(owner, [step([{ type: 'team' }], { assignment: 'round_robin' })])
    for (let time = 0; time < 3; time++) {
      const { check } = await aMonitor(owner, { name: `Shop ${time}` })
      await goDown(check)
      await passTime(owner)
    }
    expect((await peopleOf(owner)).toSorted()).toEqual([userOf(owner), userOf(second), userOf(third)].toSorted())
  })

  test('of a schedule are who is on call, or who is next', async () => {
    const owner = await given.tenant()
    const colleague = await given.colleague(owner, 'member')
    const users = [userOf(owner), userOf(colleague)]
    const rotation = { name: 'R', users, handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }
    const schedule = await owner.post('/on-call-schedules', { name: 'S', timezone: 'UTC', rotations: [rotation] })
    const { id } = schedule.body.data
    await aPolicy(owner, [step([{ type: 'schedule', id }]), step([{ type: 'schedule', id, position: 'next' }])])
    await goDown((await aMonitor(owner)).check)
    await passTime(owner)
    await passTime(owner)
    const { user, next_user } = (await owner.get(`/on-call-schedules/${id}/current`)).body.data
    expect(await peopleOf(owner)).toEqual([user.user_id, next_user.user_id])
  })

  test('of a schedule heed an override that is limited to their policy, and none that is limited to another', async () => {
    const owner = await given.tenant()
    const [ann, ben] = [await given.colleague(owner, 'member'), await given.colleague(owner, 'member')]
    const rotation = { name: 'R', users: [userOf(owner)], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }
    const schedule = await owner.post('/on-call-schedules', { name: 'S', timezone: 'UTC', rotations: [rotation] })
    const { id } = schedule.body.data
    const own = await aPolicy(owner, [step([{ type: 'schedule', id }])])
    const other = await aPolicy(owner, [step([{ type: 'schedule', id }])], { name: 'Other', is_default: false })
    const hour = 3_600_000
    const times = {
      starts_at: new Date(Date.now() - hour).toISOString(),
      ends_at: new Date(Date.now() + hour).toISOString(),
    }
    for (const [person, policy] of [
      [ann, own],
      [ben, other],
    ] as const) {
      const body = { user_id: userOf(person), ...times, escalation_policy_id: policy }
      expect((await owner.post(`/on-call-schedules/${id}/overrides`, body)).status).toBe(201)
    }
    await goDown((await aMonitor(owner)).check)
    await passTime(owner)
    expect(await peopleOf(owner)).toEqual([userOf(ann)])
  })

  test('are left out where the condition is not met or no target is reached, and the next step is taken at once', async () => {
    const { team, check } = await aTeam(
      [
        step([{ type: 'team' }], { only_if: { severity: ['minor'] } }),
        step([{ type: 'channel', id: null }], { delay_minutes: 60 }),
      ].slice(0, 1),
    )
    const channel = await team.post('/notification-channels', {
      name: 'Hook',
      type: 'webhook',
      is_enabled: false,
      config: { url: 'https://example.com/hook', secret: 'a secret of sixteen' },
      notify_all: false,
    })
    await aPolicy(team, [
      step([{ type: 'team' }], { only_if: { severity: ['minor'] } }),
      step([{ type: 'channel', id: channel.body.data.id }], { delay_minutes: 60 }),
      step([{ type: 'team' }], { delay_minutes: 60 }),
    ])
    await goDown(check)
    await passTime(team)
    const { notifications, state } = await escalationOf(team)
    expect(state).toBe('running')
    expect(
      notifications.map(({ step, reason, via }: Record<string, unknown>) => [step, reason, via]).toReversed(),
    ).toEqual([
      [1, 'condition_not_met', null],
      [2, 'unreachable', null],
      [3, null, 'channel'],
    ])
    expect(await steps(team)).toEqual(['1.3'])
  })
})

describe('a policy that reaches no target', () => {
  const offChannel = async (team: CallerUnderTest) => {
    const channel = await team.post('/notification-channels', {
      name: 'Hook',
      type: 'webhook',
      is_enabled: false,
      config: { url: 'https://example.com/hook', secret: 'a secret of sixteen' },
      notify_all: false,
    })
    return step([{ type: 'channel', id: channel.body.data.id }])
  }

  test('goes on with its fallback policy, and to its end, at once', async () => {
    const team = await given.tenant()
    const { check } = await aMonitor(team)
    const fallback = await aPolicy(team, [step()], { name: 'Second line', is_default: false })
    const lost = await offChannel(team)
    await aPolicy(team, [lost, lost], { repeat_count: 2, fallback_policy_id: fallback })
    await goDown(check)
    await passTime(team)
    const { notifications, policy_name } = await escalationOf(team)
    expect(policy_name).toBe('Second line')
    expect(
      notifications.map(({ round, step, reason }: Record<string, unknown>) => [round, step, reason]).toReversed(),
    ).toEqual([
      [1, 1, 'unreachable'],
      [1, 2, 'unreachable'],
      [2, 1, 'unreachable'],
      [2, 2, 'unreachable'],
      [3, 1, 'unreachable'],
      [3, 2, 'unreachable'],
      [4, 1, null],
    ])
  })

  test('notifies the administrators at once where it has no fallback', async () => {
    const team = await given.tenant()
    const { check } = await aMonitor(team)
    await aPolicy(team, [await offChannel(team)])
    await goDown(check)
    await passTime(team)
    expect((await escalationOf(team)).state).toBe('exhausted')
    expect(await mailsOf(team, 'escalation_exhausted')).toHaveLength(1)
  })

  test('waits at the end of a round in which a step called a person', async () => {
    const team = await given.tenant()
    const { check } = await aMonitor(team)
    await aPolicy(team, [step(), await offChannel(team)], { repeat_count: 1 })
    await goDown(check)
    await passTime(team)
    await passTime(team)
    const { state, round, step: taken } = await escalationOf(team)
    expect([state, round, taken]).toEqual(['running', 1, 2])
    expect(await steps(team)).toEqual(['1.1'])
  })
})

describe('a step that loses the last person whom it calls', () => {
  const lostMails = async (team: CallerUnderTest) => {
    await pass()
    return (await mailsOf(team, 'escalation_step_lost')).map(({ userId, data }) => [userId, data.steps])
  }
  const ways: [string, (owner: CallerUnderTest, person: CallerUnderTest) => Promise<unknown>][] = [
    ['is removed', (owner, person) => owner.delete(`/members/${userOf(person)}`)],
    ['leaves', (owner, person) => person.delete(`/profile/teams/${owner.tenantId}`)],
    ['is disabled', (owner, person) => owner.patch(`/members/${userOf(person)}`, { status: 'disabled' })],
    ['is erased', (_, person) => platform.query('delete from users where id = $1', [userOf(person)])],
  ]
  test.each(ways)('is mailed to the administrators at once, and once: the person %s', async (_, end) => {
    const owner = await given.tenant()
    const [ann, ben] = [await given.colleague(owner, 'member'), await given.colleague(owner, 'member')]
    const user = (person: CallerUnderTest) => ({ type: 'user', id: userOf(person) })
    await aPolicy(owner, [step([user(ann)]), step([user(ann), user(ben)]), step([user(ann), { type: 'team' }])])
    await end(owner, ann)
    for (let time = 0; time < 2; time++) expect(await lostMails(owner)).toEqual([[owner.userId, '1']])
    await end(owner, ben)
    expect(await lostMails(owner)).toEqual([
      [owner.userId, '1'],
      [owner.userId, '2'],
    ])
  })

  test('is not mailed where the policy is changed, or goes with its steps', async () => {
    const owner = await given.tenant()
    const [ann, ben] = [await given.colleague(owner, 'member'), await given.colleague(owner, 'member')]
    const id = await aPolicy(owner, [step([{ type: 'user', id: userOf(ann) }]), step()])
    await owner.patch(`${path}/${id}`, { steps: [step([{ type: 'user', id: userOf(ben) }])] })
    await owner.delete(`/members/${userOf(ann)}`)
    await owner.delete(`${path}/${id}`)
    await owner.delete(`/members/${userOf(ben)}`)
    expect(await lostMails(owner)).toEqual([])
  })
})

test('a contact method is no target of a policy', async () => {
  const owner = await given.tenant()
  const { rows } = await platform.query<{ id: string }>(
    'select id from notification_channels where tenant_id = $1 and owner_user_id is not null',
    [owner.tenantId],
  )
  const body = { name: 'Own', steps: [step([{ type: 'channel', id: rows[0]!.id }])] }
  expect(await owner.post(path, body)).toMatchObject({
    status: 422,
    body: { errors: { 'steps.0.targets.0.id': ['There is no such notification channel.'] } },
  })
})

describe('the links of a mail that calls a person', () => {
  test('acknowledge and resolve in the name of the person, each only what it is for', async () => {
    const { team, check } = await aTeam()
    await withoutContacts(team)
    await goDown(check)
    await passTime(team)
    const incident = await incidentOf(team)
    const [mail] = await mailsOf(team)
    const token = (link: string) => mail!.data[link]!.split('#')[1]!
    const crossed = await given.stranger().post('/incidents/resolve-by-link', { token: token('acknowledge_url') })
    expect(crossed).toMatchObject({ status: 422, body: { code: 'bad_link' } })
    const other = await given.stranger().post('/incidents/acknowledge-by-link', { token: token('resolve_url') })
    expect(other).toMatchObject({ status: 422, body: { code: 'bad_link' } })
    const found = await given.stranger().post('/incidents/resolve-by-link/lookup', { token: token('resolve_url') })
    expect(found.body.data).toMatchObject({ incident_id: incident, resolved_at: null })
    expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({
      resolved_at: null,
      acknowledged_at: null,
    })

    expect((await ask('acknowledge_url', mail!.data)).body.data.acknowledged_by_name).toBe('Pat Person')
    expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({ acknowledged_by: team.userId })
    expect((await ask('resolve_url', mail!.data)).body.data.resolved_at).not.toBeNull()
    const { resolution, escalation, timeline } = (await team.get(`/incidents/${incident}`)).body.data
    expect([resolution, escalation.state]).toEqual(['by_hand', 'resolved'])
    expect(timeline.at(-1)).toMatchObject({ type: 'resolved', user_id: team.userId })
    for (const link of ['acknowledge_url', 'resolve_url'])
      expect(await ask(link, mail!.data)).toMatchObject({ status: 422, body: { code: 'incident_resolved' } })
  })

  test('end with the membership, and with any changed bit', async () => {
    const owner = await given.tenant()
    const colleague = await given.colleague(owner, 'member')
    await aPolicy(owner, [step([{ type: 'user', id: userOf(colleague) }])])
    await withoutContacts(owner)
    await goDown((await aMonitor(owner)).check)
    await passTime(owner)
    const [mail] = await mailsOf(owner)
    const token = mail!.data.resolve_url!.split('#')[1]!
    const bytes = Buffer.from(token, 'base64url')
    for (const at of [0, 15, 16, 31, 34, 40, 59]) {
      const forged = Buffer.from(bytes)
      forged[at]! ^= 1
      const answer = await given.stranger().post('/incidents/resolve-by-link', { token: forged.toString('base64url') })
      expect(answer).toMatchObject({ status: 422, body: { code: 'bad_link' } })
    }
    await owner.delete(`/members/${userOf(colleague)}`)
    expect(await ask('resolve_url', mail!.data)).toMatchObject({ status: 422, body: { code: 'link_revoked' } })
  })
})
