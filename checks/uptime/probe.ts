import type { Probe } from '#checks/probe.ts'
import { LookFailure } from '#contract/check.ts'
import type { uptime } from './kind.ts'

export const probeUptime: Probe<typeof uptime> = async () => {
  throw new LookFailure('unsupported', 'request', 'Not supported here yet.')
}
