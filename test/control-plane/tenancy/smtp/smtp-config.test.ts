import { describe, expect, test } from 'vitest'
import { smtpPorts } from '#control-plane/tenancy/smtp/input.ts'
import { decryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const mask = '********'
const server = { host: 'smtp.example.com', port: 587, encryption: 'tls' }
const whole = {
  ...server,
  username: 'mailer',
  password: 'hunter2 correct',
  from_address: 'alerts@example.com',
  from_name: 'Söhne & Co',
}

const storedPassword = async ({ tenantId }: CallerUnderTest) => {
  const { rows } = await app.services.platform.query<{ password: string | null }>(
    'select password from smtp_configs where tenant_id = $1',
    [tenantId],
  )
  const encrypted = rows[0]?.password ?? null
  return encrypted && decryptPassword(app.services.config, tenantId, encrypted)
}

async function refused(caller: CallerUnderTest, body: unknown): Promise<string[]> {
  const { status, body: answer } = await caller.patch('/smtp-config', body)
  expect(status, JSON.stringify(body)).toBe(422)
  return Object.keys(answer.errors)
}

describe('/smtp-config', () => {
  test('is null at first, is set, shown without its password, and forgotten', async () => {
    const team = await given.tenant()
    const first = await team.get('/smtp-config')
    expect(first.body).toEqual({ data: null })
    expect((await team.delete('/smtp-config')).status).toBe(204)

    const set = await team.patch('/smtp-config', whole)
    expect(set.status).toBe(200)
    expect(set.body.data).toMatchObject({
      ...whole,
      password: mask,
      is_active: true,
      failing_since: null,
      failure: null,
    })
    expect(set.text).not.toContain('hunter2')
    const { body, headers } = await team.get('/smtp-config')
    expect(body).toEqual(set.body)
    expect((await team.get('/smtp-config', { headers: { 'If-None-Match': headers.get('etag') ?? '' } })).status).toBe(
      304,
    )

    expect((await team.delete('/smtp-config')).status).toBe(204)
    expect((await team.get('/smtp-config')).body.data).toBeNull()
    expect(await app.audited(team)).toEqual(['smtp_config.updated', 'smtp_config.deleted'])
  })

  test('the password lies encrypted, and no trail holds it', async () => {
    const team = await given.tenant()
    await team.patch('/smtp-config', whole)
    await team.patch('/smtp-config', { password: 'another one' })
    expect(await storedPassword(team)).toBe('another one')
    const { rows } = await app.services.platform.query(
      `select s.password, (select json_agg(a.changes) from audit_entries a
       where a.tenant_id = s.tenant_id)::text as trail from smtp_configs s where s.tenant_id = $1`,
      [team.tenantId],
    )
    expect(rows[0].password).toMatch(/^v1\./)
    expect(rows[0].trail).toContain(mask)
    expect(rows[0].trail).not.toMatch(/hunter2|another one|v1\./)
  })

  test('the masked password sent back keeps the stored one; null takes it away', async () => {
    const team = await given.tenant()
    await team.patch('/smtp-config', whole)
    const { body } = await team.get('/smtp-config')
    const { is_active: _, failing_since: __, failure: ___, updated_at: ____, ...shown } = body.data
    expect((await team.patch('/smtp-config', { ...shown, port: 465, encryption: 'ssl' })).body.data).toMatchObject({
      port: 465,
      password: mask,
    })
    expect(await storedPassword(team)).toBe(whole.password)
    expect((await team.patch('/smtp-config', { password: null })).body.data.password).toBeNull()
    expect(await storedPassword(team)).toBeNull()
    expect(await refused(team, { password: mask })).toEqual(['password'])
  })

  test('a password stays with the host it was given for', async () => {
    const team = await given.tenant()
    await team.patch('/smtp-config', whole)
    expect(await refused(team, { host: 'elsewhere.example.net', password: mask })).toEqual(['password'])
    expect(await storedPassword(team)).toBe(whole.password)
    expect((await team.patch('/smtp-config', { host: 'SMTP.example.com' })).body.data).toMatchObject({
      host: 'smtp.example.com',
      password: mask,
    })
    expect((await team.patch('/smtp-config', { host: 'elsewhere.example.net' })).body.data).toMatchObject({
      host: 'elsewhere.example.net',
      password: null,
    })
    expect(await storedPassword(team)).toBeNull()
    await team.patch('/smtp-config', { host: 'third.example.net', password: 'for the third' })
    expect(await storedPassword(team)).toBe('for the third')
  })

  test('only what is sent changes, and what changes nothing is not noted', async () => {
    const team = await given.tenant()
    await team.patch('/smtp-config', whole)
    const before = (await team.get('/smtp-config')).body.data
    expect((await team.patch('/smtp-config', { password: whole.password })).body.data).toEqual(before)
    expect((await team.patch('/smtp-config', {})).body.data).toEqual(before)
    expect((await team.patch('/smtp-config', { from_name: null })).body.data).toMatchObject({
      ...whole,
      password: mask,
      from_name: null,
    })
    expect(await app.audited(team)).toEqual(['smtp_config.updated', 'smtp_config.updated'])
  })

  test('If-Match holds for a change', async () => {
    const team = await given.tenant()
    await team.patch('/smtp-config', whole)
    const etag = (await team.get('/smtp-config')).headers.get('etag') ?? ''
    const asked = { headers: { 'If-Match': etag } }
    expect((await team.patch('/smtp-config', { port: 25 }, asked)).status).toBe(200)
    expect((await team.patch('/smtp-config', { port: 465 }, asked)).status).toBe(412)
    expect((await team.delete('/smtp-config', undefined, asked)).status).toBe(412)
  })

  test('says which field is wrong', async () => {
    const team = await given.tenant()
    expect(await refused(team, {})).toEqual(['host', 'port', 'encryption'])
    expect(await refused(team, { ...server, port: undefined })).toEqual(['port'])
    for (const port of smtpPorts) expect((await team.patch('/smtp-config', { ...server, port })).status).toBe(200)
    for (const port of [0, 22, 26, 464, 466, 588, 2524, 6379, 65_536, 587.5, '587', null])
      expect(await refused(team, { ...server, port })).toEqual(['port'])
    for (const encryption of ['none', 'starttls', 'TLS', '', null])
      expect(await refused(team, { ...server, encryption })).toEqual(['encryption'])
    for (const host of [
      '',
      ' ',
      'a b',
      'localhost',
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '::1',
      'smtp.example.com:25',
      'x@y',
      'a\r\nb',
      'x'.repeat(256),
    ])
      expect(await refused(team, { ...server, host }), host).toEqual(['host'])
    for (const from_address of [
      'x',
      'a@b',
      'a@example.com, b@example.com',
      'A <a@example.com>',
      'a@example.com\r\nBcc: b@example.com',
    ])
      expect(await refused(team, { ...server, from_address }), from_address).toEqual(['from_address'])
    for (const end of ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085']) {
      expect(await refused(team, { ...server, from_name: `x${end}Bcc: a@example.com` })).toEqual(['from_name'])
      expect(await refused(team, { ...server, username: `x${end}y` })).toEqual(['username'])
    }
    for (const password of ['a\0b', 'a\r\nb', '', 'x'.repeat(256)])
      expect(await refused(team, { ...server, password })).toEqual(['password'])
    const longest = { username: 'x'.repeat(255), password: 'x'.repeat(255), from_name: 'x'.repeat(100) }
    expect((await team.patch('/smtp-config', { ...server, ...longest })).status).toBe(200)
    expect(await refused(team, { from_name: 'x'.repeat(101) })).toEqual(['from_name'])
  })

  test('is for admins, to read as well', async () => {
    const team = await given.tenant()
    const admin = await given.colleague(team, 'admin')
    expect((await admin.patch('/smtp-config', whole)).status).toBe(200)
    for (const caller of [await given.colleague(team, 'member'), await given.colleague(team, 'viewer')]) {
      expect((await caller.get('/smtp-config')).status).toBe(403)
      expect((await caller.patch('/smtp-config', { port: 25 })).status).toBe(403)
      expect((await caller.delete('/smtp-config')).status).toBe(403)
      expect((await caller.post('/smtp-config/test')).status).toBe(403)
    }
    expect((await admin.get('/smtp-config')).body.data.port).toBe(587)
  })

  test('a reseller sets it for its team, by the header and by its own path', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const headers = { 'X-Tenant-Id': team.tenantId }
    expect((await reseller.patch('/smtp-config', whole, { headers })).status).toBe(200)
    expect((await reseller.get(`${team.path}/smtp-config`)).body.data.host).toBe(server.host)
    expect((await reseller.get('/smtp-config')).body.data).toBeNull()
    const standIn = await given.impersonation(reseller, team)
    expect((await standIn.patch('/smtp-config', { port: 25 })).status).toBe(200)
    expect(await app.audited(reseller)).toEqual(['smtp_config.updated'])
  })

  test('needs the plan feature to be set and tried, not to be seen and forgotten', async () => {
    const team = await given.tenant({ plan: 'free' })
    const { status, body } = await team.patch('/smtp-config', whole)
    expect([status, body.code, body.quota, body.plan]).toEqual([403, 'not_in_plan', 'custom_smtp', expect.any(String)])
    expect((await team.post('/smtp-config/test')).body.code).toBe('not_in_plan')
    expect((await team.get('/smtp-config')).body.data).toBeNull()

    const pays = await given.tenant()
    await pays.patch('/smtp-config', whole)
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [pays.tenantId])
    expect((await pays.get('/smtp-config')).body.data).toMatchObject({ is_active: false, host: server.host })
    expect((await pays.delete('/smtp-config')).status).toBe(204)
  })
})
