import { type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const accessPlaces: readonly Place[] = [written('scim_tokens', ['name'], { ids: { created_by: 'kept' } })]
