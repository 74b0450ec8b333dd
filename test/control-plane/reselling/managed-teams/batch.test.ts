import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { published, refusedTo, storedTeam, trail } from './given.ts'

const { platform } = app.services
const path = '/reseller/managed-teams/batch'
const done = (id: string) => ({ id, result: 'done', code: null, message: null })
const failed = (id: string, code: string) => ({ id, result: 'failed', code, message: expect.any(String) })

async function teamsOf(reseller: CallerUnderTest, count: number, plan = 'pro') {
  return Promise.all(Array.from({ length: count }, () => given.team(reseller, { plan })))
}
const nameOf = async (team: { tenantId: string }): Promise<string> =>
  (await platform.query('select name from tenants where id = $1', [team.tenantId])).rows[0].name

describe('POST /reseller/managed-teams/batch', () => {
  test('pauses and unpauses, with an event for each team', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write'] })
    const teams = await teamsOf(reseller, 3)
    await reseller.post(`${teams[1]!.path}/pause`, { reason: 'abuse' })
    const ids = teams.map(team => team.id)
    const { status, body } = await reseller.post(path, { action: 'pause', ids, reason: 'unpaid' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ done: 3, failed: 0, results: ids.map(done) })
    const { rows } = await platform.query(
      'select paused_reason, paused_at is not null as paused from managed_teams where id = any($1)',
      [ids],
    )
    expect(rows).toEqual(Array(3).fill({ paused_reason: 'unpaid', paused: true }))
    expect(await app.emitted(reseller)).toEqual(Array(3).fill('team.paused'))
    expect(await app.audited(teams[0]!)).toEqual(['managed_tenant.paused'])
    await reseller.post(path, { action: 'unpause', ids })
    expect((await app.emitted(reseller)).slice(3)).toEqual(Array(3).fill('team.unpaused'))
    expect(
      (
        await platform.query('select 1 from tenants where id = any($1) and paused_at is null', [
          teams.map(team => team.tenantId),
        ])
      ).rowCount,
    ).toBe(3)
  })

  test('changes plans, and holds in each team what is beyond', async () => {
    const reseller = await given.reseller()
    const [one, two] = await teamsOf(reseller, 2)
    const monitors = Array.from({ length: 6 }, (_, n) => ({
      name: `Shop ${n}`,
      url: 'https://shop.example/',
      check_interval: 300,
    }))
    for (const team of [one!, two!]) await team.post('/monitors/bulk', { monitors })
    const { body } = await reseller.post(path, { action: 'plan', ids: [one!.id, two!.id], plan: 'free' })
    expect(body.data.done).toBe(2)
    for (const team of [one!, two!]) {
      expect(
        (await platform.query('select 1 from monitors where tenant_id = $1 and held_by_plan', [team.tenantId]))
          .rowCount,
      ).toBe(1)
      expect((await trail(team)).at(-1)).toMatchObject({
        action: 'managed_tenant.updated',
        changes: { plan: { before: 'pro', after: 'free' } },
      })
    }
    expect((await trail(reseller)).map(entry => entry.entity_id).sort()).toEqual([one!.id, two!.id].sort())
  })

  test('labels, for the reseller’s eyes alone; null takes a label away', async () => {
    const reseller = await given.reseller()
    const [one, two] = await teamsOf(reseller, 2)
    const ids = [one!.id, two!.id]
    await reseller.post(path, { action: 'label', ids, label: 'gold' })
    expect((await reseller.get('/reseller/managed-teams?search=gold')).body.meta.total).toBe(2)
    expect(await trail(one!)).toEqual([])
    await reseller.post(path, { action: 'label', ids, label: null })
    expect((await reseller.get('/reseller/managed-teams?search=gold')).body.meta.total).toBe(0)
  })

  test('deletes what is named exactly, and nothing else', async () => {
    const reseller = await given.reseller()
    const [right, wrong, unnamed, ...rest] = await teamsOf(reseller, 4)
    const confirm = {
      [right!.id.toUpperCase()]: await nameOf(right!),
      [wrong!.id]: `${await nameOf(wrong!)} `,
      [rest[0]!.id]: await nameOf(rest[0]!),
    }
    const ids = [wrong!.id, right!.id, unnamed!.id]
    const { body } = await reseller.post(path, { action: 'delete', ids, confirm })
    expect(body.data).toEqual({
      done: 1,
      failed: 2,
      results: [failed(wrong!.id, 'name_mismatch'), done(right!.id), failed(unnamed!.id, 'name_mismatch')],
    })
    expect((await right!.get('/monitors')).status).toBe(401)
    for (const team of [wrong!, unnamed!, rest[0]!]) expect((await team.get('/monitors')).status).toBe(200)
    expect((await published(reseller, 'workflow')).map(({ name, payload }) => [name, payload.id])).toEqual([
      ['teamPurge', expect.stringMatching(new RegExp(`^team-purge:${right!.id}:\\d+$`))],
    ])
    expect((await reseller.post(`${right!.path}/restore`)).status).toBe(200)
  })

  test('what is not there, deleted or another’s fails by itself', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const [mine, gone] = await teamsOf(reseller, 2)
    const theirs = await given.team(rival)
    const before = await storedTeam(theirs)
    await reseller.delete(gone!.path, { confirm_name: await nameOf(gone!) })
    const unknown = crypto.randomUUID()
    const { status, body } = await reseller.post(path, {
      action: 'pause',
      ids: [unknown, theirs.id, mine!.id, gone!.id],
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      done: 1,
      failed: 3,
      results: [
        failed(unknown, 'not_found'),
        failed(theirs.id, 'team_not_managed'),
        done(mine!.id),
        failed(gone!.id, 'not_found'),
      ],
    })
    expect(await storedTeam(theirs)).toEqual(before)
    expect(await app.audited(rival)).toEqual([])
  })

  test('a team named twice is done once', async () => {
    const reseller = await given.reseller()
    const [team] = await teamsOf(reseller, 1)
    const { body } = await reseller.post(path, { action: 'pause', ids: [team!.id, team!.id.toUpperCase()] })
    expect(body.data).toEqual({ done: 1, failed: 0, results: [done(team!.id)] })
    expect(await app.emitted(reseller)).toEqual(['team.paused'])
  })

  test('two that overlap, in opposite order, both come to an end', async () => {
    const reseller = await given.reseller()
    const ids = (await teamsOf(reseller, 12)).map(team => team.id)
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids, ids.toReversed()].map((order, n) =>
        reseller.post(path, { action: n % 2 ? 'pause' : 'unpause', ids: order }),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body.data.done])).toEqual(Array(4).fill([200, 12]))
  })

  test('takes 250 teams and their names, and no more', async () => {
    const reseller = await given.reseller()
    const ids = Array.from({ length: 250 }, () => crypto.randomUUID())
    const confirm = Object.fromEntries(ids.map(id => [id, '株'.repeat(255)]))
    const { status, body } = await reseller.post(path, { action: 'delete', ids, confirm })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ done: 0, failed: 250 })
    expect((await reseller.post(path, { action: 'pause', ids: [...ids, crypto.randomUUID()] })).status).toBe(422)
  })

  test.each([
    ['action', { action: 'restore', ids: [crypto.randomUUID()] }],
    ['action', { ids: [crypto.randomUUID()] }],
    ['ids', { action: 'pause' }],
    ['ids', { action: 'pause', ids: [] }],
    ['ids', { action: 'pause', ids: crypto.randomUUID() }],
    ['ids.0', { action: 'pause', ids: ['x'] }],
    ['plan', { action: 'plan', ids: [crypto.randomUUID()] }],
    ['plan', { action: 'plan', ids: [crypto.randomUUID()], plan: 'gold' }],
    ['label', { action: 'label', ids: [crypto.randomUUID()] }],
    ['label', { action: 'label', ids: [crypto.randomUUID()], label: 'x'.repeat(256) }],
    ['reason', { action: 'pause', ids: [crypto.randomUUID()], reason: 'x'.repeat(51) }],
    ['confirm', { action: 'delete', ids: [crypto.randomUUID()] }],
    ['confirm', { action: 'delete', ids: [crypto.randomUUID()], confirm: true }],
  ])('refuses %s of %j', async (field, body) => {
    const answer = await (await given.reseller()).post(path, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('refuses every token but a reseller token with the scope', async () => {
    const reseller = await given.reseller()
    const [team] = await teamsOf(reseller, 1)
    const before = await storedTeam(team!)
    const others = [
      team!,
      await given.token(reseller, 'rk', ['teams:read', 'members:manage']),
      await given.token(reseller, 'ss', []),
    ]
    expect(await refusedTo(others, 'POST', path, { action: 'pause', ids: [team!.id] })).toEqual([403, 403, 403])
    expect(await storedTeam(team!)).toEqual(before)
  })
})
