import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { selfSigned } from '#test/checks/certificates.ts'
import { anIncident, aTenantOf, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { confirmRecipients } from '#test/support/recipients.ts'
import { startWorker } from '#test/support/worker.ts'

let served: Serving
let receiver: Receiver
let server: MailServer
let worker: ChildProcess
beforeAll(async () => {
  ;[receiver, server] = await Promise.all([
    Receiver.open(),
    MailServer.open({ certificate: await selfSigned(), encryption: 'none' }),
  ])
  served = await serving('mail_served', { roles: ['api'] })
  worker = startMailer()
})
afterAll(async () => {
  worker?.kill('SIGKILL')
  await served?.close()
  await receiver?.close()
  await server?.close()
})

const startMailer = () =>
  startWorker(served.config, {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'Vedette <noreply@vedette.example>',
  })
const anAddress = () => `${randomUUID()}@example.net`
const arrivedAt = (address: string) => server.arrived.filter(({ to }) => to.includes(address))

async function ask(tenantId: string, email: string): Promise<void> {
  const payload = mailPayload(
    { userId: null, email, name: null, language: 'en' },
    { team_name: 'Acme', user_name: 'Pat Person' },
  )
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload, is_personal) values ($1, 'mail', 'member_removed', $2, true)`,
    [tenantId, JSON.stringify(payload)],
  )
}

describe('mail of a running control plane', () => {
  test('an e-mail channel gets an incident with the team’s branding, and the log has it', async () => {
    const tenant = await aTenantOf(served, receiver)
    await served.platform.query(
      `insert into brandings (tenant_id, brand_name, alert_prefix) values ($1, 'Müller', 'PROD')`,
      [tenant.id],
    )
    const [one, two] = [anAddress(), anAddress()]
    await confirmRecipients(served.platform, tenant.id, one, two)
    const channel = await tenant.call('POST', '/notification-channels', {
      name: 'Mail',
      type: 'email',
      config: { recipients: [one, two] },
    })
    await tenant.call('POST', '/notification-rules', { channel_id: channel.id, event_types: ['incident.created'] })
    await happen(
      served,
      tenant.id,
      'incident.created',
      anIncident({ title: 'Zahlung über Grenze ausgefallen', monitor_name: 'Käse-Shop' }),
    )
    const arrived = await eventually(() => arrivedAt(one)[0], 30_000)
    expect(arrived.to).toEqual([one])
    expect((await eventually(() => arrivedAt(two)[0], 30_000)).to).toEqual([two])
    expect(arrived.mail.from).toEqual({ name: 'Müller', address: 'noreply@vedette.example' })
    expect(arrived.mail.subject).toMatch(/^\[PROD\] .*Käse-Shop/)
    expect(arrived.mail.html).toContain('Käse-Shop')
    const log = await eventually(async () =>
      (await tenant.call('GET', '/notification-logs')).find(({ status }: { status: string }) => status === 'delivered'),
    )
    expect(log.attempts).toEqual([expect.objectContaining({ number: 1, error: null, response: null })])
  })

  test('a mail that the reseller suppresses goes only to its webhook, once for each recipient', async () => {
    const reseller = await aTenantOf(served, receiver, { isReseller: true })
    const team = await aTenantOf(served, receiver)
    await addManagedTeam(served.platform, reseller.id, team.id, null)
    await reseller.subscribe(['email.incident_created', 'email.member_removed'])
    await served.platform.query(
      `insert into email_suppressions (tenant_id, types) values ($1, '{incident_created,member_removed}')`,
      [reseller.id],
    )
    const [one, two, three] = [anAddress(), anAddress(), anAddress()]
    await confirmRecipients(served.platform, team.id, one, two)
    const channel = await team.call('POST', '/notification-channels', {
      name: 'Mail',
      type: 'email',
      config: { recipients: [one, two] },
    })
    await team.call('POST', '/notification-rules', {
      channel_id: channel.id,
      event_types: ['incident.created', 'incident.resolved'],
    })
    await happen(served, team.id, 'incident.created', anIncident())
    await ask(team.id, three)
    const bodies = await eventually(
      () => (reseller.received().length === 3 ? reseller.received().map(({ body }) => body) : undefined),
      30_000,
    )
    expect(bodies.map(({ event, recipient }) => [event, recipient.email]).sort()).toEqual(
      [
        ['email.incident_created', one],
        ['email.incident_created', two],
        ['email.member_removed', three],
      ].sort(),
    )
    for (const body of bodies) {
      expect(body).toMatchObject({
        email_type: body.event.slice(6),
        _managed_tenant: { managed_tenant_id: team.id },
        template_data: { brand_name: 'Vedette' },
      })
      expect(Object.keys(body.recipient).sort()).toEqual(['email', 'language', 'name', 'user_id'])
    }
    // mails that it has not suppressed are sent
    await happen(
      served,
      team.id,
      'incident.resolved',
      anIncident({ status: 'resolved', resolved_at: '2026-01-15T08:42:00.000000Z' }),
    )
    expect((await eventually(() => arrivedAt(one)[0])).mail.subject).toContain('up again')
    expect([arrivedAt(one).length, arrivedAt(three).length]).toEqual([1, 0])
  })

  test('a mail that the reseller suppresses has the state of the delivery to its webhook, and arrives with it', {
    timeout: 60_000,
  }, async () => {
    const reseller = await aTenantOf(served, receiver, { isReseller: true, scopes: ['teams:read'] })
    const team = await aTenantOf(served, receiver, { scopes: ['incidents:read'] })
    const managed = await addManagedTeam(served.platform, reseller.id, team.id, null)
    const { channel: hook } = await reseller.subscribe(['email.incident_created'])
    await served.platform.query(`insert into email_suppressions (tenant_id, types) values ($1, '{incident_created}')`, [
      reseller.id,
    ])
    const address = anAddress()
    await confirmRecipients(served.platform, team.id, address)
    const channel = await team.call('POST', '/notification-channels', {
      name: 'Mail',
      type: 'email',
      config: { recipients: [address] },
    })
    await team.call('POST', '/notification-rules', { channel_id: channel.id, event_types: ['incident.created'] })
    const goDown = async () => {
      const { monitor, check } = await served.monitor(team.id, 'http://127.0.0.1:1')
      const { rows } = await served.platform.query<{ id: string }>(
        `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity,
           started_at, confirmed_at, quorum, evidence, notified_at, forwarded_at)
         select gen_random_uuid(), $1, $2, $3, 'uptime', 1 + (select count(*) from incidents where tenant_id = $1), 'T',
           'C', 'critical', now(), now(), '{}', '{}', now(), now() returning id`,
        [team.id, monitor, check],
      )
      const incident_id = rows[0]!.id
      await happen(served, team.id, 'incident.created', anIncident({ incident_id, monitor_id: monitor }))
      return incident_id
    }
    const stateOf = async (incident: string) => {
      const [entry] = await team.call('GET', `/incidents/${incident}/notifications`)
      if (!entry?.channels[0]?.delivery) return undefined
      const log = await team.call('GET', `/notification-logs/${entry.channels[0].delivery.id}`)
      return { entry, log, answers: log.attempts.map(({ response }: { response: string }) => response) }
    }
    const becomes = (incident: string, status: string) =>
      eventually(async () => {
        const state = await stateOf(incident)
        // the one is read after the other
        const states = [state?.log.status, state?.entry.channels[0].delivery.status]
        return states.every(each => each === status) ? state : undefined
      }, 30_000)
    const handed = 'The reseller suppresses this mail: it was handed to its webhook instead.'
    const again = 'The reseller’s webhook did not receive it: it is sent there again.'
    // the time until the next attempt, of the delivery to the webhook
    const next = () =>
      served.platform.query(
        `update deliveries set next_at = clock_timestamp() - interval '1 minute' where channel_id = $1 and status = 'retrying'`,
        [hook.id],
      )

    let status = 500
    receiver.answer = (request, response) => {
      response.statusCode = request.path === reseller.path ? status : 200
      response.end()
    }
    try {
      const first = await goDown()
      const retried = await becomes(first, 'retrying')
      expect(retried.answers).toEqual([handed, again])
      expect(retried.log).toMatchObject({ finished_at: null, next_attempt_at: null })
      expect(retried.entry).toMatchObject({
        notified_count: 0,
        channels: [
          { is_notified: false, reason: 'rule_matched', delivery: { status: 'retrying', error: 'http_status' } },
        ],
      })
      expect(await reseller.call('GET', '/reseller/undelivered-mails')).toMatchObject([
        {
          managed_team_id: managed,
          type: 'incident_created',
          via: 'webhook',
          state: 'retrying',
          reason: 'http_status',
        },
      ])
      status = 200
      await next()
      const arrived = await becomes(first, 'delivered')
      expect(arrived.answers).toEqual([handed, again, 'The reseller’s webhook received it.'])
      expect(arrived.entry).toMatchObject({ notified_count: 1, channels: [{ is_notified: true }] })
      expect(await reseller.call('GET', '/reseller/undelivered-mails')).toEqual([])

      status = 500
      const second = await goDown()
      await becomes(second, 'retrying')
      const failed = await eventually(async () => {
        await next()
        const state = await stateOf(second)
        return state?.log.status === 'failed' && state.entry.channels[0].delivery.status === 'failed'
          ? state
          : undefined
      }, 40_000)
      expect(failed.answers.at(-1)).toBe('The reseller’s webhook did not receive it.')
      expect(failed.log).toMatchObject({
        is_replayable: true,
        attempts: [{ error: null }, {}, { error: 'http_status' }],
      })
      expect(failed.entry).toMatchObject({ notified_count: 0, channels: [{ is_notified: false }] })
      expect(await reseller.call('GET', '/reseller/undelivered-mails')).toMatchObject([
        { type: 'incident_created', via: 'webhook', state: 'given_up', reason: 'http_status', attempts: 4 },
      ])

      status = 200
      await team.call('POST', `/notification-logs/${failed.log.id}/replay`)
      expect((await becomes(second, 'delivered')).answers.at(-1)).toBe('The reseller’s webhook received it.')
      expect(arrivedAt(address)).toEqual([])
    } finally {
      receiver.answer = (_, response) => response.end('ok')
    }
  })

  test('a mail is sent again with the same id if the process is killed before the outcome is written', {
    timeout: 60_000,
  }, async () => {
    const tenant = await aTenantOf(served, receiver)
    const address = anAddress()
    const killed = once(worker, 'exit')
    server.onTaken = ({ to }) => {
      if (to.includes(address) && arrivedAt(address).length === 1) worker.kill('SIGKILL')
    }
    await ask(tenant.id, address)
    await killed
    const { rows } = await served.platform.query(
      `select id, attempts from outbox where tenant_id = $1 and kind = 'mail' and done_at is null`,
      [tenant.id],
    )
    expect(rows).toEqual([expect.objectContaining({ attempts: 0 })])
    // the claim would expire; the test does not wait for that
    await served.platform.query('update outbox set next_at = clock_timestamp() where id = $1', [rows[0].id])
    worker = startMailer()
    const [before, after] = await eventually(
      () => (arrivedAt(address).length === 2 ? arrivedAt(address) : undefined),
      30_000,
    )
    expect(after?.mail.messageId).toBe(before?.mail.messageId)
    expect(after?.mail.text).toBe(before?.mail.text)
    await eventually(async () => {
      const left = await served.platform.query(`select 1 from outbox where id = $1`, [rows[0].id])
      return left.rows.length === 0 ? true : undefined
    })
  })
})
