import { leaveDigest, leaveHandoverMails, leaveMonthlyReport } from './leave.ts'

export const digest = [leaveDigest, leaveMonthlyReport, leaveHandoverMails]
