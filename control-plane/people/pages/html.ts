import type { Page, PageLanguage } from './page.ts'

const around = {
  en: {
    failed: 'That did not work. Try again later.',
    script: 'This page needs JavaScript.',
    open: 'This link is not whole: open it as it stands in the mail.',
    next: 'How to sign in',
  },
  de: {
    failed: 'Das hat nicht geklappt. Versuchen Sie es später noch einmal.',
    script: 'Diese Seite braucht JavaScript.',
    open: 'Dieser Link ist unvollständig: Öffnen Sie ihn so, wie er in der Mail steht.',
    next: 'So melden Sie sich an',
  },
}

/** A page as it is sent. All in it is ours: what people wrote is put there by the script, as text. */
export function htmlOf(page: Page, language: PageLanguage): string {
  const words = page[language]
  const { failed, script, open, next } = around[language]
  const data = { token: page.tokenIn, lookup: page.looksUpAt, done: words.done, failed, open }
  const attributes = Object.entries(data).flatMap(([name, value]) => (value === undefined ? [] : [` data-${name}="${value}"`]))
  const fields = page.fields.map(field => {
    const needed = field.isOptional ? '' : ' required'
    const newcomer = field.isOfNewcomer ? ' data-newcomer' : ''
    return `<label${newcomer}>${field[language]}<input name="${field.name}" type="${field.type}" autocomplete="${field.autocomplete}" maxlength="255"${needed}></label>`
  })
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${words.title}</title>
<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/pages/page.css"></head>
<body><main><h1>${words.title}</h1><p id="says">${words.says}</p>
<form action="${page.postsTo}" method="post"${attributes.join('')}>
${[...fields, `<button>${words.button}</button>`].join('\n')}
</form>
<p id="told" role="status"></p><p id="next" hidden><a href="/">${next}</a></p><noscript><p>${script}</p></noscript></main>
<script src="/pages/page.js"></script></body>
</html>
`
}
