import { getNotificationGaps } from './get.ts'

export const notificationGaps = [getNotificationGaps]
