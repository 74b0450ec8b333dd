import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type EffectiveBranding, effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { type Branding, brandingFields, unset } from '#control-plane/tenancy/branding/fields.ts'
import { findResellerBranding, type ResellerBranding } from '#control-plane/tenancy/branding/reseller-branding.ts'
import { encryptions } from '#control-plane/tenancy/smtp/input.ts'
import type { TeamMoments } from '#control-plane/tenancy/team-states/state.ts'

const Server = z.object({
  tenant_id: z.uuid(),
  host: z.string(),
  port: z.int(),
  encryption: z.enum(encryptions),
  username: z.string().nullable(),
  password: z.string().nullable(),
  from_address: z.string().nullable(),
  from_name: z.string().nullable(),
  failing_since: z.string().nullable(),
  updated_at: z.string(),
} satisfies Partial<Record<keyof Row<'smtp_configs'>, z.ZodType>>)
/** A mail server that a tenant has configured. */
export type CustomServer = z.output<typeof Server>

/** The branding of a tenant's mail, and the server that sends it. */
export interface MailSettings {
  plan: string
  /** Of the tenant, from which the state of the team follows. */
  moments: TeamMoments
  reseller: ResellerBranding | null
  branding: EffectiveBranding
  custom: CustomServer | null
  /** A server is configured that the plan no longer includes. */
  isRevoked: boolean
  /** How many mails of channels the plan allows a day; null if unlimited. */
  mailsPerDay: number | null
}

type SettingsRow = Row<'tenants', 'plan' | 'feature_overrides' | 'deleted_at' | 'suspended_at' | 'paused_at'> & {
  reseller_plan: Row<'tenants'>['plan'] | null
  reseller_overrides: Row<'tenants'>['feature_overrides'] | null
  own: unknown
  resellers: unknown
  branding: Partial<Branding> | null
}

const settings = prepared(
  'mail-settings',
  (tenantId: string) => sql<SettingsRow>`
    select t.plan, t.feature_overrides, t.deleted_at, t.suspended_at, t.paused_at,
      r.plan as reseller_plan, r.feature_overrides as reseller_overrides,
      to_jsonb(s) as own, to_jsonb(rs) as resellers, to_jsonb(b) as branding
    from tenants t
    left join smtp_configs s on s.tenant_id = t.id
    left join brandings b on b.tenant_id = t.id
    left join managed_teams m on m.tenant_id = t.id
    left join tenants r on r.id = m.reseller_id and r.deleted_at is null
    left join smtp_configs rs on rs.tenant_id = r.id
    where t.id = ${tenantId}`,
)

/**
 * The tenant's own server, else that of the reseller that manages it, as far as their plans include one. null if the
 * tenant does not exist.
 */
export async function readMailSettings(platform: Pool, tenantId: string): Promise<MailSettings | null> {
  const [[row], reseller] = await Promise.all([
    rows(platform, settings(tenantId)),
    findResellerBranding(platform, tenantId),
  ])
  if (!row) return null
  const limits = effectiveLimits(row.plan, row.feature_overrides)
  const fromReseller = effectiveLimits(row.reseller_plan ?? 'free', row.reseller_overrides ?? {})
  const servers = [
    { server: readServer(row.own), isIncluded: limits.custom_smtp },
    { server: readServer(row.resellers), isIncluded: fromReseller.custom_smtp },
  ]
  const own: Branding = {
    ...unset,
    ...Object.fromEntries(brandingFields.map(name => [name, row.branding?.[name] ?? null])),
  }
  return {
    plan: row.plan,
    moments: row,
    reseller,
    branding: effectiveBranding(own, limits, reseller),
    custom: servers.find(({ server, isIncluded }) => server && isIncluded)?.server ?? null,
    mailsPerDay: limits.mails_per_day,
    isRevoked: servers.some(({ server, isIncluded }) => server && !isIncluded),
  }
}

const readServer = (stored: unknown): CustomServer | null => (stored === null ? null : Server.parse(stored))
