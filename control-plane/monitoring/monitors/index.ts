import { createManyMonitors, updateManyMonitors } from './bulk.ts'
import { cloneMonitor } from './clone.ts'
import { createMonitor } from './create.ts'
import { deleteMonitor } from './delete.ts'
import { disableMonitor, enableMonitor } from './enable.ts'
import { getMonitor } from './get.ts'
import { listMonitors } from './list.ts'
import { updateMonitor } from './update.ts'

export const monitors = [
  listMonitors,
  createMonitor,
  createManyMonitors,
  cloneMonitor,
  updateManyMonitors,
  getMonitor,
  updateMonitor,
  deleteMonitor,
  enableMonitor,
  disableMonitor,
]
