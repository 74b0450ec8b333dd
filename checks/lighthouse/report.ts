import { report } from '#checks/report.ts'
import { lighthouse } from './kind.ts'

export const lighthouseReport = report(lighthouse, {
  statistic: 'lighthouse',
  summary: 'Read how each region’s browser scored the page',
  description: 'With its metrics, and what costs most.',
  latest: lighthouse.seen,
  view: seen => seen,
})
