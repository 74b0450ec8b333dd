import { getMonthlyReport } from './get.ts'
import { listMonthlyReports } from './list.ts'

export const monthlyReports = [listMonthlyReports, getMonthlyReport]
