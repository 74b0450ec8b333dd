import { betterStack } from './better-stack/source.ts'
import { blackboxExporter } from './blackbox-exporter/source.ts'
import { csv } from './csv/source.ts'
import { gatus } from './gatus/source.ts'
import { healthchecks } from './healthchecks/source.ts'
import { ohDear } from './oh-dear/source.ts'
import { openstatus } from './openstatus/source.ts'
import { pingdom } from './pingdom/source.ts'
import type { Source } from './source.ts'
import { statusCake } from './statuscake/source.ts'
import { statuspage } from './statuspage/source.ts'
import { uptimeKuma } from './uptime-kuma/source.ts'
import { uptimeRobot } from './uptimerobot/source.ts'
import { vedette } from './vedette/source.ts'

const names = [
  'uptime-kuma',
  'uptimerobot',
  'healthchecks',
  'better-stack',
  'pingdom',
  'statuscake',
  'oh-dear',
  'openstatus',
  'statuspage',
  'gatus',
  'blackbox-exporter',
  'vedette',
  'csv',
] as const
export const sourceNames = names
export type SourceName = (typeof names)[number]

/** All sources, by name. */
export const sources: Record<SourceName, Source> = {
  'uptime-kuma': uptimeKuma,
  uptimerobot: uptimeRobot,
  healthchecks,
  'better-stack': betterStack,
  pingdom,
  statuscake: statusCake,
  'oh-dear': ohDear,
  openstatus,
  statuspage,
  gatus,
  'blackbox-exporter': blackboxExporter,
  vedette,
  csv,
}

export const sourceNamed = (name: string): Source | undefined =>
  Object.hasOwn(sources, name) ? sources[name as SourceName] : undefined
