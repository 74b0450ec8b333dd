import { type Place, written } from '#control-plane/identity/person-data/places.ts'

/** Data of people in the tables of this module. */
export const resellingPlaces: readonly Place[] = [written('monitor_templates', ['name'])]
