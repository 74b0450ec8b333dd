import { glob } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isKindName, isProbedKindName, kindNames, kinds } from '#checks/index.ts'
import { probes } from '#checks/probes.ts'
import { hostOf } from '#checks/target.ts'

test('every folder is a kind, and every kind has a probe', async () => {
  const folders = await Array.fromAsync(glob('checks/*/kind.ts'), file => file.split('/')[1]?.replaceAll('-', '_'))
  expect(folders.toSorted()).toEqual(kindNames.toSorted())
  expect(Object.keys(probes).toSorted()).toEqual(kindNames.filter(isProbedKindName).toSorted())
  expect(isKindName('uptime')).toBe(true)
  expect(isKindName('toString')).toBe(false)
})

describe.each(kindNames)('%s', name => {
  const kind = kinds[name]
  test('has its own name and runs no more often than allowed', () => {
    expect(kind.name).toBe(name)
    expect(kind.every.default).toBeGreaterThanOrEqual(kind.every.min)
  })

  test('describes its settings and what it sees to the API', () => {
    for (const io of ['input', 'output'] as const) {
      expect(z.toJSONSchema(kind.settings, { io })).toMatchObject({ type: 'object' })
      expect(z.toJSONSchema(kind.seen, { io })).toMatchObject({ type: 'object' })
    }
  })

  test('has settings that survive the wire', () => {
    const settings = kind.settings.parse({ port: 80 })
    expect(kind.settings.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings)
  })
})

test.each([
  ['host://example.com', 'example.com', null],
  ['host://EXAMPLE.com.', 'example.com.', null],
  ['host://0x7f.1', '127.0.0.1', null],
  ['host://2130706433', '127.0.0.1', null],
  ['host://[::ffff:127.0.0.1]', '::ffff:7f00:1', null],
  ['host://münchen.example', 'xn--mnchen-3ya.example', null],
  ['https://example.com:8443/path', 'example.com', 8443],
  ['https://example.com:443/', 'example.com', null],
])('the host of %s', (url, host, port) => expect(hostOf({ url })).toEqual({ host, port }))
