import { readFindings } from '#checks/crawl/probe.ts'
import type { Probe } from '#checks/probe.ts'
import { noPhases } from '#contract/check.ts'
import { mixedContent } from './kind.ts'

export const probeMixedContent: Probe<typeof mixedContent> = async (_target, _settings, { findings }) => ({
  seen: await readFindings(mixedContent.seen, findings),
  phases: noPhases,
})
