import { report } from '#checks/report.ts'
import { applicationHealth } from './kind.ts'

export const applicationHealthReport = report(applicationHealth, {
  statistic: 'health',
  summary: 'Get the last reported health of the application and its parts',
  latest: applicationHealth.seen,
  view: seen => seen,
})
