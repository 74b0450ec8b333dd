import { randomUUID } from 'node:crypto'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { BadgeCache, badgeCacheOf } from '#control-plane/monitoring/badges/cache.ts'
import { textOf } from '#control-plane/monitoring/badges/draw.ts'
import { aMonitor, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const day = 1_440

/** A monitor that was down for one of the last hundred hours. */
async function aBadgedMonitor(tenant?: CallerUnderTest) {
  const owner = tenant ?? (await given.tenant())
  const monitor = await aMonitor(owner, { name: 'Secret name', url: 'https://secret.example/' })
  await verdicts(owner, monitor, [
    [minutesAgo(6_000), 'up'],
    [minutesAgo(3_000), 'down'],
    [minutesAgo(2_940.2), 'up'],
  ])
  await platform.query(`update checks set verdict = 'up' where id = $1`, [monitor.check])
  return { owner, monitor }
}

const seen = async (id: string, query = '', path = '') => {
  const answer = await given.stranger().get(`/api/badges/${id}${path}${query}`)
  return { ...answer, text: answer.text }
}

/** The text a viewer sees, and every element with its attributes' names. */
function read(svg: string) {
  expect(XMLValidator.validate(svg)).toBe(true)
  const texts: string[] = []
  const elements: string[] = []
  const walk = (nodes: Record<string, unknown>[]) => {
    for (const node of nodes)
      for (const [name, inside] of Object.entries(node)) {
        if (name === ':@') continue
        if (name === '#text') texts.push(String(inside))
        else {
          elements.push(`${name} ${Object.keys((node[':@'] as object) ?? {}).join(' ')}`)
          walk(inside as Record<string, unknown>[])
        }
      }
  }
  walk(new XMLParser({ preserveOrder: true, ignoreAttributes: false, trimValues: false }).parse(svg))
  return { texts, elements }
}

describe('GET /api/badges/{monitor}', () => {
  test('shows the uptime of thirty days without authentication', async () => {
    const { monitor } = await aBadgedMonitor()
    const { status, headers, text } = await seen(monitor.id)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('cache-control')).toBe('public, max-age=60, s-maxage=300')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-ratelimit-limit')).toBe('120')
    expect(headers.get('etag')).toMatch(/^(W\/)?"[\w-]+"$/)
    expect(read(text).texts).toEqual(['uptime: 99% (uptime check, last 30 days)', 'uptime', '99%'])
    expect(text).not.toMatch(new RegExp(`secret|${monitor.id}|${monitor.check}`, 'i'))
  })

  test('has a small form with a dot, and a flat style', async () => {
    const { monitor } = await aBadgedMonitor()
    const small = read((await seen(monitor.id, '', '/small')).text)
    expect(small.texts).toEqual(['uptime: 99% (uptime check, last 30 days)', '99%'])
    expect(small.elements.some(element => element.startsWith('circle'))).toBe(true)
    const flat = await seen(monitor.id, '?style=flat&text_color=f0f')
    expect(read(flat.text).texts[0]).toBe('uptime: 99% (uptime check, last 30 days)')
    expect(flat.text).toContain('#ff00ff')
    expect(flat.text).not.toBe((await seen(monitor.id)).text)
  })

  test('shows down while the uptime check is down', async () => {
    const { monitor } = await aBadgedMonitor()
    await platform.query(`update checks set verdict = 'down' where id = $1`, [monitor.check])
    for (const [path, query] of [
      ['', ''],
      ['/small', ''],
      ['', '?style=flat'],
    ] as const)
      expect(read((await seen(monitor.id, query, path)).text).texts).toContain('down')
  })

  test('reflects the uptime check alone', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['uptime', 'ssl'], status: 'down' })
    await platform.query(
      `update checks set verdict = case type when 'ssl' then 'down' else 'up' end where monitor_id = $1`,
      [monitor.id],
    )
    await verdicts(tenant, { id: monitor.id, check: monitor.checks[1] as string }, [[minutesAgo(day), 'down']])
    await verdicts(tenant, monitor, [[minutesAgo(day), 'up']])
    expect(read((await seen(monitor.id)).text).texts).toContain('100%')
  })

  test('shows the last percentage while the monitor is paused, even for months', async () => {
    const { monitor, owner } = await aBadgedMonitor()
    await platform.query(`update checks set verdict = 'down' where id = $1`, [monitor.check])
    await platform.query('update monitors set is_enabled = false where id = $1', [monitor.id])
    expect(read((await seen(monitor.id)).text).texts).toContain('99%')
    const old = await aMonitor(owner, { isEnabled: false })
    // of one moment: a millisecond between them and it is 59.99 %
    const pausedAt = minutesAgo(100 * day).getTime()
    const daysBefore = (days: number) => new Date(pausedAt - days * day * 60_000)
    await verdicts(owner, old, [
      [daysBefore(5), 'down'],
      [daysBefore(3), 'up'],
      [daysBefore(0), 'paused'],
    ])
    expect(read((await seen(old.id)).text).texts).toContain('60%')
  })

  test('shows n/a for a monitor without a verdict', async () => {
    const monitor = await aMonitor(await given.tenant())
    expect(read((await seen(monitor.id)).text).texts).toContain('n/a')
  })

  test('answers 304 to a matching ETag', async () => {
    const { monitor } = await aBadgedMonitor()
    const etag = (await seen(monitor.id)).headers.get('etag') as string
    const again = await given.stranger().get(`/api/badges/${monitor.id}`, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    expect(again.headers.get('cache-control')).toBe('public, max-age=60, s-maxage=300')
  })

  test('is 404 and the same grey badge for every monitor without a status', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { monitor: gone } = await aBadgedMonitor(team)
    expect((await seen(gone.id)).status).toBe(200)
    await platform.query('update tenants set deleted_at = now() where id = $1', [team.tenantId])
    const tenant = await given.tenant()
    const { monitor: deleted } = await aBadgedMonitor(tenant)
    await seen(deleted.id)
    await platform.query('delete from monitors where id = $1', [deleted.id])
    const off = await aMonitor(tenant)
    await platform.query('update checks set is_enabled = false where id = $1', [off.check])
    const cron = await aMonitor(tenant, { type: 'cron', kinds: ['cron'] })
    // what was cached is dropped by a notice, which takes a moment
    await expect.poll(async () => (await seen(gone.id)).status).toBe(404)
    await expect.poll(async () => (await seen(deleted.id)).status).toBe(404)

    for (const [path, query] of [
      ['', ''],
      ['/small', ''],
      ['', '?style=flat&label_color=123456'],
    ] as const) {
      const answers = []
      for (const id of [randomUUID(), gone.id, deleted.id, off.id, cron.id, 'not-a-uuid', `${randomUUID()}'--`])
        answers.push(await seen(encodeURIComponent(id), query, path))
      for (const { status, text, headers } of answers) {
        expect(status).toBe(404)
        expect(text).toBe(answers[0]!.text)
        expect(headers.get('content-type')).toBe('image/svg+xml')
        expect(headers.get('cache-control')).toBe('public, max-age=60')
        expect(headers.get('content-security-policy')).toContain('sandbox')
      }
      expect(read(answers[0]!.text).texts).toContain('unknown')
      if (query) expect(answers[0]!.text).toContain('#123456')
    }
  })

  test('is shown again as soon as its team is restored', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { monitor } = await aBadgedMonitor(team)
    const { rows } = await platform.query<{ name: string }>('select name from managed_teams where id = $1', [team.id])
    expect((await reseller.delete(team.path, { confirm_name: rows[0]!.name })).status).toBe(204)
    await expect.poll(async () => (await seen(monitor.id)).status).toBe(404)
    expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
    await expect.poll(async () => (await seen(monitor.id)).status).toBe(200)
  })

  test('is limited to 120 a minute and IP address', async () => {
    const { monitor } = await aBadgedMonitor()
    const stranger = given.stranger()
    const statuses = []
    for (let i = 0; i < 121; i++) statuses.push((await stranger.get(`/api/badges/${monitor.id}`)).status)
    expect(statuses.filter(status => status === 200)).toHaveLength(120)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('colours of a badge', () => {
  test('are taken in three or six digits, in either case', async () => {
    const { monitor } = await aBadgedMonitor()
    const { text } = await seen(monitor.id, '?label_color=ABC&text_color=123456')
    expect(text).toContain('#aabbcc')
    expect(text).toContain('#123456')
    expect((await seen(monitor.id, '?label_color=aabbcc&text_color=123456')).text).toBe(text)
  })

  const hostile = [
    'f00"/><script>alert(1)</script>',
    '%23fff',
    '#fff',
    'url(javascript:alert(1))',
    'a'.repeat(10_000),
    'ff',
    'ffff',
    'fffffff',
    'ggg',
    '',
    ' fff',
    'fff\n',
    'ﬀﬀﬀ',
    '&#x22;',
    '"><svg onload=alert(1)>',
    "fff' onload='alert(1)",
    '--fff',
    'expression(1)',
    '</svg><html>',
    ']]>',
    '<!DOCTYPE x [<!ENTITY e "x">]>',
  ]
  test.each(hostile)('hostile value %# is replaced by the default colour', async payload => {
    const { monitor } = await aBadgedMonitor()
    for (const path of ['', '/small'])
      for (const style of ['default', 'flat']) {
        const clean = await seen(monitor.id, `?style=${style}`, path)
        for (const name of ['label_color', 'text_color']) {
          const { status, text, headers } = await seen(
            monitor.id,
            `?style=${style}&${name}=${encodeURIComponent(payload)}`,
            path,
          )
          expect(status).toBe(200)
          expect(headers.get('content-type')).toBe('image/svg+xml')
          expect(read(text)).toEqual(read(clean.text))
          expect(text).toBe(clean.text)
        }
      }
    expect((await seen(monitor.id, `?style=${encodeURIComponent(payload)}`)).text).toBe((await seen(monitor.id)).text)
  })

  test('are ignored as lists, and refused twice or with NUL', async () => {
    const { monitor } = await aBadgedMonitor()
    const clean = await seen(monitor.id)
    expect((await seen(monitor.id, '?label_color[]=f00&label_color[]=0f0')).text).toBe(clean.text)
    expect((await seen(monitor.id, '?label_color=f00&label_color=0f0')).status).toBe(422)
    expect((await seen(monitor.id, '?label_color=f%00f')).status).toBe(422)
  })
})

describe('the badge cache', () => {
  test('has one entry for each monitor, whatever the query', async () => {
    const { monitor } = await aBadgedMonitor()
    const cache = badgeCacheOf(app.services)
    const { etag } = Object.fromEntries((await seen(monitor.id)).headers)
    const drawings = cache.drawings.size
    for (let x = 0; x < 300; x++)
      expect(Object.fromEntries((await seen(monitor.id, `?x=${x}&utm_${x}=1`)).headers).etag).toBe(etag)
    // by its id alone; what is cached may be dropped at any moment, as changes of monitors arrive later
    expect([...cache.statuses.keys()].filter(key => key.length !== monitor.id.length)).toEqual([])
    expect(cache.drawings.size).toBe(drawings)
  })

  const status = { tenantId: 't', isDown: false, uptimePct: 100 }

  test('reads a monitor once for concurrent requests, and again after a minute', async () => {
    let reads = 0
    const cache = new BadgeCache(async () => {
      reads++
      await new Promise(resolve => setTimeout(resolve, 5))
      return status
    })
    await Promise.all(Array.from({ length: 50 }, () => cache.statusOf('a', 0)))
    expect(reads).toBe(1)
    expect(cache.statusOf('a', 59_999)).toBe(status)
    await cache.statusOf('a', 60_001)
    expect(reads).toBe(2)
  })

  test('is bounded, and drops the least recently used entry', async () => {
    const cache = new BadgeCache(async () => status, { monitors: 3, drawings: 2 })
    for (const id of ['a', 'b', 'c', 'a', 'd']) await cache.statusOf(id, 0)
    expect(cache.statuses.size).toBe(3)
    expect([...cache.statuses.entries()].map(([id]) => id)).toEqual(['d', 'a', 'c'])
    for (let n = 0; n < 20; n++)
      cache.drawingOf({
        form: 'small',
        style: 'default',
        labelColor: '555555',
        textColor: 'ffffff',
        message: `${n}%`,
        tone: 'good',
      })
    expect(cache.drawings.size).toBe(2)
  })

  test('caches neither failed reads nor entries dropped during the read', async () => {
    let attempts = 0
    let finish = (_: typeof status) => {}
    const cache = new BadgeCache(() => {
      attempts++
      if (attempts === 1) return Promise.reject(new Error('away'))
      return new Promise(resolve => {
        finish = resolve
      })
    })
    await expect(cache.statusOf('a', 0)).rejects.toThrow('away')
    const reading = cache.statusOf('a', 0)
    await new Promise(resolve => setImmediate(resolve))
    cache.forget({ monitor: 'a' })
    finish(status)
    expect(await reading).toBe(status)
    expect(cache.statuses.size).toBe(0)
    cache.statuses.set('b', { status, until: 9 })
    cache.forget({ tenant: 't' })
    expect(cache.statuses.size).toBe(0)
  })
})

describe('textOf', () => {
  test.each([
    [{ isDown: true, uptimePct: 100 }, 'down', 'down'],
    [{ isDown: false, uptimePct: null }, 'n/a', 'unknown'],
    [{ isDown: false, uptimePct: 100 }, '100%', 'bright'],
    [{ isDown: false, uptimePct: 99.9999 }, '99.99%', 'bright'],
    [{ isDown: false, uptimePct: 99.5 }, '99.5%', 'good'],
    [{ isDown: false, uptimePct: 96 }, '96%', 'fair'],
    [{ isDown: false, uptimePct: 90 }, '90%', 'poor'],
    [{ isDown: false, uptimePct: 0 }, '0%', 'down'],
  ])('%j has the text %s', (status, message, tone) => expect(textOf(status)).toEqual({ message, tone }))
})
