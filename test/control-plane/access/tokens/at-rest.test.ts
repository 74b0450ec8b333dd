import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startControlPlane } from '#cli/serve/serve.ts'
import { app, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  try {
    await owner.query('set row_security = off')
    const { rows: tables } = await owner.query<{ name: string }>(
      `select quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p')`,
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(`select t::text as text from ${name} t`)
      texts.push(...rows.map(row => row.text))
    }
    return texts.join(' ')
  } finally {
    await owner.end()
  }
}

test('no secret of any token is in the database or the log, in no spelling', { timeout: 60_000 }, async () => {
  let log = ''
  const sink = new Writable({
    write(chunk, _, done) {
      log += chunk
      done()
    },
  })
  const plane = await startControlPlane(
    { ...app.services.config, port: 0, metricsPort: 0, logLevel: 'trace' },
    ['api'],
    {
      log: pino({ level: 'trace' }, sink),
    },
  )
  try {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const post = async (
      token: string | null,
      path: string,
      body: unknown,
    ): Promise<{ data: { id: string }; plain_text_token: string }> => {
      const response = await fetch(`${plane.baseUrl}/api/v1${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': randomUUID(),
        },
        body: JSON.stringify(body),
      })
      expect(response.status).toBe(201)
      return JSON.parse(await response.text())
    }
    const rk = await post(reseller.token, '/reseller/tokens', { name: 'x', scopes: ['teams:read'] })
    const svc = await post(team.token, '/api-keys', { name: 'x', scopes: ['monitors:read'] })
    const made = [
      rk,
      svc,
      await post(reseller.token, `/reseller/tokens/${rk.data.id}/rotate`, {}),
      await post(reseller.token, `${team.path}/impersonation-tokens`, {}),
      await post(team.token, '/api-tokens', { name: 'x', scopes: ['monitors:read'] }),
      await post(team.token, `/api-keys/${svc.data.id}/rotate`, {}),
    ]
    for (const { plain_text_token: token } of made) {
      await fetch(`${plane.baseUrl}/api/v1/user`, { headers: { Authorization: `Bearer ${token}` } })
      expect((await byToken(team, token).get('/nowhere')).status).toBe(404)
    }
    const rows = await dump()
    expect(rows).toContain(rk.data.id)
    expect(log).toContain('request')
    for (const { plain_text_token: token } of made) {
      const secret = token.slice(token.indexOf('-') + 1, -7)
      for (const spelling of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret, 'base64url').toString('hex'),
        Buffer.from(token).toString('base64'),
      ]) {
        expect(rows.includes(spelling), 'in the database').toBe(false)
        expect(log.includes(spelling), 'in the log').toBe(false)
      }
    }
  } finally {
    await plane.close()
  }
})
