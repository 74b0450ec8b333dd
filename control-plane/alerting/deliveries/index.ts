import { getLog } from './get.ts'
import { listLogs } from './list.ts'
import { replayLog } from './replay.ts'

export const notificationLogs = [listLogs, getLog, replayLog]
