import { report } from '#checks/report.ts'
import { sitemap } from './kind.ts'

export const sitemapReport = report(sitemap, {
  statistic: 'sitemap',
  summary: 'Get the sitemap as each region found it',
  description: 'With the sampled addresses.',
  latest: sitemap.seen,
  view: seen => seen,
})
