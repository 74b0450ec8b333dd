import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { suppressibleMails } from '#contract/events.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { monthlyReports } from '#control-plane/alerting/digest/send-month.ts'
import { decryptText } from '#control-plane/alerting/mail/kept-secrets.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { anIncident, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { confirmRecipients } from '#test/support/recipients.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('suppression')
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a reseller's script would
type Json = any
const caller =
  (token: string) =>
  async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text ? JSON.parse(text) : undefined
  }

const aTenant = (isReseller: boolean) =>
  createTenant(served.platform, {
    name: isReseller ? 'Reseller' : 'Acme',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller,
  })
const aToken = async (kind: 'rk' | 'ss', tenantId: string, userId: string | null, scopes: string[]) =>
  (await createToken(served.platform, { kind, tenantId, userId, name: 'test', scopes, expiresAt: null })).plain

async function aTeam(resellerId: string, label: string) {
  const tenantId = await aTenant(false)
  const address = `${randomUUID()}@people.test`
  const password = 'correct horse battery staple'
  const userId = await createUser(served.platform, {
    name: 'Olga Owner',
    email: address,
    password,
    tenantId,
    role: 'owner',
    language: 'de',
  })
  const id = await addManagedTeam(served.platform, resellerId, tenantId, label)
  const call = caller(await aToken('ss', tenantId, userId, []))
  return {
    id,
    tenantId,
    owner: address,
    call,
    async invite(): Promise<string> {
      const email = `${randomUUID()}@invited.test`
      await call('POST', '/invitations', { email, role: 'viewer' })
      return email
    },
  }
}

let resellerId: string
let reseller: ReturnType<typeof caller>
let team: Awaited<ReturnType<typeof aTeam>>
let path: string
const suppress = (...suppressed_types: string[]) => reseller('PUT', '/reseller/email-suppression', { suppressed_types })
const subscribe = async (events: string[], more: object = {}): Promise<string> =>
  (
    await reseller('POST', '/reseller/webhooks', {
      name: 'CRM',
      url: receiver.url + path,
      secret: 'hush hush hush hush',
      events,
      ...more,
    })
  ).data.id

beforeEach(async () => {
  path = `/${randomUUID()}`
  receiver.answer = (_, response) => response.end('ok')
  resellerId = await aTenant(true)
  reseller = caller(await aToken('rk', resellerId, null, ['portal:manage', 'webhooks:manage', 'notifications:manage']))
  team = await aTeam(resellerId, 'gold')
})

/** Waits until nothing of these tenants waits to be sent any more, and answers what was written to an address. */
async function writtenTo(address: string): Promise<{ subject: string; body: string }[]> {
  await eventually(async () => {
    const { rowCount } = await served.platform.query(
      `select 1 from outbox where kind = 'mail' and payload -> 'recipient' ->> 'email' = $1`,
      [address],
    )
    return rowCount === 0 ? true : undefined
  })
  const { rows } = await served.platform.query<{ id: string; subject: string; body: string; is_encrypted: boolean }>(
    'select id, subject, body, is_encrypted from mail_sink_messages where $1 = any(recipients)',
    [address],
  )
  const { config } = served.plane.services
  return rows.map(({ id, subject, body, is_encrypted }) => ({
    subject,
    body: is_encrypted ? (decryptText(config, id, body) ?? '') : body,
  }))
}
const received = (count: number) =>
  eventually(() => (receiver.at(path).length >= count ? receiver.at(path) : undefined))

