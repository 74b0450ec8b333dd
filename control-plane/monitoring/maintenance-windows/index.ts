import {
  cancelMaintenanceWindow,
  extendMaintenanceWindow,
  startMaintenanceWindow,
  stopMaintenanceWindow,
} from './actions.ts'
import { createMaintenanceCalendar, deleteMaintenanceCalendar, readMaintenanceCalendar } from './calendar.ts'
import { createMaintenanceWindow } from './create.ts'
import { deleteMaintenanceWindow } from './delete.ts'
import { getMaintenanceWindow } from './get.ts'
import { listMaintenanceWindows } from './list.ts'
import { previewMaintenanceWindow } from './preview.ts'
import { updateMaintenanceWindow } from './update.ts'

export const maintenanceWindows = [
  listMaintenanceWindows,
  createMaintenanceWindow,
  previewMaintenanceWindow,
  getMaintenanceWindow,
  updateMaintenanceWindow,
  deleteMaintenanceWindow,
  startMaintenanceWindow,
  stopMaintenanceWindow,
  extendMaintenanceWindow,
  cancelMaintenanceWindow,
  createMaintenanceCalendar,
  deleteMaintenanceCalendar,
  readMaintenanceCalendar,
]
