import { z } from 'zod'
import { report } from '#checks/report.ts'
import { lossPercent, ping } from './kind.ts'

export const pingReport = report(ping, {
  statistic: 'ping',
  summary: 'Read how a host answers each region, and how often it did',
  latest: ping.seen.extend({ loss_percent: z.int() }),
  view: seen => ({ ...seen, loss_percent: lossPercent(seen) }),
})
