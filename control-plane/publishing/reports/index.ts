import { monitorReport } from './monitor-report.ts'

export const reports = [monitorReport]
