import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { decryptConfig } from '#control-plane/alerting/channels/config.ts'
import { eachIsolated, splitIsolated } from '#control-plane/base/each-isolated.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { reasonOf } from '#control-plane/base/quarantine/reason.ts'
import { retryQuarantined } from '#control-plane/base/quarantine/retries.ts'
import { encryptSecret } from '#control-plane/base/secrets.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform, listener } = app.services
const log = pino({ level: 'silent' })
const quarantine = new Quarantine({ platform, log })
const away = Object.assign(new Error('the server shuts down'), { code: '57P01' })

const listed = async (key: string) =>
  (
    await platform.query(
      'select kind, tenant_id, reason, attempts, next_try_at > now() + interval $$50 minutes$$ as is_put_off from quarantined_rows where key = $1',
      [key],
    )
  ).rows

describe('isolated rows', () => {
  test('a row that fails is passed to onBad, and all others are handled', async () => {
    const [done, bad]: [number[], number[]] = [[], []]
    const act = (row: number) => {
      if (row % 3 === 0) throw new Error('bad')
      done.push(row)
    }
    await eachIsolated([1, 2, 3, 4, 5, 6, 7], act, row => bad.push(row))
    expect([done, bad]).toEqual([
      [1, 2, 4, 5, 7],
      [3, 6],
    ])
  })

  test('rows handled together are split down to those that fail', async () => {
    const [done, bad]: [number[], number[]] = [[], []]
    const rows = Array.from({ length: 100 }, (_, index) => index)
    let calls = 0
    const act = async (some: readonly number[]) => {
      calls++
      if (some.includes(17) || some.includes(80)) throw new Error('bad')
      done.push(...some)
    }
    await splitIsolated(rows, act, row => bad.push(row))
    expect([done.length, bad]).toEqual([98, [17, 80]])
    expect(calls).toBeLessThan(35)
  })

  test('an unavailable store ends the loop and blames no row', async () => {
    const bad: number[] = []
    const act = () => Promise.reject(away)
    await expect(eachIsolated([1, 2], act, row => bad.push(row))).rejects.toBe(away)
    await expect(splitIsolated([1, 2], act, row => bad.push(row))).rejects.toBe(away)
    expect(bad).toEqual([])
  })
})

describe('the reason of a quarantined row', () => {
  test('names fields and our own tables, and quotes no stored data', async () => {
    const secret = 'hunter2-of-the-customer'
    const errors: unknown[] = [
      z.object({ auth: z.object({ password: z.null() }) }).safeParse({ auth: { password: secret } }).error,
      await platform.query('select $1::text::int', [secret]).catch(error => error),
      await platform.query(`select ('{"a": "' || $1::text || '"}')::jsonb::text::int`, [secret]).catch(error => error),
    ]
    try {
      JSON.parse(`${secret} is no JSON`)
    } catch (error) {
      errors.push(error)
    }
    try {
      new Intl.DateTimeFormat('en', { timeZone: secret })
    } catch (error) {
      errors.push(error)
    }
    const reasons = errors.map(reasonOf)
    expect(reasons.join('\n')).not.toContain(secret)
    expect(reasons[0]).toMatch(/^auth\.password: /)
    expect(reasons[1]).toMatch(/^PostgreSQL refuses it: 22P02/)
    expect(reasonOf(await platform.query('select no_such_column from checks').catch(error => error))).toContain(
      'no_such_column',
    )
  })

  test('states that the key of a secret is unknown', () => {
    const encrypted = encryptSecret(
      { secretKey: 'a key that was forgotten long ago, and its text' },
      'notification channel',
      'id',
      '{}',
    )
    try {
      decryptConfig(app.services.config, 'id', { config: {}, secrets: encrypted })
    } catch (error) {
      return expect(reasonOf(error)).toBe('A stored secret was encrypted under a key that is not known here.')
    }
    expect.unreachable()
  })
})

