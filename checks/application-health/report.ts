import { report } from '#checks/report.ts'
import { applicationHealth } from './kind.ts'

export const applicationHealthReport = report(applicationHealth, {
  statistic: 'health',
  summary: 'Get the reported health of an application',
  description: 'As last reported, with its parts.',
  latest: applicationHealth.seen,
  view: seen => seen,
})
