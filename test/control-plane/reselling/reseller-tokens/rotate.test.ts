import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const { platform } = app.services
const rounds = Number(process.env.RACE_ROUNDS ?? 8)
const aToken = async (reseller: CallerUnderTest, fields: Record<string, unknown> = {}) =>
  (await reseller.post('/reseller/tokens', { name: 'one', scopes: ['teams:manage'], ...fields })).body as {
    data: { id: string }
    plain_text_token: string
  }
const hoursFromNow = (text: string) => (new Date(text).getTime() - Date.now()) / 3_600_000

describe('POST /reseller/tokens/{token}/rotate', () => {
  test('gives a new secret; the old one works until its grace is over', async () => {
    const reseller = await given.reseller()
    const old = await aToken(reseller)
    const { status, body } = await reseller.post(`/reseller/tokens/${old.data.id}/rotate`, { grace_period_hours: 2 })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: 'one',
      scopes: ['teams:manage'],
      is_active: true,
      expires_at: null,
      rotated_from: old.data.id,
      purpose: 'reseller',
    })
    expect(body.data.id).not.toBe(old.data.id)
    expect(body.rotated_from).toEqual({
      id: old.data.id,
      expires_at: body.rotated_from.expires_at,
      grace_period_hours: 2,
    })
    expect(hoursFromNow(body.rotated_from.expires_at)).toBeCloseTo(2, 1)

    const [before, after] = [byToken(reseller, old.plain_text_token), byToken(reseller, body.plain_text_token)]
    for (const caller of [before, after]) expect((await caller.get('/reseller/tokens')).status).toBe(200)
    const { body: list } = await reseller.get('/reseller/tokens')
    const shown = (id: string) => list.data.find((token: { id: string }) => token.id === id)
    expect(shown(old.data.id).expires_at).toBe(body.rotated_from.expires_at)
    for (const id of [old.data.id, body.data.id])
      await expect
        .poll(async () => (await reseller.get(`/reseller/tokens/${id}`)).body.data.last_used_at)
        .not.toBeNull()

    const endsIn = (seconds: number) =>
      platform.query(`update tokens set expires_at = clock_timestamp() + make_interval(secs => $2) where id = $1`, [
        old.data.id,
        seconds,
      ])
    await endsIn(3_600)
    expect((await before.get('/reseller/tokens')).status).toBe(200)
    await endsIn(-1)
    expect((await before.get('/reseller/tokens')).status).toBe(401)
    expect((await after.get('/reseller/tokens')).status).toBe(200)
    expect(await app.audited(reseller)).toEqual(['reseller_token.created', 'reseller_token.rotated'])
  })

  test('gives the workflow the exact moment of the row', async () => {
    const reseller = await given.reseller()
    const old = await aToken(reseller)
    await reseller.post(`/reseller/tokens/${old.data.id}/rotate`)
    const { rows } = await platform.query(
      `select o.payload, extract(epoch from k.expires_at) * 1000 as ms from outbox o, tokens k
       where o.tenant_id = $1 and o.name = 'tokenGrace' and k.id = $2`,
      [reseller.tenantId, old.data.id],
    )
    const ms = Number(rows[0].ms)
    expect(rows[0].payload).toEqual({
      id: `token-grace:${old.data.id}:${ms}`,
      input: { tokenId: old.data.id, tenantId: reseller.tenantId, expiresAtMs: ms },
    })
    expect(hoursFromNow(new Date(ms).toISOString())).toBeCloseTo(24, 1)
  })

  test('never lets the old one live longer than it would have', async () => {
    const reseller = await given.reseller()
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const old = await aToken(reseller, { expires_at })
    const { body } = await reseller.post(`/reseller/tokens/${old.data.id}/rotate`, { grace_period_hours: 168 })
    expect(new Date(body.rotated_from.expires_at).toISOString()).toBe(expires_at)
    expect(new Date(body.data.expires_at).toISOString()).toBe(expires_at)
  })

  test('replaces each token once', async () => {
    const reseller = await given.reseller()
    const old = await aToken(reseller)
    const fresh = (await reseller.post(`/reseller/tokens/${old.data.id}/rotate`)).body
    const again = await reseller.post(`/reseller/tokens/${old.data.id}/rotate`)
    expect([again.status, again.body.code, Object.keys(again.body.errors)]).toEqual([422, 'already_rotated', ['token']])
    await reseller.delete(`/reseller/tokens/${fresh.data.id}`)
    expect((await reseller.post(`/reseller/tokens/${old.data.id}/rotate`)).status).toBe(422)
  })

  test('of ten who race for it exactly one wins, every time', { timeout: 60_000 + rounds * 10_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const reseller = await given.reseller()
      const old = await aToken(reseller)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => reseller.post(`/reseller/tokens/${old.data.id}/rotate`)),
      )
      expect(answers.map(answer => answer.status).sort()).toEqual([201, ...Array(9).fill(422)])
      const { rows } = await platform.query('select count(*)::int as made from tokens where rotated_from = $1', [
        old.data.id,
      ])
      expect(rows).toEqual([{ made: 1 }])
    }
  })

  test('a token can rotate itself, and in its grace make nothing that outlives it', async () => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post(
      `/reseller/tokens/${(await reseller.get('/reseller/tokens')).body.data[0].id}/rotate`,
    )
    expect(status).toBe(201)
    const made = await reseller.post('/reseller/tokens', { name: 'x', scopes: ['teams:read'] })
    expect(made.body.data.expires_at).toBe(body.rotated_from.expires_at)
    const other = await byToken(reseller, body.plain_text_token).post('/reseller/tokens', {
      name: 'x',
      scopes: ['teams:read'],
    })
    expect(other.body.data.expires_at).toBeNull()
    expect((await reseller.post(`/reseller/tokens/${other.body.data.id}/rotate`)).body).toMatchObject({
      code: 'outlives_maker',
    })
  })

  test('not what has scopes beyond the caller’s, nor what is disabled or over', async () => {
    const reseller = await given.reseller()
    const small = byToken(reseller, (await aToken(reseller, { scopes: ['teams:write'] })).plain_text_token)
    const big = await aToken(reseller)
    for (const [method, path] of [
      ['POST', '/rotate'],
      ['POST', '/toggle'],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await small.call(
        method,
        `/reseller/tokens/${big.data.id}${path}`,
        method === 'POST' ? {} : undefined,
      )
      expect([status, body.code], `${method} ${path}`).toEqual([403, 'scope_escalation'])
      expect(body.plain_text_token).toBeUndefined()
    }
    await reseller.post(`/reseller/tokens/${big.data.id}/toggle`)
    expect((await reseller.post(`/reseller/tokens/${big.data.id}/rotate`)).body.code).toBe('token_disabled')
    const over = await aToken(reseller)
    await platform.query(`update tokens set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
      over.data.id,
    ])
    expect((await reseller.post(`/reseller/tokens/${over.data.id}/rotate`)).body.code).toBe('token_expired')
  })

  test('takes whole hours from 1 to 168', async () => {
    const reseller = await given.reseller()
    for (const grace_period_hours of [0, 169, 1.5, '24', -1, null, [24], true]) {
      const { status, body } = await reseller.post(`/reseller/tokens/${(await aToken(reseller)).data.id}/rotate`, {
        grace_period_hours,
      })
      expect([status, Object.keys(body.errors ?? {})], String(grace_period_hours)).toEqual([
        422,
        ['grace_period_hours'],
      ])
    }
    for (const grace_period_hours of [1, 168]) {
      const { body } = await reseller.post(`/reseller/tokens/${(await aToken(reseller)).data.id}/rotate`, {
        grace_period_hours,
      })
      expect(hoursFromNow(body.rotated_from.expires_at)).toBeCloseTo(grace_period_hours, 1)
    }
  })
})

describe('POST /reseller/tokens/{token}/toggle', () => {
  test('disables at once, enables again', async () => {
    const reseller = await given.reseller()
    const { data, plain_text_token } = await aToken(reseller)
    const other = byToken(reseller, plain_text_token)
    expect((await other.get('/reseller/tokens')).status).toBe(200)
    expect((await reseller.post(`/reseller/tokens/${data.id}/toggle`)).body.data).toMatchObject({
      id: data.id,
      is_active: false,
    })
    expect((await other.get('/reseller/tokens')).status).toBe(401)
    expect((await reseller.get(`/reseller/tokens/${data.id}`)).body.data.is_active).toBe(false)
    expect((await reseller.post(`/reseller/tokens/${data.id}/toggle`)).body.data.is_active).toBe(true)
    expect((await other.get('/reseller/tokens')).status).toBe(200)
    expect(await app.audited(reseller)).toEqual([
      'reseller_token.created',
      'reseller_token.disabled',
      'reseller_token.enabled',
    ])
  })
})

describe('DELETE /reseller/tokens/{token}', () => {
  test('ends a token for good, active or not', async () => {
    const reseller = await given.reseller()
    for (const isDisabled of [false, true]) {
      const { data, plain_text_token } = await aToken(reseller)
      if (isDisabled) await reseller.post(`/reseller/tokens/${data.id}/toggle`)
      const answer = await reseller.delete(`/reseller/tokens/${data.id}`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await byToken(reseller, plain_text_token).get('/reseller/tokens')).status).toBe(401)
      expect((await reseller.delete(`/reseller/tokens/${data.id}`)).status).toBe(404)
    }
  })

  test('it ends too when its person leaves the reseller', async () => {
    const reseller = await given.reseller()
    await platform.query('delete from memberships where user_id = $1', [reseller.userId])
    expect((await reseller.get('/reseller/tokens')).status).toBe(401)
  })
})
