import { report } from '#checks/report.ts'
import { brokenLinks } from './kind.ts'

export const brokenLinksReport = report(brokenLinks, {
  statistic: 'broken-links',
  summary: 'Read which links of a site lead nowhere',
  description: 'As its newest crawl found them.',
  latest: brokenLinks.seen,
  view: seen => seen,
})
