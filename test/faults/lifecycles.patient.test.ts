import { expect, test } from 'vitest'
import { openDatabases } from '#test/support/databases.ts'
import { liveThrough } from './lifecycles.ts'

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)

test('life cycles with short days: nothing is missed, done twice or done too early, though workers and the Temporal server are killed', async () => {
  const { notes, ...tally } = await liveThrough({
    runs: number('LIFECYCLES', 100),
    everyMs: number('LIFE_EVERY_MS', 700),
    workerKills: number('WORKER_KILLS', 3),
    serverKills: number('TEMPORAL_KILLS', 1),
    databases: await openDatabases(`lifecycles_${process.pid}`),
  })
  console.log(
    `lifecycles ${tally.runs} with ${tally.timers} timers, ${tally.workerKills} workers and ${tally.serverKills} servers killed: ${tally.missed} missed, ${tally.doubled} doubled, ${tally.early} early, ${tally.overtaken} reminders overtaken, p99 ${(tally.lateP99Ms / 1_000).toFixed(1)} s late; ${tally.replayed} histories replayed`,
  )
  expect(notes).toEqual([])
  expect(tally).toMatchObject({ missed: 0, doubled: 0, early: 0 })
  expect(tally.timers).toBeGreaterThanOrEqual(2.5 * tally.runs)
  expect(tally.replayed).toBeGreaterThanOrEqual(tally.runs)
}, 3_600_000)
