import { report } from '#checks/report.ts'
import { sitemap } from './kind.ts'

export const sitemapReport = report(sitemap, {
  statistic: 'sitemap',
  summary: 'Read what each region found of the sitemap, and of the addresses it looked at',
  latest: sitemap.seen,
  view: seen => seen,
})
