import { report } from '#checks/report.ts'
import { sitemap } from './kind.ts'

export const sitemapReport = report(sitemap, {
  statistic: 'sitemap',
  summary: 'Get the sitemap and the sampled addresses as each region found them',
  latest: sitemap.seen,
  view: seen => seen,
})
