import type { Probe } from '#checks/probe.ts'
import { LookFailure } from '#contract/check.ts'
import type { ssl } from './kind.ts'

export const probeSsl: Probe<typeof ssl> = async () => {
  throw new LookFailure('unsupported', 'request', 'Not supported here yet.')
}
