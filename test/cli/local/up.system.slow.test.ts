import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { birthOf, commandOf } from '#cli/local/identity.ts'
import { Accounts, Local } from '#cli/local/local.ts'
import { answers, until } from '#cli/local/loopback.ts'
import { programFolder } from '#cli/program/folder.js'

interface Event {
  event: string
  part?: string
  state?: string
  pid?: number
  address?: string
  text?: string
  base_url?: string
  metrics_url?: string
  seconds?: number | string
}

/** `vedette up` as a program sees it. */
class Up {
  readonly child: ChildProcess
  readonly events: Event[] = []
  errors = ''
  readonly #ended: Promise<number>

  /** `before`: words before the file of the start. */
  constructor(args: string[], env: Record<string, string> = {}, before: string[] = [process.execPath]) {
    const [command = '', ...words] = before
    this.child = spawn(command, [...words, 'cli/vedette.js', 'up', '--json', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (this.child.stdout)
      createInterface({ input: this.child.stdout }).on('line', line => this.events.push(JSON.parse(line)))
    this.child.stderr?.on('data', chunk => (this.errors += chunk))
    this.#ended = once(this.child, 'exit').then(([code]) => code)
  }

  async ready(): Promise<Event> {
    const found = () => this.events.find(({ event }) => event === 'ready')
    await until(async () => found() !== undefined || this.child.exitCode !== null, { withinMs: 120_000 })
    const event = found()
    if (!event) throw new Error(`it did not become ready: ${this.errors} ${JSON.stringify(this.events.slice(-4))}`)
    return event
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number; tookMs: number }> {
    const began = performance.now()
    this.child.kill(signal)
    return { code: await this.#ended, tookMs: performance.now() - began }
  }

  ended = () => this.#ended
}

const partNames = [
  'postgres',
  'clickhouse',
  'temporal',
  'control-plane',
  'agent-eu-west',
  'agent-us-east',
  'agent-ap-south',
]
const pidsOf = (dataDir: string) =>
  Object.fromEntries(
    readdirSync(join(dataDir, 'run')).map(file => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(dataDir, 'run', file), 'utf8')).pid as number,
    ]),
  )
const areGone = (pids: number[]) =>
  until(async () => pids.every(pid => birthOf(pid) === undefined), { withinMs: 12_000, everyMs: 100 })
