import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { isExecutable } from '#checks/executable.ts'
import { messageOf, StartFault } from '#cli/fault.ts'
import { obtainTemporal } from '#cli/local/embedded/temporal.ts'
import { obtainTimeSkipping } from '#cli/local/embedded/time-skipping.ts'

const root = join(import.meta.dirname, '..', '..')

/** `test` is what a newcomer runs; `gate` is what takes longer: fault runs, long watches, fuzzing. */
export type Suite = 'test' | 'gate'

/** With more failed files than this the cause is not timing, and no file is run again. */
const rerunAtMost = 12

/**
 * Runs vitest with the arguments; its exit code, and a plain count as the last line. A whole run begins with what
 * tests run against, fetched or built. With filters every file can be named, whatever its suite; with `--watch` files
 * run again after a change, with `--changed` those that it touches. With `RERUN_FAILED=1` failed files run
 * once more, alone: what passes then does not fail the run, and is named as flaky.
 */
export async function runTests(args: string[], suite: Suite): Promise<number> {
  const isWhole = !args.some(argument => !argument.startsWith('-'))
  const env = isWhole ? { ...process.env, SUITE: suite } : process.env
  if (args.includes('--watch')) return vitest(['watch', ...args.filter(argument => argument !== '--watch')], env)
  const onProgress = (text: string) => console.log(`  ..  ${text}`)
  for (const obtain of isWhole ? [obtainTemporal, obtainTimeSkipping] : [])
    await obtain({ onProgress }).catch(error =>
      console.error(
        `  --  ${messageOf(error)}: tests that need it will fail. ${error instanceof StartFault ? error.why : ''}`,
      ),
    )
  const folder = mkdtempSync(join(tmpdir(), 'vedette-run-'))
  const run = async (name: string, given: string[]) => {
    const report = join(folder, `${name}.json`)
    const code = await vitest(
      ['run', ...given, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      env,
    )
    return { code, report: readReport(report) }
  }
  try {
    const first = await run('first', args)
    const failed = first.report?.files.filter(file => file.failures.length > 0) ?? []
    const mayRerun = process.env.RERUN_FAILED === '1' && failed.length > 0 && failed.length <= rerunAtMost
    if (first.report && first.report.skipped > 0) console.log(notRunHere(first.report.skipped))
    if (!first.report || !mayRerun) {
      console.log(first.report ? countOf(first.report) : '0 passed, 1 failed')
      return first.code
    }
    console.log(`\n  ..  ${failed.length} failed files run once more, alone`)
    const again = await run('again', [...failed.map(({ path }) => path), '--maxWorkers=1'])
    const left = new Set(again.report?.files.flatMap(({ failures }) => failures.map(({ title }) => title)))
    const flaky = again.report
      ? failed.flatMap(({ path, failures }) =>
          failures.filter(({ title }) => !left.has(title)).map(failure => ({ path, ...failure })),
        )
      : []
    for (const { path, title, why } of flaky) console.log(`flaky: ${path}: ${title}: ${why}`)
    const { passed, failures, skipped } = first.report
    console.log(countOf({ passed: passed + flaky.length, failures: failures - flaky.length, skipped }))
    return again.report && again.code === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Programs that some tests run where they are installed, with what those tests are about. */
const wanted = {
  ping: 'ping checks',
  curl: 'the comparison with curl',
  php: 'the receiver in PHP',
  python3: 'fuzzing of the API',
  unshare: 'names and disks of their own',
  'apt-get': 'images and containers',
}

/** Which tests were skipped because this machine lacks a program, in one line. */
export function notRunHere(skipped: number, env: NodeJS.ProcessEnv = process.env): string {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  const missing = Object.entries(wanted)
    .filter(([program]) => !folders.some(folder => isExecutable(join(folder, program))))
    .map(([program, about]) => `${program} (${about})`)
  const why = missing.length > 0 ? `not found: ${missing.join(', ')}` : 'the user or the system does not allow them'
  return `not run here: ${skipped} ${skipped === 1 ? 'test' : 'tests'}; ${why}`
}

const vitest = (args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<number>(resolve => {
    const program = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      cwd: root,
      stdio: 'inherit',
      env,
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    child.on('exit', code => resolve(code ?? 1))
  })

interface Counts {
  passed: number
  failures: number
  skipped: number
}

interface Report extends Counts {
  files: { path: string; failures: { title: string; why: string }[] }[]
}

/** The form of vitest's JSON report, as far as it is read here. */
interface JsonReport {
  numPassedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

/** Undefined for a run that broke off before it counted: it has not passed. */
function readReport(path: string): Report | undefined {
  try {
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(path, 'utf8')) as JsonReport
    const files = testResults.map(({ name, status, message, assertionResults }) => {
      const failures = assertionResults
        .filter(result => result.status === 'failed')
        .map(({ fullName, failureMessages }) => ({ title: fullName, why: firstLine(failureMessages?.[0]) }))
      // a file that cannot be read, or whose set-up failed, has no result of its own
      if (status === 'failed' && failures.length === 0)
        failures.push({ title: 'the file itself', why: firstLine(message) })
      return { path: relative(root, name), failures }
    })
    const failures = files.reduce((sum, file) => sum + file.failures.length, 0)
    return { passed: numPassedTests, failures, skipped: numPendingTests, files }
  } catch {
    return undefined
  }
}

const firstLine = (text = '') => (text.trim().split('\n')[0] ?? '').slice(0, 200)

const countOf = ({ passed, failures, skipped }: Counts) =>
  `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
