import { createCheck } from './create.ts'
import { deleteCheck } from './delete.ts'
import { disableCheck, enableCheck } from './enable.ts'
import { decideFormerDefaults } from './former-default/decide.ts'
import { listFormerDefaults } from './former-default/list.ts'
import { getCheck } from './get.ts'
import { listChecks } from './list.ts'
import { requestRun } from './request-run.ts'
import { snoozeCheck, unsnoozeCheck } from './snooze.ts'
import { tryCheck } from './try.ts'
import { updateCheck } from './update.ts'

export const checks = [
  listChecks,
  createCheck,
  listFormerDefaults,
  decideFormerDefaults,
  getCheck,
  updateCheck,
  deleteCheck,
  enableCheck,
  disableCheck,
  requestRun,
  tryCheck,
  snoozeCheck,
  unsnoozeCheck,
].flat()
