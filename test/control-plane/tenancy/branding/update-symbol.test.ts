import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

const png = (pixels: number) => {
  const bytes = Buffer.alloc(64)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(pixels, 16)
  bytes.writeUInt32BE(pixels, 20)
  return bytes
}

/** A control plane whose operator lets it reach this machine, with two connections to its name. */
let house: Serving
let token: string
const web = createServer((request, answer) => {
  const pixels = Number(request.url?.slice(1))
  if (pixels) answer.end(png(pixels))
})
const image = (path: string) => `http://127.0.0.1:${(web.address() as AddressInfo).port}/${path}`

beforeAll(async () => {
  house = await serving('symbol', { roles: ['api'], config: { poolSize: 2 } })
  const tenantId = await house.tenant()
  token = (
    await createToken(house.platform, {
      kind: 'svc',
      tenantId,
      userId: null,
      name: 'test',
      scopes: ['settings:manage'],
      expiresAt: null,
    })
  ).plain
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
})
afterAll(async () => {
  web.closeAllConnections()
  web.close()
  await house.close()
})

async function call(
  method: string,
  body?: unknown,
): Promise<{ status: number; body: { data: Record<string, unknown>; errors: Record<string, string[]> } }> {
  const response = await fetch(`${house.plane.baseUrl}/api/v1/branding`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

describe('PATCH /branding with a symbol', () => {
  test('takes a square of 64 pixels', async () => {
    const { status, body } = await call('PATCH', { symbol_url: image('64'), favicon_url: image('16') })
    expect(status).toBe(200)
    expect(body.data.effective).toMatchObject({ symbol_url: image('64') })
    expect((await call('PATCH', { symbol_url: null })).body.data.effective).toMatchObject({ symbol_url: image('16') })
  })

  test('says what is wrong with another, and changes nothing', async () => {
    const { status, body } = await call('PATCH', { symbol_url: image('63'), brand_name: 'Acme' })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ symbol_url: ['The image must be at least 64 pixels wide; it is 63.'] })
    expect((await call('GET')).body.data.brand_name).toBeNull()
  })

  test('waits for no image with a connection in its hand', async () => {
    let waiting = 8
    const slow = Array.from({ length: waiting }, async () => {
      const { status } = await call('PATCH', { symbol_url: image('silent') })
      waiting--
      return status
    })
    // a reader gets through while they all wait
    expect((await call('GET')).status).toBe(200)
    expect(waiting).toBe(8)
    expect(new Set(await Promise.all(slow))).toEqual(new Set([422]))
  })
})
