import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const monitoringPlaces: readonly Place[] = [
  written('incident_updates', ['body'], {
    ids: { user_id: 'kept' },
    exports: {
      incident_updates: `select id, tenant_id, incident_id, status, body, ${stampSql('created_at')} as created_at
        from incident_updates where user_id = $1 order by incident_updates.created_at desc`,
    },
  }),
]
