import { describe, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'

describe('the address of a website without a scheme', () => {
  test('is taken as https and stored so, at the create, in bulk and at a change', async () => {
    const team = await given.tenant()
    for (const [sent, stored] of [
      ['example.com', 'https://example.com'],
      ['Shop.Example.com:8443/cart?a=b://c#d', 'https://Shop.Example.com:8443/cart?a=b://c#d'],
      ['example.com?q=http://x', 'https://example.com?q=http://x'],
      ['bücher.example/größe', 'https://bücher.example/größe'],
      ['93.184.216.34', 'https://93.184.216.34'],
      ['[2606:2800:220:1::1]:8443/x', 'https://[2606:2800:220:1::1]:8443/x'],
      ['http://example.com', 'http://example.com'],
      ['HTTPS://example.com', 'HTTPS://example.com'],
    ] as const) {
      const { status, body } = await team.post('/monitors', { name: 'Shop', url: sent })
      expect([status, body.data?.url], `${sent}: ${body.message}`).toEqual([201, stored])
    }
    const bulk = await team.post('/monitors/bulk', { monitors: [{ name: 'Shop', url: 'shop.example.com/' }] })
    expect(bulk.body.data[0].url).toBe('https://shop.example.com/')
    const path = `/monitors/${bulk.body.data[0].id}`
    expect((await team.patch(path, { url: 'other.example.com' })).body.data.url).toBe('https://other.example.com')
    const before = (await team.get(path)).body.data.updated_at
    expect((await team.patch(path, { url: 'other.example.com' })).body.data.updated_at).toBe(before)
  })

  test('is refused where it could mean something else, or leads inside', async () => {
    const team = await given.tenant()
    for (const url of [
      'ftp://example.com',
      'mailto:a@example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'user@example.com',
      'user:pw@example.com',
      '//example.com',
      '/path',
      '?q',
      'example.com:port',
      'example.com:999999',
      'localhost',
      '127.0.0.1:9464/metrics',
      '[::1]',
      '2130706433',
      'metadata.google.internal',
      'exam ple.com',
      'example.com\\@evil.example',
    ]) {
      const { status, body } = await team.post('/monitors', { name: 'Shop', url })
      expect([status, Object.keys(body.errors ?? {})], url).toEqual([422, ['url']])
    }
  })

  test('counts the scheme towards its length', async () => {
    const team = await given.tenant()
    const url = (bytes: number) => `example.com/${'x'.repeat(bytes - 'https://example.com/'.length)}`
    expect((await team.post('/monitors', { name: 'Shop', url: url(2_048) })).status).toBe(201)
    expect((await team.post('/monitors', { name: 'Shop', url: url(2_049) })).body.errors).toEqual({
      url: ['At most 2048 bytes.'],
    })
  })

  test('is taken as https in templates as well, also when a value makes it', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { status, body } = await reseller.post('/reseller/monitor-templates', {
      name: 'Shop',
      variables: [{ name: 'domain' }],
      monitors: [
        { name_template: 'Home', url_template: '{{domain}}/' },
        { name_template: 'Status', url_template: 'status.example.com' },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data.monitors.map((monitor: { url_template: string }) => monitor.url_template)).toEqual([
      '{{domain}}/',
      'https://status.example.com',
    ])
    const apply = (domain: string) =>
      reseller.post(`${team.path}/apply-template`, { template_id: body.data.id, variables: { domain } })
    expect((await apply('shop.example.com')).status).toBe(201)
    const urls = (await team.get('/monitors?sort=name')).body.data.map((monitor: { url: string }) => monitor.url)
    expect(urls).toEqual(['https://shop.example.com/', 'https://status.example.com'])
    expect((await apply('user:pw@shop.example.com')).status).toBe(422)
  })

  test('stays a name for hosts', async () => {
    const team = await given.tenant()
    const { body } = await team.post('/monitors', { name: 'Router', type: 'host', url: 'router.example.com' })
    expect(body.data.url).toBe('host://router.example.com')
  })
})
