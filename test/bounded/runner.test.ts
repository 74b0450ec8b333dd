import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunnerBusy } from '#bounded/errors.ts'
import { boundedList, boundedProgram } from '#bounded/program.ts'
import { BoundedRunner } from '#bounded/runner.ts'
import { until } from '#cli/local/loopback.ts'
import { cpuOf } from '#test/support/cpu.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import type { run as list } from './list-program.ts'
import type { run as tries } from './tries-program.ts'

const bounds = {
  name: 'tries',
  file: join(import.meta.dirname, 'tries-program.ts'),
  queue: 'short',
  cpuMs: 500,
  wallMs: 20_000,
} as const
const program = boundedProgram<typeof tries>(bounds)
const numbers = boundedList<typeof list>({
  ...bounds,
  name: 'numbers',
  file: join(import.meta.dirname, 'list-program.ts'),
})

let runner: BoundedRunner
const outcomes: string[] = []
beforeAll(() => {
  runner = new BoundedRunner({
    limits: { secondsAMinute: 1_000 },
    onRun: (name, outcome) => outcomes.push(`${name} ${outcome}`),
  })
})
afterAll(() => runner.close())

const tried = (what: Parameters<typeof tries>[0]['what'], value?: unknown, key = 'one') =>
  runner.run(program, { what, value }, key, { isPatient: true })

describe('a run', () => {
  test('returns what its program made of the input', async () => {
    const value = { text: 'ä😀', list: [1, null], at: new Date(0), bytes: Buffer.from('abc') }
    expect(await tried('echo', value)).toEqual(value)
    expect(await tried('wait', 1)).toBe('waited')
    expect(outcomes.at(-1)).toBe('tries done')
  })

  test('throws what its program threw, with its plain fields', async () => {
    await expect(tried('fault')).rejects.toMatchObject({
      name: 'ProgramError',
      thrown: 'RangeError',
      message: 'It is too long.',
      fields: { place: 3 },
    })
    expect(await tried('echo', 1)).toBe(1)
  })

  test('sees nothing of the environment, writes no file and starts no process', async () => {
    expect(await tried('environment')).toEqual([])
    const path = join(tmpdir(), `bounded-${process.pid}`)
    await expect(tried('write', path)).rejects.toMatchObject({ fields: { code: 'ERR_ACCESS_DENIED' } })
    await expect(tried('start')).rejects.toMatchObject({ fields: { code: 'ERR_ACCESS_DENIED' } })
    expect(existsSync(path)).toBe(false)
  })

  test.each(['loop', 'backtrack'] as const)(
    'that computes without end (%s) is ended, and another follows',
    async what => {
      await expect(tried(what)).rejects.toMatchObject({ name: 'RunExceeded', bound: 'time' })
      expect(await tried('echo', 2)).toBe(2)
    },
  )

  test('asks its caller, whose time is not its own, and sees what the caller throws', async () => {
    const reply = async (question: unknown) => {
      if (question === 'fail') throw Object.assign(new RangeError('It is too far.'), { status: 404 })
      await sleep(400)
      return { question }
    }
    const impatient = boundedProgram<typeof tries>({ ...bounds, cpuMs: 300, wallMs: 300 })
    const asked = { isPatient: true, reply }
    expect(await runner.run(impatient, { what: 'ask', value: 1 }, 'one', asked)).toEqual([
      { question: 1 },
      { question: [1] },
      { name: 'RangeError', message: 'It is too far.', status: 404 },
    ])
    await expect(runner.run(impatient, { what: 'askAndLoop', value: 1 }, 'one', asked)).rejects.toMatchObject({
      bound: 'time',
    })
    await expect(tried('ask', 1)).rejects.toMatchObject({ message: 'The caller answers no questions.' })
  })

  test('that waits without end is ended', async () => {
    const impatient = boundedProgram<typeof tries>({ ...bounds, wallMs: 300 })
    await expect(runner.run(impatient, { what: 'wait', value: 600_000 }, 'one')).rejects.toMatchObject({
      bound: 'time',
    })
  })

  test.each(['objects', 'map', 'array', 'text'] as const)(
    'that takes all memory (%s) is ended, and another follows',
    async what => {
      const greedy = boundedProgram<typeof tries>({ ...bounds, cpuMs: 20_000, wallMs: 80_000 })
      await expect(runner.run(greedy, { what }, 'one')).rejects.toMatchObject({ name: 'RunExceeded', bound: 'memory' })
      expect(await tried('echo', 3)).toBe(3)
    },
  )

  test('costs our own event loop little', async () => {
    await tried('echo')
    const text = 'x'.repeat(250_000)
    expect(await cpuOf(() => tried('echo', text))).toBeLessThan(20)
    expect(await blockedBy(() => tried('compute', 100))).toBeLessThan(mostBlockedMs)
  })

  test('whose code cannot be loaded is an error of ours', async () => {
    const missing = boundedProgram<typeof tries>({ ...bounds, file: '/nowhere.ts' })
    await expect(runner.run(missing, { what: 'echo' }, 'one')).rejects.toMatchObject({ name: 'ProgramError' })
  })
})

