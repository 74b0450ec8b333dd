import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { StoredDecision, Suppression } from '#control-plane/db/model/shapes.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { type Decision, openings } from './plan.ts'

/** The decisions about one event of an incident for the channels of one owner. */
export interface NewDecisions {
  tenant_id: string
  /** null: the channels are the team's own. */
  reseller_id: string | null
  incident_id: string
  event_id: string
  event: string
  stage: Suppression['stage']
  emitted_at: Date
  channels: StoredDecision[]
}

export const storedDecision = ({ channel, ruleId, reason, endsAs }: Decision): StoredDecision => ({
  channel_id: channel.id,
  channel_name: channel.name,
  channel_type: channel.type,
  rule_id: ruleId,
  reason,
  ...(endsAs !== null && { ends_as: endsAs }),
})

// an event that is routed again replaces its decisions; one of a deleted incident stores none
const upsert = prepared(
  'notification-decisions',
  (decisions: string) => sql`
    insert into notification_decisions (tenant_id, reseller_id, incident_id, event_id, event, stage, channels,
    emitted_at) select i.tenant_id, r.reseller_id, i.id, r.event_id, r.event, r.stage, r.channels, r.emitted_at
    from json_to_recordset(${decisions}::json) as r(tenant_id uuid, reseller_id uuid, incident_id uuid, event_id bigint,
      event text, stage text, channels jsonb, emitted_at timestamptz)
    join incidents i on i.id = r.incident_id and i.tenant_id = r.tenant_id
    order by r.event_id
    on conflict (incident_id, event_id, reseller_id) do update
      set channels = excluded.channels, created_at = clock_timestamp()`,
)

/** Stores decisions, all in one statement. */
export async function storeDecisions(platform: Pool, decisions: readonly NewDecisions[]): Promise<undefined[]> {
  await rows(platform, upsert(JSON.stringify(decisions)))
  return decisions.map(() => undefined)
}

/** A channel that a rule notified of the beginning of an alert, and that is notified of its end by the same rule. */
export interface Opening {
  reseller_id: string | null
  channel_id: string
  /** Of incidents, which alone are acknowledged. */
  channel_type?: string
  ends_as: string
}

const opened = prepared(
  'notification-openings',
  (incidents: readonly string[], openings: readonly string[]) => sql<Opening & { incident_id: string }>`
    select n.incident_id, n.reseller_id, c.channel_id, c.channel_type, c.ends_as
    from notification_decisions n
    cross join lateral jsonb_to_recordset(n.channels) as c(channel_id text, channel_type text, ends_as text)
    where n.incident_id = any(${incidents}::uuid[]) and n.event = any(${openings}::text[]) and c.ends_as is not null`,
)

/** The channels that rules notified of the beginning of incidents, in the order of the incidents. One statement. */
export async function readOpenings(platform: Pool, incidents: readonly string[]): Promise<Opening[][]> {
  const found = await rows(platform, opened(incidents, openings))
  const byIncident = Map.groupBy(found, row => row.incident_id)
  return incidents.map(id => byIncident.get(id) ?? [])
}
