import { describe, expect, test } from 'vitest'
import { stamp } from '#contract/time.ts'
import { type Calendar, databaseCalendar } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { advanceTrial } from '#control-plane/reselling/managed-teams/trial.ts'
import { changeTenant } from '#control-plane/reselling/tenants/update.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services
const dayMs = 86_400_000
const calendarAt = (now: Date | number): Calendar => ({ now: async () => new Date(now), dayMs })

type Sale = Awaited<ReturnType<typeof onTrial>>

/** A trial set so many days before its end. */
async function onTrial(
  days: number,
  plan = 'pro',
): Promise<{ reseller: CallerUnderTest; team: TeamUnderTest; endsAt: Date }> {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan, label: 'VIP' })
  const endsAt = new Date(Date.now() + days * dayMs)
  await platform.query('update managed_teams set trial_ends_at = $2, trial_set_at = clock_timestamp() where id = $1', [
    team.id,
    endsAt,
  ])
  return { reseller, team, endsAt }
}

const trialEvents = async ({ tenantId }: CallerUnderTest) =>
  (
    await platform.query<{ name: string; days: number | null }>(
      `select name, (payload->>'days_remaining')::int as days from outbox where tenant_id = $1 and kind = 'event'
       order by id`,
      [tenantId],
    )
  ).rows.map(({ name, days }) => (days === null ? name : `${name} ${days}`))

