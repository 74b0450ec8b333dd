import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '#workflows/bundle.ts'
import { readHistory } from './history.ts'
import { scenarios } from './scenarios.ts'
import { quiet } from './skipping.ts'

const folder = join(import.meta.dirname, 'histories')
const files = readdirSync(folder)
const histories = () =>
  files.map(file => ({
    workflowId: file.replace('.json', ''),
    history: readHistory(readFileSync(join(folder, file), 'utf8')),
  }))

async function replay(code: string): Promise<Map<string, unknown>> {
  const errors = new Map<string, unknown>()
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, histories()))
    errors.set(workflowId, error)
  return errors
}

beforeAll(() => {
  quiet()
})

const processes = [
  'billing',
  'deliveryRetry',
  'invitationExpiry',
  'migration',
  'snoozeEnd',
  'teamPurge',
  'tokenGrace',
  'trial',
]

describe('what ran before', () => {
  test('is recorded for every way through every process', () => {
    expect(files.toSorted()).toEqual(scenarios.map(({ name }) => `${name}.json`).toSorted())
    expect([...new Set(scenarios.map(({ workflow }) => workflow))].toSorted()).toEqual(processes)
  })

  test('is understood by the code as it is', async () => {
    const errors = await replay(await bundle(undefined))
    expect([...errors].filter(([, error]) => error)).toEqual([])
    expect(errors.size).toBe(files.length)
  }, 120_000)

  test('would not be by a build that does its steps in another order', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, 'swapped', 'index.ts'),
      logger: new DefaultLogger('ERROR'),
    })
    const errors = await replay(code)
    const found = scenarios.filter(({ name }) => errors.get(name))
    expect([...new Set(found.map(({ workflow }) => workflow))].toSorted()).toEqual(processes)
  }, 120_000)

  test('has ids and timestamps as input, and no personal data', () => {
    for (const { workflowId, history } of histories())
      for (const payload of history.events[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [])
        for (const [name, value] of Object.entries(JSON.parse(Buffer.from(payload.data ?? []).toString())))
          expect(String(value), `${workflowId}: ${name}`).toMatch(/^([0-9a-f-]{36}|\d{13})$/)
  })
})
