import type { Pool } from 'pg'
import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

const time = z.string().meta({ format: 'date-time' })

/** As much of an incident as its alert said. */
export const LinkedIncident = z
  .object({
    incident_id: z.uuid(),
    monitor_name: z.string(),
    monitor_url: z.string(),
    title: z.string(),
    cause: z.string().nullable(),
    severity: z.enum(severities),
    started_at: time,
    acknowledged_at: time.nullable(),
    acknowledged_by_name: z
      .string()
      .nullable()
      .meta({ description: 'null where nobody has, or somebody without an account.' }),
  })
  .meta({ id: 'LinkedIncident' })

export async function viewLinked(platform: Pool, incidentId: string): Promise<z.input<typeof LinkedIncident>> {
  const { rows } = await platform.query<z.input<typeof LinkedIncident>>(
    `select i.id as incident_id, m.name as monitor_name, m.url as monitor_url, i.title, i.cause, i.severity, ${stampSql('i.started_at')} as started_at,
       ${stampSql('i.acknowledged_at')} as acknowledged_at, u.name as acknowledged_by_name
     from incidents i join monitors m on m.id = i.monitor_id left join users u on u.id = i.acknowledged_by
     where i.id = $1`,
    [incidentId],
  )
  return rows[0]!
}
