import type { Probe } from '#checks/probe.ts'
import { LookFailure } from '#contract/check.ts'
import type { ping } from './kind.ts'

export const probePing: Probe<typeof ping> = async () => {
  throw new LookFailure('unsupported', 'request', 'Not supported here yet.')
}
