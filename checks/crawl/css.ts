export interface StyleLink {
  href: string
  /** Imported style sheets and fonts: browsers block these on a secure page, unlike images. */
  isActive: boolean
}

const wanted =
  /@import\s+(?:url\(\s*)?(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})'|([^\s"'();]{1,2000}))|url\(\s*(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})'|([^\s"'()\\]{1,2000}))\s*\)/gi

/** The resources a style sheet loads. Comments are removed first, because browsers do not load what they contain. */
export function* linksOfStyle(css: string): Generator<StyleLink> {
  for (const found of withoutComments(css).matchAll(wanted)) {
    const imported = found[1] ?? found[2] ?? found[3]
    const href = imported ?? found[4] ?? found[5] ?? found[6] ?? ''
    if (href && !href.startsWith('data:') && !href.startsWith('#'))
      yield { href, isActive: imported !== undefined || /\.(woff2?|ttf|otf|eot)(\?|#|$)/i.test(href) }
  }
}

function withoutComments(css: string): string {
  const parts: string[] = []
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('/*', at)
    if (open < 0) {
      parts.push(css.slice(at))
      break
    }
    parts.push(css.slice(at, open))
    const close = css.indexOf('*/', open + 2)
    if (close < 0) break
    at = close + 2
  }
  return parts.join(' ')
}
