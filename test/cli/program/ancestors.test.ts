import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { birthOf } from '#cli/local/identity.ts'
import { until } from '#cli/local/loopback.ts'

let folder = ''
const started: number[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-ancestors-'))
  // the name by which the shell of npm is known
  writeFileSync(
    join(folder, 'vedette.js'),
    `import { appendFileSync } from 'node:fs'
     import { ancestors, whenOrphaned } from ${JSON.stringify(pathToFileURL('cli/program/ancestors.js').href)}
     const say = text => appendFileSync(${JSON.stringify(join(folder, 'story'))}, text + '\\n')
     whenOrphaned(ancestors(), () => { say('orphaned'); process.exit() })
     say('started ' + process.pid)
     setInterval(() => {}, 1000)`,
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterEach(() => {
  for (const pid of started.splice(0)) if (birthOf(pid)) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const story = () => {
  try {
    return readFileSync(join(folder, 'story'), 'utf8')
  } catch {
    return ''
  }
}

/** Starts the program below a process that stands for npm, which prints its id, below a shell that stands for the user's. */
async function start(script: string): Promise<{ shell: ChildProcess; npm: number; program: number }> {
  const npm = `const { spawn } = require('node:child_process')
    console.log(process.pid)
    spawn('/bin/sh', ['-c', ${JSON.stringify(script)}], { stdio: 'ignore' })
    setInterval(() => {}, 1000)`
  writeFileSync(join(folder, 'npm.cjs'), npm)
  const shell = spawn('/bin/sh', ['-c', '"$0" npm.cjs & read line', process.execPath], {
    cwd: folder,
    env: { ...process.env, NODE: process.execPath },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(shell.stdout!, 'data')
  const npmPid = Number(String(line))
  started.push(npmPid)
  expect(await until(async () => /started \d+/.test(story()), { withinMs: 30_000 })).toBe(true)
  const program = Number(/started (\d+)/.exec(story())?.[1])
  started.push(program)
  return { shell, npm: npmPid, program }
}

const scripts = [
  ['replaces its shell', 'exec "$NODE" vedette.js'],
  ['runs below its shell', '"$NODE" vedette.js; exit 0'],
] as const

test.each(scripts)('a program that %s goes on when the shell of the person ends', async (_how, script) => {
  const { shell, program } = await start(script)
  shell.stdin?.end('\n')
  await once(shell, 'exit')
  expect(await until(async () => story().includes('orphaned'), { withinMs: 2_000 })).toBe(false)
  expect(birthOf(program)).toBeDefined()
})

test.each(scripts)('a program that %s ends when npm is killed', async (_how, script) => {
  const { npm, program } = await start(script)
  process.kill(npm, 'SIGKILL')
  expect(await until(async () => story().includes('orphaned'), { withinMs: 20_000 })).toBe(true)
  expect(await until(async () => birthOf(program) === undefined, { withinMs: 20_000 })).toBe(true)
})
