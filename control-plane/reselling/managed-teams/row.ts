import { stampSql } from '#control-plane/base/stamp-sql.ts'

/** A managed team without its counts. Moments are text in the wire's form: PostgreSQL has microseconds, a `Date` has not. */
export interface BareTeamRow {
  id: string
  tenant_id: string
  public_id: string
  name: string
  slug: string
  plan: string
  label: string | null
  external_ref: string | null
  metadata: Record<string, unknown>
  paused_at: string | null
  paused_reason: string | null
  trial_ends_at: string | null
  deleted_at: string | null
  created_at: string
  updated_at: string
}

export interface TeamRow extends BareTeamRow {
  monitors_count: number
  monitors_up_count: number
  monitors_down_count: number
}

/** Where `selectTeams` reads from: `managed_teams` known as `m`, `tenant_counts` as `c`. */
export const fromTeams = 'managed_teams m join tenant_counts c on c.tenant_id = m.tenant_id'

export const selectBareTeams = `
  m.id, m.tenant_id, m.public_id, m.name, m.slug, m.plan, m.label, m.external_ref, m.metadata,
  ${stampSql('m.paused_at')} as paused_at, m.paused_reason, ${stampSql('m.trial_ends_at')} as trial_ends_at, ${stampSql('m.deleted_at')} as deleted_at,
  ${stampSql('m.created_at')} as created_at, ${stampSql('m.updated_at')} as updated_at`

export const selectTeams = `${selectBareTeams},
  c.monitors as monitors_count, c.monitors_up as monitors_up_count, c.monitors_down as monitors_down_count`
