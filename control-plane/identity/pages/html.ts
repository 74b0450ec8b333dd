import type { Page, PageLanguage } from './page.ts'

const around = {
  en: {
    failed: 'That did not work. Try again later.',
    script: 'This page needs JavaScript.',
    open: 'This link is incomplete: open it exactly as it is in the mail.',
    someone: 'Someone',
    next: 'How to sign in',
  },
  de: {
    failed: 'Das hat nicht geklappt. Versuchen Sie es später noch einmal.',
    script: 'Diese Seite braucht JavaScript.',
    open: 'Dieser Link ist unvollständig: Öffnen Sie ihn so, wie er in der Mail steht.',
    someone: 'Jemand',
    next: 'So melden Sie sich an',
  },
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, found => escapes[found] ?? '')

/** A document in our design; `body` is HTML. */
export const documentOf = ({
  language,
  title,
  body,
  isWide,
}: {
  language: PageLanguage
  title: string
  body: string
  isWide?: boolean
}): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/pages/page.css"></head>
<body><main${isWide ? ' class="wide"' : ''}><h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`

/** The HTML of a page. It holds no text of users: the script adds that as text nodes. */
export function htmlOf(page: Page, language: PageLanguage): string {
  const words = page[language]
  const { failed, script, open, someone, next } = around[language]
  const data = {
    token: page.tokenIn,
    lookup: page.lookupPath,
    'done-when': page.isDoneWhen,
    shows: words.shows,
    already: words.already,
    terms: words.terms && JSON.stringify(words.terms),
    refusals: words.refusals && JSON.stringify(words.refusals),
    done: words.done,
    failed,
    open,
    someone: someone,
  }
  const attributes = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [` data-${name}="${escapeHtml(value)}"`],
  )
  const fields = page.fields.map(({ name, type, autocomplete, isOptional, of, [language]: { label, hint } }, index) => {
    const id = `field-${index}`
    const needed = isOptional ? '' : ' required'
    const whose = of ? ` data-of="${of.join(' ')}"` : ''
    return `<div${whose}><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="255"
 aria-describedby="${id}-hint ${id}-error"${needed}>
<span id="${id}-hint" class="hint">${hint ?? ''}</span><span id="${id}-error" class="error"></span></div>`
  })
  return documentOf({
    language,
    title: words.title,
    body: `<p id="shows" hidden></p><p id="says">${words.says}</p>
<form action="${page.postsTo}" method="post"${attributes.join('')}>
${[...fields, `<button>${words.button}</button>`].join('\n')}
</form>
<p id="status" role="status"></p>${page.leadsToSignIn ? `<p id="next" hidden><a href="/">${next}</a></p>` : ''}
<noscript><p>${script}</p></noscript>
<script src="/pages/page.js"></script>`,
  })
}
