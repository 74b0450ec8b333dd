import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { obtainTemporal } from './embedded/temporal.ts'
import { obtainTimeSkipping } from './embedded/time-skipping.ts'
import { messageOf, StartFault } from './fault.ts'

const root = join(import.meta.dirname, '..')

/** Fetches or builds what tests run against, then runs vitest with the arguments; its exit code, and a plain count as the last line. */
export async function runTests(args: string[]): Promise<number> {
  const onProgress = (text: string) => console.log(`  ..  ${text}`)
  for (const obtain of [obtainTemporal, obtainTimeSkipping])
    await obtain({ onProgress }).catch(error =>
      console.error(`  --  ${messageOf(error)}: tests that need it will fail. ${error instanceof StartFault ? error.why : ''}`),
    )
  const folder = mkdtempSync(join(tmpdir(), 'vedette-run-'))
  const report = join(folder, 'report.json')
  const ahead = args.length > 0 ? process.env : { ...process.env, OBTAIN_AHEAD: 'browser' }
  try {
    const code = await vitest(['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], ahead)
    console.log(countIn(report))
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const vitest = (args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<number>(resolve => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
      cwd: root,
      stdio: 'inherit',
      env,
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    child.on('exit', code => resolve(code ?? 1))
  })

/** A run that broke off before it counted has not passed. */
function countIn(report: string): string {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const broken = testResults.filter(
      (file: { status: string; assertionResults: unknown[] }) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length
    return `${numPassedTests} passed, ${numFailedTests + broken} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`
  } catch {
    return '0 passed, 1 failed'
  }
}
