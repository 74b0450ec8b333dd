import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aMonitor, comeBack, goDown, incidentOf } from './escalated.ts'

const path = '/escalation-policies'
const userOf = (caller: CallerUnderTest) => caller.userId ?? ''
const step = (targets: object[] = [{ type: 'team' }], more: Record<string, unknown> = {}) => ({
  delay_minutes: 1,
  targets,
  ...more,
})
const policy = (more: Record<string, unknown> = {}) => ({ name: 'Operations', steps: [step()], ...more })

async function aTeam() {
  const owner = await given.tenant()
  const rotation = { name: 'R', users: [userOf(owner)], handoff: 'weekly', first_handoff_at: '2026-01-05T09:00' }
  const schedule = await owner.post('/on-call-schedules', { name: 'S', timezone: 'UTC', rotations: [rotation] })
  const channel = await owner.post('/notification-channels', {
    name: 'Hook',
    type: 'webhook',
    config: { url: 'https://example.com/hook', secret: 'a secret of sixteen' },
  })
  return { owner, scheduleId: schedule.body.data.id, channelId: channel.body.data.id }
}

const auditOf = async (owner: CallerUnderTest) =>
  (await owner.get('/audit-log?entity_type=escalation_policy,escalation_step')).body.data.map(
    (entry: { action: string }) => entry.action,
  )

