import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refuseImage, refuseSymbol } from '#control-plane/tenancy/branding/symbol.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'

/** The first bytes of an image of this size, which contain the size. */
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(64)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const gif = (width: number, height: number) => {
  const bytes = Buffer.alloc(32)
  bytes.write('GIF89a', 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}
const jpeg = (width: number, height: number) => {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108', 'hex'),
    size,
    Buffer.alloc(20, 3),
  ])
}
const ico = (...sizes: number[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 1, 0, sizes.length, 0]),
    ...sizes.map(size => Buffer.from([size, size, 0, 0, 1, 0, 32, 0, 9, 0, 0, 0, 22, 0, 0, 0])),
  ])
const svg = (attributes: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M0 0"/></svg>`)

const [square, wide] = [null, /^The image must be square/]
const small = /^The image must be at least 64/
const other = /^This is no PNG/
const broken = /^The size of the image cannot be read/

describe('a symbol', () => {
  test.each([
    ['png 64', png(64, 64), square],
    ['png 63', png(63, 63), small],
    ['png 64 by 65', png(64, 65), wide],
    ['png 0', png(0, 0), wide],
    ['png 4096', png(4096, 4096), square],
    ['gif 64', gif(64, 64), square],
    ['gif 80 by 64', gif(80, 64), wide],
    ['jpeg 128', jpeg(128, 128), square],
    ['jpeg 16', jpeg(16, 16), small],
    ['ico 16 and 64', ico(16, 64), square],
    ['ico 256', ico(0), square],
    ['ico 16 and 32', ico(16, 32), small],
    ['svg in pixels', svg('width="128" height="128"'), square],
    ['svg of a box', svg('viewBox="0 0 24 24"'), square],
    ['svg of a wide box', svg('viewBox="0 0 48 24"'), wide],
    ['svg without a size', svg(''), broken],
    [
      'svg after a declaration',
      Buffer.concat([Buffer.from('<?xml version="1.0"?>\n'), svg('viewBox="0 0 24 24"')]),
      square,
    ],
    ['a page', Buffer.from('<!doctype html><svg width="64" height="64">'), other],
    ['text', Buffer.from('hello'), other],
    ['nothing', Buffer.alloc(0), other],
    ['zeros', Buffer.alloc(1_000), other],
    ['a truncated png', png(64, 64).subarray(0, 10), broken],
    ['a truncated ico', Buffer.from([0, 0, 1, 0, 255, 255]), broken],
    ['a truncated jpeg', Buffer.from('ffd8ffe0ffff', 'hex'), broken],
    ['tiff', Buffer.from('49492a0008000000', 'hex'), other],
  ])('%s', (_, bytes, reason) => {
    const refused = refuseImage(bytes)
    if (reason === null) expect(refused).toBeNull()
    else expect(refused).toMatch(reason)
  })

  test('is measured in no time, whatever it holds', () => {
    for (const bytes of [
      Buffer.from('<svg '.repeat(13_000)),
      Buffer.from(`<svg ${'width="'.repeat(9_000)}`),
      Buffer.from(`<svg ${"a='".repeat(20_000)}>`),
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(65_000)]),
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(65_000, 0xff)]),
      Buffer.concat([Buffer.from([0, 0, 1, 0, 255, 15]), Buffer.alloc(65_000, 7)]),
    ]) {
      const start = performance.now()
      refuseImage(bytes)
      expect(performance.now() - start).toBeLessThan(500)
    }
  })
})

describe('fetching it', () => {
  const paths: Record<string, RequestListener> = {
    '/good.png': (_, answer) => answer.end(png(64, 64)),
    '/large.png': (_, answer) => answer.end(Buffer.concat([png(512, 512), Buffer.alloc(5_000_000)])),
    '/endless.png': (_, answer) => {
      answer.write(png(512, 512))
      const timer = setInterval(() => answer.write(Buffer.alloc(20_000)), 5)
      answer.on('close', () => clearInterval(timer))
    },
    '/missing.png': (_, answer) => answer.writeHead(404).end(png(64, 64)),
    '/empty.png': (_, answer) => answer.end(),
    '/packed.png': (_, answer) => answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(png(64, 64))),
    '/moved.png': (_, answer) => answer.writeHead(302, { Location: '/good.png' }).end(),
    '/page': (_, answer) => answer.end('<html>'),
    '/silent': () => undefined,
  }
  const asked: string[] = []
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '')
    paths[request.url ?? '']?.(request, answer)
  })
  let site = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const admitted = new Guard(parseAllowList('127.0.0.1'))

  test('reads the first bytes, however much there is', async () => {
    for (const path of ['/good.png', '/large.png', '/endless.png'])
      expect(await refuseSymbol(admitted, site + path), path).toBeNull()
  })

  test('follows no redirect, and refuses an error, an empty or a compressed answer as an image', async () => {
    for (const path of ['/missing.png', '/empty.png', '/packed.png', '/moved.png', '/unknown']) {
      const before = asked.length
      expect(await refuseSymbol(admitted, site + path), path).toBe('The image could not be fetched.')
      expect(asked.length - before).toBe(1)
    }
    expect(await refuseSymbol(admitted, `${site}/page`)).toMatch(other)
  }, 60_000)

  test('waits five seconds and no longer', async () => {
    const start = performance.now()
    expect(await refuseSymbol(admitted, `${site}/silent`)).toBe('The image could not be fetched.')
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('never inside', async () => {
    const before = asked.length
    expect(await refuseSymbol(new Guard(), `${site}/good.png`)).toBe('The image could not be fetched.')
    const renamed = new Guard([], { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await refuseSymbol(renamed, `${site.replace('127.0.0.1', 'shop.example')}/good.png`)).toBe(
      'The image could not be fetched.',
    )
    expect(asked.length).toBe(before)
  })
})
