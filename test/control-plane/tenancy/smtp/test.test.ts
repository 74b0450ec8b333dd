import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority, type KeyAndCert, selfSigned } from '#test/checks/certificates.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { MailServer } from '#test/support/mail-server.ts'

const account = { user: 'mailer', password: 'pässword ✓' }
const usual = app.services.guard
let trusting: Guard
let certificate: KeyAndCert
const open: { close(): unknown }[] = []

beforeAll(async () => {
  const authority = await Authority.make()
  certificate = await authority.issue({ names: ['mail.example.test'], addresses: ['127.0.0.1'] })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 as const }]
  trusting = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem], lookup })
  app.services.guard = trusting
})
afterAll(async () => {
  app.services.guard = usual
  for (const each of open) await each.close()
})

const opened = async <Closable extends { close(): unknown }>(opening: Promise<Closable>): Promise<Closable> => {
  const one = await opening
  open.push(one)
  return one
}

interface Columns {
  port: number
  host?: string
  encryption?: 'tls' | 'ssl'
  username?: string | null
  password?: string
  from_address?: string | null
}

/** Set behind the API's back: a test's servers listen where they can. */
async function teamWith({
  port,
  host = 'mail.example.test',
  encryption = 'tls',
  username = account.user,
  password = account.password,
  ...rest
}: Columns) {
  const team = await given.tenant()
  await app.services.platform.query(
    `insert into smtp_configs (tenant_id, host, port, encryption, username, password, from_address, from_name)
     values ($1, $2, $3, $4, $5, $6, $7, 'Söhne')`,
    [
      team.tenantId,
      host,
      port,
      encryption,
      username,
      encryptPassword(app.services.config, team.tenantId, password),
      rest.from_address === undefined ? 'alerts@example.com' : rest.from_address,
    ],
  )
  return team
}

async function failing(team: CallerUnderTest): Promise<[code: string, fields: string[]]> {
  const { status, body, text } = await team.post('/smtp-config/test')
  expect(status, text).toBe(422)
  expect(text).not.toMatch(/banner|127\.0\.0\.1|ECONN|Invalid login/)
  return [body.code, Object.keys(body.errors)]
}

