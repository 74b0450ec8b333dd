import { describe, expect, test } from 'vitest'
import { hostKeys, numberHosts } from '#control-plane/engine/suppression/host-keys.ts'

describe('the keys of a host', () => {
  test.each([
    ['a name, whatever its port and path', 'uptime', 'https://Shop.example.com:8443/a?b#c', ['shop.example.com']],
    ['a name with its last dot', 'uptime', 'https://shop.example.com./', ['shop.example.com']],
    ['a name with a user', 'uptime', 'https://me:secret@shop.example.com/', ['shop.example.com']],
    ['an international name', 'uptime', 'https://bücher.example/', ['xn--bcher-kva.example']],
    ['a host without a scheme of the web', 'tcp', 'host://db.example.com', ['db.example.com']],
    ['an address of version 6', 'ping', 'host://[2001:DB8:0::1]', ['2001:db8::1']],
    ['another notation of an address', 'uptime', 'http://0x7f.1/', ['127.0.0.1']],
    ['no address at all', 'uptime', '', []],
    ['what is no address', 'uptime', 'https://', []],
    ['the link of a job, which is for people', 'cron', 'https://wiki.example.com/backup', []],
  ] as const)('are of %s', (_, kind, url, keys) => {
    expect(hostKeys({ kind, url }, [])).toEqual(keys)
  })

  test('are the addresses that regions connected to as well, each once, in one notation, of bounded number', () => {
    const url = 'https://shop.example.com/'
    expect(hostKeys({ kind: 'uptime', url }, [null, '192.0.2.7', '::FFFF:192.0.2.7', '2001:DB8::1'])).toEqual([
      'shop.example.com',
      '192.0.2.7',
      '2001:db8::1',
    ])
    const many = Array.from({ length: 300 }, (_, index) => `192.0.2.${index}`)
    expect(hostKeys({ kind: 'uptime', url }, many)).toHaveLength(16)
  })
})

test('hosts of one tenant that share a key, also by way of others, have one number; of two tenants never', () => {
  const of = (tenant: string, ...keys: string[]) => ({ tenant, keys })
  const numbers = numberHosts([
    of('a', 'one', '1'),
    of('a', 'two', '2'),
    of('b', 'one', '1'),
    of('a', 'three', '1', '2'),
    of('a', 'four'),
    of('a'),
    of('a'),
  ])
  expect(numbers[1]).toBe(numbers[0])
  expect(numbers[3]).toBe(numbers[0])
  expect(new Set([numbers[0], numbers[2], numbers[4], numbers[5], numbers[6]]).size).toBe(5)
})
