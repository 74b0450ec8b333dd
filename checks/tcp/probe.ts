import type { Probe } from '#checks/probe.ts'
import { LookFailure } from '#contract/check.ts'
import type { tcp } from './kind.ts'

export const probeTcp: Probe<typeof tcp> = async () => {
  throw new LookFailure('unsupported', 'request', 'Not supported here yet.')
}
