import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { type IncidentStatus, incidentStatuses } from './row.ts'

/** An update that was posted on an incident, and its status. */
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
  await queries(em)
    .insertInto('incident_updates')
    .values({
      id,
      tenant_id: tenant.id,
      incident_id: incident.id,
      status,
      body,
      user_id: caller.user?.id ?? null,
      created_at: now.toISOString(),
    })
    .execute()
  return id
}

/** Updates of one incident, oldest first. */
export const listUpdates = (em: EntityManager, incidentId: string, limit: number, offset = 0) =>
  queries(em)
    .selectFrom('incident_updates as u')
    .leftJoin('users as p', 'p.id', 'u.user_id')
    .where('u.incident_id', '=', incidentId)
    .orderBy('u.created_at')
    .orderBy('u.id')
    .limit(limit)
    .offset(offset)
    .select(['u.id', 'u.body', 'u.user_id', 'p.name as user_name'])
    .select(({ ref }) => [
      ref('u.status').$castTo<IncidentStatus>().as('status'),
      stamp(ref('u.created_at')).as('created_at'),
    ])
    .execute()
