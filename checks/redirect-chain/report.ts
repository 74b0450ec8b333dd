import { report } from '#checks/report.ts'
import { redirectChain } from './kind.ts'

export const redirectChainReport = report(redirectChain, {
  statistic: 'redirect-chain',
  summary: 'Read the redirect chain of each region',
  description: 'Every hop of it.',
  latest: redirectChain.seen,
  view: seen => seen,
})
