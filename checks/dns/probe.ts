import type { Probe } from '#checks/probe.ts'
import { LookFailure } from '#contract/check.ts'
import type { dns } from './kind.ts'

export const probeDns: Probe<typeof dns> = async () => {
  throw new LookFailure('unsupported', 'request', 'Not supported here yet.')
}
