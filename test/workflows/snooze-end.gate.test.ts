import { randomUUID } from 'node:crypto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacheFolders } from '#cli/local/cache.ts'
import { store } from '#test/support/stores.ts'
import { bundle } from '#workflows/bundle.ts'
import { snoozeEnd, unsnoozed } from '#workflows/snooze-end/workflow.ts'
import { quiet, startServer } from './skipping.ts'

let environment: TestWorkflowEnvironment
let code: string

beforeAll(async () => {
  quiet()
  const [{ path }, bundled] = await Promise.all([store('timeSkipping'), bundle(cacheFolders()[0])])
  code = bundled
  environment = await startServer(path)
}, 120_000)
afterAll(() => environment?.teardown())

const hour = 3_600_000

/** Runs a worker whose activity returns the given answers, and records the times of its calls. */
async function withWorker<T>(
  outcomes: ('ended' | 'superseded' | Error)[],
  work: (asked: number[], taskQueue: string) => Promise<T>,
): Promise<T> {
  const asked: number[] = []
  const taskQueue = randomUUID()
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: { code },
    activities: {
      async endSnooze() {
        asked.push(await environment.currentTimeMs())
        const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
        if (outcome instanceof Error) throw outcome
        return outcome
      },
    },
  })
  return worker.runUntil(() => work(asked, taskQueue))
}

const start = async (taskQueue: string, untilMs: number) =>
  environment.client.workflow.start(snoozeEnd, {
    taskQueue,
    workflowId: randomUUID(),
    args: [{ tenantId: randomUUID(), checkId: randomUUID(), untilMs }],
  })

describe('the end of a snooze', () => {
  test('is seen to at its moment, a day later as well', async () => {
    await withWorker(['ended'], async (asked, taskQueue) => {
      const untilMs = (await environment.currentTimeMs()) + 24 * hour
      expect(await (await start(taskQueue, untilMs)).result()).toBe('ended')
      expect(asked[0]).toBeGreaterThanOrEqual(untilMs)
      expect(asked[0]).toBeLessThan(untilMs + 60_000)
    })
  })

  test('is seen to at once when its moment has passed already', async () => {
    await withWorker(['ended'], async (asked, taskQueue) => {
      const now = await environment.currentTimeMs()
      expect(await (await start(taskQueue, now - hour)).result()).toBe('ended')
      expect(asked[0]).toBeLessThan(now + 60_000)
    })
  })

  test('does nothing once the snooze was ended by hand', async () => {
    await withWorker(['ended'], async (asked, taskQueue) => {
      const handle = await start(taskQueue, (await environment.currentTimeMs()) + hour)
      await handle.signal(unsnoozed)
      expect(await handle.result()).toBe('superseded')
      expect(asked).toEqual([])
    })
  })

  test('is tried until the database answers', async () => {
    await withWorker([new Error('away'), new Error('away'), 'ended'], async (asked, taskQueue) => {
      expect(await (await start(taskQueue, (await environment.currentTimeMs()) + hour)).result()).toBe('ended')
      expect(asked).toHaveLength(3)
    })
  })
})
