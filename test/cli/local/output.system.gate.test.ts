import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answers } from '#cli/local/loopback.ts'
import { eventually } from '#test/support/system.ts'

let folder = ''
let data = ''
let start: ChildProcess | undefined
let ended: Promise<unknown[]>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-output-'))
  data = join(folder, 'data')
})
afterEach(async () => {
  if (start?.exitCode === null && start.kill('SIGTERM')) await ended
  rmSync(folder, { recursive: true, force: true })
})

const up = () => [
  process.execPath,
  'cli/vedette.js',
  'up',
  '--json',
  '--data',
  data,
  '--port',
  '18700',
  '--regions',
  'home',
]

function run([command = '', ...args]: string[], stdio: 'pipe' | 'ignore'): ChildProcess {
  start = spawn(command, args, { stdio: ['ignore', stdio, stdio] })
  ended = once(start, 'exit')
  return start
}

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(join(data, file), 'utf8'))
  } catch {
    return undefined
  }
}

/** Ready, and able to start an agent again that was killed: two lines that cannot be written. */
async function goesOn(): Promise<void> {
  await eventually('the start is ready', async () => read('local.json') !== undefined, 90_000)
  const { environment } = read<{ environment: Record<string, string> }>('running.json') ?? {}
  await eventually(
    'the control plane',
    async () => (await answers(`${environment?.BASE_URL}/readyz`))?.status === 200,
    60_000,
  )
  const pid = () => read<{ pid: number }>('run/agent-home.json')?.pid ?? 0
  const before = pid()
  process.kill(before, 'SIGKILL')
  await eventually('another agent', async () => ![0, before].includes(pid()), 30_000)
  expect(start?.exitCode).toBeNull()
}

test('the start continues when its output is closed', { timeout: 240_000 }, async () => {
  const { stdout, stderr } = run(up(), 'pipe')
  await once(stdout!, 'data')
  stdout?.destroy()
  stderr?.destroy()
  await goesOn()
  start?.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})

test('the start goes on when its output lies on a full disk, and prints again once there is room', {
  timeout: 240_000,
}, async () => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const shell = `
    mount -t tmpfs -o size=64k tmpfs "$0" && touch "$0/out"
    dd if=/dev/zero of="$0/filler" bs=4k 2> /dev/null
    exec "$@" >> "$0/out" 2>&1`
  run(['unshare', '-m', 'sh', '-c', shell, disk, ...up()], 'ignore')
  await goesOn()
  const seen = `/proc/${start?.pid}/root${disk}`
  expect(readFileSync(join(seen, 'out'), 'utf8')).toBe('')
  rmSync(join(seen, 'filler'))
  const pid = read<{ pid: number }>('run/agent-home.json')?.pid ?? 0
  await eventually('the agent can be killed', async () => pid > 0 && process.kill(pid, 'SIGKILL'))
  await eventually(
    'a line is printed',
    async () => readFileSync(join(seen, 'out'), 'utf8').includes('"state":"crashed"'),
    30_000,
  )
})
