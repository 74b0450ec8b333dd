import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mails, mailTypes, provesAddress } from '#contract/mails.ts'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { encryptWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { signUpgrade } from '#control-plane/tenancy/plans/upgrade-link.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { app, given } from '#test/support/app.ts'
import { type MailServer, SilentServer } from '#test/support/mail-server.ts'
import { confirmRecipients } from '#test/support/recipients.ts'
import { account, aReader, ask, failedAgain, gone, platformAt, rowOf, setServer, Town } from './posted.ts'

const { platform, bounded, config, guard, log } = app.services
let town: Town
let public_: MailServer
let mailer: Mailer
let office: ReturnType<Town['mailWorker']>
beforeAll(async () => {
  town = await Town.found()
  public_ = await town.server({ encryption: 'ssl' })
  mailer = town.mailer(platformAt(public_))
  office = town.mailWorker(mailer)
})
afterAll(() => town.close())

const reader = (more = {}) => ({ ...aReader, email: `${randomUUID()}@example.net`, ...more })
const arrivedAt = (server: MailServer, address: string) => server.arrived.filter(({ to }) => to.includes(address))

describe('a mail of the outbox', () => {
  test('is sent by the platform’s server, as text and HTML, in the reader’s language and the team’s name', async () => {
    const team = await given.tenant()
    await team.patch('/branding', { notification_from_name: 'Müller & Söhne', brand_name: 'Müller' })
    const to = reader()
    await gone(await ask(team.tenantId, 'invitation', { to }))
    const [arrived, ...others] = arrivedAt(public_, to.email)
    expect(others).toEqual([])
    expect(arrived).toMatchObject({ from: 'noreply@platform.example.test', to: [to.email], isSecure: true })
    const { mail } = arrived!
    expect(mail.from).toEqual({ name: 'Müller & Söhne', address: 'noreply@platform.example.test' })
    expect(mail.to).toEqual([{ name: 'Jürgen Größe', address: to.email }])
    expect(mail.subject).toMatch(/lädt|eingeladen|Einladung/)
    expect(mail.html).toContain('<html')
    expect(mail.text).toContain('https://status.example.com/invitation#')
    const heads = new Map(mail.headers.map(({ key, value }) => [key, value]))
    expect(heads.get('auto-submitted')).toBe('auto-generated')
    expect(heads.get('content-type')).toContain('multipart/alternative')
    expect(heads.has('list-unsubscribe')).toBe(false)
    expect(mail.messageId).toMatch(/^<[\da-f]{32}@localhost>$/)
    await expect.poll(office.counted).toMatchObject({ 'invitation platform': expect.any(Number) })
  })

  test('links to the portal of its team, once that is active', async () => {
    const team = await given.tenant()
    const { id, hostname } = await aDomain(team, { purpose: 'portal' })
    await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
    const to = reader()
    const data = { ...mails.password_reset.example, reset_url: `${config.baseUrl}/password-reset#${'a'.repeat(43)}` }
    await gone(await ask(team.tenantId, 'password_reset', { to, data }))
    const text = arrivedAt(public_, to.email)[0]?.mail.text ?? ''
    expect(text).toContain(`//${hostname}`)
    expect(text).toContain(`/password-reset#${'a'.repeat(43)}`)
  })

  test('leads to the upgrade page of the reseller with team, plan and signature', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'free' })
    await platform.query('update tenants set webhook_secret = $2 where id = $1', [
      reseller.tenantId,
      encryptWebhookSecret(config, reseller.tenantId, 'a secret of sixteen'),
    ])
    await reseller.patch('/branding', { upgrade_url: 'https://shop.example.com/upgrade?from=mail' })
    const to = reader()
    await gone(await ask(team.tenantId, 'trial_expired', { to }))
    const text = arrivedAt(public_, to.email)[0]?.mail.text ?? ''
    const link = new URL(/https:\/\/shop\.example\.com\S+/.exec(text)?.[0] ?? '')
    const { from, tenant, plan, suggested_plan, ts, sig } = Object.fromEntries(link.searchParams)
    expect({ from, tenant, plan, suggested_plan }).toEqual({
      ...{ from: 'mail', tenant: team.tenantId, plan: 'free', suggested_plan: 'hobby' },
    })
    expect(sig).toBe(signUpgrade('a secret of sixteen', { tenantId: team.tenantId, plan: 'free' }, Number(ts)))
    expect(text).toContain(`${config.baseUrl}/app/settings/plan`)
  })

  test('of type digest has an unsubscribe link', async () => {
    const to = reader()
    await gone(await ask((await given.tenant()).tenantId, 'digest', { to }))
    const heads = new Map(arrivedAt(public_, to.email)[0]?.mail.headers.map(({ key, value }) => [key, value]))
    expect(heads.get('list-unsubscribe')).toMatch(/^<https:/)
    expect(heads.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  test('is sent by the team’s own server, with the sender that is configured there', async () => {
    const team = await given.tenant()
    const server = await town.server({ account, encryption: 'ssl' })
    await setServer({ ...team, port: server.port, encryption: 'ssl', fromName: 'Söhne Alerts' })
    const to = reader()
    await gone(await ask(team.tenantId, 'trial_expired', { to }))
    expect(server.arrived[0]).toMatchObject({
      from: 'alerts@example.com',
      to: [to.email],
      isSecure: true,
      user: account.user,
    })
    expect(server.arrived[0]?.mail.from).toEqual({ name: 'Söhne Alerts', address: 'alerts@example.com' })
    expect(arrivedAt(public_, to.email)).toEqual([])
    await expect.poll(office.counted).toMatchObject({ 'trial_expired custom': 1 })
  })

  test('is not sent by a server without a sender: that would speak with the platform’s address', async () => {
    const team = await given.tenant()
    const server = await town.server({ account, encryption: 'ssl' })
    await setServer({ ...team, port: server.port, encryption: 'ssl', fromAddress: null })
    const to = reader()
    await gone(await ask(team.tenantId, 'member_removed', { to }))
    expect(server.arrived).toEqual([])
    expect(arrivedAt(public_, to.email).map(({ from }) => from)).toEqual(['noreply@platform.example.test'])
    const { rows } = await platform.query('select failure from smtp_configs where tenant_id = $1', [team.tenantId])
    expect(rows).toEqual([{ failure: 'sender' }])
  })

  test('that proves an address is sent by the platform only; an invitation by a team is redacted', async () => {
    const team = await given.tenant()
    const server = await town.server({ account })
    await setServer({ ...team, port: server.port })
    const proofs = mailTypes.filter(provesAddress)
    expect(proofs.sort()).toEqual([
      'email_change_requested',
      'email_change_verify',
      'email_changed_notify',
      'email_verify',
      'login_link',
      'password_reset',
      'recipient_confirm',
      'sign_up_confirm',
      'subscription_confirm',
    ])
    for (const type of proofs) {
      const to = reader()
      await gone(await ask(team.tenantId, type, { to }))
      expect(arrivedAt(public_, to.email), type).toHaveLength(1)
    }
    expect(server.arrived).toEqual([])
    const to = reader()
    await gone(await ask(team.tenantId, 'invitation', { to }))
    const { accept_url, shown_url } = mails.invitation.example
    expect(server.arrived[0]?.mail.text).toContain(shown_url)
    expect(server.arrived[0]?.mail.text).not.toContain(accept_url)
  })

  test('of a managed team is sent by the team’s own server, else by its reseller’s', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [theirs, own] = [await town.server({ account }), await town.server({ account })]
    await setServer({ ...reseller, port: theirs.port })
    await gone(await ask(team.tenantId, 'member_removed'))
    expect([theirs.arrived.length, own.arrived.length]).toEqual([1, 0])
    await setServer({ ...team, port: own.port })
    await gone(await ask(team.tenantId, 'member_removed'))
    expect([theirs.arrived.length, own.arrived.length]).toEqual([1, 1])
  })

  test('that the team’s server refuses is sent by the platform’s once; the team gets the reason', async () => {
    const team = await given.tenant()
    const server = await town.server({ account })
    await setServer({ ...team, port: server.port, password: 'wrong' })
    const to = reader()
    await gone(await ask(team.tenantId, 'member_removed', { to }))
    expect(server.arrived).toEqual([])
    const [arrived, ...others] = arrivedAt(public_, to.email)
    expect(others).toEqual([])
    expect(arrived?.mail.replyTo).toEqual([{ name: '', address: 'alerts@example.com' }])
    // the notice about it also goes by the platform's server, and may arrive first
    const line = town.lines.find(
      ({ fell, tenant_id, mail }) => fell && tenant_id === team.tenantId && mail === 'member_removed',
    )
    expect(line).toMatchObject({ fell: 'auth', by: 'platform' })
    const { rows } = await platform.query('select failure, failing_since from smtp_configs where tenant_id = $1', [
      team.tenantId,
    ])
    expect(rows[0]).toMatchObject({ failure: 'auth', failing_since: expect.any(Date) })
    const notice = await eventually(() => arrivedAt(public_, `${team.userId}@people.test`)[0])
    expect(notice.mail.text).toContain('mail.example.test')

    // meanwhile the server is skipped; once it works it is used again
    const offered = server.offered.length
    await gone(await ask(team.tenantId, 'member_removed', { to: reader() }))
    expect(server.offered).toHaveLength(offered)
    await setServer({ ...team, port: server.port })
    await gone(await ask(team.tenantId, 'member_removed', { to: reader() }))
    expect(server.arrived).toHaveLength(1)
    const after = await platform.query('select failing_since from smtp_configs where tenant_id = $1', [team.tenantId])
    expect(after.rows[0].failing_since).toBeNull()
  })

  test('is sent by the platform’s server if the plan no longer includes an own one, and the log says so', async () => {
    const team = await given.tenant()
    const server = await town.server({ account })
    await setServer({ ...team, port: server.port })
    await platform.query(`update tenants set plan = 'free' where id = $1`, [team.tenantId])
    const to = reader()
    await gone(await ask(team.tenantId, 'member_removed', { to }))
    expect([server.connections, arrivedAt(public_, to.email).length]).toEqual([0, 1])
    expect(town.lines.find(({ fell, tenant_id }) => fell && tenant_id === team.tenantId)).toMatchObject({
      fell: 'revoked',
    })
  })

  test('never reaches a server with a private address', async () => {
    const team = await given.tenant()
    const server = await town.server({ account })
    await setServer({ ...team, port: server.port })
    // no administrator, who would get a mail about the failure
    await platform.query('delete from memberships where tenant_id = $1', [team.tenantId])
    const strict = town.mailer(platformAt(public_), '')
    const to = reader()
    const sent = await attemptBy(strict, team.tenantId, [to.email])
    expect(sent).toMatchObject({ isDelivered: true, answer: expect.stringContaining('(blocked)') })
    expect([server.connections, arrivedAt(public_, to.email).length]).toEqual([0, 1])
  })

  test('that is refused for good is not retried, and its address is deleted', async () => {
    const to = reader()
    public_.refuses = address => address === to.email
    const id = await ask((await given.tenant()).tenantId, 'member_removed', { to })
    expect(await failedAgain(id, 1)).toMatchObject({ is_done: true, error: 'recipient', payload: {} })
    const bad = await ask((await given.tenant()).tenantId, 'member_removed', {
      to: reader({ email: 'a@example.net, b@example.net' }),
    })
    expect(await failedAgain(bad, 1)).toMatchObject({ is_done: true, error: 'recipient', payload: {} })
    await expect.poll(office.counted).toMatchObject({ 'member_removed dead': 2 })
  })
})

