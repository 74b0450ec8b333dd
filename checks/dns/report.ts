import { report } from '#checks/report.ts'
import { dns } from './kind.ts'

export const dnsHistory = report(dns, {
  statistic: 'dns-history',
  summary: 'Read the DNS records each region sees, and how they changed',
  latest: dns.seen,
  view: seen => seen,
})
