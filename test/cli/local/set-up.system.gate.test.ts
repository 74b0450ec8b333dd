import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '#cli/command.ts'
import { until } from '#cli/local/loopback.ts'
import { program } from '#test/support/program.ts'

interface Ready {
  event: string
  base_url: string
  setup_url: string | null
}

let folder = ''
let stop = async () => {}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-set-up-'))
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts everything on the same data; `ready` is undefined when the start fails. */
async function start(env: Record<string, string> = {}) {
  await stop()
  const args = ['up', '--json', '--data', join(folder, 'data'), '--port', '18960', '--regions', 'home']
  const child = spawn(process.execPath, program(...args), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const events: Ready[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', line => events.push(JSON.parse(line)))
  child.stderr.on('data', chunk => (errors += chunk))
  stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const ready = () => events.find(({ event }) => event === 'ready')
  await until(async () => ready() !== undefined || child.exitCode !== null, { withinMs: 120_000 })
  return { ready: ready(), code: child.exitCode, errors }
}

const person = (link: string | null) => ({
  token: new URL(link ?? '').hash.replace('#t=', ''),
  name: 'Ines Weber',
  email: 'ines@example.com',
  password: 'correct horse battery staple',
  team_name: 'Acme',
})
const setUp = async (baseUrl: string, body: object) => {
  const response = await fetch(`${baseUrl}/api/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify(body),
  })
  return response.status
}

test('a start says what is wrong with its operator, prints a link that works once, and none afterwards', {
  timeout: 300_000,
}, async () => {
  const weak = join(folder, 'password')
  writeFileSync(weak, 'short\n')
  const failed = await start({ SETUP_EMAIL: 'ines@example.com', SETUP_PASSWORD_FILE: weak })
  expect(failed.code).toBe(2)
  expect(failed.errors).toContain('this password will not do')
  expect(failed.errors).toContain('type    SETUP_PASSWORD_FILE=FILE')

  const first = await start()
  const { ready } = await start()
  expect(ready?.setup_url).toMatch(/^http:\/\/localhost:\d+\/setup#t=[\w-]{43}$/)
  const baseUrl = ready?.base_url ?? ''
  expect(await setUp(baseUrl, person(first.ready?.setup_url ?? null))).toBe(422)
  const { stdout } = await runCommand(['setup-link', '--data', join(folder, 'data')], process.env)
  expect(await setUp(baseUrl, person(ready?.setup_url ?? null))).toBe(422)
  expect(await setUp(baseUrl, person(stdout.trim()))).toBe(201)
  expect((await runCommand(['setup-link', '--data', join(folder, 'data')], process.env)).code).toBe(2)

  const third = await start({ SETUP_EMAIL: 'another@example.com', SETUP_PASSWORD_FILE: weak })
  expect(third.ready?.setup_url).toBeNull()
})