describe('the quarantine', () => {
  test('lists a bad row once, counts its attempts, and releases it when it is handled without an error', async () => {
    const { tenantId: tenant } = await given.tenant()
    const key = randomUUID()
    await quarantine.add('check', [{ key, tenant, error: new TypeError('bad') }])
    await quarantine.add('check', [{ key, tenant, error: new RangeError('worse') }])
    expect(await listed(key)).toEqual([
      { kind: 'check', tenant_id: tenant, reason: expect.stringMatching(/^RangeError/), attempts: 2, is_put_off: true },
    ])
    await quarantine.release('check', [key])
    expect(await listed(key)).toEqual([])
  })

  test('puts a row off and lists it in one transaction', async () => {
    const owner = await given.tenant()
    const { id: monitor } = await aMonitor(owner)
    const putOff = (key: string, text: string) =>
      quarantine.putOff('check', [{ key, tenant: owner.tenantId, error: new Error('bad') }], client =>
        client.query(text, [monitor]),
      )
    const nameOf = async () => (await platform.query('select name from monitors where id = $1', [monitor])).rows[0].name
    const tooLong = 'k'.repeat(201)
    await putOff(tooLong, `update monitors set name = 'refused' where id = $1`)
    expect(await nameOf()).not.toBe('refused')
    await putOff(monitor, 'update monitors set name = null where id = $1')
    expect(await listed(monitor)).toEqual([])
    await putOff(monitor, `update monitors set name = 'put off' where id = $1`)
    expect([await nameOf(), (await listed(monitor)).length]).toEqual(['put off', 1])
    await quarantine.release('check', [monitor])
  })

  test('writes a row that fails again and again once a minute, and at once after its release', async () => {
    const { tenantId: tenant } = await given.tenant()
    const row = { key: randomUUID(), tenant, error: new Error('bad') }
    await quarantine.note('web_vitals', [row])
    await quarantine.note('web_vitals', [row])
    expect(await listed(row.key)).toMatchObject([{ attempts: 1 }])
    await new Quarantine({ platform, log }).release('web_vitals', [row.key])
    await quarantine.note('web_vitals', [row])
    expect(await listed(row.key)).toMatchObject([{ attempts: 1 }])
    await quarantine.release('web_vitals', [row.key])
  })

  test('does not list a row of a deleted tenant', async () => {
    const key = randomUUID()
    await quarantine.add('check', [{ key, tenant: randomUUID(), error: new Error('bad') }])
    expect(await listed(key)).toEqual([])
  })

  test('retries all rows of a tenant, and no others, at once after a change by the owner', async () => {
    const [owner, other] = [await given.tenant(), await given.tenant()]
    const [mine, theirs] = [await aMonitor(owner), await aMonitor(other)]
    await quarantine.add('heartbeat', [
      { key: mine.check, tenant: owner.tenantId, error: new Error('bad') },
      { key: theirs.check, tenant: other.tenantId, error: new Error('bad') },
    ])
    await platform.query(`update checks set settings = '{"grace_minutes": 7}' where id = $1`, [mine.check])
    expect(await listed(mine.check)).toMatchObject([{ is_put_off: false }])
    expect(await listed(theirs.check)).toMatchObject([{ is_put_off: true }])
  })

  test('passes due rows to the handler of their kind, and removes deleted ones', async () => {
    const owner = await given.tenant()
    const { check } = await aMonitor(owner)
    const gone = randomUUID()
    await quarantine.add(
      'check',
      [check, gone].map(key => ({ key, tenant: owner.tenantId, error: new Error('bad') })),
      0,
    )
    const tried: string[] = []
    const retrying = retryQuarantined({ platform, listener, log, retries: { check: keys => tried.push(...keys) } })
    await expect.poll(() => tried).toContain(check)
    expect(tried).not.toContain(gone)
    expect(await listed(gone)).toEqual([])
    expect(await listed(check)).toMatchObject([{ is_put_off: true }])
    await retrying.stop()
    await quarantine.release('check', [check])
  })
})
