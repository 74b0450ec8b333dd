import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { denyEntryOf, denyFileEntry, isDenied, parseDenyList } from '#egress/deny.ts'
import { Guard } from '#egress/guard.ts'

describe('a deny list', () => {
  test('denies a port of this machine at every one of its addresses, and at no other address', () => {
    const deny = parseDenyList('5432')
    const own = Object.values(networkInterfaces()).flatMap(list => list?.map(({ address }) => address) ?? [])
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...own]) {
      expect(isDenied(address, 5432, deny), address).toBe(true)
      expect(isDenied(address, 5433, deny), address).toBe(false)
      expect(isDenied(address, undefined, deny), address).toBe(false)
    }
    for (const address of ['192.0.2.1', '2001:db8::1']) expect(isDenied(address, 5432, deny), address).toBe(false)
  })

  test('denies whole addresses, and single ports of addresses', () => {
    const deny = parseDenyList('10.0.0.0/24, 10.1.0.5:8123 [fd00::1]:5432')
    expect(isDenied('10.0.0.7', 80, deny)).toBe(true)
    expect(isDenied('10.0.0.7', undefined, deny)).toBe(true)
    expect(isDenied('10.1.0.5', 8123, deny)).toBe(true)
    expect(isDenied('10.1.0.5', 80, deny)).toBe(false)
    expect(isDenied('fd00::1', 5432, deny)).toBe(true)
    expect(isDenied('fd00::2', 5432, deny)).toBe(false)
  })

  test('reports all invalid entries in one error', () => {
    expect(() => parseDenyList('0, 65536, 10.0.0.0/99, nowhere:80, 10.0.0.1:0')).toThrow(
      /"0".*"65536".*"10\.0\.0\.0\/99".*"nowhere:80".*"10\.0\.0\.1:0"/,
    )
    expect([...parseDenyList('1, 65535').ports.keys()]).toEqual([1, 65_535])
  })

  test('names a file of ports at most once', () => {
    expect(parseDenyList('5432,file:/var/lib/own%20ports').portsFile).toBe('/var/lib/own ports')
    expect(() => parseDenyList('file:/one,file:/two')).toThrow('"file:/two"')
    expect(parseDenyList(denyFileEntry('/a, b/%20/ports')).portsFile).toBe('/a, b/%20/ports')
  })

  test('contains a service by its port on this machine, by address and port elsewhere, and not by name', () => {
    expect(denyEntryOf('localhost', 5432)).toBe('5432')
    expect(denyEntryOf('[::1]', 5432)).toBe('5432')
    expect(denyEntryOf('192.0.2.4', 5432)).toBe('192.0.2.4:5432')
    expect(denyEntryOf('2001:db8::4', 5432)).toBe('[2001:db8::4]:5432')
    expect(denyEntryOf('db.example', 5432)).toBeUndefined()
  })
})

describe('a guard that allows loopback and denies what a file names', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-deny-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const guardOf = (file: string) =>
    new Guard(parseAllowList('127.0.0.0/8,::1/128'), { deny: parseDenyList(denyFileEntry(file)) })

  test('follows the file: ports that are added are refused soon, those that are gone may be reached again', async () => {
    const file = join(folder, 'own ports')
    writeFileSync(file, '7301\n7302\n')
    const guard = guardOf(file)
    expect([7_301, 7_302, 7_303].map(port => guard.mayReach('127.0.0.1', port))).toEqual([false, false, true])
    for (const address of ['127.8.8.8', '::1', '::ffff:127.0.0.1']) expect(guard.mayReach(address, 7_301)).toBe(false)
    expect(guard.mayReach('192.0.78.9', 7_301)).toBe(true)
    writeFileSync(file, '7303\n')
    await expect.poll(() => guard.mayReach('127.0.0.1', 7_303)).toBe(false)
    expect(guard.mayReach('127.0.0.1', 7_301)).toBe(true)
    expect(guard.refuseUrl('http://localhost:7303/')).toBe('This port of this address may not be reached.')
  })

  test('keeps refusing what the file said last when the file is gone, and begins without it', async () => {
    const file = join(folder, 'ports')
    const guard = guardOf(file)
    expect(guard.mayReach('127.0.0.1', 7_304)).toBe(true)
    writeFileSync(file, '7304\n')
    await expect.poll(() => guard.mayReach('127.0.0.1', 7_304)).toBe(false)
    rmSync(file)
    await sleep(300) // a quarter of a second is how long the guard remembers
    expect(guard.mayReach('127.0.0.1', 7_304)).toBe(false)
  })

  test('refuses a port that it opened itself, for as long as it is open', () => {
    const guard = new Guard(parseAllowList('127.0.0.0/8'))
    const allow = guard.denyPort(7_305)
    expect(guard.mayReach('127.0.0.1', 7_305)).toBe(false)
    allow()
    expect(guard.mayReach('127.0.0.1', 7_305)).toBe(true)
  })
})

