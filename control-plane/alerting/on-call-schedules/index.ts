import { readCalendar } from './calendar/feed.ts'
import { deleteCalendar, getCalendar, rotateCalendar } from './calendar/link.ts'
import { createSchedule } from './create.ts'
import { getCurrent, listCurrent } from './current.ts'
import { deleteSchedule } from './delete.ts'
import { getSchedule } from './get.ts'
import { listSchedules } from './list.ts'
import { createOverride } from './overrides/create.ts'
import { deleteOverride } from './overrides/delete.ts'
import { listOverrides } from './overrides/list.ts'
import { swapShifts } from './overrides/swap.ts'
import { getPreview } from './preview.ts'
import { updateSchedule } from './update.ts'

export const onCallSchedules = [
  listSchedules,
  createSchedule,
  getCalendar,
  rotateCalendar,
  deleteCalendar,
  readCalendar,
  listCurrent,
  getSchedule,
  updateSchedule,
  deleteSchedule,
  getCurrent,
  getPreview,
  listOverrides,
  createOverride,
  deleteOverride,
  swapShifts,
]
