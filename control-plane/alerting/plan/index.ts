import { listIncidentNotifications } from './list.ts'

export const incidentNotifications = [listIncidentNotifications]
