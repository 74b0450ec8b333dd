import { report } from '#checks/report.ts'
import { tcp } from './kind.ts'

export const tcpReport = report(tcp, {
  statistic: 'tcp',
  summary: 'Read how a port answers each region, and how often it did',
  latest: tcp.seen,
  view: seen => seen,
})
