import { expect, test } from 'vitest'
import { runCommand } from '#cli/command.ts'
import { app, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const { platform } = app.services
const env = { ...process.env, DATABASE_URL: app.stores.appUrl, DATABASE_PLATFORM_URL: app.stores.platformUrl }
const create = (...args: string[]) => runCommand(['token', 'create', ...args], env)

test('vedette token create makes a reseller’s first token', async () => {
  const reseller = await given.reseller()
  const { rows } = await platform.query('select slug from tenants where id = $1', [reseller.tenantId])
  const made = await create('--reseller', rows[0].slug)
  expect(made.code).toBe(0)
  expect(made.stdout.trim()).toMatch(/^rk-[\w-]{50}$/)
  expect(made.stderr).toContain(`${reseller.userId}@people.test`)
  const token = byToken(reseller, made.stdout.trim())
  const list = (await token.get('/reseller/tokens')).body.data
  expect(list.find((item: { name: string }) => item.name === 'Command line')).toMatchObject({
    expires_at: null,
    created_by: reseller.userId,
  })
  expect((await token.get('/user')).body.id).toBe(reseller.userId)
  expect(await app.audited(reseller)).toEqual(['reseller_token.created'])
})

test('with a name, a person, scopes and an end', async () => {
  const reseller = await given.reseller()
  const admin = await given.colleague(reseller, 'admin')
  const made = await create(
    '--reseller',
    reseller.tenantId,
    '--person',
    `${admin.userId}@people.test`,
    '--name',
    'Billing',
    '--scopes',
    'teams:read, monitors:write',
    '--days',
    '30',
  )
  expect(made.code).toBe(0)
  const { rows } = await platform.query(
    `select user_id, scopes, name, expires_at from tokens where tenant_id = $1 and name = 'Billing'`,
    [reseller.tenantId],
  )
  expect(rows[0]).toMatchObject({ user_id: admin.userId, scopes: ['teams:read', 'monitors:write'] })
  expect((rows[0].expires_at.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
})

test('says what is wrong, and makes nothing', async () => {
  const [reseller, tenant] = [await given.reseller(), await given.tenant()]
  const member = await given.colleague(reseller, 'member')
  for (const [args, says] of [
    [[], '--reseller'],
    [['--reseller', 'no-such-slug'], 'there is no reseller'],
    [['--reseller', tenant.tenantId], 'there is no reseller'],
    [['--reseller', reseller.tenantId, '--person', `${member.userId}@people.test`], 'no person to act for'],
    [['--reseller', reseller.tenantId, '--scopes', 'teams:everything'], 'unknown scope'],
    [['--reseller', reseller.tenantId, '--days', '0'], 'Days'],
    [['--reseller', reseller.tenantId, '--name', ''], 'name'],
  ] as const) {
    const { code, stdout, stderr } = await create(...args)
    expect([code, stdout], args.join(' ')).toEqual([2, ''])
    expect(stderr).toContain(says)
  }
  const { rows } = await platform.query(
    `select count(*)::int as tokens from tokens where tenant_id = $1 and kind = 'rk'`,
    [reseller.tenantId],
  )
  expect(rows).toEqual([{ tokens: 1 }])
}, 60_000)
