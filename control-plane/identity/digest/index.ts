import { leaveDigest, leaveMonthlyReport } from './leave.ts'

export const digest = [leaveDigest, leaveMonthlyReport]
