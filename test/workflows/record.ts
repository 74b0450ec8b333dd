import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { obtainTimeSkipping } from '#cli/local/embedded/time-skipping.ts'
import { bundle } from '#workflows/bundle.ts'
import { writeHistory } from './history.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { quiet, startServer } from './skipping.ts'

const folder = join(import.meta.dirname, 'histories')

/**
 * Records the history of the scenarios that are named, `node test/workflows/record.ts NAME…`, and of no other. Run it
 * only for a new workflow or an intended change of one: recorded histories stand for running workflows, and all later
 * code must replay them.
 */
async function record(names: readonly string[]): Promise<void> {
  const unknown = names.filter(name => !scenarios.some(scenario => scenario.name === name))
  if (names.length === 0 || unknown.length > 0)
    throw new Error(
      unknown.length > 0 ? `No scenario is named ${unknown.join(', ')}.` : 'Name the scenarios to record.',
    )
  quiet()
  const environment = await startServer(await obtainTimeSkipping())
  try {
    const code = await bundle(undefined)
    mkdirSync(folder, { recursive: true })
    for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
      const history = await play(environment, code, scenario)
      writeFileSync(join(folder, `${scenario.name}.json`), history)
      console.log(scenario.name)
    }
  } finally {
    await environment.teardown()
  }
}

async function play(
  environment: TestWorkflowEnvironment,
  code: string,
  { name, workflow, inMs, answers, signals = [] }: Scenario,
): Promise<string> {
  const taskQueue = 'vedette'
  let answered = 0
  const steps = Object.entries(answers).map(([step, given]) => {
    const left = [...given]
    const act = async () => {
      const answer = left.shift()
      if (answer === undefined) throw new Error(`${name}: ${step} was asked too often`)
      if (answer === 'fails') throw Object.assign(new Error('away'), { stack: 'Error: away' })
      answered++
      return answer
    }
    return [step, act] as const
  })
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    identity: 'recorder',
    workflowBundle: { code },
    activities: Object.fromEntries(steps),
  })
  return worker.runUntil(async () => {
    const momentMs = (await environment.currentTimeMs()) + inMs
    const id = randomUUID()
    const input = {
      tenantId: randomUUID(),
      ...(workflow === 'snoozeEnd' && { checkId: id, untilMs: momentMs }),
      ...(workflow === 'trial' && { teamId: id, endsAtMs: momentMs }),
      ...(workflow === 'teamPurge' && { teamId: id, deletedAtMs: momentMs }),
      ...(workflow === 'tokenGrace' && { tokenId: id, expiresAtMs: momentMs }),
      ...(workflow === 'invitationExpiry' && { invitationId: id, expiresAtMs: momentMs }),
      ...(workflow === 'billing' && { dueAtMs: momentMs }),
      ...(workflow === 'deliveryRetry' && { deliveryId: id }),
      ...(workflow === 'migration' && { migrationId: id }),
    }
    const handle = await environment.client.workflow.start(workflow, { taskQueue, workflowId: name, args: [input] })
    for (const signal of signals) {
      while (answered < signal.after) await sleep(20)
      // until it has begun to wait
      await sleep(300)
      await handle.signal(signal.name)
    }
    await handle.result()
    return writeHistory(await handle.fetchHistory())
  })
}

await record(process.argv.slice(2))