describe('a recipient that the team’s own server refuses', () => {
  test.each(['550 unknown recipient', '550 5.1.1 no such user', '553 5.1.3 bad address', '550 5.2.1 mailbox disabled'])(
    'for good (%s) gets no mail by the platform’s server, and is shown as refused until a mail is taken',
    async answer => {
      const team = await given.tenant()
      const email = `${team.userId}@people.test`
      const server = await town.server({ account, refuses: () => answer })
      await setServer({ ...team, port: server.port })
      const channel = await team.post('/notification-channels', {
        name: 'Mail',
        type: 'email',
        config: { recipients: [email] },
      })
      const stateOf = async () =>
        (await team.get(`/notification-channels/${channel.body.data.id}`)).body.data.recipients[0].state
      expect(await stateOf()).toBe('member')

      const to = reader({ userId: team.userId, email })
      const id = await ask(team.tenantId, 'member_removed', { to })
      expect(await failedAgain(id, 1)).toMatchObject({ is_done: true, error: 'recipient' })
      expect(arrivedAt(public_, email)).toEqual([])
      expect(await stateOf()).toBe('refused')
      const { rows } = await platform.query('select failing_since from smtp_configs where tenant_id = $1', [
        team.tenantId,
      ])
      expect(rows[0].failing_since).toBeNull()

      expect(await attemptBy(mailer, team.tenantId, [email], randomUUID(), 0)).toMatchObject({
        isDelivered: false,
        error: 'mail',
        answer: 'The mail server refused the recipients.',
      })
      server.refuses = () => false
      expect(await attemptBy(mailer, team.tenantId, [email], randomUUID(), 0)).toMatchObject({ isDelivered: true })
      expect(server.arrived).toHaveLength(1)
      expect(await stateOf()).toBe('member')
      expect(arrivedAt(public_, email)).toEqual([])
    },
  )

  test('is listed to the reseller as undelivered', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const server = await town.server({ account, refuses: () => true })
    await setServer({ ...team, port: server.port })
    const to = reader()
    expect(await failedAgain(await ask(team.tenantId, 'member_removed', { to }), 1)).toMatchObject({ is_done: true })
    expect(arrivedAt(public_, to.email)).toEqual([])
    const { body } = await reseller.get('/reseller/undelivered-mails')
    expect(body.data).toMatchObject([{ type: 'member_removed', state: 'given_up', reason: 'recipient' }])
  })

  test.each(['554 5.7.1 relay access denied', '550 5.7.1 by policy', '550 relaying denied'])(
    'for another reason than the mailbox (%s) gets it by the platform’s server',
    async answer => {
      const team = await given.tenant()
      const server = await town.server({ account, refuses: () => answer })
      await setServer({ ...team, port: server.port })
      const to = reader()
      await gone(await ask(team.tenantId, 'member_removed', { to }))
      expect(arrivedAt(public_, to.email)).toHaveLength(1)
    },
  )

  test('for now gets it by the same server after 60 seconds, else by the platform’s', async () => {
    const team = await given.tenant()
    const server = await town.server({ account, refuses: () => 'later' })
    await setServer({ ...team, port: server.port })
    const [grey, never] = [reader(), reader()]
    const [first, second] = [
      await ask(team.tenantId, 'member_removed', { to: grey }),
      await ask(team.tenantId, 'member_removed', { to: never }),
    ]
    const waiting = async (id: string) =>
      eventually(async () => ((await rowOf(id))?.attempts === 1 ? rowOf(id) : undefined))
    for (const id of [first, second]) {
      const row = await waiting(id)
      expect(row).toMatchObject({ is_done: false, error: 'recipient' })
      expect(row?.wait_s).toBeGreaterThan(57)
      expect(row?.wait_s).toBeLessThanOrEqual(61)
    }
    server.refuses = address => address === never.email && 'later'
    for (const id of [first, second]) await failedAgain(id, 1)
    for (const id of [first, second]) await gone(id)
    expect(server.arrived.map(({ to }) => to)).toEqual([[grey.email]])
    expect(arrivedAt(public_, grey.email)).toEqual([])
    expect(arrivedAt(public_, never.email)).toHaveLength(1)
  })

  test('for now is the same for a channel: once more by the same server, then by the platform’s', async () => {
    const team = await given.tenant()
    const server = await town.server({ account, refuses: () => 'later' })
    await setServer({ ...team, port: server.port })
    const { email } = reader()
    const id = randomUUID()
    expect(await attemptBy(mailer, team.tenantId, [email], id, 0)).toMatchObject({
      isDelivered: false,
      waitS: 60,
      answer: 'The mail server refused the recipients. For now: it gets the mail once more after 60 seconds.',
    })
    expect(arrivedAt(public_, email)).toEqual([])
    expect(await attemptBy(mailer, team.tenantId, [email], id, 1)).toMatchObject({
      isDelivered: true,
      answer: 'The team’s own mail server failed (recipient): this was sent by the platform’s.',
    })
    expect(arrivedAt(public_, email)).toHaveLength(1)
  })
})