/** Never without a number: 0 would be ourselves. */
function killHard(pid: number | undefined) {
  if (!pid) throw new Error('there is no such process')
  process.kill(pid, 'SIGKILL')
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const localOf = (dataDir: string) => Local.parse(JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')))

describe('vedette up', { timeout: 150_000 }, () => {
  let folder = ''
  let dataDir = ''
  let running: Up | undefined
  const start = (args: string[] = [], env: Record<string, string> = {}, before?: string[]) => {
    running = new Up(['--data', dataDir, '--port', '18200', ...args], env, before)
    return running
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-up-'))
    dataDir = join(folder, 'data')
  })
  afterAll(async () => {
    if (running && running.child.exitCode === null) await running.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('creates keys and accounts at the first start and reports every part with its seconds', async () => {
    const up = start(['--temporal-ui'])
    let wasComplete = false
    void until(async () => up.events.some(({ event }) => event === 'ready'), { withinMs: 120_000, everyMs: 1 }).then(
      () => {
        wasComplete = Local.safeParse(JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8'))).success
      },
    )
    const ready = await up.ready()
    // the first start of these sources makes the program
    const parts = up.events.filter(
      ({ event, state, part }) => event === 'part' && state === 'ready' && part !== 'program',
    )
    expect(parts.map(({ part }) => part).sort()).toEqual([...partNames, 'node', 'schema', 'web'].sort())
    for (const { part, seconds } of parts) if (part !== 'node') expect(seconds, part).toBeTypeOf('number')
    expect(wasComplete).toBe(true)
    expect(modeOf(join(dataDir, 'local.json'))).toBe('600')
    expect(modeOf(join(dataDir, 'keys.json'))).toBe('600')
    for (const name of ['clickhouse', 'control-plane', 'agent-eu-west'])
      expect(commandOf(pidsOf(dataDir)[name] ?? 0), name).toContain(programFolder(process.cwd()))
    const local = localOf(dataDir)
    expect(local).toMatchObject({
      base_url: ready.base_url,
      metrics_url: ready.metrics_url,
      regions: ['eu-west', 'us-east', 'ap-south'],
    })
    expect(local.reseller.token).toMatch(/^rk-/)
    const app = await fetch(`${local.base_url}/app`, { headers: { Cookie: 'vedette=any' } })
    expect(await app.text()).toContain('<div id="app">')
    expect((await answers(`${local.base_url}/api/docs`))?.status).toBe(200)
    expect((await answers(local.metrics_url))?.status).toBe(200)
    expect((await answers(local.temporal_ui_url ?? ''))?.status).toBe(200)
  })

  test('holds its data folder: a second start on it is refused and says who holds it', async () => {
    const second = new Up(['--data', dataDir])
    expect(await second.ended()).toBe(2)
    expect(second.errors).toMatch(/already runs on .*\n +why +Process \d+ holds it, at http/)
  })

  test.each(partNames)('starts %s again when it is killed, and nothing else', async name => {
    const before = pidsOf(dataDir)
    const eventsBefore = running?.events.length ?? 0
    killHard(before[name])
    const isBack = () =>
      running?.events
        .slice(eventsBefore)
        .some(({ event, state, part }) => event === 'part' && state === 'ready' && part === name) ?? false
    expect(await until(async () => isBack(), { withinMs: 40_000 })).toBe(true)
    expect(running?.events.slice(eventsBefore).find(({ state }) => state === 'crashed')).toMatchObject({
      part: name,
      why: 'was ended by SIGKILL',
    })
    const after = pidsOf(dataDir)
    expect(after[name]).not.toBe(before[name])
    expect({ ...after, [name]: 0 }).toEqual({ ...before, [name]: 0 })
  })

  test('stops everything within ten seconds of SIGTERM and leaves no process', async () => {
    const pids = Object.values(pidsOf(dataDir))
    const { code, tookMs } = (await running?.stop('SIGTERM')) ?? { code: -1, tookMs: Number.POSITIVE_INFINITY }
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(10_000)
    expect(pids.map(birthOf)).toEqual(pids.map(() => undefined))
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false)
  })

  test('starts the second time in five seconds, with the same accounts', async () => {
    const before = localOf(dataDir)
    const began = performance.now()
    const ready = await start().ready()
    expect(localOf(dataDir).temporal_ui_url).toBeNull()
    // five seconds are the limit on an idle machine
    const crowding = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
    expect((performance.now() - began) / crowding).toBeLessThan(5_000)
    expect(Number(ready.seconds)).toBeGreaterThan(0)
    expect(Accounts.parse(localOf(dataDir))).toEqual(Accounts.parse(before))
  })

  test('leaves no process when it is killed without a chance to stop, and starts again on the same data', async () => {
    const pids = Object.values(pidsOf(dataDir))
    const holder = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')).pid as number
    killHard(holder)
    await running?.ended()
    expect(await areGone(pids)).toBe(true)
    await start().ready()
  })

  test('stops in order when npm is killed, which passes nothing on', async () => {
    await running?.stop()
    const shell = ['/bin/sh', '-c', '"$0" "$@"; exit 0', process.execPath]
    await start([], { npm_lifecycle_event: 'start' }, shell).ready()
    const pids = Object.values(pidsOf(dataDir))
    await running?.stop('SIGKILL')
    expect(await areGone(pids)).toBe(true)
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false)
  })

  test('stops in order when only the bootstrap is killed, where it cannot become the program', async () => {
    const older = [process.execPath, '--import', 'data:text/javascript,process.execve=undefined']
    await start([], {}, older).ready()
    const pids = Object.values(pidsOf(dataDir))
    expect(JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')).pid).not.toBe(running?.child.pid)
    await running?.stop('SIGKILL')
    expect(await areGone(pids)).toBe(true)
  })

  test('takes the next port when its own is taken, and says so', async () => {
    const other = createServer().listen(0, '0.0.0.0')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      running = new Up(['--data', dataDir, '--port', String(port)])
      const { base_url } = await running.ready()
      expect(base_url).not.toBe(`http://localhost:${port}`)
      expect(
        running.events.some(({ event, text }) => event === 'note' && text?.startsWith(`port ${port} is taken: using `)),
      ).toBe(true)
      expect(localOf(dataDir).base_url).toBe(base_url)
    } finally {
      other.close()
      await running?.stop('SIGINT')
    }
  })

  test('takes any port for 0, and says that none was taken but the one of the metrics', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      running = new Up(['--data', dataDir, '--port', '0'], { METRICS_PORT: String(port) })
      const { base_url } = await running.ready()
      expect(base_url).toMatch(/^http:\/\/localhost:[1-9]\d+$/)
      const notes = running.events.flatMap(({ event, text }) => (event === 'note' && text ? [text] : []))
      expect(notes.filter(text => text.includes('is taken'))).toEqual([
        expect.stringMatching(new RegExp(`^port ${port} of the metrics is taken: using \\d+$`)),
      ])
    } finally {
      other.close()
      await running?.stop('SIGINT')
    }
  })

  test.each(['abc', '65536', '-1', '1.5', '0x10'])('refuses METRICS_PORT=%s with exit code 2', async port => {
    const up = new Up(['--data', join(folder, 'ports')], { METRICS_PORT: port })
    expect(await up.ended()).toBe(2)
    expect(up.errors).toMatch(new RegExp(`METRICS_PORT is ${port}`))
  })

  test('refuses a wrong region with exit code 2, an unreachable store with 3', async () => {
    expect(await new Up(['--data', join(folder, 'x'), '--regions', 'Not A Region']).ended()).toBe(2)
    const up = new Up(['--data', join(folder, 'y')], { DATABASE_URL: 'postgres://unknown:x@127.0.0.1:1/none' })
    expect(await up.ended()).toBe(3)
    expect(up.errors).toMatch(/PostgreSQL at 127\.0\.0\.1:1 cannot be used[\s\S]*or unset DATABASE_URL/)
  })
})
