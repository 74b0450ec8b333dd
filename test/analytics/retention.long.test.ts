import { describe, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { migrateClickhouse, readClickhouseMigrations } from '#analytics/migrate.ts'
import { makeCheck, openDatabase, openIngest, resultOf, rows } from './given.ts'

const dayMs = 86_400_000

/** Stores a result of a check of its own, so many days old. */
async function plant(clickhouse: ClickHouseClient, days: number, more: Record<string, unknown> = {}): Promise<void> {
  const at = Date.now() - days * dayMs
  const [tenant_id, monitor_id, check_id] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const key = { tenant_id, monitor_id, check_id, region: 'eu', kind: 'uptime', due: at, attempt: 0 }
  const result = { at, received_at: at, run_reason: 'due', outcome: 'down', code: `${days}`, response_ms: 7 }
  const texts = { reason: 'It said no.', seen: '{"status":500}', excerpt: 'Good morning', address: '192.0.2.7' }
  const values = [{ ...key, ...result, ...texts, ...more }]
  await clickhouse.insert({ table: 'check_results', values, format: 'JSONEachRow' })
}

/** What is stored, by age in days: the texts that were read of the target. */
async function texts(clickhouse: ClickHouseClient, table: 'check_results' | 'latest_results' = 'check_results') {
  const columns = table === 'check_results' ? 'reason, seen, excerpt, address' : 'reason, seen'
  const stored = await rows<{ days: string; texts: string; response_ms: number }>(
    clickhouse,
    `SELECT code AS days, response_ms, concat(${columns}) AS texts FROM ${table} FINAL ORDER BY toInt32(code)`,
  )
  for (const { response_ms } of stored) expect(response_ms).toBe(7)
  return Object.fromEntries(stored.map(row => [row.days, row.texts]))
}

const all = 'It said no.{"status":500}Good morning192.0.2.7'
const ofLatest = 'It said no.{"status":500}'
// ClickHouse chooses merges again after up to a minute in which it found none (max_merge_selecting_sleep_ms)
const patience = { timeout: 150_000 }

describe('retention', { timeout: 320_000 }, () => {
  test('what was read of a target leaves after 30 days, and the rest of its result stays', async () => {
    const { clickhouse, close } = await openDatabase()
    for (const days of [1, 29, 31, 45, 60, 89, 91]) await plant(clickhouse, days)
    await expect.poll(() => texts(clickhouse), patience).toEqual({ 1: all, 29: all, 31: '', 45: '', 60: '', 89: '' })
    await expect
      .poll(() => texts(clickhouse, 'latest_results'), patience)
      .toEqual({ 1: ofLatest, 29: ofLatest, 31: '', 45: '' })
    await close()
  })

  test('texts that an earlier version kept leave after the migration', async () => {
    const migrations = (await readClickhouseMigrations()).filter(({ name }) => name < '0013')
    const { clickhouse, url, close } = await openDatabase({ migrations })
    for (const days of [1, 31, 59]) await plant(clickhouse, days)
    expect(await texts(clickhouse)).toEqual({ 1: all, 31: all, 59: all })
    await migrateClickhouse(url)
    await expect.poll(() => texts(clickhouse), patience).toEqual({ 1: all, 31: '', 59: '' })
    await expect.poll(() => texts(clickhouse, 'latest_results'), patience).toEqual({ 1: ofLatest, 31: '', 59: '' })
    await close()
  })

  test('a result is stored as long as the plan of its team keeps data, between 7 and 90 days', async () => {
    const { clickhouse, close } = await openDatabase()
    const clock = { time: Date.now() - 10 * dayMs }
    const intake = openIngest(clickhouse, () => clock.time)
    const checks = new Map([1, 7, 9, 14, 90, 395].map(keepDays => [keepDays, { ...makeCheck(), keepDays }]))
    for (const check of checks.values()) intake.checks.set(check.check, check)
    await intake.send([...checks.values()].map(check => resultOf(check, clock.time)))
    const kept = async () => {
      const stored = await rows<{ check_id: string; keep_days: number }>(
        clickhouse,
        'SELECT check_id, keep_days FROM check_results FINAL',
      )
      const planned = (id: string) => [...checks].find(([, { check }]) => check === id)?.[0] ?? 0
      return stored.map(row => [planned(row.check_id), row.keep_days]).sort(([a = 0], [b = 0]) => a - b)
    }
    await expect.poll(kept, patience).toEqual([
      [14, 14],
      [90, 90],
      [395, 90],
    ])
    await close()
  })
})
