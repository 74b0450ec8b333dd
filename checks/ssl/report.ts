import { report } from '#checks/report.ts'
import { ssl } from './kind.ts'

export const certificate = report(ssl, {
  statistic: 'certificate',
  summary: 'Read the certificate each region sees, and when it was renewed',
  latest: ssl.seen,
  view: seen => seen,
})
