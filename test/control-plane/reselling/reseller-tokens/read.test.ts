import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { app, given } from '#test/support/app.ts'

test('GET /reseller/tokens/scopes lists all 36 with a sentence each, to any reseller token', async () => {
  const reseller = await given.reseller({ scopes: ['incidents:read'] })
  const { status, body } = await reseller.get('/reseller/tokens/scopes')
  expect(status).toBe(200)
  expect(body.data.map((scope: { value: string }) => scope.value)).toEqual(resellerScopes)
  expect(body.data).toHaveLength(36)
  expect(new Set(body.data.map((scope: { description: string }) => scope.description)).size).toBe(36)
  for (const { description } of body.data) expect(description).toMatch(/^[A-Z].{15,}\.$/)
})

describe('GET /reseller/tokens', () => {
  test('lists the reseller’s own, newest first, masked, in pages', async () => {
    const reseller = await given.reseller()
    // the oldest by far, whichever clock the others are made by
    await app.services.platform.query(
      `update tokens set created_at = created_at - interval '1 minute' where tenant_id = $1`,
      [reseller.tenantId],
    )
    await given.token(reseller, 'sk', ['monitors:read'])
    await given.token(reseller, 'svc', ['monitors:read'])
    const secrets: string[] = [reseller.token!]
    for (const name of ['one', 'two', 'three'])
      secrets.push((await reseller.post('/reseller/tokens', { name, scopes: ['teams:read'] })).body.plain_text_token)
    await expect
      .poll(async () => (await reseller.get('/reseller/tokens')).body.data[3].last_used_at)
      .toMatch(/\.\d{6}Z$/)
    const all = await reseller.get('/reseller/tokens')
    expect(all.body.data.map((token: { name: string }) => token.name)).toEqual(['three', 'two', 'one', 'test'])
    expect(all.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 4 })
    for (const secret of secrets) expect(all.text).not.toContain(secret.slice(3, 40))
    const page = await reseller.get('/reseller/tokens?per_page=3&page=2')
    expect(page.body.data).toHaveLength(1)
    expect(page.body.links.prev).toContain('page=1')
    expect((await reseller.get('/reseller/tokens?page=9')).body.data).toEqual([])
    expect((await (await given.reseller()).get('/reseller/tokens')).body.meta.total).toBe(1)
  })

  test('needs teams:read and sane pages', async () => {
    for (const scope of ['teams:write', 'members:manage'] as const)
      expect((await (await given.reseller({ scopes: [scope] })).get('/reseller/tokens')).status).toBe(403)
    for (const scope of ['teams:read', 'teams:manage'] as const)
      expect((await (await given.reseller({ scopes: [scope] })).get('/reseller/tokens')).status).toBe(200)
    const reseller = await given.reseller()
    for (const query of ['per_page=0', 'per_page=101', 'page=0', 'page=x', 'per_page=1.5'])
      expect((await reseller.get(`/reseller/tokens?${query}`)).status, query).toBe(422)
    expect((await reseller.get('/reseller/tokens?per_page=100')).status).toBe(200)
  })
})

describe('GET /reseller/tokens/{token}', () => {
  test('reads one, with its use', async () => {
    const reseller = await given.reseller()
    const { id } = (await reseller.post('/reseller/tokens', { name: 'one', scopes: ['teams:read'] })).body.data
    expect((await reseller.get(`/reseller/tokens/${id}`)).body.data).toMatchObject({
      id,
      name: 'one',
      last_used_at: null,
    })
  })

  test('another reseller’s is as unknown as one that never was', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const { id } = (await reseller.post('/reseller/tokens', { name: 'one', scopes: ['teams:read'] })).body.data
    const { rows } = await app.services.platform.query('select id from tokens where tenant_id = $1 and kind = $2', [
      (await given.tenant()).tenantId,
      'ss',
    ])
    const bytes = new Set<string>()
    for (const unknown of [id, randomUUID(), rows[0].id]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/rotate'],
        ['POST', '/toggle'],
        ['DELETE', ''],
      ] as const) {
        const { status, body } = await rival.call(
          method,
          `/reseller/tokens/${unknown}${path}`,
          method === 'POST' ? {} : undefined,
        )
        expect(status, `${method} ${path}`).toBe(404)
        bytes.add(JSON.stringify({ ...body, request_id: '' }))
      }
    }
    expect(bytes.size).toBe(1)
    expect((await reseller.get(`/reseller/tokens/${id}`)).body.data).toMatchObject({ is_active: true, name: 'one' })
    expect((await reseller.get('/reseller/tokens/not-a-uuid')).status).toBe(404)
    expect(await app.audited(rival)).toEqual([])
  })
})

test('use is noted at most once a minute, with the address', async () => {
  const reseller = await given.reseller()
  const used = async () =>
    (
      await app.services.platform.query(
        'select last_used_at, host(last_used_ip) as ip from tokens where tenant_id = $1',
        [reseller.tenantId],
      )
    ).rows[0]
  await Promise.all(Array.from({ length: 20 }, () => reseller.get('/reseller/tokens/scopes')))
  await expect.poll(async () => (await used()).ip).toBe(reseller.ip)
  const first = await used()
  await reseller.get('/reseller/tokens/scopes')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await used()).toEqual(first)
  const { platform } = app.services
  await platform.query('update tokens set is_active = false where tenant_id = $1', [reseller.tenantId])
  await platform.query(
    `update tokens set is_active = true, last_used_at = last_used_at - interval '61 seconds' where tenant_id = $1`,
    [reseller.tenantId],
  )
  await reseller.get('/reseller/tokens/scopes')
  await expect
    .poll(async () => (await used()).last_used_at.getTime())
    .toBeGreaterThanOrEqual(first.last_used_at.getTime())
})
