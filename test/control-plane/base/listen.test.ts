import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Listener } from '#control-plane/base/listen.ts'
import { app } from '#test/support/app.ts'

const { platform, config } = app.services
const log = pino({ level: 'silent' })
const aChannel = () => `test_${randomUUID().replaceAll('-', '')}`

async function hears(listener: Listener, channel: string, heard: readonly string[]): Promise<void> {
  expect(listener.isConnected).toBe(true)
  await platform.query('select pg_notify($1, $2)', [channel, 'a word'])
  await expect.poll(() => heard).toContain('a word')
}

test('a channel added while the connection is established receives notices', async () => {
  const listener = new Listener(config.platformUrl, log)
  const [early, late] = [aChannel(), aChannel()]
  const heard = { early: [] as string[], late: [] as string[] }
  listener.on(early, payload => heard.early.push(payload))
  // the last thing that is done before the connection is ours
  await listener.session(async () => {
    listener.on(late, payload => heard.late.push(payload))
  })
  await listener.start()
  await hears(listener, early, heard.early)
  await hears(listener, late, heard.late)
  await listener.stop()
})

test('a channel added during a reconnect receives notices', async () => {
  const listener = new Listener(config.platformUrl, log)
  const late = aChannel()
  const heard: string[] = []
  const pids: number[] = []
  await listener.session(async client => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pids.push(rows[0]!.pid)
    if (pids.length === 2) listener.on(late, payload => heard.push(payload))
  })
  await listener.start()
  const again = new Promise<void>(resolve => listener.onMissed(() => resolve()))
  const { Client } = await import('pg')
  const owner = new Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  await owner.query('select pg_terminate_backend($1)', [pids[0]])
  await owner.end()
  await again
  await hears(listener, late, heard)
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
