import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openapiText } from '#cli/commands/openapi.ts'

/**
 * openapi-typescript makes types of the document, openapi-fetch a client of the types. The generator runs on the
 * interface of TypeScript 5, which the compiler installed here does not have: it is kept in a folder of its own,
 * installed at first use.
 */
const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']
const home = join(process.env.VEDETTE_CACHE ?? join(homedir(), '.cache', 'vedette'), 'openapi-typescript-7.13.0')
const generator = join(home, 'node_modules', 'openapi-typescript', 'bin', 'cli.js')
const tsc = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
const folder = mkdtempSync(join(tmpdir(), 'vedette-client-'))

const head = `import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
const { GET, POST } = createClient<paths>({ baseUrl: 'http://localhost:8080' })
`

/** What the compiler says of a program that uses the client; nothing if it compiles. */
function complaintsOf(program: string): string {
  writeFileSync(join(folder, 'program.ts'), head + program)
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

beforeAll(() => {
  if (!existsSync(generator)) {
    mkdirSync(home, { recursive: true })
    execFileSync('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', '--silent', ...packages], {
      stdio: 'inherit',
    })
  }
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(folder, 'openapi.json'), openapiText())
  // a field with a default may be left out of what is sent: without this the generator takes it for one that is always
  // there
  const flags = ['-o', join(folder, 'api.ts'), '--default-non-nullable=false']
  execFileSync(process.execPath, [generator, join(folder, 'openapi.json'), ...flags], { stdio: 'ignore' })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a client that is generated from the document', () => {
  test('creates a monitor from name and URL, filters lists by numbers and enumerations, and reads the quorum of an incident', () => {
    const program = `
const made = await POST('/api/v1/monitors', { body: { name: 'Shop', url: 'https://example.com' } })
export const id: string | undefined = made.data?.data.id
await GET('/api/v1/monitors', { params: { query: { per_page: 50, is_enabled: true, status: ['down', 'warning'] } } })
const listed = await GET('/api/v1/incidents', { params: { query: { severity: ['critical'] } } })
export const required: number | undefined = listed.data?.data[0]?.quorum.required
export const total: components['schemas']['OffsetMeta']['total'] = 3
await POST('/api/v1/notification-channels', { body: { name: 'Ops', type: 'slack', config: { webhook_url: 'https://hooks.slack.com/services/x' } } })
export type Named = [components['schemas']['MonitorResponse'], components['schemas']['MonitorList']]
`
    expect(complaintsOf(program)).toBe('')
  })

  test.each([
    ['a monitor without a URL', `await POST('/api/v1/monitors', { body: { name: 'Shop' } })`, 'url'],
    [
      'a misspelt severity',
      `await GET('/api/v1/incidents', { params: { query: { severity: ['critcal'] } } })`,
      'critcal',
    ],
    ['a number as text', `await GET('/api/v1/monitors', { params: { query: { per_page: '50' } } })`, 'number'],
    [
      'a misspelt field of a channel',
      `await POST('/api/v1/notification-channels', { body: { name: 'Ops', type: 'slack', config: { webhok_url: 'https://example.com' } } })`,
      'webhok_url',
    ],
    [
      'the severity of a check misspelt',
      `export const check: components['schemas']['NewCheck'] = { type: 'uptime', severity: 'critcal' }`,
      'critcal',
    ],
  ])('does not compile with %s', (_, program, word) => {
    expect(complaintsOf(program)).toMatch(new RegExp(`error TS[^]*${word}`))
  })
})