describe('a mail server that does not answer', () => {
  test('times out after ten seconds, and delays no mail of others', { timeout: 30_000 }, async () => {
    const silent = await SilentServer.open()
    const [team, other] = [await given.tenant(), await given.tenant()]
    await setServer({ ...team, port: silent.port })
    const begun = performance.now()
    const slow = await Promise.all(
      Array.from({ length: 60 }, () => ask(team.tenantId, 'member_removed', { to: reader() })),
    )
    const to = reader()
    await gone(await ask(other.tenantId, 'member_removed', { to }))
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(arrivedAt(public_, to.email)).toHaveLength(1)
    await eventually(
      async () => ((await Promise.all(slow.map(rowOf))).every(row => row === undefined) ? true : undefined),
      20_000,
    )
    expect(performance.now() - begun).toBeGreaterThan(9_000)
    expect(silent.connections).toBeLessThanOrEqual(4)
    expect(
      town.lines.filter(
        ({ fell, mail, tenant_id }) => fell === 'timeout' && mail === 'member_removed' && tenant_id === team.tenantId,
      ),
    ).toHaveLength(60)
    silent.close()
  })
})

describe('a platform whose mail server is down', () => {
  test('retries after 10, 60 and 300 seconds with the same id, then gives up and deletes the address', async () => {
    const other = town.branch()
    const tenantId = (await given.tenant()).tenantId
    await office.stop()
    const away = other.mailWorker(other.mailer(platformAt({ port: 1 })))
    try {
      const id = await ask(tenantId, 'member_removed')
      for (const [nth, waitS] of [10, 60, 300].entries()) {
        const row = await failedAgain(id, nth + 1)
        expect(row).toMatchObject({ is_done: false, error: 'connect' })
        expect(row.wait_s).toBeGreaterThan(waitS - 3)
        expect(row.wait_s).toBeLessThanOrEqual(waitS + 1)
      }
      expect(await failedAgain(id, 4)).toMatchObject({ is_done: true, error: 'connect', payload: {} })
      await expect.poll(away.counted).toEqual({ 'member_removed retried': 3, 'member_removed dead': 1 })
      expect(other.lines.find(({ why }) => why === 'connect')).toMatchObject({
        level: expect.anything(),
        mail: 'member_removed',
      })
      expect(JSON.stringify(other.lines)).not.toContain(aReader.email)

      // the claim of a killed process expires, and the repeated mail has the same id
      await away.stop()
      const to = reader()
      const again = await ask(tenantId, 'member_removed', { to })
      await platform.query(`update outbox set next_at = clock_timestamp() + interval '1.5 seconds' where id = $1`, [
        again,
      ])
      const back = other.mailWorker(other.mailer(platformAt(public_)))
      await gone(again)
      expect(arrivedAt(public_, to.email)).toHaveLength(1)
      await back.stop()
    } finally {
      await other.close()
      office = town.mailWorker(mailer)
    }
  })

  test('keeps mail in the mail sink if it has no server, where only the operator may read it', async () => {
    const other = town.branch()
    await office.stop()
    const catching = other.mailWorker(other.mailer())
    try {
      const team = await given.tenant()
      const to = reader()
      await gone(await ask(team.tenantId, 'invitation', { to }))
      await expect.poll(catching.counted).toEqual({ 'invitation catcher': 1 })
      const operator = await given.operator()
      const { body } = await operator.get(`/caught-mails?recipient=${to.email}`)
      expect(body.data).toEqual([
        expect.objectContaining({
          tenant_id: team.tenantId,
          type: 'invitation',
          recipients: [to.email],
          from_name: 'Vedette',
        }),
      ])
      const one = await operator.get(`/caught-mails/${body.data[0].id}`)
      expect(one.body.data.text).toContain('https://status.example.com/invitation#')
      expect(one.body.data.html).toContain('<html')
      expect((await operator.get(`/caught-mails/${randomUUID()}`)).status).toBe(404)
      expect((await team.get('/caught-mails')).status).toBe(403)
      expect((await team.get(`/caught-mails/${body.data[0].id}`)).status).toBe(403)

      // a mail that a team's own server refuses goes to the mail sink at once
      const server = await town.server({ account })
      await setServer({ ...team, port: server.port, password: 'wrong' })
      const left = reader()
      await gone(await ask(team.tenantId, 'member_removed', { to: left }))
      await expect.poll(catching.counted).toMatchObject({ 'invitation catcher': 1, 'member_removed catcher': 1 })
      expect((await operator.get(`/caught-mails?recipient=${left.email}`)).body.data).toHaveLength(1)
      // the mail about it fell back as well, and may be noted first
      const fell = other.lines.filter(line => line.fell === 'auth' && line.mail === 'member_removed')
      expect(fell).toMatchObject([{ by: 'catcher' }])
    } finally {
      await other.close()
      office = town.mailWorker(mailer)
    }
  })
})

