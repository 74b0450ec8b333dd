import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Where browsers report web vitals. The id is visible in the source of a public page and can be rotated. */
export const VitalsBeacon = defineEntity({
  name: 'VitalsBeacon',
  tableName: 'vitals_beacons',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    beaconId: p.uuid(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
