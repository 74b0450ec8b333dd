import { readFindings } from '#checks/crawl/probe.ts'
import type { Probe } from '#checks/probe.ts'
import { noPhases } from '#contract/check.ts'
import { brokenLinks } from './kind.ts'

export const probeBrokenLinks: Probe<typeof brokenLinks> = async (_target, _settings, { findings }) => ({
  seen: await readFindings(brokenLinks.seen, findings),
  phases: noPhases,
})
