import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { System } from '#test/support/system.ts'

let system: System
let isUp = true
const site = createServer((_request, response) => response.writeHead(isUp ? 200 : 500).end('all is well'))
beforeAll(async () => {
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  system = await System.start({ regions: ['eu-west'], args: ['--small'] })
}, 150_000)
afterAll(async () => {
  await system?.stop()
  site.close()
  site.closeAllConnections()
})

const eventually = async (what: string, condition: () => Promise<boolean>) => {
  if (!(await until(condition, { withinMs: 60_000 }))) throw new Error(`waited in vain: ${what}`)
}

test('a small system runs its agent in the control plane: it finds an outage, and goes on after a kill', async () => {
  expect(readdirSync(join(system.dataDir, 'run')).sort()).toEqual([
    'clickhouse.json',
    'control-plane.json',
    'postgres.json',
    'temporal.json',
  ])
  expect(system.events.find(({ part, state }) => part === 'agent-eu-west' && state === 'ready')).toMatchObject({
    note: 'inside the control plane',
  })
  const { port } = site.address() as AddressInfo
  const { id } = await system.addMonitor({ name: 'site', url: `http://127.0.0.1:${port}/` })
  const statusIs = (wanted: string) => async () => (await system.monitor(id)).status === wanted
  await eventually('the first result', statusIs('up'))
  isUp = false
  await eventually('an outage', statusIs('down'))
  expect(await system.incidents(id)).toHaveLength(1)

  const before = system.partPid('control-plane')
  process.kill(before, 'SIGKILL')
  await eventually('a restart', async () => {
    const pid = system.partPid('control-plane')
    return pid !== 0 && pid !== before
  })
  isUp = true
  await eventually('the recovery', () => statusIs('up')().catch(() => false))
  const [incident] = await system.incidents(id)
  expect(incident.status).toBe('resolved')
  expect(await system.incidents(id)).toHaveLength(1)
}, 200_000)

test('--small refuses a second region, and says what to type', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['cli/vedette.js', 'up', '--small', '--regions', 'eu-west,us-east', '--data', join(system.dataDir, 'other')],
    { encoding: 'utf8' },
  )
  expect(status).toBe(2)
  expect(stderr).toContain('--small runs one region, not 2')
  expect(stderr).toContain('npm start -- --small --regions eu-west')
})
