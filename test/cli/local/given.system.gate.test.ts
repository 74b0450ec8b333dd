import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answers, until } from '#cli/local/loopback.ts'
import { openDatabases } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'

interface Event {
  event: string
  part?: string
  state?: string
  how?: string
  why?: string
  base_url?: string
  temporal_ui_url?: string | null
}

let folder = ''
let stop = async () => {}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-given-'))
})
afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['cli/vedette.js', 'up', '--json', '--data', folder, '--port', '18300', '--regions', 'eu-west'],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const events: Event[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', line => events.push(JSON.parse(line)))
  child.stderr.on('data', chunk => (errors += chunk))
  stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  }
  const ready = () => events.find(({ event }) => event === 'ready')
  await until(async () => ready() !== undefined || child.exitCode !== null, { withinMs: 90_000 })
  if (!ready()) throw new Error(`${errors}${JSON.stringify(events.slice(-3))}`)
  return {
    events,
    ready: ready(),
    parts: readdirSync(join(folder, 'run'))
      .map(file => file.replace('.json', ''))
      .sort(),
  }
}

test('uses the stores it is given, says so, and starts none of its own', { timeout: 120_000 }, async () => {
  const [{ ownerUrl, appUrl, platformUrl, clickhouseUrl }, temporal] = await Promise.all([
    openDatabases('vedette_given'),
    store('temporal'),
  ])
  const { events, ready, parts } = await start({
    DATABASE_URL: appUrl,
    DATABASE_PLATFORM_URL: platformUrl,
    DATABASE_OWNER_URL: ownerUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    TEMPORAL_ADDRESS: temporal.address,
  })
  expect(parts).toEqual(['agent-eu-west', 'control-plane'])
  const given = events.filter(({ how, state }) => how === 'given' && state === 'ready').map(({ part }) => part)
  expect(given.sort()).toEqual(['clickhouse', 'postgres', 'temporal'])
  expect((await answers(`${ready?.base_url}/readyz`))?.status).toBe(200)
})

test('serves without Temporal, and says what is missing and what to do', { timeout: 120_000 }, async () => {
  const { events, ready } = await start({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
  const failed = events.find(({ part, state }) => part === 'temporal' && state === 'failed')
  expect(failed?.why).toContain('life cycles wait')
  expect((await answers(`${ready?.base_url}/api/docs`))?.status).toBe(200)
})
