import type { Updateable } from 'kysely'
import { type Database, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { followIncidentsSql } from '#control-plane/engine/escalation.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findIncident } from './find.ts'
import type { IncidentRow } from './row.ts'
import { IncidentView, viewIncident } from './view.ts'

export const oneIncident = ok({ data: IncidentView })
export const mayChange = { tenant: 'incidents:write', reseller: 'incidents:write' } as const

export type IncidentContext = Pick<RequestContext, 'em' | 'now' | 'audit'> & { tenant: { id: string } }
type Changes = Pick<Updateable<Database['incidents']>, keyof Row<'incidents'> & keyof IncidentRow>

/** What its escalation follows. */
const escalating: ReadonlySet<keyof Changes> = new Set(['resolved_at', 'acknowledged_at', 'snoozed_until'])

/** Stores changes of an incident, adds an audit entry with before and after, and returns the stored incident. */
export async function changeIncident(
  { em, tenant, now, audit }: IncidentContext,
  incident: IncidentRow,
  action: string,
  changes: Changes,
) {
  const names = Object.keys(changes) as (keyof Changes)[]
  await queries(em)
    .updateTable('incidents')
    .set({ ...changes, updated_at: now.toISOString() })
    .where('id', '=', incident.id)
    .execute()
  if (names.some(name => escalating.has(name)))
    await rows(em)`with i as (select * from incidents where id = ${incident.id}) ${followIncidentsSql('i')}`
  const after = await findIncident(em, tenant, incident.id, now)
  audit(
    action,
    { type: 'incident', id: incident.id },
    Object.fromEntries(names.map(name => [name, { before: incident[name], after: after[name] }])),
  )
  return after
}

export const answerIncident = (row: IncidentRow) => ({ data: viewIncident(row) })
