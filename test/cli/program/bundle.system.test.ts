import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { buildProgram } from '#cli/program/build.js'
import { programFolder } from '#cli/program/folder.js'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const node = (...args: string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd: root, maxBuffer: 16_777_216 })

const folder = programFolder(root)
const main = join(folder, 'main.mjs')
beforeAll(async () => {
  if (!existsSync(folder)) await buildProgram(root, folder, process.execPath)
}, 180_000)

test('the bundle has the commands of the sources', async () => {
  expect((await node(main, '--version')).stdout).toBe((await node('cli/main.ts', '--version')).stdout)
  expect((await node(main, 'openapi')).stdout).toBe(readFileSync(join(root, 'contract/openapi.json'), 'utf8'))
  expect((await node(main, 'probe', '--help')).stdout).toContain('VEDETTE_URL')
})

/** The places in the stack of an error that this file names, with the line of the source. */
const placesIn = (stack: string, file: string) =>
  [...stack.matchAll(/(file:\/\/[^\s()]+):(\d+)\b/g)]
    .map(([, url = '', line = '']) => ({ path: fileURLToPath(url), line: Number(line) }))
    .filter(({ path }) => path === join(root, file))
    .map(({ path, line }) => readFileSync(path, 'utf8').split('\n')[line - 1]?.trim())

test('an error in a log names the line of its source', async () => {
  // a database that hangs up, once it has read: else the connection is reset, which is another error
  const database = createServer(socket => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
  await once(database, 'listening')
  const url = `postgres://a:b@127.0.0.1:${(database.address() as AddressInfo).port}/none`
  const env = {
    DATABASE_URL: url,
    DATABASE_PLATFORM_URL: url,
    CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
    SECRET_KEY: 'x'.repeat(32),
    PORT: '0',
    METRICS_PORT: '0',
  }
  const serve = (...flags: string[]) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, main, 'serve'], { env })
  const child = serve()
  try {
    let stack = ''
    for await (const line of createInterface({ input: child.stdout })) {
      stack = JSON.parse(line).err?.stack ?? ''
      if (stack) break
    }
    expect(placesIn(stack, 'node_modules/pg/lib/client.js'), stack).toContainEqual(
      expect.stringContaining('new Error('),
    )
    expect(stack).not.toContain('.mjs')
  } finally {
    child.kill('SIGKILL')
    database.close()
  }

  // a fault in code of ours, which ends the process
  const broken = serve(
    '--import',
    'data:text/javascript,globalThis.AbortController=class{constructor(){throw new TypeError("broken")}}',
  )
  let output = ''
  broken.stderr.on('data', chunk => (output += chunk))
  await once(broken, 'close')
  expect(placesIn(output, 'cli/serve/services.ts'), output).toContain('const cutOff = new AbortController()')
}, 60_000)

test('every file of the bundle is kept in memory with one byte a character', () => {
  for (const file of readdirSync(folder).filter(name => name.endsWith('.mjs'))) {
    const bytes = readFileSync(join(folder, file))
    expect(bytes.toString('latin1').length, file).toBe(bytes.toString('utf8').length)
  }
})

test('its folder is named by the sources', () => {
  expect(programFolder(root)).toMatch(/\.cache\/program-[0-9a-f]{16}$/)
})