describe('POST /smtp-config/test', () => {
  test.each(['tls', 'ssl'] as const)('sends a mail to the caller, signed in and encrypted (%s)', async encryption => {
    const server = await opened(MailServer.open({ certificate, encryption, account }))
    const team = await teamWith({ port: server.port, encryption })
    const { status, body } = await team.post('/smtp-config/test')
    expect([status, body]).toEqual([200, { success: true }])
    const [arrived] = server.arrived
    expect(server.arrived).toHaveLength(1)
    expect(arrived).toMatchObject({
      from: 'alerts@example.com',
      to: [`${team.userId}@people.test`],
      isSecure: true,
      user: account.user,
    })
    expect(arrived?.mail.from).toMatchObject({ name: 'Söhne', address: 'alerts@example.com' })
    expect(await app.audited(team)).toEqual(['smtp_config.tested'])
  })

  test('an address needs no name for its certificate', async () => {
    const server = await opened(MailServer.open({ certificate, account }))
    expect((await (await teamWith({ port: server.port, host: '127.0.0.1' })).post('/smtp-config/test')).status).toBe(
      200,
    )
  })

  test('who stands in for a team has no mailbox: the connection and the sign-in are tried', async () => {
    const server = await opened(MailServer.open({ certificate, account }))
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const other = await teamWith({ port: server.port })
    await app.services.platform.query('update smtp_configs set tenant_id = $1, password = $2 where tenant_id = $3', [
      team.tenantId,
      encryptPassword(app.services.config, team.tenantId, account.password),
      other.tenantId,
    ])
    expect((await (await given.impersonation(reseller, team)).post('/smtp-config/test')).body).toEqual({
      success: true,
    })
    expect(server.offered).toEqual([`${account.user}:${account.password}`])
    expect(server.arrived).toEqual([])
  })

  test('fails without a sender, as nothing would be sent by the server then', async () => {
    const server = await opened(MailServer.open({ certificate, account: { ...account, user: 'mailer@example.com' } }))
    expect(await failing(await teamWith({ port: server.port, from_address: null }))).toEqual([
      'smtp_sender',
      ['from_address'],
    ])
    expect(server.offered).toEqual([])
    const named = await teamWith({ port: server.port, from_address: null, username: 'mailer@example.com' })
    expect((await named.post('/smtp-config/test')).body).toEqual({ success: true })
    expect(server.arrived.map(({ from }) => from)).toEqual(['mailer@example.com'])
  })

  test('names the field at fault, in our own words', async () => {
    const server = await opened(MailServer.open({ certificate, account, refuses: () => true }))
    expect(await failing(await teamWith({ port: server.port, password: 'wrong' }))).toEqual(['smtp_auth', ['password']])
    expect(await failing(await teamWith({ port: server.port }))).toEqual(['smtp_recipient', ['from_address']])
    expect(await failing(await teamWith({ port: 1 }))).toEqual(['smtp_connect', ['host']])
    expect(await failing(await given.tenant())).toEqual(['smtp_not_set', ['host']])
  })

  test('sends no password before TLS, nor to a server without a trusted certificate', async () => {
    const plain = await opened(MailServer.open({ certificate, account, encryption: 'none' }))
    expect(await failing(await teamWith({ port: plain.port }))).toEqual(['smtp_tls', ['encryption']])
    expect(plain.offered).toEqual([])

    const unknown = await selfSigned({ names: ['mail.example.test'] })
    for (const encryption of ['tls', 'ssl'] as const) {
      const untrusted = await opened(MailServer.open({ certificate: unknown, account, encryption }))
      expect(await failing(await teamWith({ port: untrusted.port, encryption }))).toEqual(['smtp_tls', ['encryption']])
      const server = await opened(MailServer.open({ certificate, account, encryption }))
      expect(await failing(await teamWith({ port: server.port, encryption, host: 'other.example.test' }))).toEqual([
        'smtp_tls',
        ['encryption'],
      ])
      expect([...untrusted.offered, ...server.offered]).toEqual([])
    }
  })

  test('reaches nothing inside, and no answer reveals what is there', async () => {
    const server = await opened(MailServer.open({ certificate, account }))
    const answers: string[] = []
    app.services.guard = new Guard([], {
      lookup: async host => [{ address: host === 'rebound.example.test' ? '10.1.2.3' : '127.0.0.1', family: 4 }],
    })
    try {
      for (const [host, port] of [
        ['127.0.0.1', server.port],
        ['127.0.0.1', 1],
        ['10.1.2.3', 25],
        ['mail.example.test', server.port],
        ['rebound.example.test', 587],
      ] as const) {
        const { body } = await (await teamWith({ host, port })).post('/smtp-config/test')
        answers.push(JSON.stringify({ ...body, request_id: undefined }))
      }
    } finally {
      app.services.guard = trusting
    }
    expect(new Set(answers)).toHaveLength(1)
    expect(answers[0]).toContain('smtp_blocked')
    expect(server.connections).toBe(0)
  })

  test('a name is resolved once for each connection, and what was validated is what is dialled', async () => {
    const server = await opened(MailServer.open({ certificate, account }))
    let asked = 0
    app.services.guard = new Guard(parseAllowList('127.0.0.2/32'), {
      lookup: async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }],
    })
    try {
      expect(await failing(await teamWith({ port: server.port }))).toEqual(['smtp_connect', ['host']])
    } finally {
      app.services.guard = trusting
    }
    expect([asked, server.connections]).toEqual([1, 0])
  })

  test('five a minute', async () => {
    const team = await given.tenant()
    const statuses: number[] = []
    for (let nth = 0; nth < 6; nth++) statuses.push((await team.post('/smtp-config/test')).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await team.get('/smtp-config')).status).toBe(200)
  })
})
