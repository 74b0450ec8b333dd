import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { birthOf, identify, isAlive } from '#cli/local/identity.ts'
import { until } from '#cli/local/loopback.ts'
import type { PartLine, Show } from '#cli/local/show.ts'
import { type Part, Supervisor, stopLeftovers } from '#cli/local/supervise.ts'

let folder = ''
let crashes: (PartLine & { why: string })[] = []
let again: PartLine[] = []
let waits: (PartLine & { seconds: number; why: string })[] = []
let supervisor: Supervisor | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-supervise-'))
  crashes = []
  again = []
  waits = []
})
afterEach(async () => {
  await supervisor?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const show: Show = {
  head() {},
  starting() {},
  ready: line => again.push(line),
  failed() {},
  crashed: line => crashes.push(line),
  waiting: line => waits.push(line),
  note() {},
  block() {},
  event() {},
  end() {},
}
const open = () => {
  supervisor = new Supervisor({ dataDir: folder, show })
  return supervisor
}

/** A part that writes what happens to it into a file all parts share. */
function part(name: string, fields: Partial<Part> & { script?: string } = {}): Part {
  const story = join(folder, 'story')
  const script =
    fields.script ??
    `
    const { appendFileSync } = require('node:fs')
    appendFileSync('${story}', '${name} up\\n')
    process.on('SIGTERM', () => { appendFileSync('${story}', '${name} down\\n'); process.exit(0) })
    setInterval(() => {}, 1000)`
  return {
    name,
    title: name,
    command: process.execPath,
    args: ['-e', script],
    env: {},
    stopSignal: 'SIGTERM',
    stage: 0,
    stopMs: 1_000,
    isReady: async () => readStory().includes(`${name} up`),
    ...fields,
  }
}
const readStory = () => {
  try {
    return readFileSync(join(folder, 'story'), 'utf8')
  } catch {
    return ''
  }
}
const pidOf = (name: string) => JSON.parse(readFileSync(join(folder, 'run', `${name}.json`), 'utf8')).pid as number

describe('the supervisor', () => {
  test('stops parts stage by stage', async () => {
    const parts = open()
    for (const [name, stage] of [
      ['store', 3],
      ['plane', 1],
      ['agent', 0],
    ] as const)
      await parts.start(part(name, { stage }))
    await parts.stop()
    expect(readStory().match(/\w+ down/g)).toEqual(['agent down', 'plane down', 'store down'])
  })

  test('starts a part that crashed again, and only that one', async () => {
    const parts = open()
    await parts.start(part('one'))
    await parts.start(part('two'))
    const [first, other] = [pidOf('one'), pidOf('two')]
    process.kill(first, 'SIGKILL')
    expect(await until(async () => again.length > 0, { withinMs: 5_000 })).toBe(true)
    expect(crashes).toMatchObject([{ part: 'one', why: 'was ended by SIGKILL' }])
    expect(pidOf('one')).not.toBe(first)
    expect(pidOf('two')).toBe(other)
    expect(birthOf(other)).toBeDefined()
  })

  test('reports why a part did not start after three tries, with its last log lines', async () => {
    const start = open().start(
      part('broken', { script: `console.error('the port is taken'); process.exit(9)`, isReady: async () => false }),
    )
    await expect(start).rejects.toMatchObject({
      message: 'broken ended with code 9',
      why: expect.stringContaining('the port is taken'),
    })
    expect(crashes).toMatchObject([{ why: 'ended with code 9 (the port is taken)' }, {}])
  })

  test('does not try a part again that refuses its configuration', async () => {
    const script = `console.error('PORT: Is not a number.'); process.exit(2)`
    const start = open().start(part('refusing', { script, isReady: async () => false, tries: Infinity }))
    await expect(start).rejects.toMatchObject({ code: 2, message: 'refusing ended with code 2' })
    expect(crashes).toEqual([])
  })

  test('starts a part again that ends while it starts, and then goes on', async () => {
    const seen = join(folder, 'seen')
    const script = `
      const { appendFileSync, existsSync, writeFileSync } = require('node:fs')
      if (!existsSync('${seen}')) { writeFileSync('${seen}', ''); process.exit(1) }
      appendFileSync('${join(folder, 'story')}', 'shaky up\\n')
      setInterval(() => {}, 1000)`
    await open().start(part('shaky', { script }))
    expect(crashes).toMatchObject([{ part: 'shaky', why: 'ended with code 1' }])
  })

  test('waits for a part that does not answer, and says for how long and what it said last', {
    timeout: 60_000,
  }, async () => {
    const parts = open()
    const script = `console.log('reading the log'); setInterval(() => {}, 1000)`
    let answers = false
    const start = parts.start(part('slow', { script, isReady: async () => answers }))
    expect(await until(async () => waits.length > 0, { withinMs: 40_000 })).toBe(true)
    expect(waits[0]).toMatchObject({ part: 'slow', why: 'reading the log' })
    expect(waits[0]?.seconds).toBeGreaterThanOrEqual(14)
    answers = true
    await start
    expect(crashes).toEqual([])
  })

  test('stops a part that never answers, and leaves no process', async () => {
    const parts = open()
    const start = parts.start(part('mute', { isReady: async () => false }))
    start.catch(() => {})
    const pid = await until(async () => readStory().includes('mute up'), { withinMs: 20_000 }).then(() => pidOf('mute'))
    await parts.stop()
    await expect(start).rejects.toThrow('mute was stopped while it started')
    expect(birthOf(pid)).toBeUndefined()
  })

  test('starts nothing after a stop', async () => {
    const parts = open()
    await parts.start(part('early'))
    const stopping = parts.stop()
    await expect(parts.start(part('late'))).rejects.toThrow('late was stopped while it started')
    await stopping
    expect(readStory()).not.toContain('late')
  })

  test('ends by force what does not end by itself', async () => {
    const parts = open()
    const script = `require('node:fs').appendFileSync('${join(folder, 'story')}',
      'deaf up\\n'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
    await parts.start(part('deaf', { script, stopMs: 300 }))
    const pid = pidOf('deaf')
    const began = performance.now()
    await parts.stop()
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(birthOf(pid)).toBeUndefined()
  })

  test('leaves no process behind when it is killed itself', async () => {
    const program = `
      import { Supervisor } from '#cli/local/supervise.ts'
      const show = new Proxy({}, { get: () => () => {} })
      const supervisor = new Supervisor({ dataDir: process.argv[2], show })
      const part = (name, stage) => ({ name, title: name, command: process.execPath, args: ['-e',
        'setInterval(() => {}, 1000)'], env: {}, stopSignal: 'SIGTERM', stage, stopMs: 1000,
        isReady: async () => true })
      await supervisor.start(part('one', 0))
      await supervisor.start(part('two', 4))
      console.log('started')
      setInterval(() => {}, 1000)`
    const file = join(import.meta.dirname, `killed-${process.pid}.tmp.ts`) // inside the package, for its # imports
    writeFileSync(file, program)
    try {
      const child = spawn(process.execPath, [file, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      const pids = ['one', 'two'].map(pidOf)
      expect(pids.map(birthOf)).not.toContain(undefined)
      child.kill('SIGKILL')
      expect(await until(async () => pids.every(pid => birthOf(pid) === undefined), { withinMs: 5_000 })).toBe(true)
    } finally {
      rmSync(file, { force: true })
    }
  })

  test('stops leftovers of an earlier start, but never a process that only bears the same number', async () => {
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
    try {
      await open().stop()
      writeFileSync(
        join(folder, 'run', 'left.json'),
        JSON.stringify({ ...identify(left.pid ?? 0), stopSignal: 'SIGTERM' }),
      )
      writeFileSync(
        join(folder, 'run', 'stranger.json'),
        JSON.stringify({ ...identify(stranger.pid ?? 0), birth: '1', stopSignal: 'SIGTERM' }),
      )
      writeFileSync(join(folder, 'run', 'truncated.json'), '{"pid": 1')
      expect(await stopLeftovers(folder)).toEqual(['left'])
      expect(birthOf(left.pid ?? 0)).toBeUndefined()
      expect(isAlive(identify(stranger.pid ?? 0))).toBe(true)
    } finally {
      left.kill('SIGKILL')
      stranger.kill('SIGKILL')
    }
  })
})
