import { monitorPerformance } from './performance.ts'
import { checkReports } from './reports.ts'
import { statsBatch } from './stats-batch.ts'
import { monitorUptime } from './uptime.ts'

export const statistics = [monitorUptime, monitorPerformance, statsBatch, ...checkReports]
