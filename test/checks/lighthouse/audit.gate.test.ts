import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type Socket as Connection, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http } from '#test/checks/servers.ts'
import type { Browser } from '#test/support/browser.ts'
import { store } from '#test/support/stores.ts'
import { temptations } from './temptations.ts'

let browser: Browser
beforeAll(async () => {
  browser = await store('browser')
  if (browser.missing !== undefined) console.warn(`No page is audited here: ${browser.missing}`)
}, 200_000)

const guard = new Guard(parseAllowList('127.0.0.1/32'))

/**
 * An address that the guard does not admit. This machine's own on its network is better than loopback, which WebRTC
 * never uses.
 */
const insideAddress =
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !guard.mayReach(address))?.address ??
  '127.0.0.2'

/** What must not be reached, by any protocol. */
class Inside {
  readonly hits: string[] = []
  readonly #sockets = new Set<Connection>()
  readonly #tcp: Server
  readonly #udp: Socket
  readonly place: string

  private constructor(tcp: Server, udp: Socket, port: number) {
    this.#tcp = tcp
    this.#udp = udp
    this.place = `${insideAddress}:${port}`
    udp.on('message', message => this.hits.push(`udp of ${message.length}`))
    tcp.on('connection', socket => {
      this.hits.push('tcp')
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
      this.#sockets.add(socket)
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  }

  static async open() {
    const tcp = createServer().listen(0, insideAddress)
    await once(tcp, 'listening')
    const address = tcp.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const udp = createSocket('udp4').bind(port, insideAddress)
    await once(udp, 'listening')
    return new Inside(tcp, udp, port)
  }

  async [Symbol.asyncDispose]() {
    this.#udp.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#tcp.close()
    await once(this.#tcp, 'close')
  }
}

const settings = kinds.lighthouse.settings.parse({ categories: ['performance', 'seo'], audit_seconds: 90 })
const audit = (url: string, signal?: AbortSignal) =>
  runCheck('lighthouse', { url }, settings, {
    guard,
    timeoutMs: 90_000,
    now: Date.now,
    browser: { ...browser, sandbox: false },
    ...(signal && { signal }),
  })

/** Folders of audits, and the processes that work in them. */
async function leftovers(): Promise<string[]> {
  const folders = (await readdir(tmpdir())).filter(name => name.startsWith('vedette-audit-'))
  const commands = await Array.fromAsync(glob('/proc/[0-9]*/cmdline'), file => readFile(file, 'utf8').catch(() => ''))
  return [...folders, ...commands.filter(command => command.includes('vedette-audit-'))]
}

test('a page is audited in a browser that reaches nothing inside, and nothing of it stays', async () => {
  await using inside = await Inside.open()
  const asked: string[] = []
  const site = temptations(inside.place)
  await using server = await http((request, response) => {
    asked.push(request.url ?? '')
    site(request, response)
  })
  const url = `http://127.0.0.1:${server.port}/`
  const { seen: raw, fault, phases } = await audit(url)
  expect(inside.hits).toEqual([])
  await expect.poll(leftovers, { timeout: 20_000 }).toEqual([])
  if (browser.missing !== undefined) {
    expect(fault).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/^This region cannot audit pages: .*(apt-get|npm) install/),
    })
    return
  }
  expect(fault).toBeUndefined()
  const seen = kinds.lighthouse.seen.parse(raw)
  expect(asked).toEqual(expect.arrayContaining(['/', '/ways.js', '/moved', '/refresh', '/form', '/header']))
  expect(seen.blocked).toBeGreaterThan(20)
  expect(seen).toMatchObject({
    url,
    form_factor: 'mobile',
    scores: { performance: expect.any(Number), accessibility: null, best_practices: null, seo: expect.any(Number) },
    lighthouse: '13.5.0',
    error: null,
  })
  expect(seen.browser).toMatch(/Chrom\S*\/\d+/)
  for (const [name, value] of Object.entries(seen.metrics)) expect(value, name).toBeGreaterThanOrEqual(0)
  expect(seen.metrics.largest_contentful_paint_ms).toBeGreaterThan(0)
  const strict = kinds.lighthouse.settings.parse({ max_metrics: { largest_contentful_paint_ms: 1 } })
  expect(kinds.lighthouse.judge(seen, strict, { at: new Date(), phases })).toMatchObject({
    status: 'warning',
    event: 'warning.degraded_performance',
  })
}, 120_000)

describe('where there is a browser', () => {
  /** True in the other case too: the test above checks that the kind says what is missing. */
  const withBrowser = (name: string, act: (chromium: string) => Promise<void>) =>
    test(name, async () => {
      if (browser.missing === undefined) return act(browser.chromium)
      expect((await audit('http://127.0.0.1:1/')).fault?.code).toBe('unsupported')
    }, 120_000)

  let started: ChildProcess | undefined
  let profile: string | undefined
  afterAll(async () => {
    started?.kill('SIGKILL')
    if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  })

  withBrowser('control: one that is not confined does reach what is inside, by TCP and by UDP', async chromium => {
    await using inside = await Inside.open()
    await using server = await http(temptations(inside.place))
    profile = await mkdtemp(join(tmpdir(), 'vedette-control-'))
    const args = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ]
    started = spawn(chromium, [...args, `http://127.0.0.1:${server.port}/`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    const ways = () => new Set(inside.hits.map(hit => hit.slice(0, 3)))
    await expect
      .poll(ways, { timeout: 60_000 })
      .toEqual(new Set(insideAddress.startsWith('127.') ? ['tcp'] : ['tcp', 'udp']))
    started.kill('SIGKILL')
  })

  withBrowser('a page that leads inside is reported as by any other run', async () => {
    await using inside = await Inside.open()
    const leads: RequestListener = (_, response) =>
      response.writeHead(302, { location: `http://${inside.place}/` }).end()
    await using server = await http(leads)
    const { fault } = await audit(`http://127.0.0.1:${server.port}/`)
    expect(fault).toEqual({ code: 'blocked', phase: 'guard', message: 'The target is not a public address.' })
    expect(inside.hits).toEqual([])
  })

  withBrowser('an audit that is called off in the middle ends at once, with all that it started', async () => {
    const stopping = new AbortController()
    await using server = await http(() => stopping.abort())
    const { fault } = await audit(`http://127.0.0.1:${server.port}/`, stopping.signal)
    expect(fault).toMatchObject({ code: 'overloaded' })
    await expect.poll(leftovers, { timeout: 20_000 }).toEqual([])
    expect(server.sockets.size).toBe(0)
  })
})
