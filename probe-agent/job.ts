import { isProbedKindName, kinds } from '#checks/index.ts'
import type { ProbeContext, ProbeResult } from '#checks/probe.ts'
import { probes } from '#checks/probes.ts'
import { hostOf } from '#checks/target.ts'
import type { Assignment } from '#contract/agent.ts'
import { type CheckKind, type Phases, RunFailure, type Target } from '#contract/check.ts'
import { shardOf } from '#contract/shards.ts'
import type { Job } from './schedule.ts'

export type RunProbe = (
  target: Target,
  settings: unknown,
  context: ProbeContext,
) => Promise<ProbeResult<Record<string, unknown>>>

/** An assignment prepared for many runs. */
export interface CheckJob extends Job {
  /** Of its tenant: the owner of this shard takes the results. */
  shard: number
  kind: string
  target: Target
  settings: unknown
  timeoutMs: number
  runProbe: RunProbe
  /**
   * Whether the result indicates a problem. Decides only how soon it is sent: the server judges it. Throws where the
   * kind can neither read nor judge the findings, as the server could not either.
   */
  isBad(seen: Record<string, unknown>, phases: Phases, at: number): boolean
  /** Whether the last results were bad, and how many in a row were the same. */
  wasBad: boolean | undefined
  streak: number
  hasFailed: boolean
}

const unsupported =
  (message: string): RunProbe =>
  async () => {
    throw new RunFailure('unsupported', 'guard', message)
  }

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Host and port of the target; the host alone without a port, and the whole text without a host. */
function hostOfUrl(url: string, settings: Record<string, unknown>): string {
  try {
    const { host, port } = hostOf({ url })
    const own = typeof settings.port === 'number' ? settings.port : port
    return `${host}:${own ?? defaultPorts[URL.parse(url)?.protocol ?? ''] ?? ''}`
  } catch {
    return url
  }
}

/** `before`: the previous version of the job; its streak is kept. */
export function makeJob(assignment: Assignment, knownDue: number | undefined, before?: CheckJob): CheckJob {
  const { check, tenant, kind: name, url, interval_ms, offset_ms, timeout_ms, last_due_ms } = assignment
  const job: CheckJob = {
    check,
    tenant,
    shard: shardOf(tenant),
    host: hostOfUrl(url, assignment.settings),
    kind: name,
    target: { url },
    settings: undefined,
    timeoutMs: timeout_ms,
    intervalMs: interval_ms,
    offsetMs: offset_ms,
    lastDue: knownDue === undefined ? last_due_ms : Math.max(knownDue, last_due_ms ?? 0),
    runProbe: unsupported(`This agent does not know checks of kind ${name}.`),
    isHeavy: false,
    isBad: () => false,
    wasBad: before?.wasBad,
    streak: before?.streak ?? 0,
    hasFailed: before?.hasFailed ?? false,
  }
  if (!isProbedKindName(name)) return job
  const kind: CheckKind = kinds[name]
  const settings = kind.settings.safeParse(assignment.settings)
  if (!settings.success)
    return { ...job, runProbe: unsupported('This agent does not understand the settings of this check.') }
  return {
    ...job,
    settings: settings.data,
    // The registry pairs each kind with its probe; the types lose only which settings belong to which kind.
    runProbe: probes[name] as RunProbe,
    isHeavy: kind.isHeavy === true,
    isBad: (seen, phases, at) =>
      kind.judge(kind.seen.parse(seen), settings.data, { at: new Date(at), phases }).status !== 'up',
  }
}
