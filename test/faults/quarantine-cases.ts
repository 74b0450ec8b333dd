import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type MailType, mails } from '#contract/mails.ts'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { workflowId } from '#contract/workflows.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { encryptBody } from '#control-plane/alerting/deliveries/body.ts'
import type { QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { encryptAddress } from '#control-plane/publishing/status-pages/subscribers/address.ts'
import { encryptWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { encryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import type { Scene } from './quarantine-scene.ts'

/** A row on which a loop over many tenants fails. */
export interface Bad {
  key: string
  /** Corrects the row, as its owner or the operator would. */
  mend(): Promise<unknown>
  /**
   * Has a process read the row: for rows that no loop reads by itself, and for those that a process claims and may be
   * killed with.
   */
  meet?(): Promise<unknown>
  /** Whether the row was handled after it was mended. */
  isDone?(): Promise<boolean>
}

export type Case = (scene: Scene) => Promise<Bad>

/** A kind that no row of a running system can provoke: the file that tests it. */
interface Elsewhere {
  testedBy: string
}

const isThere = async (rows: Promise<unknown[]>) => (await rows).length > 0
const recipient = { userId: null, email: 'pat@example.net', name: 'Pat', language: 'en' }
const caught = (scene: Scene, tenant: string) =>
  isThere(scene.sql('select 1 from mail_sink_messages where tenant_id = $1', tenant))
const isNotified =
  (scene: Scene, tenant: string, times = 1) =>
  async () =>
    scene.receiver.at(`/${tenant}`).length >= times

const mailOf = (ring: { secretKey: string }, type: MailType = 'password_reset') =>
  JSON.stringify(mailPayload(recipient, encryptMail(ring, type, mails[type].example as never)))
/** An active subscriber of a page with an update. */
async function aSubscription(scene: Scene) {
  const tenant = await scene.tenant()
  const [page, post, update, subscriber] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await scene.sql(
    `insert into status_pages (id, tenant_id, name, slug, state) values ($1, $2, 'Status', $3, 'published')`,
    page,
    tenant,
    `p-${page}`,
  )
  await scene.sql(
    `insert into status_page_posts (id, tenant_id, page_id, title, started_at) values ($1, $2, $3, 'Down', now())`,
    ...[post, tenant, page],
  )
  await scene.sql(
    `insert into status_page_updates (id, tenant_id, post_id, body) values ($1, $2, $3, 'We are on it.')`,
    ...[update, tenant, post],
  )
  await scene.sql(
    `insert into status_page_subscribers (id, tenant_id, page_id, address, address_hash, state)
     values ($1, $2, $3, $4, $5, 'active')`,
    ...[
      subscriber,
      tenant,
      page,
      encryptAddress(scene.ring, subscriber, `${subscriber}@example.com`),
      Buffer.from(subscriber),
    ],
  )
  return { tenant, update, subscriber }
}

const putMail = async (
  scene: Scene,
  tenant: string,
  ring: { secretKey: string },
  type: MailType = 'password_reset',
): Promise<string> => {
  const [row] = await scene.sql(
    `insert into outbox (tenant_id, kind, name, payload, is_personal, next_at)
     values ($1, 'mail', $2, $3, true, now() + interval '1 hour') returning id`,
    ...[tenant, type, mailOf(ring, type)],
  )
  return row.id
}
const isDue = (scene: Scene, mail: string) => () =>
  scene.sql(`update outbox set next_at = now() where id = $1 returning pg_notify('mails', '')`, mail)

const send = async (url: string, body: unknown, headers: Record<string, string> = {}): Promise<void> => {
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(status < 300, `${url} answered ${status}`)
}

/** A zone in which the next morning, when digests go out, is far away. */
function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours()
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** A person whose mail is due, in an unknown time zone. */
async function aReader(scene: Scene, columns: string, at: string): Promise<Bad> {
  const person = await scene.person(await scene.tenant(), `${columns}, timezone = 'Atlantis/Capital'`)
  await scene.sql(`update users set ${at} = now() - interval '1 minute' where id = $1`, person)
  return {
    key: person,
    mend: () => scene.sql('update users set timezone = $2 where id = $1', person, zoneAtNoon(new Date())),
    isDone: () =>
      isThere(scene.sql(`select 1 from users where id = $1 and ${at} > now() + interval '2 hours'`, person)),
  }
}

/** From now on no event of this tenant can be written. */
async function refuseEvents(scene: Scene, tenant: string): Promise<Pick<Bad, 'mend' | 'isDone'>> {
  const mend = await scene.refuse('outbox', 'insert', `new.tenant_id = '${tenant}'`)
  return { mend, isDone: () => isThere(scene.sql('select 1 from outbox where tenant_id = $1', tenant)) }
}

/** Every kind of row that may be quarantined, with a row of that kind. */
export const cases = {
  async agent(scene) {
    const [{ public_key: key, region }] = await scene.sql('select public_key, region from agents limit 1')
    const id = randomUUID()
    await scene.sql(`insert into agents (id, region, name, public_key) values ($1, $2, 'spare', 'null')`, id, region)
    return {
      key: id,
      mend: () => scene.sql('update agents set public_key = $2 where id = $1', id, JSON.stringify(key)),
    }
  },

  async check(scene) {
    const { check } = await scene.monitor()
    const { settings, secrets } = encryptSettings(scene.forgotten, check, { auth: { type: 'bearer', token: 'hidden' } })
    await scene.sql(
      'update checks set settings = $2, secrets = $3 where id = $1',
      check,
      JSON.stringify(settings),
      secrets,
    )
    return {
      key: check,
      mend: () => scene.sql(`update checks set settings = '{}', secrets = null where id = $1`, check),
      isDone: () => isThere(scene.sql('select 1 from checks where id = $1 and verdict is not null', check)),
    }
  },

  async check_facts(scene) {
    const { check, tenant } = await scene.monitor()
    await scene.sql(
      `insert into check_snapshots (check_id, tenant_id, target, regions, recent, updated_at) values ($1, $2, 'x', 'null', '[]', now())`,
      ...[check, tenant],
    )
    return { key: check, mend: () => scene.sql(`update check_snapshots set regions = '{}' where check_id = $1`, check) }
  },

  async crawl_run(scene) {
    const { monitor, tenant } = await scene.monitor({ url: 'no address at all' })
    const run = randomUUID()
    await scene.sql(
      `insert into crawl_runs (id, tenant_id, monitor_id, cause, created_at) values ($1, $2, $3, 'request', now())`,
      run,
      tenant,
      monitor,
    )
    return {
      key: run,
      mend: () => scene.sql('update monitors set url = $2 where id = $1', monitor, `${scene.site.url}/crawled`),
      isDone: () => isThere(scene.sql('select 1 from crawl_runs where id = $1 and terms is not null', run)),
    }
  },

  async delivery(scene) {
    const tenant = await scene.tenant()
    const { channel } = await scene.webhook(tenant)
    const id = randomUUID()
    const body = JSON.stringify({ event: 'email.password_reset', x: 1 })
    const closed = (ring: { secretKey: string }) => encryptBody(ring, { id, event: 'email.password_reset', body })
    await scene.sql(
      `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at) values ($1, $2, $3, 'email.password_reset', $4, 'pending', now() + interval '1 hour')`,
      ...[id, tenant, channel, closed(scene.forgotten)],
    )
    const meet = () => scene.sql('update deliveries set next_at = now() where id = $1', id)
    return {
      key: id,
      meet,
      mend: () => scene.sql('update deliveries set body = $2 where id = $1', id, closed(scene.ring)),
      isDone: isNotified(scene, tenant),
    }
  },

  digest: scene => aReader(scene, `digest = 'daily'`, 'digest_at'),

  async durable_step(scene) {
    const { check, tenant } = await scene.monitor()
    const [{ ms }] = await scene.sql(
      `update checks set snoozed_until = date_trunc('milliseconds', now() + interval '1 second') where id = $1
       returning extract(epoch from snoozed_until)::float8 * 1000 as ms`,
      check,
    )
    const mend = await scene.refuse('checks', 'update', `new.id = '${check}' and new.snoozed_until is null`)
    const process = workflowId.snoozeEnd(check, ms)
    await scene.sql(
      `insert into outbox (tenant_id, kind, name, payload) values ($1, 'workflow', 'snoozeEnd', $2)`,
      ...[tenant, JSON.stringify({ id: process, input: { tenantId: tenant, checkId: check, untilMs: ms } })],
    )
    return {
      key: `endSnooze ${process}`,
      mend,
      isDone: () => isThere(scene.sql('select 1 from checks where id = $1 and snoozed_until is null', check)),
    }
  },

  async flapping(scene) {
    const made = await scene.monitor()
    const id = randomUUID()
    const refused = await refuseEvents(scene, made.tenant)
    await scene.sql(
      'insert into flappings (id, tenant_id, monitor_id, check_id, started_at, last_change_at) values ($1, $2, $3, $4, now(), now())',
      ...[id, made.tenant, made.monitor, made.check],
    )
    return { key: id, ...refused }
  },

  async heartbeat(scene) {
    const { check } = await scene.job()
    const settings = JSON.stringify({ timezone: 'Atlantis/Capital', schedule_kind: 'cron', schedule: '* * * * *' })
    await scene.sql('update checks set settings = $2 where id = $1', check, settings)
    return {
      key: check,
      meet: () => scene.ping({ check }),
      async mend() {
        await scene.sql(
          `update checks set settings = '{"period_minutes": 60, "grace_minutes": 1}' where id = $1`,
          check,
        )
        await scene.ping({ check })
      },
      isDone: () => isThere(scene.sql(`select 1 from checks where id = $1 and verdict = 'up'`, check)),
    }
  },

  async custom_domain(scene) {
    const [tenant, id] = [await scene.tenant(), randomUUID()]
    await scene.sql(
      `insert into custom_domains (id, tenant_id, hostname, txt_token) values ($1, $2, 'not..a-name', 'token')`,
      id,
      tenant,
    )
    return {
      key: id,
      mend: () => scene.sql(`update custom_domains set hostname = $1 || '.example.com' where id = $2`, tenant, id),
      isDone: () =>
        isThere(scene.sql('select 1 from custom_domains where id = $1 and last_checked_at is not null', id)),
    }
  },

  async sso_domain(scene) {
    const [tenant, id] = [await scene.tenant(), randomUUID()]
    await scene.sql(
      `insert into sso_domains (id, tenant_id, domain, txt_token) values ($1, $2, 'not..a-name', 'token')`,
      id,
      tenant,
    )
    return {
      key: id,
      mend: () => scene.sql(`update sso_domains set domain = $1 || '.example.com' where id = $2`, tenant, id),
      isDone: () => isThere(scene.sql('select 1 from sso_domains where id = $1 and last_checked_at is not null', id)),
    }
  },

  async escalation_run(scene) {
    const [tenant, policy, step, incident] = [await scene.tenant(), randomUUID(), randomUUID(), randomUUID()]
    await scene.sql(
      `insert into escalation_policies (id, tenant_id, name, repeat_delay_minutes) values ($1, $2, 'Night', 10)`,
      policy,
      tenant,
    )
    await scene.sql(
      `insert into escalation_steps (id, tenant_id, policy_id, position, delay_minutes, only_if)
       values ($1, $2, $3, 1, 1, '{"severity":null,"days":null,"from":null,"to":null,"timezone":"Atlantis/Capital"}')`,
      step,
      tenant,
      policy,
    )
    await scene.sql(
      `with m as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
           recovery_confirmations)
         values (gen_random_uuid(), $2, 'Escalated', 'https://example.com/', 'website', 60, 10,
           '{"mode":"majority","count":null}', 2, 2) returning id
       ), i as (
         insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity, started_at,
           confirmed_at, quorum)
         select $1, $2, m.id, 'uptime', 900, 'Escalated is down', 'critical', now(), now(), '{}' from m returning *
       )
       insert into escalation_runs (tenant_id, incident_id, monitor_id, policy_id, next_at)
       select i.tenant_id, i.id, i.monitor_id, $3, now() from i`,
      incident,
      tenant,
      policy,
    )
    const [run] = await scene.sql('select id from escalation_runs where tenant_id = $1', tenant)
    return {
      key: run.id,
      mend: () => scene.sql('update escalation_steps set only_if = null where id = $1', step),
      isDone: () => isThere(scene.sql('select 1 from escalation_runs where id = $1 and step = 1', run.id)),
    }
  },

  async subscriber_mailing(scene) {
    const { tenant, update } = await aSubscription(scene)
    const mend = await scene.refuse('subscriber_messages', 'insert', `new.tenant_id = '${tenant}'`)
    await scene.sql('update status_page_updates set notify_subscribers = true where id = $1', update)
    return {
      key: update,
      mend,
      isDone: () => isThere(scene.sql('select 1 from subscriber_messages where tenant_id = $1', tenant)),
    }
  },

  async subscriber_message(scene) {
    const { tenant, subscriber, update } = await aSubscription(scene)
    await scene.sql(`update status_page_subscribers set address = 'v1.unknown.key' where id = $1`, subscriber)
    const [message] = await scene.sql(
      `insert into subscriber_messages (tenant_id, subscriber_id, update_id, queue_key, next_at)
       values ($1, $2, $3, $4, now() + interval '1 hour') returning id`,
      tenant,
      subscriber,
      update,
      tenant,
    )
    return {
      key: String(message.id),
      meet: () =>
        scene.sql(
          `update subscriber_messages set next_at = now() where id = $1 returning pg_notify('subscriber_messages', '')`,
          message.id,
        ),
      mend: () =>
        scene.sql(
          'update status_page_subscribers set address = $2 where id = $1',
          subscriber,
          encryptAddress(scene.ring, subscriber, `${subscriber}@example.com`),
        ),
      isDone: () =>
        isThere(scene.sql('select 1 from subscriber_messages where id = $1 and done_at is not null', message.id)),
    }
  },

  async maintenance_window(scene) {
    const [tenant, id] = [await scene.tenant(), randomUUID()]
    await scene.sql(
      `insert into maintenance_windows (
         id, tenant_id, title, is_all, starts_at, timezone, duration_minutes, rrule, mode
       )
       values (
         $1, $2, 'Nightly', true, '2026-01-01T02:00:00', 'Atlantis/Capital', 60, 'FREQ=DAILY', 'suppress_alerts'
       )`,
      id,
      tenant,
    )
    return {
      key: id,
      mend: () => scene.sql(`update maintenance_windows set timezone = 'UTC' where id = $1`, id),
      isDone: () => isThere(scene.sql('select 1 from maintenance_windows where id = $1 and next_ends_at > now()', id)),
    }
  },

  async on_call_schedule(scene) {
    const [tenant, id] = [await scene.tenant(), randomUUID()]
    await scene.sql(`update tenants set plan = 'pro' where id = $1`, tenant)
    const mend = await scene.refuse(
      'on_call_schedules',
      'update',
      `new.id = '${id}' and new.warned_gaps is distinct from old.warned_gaps`,
    )
    // without rotations the days ahead are one gap
    await scene.sql(
      `insert into on_call_schedules (id, tenant_id, name, timezone) values ($1, $2, 'Primary', 'UTC')`,
      id,
      tenant,
    )
    return {
      key: id,
      mend,
      isDone: () =>
        isThere(scene.sql(`select 1 from on_call_schedules where id = $1 and jsonb_array_length(warned_gaps) > 0`, id)),
    }
  },

  async mail(scene) {
    const tenant = await scene.tenant()
    const id = await putMail(scene, tenant, scene.forgotten)
    return {
      key: id,
      meet: isDue(scene, id),
      mend: () => scene.sql('update outbox set payload = $2 where id = $1', id, mailOf(scene.ring)),
      isDone: () => caught(scene, tenant),
    }
  },

  async monitor_status(scene) {
    const made = await scene.monitor()
    const mend = await scene.refuse(
      'monitors',
      'update',
      `new.id = '${made.monitor}' and new.status is distinct from old.status`,
    )
    return {
      key: made.monitor,
      mend,
      isDone: () => isThere(scene.sql(`select 1 from monitors where id = $1 and status = 'up'`, made.monitor)),
    }
  },

  monthly_report: scene => aReader(scene, 'monthly_report = true', 'monthly_report_at'),

  async notification_channel(scene) {
    const tenant = await scene.tenant()
    const { channel } = await scene.webhook(tenant)
    const closed = (ring: { secretKey: string }) =>
      encryptConfig(ring, channel, 'webhook', {
        url: `${scene.receiver.url}/${tenant}`,
        secret: 'a secret of the customer',
      }).secrets
    await scene.sql('update notification_channels set secrets = $2 where id = $1', channel, closed(scene.forgotten))
    await scene.happen(tenant)
    return {
      key: channel,
      mend: () => scene.sql('update notification_channels set secrets = $2 where id = $1', channel, closed(scene.ring)),
      isDone: isNotified(scene, tenant),
    }
  },

  async notification_rule(scene) {
    const tenant = await scene.tenant()
    const { rule } = await scene.webhook(tenant)
    await scene.sql(`update notification_rules set monitor_filter = '{"tags": "all"}' where id = $1`, rule)
    await scene.happen(tenant)
    return {
      key: rule,
      mend: () => scene.sql('update notification_rules set monitor_filter = null where id = $1', rule),
    }
  },

  async ping_retention(scene) {
    const { check } = await scene.job()
    await scene.ping({ check })
    const mend = await scene.refuse('pings', 'delete', `old.check_id = '${check}'`)
    await scene.sql(`update pings set at = now() - interval '500 days' where check_id = $1`, check)
    await scene.sql(`update heartbeats set trimmed_at = now() - interval '2 days' where check_id = $1`, check)
    return {
      key: check,
      mend,
      isDone: async () => (await scene.sql('select 1 from pings where check_id = $1', check)).length === 0,
    }
  },

  async purged_tenant(scene) {
    const tenant = await scene.tenant()
    const reseller = scene.system.local.reseller.tenant_id
    await scene.sql(
      'insert into managed_teams (id, reseller_id, tenant_id) values ($1, $2, $3)',
      randomUUID(),
      reseller,
      tenant,
    )
    await scene.clickhouse(`INSERT INTO purged_tenants (tenant_id, purged_at) VALUES ('${tenant}', now64(3))`)
    const mend = await scene.refuse('tenants', 'delete', `old.id = '${tenant}'`)
    return {
      key: tenant,
      mend,
      isDone: async () => (await scene.sql('select 1 from tenants where id = $1', tenant)).length === 0,
    }
  },

  async pushed_report(scene) {
    const { check, tenant } = await scene.job()
    const [{ id }] = await scene.sql(
      `insert into pushed_reports (tenant_id, check_id, at, judgement) values ($1, $2, now(), '"fine"') returning id`,
      ...[tenant, check],
    )
    return {
      key: id,
      mend: () => scene.sql(`update pushed_reports set judgement = '{"status": "up"}' where id = $1`, id),
    }
  },

  async result(scene) {
    const { check, tenant } = await scene.monitor({ interval: 1 })
    return { key: check, mend: await scene.refuseResults('check_results', tenant) }
  },

  async server(scene) {
    const { monitor, check } = await scene.server()
    await scene.sql(`update checks set settings = '{"no_data_after_minutes": "five"}' where id = $1`, check)
    await scene.sql('update agent_monitors set last_seen_at = now(), stored_at = now() where monitor_id = $1', monitor)
    return {
      key: monitor,
      mend: () => scene.sql(`update checks set settings = '{}' where id = $1`, check),
      isDone: () =>
        isThere(scene.sql('select 1 from agent_monitors where monitor_id = $1 and judged_at is not null', monitor)),
    }
  },

  async server_metrics(scene) {
    const { monitor, tenant, token } = await scene.server()
    const mend = await scene.refuseResults('server_samples', tenant)
    const sample = { at: Date.now() - 1_000, metrics: { cpu: 12.5 } }
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const meet = () =>
      send(scene.system.local.base_url + serverAgentPaths.metrics, { batch: randomUUID(), samples: [sample] }, headers)
    return { key: monitor, meet, mend }
  },

  async smtp_server(scene) {
    const tenant = await scene.tenant()
    await scene.sql(
      `insert into smtp_configs (tenant_id, host, port, encryption, username, password, from_address)
       values ($1, 'mail.example.test', 587, 'tls', 'pat', $2, 'alerts@example.com')`,
      ...[tenant, encryptPassword(scene.forgotten, tenant, 'hidden')],
    )
    // proofs of an address never leave by a team's own server
    const mail = await putMail(scene, tenant, scene.ring, 'trial_ending')
    return {
      key: tenant,
      meet: isDue(scene, mail),
      mend: () =>
        scene.sql(
          'update smtp_configs set password = $2 where tenant_id = $1',
          tenant,
          encryptPassword(scene.ring, tenant, 'hidden'),
        ),
    }
  },

  async host_storm(scene) {
    const tenant = await scene.tenant()
    const id = randomUUID()
    const refused = await refuseEvents(scene, tenant)
    await scene.sql(
      `insert into host_storms (id, tenant_id, host, keys, started_at, grown_at, notified_at)
       values ($1, $2, 'example.com', '{example.com}', now() - interval '1 hour', now() - interval '1 hour', now())`,
      ...[id, tenant],
    )
    return { key: id, ...refused }
  },

  async storm(scene) {
    const tenant = await scene.tenant()
    const id = randomUUID()
    const refused = await refuseEvents(scene, tenant)
    await scene.sql(
      `insert into storms (id, tenant_id, started_at, grown_at, monitors_total) values ($1, $2, now() - interval '1 hour', now() - interval '1 hour', 10)`,
      ...[id, tenant],
    )
    return { key: id, ...refused }
  },

  async stored_secret(scene) {
    const tenant = await scene.tenant()
    await scene.sql(
      'update tenants set webhook_secret = $2 where id = $1',
      tenant,
      encryptWebhookSecret(scene.forgotten, tenant, 'hidden'),
    )
    return {
      key: `tenants ${tenant}`,
      mend: () => scene.sql('update tenants set webhook_secret = null where id = $1', tenant),
    }
  },

  async suppressed_incident(scene) {
    const made = await scene.job()
    const id = randomUUID()
    const refused = await refuseEvents(scene, made.tenant)
    await scene.sql(
      `insert into incidents (
         id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, quorum,
         suppressed_by, forwarded_at
       )
       values (
         $1, $2, $3, $4, 'cron', 1, 'x', 'critical', now() - interval '1 hour', now() - interval '1 hour', '{}',
         'flapping', null
       )`,
      ...[id, made.tenant, made.monitor, made.check],
    )
    return { key: id, ...refused }
  },

  async suppressed_warning(scene) {
    const made = await scene.monitor()
    const refused = await refuseEvents(scene, made.tenant)
    await scene.sql(
      `insert into check_warnings (check_id, tenant_id, event, depth, since, code, reason, regions, details, suppressed_by)
       values ($1, $2, 'warning.ssl_expiring', 1, now(), 'x', 'x', '{}', '{}', 'flapping')`,
      ...[made.check, made.tenant],
    )
    return { key: made.check, ...refused }
  },

  async usage(scene) {
    const tenant = await scene.tenant()
    const token = await scene.token(tenant)
    const period = `${new Date().toISOString().slice(0, 7)}-01`
    await scene.sql(
      `insert into usage_counters (tenant_id, period, metric, count) values ($1, $2, 'api_requests', 9223372036854775807)`,
      ...[tenant, period],
    )
    return {
      key: tenant,
      meet: () => scene.system.get('/monitors', token),
      mend: () => scene.sql('update usage_counters set count = 10 where tenant_id = $1', tenant),
      isDone: () => isThere(scene.sql('select 1 from usage_counters where tenant_id = $1 and count > 10', tenant)),
    }
  },

  billing_event: { testedBy: 'test/control-plane/billing/stripe.gate.test.ts' },
  verdict: { testedBy: 'test/control-plane/engine/verdicts/isolated.test.ts' },

  async verdict_write(scene) {
    const { check, tenant } = await scene.monitor()
    scene.site.become('error', `/${tenant}`)
    const mend = await scene.refuse('incidents', 'insert', `new.check_id = '${check}'`)
    return { key: check, mend, isDone: () => isThere(scene.sql('select 1 from incidents where check_id = $1', check)) }
  },

  async web_vitals(scene) {
    const { monitor, tenant } = await scene.monitor()
    const beacon = randomUUID()
    await scene.sql(
      'insert into vitals_beacons (monitor_id, tenant_id, beacon_id) values ($1, $2, $3)',
      monitor,
      tenant,
      beacon,
    )
    const headers = { 'Content-Type': 'text/plain;charset=UTF-8' }
    const vitals = [{ metric: 'LCP', value: 1_000, path: '/', connection: '4g' }]
    const meet = () => send(`${scene.system.local.base_url}/api/vitals/${beacon}`, vitals, headers)
    return { key: monitor, meet, mend: await scene.refuseResults('web_vitals_by_day', tenant) }
  },
} satisfies Record<QuarantineKind, Case | Elsewhere>

export const provoked: [QuarantineKind, Case][] = Object.entries(cases).flatMap(([kind, provoke]) =>
  typeof provoke === 'function' ? [[kind as QuarantineKind, provoke]] : [],
)
