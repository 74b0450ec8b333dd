import { changePassword } from './change-password.ts'
import { exportProfile } from './export.ts'
import { getProfile } from './get.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { updateProfile } from './update.ts'

export const profile = [
  getProfile,
  updateProfile,
  changePassword,
  exportProfile,
  listSessions,
  endSession,
  endOtherSessions,
]
