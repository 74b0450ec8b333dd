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

/** The sources of other providers, by name, in the order in which they are offered. */
export const providers = {
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
  csv,
} satisfies Record<string, Source>
