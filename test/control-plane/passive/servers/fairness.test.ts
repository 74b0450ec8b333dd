import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openClickhouse } from '#analytics/client.ts'
import { take } from '#control-plane/passive/servers/intake/take.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

type IntakeContext = Parameters<typeof take>[0]

const aServer = async (of: CallerUnderTest): Promise<string> =>
  (await of.post('/agent-monitors', { name: 'web-1' })).body.data.id

test('waiting batches of one tenant leave slots to another tenant while the store hangs', async () => {
  const hanging = createServer(socket => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const clickhouse = openClickhouse(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`, {
    requestTimeoutMs: 2_000,
  })
  const services = { ...app.services, clickhouse }
  try {
    const [hog, other] = [await given.tenant(), await given.tenant()]
    const [hogs, others] = [await aServer(hog), await aServer(other)]
    const send = (tenant: CallerUnderTest, monitorId: string) => {
      const tenantRow = { id: tenant.tenantId, plan: 'pro', featureOverrides: {} }
      const context = { services, tenant: tenantRow, server: { monitorId } } as IntakeContext
      return take(context, {
        readings: [{ kind: 'value', metric: 'cpu', label: '', at: Date.now(), value: 1 }],
        ignored: 0,
      }).then(
        () => 'taken',
        error => error.message as string,
      )
    }
    const answered: string[] = []
    const many = Array.from({ length: 100 }, () => send(hog, hogs).then(answer => answered.push(answer)))
    await sleep(50)
    expect(answered).toEqual(Array(68).fill('Too many batches are in work.'))
    expect(await Promise.race([send(other, others), sleep(500).then(() => 'waits for the store')])).toBe(
      'waits for the store',
    )
    await Promise.allSettled(many.slice(0, 1))
  } finally {
    await clickhouse.close()
    hanging.close()
    hanging.unref()
  }
}, 30_000)
