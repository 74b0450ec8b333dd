import { randomUUID } from 'node:crypto'
import { generate } from 'otplib'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { mails } from '#contract/mails.ts'
import { decryptConfig, encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { encryptBody, readBody } from '#control-plane/alerting/deliveries/body.ts'
import { decryptText, encryptText } from '#control-plane/alerting/mail/kept-secrets.ts'
import { addressHash } from '#control-plane/base/address-hash.ts'
import { anonymous } from '#control-plane/base/caller.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { encryptSecret, isUnderOldKey } from '#control-plane/base/secrets.ts'
import type { Config } from '#control-plane/config.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { decryptSettings, encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { claimOrReplay, storeAnswer } from '#control-plane/http/idempotency.ts'
import { passesFactor } from '#control-plane/identity/mfa/pass.ts'
import { newSecret, secretPurpose } from '#control-plane/identity/mfa/secret.ts'
import { encryptPartnerSecret, openSecret } from '#control-plane/identity/partner-sso/secret.ts'
import { decryptClientSecret, encryptClientSecret } from '#control-plane/identity/sso/client-secret.ts'
import {
  decryptDraft,
  decryptKey,
  encryptDraft,
  encryptKey,
  readFile,
  storeFile,
} from '#control-plane/importing/store.ts'
import { decryptMail, encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload, unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { countUnderOldKey, reencrypt } from '#control-plane/platform/secrets/re-encrypt.ts'
import { decryptAddress, encryptAddress } from '#control-plane/publishing/status-pages/subscribers/address.ts'
import { decryptMonitors, encryptMonitors } from '#control-plane/reselling/monitor-templates/secrets.ts'
import { encryptWebhookSecret, webhookSecretOf } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { decryptPassword, encryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { prepared } from '#test/control-plane/serving.ts'
import { encryptedColumns, forgottenColumns, renewedColumns } from '#test/support/encrypted-columns.ts'

const [first, second, third] = ['first', 'second', 'third'].map(
  name => `the ${name} key of this installation, long enough`,
) as [string, string, string]
const rings = {
  first: { secretKey: first, previousSecretKeys: [] },
  second: { secretKey: second, previousSecretKeys: [first] },
  third: { secretKey: third, previousSecretKeys: [second] },
  last: { secretKey: third, previousSecretKeys: [] },
}
const hidden = 'hunter2 of the customer'

let config: Config
let ownerUrl: string
let platform: pg.Pool
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  const made = await prepared('rotation')
  config = made.config
  ownerUrl = made.stores.ownerUrl
  platform = new pg.Pool({ connectionString: config.platformUrl, max: 4 })
})
afterAll(async () => {
  await platform?.end()
  await receiver?.close()
})

const log = pino({ level: 'silent' })
const known = (ring: Partial<Config>) => ({ platform, log, config: { ...config, ...ring }, metrics: createMetrics() })
const sql = async (text: string, ...values: unknown[]) => (await platform.query(text, values)).rows
const aTenant = (isReseller = false) =>
  createTenant(platform, { name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro', featureOverrides: {}, isReseller })

const monitorsOf = (token: string) =>
  [
    {
      name_template: 'Shop',
      url_template: 'https://shop.example/',
      type: 'website',
      tags: [],
      checks: [{ type: 'uptime', settings: { auth: { type: 'bearer', token } } }],
    },
  ] as unknown as Parameters<typeof encryptMonitors>[2]

/** One of each place where a secret is stored. */
async function everySecret(ring: typeof rings.first) {
  const tenant = await aTenant(true)
  const ids = {
    monitor: randomUUID(),
    check: randomUUID(),
    channel: randomUUID(),
    user: randomUUID(),
    template: randomUUID(),
    delivery: randomUUID(),
    caught: randomUUID(),
  }
  await sql(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
      recovery_confirmations)
     values ($1, $2, 'Shop', 'https://shop.example/', 'website', 60, 10, '{"mode":"majority","count":null}', 2, 2)`,
    ids.monitor,
    tenant,
  )
  const closed = encryptSettings(ring, ids.check, { auth: { type: 'bearer', token: hidden } })
  await sql(
    `insert into checks (id, tenant_id, monitor_id, type, settings, secrets, severity)
      values ($1, $2, $3, 'uptime', $4, $5, 'critical')`,
    ids.check,
    tenant,
    ids.monitor,
    JSON.stringify(closed.settings),
    closed.secrets,
  )
  const channel = encryptConfig(ring, ids.channel, 'webhook', { url: `${receiver.url}/${ids.channel}`, secret: hidden })
  await sql(
    `insert into notification_channels (id, tenant_id, name, type, config, secrets)
      values ($1, $2, 'x', 'webhook', $3, $4)`,
    ids.channel,
    tenant,
    JSON.stringify(channel.config),
    channel.secrets,
  )
  await sql(
    `insert into smtp_configs (tenant_id, host, port, encryption, password)
      values ($1, 'mail.example', 587, 'tls', $2)`,
    tenant,
    encryptPassword(ring, tenant, hidden),
  )
  await sql(
    'insert into partner_sso (tenant_id, secret) values ($1, $2)',
    tenant,
    encryptPartnerSecret(ring, tenant, hidden),
  )
  await sql(
    `insert into sso_configs (tenant_id, issuer, client_id, client_secret) values ($1, 'https://id.example', 'x', $2)`,
    tenant,
    encryptClientSecret(ring, tenant, hidden),
  )
  const factor = newSecret()
  await sql(`insert into users (id, name, email) values ($1, 'Pat', $2)`, ids.user, `${ids.user}@people.test`)
  await sql(
    `insert into second_factors (user_id, secret, confirmed_at) values ($1, $2, now())`,
    ids.user,
    encryptSecret(ring, secretPurpose, ids.user, factor),
  )
  await sql(
    `insert into monitor_templates (id, tenant_id, name, monitors, variables) values ($1, $2, 'x', $3, '[]')`,
    ids.template,
    tenant,
    JSON.stringify(encryptMonitors(ring, ids.template, monitorsOf(hidden))),
  )
  await sql('update tenants set webhook_secret = $2 where id = $1', tenant, encryptWebhookSecret(ring, tenant, hidden))
  const mail = mailPayload(
    { userId: null, email: 'person@example.net', name: null, language: 'en' },
    encryptMail(ring, 'password_reset', mails.password_reset.example),
  )
  const [{ id: mailId }] = await sql(
    `insert into outbox (tenant_id, kind, name, payload, is_personal, next_at)
      values ($1, 'mail', 'password_reset', $2, true, now() + interval '1 day') returning id`,
    tenant,
    JSON.stringify(mail),
  )
  const body = JSON.stringify({ event: 'email.password_reset', secret: hidden })
  await sql(
    `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at)
      values ($1, $2, $3, 'email.password_reset', $4, 'retrying', now() + interval '1 day')`,
    ids.delivery,
    tenant,
    ids.channel,
    encryptBody(ring, { id: ids.delivery, event: 'email.password_reset', body }),
  )
  await sql(
    `insert into mail_sink_messages (id, tenant_id, type, sender, recipients, subject, body, html, is_encrypted)
      values ($1, $2, 'password_reset', 'x', '{}', 'x', $3, $4, true)`,
    ids.caught,
    tenant,
    encryptText(ring, ids.caught, hidden),
    encryptText(ring, ids.caught, `<p>${hidden}</p>`),
  )
  const [page, subscriber] = [randomUUID(), randomUUID()]
  await sql(`insert into status_pages (id, tenant_id, name, slug) values ($1, $2, 'x', $3)`, page, tenant, `p-${page}`)
  await sql(
    `insert into status_page_subscribers (id, tenant_id, page_id, address, address_hash) values ($1, $2, $3, $4, $5)`,
    subscriber,
    tenant,
    page,
    encryptAddress(ring, subscriber, hidden),
    addressHash(ring, hidden),
  )
  const claim = { tenantId: tenant, tokenId: randomUUID(), key: 'once', fingerprint: 'ab'.repeat(32) }
  await asTenant(tenant, async em => {
    await claimOrReplay(em, ring, claim)
    await storeAnswer(em, ring, claim, 201, hidden)
  })
  const migration = randomUUID()
  await sql(
    `insert into provider_migrations (id, tenant_id, provider, name, credentials) values ($1, $2, 'kuma', 'x', $3)`,
    migration,
    tenant,
    encryptKey(ring, migration, { credential: hidden, pingKey: null }),
  )
  await sql(
    `insert into migration_items (migration_id, tenant_id, ordinal, kind, source_id, source_kind, name, action, reason,
        wanted)
      values ($1, $2, 3, 'monitor', 'x', 'x', 'x', 'create', 'x', $3)`,
    migration,
    tenant,
    encryptDraft(ring, migration, 3, { of: 'cron', body: { name: hidden }, aliases: [], history: null }),
  )
  await asTenant(tenant, em => storeFile(em, ring, { id: migration, tenantId: tenant }, Buffer.from(hidden)))
  return { tenant, ...ids, subscriber, factor, mailId, claim, body, migration }
}

async function asTenant<T>(tenantId: string, work: Parameters<typeof unitOfWork<T>>[2]): Promise<T> {
  const orm = await openOrm(config)
  try {
    const context = { tenantId, resellerId: null, caller: anonymous, ip: '', requestId: randomUUID(), now: new Date() }
    return await unitOfWork<T>(orm.em, context, work)
  } finally {
    await orm.close()
  }
}

/** Every secret, opened by this ring alone. */
async function opened(ring: typeof rings.first, of: Awaited<ReturnType<typeof everySecret>>) {
  const [check] = await sql('select settings, secrets from checks where id = $1', of.check)
  const [channel] = await sql('select config, secrets from notification_channels where id = $1', of.channel)
  const [smtp] = await sql('select password from smtp_configs where tenant_id = $1', of.tenant)
  const [template] = await sql('select monitors from monitor_templates where id = $1', of.template)
  const [subscriber] = await sql('select address from status_page_subscribers where id = $1', of.subscriber)
  const [partner] = await sql('select secret from partner_sso where tenant_id = $1', of.tenant)
  const [sso] = await sql('select client_secret from sso_configs where tenant_id = $1', of.tenant)
  const [tenant] = await sql('select webhook_secret from tenants where id = $1', of.tenant)
  const [mail] = await sql('select payload from outbox where id = $1', of.mailId)
  const [delivery] = await sql('select body from deliveries where id = $1', of.delivery)
  const [caught] = await sql('select body, html from mail_sink_messages where id = $1', of.caught)
  const [moving] = await sql('select credentials from provider_migrations where id = $1', of.migration)
  const [item] = await sql('select wanted from migration_items where migration_id = $1', of.migration)
  const code = await generate({ secret: of.factor, epoch: Math.floor(Date.now() / 1_000) })
  return {
    check: (decryptSettings(ring, of.check, check).auth as { token: string }).token,
    channel: decryptConfig(ring, of.channel, channel).secret,
    smtp: decryptPassword(ring, of.tenant, smtp.password),
    partner: openSecret(ring, of.tenant, partner.secret),
    sso: decryptClientSecret(ring, of.tenant, sso.client_secret),
    template: (decryptMonitors(ring, of.template, template.monitors)[0]!.checks[0]!.settings.auth as { token: string })
      .token,
    subscriber: decryptAddress(ring, of.subscriber, subscriber.address),
    webhook: webhookSecretOf(ring, { resellerId: of.tenant, encryptedSecret: tenant.webhook_secret }),
    mail: decryptMail(ring, 'password_reset', mail.payload.data),
    delivery: readBody(ring, { id: of.delivery, event: 'email.password_reset', body: delivery.body }),
    caught: [decryptText(ring, of.caught, caught.body), decryptText(ring, of.caught, caught.html)],
    migration: [
      decryptKey(ring, of.migration, moving.credentials),
      decryptDraft(ring, of.migration, 3, item.wanted),
      String(await readFile(platform, ring, of.migration)),
    ],
    idempotency: await asTenant(of.tenant, em => claimOrReplay(em, ring, of.claim)),
    factor: await passesFactor({ platform, log, config: { ...config, ...ring } }, of.user, code, {
      now: new Date(),
      origin: { place: 'a session', isKnown: true },
    }),
  }
}

describe('a SECRET_KEY that is rotated', () => {
  test('twice, with the earlier keys dropped: the job that runs beside everything has left every secret open', async () => {
    const made = [await everySecret(rings.first), await everySecret(rings.first)]
    expect([...(await countUnderOldKey(platform, rings.second)).values()].every(n => n >= 2)).toBe(true)
    for (const ring of [rings.second, rings.third]) {
      const plane: ControlPlane = await startControlPlane({ ...config, ...ring }, ['api', 'worker'])
      const left = async () => [...(await countUnderOldKey(platform, ring)).values()].reduce((sum, n) => sum + n, 0)
      await expect.poll(left, { timeout: 30_000 }).toBe(0)
      await expect
        .poll(
          async () =>
            (await (await fetch(`${plane.metricsUrl}/metrics`)).text()).match(
              /vedette_secrets_under_old_key\{table="checks"\} (\d+)/,
            )?.[1],
        )
        .toBe('0')
      await plane.close()
    }
    for (const each of made)
      expect(await opened(rings.last, each)).toEqual({
        check: hidden,
        channel: hidden,
        smtp: hidden,
        partner: hidden,
        sso: hidden,
        template: hidden,
        webhook: hidden,
        subscriber: hidden,
        mail: mails.password_reset.example,
        delivery: each.body,
        caught: [hidden, `<p>${hidden}</p>`],
        migration: [
          { credential: hidden, pingKey: null },
          { of: 'cron', body: { name: hidden }, aliases: [], history: null },
          hidden,
        ],
        idempotency: hidden,
        factor: true,
      })

    // and with the last key alone a notification leaves, signed as ever
    const plane = await startControlPlane({ ...config, ...rings.last }, ['api', 'worker'])
    await sql(
      `update deliveries set event = 'incident.created', body = '{"event":"incident.created"}', next_at = now()
        where id = $1`,
      made[0]!.delivery,
    )
    await expect.poll(() => receiver.at(`/${made[0]!.channel}`).length, { timeout: 20_000 }).toBe(1)
    expect(receiver.at(`/${made[0]!.channel}`)[0]!.headers['x-webhook-signature']).toBeTruthy()
    await plane.close()
  }, 120_000)
})

test('every column of the schema that holds an encrypted text is one that a rotation encrypts again', async () => {
  await everySecret(rings.first)
  const columns = await encryptedColumns(platform)
  expect([...columns].sort()).toEqual([...renewedColumns].sort())

  // a new one is noticed, by its rows
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('create table new_secrets (id int, hidden text, within jsonb)')
  const text = encryptSecret(rings.first, 'new', '1', hidden)
  await owner.query('insert into new_secrets values (1, $1, $2)', [text, JSON.stringify({ deep: [{ text }] })])
  expect(await forgottenColumns(owner)).toEqual(['new_secrets.hidden', 'new_secrets.within'])
  await owner.query('drop table new_secrets')
  await owner.end()
})

describe('the job', () => {
  beforeEach(async () => {
    await sql('delete from users')
    await sql('delete from tenants')
    await sql('delete from quarantined_rows')
  })

  const aCheck = async (ring: typeof rings.first, token = hidden) => {
    const { check, tenant } = await everySecret(ring)
    return { check, tenant, token }
  }
  const secretsOf = async (check: string): Promise<string> =>
    (await sql('select secrets from checks where id = $1', check))[0].secrets

  test('lets a change win that came between reading and writing', async () => {
    const { check } = await aCheck(rings.first)
    const theirs = encryptSettings(rings.second, check, { auth: { type: 'bearer', token: 'changed meanwhile' } })
    let isChanged = false
    await reencrypt(known(rings.second), {
      async between() {
        if (isChanged) return
        isChanged = true
        await sql('update checks set secrets = $2 where id = $1', check, theirs.secrets)
      },
    })
    expect(await secretsOf(check)).toBe(theirs.secrets)
  })

  test('does not wait for a locked row, leaves it to the next pass, and reports it', async () => {
    const [locked, free] = [await aCheck(rings.first), await aCheck(rings.first)]
    const client = await platform.connect()
    await client.query('begin')
    await client.query('select 1 from checks where id = $1 for update', [locked.check])
    const began = performance.now()
    const pass = await reencrypt(known(rings.second))
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(pass.left).toBeGreaterThanOrEqual(1)
    expect(isUnderOldKey(rings.second, await secretsOf(locked.check))).toBe(true)
    expect(isUnderOldKey(rings.second, await secretsOf(free.check))).toBe(false)
    await client.query('commit')
    client.release()
    expect((await reencrypt(known(rings.second))).left).toBe(0)
    expect(isUnderOldKey(rings.second, await secretsOf(locked.check))).toBe(false)
  })

  test('does more than one batch, two of it at once, and each secret once', async () => {
    const tenant = await aTenant()
    const channels = Array.from({ length: 350 }, () => randomUUID())
    const rows = channels.map(id => ({
      id,
      ...encryptConfig(rings.first, id, 'webhook', { url: 'https://x.example/', secret: hidden }),
    }))
    await sql(
      `insert into notification_channels (id, tenant_id, name, type, config, secrets)
       select id, $2, 'x', 'webhook', config, secrets
       from json_to_recordset($1::json) as r(id uuid, config jsonb, secrets text)`,
      JSON.stringify(rows),
      tenant,
    )
    const passes = await Promise.all([reencrypt(known(rings.second)), reencrypt(known(rings.second))])
    expect(passes.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(350)
    expect((await reencrypt(known(rings.second))).left).toBe(0)
  })

  test('lists a secret that no key opens, and goes on with all others', async () => {
    const forgotten = { secretKey: 'a key of this installation that was forgotten long ago', previousSecretKeys: [] }
    const [bad, good] = [await aCheck(forgotten), await aCheck(rings.first)]
    const pass = await reencrypt(known(rings.second))
    expect(pass.unreadable).toBe(17)
    expect(isUnderOldKey(rings.second, await secretsOf(good.check))).toBe(false)
    expect(
      await sql(`select kind, tenant_id, reason from quarantined_rows where key = $1`, `checks ${bad.check}`),
    ).toEqual([
      {
        kind: 'stored_secret',
        tenant_id: bad.tenant,
        reason: 'A stored secret was encrypted under a key that is not known here.',
      },
    ])
    // the operator finds the key again
    await reencrypt(known({ secretKey: second, previousSecretKeys: [first, forgotten.secretKey] }))
    expect(await sql(`select 1 from quarantined_rows where kind = 'stored_secret'`)).toEqual([])
  })
})