test('a guard that allows one port of loopback reaches it, and no other port there, when saved and at run time', async () => {
  const [open, closed] = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')]
  await Promise.all([once(open, 'listening'), once(closed, 'listening')])
  const [port, other] = [open, closed].map(server => (server.address() as AddressInfo).port) as [number, number]
  try {
    const guard = new Guard(parseAllowList(`127.0.0.1:${port}`))
    expect(guard.refuseUrl(`http://127.0.0.1:${port}/`)).toBeNull()
    expect(guard.refuseUrl(`http://localhost:${port}/`)).toBeNull()
    expect(guard.refuseUrl(`http://127.0.0.1:${other}/`)).toBe('This address is not public.')
    expect(guard.refuseHost('127.0.0.1')).toBeNull() // a port follows
    expect(guard.refuseHost('127.0.0.2')).toBe('This address is not public.')
    const { socket } = await guard.connect({ host: '127.0.0.1', port })
    socket.destroy()
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2'])
      await expect(guard.connect({ host, port: host === '127.0.0.2' ? port : other })).rejects.toMatchObject({
        code: 'blocked',
      })
    await expect(guard.resolve('127.0.0.1')).rejects.toMatchObject({ code: 'blocked' })
    const denied = new Guard(parseAllowList(`127.0.0.1:${port}`), { deny: parseDenyList(String(port)) })
    expect(denied.mayReach('127.0.0.1', port)).toBe(false)
  } finally {
    open.close()
    closed.close()
  }
})

describe('a guard that allows loopback and denies one port of this machine', () => {
  const servers: Server[] = []
  const hits: number[] = []
  let [open, denied] = [0, 0]
  let guard: Guard
  const loopback = parseAllowList('127.0.0.0/8,::1/128')
  const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }]

  beforeAll(async () => {
    const ports = await Promise.all(
      [0, 1].map(async () => {
        const server = createServer(socket => {
          hits.push((server.address() as AddressInfo).port)
          socket.on('error', () => {})
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        })
        servers.push(server)
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        return (server.address() as AddressInfo).port
      }),
    )
    open = ports[0] ?? 0
    denied = ports[1] ?? 0
    guard = new Guard(loopback, { deny: parseDenyList(String(denied)), lookup: toLoopback })
  })
  afterAll(() => {
    for (const server of servers) server.close()
  })

  test('refuses the port when a target is saved, in every notation, and accepts other ports', () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]'])
      for (const scheme of ['http', 'https']) {
        expect(guard.refuseUrl(`${scheme}://${host}:${denied}/`), host).toBe(
          'This port of this address may not be reached.',
        )
        expect(guard.refuseUrl(`${scheme}://${host}:${open}/`), host).toBeNull()
      }
    expect(guard.refuseHost('127.0.0.1', denied)).not.toBeNull()
    expect(guard.refuseHost('127.0.0.1', open)).toBeNull()
  })

  const fault = async (at: Guard, url: string) => {
    const { fault: found } = await runCheck('uptime', { url }, kinds.uptime.settings.parse({ timeout_ms: 3_000 }), {
      guard: at,
      timeoutMs: 3_000,
      now: Date.now,
    })
    return found?.code
  }

  test('refuses the port at run time, by address and by name, and reaches another port', async () => {
    for (const host of ['127.0.0.1', 'shop.example', '127.0.0.9'])
      expect(await fault(guard, `http://${host}:${denied}/`), host).toBe('blocked')
    for (const host of ['127.0.0.1', 'shop.example'])
      expect(await fault(guard, `http://${host}:${open}/`), host).toBeUndefined()
    await expect(guard.connect({ host: '127.0.0.1', port: denied })).rejects.toMatchObject({ code: 'blocked' })
    await expect(guard.resolve('127.0.0.1', undefined, undefined, denied)).rejects.toMatchObject({ code: 'blocked' })
    expect(hits).not.toContain(denied)
  })

  test('control: without the deny list the same port is reached', async () => {
    expect(await fault(new Guard(loopback, { lookup: toLoopback }), `http://shop.example:${denied}/`)).toBeUndefined()
    expect(hits).toContain(denied)
  })
})
