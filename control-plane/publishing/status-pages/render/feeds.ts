import { Feed } from 'feed'
import ical, { ICalEventStatus } from 'ical-generator'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { nameOf } from './documents.ts'
import { htmlOfMarkdown } from './markdown.ts'
import type { PageModel, PagePost } from './model.ts'

const mostEntries = 50
/**
 * Characters of HTML in all entries, up to the end of a text: of a million, the document takes 100 ms to be written.
 * What is beyond is read where the entry links to.
 */
const mostContentChars = 300_000

/** Without what XML 1.0 has no place for: a feed with one of these could not be read at all. */
const plain = (text: string) =>
  text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, letter => ('\t\n\r'.includes(letter) ? letter : ''))

/** The incidents of a page as a feed, newest first: one entry an incident, which changes with each update. */
export function feedOf(model: PageModel, language: Language, format: 'atom' | 'rss'): string {
  const posts = model.posts.slice(0, mostEntries)
  const feed = new Feed({
    id: model.url,
    title: plain(nameOf(model, { language })),
    description: plain(model.texts[language]?.description ?? model.description),
    link: model.url,
    language,
    generator: false,
    updated: new Date(Math.max(model.changedAt, ...posts.map(({ updatedAt }) => updatedAt))),
    feedLinks: { atom: `${model.url}/feed.atom`, rss: `${model.url}/feed.rss` },
    copyright: plain(model.brand.name),
  })
  let left = mostContentChars
  for (const post of posts) {
    const content = left > 0 ? contentOf(post, language, left) : ''
    left -= content.length
    const link = `${model.url}/incidents/${post.id}`
    feed.addItem({
      id: link,
      // Atom's titles are sent as HTML, and many readers take those of RSS for it
      title: plain(escapeHtml(`[${texts('status-pages', language).phase[post.phase]}] ${post.title}`)),
      link,
      date: new Date(post.updatedAt),
      published: new Date(post.startedAt),
      ...(content !== '' && { content: plain(content) }),
    })
  }
  return format === 'atom' ? feed.atom1() : feed.rss2()
}

/** The postmortem and the updates, newest first, until so many characters are reached. */
function contentOf(post: PagePost, language: Language, most: number): string {
  const said = texts('status-pages', language)
  let content = post.postmortem === null ? '' : htmlOfMarkdown(post.postmortem)
  for (const { phase, at, body } of post.updates) {
    if (content.length >= most) break
    const time = new Date(at).toISOString()
    content +=
      `${content === '' ? '' : '\n'}<p><strong>${said.phase[phase]}</strong> · <time datetime="${time}">` +
      `${time.slice(0, 16).replace('T', ' ')} UTC</time></p>${htmlOfMarkdown(body)}`
  }
  return content
}

/** Running, planned and completed maintenance as an iCalendar text. */
export function calendarOf(model: PageModel, language: Language): string {
  const calendar = ical({
    name: plain(nameOf(model, { language })),
    prodId: '//Monitoring//Status page//EN',
    url: model.url,
    ttl: 900,
  })
  for (const window of [...model.maintenance, ...(model.pastMaintenance ?? [])])
    calendar.createEvent({
      id: window.id,
      summary: plain(window.title),
      ...(window.description !== '' && { description: plain(window.description) }),
      start: new Date(window.startsAt),
      end: new Date(window.endsAt),
      stamp: new Date(window.updatedAt),
      url: model.url,
      status: ICalEventStatus.CONFIRMED,
    })
  return calendar.toString()
}
