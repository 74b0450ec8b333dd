import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { eventually } from '#test/support/system.ts'

const run = promisify(execFile)

/** Megabytes of the disk that a folder takes, as `du` counts them. */
async function megabytes(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sm', folder])
  return Number(stdout.split('\t')[0])
}

test('a start in a fresh copy installs at most 1.2 GB, which is what the README says, and it runs', {
  timeout: 900_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-install-'))
  const [copy, cache, data] = ['copy', 'cache', 'data'].map(name => join(folder, name)) as [string, string, string]
  const isOfThisCheckout = /\/(node_modules|\.git|\.cache|\.data)(\/|$)/
  try {
    cpSync('.', copy, { recursive: true, filter: path => !isOfThisCheckout.test(`/${path}`) })
    // the node of the installed packages is not there yet
    const path = (process.env.PATH ?? '')
      .split(':')
      .filter(entry => !entry.includes('node_modules'))
      .join(':')
    const words = ['up', '--json', '--small', '--port', '0', '--data', data]
    const start = execFile(process.execPath, [join(copy, 'cli', 'vedette.js'), ...words], {
      cwd: copy,
      // nothing that another start has kept
      env: {
        ...process.env,
        PATH: path,
        HOME: folder,
        VEDETTE_CACHE: cache,
        npm_config_cache: join(homedir(), '.npm'),
      },
    })
    let output = ''
    for (const stream of [start.stdout, start.stderr]) stream?.on('data', chunk => (output += chunk))
    const ended = new Promise<number | null>(resolve => start.on('exit', resolve))
    await eventually(
      'it is ready and has Temporal',
      async () =>
        start.exitCode === null
          ? output.includes('"event":"ready"') && /"state":"ready","part":"temporal"/.test(output)
          : Promise.reject(new Error(output.slice(-2_000))),
      800_000,
    )
    start.kill('SIGTERM')
    expect(await ended).toBe(0)

    const modules = join(copy, 'node_modules')
    expect(readdirSync(join(modules, '@temporalio', 'core-bridge', 'releases'))).toHaveLength(1)
    for (const name of ['typescript', '@biomejs', 'vitest', 'mjml']) expect(existsSync(join(modules, name))).toBe(false)
    const installed = (await megabytes(modules)) + (await megabytes(join(copy, '.cache'))) + (await megabytes(cache))
    expect(installed).toBeLessThanOrEqual(1_200)
    const [, said] = /\(([\d.]+) GB/.exec(readFileSync('README.md', 'utf8')) ?? []
    expect(Math.abs(Number(said) * 1_000 - installed)).toBeLessThan(60)
    // what is deleted after an installation is nothing that a later command misses
    const again = await run(process.execPath, [join(copy, 'cli', 'vedette.js'), '--version'], { cwd: copy })
    expect(again.stdout).not.toContain('installing')
    expect(again.stdout).toMatch(/^\d+\.\d+\.\d+/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
