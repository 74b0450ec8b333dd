import { accessPlaces } from './access/person-data.ts'
import { alertingPlaces } from './alerting/person-data.ts'
import { enginePlaces } from './engine/person-data.ts'
import { ownPlaces, type Place } from './identity/person-data/places.ts'
import { importingPlaces } from './importing/person-data.ts'
import { monitoringPlaces } from './monitoring/person-data.ts'
import { publishingPlaces } from './publishing/person-data.ts'
import { resellingPlaces } from './reselling/person-data.ts'

/**
 * Every table that holds data of a person: what an erasure does there, and what an export has of it. Both are made of
 * this list; a test searches all tables for a person and finds no other place.
 */
export const places: readonly Place[] = [
  ...ownPlaces,
  ...accessPlaces,
  ...enginePlaces,
  ...monitoringPlaces,
  ...alertingPlaces,
  ...publishingPlaces,
  ...importingPlaces,
  ...resellingPlaces,
]
