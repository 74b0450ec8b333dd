import { gzipSync } from 'node:zlib'
import { XMLValidator } from 'fast-xml-parser'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { badgeOf } from '#control-plane/publishing/status-pages/render/badge.ts'
import {
  renderGate,
  renderHistory,
  renderIncident,
  renderPage,
} from '#control-plane/publishing/status-pages/render/documents.ts'
import { calendarOf, feedOf } from '#control-plane/publishing/status-pages/render/feeds.ts'
import { htmlOfMarkdown } from '#control-plane/publishing/status-pages/render/markdown.ts'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import { pageScript } from '#control-plane/publishing/status-pages/render/script.ts'
import { jsonDocuments, jsonOf } from '#control-plane/publishing/status-pages/render/statuspage-api.ts'
import { styleOf } from '#control-plane/publishing/status-pages/render/style.ts'
import {
  emptyForm,
  renderSubscribe,
  renderSubscribed,
} from '#control-plane/publishing/status-pages/render/subscribe.ts'
import { attacks } from './attacks.ts'
import { aModel, asOf, datesUntilNow, someComponents } from './sample.ts'

const view = { language: 'en', isForced: false, base: '/status/acme', staleSince: null } as const

/** Elements and attributes of a document in order, without their values; texts are left out. */
function shapeOf(html: string): string[] {
  const shape: string[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => shape.push(`${name} ${Object.keys(attributes).join(' ')}`),
    oncomment: text => shape.push(`comment ${text}`),
    onprocessinginstruction: name => shape.push(name),
  })
  parser.end(html)
  return shape
}

test('a page says since when figures of results are incomplete, in its language', () => {
  const historyWaitsSince = Date.parse('2026-11-23T16:15:00Z')
  const textOf = (model: PageModel, language: 'en' | 'de' = 'en') => renderPage(model, { ...view, language }).html
  const said = 'are still being stored'
  expect(textOf({ ...aModel(), historyWaitsSince: null })).not.toContain(said)
  expect(textOf(aModel())).not.toContain(said)
  expect(textOf({ ...aModel(), historyWaitsSince })).toContain(said)
  expect(textOf({ ...aModel(), historyWaitsSince }, 'de')).toContain('werden noch gespeichert')
})

/** Every document of a page that is HTML. */
const documentsOf = (model: PageModel) => [
  renderPage(model, view).html,
  renderPage(model, { ...view, language: 'de', isForced: true, base: '', staleSince: asOf }).html,
  ...model.posts.map(post => renderIncident(model, post, view).html),
  renderHistory(model, '2026-11', view).html,
  renderSubscribe(model, view, emptyForm).html,
  renderSubscribe(model, view, {
    values: { email: model.name, url: model.name, components: new Set() },
    problem: 'url',
  }).html,
  renderSubscribed(model, view).html,
]

/** The sample with one text in the place of every text of a person. */
function filledWith(text: string): PageModel {
  const model = aModel()
  const texts = { name: text, description: text, announcement: text, footer: text }
  return {
    ...model,
    name: text,
    description: text,
    texts: { en: texts, de: texts },
    brand: { ...model.brand, name: text, footerText: text, logoUrl: text, imprintUrl: text, color: text },
    headerLinks: [{ label: text, url: text }],
    groups: model.groups.map(group => ({
      ...group,
      name: text,
      components: group.components
        .slice(0, 2)
        .map(component => ({ ...component, name: text, description: text, days: component.days?.slice(-7) ?? null })),
    })),
    posts: model.posts.map(post => ({
      ...post,
      title: text,
      postmortem: post.postmortem && text,
      components: post.components.map(component => ({ ...component, name: text })),
      updates: post.updates.map(update => ({ ...update, body: text })),
    })),
    maintenance: model.maintenance.map(window => ({ ...window, title: text, description: text })),
  }
}

