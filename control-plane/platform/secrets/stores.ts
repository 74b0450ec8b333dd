import { type RawBuilder, sql } from 'kysely'
import { isMailType } from '#contract/mails.ts'
import { renewConfig } from '#control-plane/alerting/channels/config.ts'
import { renewBody } from '#control-plane/alerting/deliveries/body.ts'
import { renewSinkText } from '#control-plane/alerting/mail/kept-secrets.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import type { Keyring, Renew } from '#control-plane/base/secrets.ts'
import type { Part } from '#control-plane/db/queries.ts'
import { renewSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { renewAnswer } from '#control-plane/http/idempotency.ts'
import { renewFactor } from '#control-plane/identity/mfa/secret.ts'
import { renewPartnerSecret } from '#control-plane/identity/partner-sso/secret.ts'
import { renewClientSecret } from '#control-plane/identity/sso/client-secret.ts'
import { renewFilePart, renewKey, renewWanted } from '#control-plane/importing/store.ts'
import { renewMail, secretFields } from '#control-plane/outbox/mail.ts'
import { renewAddress } from '#control-plane/publishing/status-pages/subscribers/address.ts'
import { renewMonitors } from '#control-plane/reselling/monitor-templates/secrets.ts'
import { renewWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { renewPassword } from '#control-plane/tenancy/smtp/password.ts'

/** Where secrets are stored: the key of each row, its owner, the column, and how a secret is re-encrypted. */
export interface SecretStore {
  table: string
  key: readonly { name: string; type: 'uuid' | 'bigint' | 'int' | 'text' }[]
  /** The column of its tenant, or null. */
  tenant: Part
  /** What the secret is bound to. */
  owner: Part
  column: string
  type: 'text' | 'jsonb'
  /** Whether the secret of a row does not begin with `prefix`, the present key's. */
  isOld(prefix: string): RawBuilder<unknown>
  renew: Renew
}

const isOldText = (column: string) => (prefix: string) =>
  sql`${sql.ref(column)} is not null and not starts_with(${sql.ref(column)}, ${prefix})`
const byId = [{ name: 'id', type: 'uuid' }] as const

/** A kept mail's text, and its HTML where it has some. */
const mailSinkStores = ['body', 'html'].map(
  (column): SecretStore => ({
    table: 'mail_sink_messages',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column,
    type: 'text',
    isOld: prefix => sql`is_encrypted and ${isOldText(column)(prefix)}`,
    renew: renewSinkText,
  }),
)

/** A part of the file of a migration, and a monitor as it will be. */
const migrationStores = (
  [
    ['migration_files', 'content', renewFilePart],
    ['migration_items', 'wanted', renewWanted],
  ] as const
).map(
  ([table, column, renew]): SecretStore => ({
    table,
    key: [
      { name: 'migration_id', type: 'uuid' },
      { name: 'ordinal', type: 'int' },
    ],
    tenant: 'tenant_id',
    owner: sql`migration_id || ' ' || ordinal`,
    column,
    type: 'text',
    isOld: isOldText(column),
    renew,
  }),
)

export const secretStores: readonly SecretStore[] = [
  ...mailSinkStores,
  ...migrationStores,
  {
    table: 'provider_migrations',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'credentials',
    type: 'text',
    isOld: isOldText('credentials'),
    renew: renewKey,
  },
  {
    table: 'checks',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'secrets',
    type: 'text',
    isOld: isOldText('secrets'),
    renew: renewSettings,
  },
  {
    table: 'notification_channels',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'secrets',
    type: 'text',
    isOld: isOldText('secrets'),
    renew: renewConfig,
  },
  {
    table: 'sso_configs',
    key: [{ name: 'tenant_id', type: 'uuid' }],
    tenant: 'tenant_id',
    owner: sql`tenant_id::text`,
    column: 'client_secret',
    type: 'text',
    isOld: isOldText('client_secret'),
    renew: renewClientSecret,
  },
  {
    table: 'status_page_subscribers',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'address',
    type: 'text',
    isOld: isOldText('address'),
    renew: renewAddress,
  },
  {
    table: 'smtp_configs',
    key: [{ name: 'tenant_id', type: 'uuid' }],
    tenant: 'tenant_id',
    owner: sql`tenant_id::text`,
    column: 'password',
    type: 'text',
    isOld: isOldText('password'),
    renew: renewPassword,
  },
  {
    table: 'partner_sso',
    key: [{ name: 'tenant_id', type: 'uuid' }],
    tenant: 'tenant_id',
    owner: sql`tenant_id::text`,
    column: 'secret',
    type: 'text',
    isOld: isOldText('secret'),
    renew: renewPartnerSecret,
  },
  {
    table: 'second_factors',
    key: [{ name: 'user_id', type: 'uuid' }],
    tenant: sql`null`,
    owner: sql`user_id::text`,
    column: 'secret',
    type: 'text',
    isOld: isOldText('secret'),
    renew: renewFactor,
  },
  {
    table: 'tenants',
    key: byId,
    tenant: 'id',
    owner: sql`id::text`,
    column: 'webhook_secret',
    type: 'text',
    isOld: isOldText('webhook_secret'),
    renew: renewWebhookSecret,
  },
  {
    table: 'deliveries',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'body',
    type: 'text',
    // others are stored as they are sent
    isOld: prefix =>
      sql`(event = 'member.erased' or event like 'email.%') and starts_with(body, 'v1.')
        and not starts_with(body, ${prefix})`,
    renew: renewBody,
  },
  {
    table: 'idempotency_keys',
    key: [
      { name: 'tenant_id', type: 'uuid' },
      { name: 'token_id', type: 'uuid' },
      { name: 'key', type: 'text' },
    ],
    tenant: 'tenant_id',
    owner: sql`tenant_id || ' ' || token_id || ' ' || encode(fingerprint, 'hex')`,
    column: 'answer',
    type: 'text',
    isOld: isOldText('answer'),
    renew: renewAnswer,
  },
  {
    table: 'monitor_templates',
    key: byId,
    tenant: 'tenant_id',
    owner: sql`id::text`,
    column: 'monitors',
    type: 'jsonb',
    isOld: prefix =>
      sql`exists (select 1 from jsonb_path_query(monitors, '$[*].checks[*].secrets ? (@.type() == "string")') s
        where not starts_with(s #>> '{}', ${prefix}))`,
    renew: (ring, owner, text) => JSON.stringify(renewMonitors(ring, owner, JSON.parse(text))),
  },
  {
    table: 'outbox',
    key: [{ name: 'id', type: 'bigint' }],
    tenant: 'tenant_id',
    owner: 'name',
    column: 'payload',
    type: 'jsonb',
    isOld: prefix => sql`kind = 'mail' and done_at is null and
        case when jsonb_typeof(payload -> 'data') = 'object' then exists (
      select 1 from jsonb_each_text(payload -> 'data') d
      where d.key = any(${[...secretFields]}::text[]) and starts_with(d.value, 'v1.')
        and not starts_with(d.value, ${prefix})) end`,
    renew: renewWaitingMail,
  },
]

function renewWaitingMail(ring: Keyring, type: string, text: string): string {
  if (!isMailType(type)) throw new BadRowError('The mail is of a type that is not known here.')
  const payload = JSON.parse(text)
  return JSON.stringify({ ...payload, data: renewMail(ring, type, payload.data) })
}
