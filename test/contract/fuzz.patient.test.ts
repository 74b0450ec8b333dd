import { execFile, execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

/**
 * Schemathesis reads the served OpenAPI document and tries to break what it promises. It is a Python program:
 * kept in a virtual environment of its own, installed at first use.
 */
const home = join(process.env.VEDETTE_CACHE ?? join(homedir(), '.cache', 'vedette'), 'schemathesis-4.32.5')
const program = join(home, 'bin', 'schemathesis')
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** It keeps notes where it runs. */
const folder = mkdtempSync(join(tmpdir(), 'vedette-fuzz-'))
/**
 * To make up a request takes it longer than to answer it takes us, so each operation has five. Of the two ways to a
 * team it goes the team's own: behind the guards both are the same code, and the other one is where its guards and
 * paths are tested. Some operations have fewer than five different requests.
 */
const examples = Number(process.env.FUZZ_EXAMPLES ?? 5)
const leastCases = 350 * examples
const timeout = (1_800 + 15 * examples) * 1_000
const tokens: { tenant: string[]; reseller: string[]; server: string[] } = { tenant: [], reseller: [], server: [] }

// The limits stay on. A hundred tokens of each identity and ever new addresses keep a fuzzer below them.
const proxy = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
  const path = request.url ?? ''
  const owned = path.startsWith('/api/v1/reseller/')
    ? tokens.reseller
    : /agent-monitors\/(metrics|otlp|prometheus)/.test(path)
      ? tokens.server
      : tokens.tenant
  const headers: Record<string, string | string[] | undefined> = {
    ...request.headers,
    'x-forwarded-for': `198.${randomInt(18, 20)}.${randomInt(256)}.${randomInt(256)}`,
  }
  if (headers.authorization === 'Bearer known') headers.authorization = `Bearer ${owned[randomInt(owned.length)]}`
  const target = new URL(app.baseUrl)
  const passed = send(
    { host: target.hostname, port: target.port, method: request.method, path: request.url, headers },
    answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  passed.on('error', () => response.destroy())
  request.pipe(passed)
})

interface Document {
  paths: Record<string, Record<string, unknown>>
}

/** The served document without the second way to what has one of its own. */
async function describedOnce(url: string): Promise<Document> {
  const document = (await (await fetch(url)).json()) as Document
  for (const [path, methods] of Object.entries(document.paths)) {
    const own = path.replace('/reseller/managed-teams/{managed_team}/', '/')
    if (own !== path)
      for (const method of Object.keys(methods)) if (document.paths[own]?.[method]) delete methods[method]
  }
  return document
}

beforeAll(async () => {
  if (!hasPython) return
  if (!existsSync(program)) {
    mkdirSync(home, { recursive: true })
    execFileSync('python3', ['-m', 'venv', home])
    execFileSync(
      join(home, 'bin', 'pip'),
      ['install', '--quiet', '--disable-pip-version-check', 'schemathesis==4.32.5'],
      { stdio: 'inherit' },
    )
  }
  const tenant = await given.tenant()
  const reseller = await given.reseller()
  for (let i = 0; i < 100; i++) {
    tokens.tenant.push((await given.token(tenant, 'ss', [])).token ?? '')
    tokens.reseller.push(
      (await given.token(reseller, 'rk', ['monitors:manage', 'incidents:manage', 'teams:manage'])).token ?? '',
    )
  }
  for (let i = 0; i < 5; i++)
    tokens.server.push((await tenant.post('/agent-monitors', { name: `server ${i}` })).body.plain_text_token)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
}, 180_000)
afterAll(() => {
  proxy.close()
  proxy.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

// A machine without Python keeps the contract by the test client alone: every answer of every test is compared with the
// document.
test.runIf(hasPython)(
  'made-up requests to every operation find no server error and no answer the document does not promise',
  async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const document = join(folder, 'openapi.json')
    writeFileSync(document, JSON.stringify(await describedOnce(`${app.baseUrl}/api/v1/openapi.json`)))
    const run = (extra: string[]) =>
      promisify(execFile)(
        program,
        [
          'run',
          document,
          '--url',
          url,
          '-H',
          'Authorization: Bearer known',
          '--checks',
          'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
          '--exclude-path-regex',
          // these wait for others: an agent, a mail server on the internet; a stream has no end
          'request-run|checks/try|smtp-config/test|/stream$',
          '--request-timeout',
          '60',
          '--workers',
          '2',
          '--suppress-health-check',
          'all',
          '--warnings',
          'off',
          '--continue-on-failure',
          '--generation-database',
          'none',
          '--no-color',
          ...extra,
        ],
        {
          cwd: folder,
          env: {
            ...process.env,
            SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'serializers.py'),
            // which characters an encoding has: found out once, by trying them all
            HYPOTHESIS_STORAGE_DIRECTORY: join(home, 'hypothesis'),
          },
          maxBuffer: 64_000_000,
          timeout,
        },
      ).catch(error => ({ stdout: `${error.stdout}`, stderr: `${error.stderr}`, failed: true }))

    let cases = 0
    // walking each boundary of each field as well takes longer than all other tests together:
    // FUZZ_PHASES=examples,coverage,fuzzing does
    for (const extra of [
      ['--phases', process.env.FUZZ_PHASES ?? 'fuzzing', '--seed', '2', '--max-examples', `${examples}`],
    ]) {
      const result = await run(extra)
      expect('failed' in result ? result.stdout.slice(-12_000) + result.stderr.slice(-2_000) : '').toBe('')
      cases += Number(/(\d[\d,]*) generated/.exec(result.stdout)?.[1]?.replaceAll(',', '') ?? 0)
    }
    console.log(`schemathesis: ${cases} cases`)
    expect(cases).toBeGreaterThanOrEqual(leastCases)
  },
  timeout + 60_000,
)
