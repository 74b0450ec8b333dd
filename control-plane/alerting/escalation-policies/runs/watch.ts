import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#control-plane/base/clock.ts'
import { eachIsolated, splitIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { advance, minutesUntilNext } from './advance.ts'
import { Reach } from './call.ts'
import { isMet } from './condition.ts'
import { type DueRun, followSilences, type PolicyPlan, readDue, readPending, readPlans } from './due.ts'
import { warnOfLostSteps } from './lost.ts'
import { type Move, takeSteps } from './take.ts'

interface Dependencies {
  platform: Pool
  clock: Clock
  config: Keyring & { baseUrl: string }
  log: Pick<Logger, 'warn' | 'error'>
}

const everyMs = 1_000
/** Few, so that an acknowledgement waits a short time for the transaction that takes its step. */
const runsAtOnce = 50

/**
 * Mails of steps that lost their last person, suspends and resumes runs, and takes all steps that are due by the
 * database's clock.
 *
 * A loop over rows rather than a durable process of Temporal for each run: a run is changed by acknowledgements,
 * resolutions, snoozes and windows in their own transactions, which then need no signal, and a step is minutes away
 * rather than days. What a killed process leaves behind is due for the next one.
 */
export async function escalate(dependencies: Dependencies): Promise<void> {
  const { platform } = dependencies
  const pending = await readPending(platform)
  if (pending.is_lost) await warnOfLostSteps(platform)
  await followSilences(platform, pending)
  const hasRuns = pending.is_running || pending.is_held
  for (let taken = hasRuns ? runsAtOnce : 0; taken > 0; ) taken = await takeDue(dependencies, null)
}

/** Takes the steps of some runs. `only`: of these, although they are in quarantine. Returns how many were advanced. */
async function takeDue(dependencies: Dependencies, only: readonly string[] | null): Promise<number> {
  const { platform, clock, config } = dependencies
  const quarantine = new Quarantine(dependencies)
  const runs = await readDue(platform, runsAtOnce, only)
  if (runs.length === 0) return 0
  const at = new Date(clock.nowMs())
  const bad: BadRow[] = []
  const onBad = (run: DueRun, error: unknown) => bad.push({ key: run.id, tenant: run.tenant_id, error })
  const moves: Move[] = []
  await splitIsolated(runs, async some => void moves.push(...(await planMoves(platform, some, at))), onBad)
  let taken = 0
  await splitIsolated(
    moves,
    async some => {
      taken += await takeSteps(platform, config, some, at)
    },
    ({ run }, error) => onBad(run, error),
  )
  await quarantine.add('escalation_run', bad)
  if (only) {
    const isBad = new Set(bad.map(({ key }) => key))
    await quarantine.release(
      'escalation_run',
      only.filter(id => !isBad.has(id)),
    )
  }
  return taken
}

interface Planned {
  run: DueRun
  plan: PolicyPlan | undefined
  next: ReturnType<typeof advance<PolicyPlan['steps'][number]>>
}

async function planMoves(platform: Pool, runs: readonly DueRun[], at: Date): Promise<Move[]> {
  const plans = await readPlans(platform, [...new Set(runs.map(run => run.policy_id))])
  const planned = runs.map((run): Planned => {
    const { policy_id: policyId, round, step, repeats } = run
    const next = advance(plans, { policyId, round, step, repeats })
    return { run, next, plan: plans.get(next?.progress.policyId ?? policyId) }
  })
  const asked = planned.flatMap(({ run, next }) =>
    next ? [{ tenantId: run.tenant_id, policyId: next.progress.policyId, targets: next.step.targets }] : [],
  )
  const reach = await Reach.read(platform, asked, at)
  const turns = new Map<string, number>()
  return planned.map(each => moveOf(each, reach, turns, at))
}

function moveOf({ run, plan, next }: Planned, reach: Reach, turns: Map<string, number>, at: Date): Move {
  const move = { run, policyName: plan?.name ?? '' }
  if (!next || !plan) return { ...move, taken: null }
  const { step, progress } = next
  const isDue = isMet(step.only_if, run.severity, at.getTime())
  const reached = isDue ? reach.of({ tenantId: run.tenant_id, policyId: progress.policyId, targets: step.targets }) : []
  const isInTurn = step.assignment === 'round_robin' && reached.length > 0
  const turn = isInTurn ? (turns.get(step.id) ?? step.turn) : null
  const called = turn === null ? reached : [reached[turn % reached.length]!]
  if (turn !== null) turns.set(step.id, turn + 1)
  const hasCalled = called.length > 0
  const isRoundLost = isDue && !hasCalled && !(progress.round === run.round && run.has_called)
  return {
    ...move,
    taken: {
      progress,
      waitMinutes: minutesUntilNext(plan, progress, { hasCalled, isRoundLost }),
      stepId: step.id,
      called,
      reason: hasCalled ? null : isDue ? 'unreachable' : 'condition_not_met',
      turn: turn === null ? null : turn + 1,
    },
  }
}

interface EscalationWatch {
  /** Takes the steps of runs that were put into quarantine. */
  retry(runs: readonly string[]): Promise<unknown>
  stop(): Promise<void>
}

/** Takes steps twice a second. Any number of processes may do so. */
export function watchEscalations(dependencies: Dependencies): EscalationWatch {
  const round = () => escalate(dependencies)
  const loop = new Loop({ everyMs, round, log: dependencies.log, failure: 'escalation failure' }).start()
  return {
    retry: runs =>
      eachIsolated(
        runs,
        run => takeDue(dependencies, [run]),
        () => undefined,
      ),
    stop: () => loop.stop(),
  }
}
