import { expect, test } from 'vitest'
import { createMetrics, observeRequest } from '#control-plane/base/metrics.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { routesOf } from '#control-plane/http/route.ts'
import { app, given } from '#test/support/app.ts'

/** Lines of one scrape that requests may add, and of all. */
const [mostOfRequests, most] = [5_500, 6_500]
const routes = endpoints.flatMap(routesOf)
const linesOf = async (register: { metrics(): Promise<string> }) => (await register.metrics()).split('\n')
const ofRequests = (lines: readonly string[]) => lines.filter(line => /^vedette_http_/.test(line))

test('a scrape stays small whatever methods, routes and statuses there were', async () => {
  const metrics = createMetrics()
  const statuses = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 426, 429, 500, 502, 503]
  for (const status of statuses) {
    for (const { method, path } of routes) observeRequest(metrics, { method, route: path, status }, 0.01)
    for (const method of ['GET', 'QUERY', 'PROPFIND', 'M-SEARCH', 'LINK', 'SOURCE', undefined])
      observeRequest(metrics, { method, route: 'unmatched', status }, 40)
  }
  const lines = ofRequests(await linesOf(metrics.register))
  expect(routes.length).toBeGreaterThan(400)
  expect(lines.length).toBeLessThan(mostOfRequests)
  const failures = lines.filter(line => line.startsWith('vedette_http_route_failures_total{'))
  expect(failures.length).toBe(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size + 2)
})

test('a scrape of the service stays small after a pass over all operations', { timeout: 120_000 }, async () => {
  const id = crypto.randomUUID()
  for (const { method, path } of routes) {
    const address = path.replace(/^\/api\/v1/, '').replace(/\{\w+\}/g, id)
    const caller = given.stranger()
    await caller.call(method, address, method === 'GET' ? undefined : {}).catch(() => undefined)
  }
  const lines = await linesOf(app.services.metrics.register)
  expect(ofRequests(lines).length).toBeGreaterThan(1_000)
  expect(lines.length).toBeLessThan(most)
})
