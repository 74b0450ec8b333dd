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

test('killing ClickHouse loses no acknowledged result, duplicates none and leaves the roll-ups correct', {
  timeout: 180_000,
}, async () => {
  const report = await killClickhouse({ kills: 12, seed })
  expect(report).toMatchObject({ lost: 0, doubled: 0, unexpected: 0, mismatches: 0 })
  // a machine with other work acknowledges less between two kills
  expect(report.acknowledged).toBeGreaterThan(30)
})

test('control: with acknowledgement before storing, the same kills lose results', { timeout: 180_000 }, async () => {
  expect((await killClickhouse({ kills: 4, seed, without: 'acknowledge' })).lost).toBeGreaterThan(0)
})

test('killing the ingest process between any two steps loses no acknowledged result, and every stored result was decided', {
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

test('control: an ingest process that acknowledges early loses results by the same kills', {
  timeout: 60_000,
}, async () => {
  expect((await killIntake(other, { kills: 10, seed, isHasty: true })).lost).toBeGreaterThan(0)
})
