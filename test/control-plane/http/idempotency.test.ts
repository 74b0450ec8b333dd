import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rows } from '#control-plane/db/queries.ts'
import { fingerprintOf, forgetAnswers } from '#control-plane/http/idempotency.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { follow } from '#test/support/follow.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } })
const monitorsOf = async (caller: CallerUnderTest) => (await caller.get('/monitors')).body.meta.total
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'

describe('a call with an Idempotency-Key', () => {
  test('is executed once: its repetition gets the same answer, and no further change, event or audit entry', async () => {
    const team = await given.tenant()
    const first = await team.post('/monitors', shop, keyed('order-1'))
    const again = await team.post('/monitors', { url: shop.url, name: shop.name }, keyed('order-1'))
    expect([first.status, isReplayed(first)]).toEqual([201, false])
    expect([again.status, isReplayed(again), again.text]).toEqual([201, true, first.text])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await monitorsOf(team)).toBe(1)
    expect(await app.emitted(team)).toEqual(['monitor.created'])
    expect(await app.audited(team)).toEqual(['monitor.created'])
  })

  test('is refused when the key was used for another body or another path', async () => {
    const team = await given.tenant()
    const monitor = (await team.post('/monitors', shop, keyed('one'))).body.data.id
    const other = await team.post('/monitors', { ...shop, name: 'Other' }, keyed('one'))
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(other.body.errors).toHaveProperty('Idempotency-Key')
    expect((await team.post(`/monitors/${monitor}/checks`, { type: 'ssl' }, keyed('one'))).status).toBe(422)
    expect(await monitorsOf(team)).toBe(1)
  })

  test('is executed once when it is sent many times at once, and all calls get its answer', async () => {
    const team = await given.tenant()
    const answers = await Promise.all(Array.from({ length: 12 }, () => team.post('/monitors', shop, keyed('at-once'))))
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([201]))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.filter(isReplayed)).toHaveLength(11)
    expect(await monitorsOf(team)).toBe(1)
  })

  test('leaves its key free when it fails', async () => {
    const team = await given.tenant({ plan: 'free' })
    expect((await team.post('/monitors', { ...shop, url: 'no address' }, keyed('retry'))).status).toBe(422)
    const created = await team.post('/monitors', shop, keyed('retry'))
    expect([created.status, isReplayed(created)]).toEqual([201, false])
    for (let i = 0; i < 4; i++) await team.post('/monitors', shop)
    expect((await team.post('/monitors', shop, keyed('beyond'))).body.code).toBe('plan_limit')
    await team.delete(`/monitors/${created.body.data.id}`)
    expect(isReplayed(await team.post('/monitors', shop, keyed('beyond')))).toBe(false)
  })

  test('is identified by token and tenant: the same key of another caller is another call', async () => {
    const team = await given.tenant()
    const automation = await given.token(team, 'sk', ['monitors:write'])
    for (const caller of [team, automation, await given.tenant()])
      expect(isReplayed(await caller.post('/monitors', shop, keyed('shared')))).toBe(false)
    const reseller = await given.reseller()
    const [one, two] = [await given.team(reseller), await given.team(reseller)]
    for (const { path } of [one, two])
      expect(isReplayed(await reseller.post(`${path}/monitors`, shop, keyed('shared')))).toBe(false)
    expect(isReplayed(await reseller.post(`${one.path}/monitors`, shop, keyed('shared')))).toBe(true)
    expect(await monitorsOf(one)).toBe(1)
  })

  test('is still checked for access when it is replayed', async () => {
    const team = await given.tenant()
    await team.post('/monitors', shop, keyed('guarded'))
    await platform.query('update tokens set is_active = false where tenant_id = $1', [team.tenantId])
    expect((await team.post('/monitors', shop, keyed('guarded'))).status).toBe(401)
  })

  test('accepts keys of 1 to 255 visible characters, and refuses any other', async () => {
    const team = await given.tenant()
    for (const key of ['!', '~'.repeat(255), randomUUID()])
      expect((await team.post('/monitors', shop, keyed(key))).status, key).toBe(201)
    for (const key of ['', 'x'.repeat(256), 'two words', 'Schlüssel', 'a, b']) {
      const { status, body } = await team.post('/monitors', shop, keyed(key))
      expect([status, body.code], key).toEqual([422, 'bad_idempotency_key'])
    }
    expect(await monitorsOf(team)).toBe(3)
  })

  test('stores its answer encrypted, for a day', async () => {
    const operator = await given.operator()
    const ask = () => operator.post('/agents/enrolment-tokens', { region: 'eu-west' }, keyed('secret'))
    const first = await ask()
    expect(first.body.data.token).toMatch(/^ag-/)
    expect((await ask()).text).toBe(first.text)
    const stored = async () =>
      (await platform.query('select status, answer from idempotency_keys where tenant_id = $1', [operator.tenantId]))
        .rows
    expect(await stored()).toEqual([{ status: 201, answer: expect.stringMatching(/^v1\./) }])
    expect((await stored())[0].answer).not.toContain(first.body.data.token)

    await platform.query(
      `update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where tenant_id = $1`,
      [operator.tenantId],
    )
    await rows(platform, forgetAnswers)
    expect(isReplayed(await ask())).toBe(true)
    await platform.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where tenant_id = $1`,
      [operator.tenantId],
    )
    const repeated = await ask()
    expect([isReplayed(repeated), repeated.body.data.token === first.body.data.token]).toEqual([false, false])
    await platform.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where tenant_id = $1`,
      [operator.tenantId],
    )
    await rows(platform, forgetAnswers)
    expect(await stored()).toEqual([])
  })

  test('is documented for every POST that creates something for an authenticated caller', async () => {
    const { body } = await given.stranger().get('/api/v1/openapi.json')
    const takes = (path: string, method: string) =>
      (body.paths[path][method].parameters ?? [])
        .map((parameter: { name: string; in: string }) => follow(body, parameter))
        .some(
          (parameter: { name: string; in: string }) =>
            parameter.name === 'Idempotency-Key' && parameter.in === 'header',
        )
    expect([
      takes('/api/v1/monitors', 'post'),
      takes('/api/v1/reseller/managed-teams/{managed_team}/monitors', 'post'),
    ]).toEqual([true, true])
    expect([takes('/api/v1/auth/token', 'post'), takes('/api/v1/monitors', 'get')]).toEqual([false, false])
    expect(
      follow<{ headers?: object }>(body, body.paths['/api/v1/monitors'].post.responses['201']).headers,
    ).toHaveProperty('Idempotency-Replayed')
  })
})

test('the fingerprint of a call depends on its content, not on its spelling', () => {
  const call = { method: 'POST', url: '/x', tenantId: 'a', tokenId: 'b', body: { a: [{ x: 1, y: 2 }], b: null } }
  expect(fingerprintOf({ ...call, body: { b: null, a: [{ y: 2, x: 1 }] } })).toBe(fingerprintOf(call))
  for (const other of [
    { method: 'PUT' },
    { url: '/y' },
    { tenantId: 'c' },
    { tokenId: 'c' },
    { body: { a: [], b: null } },
    { body: undefined },
  ])
    expect(fingerprintOf({ ...call, ...other })).not.toBe(fingerprintOf(call))
})
