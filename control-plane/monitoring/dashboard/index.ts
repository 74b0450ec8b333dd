import { dashboardStats } from './stats.ts'

export const dashboard = [dashboardStats]
