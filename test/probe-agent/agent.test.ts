import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect } from 'vitest'
import { readConfig } from '#probe-agent/config.ts'
import { startAgent } from '#probe-agent/main.ts'
import { metricsOf } from '#probe-agent/metrics.ts'
import { assignmentOf } from './fake-control-plane.ts'
import { test, until } from './rig.ts'

/** Dues of the grid, each once, none left out. */
function expectGrid(dues: number[], intervalMs: number) {
  for (const [index, due] of dues.entries()) if (index > 0) expect(due - dues[index - 1]!).toBe(intervalMs)
}

describe.concurrent('an agent', () => {
  test('enrols once, runs checks on schedule and delivers their results', async ({ rig }) => {
    const check = assignmentOf(rig.target.url('a'))
    rig.plane.assign(check)
    const agent = await rig.agent()
    await until(() => rig.plane.of(check.check).length >= 4)
    await rig.stop(agent)
    const results = rig.plane.of(check.check)
    expectGrid(
      results.map(({ due }) => due),
      1_000,
    )
    for (const { due, at, kind, reason, seen, phases, took, is_unreliable, address } of results) {
      expect((due - check.offset_ms) % 1_000).toBe(0)
      expect(at).toBeGreaterThanOrEqual(due)
      expect(at - due).toBeLessThan(1_500)
      expect([kind, reason, seen?.status, is_unreliable, address]).toEqual([
        'uptime',
        'due',
        200,
        undefined,
        '127.0.0.1',
      ])
      expect(phases.total).toBeLessThanOrEqual(took)
    }
    expect(rig.target.asked('a').length).toBe(results.length)
    expect(rig.plane.deliveries).toBe(results.length)
    expect(rig.plane.enrolled.size).toBe(1)
    expect(await readdir(join(rig.dir, 'agent', 'spool'))).toEqual([])
    const identity = join(rig.dir, 'agent', 'identity.json')
    expect((await stat(identity)).mode & 0o777).toBe(0o600)

    const again = await rig.agent({ ENROLMENT_TOKEN: '' })
    await until(() => rig.plane.of(check.check).length > results.length)
    await rig.stop(again)
    expect(rig.plane.enrolled.size).toBe(1)
  })

  test('neither skips nor repeats a run across a restart', async ({ rig }) => {
    const checks = Array.from({ length: 20 }, (_, n) => assignmentOf(rig.target.url(`c${n}`), { interval_ms: 2_000 }))
    rig.plane.assign(...checks)
    for (let life = 0; life < 4; life++) {
      const agent = await rig.agent()
      await sleep(1_500)
      await rig.stop(agent)
    }
    for (const [n, { check }] of checks.entries()) {
      const dues = rig.plane.of(check).map(({ due }) => due)
      expectGrid(dues, 2_000)
      expect(dues.length).toBeGreaterThanOrEqual(3)
      expect(rig.target.asked(`c${n}`).length).toBe(dues.length)
    }
  })

  test('applies changed, withdrawn and requested checks at once', async ({ rig }) => {
    const check = assignmentOf(rig.target.url('a'), { interval_ms: 60_000 })
    rig.plane.assign(check)
    await rig.agent()
    await until(() => rig.plane.of(check.check).length === 1)

    const request = randomUUID()
    rig.plane.requestRun(check.check, 0, 'asked', request)
    await until(() => rig.plane.of(check.check).length === 2, 900)
    expect(rig.plane.of(check.check).at(-1)).toMatchObject({ attempt: 1, reason: 'asked', request })
    rig.plane.requestRun(check.check, 300, 'confirm')
    await until(() => rig.plane.of(check.check).length === 3, 1_200)
    expect(rig.plane.of(check.check).at(-1)).toMatchObject({ attempt: 2, reason: 'confirm' })

    rig.plane.assign({ ...check, interval_ms: 1_000, offset_ms: 0 })
    await until(() => rig.plane.of(check.check).length >= 5, 5_000)
    rig.plane.withdraw(check.check)
    await sleep(500)
    const count = rig.target.asked('a').length
    await sleep(1_500)
    expect(rig.target.asked('a').length).toBe(count)
  })

  test('sends urgent results at once and combines the others', async ({ rig }) => {
    const checks = Array.from({ length: 10 }, (_, n) => assignmentOf(rig.target.url(`c${n}`), { interval_ms: 1_000 }))
    rig.plane.assign(...checks)
    await rig.agent()
    await until(() => rig.plane.of(checks[0]!.check).length >= 6, 15_000)
    const before = rig.plane.answers.length
    await sleep(3_000)
    expect(rig.plane.answers.length - before).toBeLessThanOrEqual(4)
    rig.target.answer = (response, path) => response.writeHead(path === '/c3' ? 500 : 200).end()
    await until(() => rig.plane.of(checks[3]!.check).some(({ seen }) => seen?.status === 500))
    const [first] = [...rig.plane.stored.values()].filter(({ result }) => result.seen?.status === 500)
    expect(first!.receivedAt - first!.result.at).toBeLessThan(600)

    // nor does it wait for the answer to what went before; by then the end of the first trouble is no longer reported
    rig.target.answer = response => response.writeHead(200).end()
    await until(
      () =>
        rig.plane.of(checks[3]!.check).filter(({ at, seen }) => at > first!.result.at && seen?.status === 200).length >=
        5,
      20_000,
    )
    rig.plane.answersAfterMs = 8_000
    const taken = rig.plane.answers.length
    await until(() => rig.plane.answers.length > taken)
    const failing: string[] = []
    rig.target.answer = (response, path) => response.writeHead(failing.includes(path) ? 502 : 200).end()
    for (const n of [4, 5]) {
      failing.push(`/c${n}`)
      await until(() => rig.plane.of(checks[n]!.check).some(({ seen }) => seen?.status === 502), 5_000)
    }
    rig.plane.answersAfterMs = 0
  })

  test('sends results without a change at multiples of two seconds by the clock of the server', async ({ rig }) => {
    rig.plane.clockOffsetMs = 1_300
    const check = assignmentOf(rig.target.url('a'), { interval_ms: 1_000 })
    rig.plane.assign(check)
    await rig.agent()
    const uploadedAt = () => [...new Set([...rig.plane.stored.values()].map(({ receivedAt }) => receivedAt))]
    await until(() => uploadedAt().length >= 6, 25_000)
    const late = uploadedAt()
      .slice(-4)
      .map(at => at % 2_000)
    // one may be late on a busy machine
    expect(late.toSorted((a, b) => a - b)[2]).toBeLessThan(500)
  })

  test('delivers a result for every end of a run', async ({ rig }) => {
    rig.target.answer = (response, path) => {
      if (path === '/reset') response.socket?.resetAndDestroy()
      else if (path !== '/hang') response.writeHead(503).end('busy')
    }
    const kinds = { reset: {}, hang: { timeout_ms: 300 }, busy: {} }
    const checks = Object.fromEntries(
      Object.entries(kinds).map(([path, changes]) => [path, assignmentOf(rig.target.url(path), changes)]),
    )
    const blocked = assignmentOf('http://192.168.7.7/')
    const unknown = assignmentOf(rig.target.url('x'), { kind: 'seance' })
    const wrong = assignmentOf(rig.target.url('x'), { settings: { method: 'BREW' } })
    const refused = assignmentOf('http://127.0.0.1:1/')
    rig.plane.assign(...Object.values(checks), blocked, unknown, wrong, refused)
    const agent = await rig.agent()
    const codeOf = (check: string) => rig.plane.of(check)[0]?.fault?.code
    await until(() =>
      [...Object.values(checks), blocked, unknown, wrong, refused].every(({ check }) => rig.plane.of(check).length > 0),
    )
    expect(codeOf(checks.reset!.check)).toBe('reset')
    expect(codeOf(checks.hang!.check)).toBe('timeout')
    expect(rig.plane.of(checks.busy!.check)[0]?.seen?.status).toBe(503)
    expect(codeOf(blocked.check)).toBe('blocked')
    expect(codeOf(unknown.check)).toBe('unsupported')
    expect(codeOf(wrong.check)).toBe('unsupported')
    expect(codeOf(refused.check)).toBe('refused')
    await until(() => rig.plane.healths.some(({ unsupported }) => unsupported.seance !== undefined))
    await until(() => agent.figures().inFlight <= 1)
  })

  test('queries the registry servers of its operator', async ({ rig }) => {
    const file = join(rig.dir, 'registries.txt')
    await writeFile(file, `# ours\nrdap ${new URL('/rdap/', rig.target.url('x')).href} com\n`)
    rig.target.answer = (response, path) => {
      const events = [{ eventAction: 'expiration', eventDate: '2099-01-01T00:00:00Z' }]
      response.end(
        path === '/rdap/domain/example.com'
          ? JSON.stringify({ objectClassName: 'domain', ldhName: 'example.com', events })
          : '',
      )
    }
    const check = assignmentOf('https://www.example.com/', { kind: 'domain_expiry', interval_ms: 3_600_000 })
    rig.plane.assign(check)
    const agent = await rig.agent({ REGISTRIES_FILE: file, RDAP_BOOTSTRAP_URL: 'none' })
    await until(() => rig.plane.of(check.check).length > 0)
    await rig.stop(agent)
    expect(rig.plane.of(check.check)[0]?.seen).toMatchObject({
      domain: 'example.com',
      answer: 'fresh',
      expires_at: '2099-01-01T00:00:00.000Z',
    })
  })

  test('renews its access token before it expires', async ({ rig }) => {
    rig.plane.tokenLifeS = 3
    const check = assignmentOf(rig.target.url('a'))
    rig.plane.assign(check)
    await rig.agent()
    await until(() => rig.plane.of(check.check).length >= 7, 15_000)
    expectGrid(
      rig.plane.of(check.check).map(({ due }) => due),
      1_000,
    )
  })

  test('continues while renewals are refused in the second half of a token’s lifetime', async ({ rig }) => {
    rig.plane.tokenLifeS = 20
    const check = assignmentOf(rig.target.url('a'))
    rig.plane.assign(check)
    await rig.agent()
    await until(() => rig.plane.of(check.check).length > 0)
    const given = rig.plane.tokenRequests
    rig.plane.tokenStatus = 429
    await until(() => rig.plane.tokenRequests >= given + 2, 20_000, 'a second try to renew')
    const before = rig.plane.of(check.check).length
    await until(() => rig.plane.of(check.check).length > before, 4_000, 'a result under the old token')
    rig.plane.tokenStatus = undefined
    const refused = rig.plane.tokenRequests
    await until(() => rig.plane.tokenRequests > refused, 5_000, 'a renewal')
  })

  test("uses the server's clock when its own is far off", async ({ rig }) => {
    rig.plane.clockOffsetMs = -7 * 3_600_000
    const check = assignmentOf(rig.target.url('a'))
    rig.plane.assign(check)
    await rig.agent()
    await until(() => rig.plane.of(check.check).length >= 3)
    for (const { result, receivedAt } of rig.plane.stored.values()) {
      expect(receivedAt - result.at).toBeGreaterThanOrEqual(0)
      expect(receivedAt - result.at).toBeLessThan(2_500)
    }
    await until(() => rig.plane.healths.some(({ clock_skew_ms }) => clock_skew_ms !== 0))
    expect(Math.abs(rig.plane.healths.at(-1)!.clock_skew_ms - 7 * 3_600_000)).toBeLessThan(200)
  })

  test('exposes metrics without names of checks and targets', async ({ rig }) => {
    const check = assignmentOf(rig.target.url('secret-path'))
    rig.plane.assign(check)
    const agent = await rig.agent()
    await until(() => agent.figures().accepted >= 1)
    expect(agent.figures()).toMatchObject({ checks: 1, isActive: true, isConnected: true, dropped: 0 })
    const text = await metricsOf(agent.figures).metrics()
    expect(text).toMatch(/^vedette_agent_runs_total [1-9]/m)
    expect(text).toMatch(/^vedette_agent_active 1$/m)
    expect(text).not.toContain('secret-path')
    expect(text).not.toContain(check.check)
  })
})

