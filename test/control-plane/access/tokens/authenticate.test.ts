import { describe, expect, test } from 'vitest'
import { AllowedIps, isWithin } from '#control-plane/access/tokens/allowed-ips.ts'
import { app, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

test('ranges are kept in their shortest form', () => {
  const kept = (ranges: string[]) => AllowedIps.parse(ranges)
  expect(kept(['192.0.2.77/24', '192.0.2.0/24', '198.51.100.7', ' 10.0.0.0/0 '])).toEqual([
    '192.0.2.0/24',
    '198.51.100.7/32',
    '0.0.0.0/0',
  ])
  expect(kept(['2001:DB8:0:0::1/32', '::1'])).toEqual(['2001:db8::/32', '::1/128'])
  expect(AllowedIps.parse(null)).toBeNull()
  expect(AllowedIps.parse(undefined)).toBeNull()
})

test('an address lies in a range of its own family', () => {
  expect(isWithin('192.0.2.5', ['198.51.100.0/24', '192.0.2.0/24'])).toBe(true)
  expect(isWithin('::ffff:192.0.2.5', ['192.0.2.0/24'])).toBe(true)
  expect(isWithin('192.0.3.5', ['192.0.2.0/24'])).toBe(false)
  expect(isWithin('2001:db8::5', ['2001:db8::/32'])).toBe(true)
  expect(isWithin('2001:db9::5', ['2001:db8::/32', '0.0.0.0/0'])).toBe(false)
  for (const strange of ['', 'x', '192.0.2']) expect(isWithin(strange, ['0.0.0.0/0', '::/0'])).toBe(false)
})

describe('where a key may be used', () => {
  test('from elsewhere it is as unknown as one never issued', async () => {
    const team = await given.tenant()
    const make = async (allowed_ips: string[]) =>
      byToken(
        team,
        (await team.post('/api-keys', { name: 'x', scopes: ['monitors:read'], allowed_ips })).body.plain_text_token,
      )
    const key = await make(['203.0.113.0/24', '2001:db8::/32'])
    const from = async (address: string) => key.get('/monitors', { headers: { 'X-Forwarded-For': address } })
    for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8::1'])
      expect((await from(address)).status, address).toBe(200)
    const unknown = await given.stranger().get('/monitors', { headers: { Authorization: 'Bearer svc-x' } })
    for (const address of ['203.0.114.1', '2001:db9::1', '127.0.0.1']) {
      const { status, body } = await from(address)
      expect(status, address).toBe(401)
      expect({ ...body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
    const used = async () =>
      (
        await app.services.platform.query(
          `select host(last_used_ip) as ip from tokens where tenant_id = $1 and kind = 'svc'`,
          [team.tenantId],
        )
      ).rows[0].ip
    await expect.poll(used).toMatch(/203\.0\.113\.1$|^2001:db8::1$/)
  })
})

describe('a plan that opens the API for reading', () => {
  test('keeps keys and personal tokens from writing, not people', async () => {
    const team = await given.tenant({ overrides: { api_access: 'read' } })
    const shop = { name: 'Shop', url: 'https://shop.example.com/' }
    for (const kind of ['sk', 'svc'] as const) {
      const token = await given.token(team, kind, ['monitors:manage'])
      expect((await token.get('/monitors')).status).toBe(200)
      const { status, body } = await token.post('/monitors', shop)
      expect([status, body.code, body.quota]).toEqual([403, 'not_in_plan', 'api_access'])
      expect((await token.post('/monitors/stats-batch', { monitor_ids: [] })).body.code).not.toBe('not_in_plan')
    }
    expect((await team.post('/monitors', shop)).status).toBe(201)
    await app.services.platform.query(`update tenants set feature_overrides = '{}' where id = $1`, [team.tenantId])
    expect((await (await given.token(team, 'svc', ['monitors:write'])).post('/monitors', shop)).status).toBe(201)
  })
})
