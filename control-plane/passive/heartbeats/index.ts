import { createCronMonitor } from './create.ts'
import { deleteCronMonitor } from './delete.ts'
import { getCronMonitor } from './get.ts'
import { listCronMonitors } from './list.ts'
import { listPings } from './list-pings.ts'
import { ping, pingByGet } from './ping.ts'
import { rotatePingUrl } from './rotate-url.ts'
import { listSnippets } from './snippets.ts'
import { updateCronMonitor } from './update.ts'

export const cronMonitors = [
  listCronMonitors,
  createCronMonitor,
  getCronMonitor,
  updateCronMonitor,
  deleteCronMonitor,
  rotatePingUrl,
  listPings,
  listSnippets,
  pingByGet,
  ping,
]
