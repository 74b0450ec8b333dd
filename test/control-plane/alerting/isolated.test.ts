import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mails } from '#contract/mails.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { encryptBody } from '#control-plane/alerting/deliveries/body.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { anIncident, aTenantOf, happen } from './alerted.ts'
import { Receiver } from './receiver.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('isolated_alerting', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

const forgotten = { secretKey: 'a key of this installation that was forgotten long ago' }
const sql = async (text: string, ...values: unknown[]) => (await served.platform.query(text, values)).rows
const quarantined = async (key: string): Promise<{ kind: string; reason: string } | undefined> =>
  (await sql('select kind, reason from quarantined_rows where key = $1', key))[0]
const released = (key: string) => eventually(async () => ((await quarantined(key)) === undefined ? true : undefined))
const untilReceived = (of: { received(): unknown[] }, times = 1) =>
  eventually(() => (of.received().length >= times ? true : undefined))

describe('a rule that cannot be read', () => {
  test('is quarantined; the other rules of its tenant and of others work as usual', async () => {
    const [tenant, other] = [await aTenantOf(served, receiver), await aTenantOf(served, receiver)]
    const bad = await tenant.subscribe(['incident.created'])
    await tenant.subscribe(['incident.created'])
    await other.subscribe(['incident.created'])
    await sql(`update notification_rules set monitor_filter = '{"tags": "all"}' where id = $1`, bad.rule.id)
    for (const each of [tenant, other]) await happen(served, each.id, 'incident.created', anIncident())
    await untilReceived(other)
    await untilReceived(tenant)
    expect((await eventually(() => quarantined(bad.rule.id))).kind).toBe('notification_rule')
    // its owner corrects it
    await tenant.call('PATCH', `/notification-rules/${bad.rule.id}`, { monitor_filter: null })
    await released(bad.rule.id)
    await happen(served, tenant.id, 'incident.created', anIncident())
    await untilReceived(tenant, 3)
  })
})

describe('a channel whose secrets cannot be opened', () => {
  test('puts its notifications off without an attempt until they can; others are sent at once', async () => {
    const [tenant, other] = [await aTenantOf(served, receiver), await aTenantOf(served, receiver)]
    const { channel } = await tenant.subscribe(['incident.created'], {}, { secret: 'a secret of the customer' })
    await other.subscribe(['incident.created'])
    const { secrets } = encryptConfig(forgotten, channel.id, 'webhook', {
      url: receiver.url + tenant.path,
      secret: 'a secret of the customer',
    })
    await sql('update notification_channels set secrets = $2 where id = $1', channel.id, secrets)
    for (const each of [tenant, other, tenant]) await happen(served, each.id, 'incident.created', anIncident())
    await untilReceived(other)
    expect(await eventually(() => quarantined(channel.id))).toMatchObject({
      kind: 'notification_channel',
      reason: expect.stringContaining('key'),
    })
    await eventually(async () => {
      const rows = await sql(
        `select attempts, next_at > now() + interval '50 minutes' as is_put_off from deliveries where channel_id = $1`,
        channel.id,
      )
      return rows.length === 2 && rows.every(row => row.attempts === 0 && row.is_put_off) ? true : undefined
    })
    expect(tenant.received()).toEqual([])
    // its owner sets another secret
    await tenant.call('PATCH', `/notification-channels/${channel.id}`, {
      config: { secret: 'another secret of the customer' },
    })
    await untilReceived(tenant, 2)
    await released(channel.id)
  })

  test('fails notifications that were put off for a day', async () => {
    const tenant = await aTenantOf(served, receiver)
    const { channel } = await tenant.subscribe(['incident.created'])
    await sql(`update notification_channels set config = '{"url": 7}' where id = $1`, channel.id)
    await happen(served, tenant.id, 'incident.created', anIncident())
    await eventually(() => quarantined(channel.id))
    await sql(
      `update deliveries set created_at = now() - interval '25 hours', attempts = 3, next_at = now()
       where channel_id = $1`,
      channel.id,
    )
    await eventually(async () =>
      (await sql('select status from deliveries where channel_id = $1', channel.id))[0]?.status === 'failed'
        ? true
        : undefined,
    )
  })
})

