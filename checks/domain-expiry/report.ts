import { report } from '#checks/report.ts'
import { domainExpiry } from './kind.ts'

export const domainExpiryReport = report(domainExpiry, {
  statistic: 'domain-expiry',
  summary: 'Get the registration of a monitor’s domain',
  description: 'With its expiry date.',
  latest: domainExpiry.seen,
  view: seen => seen,
})
