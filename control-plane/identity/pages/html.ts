import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { brandStyleOf, type PageBrand, platformBrand } from './brand.ts'
import type { FieldText, Page, PageText } from './page.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, found => escapes[found] ?? '')

/** A document in the design of a brand, the platform's by default; `body` is HTML. */
export function documentOf({
  language,
  title,
  body,
  isWide,
  brand = platformBrand,
}: {
  language: Language
  title: string
  body: string
  isWide?: boolean
  brand?: PageBrand
}): string {
  const style = brandStyleOf(brand)
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}${
    title === brand.name ? '' : ` · ${escapeHtml(brand.name)}`
  }</title>
<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/pages/page.css">${
    style === null ? '' : `<link rel="stylesheet" href="${style}">`
  }</head>
<body${isWide ? ' class="wide"' : ''}>
<header>${markOf(brand)}</header>
<main><h1>${escapeHtml(title)}</h1>
${body}
</main>
${footerOf(brand, language)}</body>
</html>
`
}

/** The logo, which holds the name, or a symbol and the name. */
function markOf({ name, letter, logoUrl, logoUrlDark, symbolUrl }: PageBrand): string {
  const said = escapeHtml(name)
  if (logoUrl !== null) {
    const dark =
      logoUrlDark === null ? '' : `<source srcset="${escapeHtml(logoUrlDark)}" media="(prefers-color-scheme: dark)">`
    return `<picture>${dark}<img class="logo" src="${escapeHtml(logoUrl)}" alt="${said}"></picture>`
  }
  const symbol =
    symbolUrl === null
      ? `<span class="letter" aria-hidden="true">${escapeHtml(letter)}</span>`
      : `<img class="symbol" src="${escapeHtml(symbolUrl)}" alt="">`
  return `<p class="mark">${symbol}<span>${said}</span></p>`
}

function footerOf(brand: PageBrand, language: Language): string {
  const { support, privacy, imprint } = texts('pages', language).common
  const link = (url: string | null, text: string) =>
    url === null ? [] : [`<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(text)}</a>`]
  const own = brand.footerText === null ? [] : [brand.footerText]
  const parts = [
    ...own.flatMap(text => (brand.footerUrl === null ? [escapeHtml(text)] : link(brand.footerUrl, text))),
    ...link(brand.supportUrl, support),
    ...link(brand.privacyUrl, privacy),
    ...link(brand.imprintUrl, imprint),
    ...(brand.hidesPoweredBy ? [] : [`Powered by ${escapeHtml(platformBrand.name)}`]),
  ]
  return parts.length === 0 ? '' : `<footer><ul>${parts.map(part => `<li>${part}</li>`).join('')}</ul></footer>\n`
}

/** The HTML of a page. It holds no text of users but the brand: the script adds theirs as text nodes. */
export function htmlOf(page: Page, language: Language, brand: PageBrand): string {
  const { links, fields: fieldTexts } = texts('pages', language)
  const words: PageText = links[page.path]
  const { failed, script, open, someone, next, account } = texts('pages', language).common
  const goOn = page.leadsToSignIn
    ? `<a href="/login">${next}</a>`
    : page.opensSession && `<a href="/app/welcome">${account}</a>`
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
    'leads-to': page.opensSession ? '/app/welcome' : undefined,
  }
  const attributes = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [` data-${name}="${escapeHtml(value)}"`],
  )
  const fields = page.fields.map(({ name, text, type, autocomplete, isOptional, of }, index) => {
    const { label, hint }: FieldText = fieldTexts[text]
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
    brand,
    title: words.title,
    body: `<p id="shows" hidden></p><p id="says">${words.says}</p>
<form action="${page.postsTo}" method="post"${attributes.join('')}>
${[...fields, `<button>${words.button}</button>`].join('\n')}
</form>
<p id="status" role="status"></p>${elsewhereOf(words.elsewhere)}
${goOn ? `<p id="next" hidden>${goOn}</p>` : ''}
<noscript><p>${script}</p></noscript>
<script src="/pages/page.js"></script>`,
  })
}

const elsewhereOf = (words: { says: string; button: string } | undefined): string =>
  words === undefined
    ? ''
    : `<div id="elsewhere" hidden><p>${escapeHtml(words.says)}</p>
<p><a class="button">${escapeHtml(words.button)}</a></p></div>`
