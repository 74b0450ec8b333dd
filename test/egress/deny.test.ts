import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { denyEntryOf, isDenied, parseDenyList } from '#egress/deny.ts'
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

  test('contains a service by its port on this machine, by address and port elsewhere, and not by name', () => {
    expect(denyEntryOf('localhost', 5432)).toBe('5432')
    expect(denyEntryOf('[::1]', 5432)).toBe('5432')
    expect(denyEntryOf('192.0.2.4', 5432)).toBe('192.0.2.4:5432')
    expect(denyEntryOf('2001:db8::4', 5432)).toBe('[2001:db8::4]:5432')
    expect(denyEntryOf('db.example', 5432)).toBeUndefined()
  })
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
