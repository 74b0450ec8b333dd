import { report } from '#checks/report.ts'
import { securityHeaders } from './kind.ts'

export const securityHeadersReport = report(securityHeaders, {
  statistic: 'security-headers',
  summary: 'Read how each region sees the security headers graded',
  description: 'With what would raise the grade.',
  latest: securityHeaders.seen,
  view: seen => seen,
})
