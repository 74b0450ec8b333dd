import { sql } from 'kysely'
import { stamp } from '#control-plane/db/queries.ts'
import { byTeam, type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const enginePlaces: readonly Place[] = [
  written('incidents', ['title'], {
    ids: { acknowledged_by: 'kept' },
    exports: {
      incidents_acknowledged: id => sql`select id, tenant_id, number, ${stamp('acknowledged_at')} as acknowledged_at
        from incidents where acknowledged_by = ${id}::uuid order by incidents.acknowledged_at desc`,
    },
  }),
  written('checks', ['snooze_reason'], {
    ids: { snoozed_by: 'kept' },
    exports: {
      checks_snoozed:
        id => sql`select id, tenant_id, ${stamp('snoozed_until')} as snoozed_until, snooze_reason from checks
        where snoozed_by = ${id}::uuid`,
    },
  }),
  { table: 'agent_enrolments', ids: { created_by: 'kept' }, exports: byTeam },
  written('monitors', ['name', 'group_name', 'notes']),
  written('maintenance_windows', ['title', 'description']),
]
