import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { type IncidentStatus, incidentStatuses } from './row.ts'

/** What was told of an incident, and the status it was told with. */
export const IncidentUpdateView = z
  .object({
    id: z.uuid(),
    status: z.enum(incidentStatuses),
    body: z.string(),
    user_id: z.uuid().nullable(),
    user_name: z.string().nullable(),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'IncidentUpdate' })
export type IncidentUpdateRow = z.input<typeof IncidentUpdateView>

interface NewUpdate {
  tenant: { id: string }
  incident: { id: string }
  status: IncidentStatus
  body: string
  caller: Caller
  now: Date
}

export async function addUpdate(
  em: EntityManager,
  { tenant, incident, status, body, caller, now }: NewUpdate,
): Promise<string> {
  const id = randomUUID()
  await em.execute(
    'insert into incident_updates (id, tenant_id, incident_id, status, body, user_id, created_at) values (?, ?, ?, ?, ?, ?, ?)',
    [id, tenant.id, incident.id, status, body, caller.user?.id ?? null, now],
  )
  return id
}

/** Updates of one incident, oldest first. */
export const listUpdates = (em: EntityManager, incidentId: string, limit: number, offset = 0) =>
  em.execute<IncidentUpdateRow[]>(
    `select u.id, u.status, u.body, u.user_id, p.name as user_name, ${stampSql('u.created_at')} as created_at
     from incident_updates u left join users p on p.id = u.user_id
     where u.incident_id = ? order by u.created_at, u.id limit ? offset ?`,
    [incidentId, limit, offset],
  )