describe('a mail that the reseller has suppressed', () => {
  test('goes to the webhook as documented and is not mailed; types without a subscription are mailed', async () => {
    await suppress('invitation')
    const before = await team.invite()
    expect((await writtenTo(before))[0]?.subject).toMatch(/^Einladung zu Acme/)
    const webhook = await subscribe(['email.invitation', 'email.member_removed'])
    const email = await team.invite()
    const [first] = await received(1)
    expect(await writtenTo(email)).toEqual([])
    expect(first!.headers['x-webhook-signature']).toBe(
      createHmac('sha256', 'hush hush hush hush').update(first!.text).digest('hex'),
    )
    const moment = expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/)
    expect(first!.body).toEqual({
      event: 'email.invitation',
      timestamp: moment,
      email_type: 'invitation',
      recipient: { email, name: null, language: 'de', user_id: null },
      template_data: {
        team_name: 'Acme',
        invited_by: 'Olga Owner',
        role: 'viewer',
        accept_url: expect.stringMatching(/^http:\/\/localhost\/invitation#[\w-]{43}$/),
        expires_at: moment,
        brand_name: 'Vedette',
      },
      _managed_tenant: {
        managed_tenant_id: team.tenantId,
        name: 'Acme',
        label: 'gold',
        public_id: expect.any(String),
        external_ref: null,
        metadata: {},
      },
    })

    // the shown link, so that a reader of the webhook cannot prove the address
    const shown = hashSecret(String(first!.body.template_data.accept_url).split('#')[1] ?? '')
    expect(
      (await served.platform.query('select 1 from invitations where email = $1 and token_hash = $2', [email, shown]))
        .rowCount,
    ).toBe(1)

    const log = await eventually(async () => {
      const { data } = await reseller('GET', `/reseller/webhooks/${webhook}/deliveries`)
      return data[0]?.status === 'delivered' ? data[0] : undefined
    })
    expect(log).toMatchObject({ event: 'email.invitation', managed_tenant_id: team.tenantId, is_replayable: false })
    expect((await reseller('GET', `/notification-logs/${log.id}`)).data.payload).toBeNull()

    await reseller('PATCH', `/reseller/webhooks/${webhook}`, { is_enabled: false })
    expect(await writtenTo(await team.invite())).toHaveLength(1)
    expect(receiver.at(path)).toHaveLength(1)
  })

  test('is not mailed while the webhook is down: it is listed, encrypted, and arrives later', async () => {
    await suppress('invitation')
    await subscribe(['email.invitation'])
    receiver.answer = (_, response) => response.writeHead(500).end()
    const email = await team.invite()
    const [first] = await received(1)
    expect(await writtenTo(email)).toEqual([])
    const [log] = await eventually(async () => {
      const { data } = await reseller('GET', '/notification-logs')
      return data[0]?.status === 'retrying' ? data : undefined
    })
    expect(log).toMatchObject({ event: 'email.invitation', attempts: [{ status_code: 500 }] })
    const { rows } = await served.platform.query<{ body: string }>('select body from deliveries where id = $1', [
      log.id,
    ])
    expect(rows[0]?.body).toMatch(/^v1\./)
    expect((await reseller('GET', `/notification-logs/${log.id}`)).data.payload).toEqual(first!.body)

    receiver.answer = (_, response) => response.end('ok')
    await served.platform.query(`update deliveries set next_at = clock_timestamp() where id = $1`, [log.id])
    const [, again] = await received(2)
    expect(again!.text).toBe(first!.text)
    await eventually(async () => {
      const { rows } = await served.platform.query<{ body: string | null }>(
        'select body from deliveries where id = $1',
        [log.id],
      )
      return rows[0]?.body === null ? true : undefined
    })
  })

  test('only for teams of the rule, only for the exact type, and never for a team of another reseller', async () => {
    await suppress('invitation', 'digest')
    await subscribe(['email.invitation'], { tenant_filter: { labels: ['gold*'] } })
    const [silver, foreign] = [await aTeam(resellerId, 'silver'), await aTeam(await aTenant(true), 'gold')]
    const [mine, others, strangers] = [await team.invite(), await silver.invite(), await foreign.invite()]
    await received(1)
    expect(await writtenTo(mine)).toEqual([])
    for (const address of [others, strangers]) expect(await writtenTo(address)).toHaveLength(1)
    await suppress('digest')
    expect(await writtenTo(await team.invite())).toHaveLength(1)
    expect(receiver.at(path)).toHaveLength(1)
  })

  test('goes to the reseller’s webhooks only: not to the team’s own, nor by chat or mail', async () => {
    await suppress('invitation')
    const rules = async (call: ReturnType<typeof caller>, type: string, config: object) => {
      const { data } = await call('POST', '/notification-channels', { name: type, type, config, notify_all: false })
      await call('POST', '/notification-rules', { channel_id: data.id, event_types: ['email.invitation'] })
    }
    await rules(team.call, 'webhook', { url: `${receiver.url}/the-team` })
    await rules(reseller, 'slack', { webhook_url: `${receiver.url}/chat` })
    expect(await writtenTo(await team.invite())).toHaveLength(1)
    await subscribe(['email.invitation'])
    expect(await writtenTo(await team.invite())).toEqual([])
    await received(1)
    await happen(served, team.tenantId, 'email.invitation', { email_type: 'invitation' })
    await happen(served, team.tenantId, 'team.paused', {})
    expect([...receiver.at('/the-team'), ...receiver.at('/chat')]).toEqual([])
  })

  test('also what an e-mail channel of the team would send', async () => {
    await suppress('incident_created')
    await subscribe(['email.incident_created'])
    await confirmRecipients(served.platform, team.tenantId, 'ops@acme.test')
    await team.call('POST', '/notification-channels', {
      name: 'Mail',
      type: 'email',
      config: { recipients: ['ops@acme.test', team.owner] },
    })
    const incident = anIncident()
    await happen(served, team.tenantId, 'incident.created', incident)
    const first = await received(2)
    expect(first.map(({ body }) => body.recipient.email).sort()).toEqual([team.owner, 'ops@acme.test'].sort())
    for (const { body } of first)
      expect(body).toMatchObject({
        event: 'email.incident_created',
        recipient: { user_id: null, language: 'de' },
        template_data: incident,
      })
    await happen(served, team.tenantId, 'incident.resolved', {
      ...incident,
      resolved_at: '2026-01-15T08:42:10.000000Z',
    })
    await eventually(async () => ((await writtenTo('ops@acme.test')).length > 0 ? true : undefined))
    expect((await writtenTo('ops@acme.test')).map(({ subject }) => subject)).toEqual([
      'Shop ist wieder erreichbar nach 12 min 10 s',
    ])
  })

  test('also the report of a month', async () => {
    await suppress('monthly_report')
    await subscribe(['email.monthly_report'])
    await team.call('PATCH', '/profile', { monthly_report: true })
    await team.call('POST', '/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    await served.platform.query(`update monitors set created_at = '2025-06-01' where tenant_id = $1`, [team.tenantId])
    await served.platform.query(`update users set monthly_report_at = '2026-03-01' where email = $1`, [team.owner])
    await sendDue(served.plane.services, monthlyReports, { now: new Date('2026-03-01T00:00:00Z') })
    const [first] = await received(1)
    expect(first!.body).toMatchObject({
      event: 'email.monthly_report',
      recipient: { email: team.owner },
      template_data: { team_name: 'Acme', month: '2026-02', monitors_count: 1, before: { month: '2026-01' } },
    })
    expect(await writtenTo(team.owner)).toEqual([])
  })

  test('what lets people back in is always written, whatever is suppressed', async () => {
    await suppress(...suppressibleMails)
    await subscribe(suppressibleMails.map(type => `email.${type}`))
    const { rows } = await served.platform.query<{ email: string }>(
      'select u.email from users u where home_tenant_id = $1',
      [team.tenantId],
    )
    const { email } = rows[0]!
    await fetch(`${served.plane.baseUrl}/api/v1/auth/password/forgot`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    expect((await writtenTo(email))[0]?.body).toContain('http://localhost/password-reset#')
    expect(receiver.at(path)).toEqual([])
  })
})
