import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programFolder } from '#cli/program/folder.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-bootstrap-'))
  put('package.json', '{ "type": "module" }')
  put(
    'package-lock.json',
    JSON.stringify({
      packages: {
        '': {},
        'packages/embedded-stores': { optionalDependencies: { store: '3.0.0' } },
        'node_modules/@vedette/embedded-stores': { link: true },
        'node_modules/store': { version: '3.0.0', optional: true },
        'node_modules/one': { version: '1.0.0' },
        'node_modules/dev': { version: '2.0.0', dev: true },
        'node_modules/mac': { version: '1.0.0', optional: true },
      },
    }),
  )
  mkdirSync(join(folder, 'cli'))
  copyFileSync('cli/vedette.js', join(folder, 'cli', 'vedette.js'))
  mkdirSync(join(folder, 'cli', 'program'))
  for (const file of ['ancestors.js', 'build.js', 'folder.js', 'heap-flags.js', 'spare.js'])
    copyFileSync(join('cli', 'program', file), join(folder, 'cli', 'program', file))
  putProgram(
    'bin/npm',
    `echo "$@" >> ../npm-calls; mkdir -p node_modules/.bin
    dev=', "node_modules/dev": { "version": "2.0.0" }'; store=', "node_modules/store": { "version": "3.0.0" }'
    case "$*" in *--omit=dev*) dev='' ;; esac; case "$*" in *--workspaces=false*) store='' ;; esac
    echo "{ \\"packages\\": { \\"node_modules/one\\": { \\"version\\": \\"1.0.0\\" }$dev$store } }" > node_modules/.package-lock.json
    cp ../fake-node node_modules/.bin/node`,
  )
  putProgram('fake-node', 'echo "node $@"; exit 7')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
function putProgram(path: string, script: string) {
  put(path, `#!/bin/sh\nfolder=${folder}\n${script.replaceAll('../', `${folder}/`)}\n`)
  chmodSync(join(folder, path), 0o755)
}
const npmCalls = () =>
  existsSync(join(folder, 'npm-calls')) ? readFileSync(join(folder, 'npm-calls'), 'utf8').trim().split('\n') : []

