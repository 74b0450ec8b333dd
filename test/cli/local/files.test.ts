import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadKeys, writePrivately } from '#cli/local/keys.ts'
import { environmentOf, lockFolder } from '#cli/local/locked-folder.ts'
import { lastLines, trimLog } from '#cli/local/logs.ts'
import { findPort, isFree, isTemporalServing } from '#cli/local/loopback.ts'
import { withoutSecrets } from '#cli/local/stores.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('keys', () => {
  test('are made once, differ between folders and are readable by their owner alone', () => {
    const { keys, isNew } = loadKeys(folder)
    expect(isNew).toBe(true)
    expect(loadKeys(folder)).toEqual({ keys, isNew: false })
    expect(modeOf(join(folder, 'keys.json'))).toBe('600')
    expect(keys.secret_key).not.toBe(loadKeys(join(folder, 'other')).keys.secret_key)
    const { owner, app, platform } = keys.postgres
    expect(new Set([owner, app, platform, keys.clickhouse]).size).toBe(4)
  })

  test('that are unreadable stop the start and are not replaced', () => {
    writeFileSync(join(folder, 'keys.json'), '{ "secret_key": "sh')
    expect(() => loadKeys(folder)).toThrow('cannot be used')
  })

  test('never stay in a draft, and a file that was open to others is closed', () => {
    writeFileSync(join(folder, 'local.json'), '{}', { mode: 0o644 })
    writePrivately(join(folder, 'local.json'), { a: 1 })
    expect(modeOf(join(folder, 'local.json'))).toBe('600')
    expect(readdirSync(folder)).toEqual(['local.json'])
  })
})

describe('a data folder', () => {
  test('is locked by one start, which other commands find', () => {
    const hold = lockFolder(folder)
    hold.publish({ BASE_URL: 'http://localhost:1' })
    expect(environmentOf(folder)).toEqual({ BASE_URL: 'http://localhost:1' })
    expect(() => lockFolder(folder)).toThrow('already runs')
    hold.release()
    expect(environmentOf(folder)).toBeUndefined()
  })

  test('is free again when its holder is gone, though its number lives on in another process', () => {
    writeFileSync(
      join(folder, 'running.json'),
      JSON.stringify({ pid: process.pid, birth: '1', environment: { BASE_URL: 'x' } }),
    )
    expect(environmentOf(folder)).toBeUndefined()
    lockFolder(folder).release()
  })

  test('is free again when the hold was cut off by a crash', () => {
    writeFileSync(join(folder, 'running.json'), '{"pid":')
    lockFolder(folder).release()
  })
})

describe('a log', () => {
  test('keeps one older generation when it has grown too long', () => {
    const path = join(folder, 'a.log')
    writeFileSync(path, 'x'.repeat(100))
    trimLog(path, 1_000)
    expect(statSync(path).size).toBe(100)
    trimLog(path, 50)
    expect(statSync(path).size).toBe(0)
    expect(readFileSync(`${path}.1`, 'utf8')).toHaveLength(100)
  })

  test('ends in words, also where its lines are structured', () => {
    const path = join(folder, 'a.log')
    writeFileSync(path, 'one\n{"level":50,"msg":"it broke","err":{"message":"no disk"}}\n{"listening":1}\n')
    expect(lastLines(path, 2)).toEqual(['it broke: no disk', '{"listening":1}'])
    expect(lastLines(join(folder, 'none.log'), 2)).toEqual([])
  })
})

test('a port is given out once, and the next when it is taken', async () => {
  const first = await findPort(0)
  expect(await findPort(first)).toBeGreaterThan(first)
  expect(await isFree(first)).toBe(true)
})

test('two starts side by side never agree on a port', async () => {
  const program = `import { findPort } from '#cli/local/loopback.ts'; console.log(await findPort(22_500)); setTimeout(() => {}, 3_000)`
  const file = join(import.meta.dirname, `ports-${process.pid}.tmp.ts`) // inside the package, for its # imports
  writeFileSync(file, program)
  try {
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    const ports = await Promise.all(children.map(async child => String((await once(child.stdout, 'data'))[0]).trim()))
    expect(new Set(ports).size).toBe(4)
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(child => once(child, 'close')))
    expect(await findPort(Math.min(...ports.map(Number)))).toBe(Math.min(...ports.map(Number)))
  } finally {
    rmSync(file, { force: true })
  }
})

test('nothing serves Temporal where nothing listens', async () => {
  expect(await isTemporalServing('127.0.0.1:1')).toBe(false)
})

test('agents and stores do not see the keys of the control plane', () => {
  const env = {
    PATH: '/bin',
    SECRET_KEY: 'a',
    DATABASE_URL: 'b',
    DATABASE_OWNER_URL: 'c',
    CLICKHOUSE_URL: 'd',
    SMTP_PASSWORD: 'e',
    LANG: 'C',
  }
  expect(withoutSecrets(env)).toEqual({ PATH: '/bin', LANG: 'C' })
})
