import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditPlaces, installLighthouse } from '#cli/local/lighthouse.ts'
import { app } from '#test/support/app.ts'
import { program } from '#test/support/program.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-doctor-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function doctor(
  env: Record<string, string>,
  more: string[] = [],
): Promise<{ code: number; out: string; line(title: string): string }> {
  const args = program('doctor', '--data', join(folder, 'none'), ...more)
  return new Promise(resolve => {
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, HOME: folder, VEDETTE_CACHE: join(folder, 'cache'), ...env } },
      (error, stdout) => {
        const line = (title: string) => stdout.split('\n').find(text => text.includes(`  ${title} `)) ?? ''
        resolve({ code: error ? Number(error.code) : 0, out: stdout, line })
      },
    )
  })
}

async function answering(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

describe('vedette doctor', { timeout: 60_000 }, () => {
  test('finds the roles bound, the address leading here, and says what is only optional', async () => {
    const { appUrl, platformUrl } = app.stores
    const found = await doctor({ DATABASE_URL: appUrl, DATABASE_PLATFORM_URL: platformUrl, BASE_URL: app.baseUrl })
    expect(found.line('Role of the API')).toMatch(/ok.*vedette_app, bound by row security/)
    expect(found.line('Platform role')).toMatch(/ok.*vedette_platform/)
    expect(found.line('BASE_URL')).toMatch(/ok.*leads here/)
    expect(found.line('Lighthouse')).toMatch(/\.\. .*vedette lighthouse install/)
    expect(found.line('Mail server')).toMatch(/\.\. .*SMTP_URL/)
    expect(found.line('Block lists')).toMatch(/resolver/)
  })

  test('says what is wrong with each, and ends with 1', async () => {
    const other = await answering((_, response) => response.end('another service'))
    const powerful = app.stores.ownerUrl
    const found = await doctor({
      DATABASE_URL: powerful,
      DATABASE_PLATFORM_URL: 'postgres://a:b@127.0.0.1:1/x',
      BASE_URL: other.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    other.close()
    expect(found.code).toBe(1)
    expect(found.line('Role of the API')).toMatch(/--.*may bypass row security/)
    expect(found.line('Platform role')).toMatch(/--.*cannot be reached/)
    expect(found.line('BASE_URL')).toMatch(/--.*not as Vedette does/)
    expect(found.line('Mail server')).toMatch(/--.*127\.0\.0\.1/)
  })

  test('goes on where programs cannot be started, whatever error the system gives', async () => {
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    for (const name of ['ping', 'chromium']) writeFileSync(join(programs, name), '#!/bin/sh\nexit 2\n', { mode: 0o755 })
    const env = { PATH: programs, CHROMIUM_PATH: join(programs, 'chromium') }
    expect((await doctor(env)).line('ping')).toMatch(/\.\. .*may not send: ping checks are off here/)
    const writing = ['ping', 'chromium'].map(name => openSync(join(programs, name), 'r+'))
    const busy = await doctor(env)
    for (const file of writing) closeSync(file)
    expect(busy.line('ping')).toMatch(/\.\. .*cannot be started \(ETXTBSY\)/)
    expect(busy.line('Chromium')).toContain('ETXTBSY')
    expect(busy.line('Node.js')).toMatch(/ok/)
    expect((await doctor({ ...env, PATH: folder })).line('ping')).toMatch(/\.\. .*not found: .*iputils-ping/)
  })

  test('says what is wrong first, to programs too', async () => {
    const found = await doctor({ BASE_URL: app.baseUrl, SMTP_URL: 'smtp://127.0.0.1:1' }, ['--json'])
    const { findings } = JSON.parse(found.out)
    const states: string[] = findings.map(({ state }: { state: string }) => state)
    expect(findings).toContainEqual({ title: 'Mail server', state: 'bad', words: expect.stringContaining('127.0.0.1') })
    expect(states[0]).toBe('bad')
    expect(states.at(-1)).toBe('good')
    const weights = ['bad', 'optional', 'good']
    expect(states).toEqual(states.toSorted((a, b) => weights.indexOf(a) - weights.indexOf(b)))
    expect(found.code).toBe(1)
  })
})

describe('what audits need', () => {
  test('is found in the cache, and the environment goes before it', () => {
    const cache = join(folder, 'kept')
    const place = join(cache, 'lighthouse-13.5.0')
    const browser = join(cache, 'chromium-147.0.0')
    mkdirSync(join(place, 'node_modules', 'lighthouse'), { recursive: true })
    writeFileSync(join(place, 'node_modules', 'lighthouse', 'package.json'), '{}')
    expect(auditPlaces({ VEDETTE_CACHE: cache }).LIGHTHOUSE_PATH).toBe(place)
    mkdirSync(browser)
    writeFileSync(join(browser, 'start'), '#!/bin/sh\n')
    chmodSync(join(browser, 'start'), 0o755)
    expect(auditPlaces({ VEDETTE_CACHE: cache, CHROMIUM_PATH: '/x', LIGHTHOUSE_PATH: '/y' })).toEqual({
      CHROMIUM_PATH: '/x',
      LIGHTHOUSE_PATH: '/y',
    })
  })

  test('that cannot be brought leaves nothing behind and says why', async () => {
    const [cache, bin] = [join(folder, 'failing'), join(folder, 'bin')]
    mkdirSync(bin)
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm error ENOSPC: no space left" >&2\nexit 1\n', { mode: 0o755 })
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    try {
      await expect(installLighthouse({ withBrowser: false }, { VEDETTE_CACHE: cache })).rejects.toMatchObject({
        code: 3,
        why: expect.stringContaining('ENOSPC'),
      })
      expect(auditPlaces({ VEDETTE_CACHE: cache }).LIGHTHOUSE_PATH ?? '').not.toContain(cache)
    } finally {
      process.env.PATH = path
    }
  })
})
