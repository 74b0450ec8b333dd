import type { components } from '../api-types.d.ts'

export type Provider = components['schemas']['NewMigration']['provider']

/** What a source is read from, and what its API can do. */
export interface Source {
  reads: 'file' | 'api'
  /** Names of its files, as a file field takes them. */
  accept?: string
  /** Where its API is reached, if no other address is given. */
  address?: string
  /** Whether its jobs may have addresses by a ping key and a slug. */
  hasPingKey?: boolean
  /** Whether its API pauses monitors, for the cutover. */
  pauses: boolean
}

const ofApi = (address: string, pauses = true): Source => ({ reads: 'api', address, pauses })
const ofFile = (accept: string): Source => ({ reads: 'file', accept, pauses: false })

/** Each provider of the API; a test compares it with the sources themselves. */
export const sources: Record<Provider, Source> = {
  'uptime-kuma': ofFile('.db,.sqlite,.sqlite3'),
  uptimerobot: ofApi('https://api.uptimerobot.com/v3'),
  healthchecks: { ...ofApi('https://healthchecks.io'), hasPingKey: true },
  'better-stack': ofApi('https://uptime.betterstack.com'),
  pingdom: ofApi('https://api.pingdom.com/api/3.1'),
  statuscake: ofApi('https://api.statuscake.com/v1'),
  'oh-dear': ofApi('https://ohdear.app/api'),
  openstatus: ofApi('https://api.openstatus.dev/v1'),
  statuspage: ofApi('https://api.statuspage.io/v1', false),
  gatus: ofFile('.yaml,.yml'),
  'blackbox-exporter': ofFile('.yaml,.yml'),
  csv: ofFile('.csv,text/csv'),
  vedette: ofFile('.json,.yaml,.yml'),
}
export const providers = Object.keys(sources) as Provider[]