describe.concurrent('the configuration of an agent', () => {
  test('reports all errors at once', () => {
    expect(() =>
      readConfig({
        VEDETTE_URL: 'ftp://x',
        REGION: 'Not A Region',
        EGRESS_ALLOW: '10.0.0.0/99',
        ANCHORS: 'nowhere',
        KILL_AT: 'noon',
      }),
    ).toThrow(
      /VEDETTE_URL[\s\S]*REGION[\s\S]*DATA_DIR[\s\S]*EGRESS_ALLOW[\s\S]*10\.0\.0\.0\/99[\s\S]*ANCHORS[\s\S]*nowhere[\s\S]*KILL_AT/,
    )
    expect(() => readConfig({ REGISTRIES_FILE: '/nowhere/registries', RDAP_BOOTSTRAP_URL: 'ftp://x' })).toThrow(
      /REGISTRIES_FILE[\s\S]*RDAP_BOOTSTRAP_URL/,
    )
  })

  test.for<[url: string, isTaken: boolean]>([
    ['https://vedette.example.com', true],
    ['http://127.0.0.1:8080', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:8080', true],
    ['http://localhost:8080', true],
    ['http://vedette.localhost', true],
    ['http://vedette.example.com', false],
    ['HTTP://vedette.example.com', false],
    ['http://192.168.1.5:8080', false],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://[fe80::1]', false],
    ['http://0.0.0.0:8080', false],
  ])('refuses an unencrypted address unless allowed, of an agent for %s: %s', ([url, isTaken]) => {
    const environment = { VEDETTE_URL: url, REGION: 'eu-west', DATA_DIR: '/x' }
    if (isTaken) expect(readConfig(environment)).toMatchObject({ isInsecure: false })
    else {
      expect(() => readConfig(environment)).toThrow(/VEDETTE_URL: http:.*https:.*ALLOW_INSECURE_URL=1/)
      expect(readConfig({ ...environment, ALLOW_INSECURE_URL: '1' })).toMatchObject({ isInsecure: true })
    }
  })

  test('warns of an allowed unencrypted address', async ({ rig }) => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
    const config = readConfig({ ...rig.env(), VEDETTE_URL: 'http://vedette.example.com', ALLOW_INSECURE_URL: '1' })
    const agent = await startAgent({ ...config, url: rig.plane.url }, { log })
    await rig.stop(agent)
    expect(lines.join('')).toContain('insecure control plane address')
  })

  test('has few required settings', () => {
    expect(
      readConfig({ VEDETTE_URL: 'http://127.0.0.1:3000/', REGION: 'eu-west', DATA_DIR: '/x', METRICS_PORT: '' }),
    ).toMatchObject({
      url: 'http://127.0.0.1:3000',
      name: 'eu-west',
      anchors: [],
      registries: { own: undefined, bootstrapUrl: 'https://data.iana.org/rdap/dns.json' },
      metricsPort: undefined,
    })
  })
})

test('an agent refuses the identity of another region', async ({ rig }) => {
  await rig.agent().then(agent => rig.stop(agent))
  await expect(rig.agent({ REGION: 'us-east' })).rejects.toThrow(/eu-west/)
  expect(await readFile(join(rig.dir, 'agent', 'identity.json'), 'utf8')).toContain('eu-west')
})
