import { report } from '#checks/report.ts'
import { mixedContent } from './kind.ts'

export const mixedContentReport = report(mixedContent, {
  statistic: 'mixed-content',
  summary: 'Read what secure pages load or send without security',
  description: 'As the newest crawl found it.',
  latest: mixedContent.seen,
  view: seen => seen,
})
