import { report } from '#checks/report.ts'
import { domainExpiry } from './kind.ts'

export const domainExpiryReport = report(domainExpiry, {
  statistic: 'domain-expiry',
  summary: 'Get the expiry date and the registration of a monitor’s domain',
  latest: domainExpiry.seen,
  view: seen => seen,
})
