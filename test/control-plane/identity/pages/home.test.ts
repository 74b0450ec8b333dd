import { describe, expect, test } from 'vitest'
import { startControlPlane } from '#cli/serve/serve.ts'
import { readConfig } from '#control-plane/config.ts'
import { app } from '#test/support/app.ts'
import { configOn } from '#test/support/config.ts'

const get = (path: string, headers: Record<string, string> = {}, base = app.baseUrl) =>
  fetch(base + path, { headers, redirect: 'manual' })

describe('the first page', () => {
  test('says what to do, in the language of the reader, and asks nothing of other hosts', async () => {
    const english = await get('/')
    expect([english.status, english.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = await english.text()
    for (const words of [
      'href="/api/docs"',
      'href="/api/v1/openapi.json"',
      'local.json',
      'vedette account create --operator',
      '/api/v1/auth/token',
    ])
      expect(text).toContain(words)
    expect(english.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([...text.matchAll(/(?:src|href)="(?!\/)/g)]).toEqual([])
    expect(await (await get('/', { 'Accept-Language': 'de' })).text()).toContain('<html lang="de">')
  })

  test('has an icon, and is linked from a page that has done its work', async () => {
    const icon = await get('/favicon.ico')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    expect([...new Uint8Array(await icon.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0])
    expect(await (await get('/invitation')).text()).toContain('<p id="next" hidden><a href="/login">')
  })
})

describe('Strict-Transport-Security', () => {
  const header = async (path: string, base?: string) =>
    (await get(path, {}, base)).headers.get('strict-transport-security')

  test('is not sent where the service is reached by http', async () => {
    for (const path of ['/', '/api/v1/monitors', '/nothing', '/api/docs']) expect(await header(path), path).toBeNull()
  })

  test('is sent once over https, and covers subdomains only when configured', async () => {
    const needed = {
      DATABASE_URL: 'postgres://a',
      DATABASE_PLATFORM_URL: 'postgres://b',
      CLICKHOUSE_URL: 'http://c',
      SECRET_KEY: 'x'.repeat(32),
    }
    const hstsOf = (more: Record<string, string>) =>
      readConfig({ ...needed, BASE_URL: 'https://status.example', ...more }).hsts
    expect(hstsOf({})).toBe('max-age=31536000')
    expect(hstsOf({ BASE_URL: 'http://status.example' })).toBeNull()
    expect(hstsOf({ HSTS: 'off' })).toBeNull()
    expect(hstsOf({ HSTS: 'max-age=1; includeSubDomains' })).toBe('max-age=1; includeSubDomains')
    for (const wrong of ['on', 'max-age=', 'max-age=1\r\nX: y'])
      expect(() => hstsOf({ HSTS: wrong })).toThrow(/HSTS: Must be off/)

    const plane = await startControlPlane(
      configOn(app.stores, { baseUrl: 'https://status.example', hsts: 'max-age=31536000' }),
      ['api'],
    )
    try {
      for (const path of ['/', '/api/v1/monitors', '/api/v1/openapi.json', '/nothing', '/api/docs'])
        expect(await header(path, plane.baseUrl), path).toBe('max-age=31536000')
    } finally {
      await plane.close()
    }
  })
})
