import { describe, expect, test } from 'vitest'
import { htmlOfMarkdown } from '#control-plane/publishing/status-pages/render/markdown.ts'
import { app, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { aPublished, visit } from './served.ts'

const of = (pattern: string, length: number) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

/** The dearest known texts for the parser, of the greatest length that a field takes. */
const dearest: [what: string, text: string][] = [
  ...[
    '*_',
    '* a\n',
    '**[',
    'mailto:a@b.',
    '# a\n',
    'https://a.b?(',
    '<a@b.c>',
    '> ',
    '[a]\n',
    '`a``',
    '- - ',
    '[a](',
  ].map((pattern): [string, string] => [JSON.stringify(pattern), of(pattern, 20_000)]),
  ['a long address named by many links', `[a]: http://${'ä'.repeat(3_000)}\n\n${of('[a]', 16_000)}`],
  ['an address of entities named by many links', `[a]: http://${of('&amp;', 3_000)}\n\n${of('[a]', 16_000)}`],
]

describe('Markdown', () => {
  test.each(dearest)('of %s is made within 50 ms, into HTML of a few times its length', async (_, text) => {
    let n = 0
    // a text that is the same was made before
    const blocked = await blockedBy(() => expect(htmlOfMarkdown(text.slice(n++)).length).toBeLessThan(600_000))
    expect(blocked).toBeLessThan(mostBlockedMs)
  })

  test('with more lines or signs than people write is shown as it was written', () => {
    expect(htmlOfMarkdown(of('*a* <b>\n', 20_000))).toMatch(/^<p>\*a\* &lt;b&gt;<br>\n\*a\*/)
    expect(htmlOfMarkdown(`${of('- a *b*\n', 4_000)}`)).toMatch(/^<ul>\n<li>a <em>b<\/em><\/li>/)
  })
})

type Kind = readonly [pattern: string, phase: 'investigating' | 'resolved', updates: number, length: number]

/** A page with as many and as long texts as it may have, written without the limits of requests. */
async function aPageOf(...[pattern, phase, updates, length]: Kind) {
  const owner = await given.tenant()
  const page = await aPublished(owner)
  const { platform } = app.services
  await platform.query(
    `with post as (
       insert into status_page_posts (id, tenant_id, page_id, title, phase, started_at, resolved_at, postmortem,
         postmortem_published_at)
       select gen_random_uuid(), $1, $2, 'Incident', $3::varchar, now() - n * interval '1 hour',
         case when $3::varchar = 'resolved' then now() end, $4 || repeat($4, $6 / length($4)), now()
       from generate_series(1, 200) n returning id, started_at
     )
     insert into status_page_updates (id, tenant_id, post_id, phase, body, at)
     select gen_random_uuid(), $1, post.id, $3, n || ' ' || left(repeat($4, $6 / length($4) + 1), $6),
       post.started_at + n * interval '1 second'
     from post, generate_series(1, $5::int) n`,
    [owner.tenantId, page.id, phase, pattern, updates, length],
  )
  return { owner, page }
}

describe('a page with as many and as long texts as it may have', () => {
  const documents = ['', '/feed.atom', '/feed.rss', '/history', '/summary.json', '/incidents.json']

  test.each<[string, Kind]>([
    ['long ones of links', ['https://a.b?(', 'investigating', 20, 10_000]],
    ['long ones of emphasis', ['*a_ ', 'resolved', 20, 10_000]],
    ['many short ones', ['a', 'investigating', 100, 10]],
    ['many short ones of the past', ['a', 'resolved', 100, 10]],
  ])('%s: no document of it blocks the event loop for 50 ms', { timeout: 180_000 }, async (_, kind) => {
    const blocked = await blockedBy(async () => {
      const { page } = await aPageOf(...kind)
      for (const path of documents) expect((await visit(`/status/${page.slug}${path}`)).status).toBe(200)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
  })

  test.each(['atom', 'rss'])(
    'has a feed in %s with an entry for each of the newest, and the texts of the first',
    async format => {
      const { page } = await aPageOf('a', 'investigating', 20, 10_000)
      const { text } = await visit(`/status/${page.slug}/feed.${format}`)
      expect(text.match(/<(?:entry|item)>/g)).toHaveLength(50)
      expect(text).toContain('aaaa')
      expect(text.length).toBeLessThan(500_000)
    },
  )

  test('has the newest text in its feed, however long the texts of one incident are', async () => {
    const { page } = await aPageOf('https://a.b?(', 'investigating', 20, 10_000)
    const { text } = await visit(`/status/${page.slug}/feed.atom`)
    expect(text.split('<entry>')[1]).toContain('<p>20 <a href="https://a.b"')
    expect(text.length).toBeLessThan(700_000)
  })

  test('shows the newest of them, and the titles of all', async () => {
    const { page, owner } = await aPageOf('a', 'investigating', 20, 10_000)
    const { text } = await visit(`/status/${page.slug}/summary.json`)
    const { incidents } = JSON.parse(text)
    expect(incidents).toHaveLength(200)
    expect(incidents[0].incident_updates.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThan(1_500_000)
    const blocked = await blockedBy(async () => {
      expect((await owner.get(`/status-pages/${page.id}/posts?per_page=100`)).status).toBe(200)
      expect((await owner.get(`/status-pages/${page.id}/preview`)).status).toBe(200)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
  })
})
