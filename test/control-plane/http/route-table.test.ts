import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { routeTableOf } from '#control-plane/http/route.ts'
import { RouteTable } from '#control-plane/http/route-table.ts'

const page = (summary: string, host?: (host: string) => boolean) =>
  endpoint({
    method: 'GET',
    path: '/pages/{page}',
    named: { page: z.string().regex(/^[a-z-]+$/) },
    summary,
    access: 'public',
    ...(host && { host }),
    returns: bare(z.string()),
    handle: () => summary,
  })

test('an endpoint of certain hosts goes before one of all hosts, in either order of declaration', () => {
  const [everywhere, portal] = [page('everywhere'), page('portal', host => host.endsWith('.portal.example'))]
  for (const declared of [
    [everywhere, portal],
    [portal, everywhere],
  ]) {
    const table = routeTableOf(declared)
    const summaryOn = (host: string) => table.find('GET', '/api/v1/pages/acme', host)?.target.route.endpoint.summary
    expect([summaryOn('acme.portal.example'), summaryOn('vedette.example'), summaryOn('')]).toEqual([
      'portal',
      'everywhere',
      'everywhere',
    ])
  }
})

test('a path that only other hosts have is unknown, and its methods are not named', () => {
  const table = routeTableOf([page('portal', host => host === 'portal.example')])
  expect(table.find('GET', '/api/v1/pages/acme', 'vedette.example')).toBeUndefined()
  expect(table.methods('/api/v1/pages/acme', 'vedette.example')).toEqual([])
  expect(table.methods('/api/v1/pages/acme', 'portal.example')).toEqual(['GET'])
})

test('hosts are read only where a route depends on them', () => {
  expect(routeTableOf([page('everywhere')]).readsHosts).toBe(false)
  expect(routeTableOf([page('portal', () => true)]).readsHosts).toBe(true)
})

test('a name goes before a parameter, and one path is declared once', () => {
  const table = new RouteTable<string>()
  table.add('GET', '/things/{thing}', 'by id')
  table.add('GET', '/things/all', 'all')
  expect(table.find('GET', '/things/all')).toEqual({ target: 'all', params: {} })
  expect(table.find('GET', '/things/7')).toEqual({ target: 'by id', params: { thing: '7' } })
  expect(table.find('GET', '/things/')).toBeUndefined()
  expect(() => table.add('GET', '/things/{other}', 'again')).toThrow('GET /things/{other} is declared twice.')
})
