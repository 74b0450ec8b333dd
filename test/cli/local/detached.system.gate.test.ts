import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { birthOf } from '#cli/local/identity.ts'
import { eventually } from '#test/support/system.ts'

/** Of all starts, one after the other: only the first makes databases. */
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-detached-'))
})
afterEach(async () => {
  const pid = holder()
  if (pid && birthOf(pid)) process.kill(pid, 'SIGTERM')
  await eventually('the end of the start', async () => !pid || birthOf(pid) === undefined, 30_000)
  rmSync(join(folder, 'out'), { force: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const data = () => join(folder, 'data')
function holder(): number | undefined {
  try {
    return JSON.parse(readFileSync(join(data(), 'running.json'), 'utf8')).pid
  } catch {
    return
  }
}
const output = () => (existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8') : '')
const arguments_ = '--silent -- --json --small --port 0 --data "$0/data"'
const isReady = () => eventually('the start is ready', async () => output().includes('"event":"ready"'), 150_000)

test('a start in the background lives on after its shell has ended and its terminal is gone, and stops with npm', {
  timeout: 240_000,
}, async () => {
  // a session of its own is what a terminal gives; a group of its own is what an interactive shell gives a job
  const script = `set -m; nohup npm start ${arguments_} > "$0/out" 2>&1 < /dev/null & echo $!`
  const shell = spawn('bash', ['-c', script, folder], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shell.stdout, 'data')
  const job = Number(String(line))
  if (shell.exitCode === null) await once(shell, 'exit')
  await isReady()
  const pid = holder() ?? 0
  expect(output()).not.toMatch(/port \d+ is taken/)

  process.kill(-job, 'SIGHUP') // what a shell sends to its jobs when the terminal is closed
  await eventually('it says that the terminal is gone', async () => output().includes('the terminal is gone'), 30_000)
  await eventually('npm has ended', async () => birthOf(job) === undefined, 30_000)
  const seen = Date.now()
  await eventually('two seconds pass', async () => Date.now() - seen > 2_000)
  expect(holder()).toBe(pid)
  expect(birthOf(pid)).toBeDefined()
  process.kill(pid, 'SIGTERM')
  await eventually('it has stopped in order', async () => !existsSync(join(data(), 'running.json')), 30_000)
})

test.each(['SIGTERM', 'SIGKILL', 'SIGHUP'] as const)(
  'a start stops in order when npm is ended by %s',
  {
    timeout: 240_000,
  },
  async signal => {
    const script = `npm start ${arguments_} > "$0/out" 2>&1 < /dev/null & echo $!; wait`
    const shell = spawn('bash', ['-c', script, folder], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(shell.stdout, 'data')
    const npm = Number(String(line))
    await isReady()
    const pid = holder() ?? 0
    process.kill(npm, signal)
    await eventually('it has stopped in order', async () => !existsSync(join(data(), 'running.json')), 30_000)
    await eventually('its process has ended', async () => birthOf(pid) === undefined, 30_000)
  },
)