describe('a trial, asked what is due', () => {
  test('mails only the team’s owners and administrators, once each time', async () => {
    const { team, reseller, endsAt } = await onTrial(10)
    const admin = await given.colleague(team, 'admin')
    await given.colleague(team, 'member')
    const standIn = await given.colleague(team, 'admin')
    await platform.query('update users set is_service = true where id = $1', [standIn.userId])
    for (const days of [3, 3, 1, 0, 0])
      await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt.getTime() - days * dayMs))
    const asked = await mailsOf(team)
    expect(asked.map(({ type, data }) => [type, data.days_remaining ?? data.previous_plan])).toEqual(
      [
        ['trial_ending', 3],
        ['trial_ending', 1],
        ['trial_expired', 'pro'],
      ].flatMap(each => [each, each]),
    )
    expect(new Set(asked.map(({ recipient }) => recipient.user_id))).toEqual(new Set([team.userId, admin.userId]))
    expect(asked[0]!.data).toMatchObject({ plan: 'pro', trial_ends_at: stamp(endsAt) })
    expect(await mailsOf(reseller)).toEqual([])
  })

  test('is due at its moments to the millisecond, and says how long until the next', async () => {
    const { reseller, team, endsAt } = await onTrial(10)
    const ask = (beforeEndMs: number) =>
      advanceTrial(platform, team.id, endsAt, calendarAt(endsAt.getTime() - beforeEndMs))
    expect(await ask(9 * dayMs)).toEqual({ againInMs: 6 * dayMs })
    expect(await ask(3 * dayMs + 1)).toEqual({ againInMs: 1 })
    expect(await trialEvents(reseller)).toEqual([])
    expect(await ask(3 * dayMs)).toEqual({ againInMs: 2 * dayMs })
    expect(await ask(3 * dayMs - 5)).toEqual({ againInMs: 2 * dayMs - 5 })
    expect(await ask(dayMs + 1)).toEqual({ againInMs: 1 })
    expect(await trialEvents(reseller)).toEqual(['team.trial_ending 3'])
    expect(await ask(dayMs)).toEqual({ againInMs: dayMs })
    expect(await ask(1)).toEqual({ againInMs: 1 })
    expect(await ask(0)).toBe('expired')
    expect(await ask(-1)).toBe('expired')
    expect(await trialEvents(reseller)).toEqual(['team.trial_ending 3', 'team.trial_ending 1', 'team.trial_expired'])
  })

  test('asked late says what is really left, and of two missed reminders sends the newer', async () => {
    const [late, later] = [await onTrial(10), await onTrial(10)]
    await advanceTrial(platform, late.team.id, late.endsAt, calendarAt(late.endsAt.getTime() - 1.5 * dayMs))
    expect(await trialEvents(late.reseller)).toEqual(['team.trial_ending 2'])
    await advanceTrial(platform, later.team.id, later.endsAt, calendarAt(later.endsAt.getTime() - 0.5 * dayMs))
    expect(await trialEvents(later.reseller)).toEqual(['team.trial_ending 1'])
    expect(
      await advanceTrial(platform, later.team.id, later.endsAt, calendarAt(later.endsAt.getTime() + 5 * dayMs)),
    ).toBe('expired')
    expect(await trialEvents(later.reseller)).toEqual(['team.trial_ending 1', 'team.trial_expired'])
  })

  test('at its end holds what is beyond free, the oldest kept, and deletes nothing', async () => {
    const { reseller, team, endsAt } = await onTrial(5)
    for (let n = 0; n < 7; n++)
      expect(
        (
          await reseller.post(`${team.path}/monitors`, {
            name: `m${n}`,
            url: `https://site-${n}.example`,
            type: 'website',
          })
        ).status,
      ).toBe(201)
    expect(await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))).toBe('expired')
    const { rows } = await platform.query(
      'select name, held_by_plan, is_enabled from monitors where tenant_id = $1 order by created_at, id',
      [team.tenantId],
    )
    expect(rows.map(({ held_by_plan }) => held_by_plan)).toEqual([false, false, false, false, false, true, true])
    expect(rows.every(({ is_enabled }) => is_enabled)).toBe(true)
    const { body } = await reseller.get(team.path)
    expect(body.data.plan).toBe('free')
  })

  test('a plan that is sold during it stays at its end: no monitor is over it, and no mail says that anything ends', async () => {
    const { reseller, team, endsAt } = await onTrial(10)
    const monitors = Array.from({ length: 7 }, (_, n) => ({ name: `m${n}`, url: `https://site-${n}.example` }))
    expect((await team.post('/monitors/bulk', { monitors })).status).toBe(201)
    expect((await reseller.get(team.path)).body.data).toMatchObject({ plan: 'pro', plan_after_trial: 'free' })
    const { body } = await reseller.patch(team.path, { plan: 'starter' })
    expect(body.data).toMatchObject({ plan: 'starter', on_trial: true, plan_after_trial: 'starter' })
    for (const days of [3, 1, 0])
      await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt.getTime() - days * dayMs))
    expect((await reseller.get(team.path)).body.data.plan).toBe('starter')
    const overLimit = 'select 1 from monitors where tenant_id = $1 and held_by_plan'
    expect((await platform.query(overLimit, [team.tenantId])).rowCount).toBe(0)
    expect(await mailsOf(team)).toEqual([])
    const { rows } = await platform.query(
      `select name, payload ->> 'plan_after_trial' as after, payload ->> 'previous_plan' as before,
         payload ->> 'plan' as plan
       from outbox where tenant_id = $1 and name like 'team.trial%' order by id`,
      [reseller.tenantId],
    )
    expect(rows).toEqual([
      { name: 'team.trial_ending', after: 'starter', before: null, plan: 'starter' },
      { name: 'team.trial_ending', after: 'starter', before: null, plan: 'starter' },
      { name: 'team.trial_expired', after: null, before: 'starter', plan: 'starter' },
    ])
  })

  test.each([
    [
      'the reseller, with others',
      async ({ reseller, team }: Sale) => {
        await reseller.post('/reseller/managed-teams/batch', { action: 'plan', ids: [team.id], plan: 'hobby' })
      },
    ],
    [
      'the reseller, for after the trial only',
      async ({ reseller, team }: Sale) => {
        await reseller.patch(team.path, { plan_after_trial: 'hobby' })
      },
    ],
    [
      'an operator',
      async ({ team }: Sale) => {
        await inTransaction(platform, client => changeTenant(client, team.tenantId, { plan: 'hobby' }))
      },
    ],
    [
      'the reseller, who then makes the trial longer and sends the team back as it was read',
      async ({ reseller, team }: Sale) => {
        const before = (await reseller.get(team.path)).body.data
        await reseller.patch(team.path, { ...before, plan: 'hobby' })
        await platform.query(
          `update managed_teams set trial_ends_at = trial_ends_at - interval '2 days' where id = $1`,
          [team.id],
        )
        await reseller.patch(team.path, { ...(await reseller.get(team.path)).body.data, trial_days: 5 })
      },
    ],
  ])('a plan is kept that was sold by %s', async (_, sell) => {
    const trial = await onTrial(5)
    await sell(trial)
    const { trial_ends_at, plan_after_trial } = (await trial.reseller.get(trial.team.path)).body.data
    expect(plan_after_trial).toBe('hobby')
    const endsAt = new Date(trial_ends_at)
    expect(await advanceTrial(platform, trial.team.id, endsAt, calendarAt(endsAt))).toBe('expired')
    expect((await trial.reseller.get(trial.team.path)).body.data).toMatchObject({ plan: 'hobby' })
  })

  test('a plan that is named with a new trial is that of the trial, and ends with it', async () => {
    const { reseller, team } = await onTrial(5, 'starter')
    const { body } = await reseller.patch(team.path, { plan: 'pro', trial_days: 7 })
    expect(body.data).toMatchObject({ plan: 'pro', plan_after_trial: 'free' })
    const endsAt = new Date(body.data.trial_ends_at)
    await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))
    expect((await reseller.get(team.path)).body.data).toMatchObject({ plan: 'free' })

    await reseller.patch(team.path, { plan: 'pro', trial_days: 7, plan_after_trial: 'hobby' })
    expect((await reseller.get(team.path)).body.data.plan_after_trial).toBe('hobby')
    const cleared = await reseller.patch(team.path, { trial_days: 0 })
    expect(cleared.body.data).toMatchObject({ plan: 'pro', on_trial: false, plan_after_trial: null })
    const refused = await reseller.patch(team.path, { plan_after_trial: 'starter' })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['plan_after_trial']])
  })

  test('mails to which plan it leads, where that is not free', async () => {
    const { reseller, team, endsAt } = await onTrial(10)
    await reseller.patch(team.path, { plan_after_trial: 'hobby' })
    for (const days of [1, 0])
      await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt.getTime() - days * dayMs))
    const [ending, expired] = await mailsOf(team)
    expect(ending).toMatchObject({ type: 'trial_ending', data: { plan: 'pro', plan_after_trial: 'hobby' } })
    expect(expired).toMatchObject({ type: 'trial_expired', data: { previous_plan: 'pro', plan: 'hobby' } })
  })

  test('a team that is detached keeps the plan that was sold', async () => {
    const { reseller, team } = await onTrial(5)
    await reseller.patch(team.path, { plan: 'hobby' })
    expect((await reseller.post(`${team.path}/decouple`)).status).toBe(200)
    const { rows } = await platform.query('select plan from tenants where id = $1', [team.tenantId])
    expect(rows).toEqual([{ plan: 'hobby' }])
  })

  test('of eight who ask at once one does it', async () => {
    const { reseller, team, endsAt } = await onTrial(5)
    await Promise.all(
      Array.from({ length: 8 }, () => advanceTrial(platform, team.id, endsAt, calendarAt(endsAt.getTime() - dayMs))),
    )
    await Promise.all(Array.from({ length: 8 }, () => advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))))
    expect(await trialEvents(reseller)).toEqual(['team.trial_ending 1', 'team.trial_expired'])
  })

  test('knows its own end only: extended, cleared or gone it is superseded', async () => {
    const { team, endsAt } = await onTrial(5)
    expect(await advanceTrial(platform, team.id, new Date(endsAt.getTime() - 1), databaseCalendar)).toBe('superseded')
    await platform.query('update managed_teams set trial_ends_at = null where id = $1', [team.id])
    expect(await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))).toBe('superseded')
    expect(await advanceTrial(platform, crypto.randomUUID(), endsAt, databaseCalendar)).toBe('superseded')
  })

  test('after its end a new one names the plan that is tried', async () => {
    const { reseller, team, endsAt } = await onTrial(5)
    await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))
    const refused = await reseller.patch(team.path, { trial_days: 7 })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        trial_days: ['The trial has ended, and the plan is free: send the plan of the new trial with it.'],
      },
    ])
    const { body } = await reseller.patch(team.path, { trial_days: 7, plan: 'pro' })
    expect(body.data).toMatchObject({ plan: 'pro', on_trial: true, plan_after_trial: 'free' })
    expect((await reseller.patch(team.path, { trial_days: 9 })).status).toBe(200)
  })

  test('a plan bought after the end stays, though the process should ask again', async () => {
    const { reseller, team, endsAt } = await onTrial(5)
    await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))
    expect((await reseller.patch(team.path, { plan: 'starter' })).status).toBe(200)
    expect(await advanceTrial(platform, team.id, endsAt, calendarAt(endsAt))).toBe('expired')
    expect((await reseller.get(team.path)).body.data.plan).toBe('starter')
  })
})

