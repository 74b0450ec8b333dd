import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#control-plane/endpoints.ts'
import { type Route, routesOf } from '#control-plane/http/route.ts'
import { type Answer, app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'

const routes = endpoints.flatMap(routesOf)
const isPrivate = ({ guard }: Route) => guard !== 'public'
const isReading = ({ method }: Route) => method === 'GET'
/** One without its body: it would stay open. */
const methodOf = ({ method, endpoint }: Route) => (endpoint.stream ? 'HEAD' : method)
const cachingOf = ({ headers }: Answer) => headers.get('cache-control')

/** The path of a route: the caller's own record where there is one, else an unknown one. */
const pathOf = ({ path }: Route, own: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? randomUUID())

/** A reseller's owner in a browser, with a team and a monitor in each tenant. */
async function anOwner() {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  const browser = await inBrowser(reseller)
  const { body } = await browser.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  const { id: monitor, checks } = body.data
  return { reseller, browser, own: { managed_team: team.id, monitor, check: checks[0].id } }
}

describe('what a browser with a session reads', () => {
  test('stays in no cache, whichever route it is, found or refused', async () => {
    const { browser, own } = await anOwner()
    const operator = await inBrowser(await given.operator())
    const statuses = new Map<number, number>()
    for (const route of routes.filter(each => isPrivate(each) && isReading(each))) {
      const caller = route.guard === 'super-admin' ? operator : browser
      const answer = await caller.call(methodOf(route), pathOf(route, own))
      expect(cachingOf(answer), `${route.path} answered ${answer.status}`).toMatch(
        /^(private, )?no-store(, no-transform)?$/,
      )
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
    expect(statuses.get(200)).toBeGreaterThan(100)
    expect(statuses.get(404)).toBeGreaterThan(20)
  })

  test('is the same when it writes, and when it is refused before its session is read', async () => {
    const { browser, own } = await anOwner()
    const { body } = await browser.get(`/monitors/${own.monitor}`)
    for (const answer of [
      await browser.patch(`/monitors/${own.monitor}`, { name: 'Renamed' }),
      await browser.patch(`/monitors/${own.monitor}`, { name: 7 }),
      await browser.delete(`/monitors/${own.monitor}`, undefined, { headers: { 'Sec-Fetch-Site': 'cross-site' } }),
      await browser.get('/monitors', { headers: { Authorization: 'Bearer ss-1' } }),
      await given.stranger().get(`/monitors/${body.data.id}`),
      await browser.post('/auth/logout'),
      await browser.get('/profile'),
    ])
      expect([answer.status, cachingOf(answer)]).toEqual([answer.status, 'no-store'])
    expect((await browser.get('/profile')).status).toBe(401)
  })

  test('is neither the PDF of a report nor a calendar, which leave it as files', async () => {
    const { browser, own } = await anOwner()
    const pdf = await browser.get(
      `/monitors/${own.monitor}/report.pdf?from=2026-10-01T00:00:00Z&to=2026-10-02T00:00:00Z`,
    )
    expect([pdf.status, cachingOf(pdf)]).toEqual([200, 'no-store'])
    const { body } = await browser.post('/maintenance-windows/calendar')
    const calendar = await browser.get(new URL(body.data.url).pathname)
    expect([calendar.status, cachingOf(calendar)]).toEqual([200, 'no-store'])
  })
})

test('a page that a session sees stays in no cache', async () => {
  const browser = await inBrowser(await given.operator())
  for (const path of [
    '/app',
    '/app/monitors?page=2',
    '/console/teams',
    '/ops',
    '/app/wall',
    '/login',
    '/login/forgot',
  ]) {
    const { headers } = await fetch(app.baseUrl + path, { headers: { Cookie: browser.cookie }, redirect: 'manual' })
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})

describe('what a program reads by its token', () => {
  test('may be kept by the program alone, and is asked for again by its entity tag', async () => {
    const { reseller, own } = await anOwner()
    const path = `/reseller/managed-teams/${own.managed_team}`
    const first = await reseller.get(path)
    expect(cachingOf(first)).toBe('private, no-cache')
    const again = await reseller.get(path, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } })
    expect([again.status, cachingOf(again)]).toEqual([304, 'private, no-cache'])
    expect(cachingOf(await reseller.patch(path, { label: 'Gold' }))).toBe('no-store')
    expect(cachingOf(await reseller.get('/reseller/managed-teams/x'))).toBe('no-store')
  })
})

test('no endpoint behind a sign-in declares that its answers may be kept', () => {
  const declared = routes
    .filter(isPrivate)
    .flatMap(({ path, endpoint }) => [[path, endpoint.returns.headers['Cache-Control'] ?? 'no-store'] as const])
  expect(declared.filter(([, caching]) => !/\bno-store\b/.test(caching))).toEqual([])
})

test('badges and other public answers keep the times that they declare', async () => {
  const owner = await given.tenant()
  const { body } = await owner.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  const badge = await (await inBrowser(owner)).get(`/api/badges/${body.data.id}`)
  expect(cachingOf(badge)).toMatch(/^public, max-age=60/)
  const { headers } = await fetch(`${app.baseUrl}/api/agent-monitors/agent.mjs`)
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
})
