import MarkdownIt from 'markdown-it'

/** Longer texts are cut off before they are parsed. */
const mostChars = 20_000

const allowedLink = /^(?:https?:\/\/|mailto:)/i

const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: true, maxNesting: 20 })
markdown.disable(['image', 'table', 'html_block', 'html_inline'])
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
markdown.validateLink = url => allowedLink.test(url.trim())
// the headings of the page end above these texts
markdown.renderer.rules.heading_open = () => '<p><strong>'
markdown.renderer.rules.heading_close = () => '</strong></p>\n'
markdown.renderer.rules.link_open = (tokens, index, options, _, self) => {
  const token = tokens[index]
  if (token)
    token.attrs = [
      ['href', String(token.attrGet('href') ?? '')],
      ['rel', 'noopener nofollow ugc'],
    ]
  return self.renderToken(tokens, index, options)
}
// a code block has a class from the text after its fence
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`

/**
 * Markdown of a person as HTML: paragraphs, emphasis, lists, quotes, code and links to http, https and mailto. HTML in
 * it is shown as text; there are no pictures.
 */
export const htmlOfMarkdown = (text: string): string => markdown.render(text.slice(0, mostChars)).trim()
