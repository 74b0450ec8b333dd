import { report } from '#checks/report.ts'
import { domainExpiry } from './kind.ts'

export const domainExpiryReport = report(domainExpiry, {
  statistic: 'domain-expiry',
  summary: 'Read when the domain of a monitor expires, and what its registry says of it',
  latest: domainExpiry.seen,
  view: seen => seen,
})
