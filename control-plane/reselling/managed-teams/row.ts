import { sql } from 'kysely'
import { type Row, stamp } from '#control-plane/db/queries.ts'

/** A managed team without its counts. Timestamps are text as in the API: they have microseconds, a `Date` has not. */
export type BareTeamRow = Row<
  'managed_teams',
  | 'id'
  | 'tenant_id'
  | 'public_id'
  | 'name'
  | 'slug'
  | 'plan'
  | 'label'
  | 'external_ref'
  | 'metadata'
  | 'paused_at'
  | 'paused_reason'
  | 'trial_ends_at'
  | 'plan_after_trial'
  | 'deleted_at'
  | 'created_at'
  | 'updated_at'
>

export type TeamRow = BareTeamRow & {
  monitors_count: Row<'tenant_counts'>['monitors']
  monitors_up_count: Row<'tenant_counts'>['monitors_up']
  monitors_down_count: Row<'tenant_counts'>['monitors_down']
}

/** The tables of `selectTeams`: `managed_teams` as `m`, `tenant_counts` as `c`. */
export const fromTeams = sql`managed_teams m join tenant_counts c on c.tenant_id = m.tenant_id`

/** What `selectTeams` needs beside them: what is not up or down by the state of its team, or by maintenance. */
export const withHidden = sql`left join hidden_counts() h on h.tenant_id = m.tenant_id`

export const selectBareTeams = sql`
  m.id, m.tenant_id, m.public_id, m.name, m.slug, m.plan, m.label, m.external_ref, m.metadata,
  ${stamp('m.paused_at')} as paused_at, m.paused_reason,
  ${stamp('m.trial_ends_at')} as trial_ends_at, m.plan_after_trial, ${stamp('m.deleted_at')} as deleted_at,
  ${stamp('m.created_at')} as created_at, ${stamp('m.updated_at')} as updated_at`

export const selectTeams = sql`${selectBareTeams},
  c.monitors as monitors_count, c.monitors_up - coalesce(h.up, 0) as monitors_up_count,
  c.monitors_down - coalesce(h.down, 0) as monitors_down_count`
