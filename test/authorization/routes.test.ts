import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#control-plane/endpoints.ts'
import { createApp } from '#control-plane/http/app.ts'
import { addRoutes, type Table } from '#control-plane/http/dispatch.ts'
import { describe as describeApi } from '#control-plane/http/openapi/document.ts'
import { routesOf } from '#control-plane/http/route.ts'
import { RouteTable } from '#control-plane/http/route-table.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { app, given } from '#test/support/app.ts'

// none of these is touched by mounting
const mounting = { services: app.services } as unknown as Mounting

describe('routes', () => {
  test('router, document and declarations name the same operations', () => {
    const table: Table = new RouteTable()
    addRoutes(table, endpoints, app.services)
    const routed = [...table.operations]
    const declared = endpoints.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`)
    const described = Object.entries(describeApi(endpoints, 'http://localhost').paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(routed.sort()).toEqual(declared.sort())
    expect(described.sort()).toEqual(declared)
  })

  test('an operation without an access rule stops the start', () => {
    const [some] = endpoints
    for (const access of [undefined, null, ''])
      expect(() =>
        createApp([...endpoints, { ...some!, path: '/forgotten', access: access as never }], mounting),
      ).toThrow(/no access rule/)
  })
})

/** A request with its path exactly as written; clients tidy paths up. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(app.baseUrl)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  await once(socket, 'close')
  return { status: Number(text.split(' ')[1]), text }
}

describe('unknown paths', () => {
  test('are not found, and are never another route', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitor = (await team.post('/monitors', { name: 'Marked', url: 'https://example.com/' })).body.data.id
    const headers = { Authorization: `Bearer ${team.token}` }
    for (const path of [
      '/api/v1/x',
      '/api/v1',
      '/api/v1//monitors',
      '/api//v1/monitors',
      '/api/v1/monitors/',
      '/api/v1/monitors//',
      '/api/v1/monitors;x=1',
      '/api/v1/monitors%2f',
      `/api/v1/monitors%2f${monitor}`,
      '/api/v1/Monitors',
      '/API/V1/MONITORS',
      '/api/v2/monitors',
      '/api/v1/../v1/monitors',
      '/api/v1/%2e%2e/v1/monitors',
      '/api/v1/x/..%2fmonitors',
      '/api/v1/./monitors',
      '/api/v1/monitors%00',
      '/api/v1/monitors%',
      '/api/v1/monitors/%c0%ae%c0%ae/',
      '/api/v1/monitors\\',
      `/api/v1/reseller/managed-teams/${team.id}/../${team.id}/monitors`,
      '//api/v1/monitors',
      'monitors',
      '*',
    ]) {
      const { status, text } = await raw('GET', path, headers)
      expect([400, 404, 405], `${path}: ${text.slice(0, 200)}`).toContain(status)
      expect(text).not.toContain('Marked')
    }
  })

  test('a method is what it is, whatever a header says', async () => {
    const team = await given.tenant()
    const { id } = (await team.post('/monitors', { name: 'Marked', url: 'https://example.com/' })).body.data
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method']) {
      const answer = await team.call('GET', `/monitors/${id}?_method=DELETE`, undefined, {
        headers: { [name]: 'DELETE' },
      })
      expect(answer.body.data.name).toBe('Marked')
    }
    for (const method of ['PUT', 'TRACE', 'PROPFIND', 'LINK'])
      expect([400, 404, 405, 501], method).toContain(
        (await raw(method, `/api/v1/monitors/${id}`, { Authorization: `Bearer ${team.token}` })).status,
      )
    expect((await team.get(`/monitors/${id}`)).status).toBe(200)
  })
})
