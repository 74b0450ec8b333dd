import { report } from '#checks/report.ts'
import { robotsTxt } from './kind.ts'

export const robotsTxtReport = report(robotsTxt, {
  statistic: 'robots-txt',
  summary: 'Read what each region found in the robots.txt',
  latest: robotsTxt.seen,
  view: seen => seen,
})
