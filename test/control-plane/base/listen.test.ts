import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Listener } from '#control-plane/base/listen.ts'
import { app } from '#test/support/app.ts'

const { platform, config } = app.services
const log = pino({ level: 'silent' })
const aChannel = () => `test_${randomUUID().replaceAll('-', '')}`

async function receives(listener: Listener, channel: string, received: readonly string[]): Promise<void> {
  expect(listener.isConnected).toBe(true)
  await platform.query('select pg_notify($1, $2)', [channel, 'a word'])
  await expect.poll(() => received).toContain('a word')
}

test('a channel added while the connection is established receives notices', async () => {
  const listener = new Listener(config.platformUrl, log)
  const [early, late] = [aChannel(), aChannel()]
  const received = { early: [] as string[], late: [] as string[] }
  listener.on(early, payload => received.early.push(payload))
  // the last thing that is done before the connection is ours
  await listener.session(async () => {
    listener.on(late, payload => received.late.push(payload))
  })
  await listener.start()
  await receives(listener, early, received.early)
  await receives(listener, late, received.late)
  await listener.stop()
})

test('a channel added during a reconnect receives notices', async () => {
  const listener = new Listener(config.platformUrl, log)
  const late = aChannel()
  const received: string[] = []
  const pids: number[] = []
  await listener.session(async client => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pids.push(rows[0]!.pid)
    if (pids.length === 2) listener.on(late, payload => received.push(payload))
  })
  await listener.start()
  const again = new Promise<void>(resolve => listener.onMissed(() => resolve()))
  const { Client } = await import('pg')
  const owner = new Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  await owner.query('select pg_terminate_backend($1)', [pids[0]])
  await owner.end()
  await again
  await receives(listener, late, received)
  await listener.stop()
})

test('a session added while the connection is established is set up once', async () => {
  const listener = new Listener(config.platformUrl, log)
  let times = 0
  await listener.session(async () => {
    await listener.session(async () => {
      times++
    })
  })
  await listener.start()
  expect(times).toBe(1)
  await listener.stop()
})
