import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import si from 'systeminformation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverAgentProgram } from '#control-plane/passive/servers/program.ts'
import { Proc } from '#server-agent/proc.ts'
import { app, given } from '#test/support/app.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-server-agent-'))
const program = join(folder, 'agent.mjs')
const children = new Set<ChildProcess>()

beforeAll(async () => writeFileSync(program, await serverAgentProgram()))
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The bundled file as it is served, in a process of its own, with nothing of ours around it. */
function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let [out, said] = ['', '']
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { child, ended, out: () => out, said: () => said }
}

const spooled = (data: string) => readdirSync(join(data, 'spool')).filter(name => name.endsWith('.json'))
async function until(what: string, is: () => boolean | Promise<boolean>, withinMs = 25_000): Promise<void> {
  for (const end = performance.now() + withinMs; !(await is()); await sleep(50))
    if (performance.now() > end) throw new Error(`${what}: not in time`)
}

describe('the program', () => {
  test('prints what it would send: metrics of this machine, and programs without arguments', async () => {
    const { ended, out } = run(['--once', '--print'])
    expect(await ended).toBe(0)
    const { host, metrics, processes, at } = JSON.parse(out())
    expect(host).toMatchObject({ name: expect.any(String), cores: expect.any(Number), agent: '1' })
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
    expect(metrics).toMatchObject({
      cpu: expect.any(Number),
      memory: expect.any(Number),
      disk: { '/': expect.any(Number) },
      load: expect.any(Number),
      uptime: expect.any(Number),
    })
    for (const share of [metrics.cpu, metrics.memory, metrics.disk['/']]) {
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(100)
    }
    expect(processes.length).toBeGreaterThan(0)
    for (const process of processes) expect(Object.keys(process).toSorted()).toEqual(['cpu', 'memory', 'name'])
    expect(out()).not.toContain('--print')
  })

  test.runIf(process.platform === 'linux')('reads in /proc what the library reads through other programs', async () => {
    const own = new Proc()
    const [[disk], memory, interfaces] = [
      (await own.disks()).filter(({ mount }) => mount === '/'),
      own.memory(),
      own.networks().map(({ iface }) => iface),
    ]
    const [root] = (await si.fsSize()).filter(({ mount }) => mount === '/')
    expect(disk?.size).toBe(root?.size)
    expect(Math.abs(disk!.used - root!.used) / root!.size).toBeLessThan(0.05)
    expect([memory.total, memory.swaptotal]).toEqual([(await si.mem()).total, (await si.mem()).swaptotal])
    expect(interfaces).toContain('lo')
    own.processes()
    const { all, list } = own.processes()
    expect([list.length, list.some(({ name }) => /^node/.test(name))]).toEqual([all, true])
  })

  test.each([
    [['--once'], 'VEDETTE_URL is needed: where Vedette is'],
    [['--url', 'https://x.test'], 'VEDETTE_TOKEN is needed: the token of this server'],
    [['--url', 'https://x.test', '--token', 'am-x', '--interval', '9'], 'from 10 to 300'],
    [['--url', 'https://x.test', '--token', 'am-x', '--interval', '301'], 'from 10 to 300'],
    [['--url', 'ftp://x.test', '--token', 'am-x'], 'VEDETTE_URL: Must be an http:// or https:// address.'],
    [['--url', 'http://x.test', '--token', 'am-x'], 'ALLOW_INSECURE_URL=1'],
    [['--url', 'http://192.168.1.5:8080', '--token', 'am-x'], 'unencrypted'],
    [['--config', '/nowhere'], 'cannot be read'],
    [['--colour'], 'colour'],
  ])('%j ends with code 2 and a message', async (args, why) => {
    const { ended, said } = run(args)
    expect(await ended).toBe(2)
    expect(said()).toContain(why)
  })

  test('sends to a running control plane, with a configuration file, and its values are stored', async () => {
    const tenant = await given.tenant()
    const { data, plain_text_token } = (await tenant.post('/agent-monitors', { name: 'this machine' })).body
    const config = join(folder, 'agent.env')
    writeFileSync(
      config,
      `# a remark\nVEDETTE_URL=${app.baseUrl}\nVEDETTE_TOKEN="${plain_text_token}"\nVEDETTE_DATA=${join(folder, 'sends')}\n`,
    )
    const { ended, said } = run(['--once', '--config', config])
    expect(await ended, said()).toBe(0)
    const now = (await tenant.get(`/monitors/${data.id}/agent`)).body.data
    expect(now.host.agent).toBe('1')
    expect(now.processes.length).toBeGreaterThan(0)
    expect(now.metrics.map((metric: { metric: string }) => metric.metric)).toEqual(
      expect.arrayContaining(['cpu', 'memory', 'disk', 'load', 'uptime']),
    )
  })

  test('accepts an unencrypted address if allowed, and warns of it', async () => {
    const { child, ended, said } = run([
      '--url',
      'http://vedette.invalid',
      '--insecure',
      '--token',
      `am-${'x'.repeat(50)}`,
      '--data',
      join(folder, 'insecure'),
    ])
    await until('it says so', () => said().includes('insecure address vedette.invalid: the token is sent unencrypted'))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('keeps its samples when its token is unknown', async () => {
    const data = join(folder, 'unknown')
    const { child, ended, said } = run(['--url', app.baseUrl, '--token', `am-${'x'.repeat(50)}`, '--data', data])
    // not a port that begins with it
    await until('it says so', () => /\b401\b/.test(said()))
    expect(spooled(data)).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('an unacknowledged sample', () => {
  /** A control plane with set answers that records what it acknowledged. */
  let server: Server
  let answer: (request: IncomingMessage, response: ServerResponse, ack: () => void) => void
  let asked: number[] = []
  const acknowledged = new Map<string, string[]>()
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      asked.push(performance.now())
      const [header = '', ...lines] = gunzipSync(Buffer.concat(chunks)).toString().split('\n')
      const { batch } = JSON.parse(header)
      answer(request, response, () => {
        acknowledged.set(batch, lines)
        response.end(JSON.stringify({ batch, accepted: 1, ignored: 0, now_ms: Date.now() }))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const start = (data: string) =>
    run([
      '--url',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      '--token',
      'am-x',
      '--data',
      data,
      '--interval',
      '10',
    ])
  const momentsIn = (lines: readonly string[]) => lines.map(line => JSON.parse(line).at as number)

  test('survives kills and truncated files, and is sent once a server listens', async () => {
    const data = join(folder, 'kills')
    answer = (_, response) => response.writeHead(503, { 'Retry-After': '3600' }).end('{}')
    const moments: number[] = []
    for (let round = 1; round <= 2; round++) {
      const { child, ended } = start(data)
      await until(`sample ${round} is kept`, () => safely(() => spooled(data).length >= round))
      child.kill('SIGKILL')
      await ended
      moments.splice(0, moments.length, ...spooled(data).map(name => Number(name.slice(0, 15))))
    }
    expect(moments.length).toBeGreaterThanOrEqual(2)
    writeFileSync(join(data, 'spool', `${'9'.repeat(15)}-${crypto.randomUUID()}.json`), '{"at": 1, "trunc')
    writeFileSync(join(data, 'spool', 'x.part'), '{')

    // what it sends arrives, and no answer comes back
    let isDeaf = true
    answer = (_, response, ack) => {
      if (isDeaf) return void response.destroy()
      ack()
    }
    const deaf = start(data)
    await until('it asked', () => deaf.said().includes('kept and sent later'))
    deaf.child.kill('SIGKILL')
    await deaf.ended
    isDeaf = false
    const last = start(data)
    await until('all of it is acknowledged', () => acknowledged.size > 0 && spooled(data).length === 0)
    last.child.kill('SIGTERM')
    expect(await last.ended).toBe(0)
    const got = momentsIn([...acknowledged.values()].flat())
    expect(got).toEqual(expect.arrayContaining(moments))
    expect(new Set(got).size, 'each sample once').toBe(got.length)
  })

  test('is sent again no sooner than the server allows, and removed when refused for good', async () => {
    asked = []
    answer = (_, response) => response.writeHead(429, { 'Retry-After': '2' }).end('{}')
    const data = join(folder, 'patience')
    const { child, ended, said } = start(data)
    await until('it asked twice', () => asked.length >= 2)
    expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(1_990)
    answer = (_, response) =>
      response
        .writeHead(422)
        .end(JSON.stringify({ message: 'The given data was invalid.', errors: { at: ['lies in the future'] } }))
    await until('it drops the batch', () => said().includes('lies in the future') && spooled(data).length === 0)
    child.kill('SIGTERM')
    await ended
  })

  test('is kept while another server reports with its token', async () => {
    const message = 'A token is for one server: web1 reports with this one, and now web2 as well.'
    answer = (_, response) => response.writeHead(409).end(JSON.stringify({ message }))
    const data = join(folder, 'second')
    const { child, ended, said } = start(data)
    await until('it says why', () => said().includes(message))
    expect(spooled(data).length).toBeGreaterThan(0)
    child.kill('SIGTERM')
    await ended
  })

  test('is removed, oldest first, beyond the limit', async () => {
    const { Spool } = await import('#server-agent/spool.ts')
    const data = join(folder, 'bounded')
    const spool = new Spool(data, 10_000)
    for (let at = 0; at < 100; at++) spool.store({ at, metrics: { disk: { ['x'.repeat(400)]: at } } })
    expect(spool.size).toBeLessThan(25)
    expect(spool.dropped).toBe(100 - spool.size)
    const again = new Spool(data, 10_000)
    expect(again.oldest(1_000)).toEqual(spool.oldest(1_000))
    expect(JSON.parse(again.read(again.oldest(1)[0]!) ?? '').at).toBe(100 - spool.size)
    again.forget(again.oldest(5))
    expect(new Spool(data, 10_000).size).toBe(spool.size - 5)
  })
})

const safely = (is: () => boolean): boolean => {
  try {
    return is()
  } catch {
    return false
  }
}