describe('the API', () => {
  const processes = async (...of: CallerUnderTest[]) =>
    (
      await platform.query<{ kind: string; name: string; payload: { id: string } }>(
        `select kind, name, payload from outbox where tenant_id = any($1) and kind <> 'event' order by id`,
        [of.map(({ tenantId }) => tenantId)],
      )
    ).rows.map(({ kind, name, payload }) => `${kind} ${name} ${payload.id}`)

  test('starts a trial with the moment of the row, and signals the old workflow on a change', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.patch(team.path, { trial_days: 7 })
    const first = Date.parse((await reseller.get(team.path)).body.data.trial_ends_at)
    await reseller.patch(team.path, { trial_days: 14 })
    const second = Date.parse((await reseller.get(team.path)).body.data.trial_ends_at)
    await reseller.patch(team.path, { trial_days: 0 })
    await reseller.patch(team.path, { name: 'Other' })
    expect(await processes(reseller, team)).toEqual([
      `workflow trial trial:${team.id}:${first}`,
      `signal changed trial:${team.id}:${first}`,
      `workflow trial trial:${team.id}:${second}`,
      `signal changed trial:${team.id}:${second}`,
    ])
    const { rows } = await platform.query('select trial_set_at, trial_reminded from managed_teams where id = $1', [
      team.id,
    ])
    expect(rows).toEqual([{ trial_set_at: null, trial_reminded: null }])
  })

  test('starts a purge with the moment of the row, and signals it a restore', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const name = (await reseller.get(team.path)).body.data.name
    expect((await reseller.delete(team.path, { confirm_name: name })).status).toBe(204)
    const { rows } = await platform.query<{ deleted_at: Date; is_whole: boolean }>(
      `select deleted_at, deleted_at = date_trunc('milliseconds', deleted_at) as is_whole from managed_teams
       where id = $1`,
      [team.id],
    )
    expect(rows[0]?.is_whole).toBe(true)
    expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
    const id = `team-purge:${team.id}:${rows[0]?.deleted_at.getTime()}`
    expect(await processes(reseller, team)).toEqual([`workflow teamPurge ${id}`, `signal changed ${id}`])
  })

  test('begins again when its team comes back from the trash', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const { name, trial_ends_at } = (await reseller.patch(team.path, { trial_days: 14 })).body.data
    const id = `trial:${team.id}:${Date.parse(trial_ends_at)}`
    await reseller.delete(team.path, { confirm_name: name })
    await reseller.post(`${team.path}/restore`)
    expect((await processes(reseller, team)).filter(each => each.endsWith(id))).toEqual([
      `workflow trial ${id}`,
      `workflow trial ${id}`,
    ])
  })
})