describe('/escalation-policies', () => {
  test('creates, lists, gets, updates and deletes a policy', async () => {
    const { owner, scheduleId, channelId } = await aTeam()
    const condition = { severity: ['critical'], days: ['mon', 'sun'], from: '22:00', to: '06:00', timezone: 'UTC' }
    const made = await owner.post(
      path,
      policy({
        repeat_count: 2,
        repeat_delay_minutes: 3,
        steps: [
          step([
            { type: 'schedule', id: scheduleId, position: 'next' },
            { type: 'channel', id: channelId },
          ]),
          step([{ type: 'user', id: userOf(owner) }, { type: 'team' }], {
            delay_minutes: 5,
            assignment: 'round_robin',
            only_if: condition,
          }),
        ],
      }),
    )
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          name: 'Operations',
          is_default: false,
          repeat_count: 2,
          repeat_delay_minutes: 3,
          fallback_policy_id: null,
          steps: [
            {
              order: 1,
              delay_minutes: 1,
              assignment: 'all',
              only_if: null,
              targets: [
                { type: 'schedule', id: scheduleId, position: 'next' },
                { type: 'channel', id: channelId, position: null },
              ],
            },
            {
              order: 2,
              delay_minutes: 5,
              assignment: 'round_robin',
              only_if: condition,
              targets: [
                { type: 'user', id: userOf(owner), position: null },
                { type: 'team', id: null, position: null },
              ],
            },
          ],
        },
      },
    })
    const { id, steps } = made.body.data
    expect((await owner.get(path)).body).toMatchObject({ data: [made.body.data], meta: { total: 1 } })
    expect((await owner.get(`${path}/${id}`)).body.data).toEqual(made.body.data)
    const changed = await owner.patch(`${path}/${id}`, {
      name: 'Nights',
      steps: [
        step([{ type: 'team' }], { order: 9 }),
        { ...step([{ type: 'channel', id: channelId }]), id: steps[1].id, order: 1 },
      ],
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { name: 'Nights', repeat_count: 2, steps: [{ id: steps[1].id, order: 1 }, { order: 9 }] } },
    })
    expect((await owner.delete(`${path}/${id}`)).status).toBe(204)
    expect((await owner.get(`${path}/${id}`)).status).toBe(404)
    expect(await auditOf(owner)).toEqual(
      expect.arrayContaining([
        'escalation_policy.created',
        'escalation_policy.updated',
        'escalation_policy.deleted',
        'escalation_step.created',
        'escalation_step.updated',
        'escalation_step.deleted',
      ]),
    )
  })

  test('is offered to a reseller for its teams, and to no others', async () => {
    const [reseller, other] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const base = `${team.path}/escalation-policies`
    const made = await reseller.post(base, policy())
    expect(made.status).toBe(201)
    expect((await reseller.get(base)).body.meta.total).toBe(1)
    const one = `${base}/${made.body.data.id}`
    expect((await reseller.patch(one, { name: 'Other' })).body.data.name).toBe('Other')
    expect((await other.get(base)).status).toBe(403)
    expect((await reseller.delete(one)).status).toBe(204)
  })

  test('names what it refuses', async () => {
    const { owner, scheduleId } = await aTeam()
    const refusals: [body: object, field: string][] = [
      [policy({ steps: [] }), 'steps'],
      [policy({ steps: Array.from({ length: 11 }, () => step()) }), 'steps'],
      [policy({ steps: [step([])] }), 'steps.0.targets'],
      [policy({ steps: [step(Array.from({ length: 21 }, () => ({ type: 'team' })))] }), 'steps.0.targets'],
      [policy({ steps: [step(undefined, { delay_minutes: 0 })] }), 'steps.0.delay_minutes'],
      [policy({ steps: [step(undefined, { delay_minutes: 1441 })] }), 'steps.0.delay_minutes'],
      [policy({ steps: [step(undefined, { order: 2 }), step()] }), 'steps.1.order'],
      [policy({ repeat_count: 11 }), 'repeat_count'],
      [policy({ repeat_count: -1 }), 'repeat_count'],
      [policy({ repeat_delay_minutes: 0 }), 'repeat_delay_minutes'],
      [policy({ steps: [step([{ type: 'team' }, { type: 'user' }])] }), 'steps.0.targets.1.id'],
      [policy({ steps: [step([{ type: 'team', id: randomUUID() }])] }), 'steps.0.targets.0.id'],
      [policy({ steps: [step([{ type: 'team', position: 'next' }])] }), 'steps.0.targets.0.position'],
      [policy({ steps: [step(undefined, { only_if: {} })] }), 'steps.0.only_if.severity'],
      [policy({ steps: [step(undefined, { only_if: { days: ['mon'] } })] }), 'steps.0.only_if.timezone'],
      [policy({ steps: [step(undefined, { only_if: { from: '09:00', timezone: 'UTC' } })] }), 'steps.0.only_if.to'],
      [
        policy({ steps: [step(undefined, { only_if: { days: ['mon'], timezone: 'Mars/X' } })] }),
        'steps.0.only_if.timezone',
      ],
      [policy({ steps: [step([{ type: 'team' }, { type: 'user', id: randomUUID() }])] }), 'steps.0.targets.1.id'],
      [policy({ steps: [step(), step([{ type: 'user', id: scheduleId }])] }), 'steps.1.targets.0.id'],
      [policy({ steps: [step([{ type: 'channel', id: scheduleId }])] }), 'steps.0.targets.0.id'],
      [policy({ fallback_policy_id: randomUUID() }), 'fallback_policy_id'],
    ]
    for (const [body, field] of refusals) {
      const answer = await owner.post(path, body)
      expect({ status: answer.status, fields: Object.keys(answer.body.errors ?? {}) }, field).toEqual({
        status: 422,
        fields: [field],
      })
    }
    const edge = policy({ repeat_count: 10, steps: Array.from({ length: 10 }, () => step()) })
    expect((await owner.post(path, edge)).status).toBe(201)
  })

  test('refuses people, schedules and channels of another team', async () => {
    const [mine, theirs] = [await aTeam(), await aTeam()]
    const targets = [
      { type: 'user', id: userOf(theirs.owner) },
      { type: 'schedule', id: theirs.scheduleId },
      { type: 'channel', id: theirs.channelId },
    ]
    for (const target of targets) {
      const answer = await mine.owner.post(path, policy({ steps: [step([{ type: 'team' }, target])] }))
      expect(answer).toMatchObject({ status: 422, body: { errors: { 'steps.0.targets.1.id': expect.anything() } } })
    }
    const other = (await theirs.owner.post(path, policy())).body.data.id
    expect((await mine.owner.get(`${path}/${other}`)).status).toBe(404)
    expect((await mine.owner.post(path, policy({ fallback_policy_id: other }))).status).toBe(422)
    const monitor = { name: 'M', url: 'https://example.com/', escalation_policy_id: other }
    expect(await mine.owner.post('/monitors', monitor)).toMatchObject({
      status: 422,
      body: { errors: { escalation_policy_id: ['There is no such escalation policy.'] } },
    })
  })

  test('has one default policy', async () => {
    const { owner } = await aTeam()
    const first = (await owner.post(path, policy({ is_default: true }))).body.data.id
    const second = (await owner.post(path, policy({ is_default: true }))).body.data.id
    expect((await owner.get(`${path}/${first}`)).body.data.is_default).toBe(false)
    await owner.patch(`${path}/${first}`, { is_default: true })
    expect((await owner.get(`${path}/${second}`)).body.data.is_default).toBe(false)
    expect((await owner.get(`${path}/${first}`)).body.data.is_default).toBe(true)
  })

  test('refuses fallback policies that go round in a circle, also when two are changed at once', async () => {
    const { owner } = await aTeam()
    const make = async (more = {}) => (await owner.post(path, policy(more))).body.data.id as string
    const first = await make()
    const second = await make({ fallback_policy_id: first })
    const third = await make({ fallback_policy_id: second })
    for (const id of [first, second, third])
      expect(await owner.patch(`${path}/${first}`, { fallback_policy_id: id })).toMatchObject({
        status: 422,
        body: { errors: { fallback_policy_id: expect.anything() } },
      })
    const [a, b] = [await make(), await make()]
    const both = await Promise.all([
      owner.patch(`${path}/${a}`, { fallback_policy_id: b }),
      owner.patch(`${path}/${b}`, { fallback_policy_id: a }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  test('is not deleted while it is in use, and names its users', async () => {
    const { owner, scheduleId, channelId } = await aTeam()
    const used = (
      await owner.post(
        path,
        policy({
          name: 'Used',
          steps: [
            step([
              { type: 'schedule', id: scheduleId },
              { type: 'channel', id: channelId },
            ]),
          ],
        }),
      )
    ).body.data.id
    const user = (await owner.post(path, policy({ name: 'Above', fallback_policy_id: used }))).body.data.id
    const monitor = { name: 'Shop', url: 'https://example.com/', escalation_policy_id: used }
    const monitorId = (await owner.post('/monitors', monitor)).body.data.id
    expect((await owner.get(`/monitors/${monitorId}`)).body.data.escalation_policy_id).toBe(used)
    expect(await owner.delete(`${path}/${used}`)).toMatchObject({
      status: 422,
      body: {
        code: 'in_use',
        errors: {
          monitors: ['The monitor “Shop” has this policy.'],
          escalation_policies: ['The policy “Above” falls back on this one.'],
        },
      },
    })
    for (const called of [`/on-call-schedules/${scheduleId}`, `/notification-channels/${channelId}`])
      expect(await owner.delete(called)).toMatchObject({
        status: 422,
        body: { code: 'in_use', errors: { escalation_policies: ['Is called by the escalation policy “Used”.'] } },
      })
    await owner.patch(`/monitors/bulk`, { monitors: [{ id: monitorId, escalation_policy_id: null }] })
    await owner.delete(`${path}/${user}`)
    expect((await owner.delete(`${path}/${used}`)).status).toBe(204)
    expect((await owner.delete(`/on-call-schedules/${scheduleId}`)).status).toBe(204)
  })

  test('is not deleted while an open incident is escalated by it, and is once that has ended', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner)
    const { id } = (await owner.post(path, policy({ is_default: true, steps: [step([{ type: 'team' }])] }))).body.data
    await goDown(monitor.check)
    const refused = {
      status: 422,
      body: { code: 'in_use', errors: { incidents: ['The incident #1 “Shop is down” is escalated by it.'] } },
    }
    expect(await owner.delete(`${path}/${id}`)).toMatchObject(refused)
    await owner.patch(`${path}/${id}`, { is_default: false })
    await owner.post(`/incidents/${await incidentOf(owner)}/snooze`, { minutes: 60 })
    expect(await owner.delete(`${path}/${id}`)).toMatchObject(refused)
    await comeBack(monitor.check)
    expect((await owner.delete(`${path}/${id}`)).status).toBe(204)
  })

  test('loses a target whose person leaves the team', async () => {
    const { owner } = await aTeam()
    const colleague = await given.colleague(owner, 'member')
    const targets = [{ type: 'user', id: userOf(colleague) }, { type: 'team' }]
    const { id } = (await owner.post(path, policy({ steps: [step(targets)] }))).body.data
    expect((await owner.delete(`/members/${userOf(colleague)}`)).status).toBeLessThan(300)
    expect((await owner.get(`${path}/${id}`)).body.data.steps[0].targets).toEqual([
      { type: 'team', id: null, position: null },
    ])
  })

  test('counts in the plan', async () => {
    const { owner } = await aTeam()
    await app.services.platform.query(
      `update tenants set feature_overrides = '{"escalation_policies": 1}' where id = $1`,
      [owner.tenantId],
    )
    expect((await owner.post(path, policy())).status).toBe(201)
    expect(await owner.post(path, policy())).toMatchObject({
      status: 422,
      body: { code: 'plan_limit', errors: { escalation_policies: expect.anything() } },
    })
    expect((await owner.get('/plan')).body.data).toMatchObject({
      limits: { escalation_policies: 1 },
      usage: { escalation_policies: 1 },
    })
  })
})
