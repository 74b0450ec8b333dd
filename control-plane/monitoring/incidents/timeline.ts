import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { resolutionOf } from '#contract/incident.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'

/** One thing that happened to an incident. `details` holds before and after of what changed. */
export const TimelineEntry = z
  .object({
    at: z.string().meta({ format: 'date-time' }),
    type: z.string(),
    user_id: z.uuid().nullable(),
    user_name: z.string().nullable(),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'By field, what it was before and after.' }),
  })
  .meta({ id: 'IncidentTimelineEntry' })

type EntryRow = Row<'audit_entries', 'user_id'> & {
  at: string
  type: string
  user_name: Row<'users'>['name'] | null
  details: Record<string, unknown> | null
}

/** The events of an incident, oldest first, from the audit log, which is never edited, and from the incident itself. */
export async function readTimeline(em: EntityManager, tenant: { id: string }, incidentId: string): Promise<EntryRow[]> {
  const entries = await rows(em)<EntryRow>`
    select ${stamp('t.at')} as at, t.type, t.user_id, p.name as user_name, t.details
   from (
     select started_at as at, 0 as rank, 'started' as type, null::uuid as user_id, null::jsonb as details
     from incidents where id = ${incidentId}
     union all
     select confirmed_at, 1, 'confirmed', null, null from incidents where id = ${incidentId}
     union all
     select created_at, 2, substr(action, length('incident.') + 1), user_id, changes from audit_entries
     where tenant_id = ${tenant.id} and entity_type = 'incident' and entity_id = ${incidentId}
     union all
     select resolved_at, 3, 'resolved', null, null from incidents
     where id = ${incidentId} and resolved_at is not null and resolution in ('recovered', 'changed', 'stopped')
   ) t left join users p on p.id = t.user_id
   order by t.at, t.rank limit 500`
  return entries.map(entry => ({ ...entry, details: inWordsOfToday(entry.details) }))
}

const Resolved = z.looseObject({ resolution: z.looseObject({ after: z.unknown() }) })

/** The audit log is never edited: its entries have the words of their day. */
function inWordsOfToday(details: EntryRow['details']): EntryRow['details'] {
  const { data } = Resolved.safeParse(details)
  return data ? { ...data, resolution: { ...data.resolution, after: resolutionOf(data.resolution.after) } } : details
}