function start(args: string[] = [], nodeArgs: string[] = [], env: Record<string, string> = {}) {
  return spawn(process.execPath, [...nodeArgs, join(folder, 'cli', 'vedette.js'), ...args], {
    cwd: folder,
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
async function ending(child: ChildProcess) {
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (out += chunk))
  const [code] = await once(child, 'close')
  return { code, out }
}

describe('the bootstrap', () => {
  test('installs the lockfile, then runs under its own Node with arguments and exit code passed on', async () => {
    const { code, out } = await ending(start(['up', '--port', '9']))
    expect(npmCalls()).toEqual(['ci --omit=dev --prefer-offline --no-audit --no-fund --loglevel=error'])
    expect(out).toMatch(/ok {2}Packages +\d installed +[\d.]+ s/)
    expect(out).toContain(`node --disable-warning=ExperimentalWarning ${join(folder, 'cli', 'main.ts')} up --port 9`)
    expect(code).toBe(7)
  })

  test('installs nothing when all is there, whatever the times on disk say', async () => {
    await ending(start())
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(folder, 'package-lock.json'), later, later)
    await ending(start())
    expect(npmCalls()).toHaveLength(1)
  })

  test('installs again when a version in the lockfile has changed', async () => {
    await ending(start())
    put('package-lock.json', readFileSync(join(folder, 'package-lock.json'), 'utf8').replace('1.0.0', '1.0.1'))
    await ending(start())
    expect(npmCalls()).toHaveLength(2)
  })

  test('installs development packages for the tests only, and keeps them once they are there', async () => {
    await ending(start(['up']))
    await ending(start(['up']))
    expect(npmCalls()).toEqual(['ci --omit=dev --prefer-offline --no-audit --no-fund --loglevel=error'])
    await ending(start(['test']))
    expect(npmCalls()[1]).toBe('ci --prefer-offline --no-audit --no-fund --loglevel=error')
    put('package-lock.json', readFileSync(join(folder, 'package-lock.json'), 'utf8').replace('1.0.0', '1.0.1'))
    await ending(start(['up']))
    expect(npmCalls()[2]).toBe('ci --prefer-offline --no-audit --no-fund --loglevel=error')
  })

  test('installs the embedded stores only where a command needs them and the environment names no others', async () => {
    const stores = { DATABASE_URL: 'postgres://db/vedette', CLICKHOUSE_URL: 'http://ch:8123' }
    const without = 'ci --omit=dev --workspaces=false --prefer-offline --no-audit --no-fund --loglevel=error'
    await ending(start(['up'], [], stores))
    await ending(start(['agent']))
    expect(npmCalls()).toEqual([without])
    await ending(start(['up'], [], { DATABASE_URL: stores.DATABASE_URL }))
    expect(npmCalls()[1]).toBe('ci --omit=dev --prefer-offline --no-audit --no-fund --loglevel=error')
    await ending(start(['up'], [], stores))
    expect(npmCalls()).toHaveLength(2)
  })

  test('says why the packages could not be installed, and what to type', async () => {
    putProgram('bin/npm', 'echo "npm error code ENOTFOUND" >&2; exit 1')
    const { code, out } = await ending(start())
    expect(code).toBe(3)
    expect(out).toMatch(
      /failed +the packages could not be installed\n +why +The package registry was not reached\.\n +type +npm ping/,
    )
  })

  test('asks the registry where the cache is older than the lockfile', async () => {
    putProgram('bin/npm', 'echo "$@" >> ../npm-calls; echo "npm error code ETARGET" >&2; exit 1')
    expect((await ending(start())).code).toBe(3)
    expect(npmCalls()).toEqual([
      'ci --omit=dev --workspaces=false --prefer-offline --no-audit --no-fund --loglevel=error',
      'ci --omit=dev --workspaces=false --no-audit --no-fund --loglevel=error',
    ])
  })

  test('prints the same as an event for programs', async () => {
    putProgram('bin/npm', 'exit 1')
    const { out } = await ending(start(['--json']))
    const events = out
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line))
    expect(events.at(-1)).toMatchObject({ event: 'failed', code: 3, what: 'the packages could not be installed' })
  })

  test('refuses a Node that is too old before anything else', async () => {
    const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.0'})`
    const { code, out } = await ending(start([], ['--import', older]))
    expect(code).toBe(3)
    expect(out).toContain('Node.js 18.20.0 is too old')
    expect(npmCalls()).toEqual([])
  })

  test('refuses a lockfile it cannot read', async () => {
    put('package-lock.json', '<<<<<<< HEAD')
    const { code, out } = await ending(start())
    expect(code).toBe(2)
    expect(out).toContain('git checkout package-lock.json')
  })

  test('says what to type when install scripts were off and Node 24 is missing', async () => {
    putProgram(
      'bin/npm',
      `mkdir -p node_modules; echo '{"packages":{"node_modules/one":{"version":"1.0.0"}}}' > node_modules/.package-lock.json`,
    )
    const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.0'})`
    const { code, out } = await ending(start([], ['--import', older]))
    expect(code).toBe(3)
    expect(out).toContain('npm rebuild node')
  })

  test('runs the bundle of its sources where there is one, and the sources where it cannot be made', async () => {
    for (const module of [
      'analytics',
      'bounded',
      'charts',
      'checks',
      'contract',
      'control-plane',
      'egress',
      'importers',
    ])
      mkdirSync(join(folder, module))
    for (const module of ['locales', 'probe-agent', 'server-agent', 'workflows']) mkdirSync(join(folder, module))
    putProgram(
      'fake-node',
      'case "$*" in *bundle.ts*) [ -e ../broken ] && { echo "error: broken" >&2; exit 1; }; touch "$3/main.mjs"; exit 0 ;; esac; echo "node $@"; exit 7',
    )
    put('broken', '')
    const failed = await ending(start(['up']))
    expect(failed.out).toContain('it runs from its sources, and needs more memory: error: broken')
    expect(failed.out).toContain(`${join(folder, 'cli', 'main.ts')} up`)
    expect(readdirSync(join(folder, '.cache'))).toEqual([])
    rmSync(join(folder, 'broken'))
    const bundled = join(programFolder(folder), 'main.mjs')
    expect((await ending(start(['serve']))).out).toContain(`${join(folder, 'cli', 'main.ts')} serve`)
    expect((await ending(start(['up']))).out).toContain(`${bundled} up`)
    expect((await ending(start(['serve']))).out).toContain(`${bundled} serve`)
    expect((await ending(start(['up'], [], { VEDETTE_PROGRAM: 'sources' }))).out).toContain('main.ts up')
    put('cli/other.ts', 'export {}')
    expect(programFolder(folder)).not.toBe(dirname(bundled))
  })

  test('passes SIGTERM on and ends as its child ends', async () => {
    putProgram('fake-node', `trap 'echo stopped; exit 5' TERM; echo started; while :; do sleep 0.05; done`)
    const child = start()
    let out = ''
    child.stdout.on('data', chunk => {
      out += chunk
      if (out.includes('started') && !child.killed) child.kill('SIGTERM')
    })
    const { code } = await ending(child)
    expect(out).toContain('stopped')
    expect(code).toBe(5)
  })
})