describe('a mail that the reseller suppresses', () => {
  test('goes to the reseller’s webhook and is not sent', async () => {
    const other = town.branch()
    await office.stop()
    const diverted: unknown[] = []
    const mine = other.mailWorker(other.mailer(platformAt(public_)), async mail => {
      diverted.push(mail)
      return mail.type === 'member_removed' && []
    })
    try {
      const team = await given.tenant()
      const to = reader()
      const id = await ask(team.tenantId, 'member_removed', { to })
      await gone(id)
      expect(diverted).toEqual([
        expect.objectContaining({
          id,
          tenantId: team.tenantId,
          type: 'member_removed',
          recipient: to,
          templateData: expect.objectContaining({ brand_name: 'Vedette' }),
        }),
      ])
      expect(arrivedAt(public_, to.email)).toEqual([])
      await expect.poll(mine.counted).toEqual({ 'member_removed suppressed': 1 })
    } finally {
      await other.close()
      office = town.mailWorker(mailer)
    }
  })
})

async function attemptBy(by: Mailer, tenantId: string, recipients: string[], id = randomUUID(), attempts?: number) {
  await confirmRecipients(platform, tenantId, ...recipients)
  const body = composeMessage({
    event: 'team.paused',
    at: new Date(),
    payload: { tenant_name: 'Acme', reason: 'unpaid' },
  }).text
  const channel = { id: randomUUID(), tenantId, type: 'email' as const, config: { recipients }, secrets: null }
  return attempt(
    { bounded, config, guard, log, platform, mailer: by },
    {
      id,
      channel,
      body,
      ...(attempts !== undefined && { attempts }),
    },
  )
}

