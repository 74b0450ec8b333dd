import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './given.ts'
import { killIntake } from './intake-kills.ts'
import { killClickhouse } from './kills.ts'

const seed = 20_261
/** Of the intake's process; `npm run faults` asks for more. */
const kills = Number(process.env.INTAKE_KILLS ?? 113)

let database: Awaited<ReturnType<typeof openDatabase>>
let other: typeof database
beforeAll(async () => {
  ;[database, other] = await Promise.all([openDatabase(), openDatabase()])
})
afterAll(async () => {
  await Promise.all([database.close(), other.close()])
})

test('killing ClickHouse loses nothing that was acknowledged, doubles nothing and leaves the roll-ups right', {
  timeout: 180_000,
}, async () => {
  const report = await killClickhouse({ kills: 12, seed })
  expect(report).toMatchObject({ lost: 0, doubled: 0, unexpected: 0, mismatches: 0 })
  // a machine with other work acknowledges less between two kills
  expect(report.acknowledged).toBeGreaterThan(30)
})

test('control: acknowledged before it is stored, the same kills lose results', { timeout: 180_000 }, async () => {
  expect((await killClickhouse({ kills: 4, seed, without: 'acknowledge' })).lost).toBeGreaterThan(0)
})

test('killing the process of the intake between any two of its steps loses nothing that was acknowledged, and what is stored was decided', {
  timeout: 60_000 + kills * 2_000,
}, async () => {
  const report = await killIntake(database, { kills, seed })
  const { acknowledged, lost, doubled, unexpected, undecided } = report
  console.log(
    `intake kills ${report.kills}: ${acknowledged.toLocaleString('en')} results acknowledged, ${lost} lost, ${doubled} doubled, ${unexpected} unexpected, ${undecided} undecided (bound ${(300 / kills).toPrecision(2)} % a kill)`,
  )
  expect(report).toMatchObject({ kills, lost: 0, doubled: 0, unexpected: 0, undecided: 0 })
  expect(acknowledged).toBeGreaterThan(kills * 10)
})

test('control: a process that acknowledges what is on its way loses results by the same kills', {
  timeout: 60_000,
}, async () => {
  expect((await killIntake(other, { kills: 10, seed, isHasty: true })).lost).toBeGreaterThan(0)
})