describe('a notification that cannot be read', () => {
  test('is put off, and no other is', async () => {
    const [tenant, other] = [await aTenantOf(served, receiver), await aTenantOf(served, receiver)]
    const { channel } = await tenant.subscribe(['incident.created'])
    await other.subscribe(['incident.created'])
    const id = randomUUID()
    const body = JSON.stringify({ event: 'email.password_reset', x: 1 })
    await sql(
      `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at)
       values ($1, $2, $3, 'email.password_reset', $4, 'pending', now())`,
      id,
      tenant.id,
      channel.id,
      encryptBody(forgotten, { id, event: 'email.password_reset', body }),
    )
    await happen(served, other.id, 'incident.created', anIncident())
    await untilReceived(other)
    expect(await eventually(() => quarantined(id))).toMatchObject({ kind: 'delivery' })
    await sql(
      'update deliveries set body = $2 where id = $1',
      id,
      encryptBody(served.config, { id, event: 'email.password_reset', body }),
    )
    await sql('update quarantined_rows set next_try_at = now() where key = $1', id)
    await untilReceived(tenant)
    await released(id)
  })

  test('whose outcome PostgreSQL refuses is not sent repeatedly, and the outcomes of others are written', async () => {
    const [tenant, ...others] = await Promise.all(Array.from({ length: 5 }, () => aTenantOf(served, receiver)))
    const { channel } = await tenant!.subscribe(['incident.created'])
    for (const each of others) await each.subscribe(['incident.created'])
    const { Client } = await import('pg')
    const owner = new Client({ connectionString: served.stores.ownerUrl })
    await owner.connect()
    await owner.query(
      `create function refuse_outcome() returns trigger language plpgsql as $$
       begin raise exception 'no' using errcode = '54000'; end $$`,
    )
    await owner.query(
      `create trigger refuse_outcome before update on deliveries for each row
       when (new.channel_id = '${channel.id}' and new.status = 'delivered') execute function refuse_outcome()`,
    )
    try {
      await Promise.all([tenant!, ...others].map(each => happen(served, each.id, 'incident.created', anIncident())))
      for (const each of others)
        await eventually(async () =>
          (await sql(`select 1 from deliveries where tenant_id = $1 and status = 'delivered'`, each.id)).length === 1
            ? true
            : undefined,
        )
      const [{ id }] = await sql('select id from deliveries where channel_id = $1', channel.id)
      await eventually(() => quarantined(id))
      expect(tenant!.received()).toHaveLength(1)
    } finally {
      await owner.query('drop trigger refuse_outcome on deliveries; drop function refuse_outcome')
      await owner.end()
    }
  })
})

describe('a mail whose secrets cannot be opened', () => {
  const recipient = { userId: null, email: 'person@example.net', name: 'Person', language: 'en' }
  const put = async (tenant: string, ring: { secretKey: string }) =>
    (
      await sql(
        `insert into outbox (tenant_id, kind, name, payload, is_personal)
     values ($1, 'mail', 'password_reset', $2, true) returning id`,
        tenant,
        JSON.stringify(mailPayload(recipient, encryptMail(ring, 'password_reset', mails.password_reset.example))),
      )
    )[0].id as string
  const caught = async (tenant: string) =>
    (await sql('select 1 from mail_sink_messages where tenant_id = $1', tenant)).length

  test('is put off unchanged and without an attempt while others are sent, and sent later', async () => {
    const [tenant, other] = [await served.tenant(), await served.tenant()]
    const [bad] = [await put(tenant, forgotten), await put(other, served.config)]
    await eventually(async () => ((await caught(other)) === 1 ? true : undefined), 20_000)
    expect(await eventually(() => quarantined(bad))).toMatchObject({ kind: 'mail' })
    const [row] = await sql(
      `select attempts, payload -> 'recipient' ->> 'email' as email from outbox where id = $1`,
      bad,
    )
    expect(row).toEqual({ attempts: 0, email: recipient.email })
    await sql(
      'update outbox set payload = $2 where id = $1',
      bad,
      JSON.stringify(
        mailPayload(recipient, encryptMail(served.config, 'password_reset', mails.password_reset.example)),
      ),
    )
    await sql('update quarantined_rows set next_try_at = now() where key = $1', bad)
    await eventually(async () => ((await caught(tenant)) === 1 ? true : undefined), 20_000)
    await released(bad)
  }, 60_000)

  test('is given up after a day, and its content is deleted', async () => {
    const tenant = await served.tenant()
    const bad = await put(tenant, forgotten)
    await eventually(() => quarantined(bad))
    await sql(`update outbox set created_at = now() - interval '25 hours', next_at = now() where id = $1`, bad)
    const row = await eventually(
      async () => (await sql('select error, payload from outbox where id = $1 and done_at is not null', bad))[0],
    )
    expect(row).toEqual({ error: 'unreadable', payload: {} })
  })
})

describe('a digest that cannot be written', () => {
  test('is put off, and all others are sent', async () => {
    const [bad, good] = [randomUUID(), randomUUID()]
    for (const id of [bad, good]) {
      const tenant = await served.tenant()
      await sql(
        `insert into users (id, name, email, email_verified_at, digest, digest_at)
         values ($1, 'Pat', $2, now(), 'daily', now())`,
        id,
        `${id}@people.test`,
      )
      await sql(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, id, tenant)
    }
    await sql(`update users set timezone = 'Atlantis/Capital', digest_at = now() where id = $1`, bad)
    await sql('update quarantined_rows set next_try_at = now() where kind = $1', 'digest')
    const { sendDue } = await import('#control-plane/alerting/digest/due.ts')
    const { digests } = await import('#control-plane/alerting/digest/send.ts')
    await sendDue(served.plane.services, digests)
    await eventually(async () =>
      (await sql('select 1 from users where id = $1 and digest_at > now()', good)).length === 1 ? true : undefined,
    )
    expect(await eventually(() => quarantined(bad))).toMatchObject({ kind: 'digest' })
    // the person chooses an existing time zone
    await sql(`update users set timezone = 'Europe/Berlin' where id = $1`, bad)
    await released(bad)
  })
})