describe('a page', () => {
  test('of 20 components and 90 days has at most 8 KB compressed, 6 KB of style, 3 KB of script', () => {
    const { html } = renderPage(aModel(), view)
    expect(gzipSync(html, { level: 9 }).length).toBeLessThanOrEqual(8_192)
    expect(styleOf(aModel(), { hasForm: true }).length).toBeLessThanOrEqual(6_000)
    expect(pageScript.length).toBeLessThanOrEqual(3_000)
  })

  test('is well-formed: elements are closed in order, ids are unique, no attribute is an event or a style', () => {
    const optionalEnd = new Set(['tr', 'td', 'th'])
    const empty = new Set(['meta', 'link', 'img', 'input', 'br', 'hr', 'source', 'path', '!doctype'])
    for (const html of [...documentsOf(aModel()), renderGate('password', view, 'wrong').html]) {
      const open: string[] = []
      const ids: string[] = []
      for (const [, end, name = '', attributes = ''] of html
        .replace(/<(style|script)>.*?<\/\1>/gs, '')
        .matchAll(/<(\/?)([a-z!][\w]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g)) {
        if (end) {
          while (optionalEnd.has(open.at(-1) ?? '') && open.at(-1) !== name) open.pop()
          expect(open.pop(), html.slice(0, 200)).toBe(name)
          continue
        }
        if (!empty.has(name) && !optionalEnd.has(name)) open.push(name)
        for (const [, attribute = '', value = ''] of attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
          expect(attribute).not.toMatch(/^(on|style$)/)
          if (attribute === 'id') ids.push(value)
        }
      }
      expect(open).toEqual([])
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test('of 30 components and 365 days has at most 120 bars in a row, and says how many days each stands for', () => {
    const groups = [
      { id: null, name: '', isOpen: true, status: 'operational', components: someComponents(30, 365) },
    ] as const
    const { html } = renderPage(aModel({ groups, historyDays: 365, dates: datesUntilNow(365) }), view)
    expect(html).toContain('Each bar stands for 4 days.')
    const [, bars = ''] = /<path class="ok" d="([^"]*)"/.exec(html) ?? []
    expect(bars.match(/v32/g)).toHaveLength(92)
  })

  test('says in a sentence what its bars show, and has every day in a table', () => {
    const [component] = someComponents(1, 90)
    const days = component!.days!.map((day, n) => ({
      ...day,
      level: n === 10 ? ('major' as const) : ('good' as const),
      uptimePct: n === 10 ? 99 : 100,
      downMs: n === 10 ? 864_000 : 0,
      degradedMs: 0,
      maintenanceMs: 0,
    }))
    const groups = [
      {
        id: null,
        name: '',
        isOpen: true,
        status: 'operational',
        components: [{ ...component!, days, uptimePct: 99.98765 }],
      },
    ] as const
    const { html } = renderPage(aModel({ groups }), view)
    expect(html).toContain('aria-label="API: 99.98\u00a0% uptime in the last 90 days. 1 day with interruptions."')
    expect(html).toContain(
      '<tr><th scope="row" data-n="79">6 Sept – 23 Nov<td>100\u00a0%<tr><th scope="row">5 Sept<td>99\u00a0%<td>14\u00a0min<tr>' +
        '<th scope="row" data-n="10">26 Aug – 4 Sept<td>100\u00a0%',
    )
  })

  test('says what was announced and what was measured, and never that nothing happened below a red bar', () => {
    const [component] = someComponents(1, 90)
    const withDown = (...ago: number[]) => {
      const days = component!.days!.map((day, n) => ({
        ...day,
        ...(ago.includes(89 - n)
          ? { level: 'major' as const, downMs: 60_000, uptimePct: 99 }
          : { level: 'good' as const, downMs: 0, uptimePct: 100 }),
      }))
      const group = { id: null, name: '', isOpen: true, status: 'operational' } as const
      return aModel({ posts: [], groups: [{ ...group, components: [{ ...component!, days }] }] })
    }
    const past = (model: PageModel, language: 'en' | 'de') => {
      const { html } = renderPage(model, { ...view, language })
      return html.slice(html.indexOf('<h2 id="past">')).split('<p>')[1]!.split('</p>')[0]
    }
    const nothing = 'Nothing was announced in the last 14 days.'
    expect(past(withDown(20), 'en')).toBe(nothing)
    expect(past(withDown(13), 'en')).toBe(`${nothing} An interruption was measured on one of these days.`)
    expect(past(withDown(0, 2, 14), 'en')).toBe(`${nothing} Interruptions were measured on 2 of these days.`)
    expect(past(withDown(0, 2), 'de')).toBe(
      'In den letzten 14 Tagen wurde nichts bekannt gegeben. An 2 dieser Tage wurden Unterbrechungen gemessen.',
    )
  })

  test('that is stale says since when, in its time zone', () => {
    expect(renderPage(aModel(), { ...view, staleSince: asOf }).html).toContain(
      'As of 23 November 2026 at 17:45 CET. This page could not be updated since then.',
    )
  })

  test('has a text colour on the brand’s colour, and links, that can be read whatever the colour', () => {
    const styles = (color: string) => styleOf({ theme: 'light', brand: { color } }, { hasForm: false })
    expect(styles('#ffff00')).toContain('--brand:#ffff00;--on:#000000')
    expect(styles('#ffff00')).toContain('--link:#0b5cad')
    expect(styles('#003366')).toContain('--on:#ffffff')
    expect(styles('#003366')).toContain('--link:#003366')
    expect(styles('red;}body{display:none')).not.toContain('body{display')
  })
})

describe('200 hostile texts', () => {
  test('add no element and no attribute to any document', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(200)
    const plain = documentsOf(filledWith('plain')).map(shapeOf)
    const allowed =
      /^(p |br |a href rel|a href target rel|em |strong |s |ul |ol |ol start|li |blockquote |pre |code |hr )$/
    for (const attack of attacks) {
      const documents = documentsOf(filledWith(attack))
      const shapes = documents.map(shapeOf)
      for (const [n, shape] of shapes.entries()) {
        // Markdown may make the elements that it has
        const left = [...plain[n]!]
        for (const element of shape) {
          const at = left.indexOf(element)
          if (at === -1) expect(element, attack).toMatch(allowed)
          else left.splice(at, 1)
        }
      }
      for (const html of documents)
        for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g))
          expect(href, attack).toMatch(/^(https?:\/\/|mailto:|\/|#)/)
    }
  }, 60_000)

  test('leave feeds, JSON, calendar and badge readable', () => {
    for (const attack of attacks) {
      const model = filledWith(attack)
      for (const format of ['atom', 'rss'] as const) {
        const feed = feedOf(model, 'en', format)
        expect(XMLValidator.validate(feed), attack).toBe(true)
        expect(feed).not.toMatch(/<script|<img|<svg|<iframe/i)
      }
      for (const document of jsonDocuments) JSON.parse(JSON.stringify(jsonOf(model, document)))
      for (const line of calendarOf(model, 'en').split('\r\n')) expect(line).toMatch(/^([A-Z-]+[;:]|[ \t]|$)/)
    }
    expect(shapeOf(badgeOf('maintenance', 'de')).join()).not.toContain('script')
  }, 60_000)
})

test('Markdown links only to http, https and mailto, and says that they are of others', () => {
  expect(
    htmlOfMarkdown('[a](https://example.com) <b> [b](javascript:alert(1)) [c](data:text/html,x) ![d](https://x/y.png)'),
  ).toBe(
    '<p><a href="https://example.com" rel="noopener nofollow ugc">a</a> &lt;b&gt; [b](javascript:alert(1)) ' +
      '[c](data:text/html,x) !<a href="https://x/y.png" rel="noopener nofollow ugc">d</a></p>',
  )
  const started = performance.now()
  for (const text of [
    '['.repeat(20_000),
    '*a'.repeat(10_000),
    '> '.repeat(10_000),
    '`'.repeat(20_000),
    '<'.repeat(20_000),
  ])
    htmlOfMarkdown(text)
  expect(performance.now() - started).toBeLessThan(5_000)
})
