import { expect, test } from 'vitest'
import { killClickhouse } from './kills.ts'

const seed = 20_261

test('killing ClickHouse loses nothing that was acknowledged, doubles nothing and leaves the roll-ups right', { timeout: 180_000 }, async () => {
  const report = await killClickhouse({ kills: 12, seed })
  expect(report).toMatchObject({ lost: 0, doubled: 0, unexpected: 0, mismatches: 0 })
  expect(report.acknowledged).toBeGreaterThan(100)
})

test('control: acknowledged before it is stored, the same kills lose results', { timeout: 180_000 }, async () => {
  expect((await killClickhouse({ kills: 4, seed, without: 'acknowledge' })).lost).toBeGreaterThan(0)
})
