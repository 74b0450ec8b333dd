import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, given } from '#test/support/app.ts'

const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

interface Answer {
  status: number
  type: string
  vary: string
  body: string
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(app.baseUrl + path, { method, headers }, async answer => {
      let body = ''
      for await (const piece of answer.setEncoding('utf8')) body += piece
      const { 'content-type': type = '', vary = '' } = answer.headers
      resolve({ status: answer.statusCode ?? 0, type, vary, body })
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('an address that is no page', () => {
  test.each(['/wall', '/foo', '/foo/bar?x=1', '/APP', '/web/files/gone.js', '/logn', '/.well-known/nothing'])(
    '%s is a page for a browser, and JSON for a program',
    async path => {
      const page = await ask(path, { Accept: ofBrowser })
      expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.body).toContain('<h1>There is nothing here</h1>')
      expect(page.body).toContain('href="/app"')
      for (const Accept of ['*/*', 'application/json', '']) {
        const json = await ask(path, Accept === '' ? {} : { Accept })
        expect([json.status, json.type]).toEqual([404, 'application/json; charset=utf-8'])
        expect(JSON.parse(json.body)).toEqual({ message: 'There is nothing here.', code: 'not_found' })
        expect(json.vary).toContain('Accept')
      }
    },
  )

  test.each(['/api/v1/nothing', '/api/v1/monitors', '/api/scim/v2/Users', '/agent/v1/nothing'])(
    '%s belongs to programs and is JSON, also for a browser',
    async path => {
      const { status, type } = await ask(path, { Accept: ofBrowser })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(type).toMatch(/^application\/(scim\+)?json/)
    },
  )

  test('is in the language of the reader, and never named in the page', async () => {
    const { body } = await ask('/<script>alert(1)</script>', { Accept: ofBrowser, 'Accept-Language': 'de' })
    expect(body).toContain('<html lang="de">')
    expect(body).toContain('Hier ist nichts')
    expect(body).not.toContain('alert(1)')
  })

  test('has no body for HEAD, and says the same for a form that is sent there', async () => {
    expect((await ask('/foo', { Accept: ofBrowser }, 'HEAD')).body).toBe('')
    const sent = await ask('/foo', { Accept: ofBrowser }, 'POST')
    expect([sent.status, sent.type]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test('is in the brand of its host', async () => {
    const tenant = await given.tenant()
    await customHostsOf(app.services).loaded
    const { id, hostname } = await aDomain(tenant, { purpose: 'portal' })
    await app.services.platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
    await app.services.platform.query(`insert into brandings (tenant_id, brand_name) values ($1, 'Nordwind')`, [
      tenant.tenantId,
    ])
    await until(async () => portalHostsOf(app.services).find(hostname) !== undefined, { withinMs: 10_000 })
    const { body } = await ask('/foo', { Accept: ofBrowser, Host: hostname })
    expect(body).toContain('Nordwind')
  })
})
