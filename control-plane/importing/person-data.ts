import { type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const importingPlaces: readonly Place[] = [
  written('provider_migrations', ['name', 'account'], { ids: { asked_by: 'kept' } }),
]
