import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { type Answer, app, given } from '#test/support/app.ts'

const own = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ignored-parameters'])
const comparable = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => !own.has(name))),
})

/** Requests answered by a route so far, as the metrics count them. */
async function counted(route: string): Promise<number> {
  const { values } = await app.services.metrics.routes.get()
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.route === route)
    .reduce((sum, { value }) => sum + value, 0)
}

describe('an answer from memory', () => {
  test.each(['', '/small'])('equals the answer of the pipeline, including headers, limits and metrics', async path => {
    const monitor = await aMonitor(await given.tenant())
    const address = `/api/badges/${monitor.id}${path}`
    const stranger = given.stranger()
    const usual = await stranger.get(address)
    const before = await counted(`/api/badges/{monitor}${path}`)
    const known = await stranger.get(address)
    expect(comparable(known)).toEqual(comparable(usual))
    expect(await counted(`/api/badges/{monitor}${path}`)).toBe(before + 1)
    expect(Number(known.headers.get('x-ratelimit-remaining'))).toBe(
      Number(usual.headers.get('x-ratelimit-remaining')) - 1,
    )
    // a parameter we do not have goes the usual way, which says so
    const ignored = await stranger.get(`${address}?x=1`)
    expect(comparable(ignored)).toEqual(comparable(usual))
    expect(ignored.headers.get('x-ignored-parameters')).toBe('x')
    expect(
      (await stranger.get(address, { headers: { 'X-Request-Id': 'one-of-my-own' } })).headers.get('x-request-id'),
    ).toBe('one-of-my-own')
    expect((await stranger.get(address, { headers: { 'X-Request-Id': '<b>' } })).headers.get('x-request-id')).toMatch(
      /^[\w-]{36}$/,
    )
  })

  test('is left to the pipeline for any other than a plain request', async () => {
    const monitor = await aMonitor(await given.tenant())
    const address = `/api/badges/${monitor.id}`
    const stranger = given.stranger()
    const { text, headers } = await stranger.get(address)
    expect((await stranger.get(address, { headers: { 'If-None-Match': headers.get('etag') as string } })).status).toBe(
      304,
    )
    expect((await stranger.call('HEAD', address)).text).toBe('')
    expect((await stranger.call('POST', address)).status).toBe(405)
    expect((await stranger.get(`${address}?style=flat&style=flat`)).status).toBe(422)
    expect((await stranger.get(`${address}?label_color=%00`)).status).toBe(422)
    expect((await stranger.get(`${address}?label_color=${'a'.repeat(500)}`)).text).toBe(text)
    expect((await stranger.get(`${address}?label_color=555&text_color=FFF&style=x`)).text).toBe(text)
    expect((await stranger.get(`${address.toUpperCase().replace('/API/BADGES', '/api/badges')}`)).text).toBe(text)
  })
})
