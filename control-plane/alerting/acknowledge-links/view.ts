import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { type Severity, severities } from '#contract/check.ts'
import { queries, type Row, stamp } from '#control-plane/db/queries.ts'
import { monitorRecordSql } from '#control-plane/engine/monitor-record.ts'

const time = z.string().meta({ format: 'date-time' })

/** The fields of an incident that its alert contained. */
export const LinkedIncident = z
  .object({
    incident_id: z.uuid(),
    monitor_name: z.string(),
    monitor_url: z.string(),
    title: z.string(),
    cause: z.string().nullable(),
    severity: z.enum(severities),
    started_at: time,
    resolved_at: time.nullable(),
    acknowledged_at: time.nullable(),
    acknowledged_by_name: z
      .string()
      .nullable()
      .meta({ description: 'null if it is not acknowledged, or was acknowledged without an account.' }),
  })
  .meta({ id: 'LinkedIncident' })

export async function viewLinked(platform: Pool, incidentId: string): Promise<z.input<typeof LinkedIncident>> {
  return queries(platform)
    .selectFrom('incidents as i')
    .innerJoinLateral(sql<Row<'removed_monitors', 'name' | 'url'>>`${monitorRecordSql('i.monitor_id')}`.as('m'), join =>
      join.onTrue(),
    )
    .leftJoin('users as u', 'u.id', 'i.acknowledged_by')
    .where('i.id', '=', incidentId)
    .select(['i.id as incident_id', 'm.name as monitor_name', 'm.url as monitor_url', 'i.title', 'i.cause'])
    .select(({ ref }) => [
      ref('i.severity').$castTo<Severity>().as('severity'),
      stamp(ref('i.started_at')).as('started_at'),
      stamp(ref('i.resolved_at')).as('resolved_at'),
      stamp(ref('i.acknowledged_at')).as('acknowledged_at'),
      ref('u.name').as('acknowledged_by_name'),
    ])
    .executeTakeFirstOrThrow()
}
