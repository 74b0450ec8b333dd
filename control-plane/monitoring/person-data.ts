import { sql } from 'kysely'
import { stamp } from '#control-plane/db/queries.ts'
import { type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const monitoringPlaces: readonly Place[] = [
  written('incident_updates', ['body'], {
    ids: { user_id: 'kept' },
    exports: {
      incident_updates: id => sql`select id, tenant_id, incident_id, status, body, ${stamp('created_at')} as created_at
        from incident_updates where user_id = ${id}::uuid order by incident_updates.created_at desc`,
    },
  }),
]
