import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFlags } from '#cli/command.ts'
import { StartFault } from '#cli/fault.ts'

const root = join(import.meta.dirname, '..', '..')

/** The programs of bench/, one for each claim about speed. */
const claims = [
  'probe-rate',
  'pipeline',
  'ingest',
  'detect',
  'away',
  'fair',
  'read',
  'read-http',
  'provision',
  'teams-list',
  'status-page',
  'auth',
  'login',
  'isolation',
  'storm',
  'dispatch',
  'escalate',
  'latency',
  'pings',
  'slow-receiver',
  'stream',
  'match',
  'simulate',
  'charts',
  'pdf',
  'hostile',
  'subscribers',
  'import',
  'idle',
  'shadow',
  'shards',
  'shadow-gatus',
  'move-healthchecks',
  'tracing',
  'web',
]

/** Runs one program of bench/, or all, one after the other so that they do not compete. */
export async function runBenches(name: string | undefined, args: string[]): Promise<number> {
  const names = claims.filter(claim => existsSync(join(root, 'bench', `${claim}.ts`)))
  if (name !== undefined && !names.includes(name))
    throw new StartFault(
      'config',
      `there is no bench "${name}"`,
      `There are ${names.join(', ')}.`,
      `npm run bench -- ${names[0]}`,
    )
  let worst = 0
  for (const each of name === undefined ? names : [name]) {
    console.log(`\n== ${each}`)
    worst = Math.max(worst, await runFile(join(root, 'bench', `${each}.ts`), args))
  }
  return worst
}

/** Runs the long fault runs, which also write the table of docs/faults.md. */
export async function runFaults(args: string[]): Promise<number> {
  const file = join(root, 'test', 'faults', 'main.ts')
  if (!existsSync(file)) throw new StartFault('config', 'there are no fault runs', `${file} is missing.`)
  return runFile(file, args)
}

const runFile = (file: string, args: string[]) =>
  new Promise<number>(resolve => {
    const child = spawn(process.execPath, [...nodeFlags, '--expose-gc', file, ...args], { cwd: root, stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    child.on('exit', code => resolve(code ?? 1))
  })
