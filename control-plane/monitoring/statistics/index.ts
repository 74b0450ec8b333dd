import { monitorPerformance } from './performance.ts'
import { checkReports } from './reports.ts'
import { statsBatch } from './stats-batch.ts'
import { monitorUptime } from './uptime.ts'
import { uptimeBatch } from './uptime-batch.ts'

export const statistics = [monitorUptime, monitorPerformance, statsBatch, uptimeBatch, ...checkReports]