describe('an e-mail channel', () => {
  test('sends each recipient a mail of their own, and the log says how many were refused', async () => {
    const [one, two, three] = [reader(), reader(), reader()].map(({ email }) => email) as [string, string, string]
    public_.refuses = address => address === three
    const sent = await attemptBy(mailer, (await given.tenant()).tenantId, [one, two, three])
    expect(sent).toMatchObject({ isDelivered: true, error: null, answer: '1 of 3 recipients were refused.' })
    for (const [address, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const [arrived, ...others] = arrivedAt(public_, address)
      expect(others).toEqual([])
      expect(arrived?.to).toEqual([address])
      expect(arrived?.mail.to).toEqual([{ name: '', address }])
      for (const unseen of [other, three]) expect(arrived?.raw).not.toContain(unseen)
    }
    expect(arrivedAt(public_, three)).toEqual([])
    public_.refuses = () => true
    expect(await attemptBy(mailer, (await given.tenant()).tenantId, [one])).toMatchObject({
      isDelivered: false,
      error: 'mail',
    })
    public_.refuses = () => false
  })

  test('sends a repeated mail with the same id', async () => {
    const { tenantId } = await given.tenant()
    const { email } = reader()
    const id = randomUUID()
    for (let nth = 0; nth < 2; nth++) await attemptBy(mailer, tenantId, [email], id)
    await attemptBy(mailer, tenantId, [email])
    const ids = arrivedAt(public_, email).map(({ mail }) => mail.messageId)
    expect([ids.length, new Set(ids).size, ids[0] === ids[1]]).toEqual([3, 2, true])
  })

  test('has a fallback to the platform’s server in its log', async () => {
    const team = await given.tenant()
    await setServer({ ...team, port: 1 })
    expect(await attemptBy(mailer, team.tenantId, [reader().email])).toMatchObject({
      isDelivered: true,
      answer: 'The team’s own mail server failed (connect): this was sent by the platform’s.',
    })
  })
})

describe('texts of users', () => {
  const endings = ['\r\n', '\n', '\r', '\u2028', '\u0085', '%0d%0a', '=?utf-8?q?=0D=0A?=']
  test.each(endings)('never break out of a header: %j', async ending => {
    const evil = `x${ending}Bcc: victim@example.org${ending}${ending}<script>`
    const team = await given.tenant()
    await platform.query(
      `insert into brandings (tenant_id, brand_name, notification_from_name, alert_prefix) values ($1, $2, $3, $4)`,
      [team.tenantId, evil, evil, evil.slice(0, 50)],
    )
    const to = reader({ name: evil })
    await gone(await ask(team.tenantId, 'member_removed', { to, data: { team_name: evil, user_name: evil } }))
    const [arrived, ...others] = arrivedAt(public_, to.email)
    expect(others).toEqual([])
    expect(arrived?.to).toEqual([to.email])
    const names = arrived?.mail.headers.map(({ key }) => key) ?? []
    expect(names).not.toContain('bcc')
    expect(names.filter(name => name === 'subject' || name === 'from' || name === 'to')).toHaveLength(3)
    for (const text of [arrived?.mail.subject, arrived?.mail.from?.name, arrived?.mail.to?.[0]?.name])
      expect(text).not.toMatch(/[\r\n]/)
    expect(arrived?.mail.html).not.toContain('<script>')
  })
})
