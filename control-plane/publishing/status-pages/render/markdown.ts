import { LRUCache } from 'lru-cache'
import MarkdownIt from 'markdown-it'
import { inSlices } from '#control-plane/base/slices.ts'
import type { PageModel } from './model.ts'

/** Longer texts are cut off before they are parsed. */
const mostChars = 20_000
/**
 * Lines, and signs that mean something in Markdown: a text with more of either is shown as it is. The dearest known
 * text within these bounds takes 10 ms.
 */
const mostLines = 600
const mostSigns = 2_500
const signs = /[*_~`[\]<&\\!:@"'#(]/g
/** Characters of the addresses in one text: a link by reference repeats its address at each place. */
const mostLinkChars = 100_000

const allowedLink = /^(?:https?:\/\/|mailto:)/i

const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: true, maxNesting: 20 })
markdown.disable(['image', 'table', 'html_block', 'html_inline'])
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
markdown.validateLink = url => allowedLink.test(url.trim())
// the headings of the page end above these texts
markdown.renderer.rules.heading_open = () => '<p><strong>'
markdown.renderer.rules.heading_close = () => '</strong></p>\n'
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index]
  if (token) {
    const href = String(token.attrGet('href') ?? '')
    const linkChars = Number(env?.linkChars ?? 0) + href.length
    Object.assign(env ?? {}, { linkChars })
    token.attrs = [
      ['href', linkChars > mostLinkChars ? '' : href],
      ['rel', 'noopener nofollow ugc'],
    ]
  }
  return self.renderToken(tokens, index, options)
}
// a code block has a class from the text after its fence
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`

/** HTML by its text: the documents of pages show the same texts again and again. */
const made = new LRUCache<string, string>({
  maxSize: 32_000_000,
  sizeCalculation: (html, text) => 2 * (html.length + text.length) + 200,
})

/**
 * Markdown of a person as HTML: paragraphs, emphasis, lists, quotes, code and links to http, https and mailto. HTML in
 * it is shown as text; there are no pictures.
 */
export function htmlOfMarkdown(text: string): string {
  const known = made.get(text)
  if (known !== undefined) return known
  const html = parsed(text.slice(0, mostChars))
  made.set(text, html)
  return html
}

function parsed(text: string): string {
  if (countOf(/\n/g, text) <= mostLines && countOf(signs, text) <= mostSigns)
    return markdown.render(text, { linkChars: 0 }).trim()
  return `<p>${markdown.utils.escapeHtml(text).replaceAll(/\r?\n/g, '<br>\n')}</p>`
}

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

type TextsOfPage = Pick<PageModel, 'posts' | 'maintenance' | 'pastMaintenance'>

/** Makes the HTML of all texts of a page, and lets other requests have their turn in between. */
export const makeHtmlOf = (model: TextsOfPage): Promise<void> =>
  inSlices(
    (function* () {
      for (const text of textsOf(model)) {
        htmlOfMarkdown(text)
        yield
      }
    })(),
  )

function* textsOf({ posts, maintenance, pastMaintenance = [] }: TextsOfPage): Generator<string> {
  for (const { postmortem, updates } of posts) {
    if (postmortem !== null) yield postmortem
    for (const { body } of updates) yield body
  }
  for (const { description } of [...maintenance, ...pastMaintenance]) yield description
}
