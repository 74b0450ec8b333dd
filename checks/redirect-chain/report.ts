import { report } from '#checks/report.ts'
import { redirectChain } from './kind.ts'

export const redirectChainReport = report(redirectChain, {
  statistic: 'redirect-chain',
  summary: 'Read every hop of the redirect chain each region went through',
  latest: redirectChain.seen,
  view: seen => seen,
})