describe('a list', () => {
  test('has its items one by one, as they are asked for', async () => {
    const made: { n: number; atMs: number }[] = []
    for await (const item of runner.list(numbers, { count: 3 }, 'one')) {
      made.push(item)
      await sleep(100)
    }
    expect(made.map(({ n }) => n)).toEqual([0, 1, 2])
    expect(made[2]!.atMs - made[1]!.atMs).toBeGreaterThanOrEqual(90)
    expect(outcomes.at(-1)).toBe('numbers done')
  })

  test('that is left before its end leaves the host to others', async () => {
    for await (const { n } of runner.list(numbers, { count: 1_000_000 }, 'one')) if (n === 5) break
    expect(await tried('echo', 4)).toBe(4)
  })

  test('that ends at its bounds has the items before', async () => {
    const made: number[] = []
    const read = async () => {
      for await (const { n } of runner.list(numbers, { count: 9, endlessAt: 2 }, 'one')) made.push(n)
    }
    await expect(read()).rejects.toMatchObject({ bound: 'time' })
    expect(made).toEqual([0, 1])
  })
})

describe('many runs', () => {
  test('of one key leave a host to the next key', async () => {
    const many = Array.from({ length: 8 }, () => tried('compute', 200, 'hog'))
    const began = performance.now()
    await tried('echo', 1, 'honest')
    const honestMs = performance.now() - began
    await Promise.all(many)
    expect(honestMs).toBeLessThan((performance.now() - began) / 2)
  })

  test('beyond those that may wait are refused, those of other keys are not', async () => {
    const small = new BoundedRunner({ limits: { short: { hosts: 1, waiting: 4, waitingOfKey: 2 } } })
    const asked = (key: string, isPatient = false) =>
      small.run(program, { what: 'wait', value: 100 }, key, { isPatient }).then(
        () => 'done',
        ({ name, isOwn }) => `${name} ${isOwn}`,
      )
    const outcomes = await Promise.all([...'aaaabbcc'].map(key => asked(key)).concat(asked('a', true)))
    expect(outcomes).toEqual([
      'done',
      'done',
      'done',
      'RunnerBusy true',
      'done',
      'done',
      'RunnerBusy false',
      'RunnerBusy false',
      'done',
    ])
    await small.close()
  })

  test('that took a key its seconds of a minute are refused, but for patient callers and other keys', async () => {
    const small = new BoundedRunner({ limits: { secondsAMinute: 0.2 } })
    const computed = (key: string, isPatient = false) =>
      small.run(program, { what: 'compute', value: 300 }, key, { isPatient })
    await computed('a')
    await expect(computed('a')).rejects.toMatchObject({ name: 'RunnerBusy', isOwn: true })
    const { retryAfterS } = (await computed('a').catch(error => error)) as RunnerBusy
    expect(retryAfterS).toBeGreaterThan(5)
    expect(retryAfterS).toBeLessThanOrEqual(120)
    expect(await computed('a', true)).toBe('computed')
    expect(await computed('b')).toBe('computed')
    await small.close()
  })

  test('wait for so long', async () => {
    const small = new BoundedRunner({ limits: { short: { hosts: 1, waitMs: 50 } } })
    const first = small.run(program, { what: 'wait', value: 500 }, 'a')
    await expect(small.run(program, { what: 'echo' }, 'b')).rejects.toMatchObject({ name: 'RunnerBusy' })
    expect(await first).toBe('waited')
    expect(small.waiting('short')).toBe(0)
    await small.close()
  })
})

describe('a host', () => {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  test('that ends by itself is replaced', async () => {
    const pid = Number(await tried('pid'))
    process.kill(pid, 'SIGKILL')
    await until(async () => !isAlive(pid), { withinMs: 10_000 })
    expect(Number(await tried('pid'))).not.toBe(pid)
  })

  test('ends when it has no run for long', async () => {
    const brief = new BoundedRunner({ limits: { idleMs: 100 } })
    const pid = Number(await brief.run(program, { what: 'pid' }, 'one'))
    expect(await until(async () => !isAlive(pid), { withinMs: 10_000 })).toBe(true)
    await brief.close()
  })

  test('ends with the runner, which waits for a run under way and refuses others', async () => {
    const closing = new BoundedRunner()
    const pid = Number(await closing.run(program, { what: 'pid' }, 'one'))
    const last = closing.run(program, { what: 'wait', value: 300 }, 'one')
    const closed = closing.close()
    await expect(closing.run(program, { what: 'echo' }, 'one')).rejects.toMatchObject({ name: 'RunnerBusy' })
    expect(await last).toBe('waited')
    await closed
    expect(await until(async () => !isAlive(pid), { withinMs: 10_000 })).toBe(true)
  })

  test('that computes without end ends although its parent was killed', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'orphan.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = await once(child.stdout, 'data').then(([chunk]) => [Number(String(chunk))])
    expect(isAlive(pid!)).toBe(true)
    child.kill('SIGKILL')
    expect(await until(async () => !isAlive(pid!), { withinMs: 20_000 })).toBe(true)
  })
})

afterAll(() => rmSync(join(tmpdir(), `bounded-${process.pid}`), { force: true }))
