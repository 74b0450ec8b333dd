import { dashboardStats } from './stats.ts'
import { worstMonitors } from './worst.ts'

export const dashboard = [dashboardStats, worstMonitors]
