import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { System } from '#test/support/system.ts'
import { claim } from './figures.ts'
import { UptimeKuma } from './peers/uptime-kuma.ts'
import { Move } from './shadow/move.ts'

/**
 * A real Uptime Kuma of npm moves in: a dozen monitors of the kinds that are carried over are set up in it, its
 * database is imported, and both run side by side while its metrics are read. The targets then fail in known ways: what
 * is found to differ must be exactly that. Takes some eight minutes.
 */
const target = createServer(answer).listen(0, '127.0.0.1')
await once(target, 'listening')
const { port } = target.address() as AddressInfo
const at = (path: string) => `http://127.0.0.1:${port}/${path}`

type Seen = 'up' | 'down' | 'slow'
/** What each side is shown of a path; `up` where nothing else is said. */
const shown = new Map<string, { kuma: Seen; ours: Seen }>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').slice(1)
  const isKuma = request.headers['user-agent']?.startsWith('Uptime-Kuma') === true
  const seen = shown.get(path)?.[isKuma ? 'kuma' : 'ours'] ?? 'up'
  if (seen === 'slow') await sleep(2_000)
  response.statusCode = seen === 'down' ? 500 : 200
  if (path === 'json') response.setHeader('Content-Type', 'application/json')
  response.end(path === 'json' ? '{"state":"ready"}' : 'all is well')
}

const kuma = await UptimeKuma.open()
const system = await System.start()
try {
  const group = await kuma.add({ type: 'group', name: 'Bakery' })
  const ids = new Map<string, number>()
  const add = async (name: string, monitor: Record<string, unknown> & { type: 'http' }) =>
    void ids.set(name, await kuma.add({ ...monitor, name, parent: group }))
  for (const name of ['plain', 'both-down', 'ours-up', 'ours-down', 'slow-there', 'head'])
    await add(name, { type: 'http', url: at(name), ...(name === 'head' && { method: 'HEAD' }) })
  ids.set('keyword', await kuma.add({ type: 'keyword', name: 'keyword', url: at('keyword'), keyword: 'all is well' }))
  ids.set(
    'json',
    await kuma.add({ type: 'json-query', name: 'json', url: at('json'), jsonPath: 'state', expectedValue: 'ready' }),
  )
  ids.set('port', await kuma.add({ type: 'port', name: 'port', hostname: '127.0.0.1', port }))
  ids.set('push', await kuma.add({ type: 'push', name: 'push', pushToken: 'abcdefghijklmnopqrst0123456789AB' }))
  const paused = await kuma.add({ type: 'http', name: 'paused', url: at('paused') })
  await kuma.pause(paused)
  const key = await kuma.apiKey()
  const database = readFileSync(await kuma.database())

  // both measure milliseconds on this machine, which may be busy: two seconds are hundreds of times as much
  const options = { latency_factor: 100 }
  const move = await Move.begin(system, { provider: 'uptime-kuma', options }, database)
  const previewed = await move.is('previewed')
  claim('monitors that the preview carries over, of eleven beside a group', previewed.counts.create, 'at least', 11)
  const imported = await move.import()
  claim('monitors created', imported.counts.created, 'at least', 11)
  await move.shadow({ base_url: kuma.url, api_key: key })

  await move.polled(2)
  const before = await move.differing()
  console.log(`      while all is well: ${before.join(', ') || 'nothing differs'}`)
  claim('divergences while all is well', before.length, 'under', 1)

  const [up, down, slow] = ['up', 'down', 'slow'] as const
  shown.set('both-down', { kuma: down, ours: down })
  shown.set('ours-up', { kuma: down, ours: up })
  shown.set('ours-down', { kuma: up, ours: down })
  shown.set('slow-there', { kuma: slow, ours: up })
  await move.polled(4)
  const found = await move.differing()
  const wanted = ['ours-down: extra', 'ours-up: missed', 'slow-there: latency']
  console.log(`      while four targets fail: ${found.join(', ') || 'nothing differs'}`)
  claim('divergences made and found', wanted.filter(each => found.includes(each)).length, 'at least', wanted.length)
  claim('divergences found that were not made', found.filter(each => !wanted.includes(each)).length, 'under', 1)

  shown.clear()
  await move.polled(3)
  const after = await move.differing()
  console.log(`      once all is well again: ${after.join(', ') || 'nothing differs'}`)
  claim(
    'divergences that are still open once all is well',
    after.filter(each => !each.endsWith('latency')).length,
    'under',
    1,
  )
} finally {
  await Promise.allSettled([system.stop(), kuma.close()])
  target.close()
  target.closeAllConnections()
}
