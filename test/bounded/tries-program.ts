import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Ask } from '#bounded/program.ts'

/** What programs of the runner try in its tests. */
const tries = {
  echo: (value: unknown) => value,
  pid: () => process.pid,
  environment: () =>
    Object.keys(process.env).filter(name => name !== 'NODE_CHANNEL_FD' && !name.startsWith('NODE_CHANNEL')),
  fault() {
    throw Object.assign(new RangeError('It is too long.'), { place: 3, secret: { of: 'none' } })
  },
  loop() {
    for (;;);
  },
  backtrack: () => /^(a+)+$/.test(`${'a'.repeat(50)}b`),
  wait: (ms: unknown) => new Promise(resolve => setTimeout(resolve, Number(ms), 'waited')),
  compute(ms: unknown) {
    const began = process.cpuUsage()
    for (let used = 0; used < Number(ms); ) {
      const { user, system } = process.cpuUsage(began)
      used = (user + system) / 1_000
    }
    return 'computed'
  },
  objects() {
    const kept: object[] = []
    for (;;) kept.push({ a: 1, b: 2 })
  },
  map() {
    const kept = new Map<string, number>()
    for (let n = 0; ; n++) kept.set(`key ${n}`, n)
  },
  array: () => new Array(30_000_000).fill(1.5).map((_, index) => ({ index })).length,
  text() {
    let text = 'x'.repeat(1_000)
    for (let n = 0; n < 18; n++) text += text
    return text.replace(/x/g, 'yy').length
  },
  write: (path: unknown) => writeFileSync(String(path), 'x'),
  start: () => String(execFileSync('true')),
  async ask(question: unknown, ask: Ask) {
    const answers = await Promise.all([ask(question), ask([question])])
    return [...answers, await ask('fail').catch(({ name, message, status }) => ({ name, message, status }))]
  },
  async askAndLoop(question: unknown, ask: Ask) {
    await ask(question)
    for (;;);
  },
} as const

export const run = ({ what, value }: { what: keyof typeof tries; value?: unknown }, ask: Ask): unknown =>
  (tries[what] as (value: unknown, ask: Ask) => unknown)(value, ask)
