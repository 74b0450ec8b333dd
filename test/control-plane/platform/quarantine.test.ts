import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const quarantine = new Quarantine({ platform, log: pino({ level: 'silent' }) })

async function aBadRow(kind: 'check' | 'mail' = 'check') {
  const { tenantId: tenant } = await given.tenant()
  const key = kind === 'mail' ? String(Date.now()) : randomUUID()
  await quarantine.add(kind, [{ key, tenant, error: new BadRowError('Its settings cannot be read.') }])
  return { key, tenant }
}

describe('GET /platform/quarantine', () => {
  test('lists bad rows for the operator, oldest first, filtered by kind', async () => {
    const operator = await given.operator()
    const [{ key, tenant }, mail] = [await aBadRow(), await aBadRow('mail')]
    const { status, body } = await operator.get('/platform/quarantine?kind=check&per_page=100')
    expect(status).toBe(200)
    const row = body.data.find((each: { key: string }) => each.key === key)
    expect(row).toMatchObject({ kind: 'check', tenant_id: tenant, reason: 'Its settings cannot be read.', attempts: 1 })
    expect(body.data.map((each: { key: string }) => each.key)).not.toContain(mail.key)
    expect(body.data.map((each: { since: string }) => each.since)).toEqual(
      body.data.map((each: { since: string }) => each.since).toSorted(),
    )
    expect(body.meta.total).toBeGreaterThanOrEqual(1)
    expect((await operator.get('/platform/quarantine?kind=nothing')).body.errors).toHaveProperty('kind')
  })

  test('refuses everybody but the operator', async () => {
    for (const caller of [await given.tenant(), await given.reseller()])
      expect((await caller.get('/platform/quarantine')).status).toBe(403)
  })
})

describe('POST /platform/quarantine/{quarantined_row}/retry', () => {
  test('makes the row due at once, and is written down', async () => {
    const operator = await given.operator()
    const { key } = await aBadRow()
    const { id } = (await platform.query('select id from quarantined_rows where key = $1', [key])).rows[0]
    const { status, body } = await operator.post(`/platform/quarantine/${id}/retry`)
    expect(status).toBe(200)
    expect(Date.parse(body.data.next_try_at)).toBeLessThanOrEqual(Date.now() + 1_000)
    expect(await app.audited(operator)).toEqual(['quarantined_row.retried'])
  })

  test('answers 404 for a row that is not quarantined', async () => {
    const operator = await given.operator()
    for (const id of [randomUUID(), 'nothing'])
      expect((await operator.post(`/platform/quarantine/${id}/retry`)).status).toBe(404)
  })
})
