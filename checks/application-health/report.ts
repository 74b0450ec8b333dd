import { report } from '#checks/report.ts'
import { applicationHealth } from './kind.ts'

export const applicationHealthReport = report(applicationHealth, {
  statistic: 'health',
  summary: 'Read how the application and its parts last said they were',
  latest: applicationHealth.seen,
  view: seen => seen,
})
