import { crawlLimits } from '#contract/crawl.ts'

const noise = /^(utm_[a-z_]+|gclid|fbclid|msclkid|mc_[ce]id|phpsessid|jsessionid|sid|sessionid)$/i

/**
 * The address to request for a link: absolute, without fragment, user and tracking parameters. Null if it is not a web
 * address.
 */
export function absolute(href: string, base: string): URL | null {
  const url = URL.parse(href.trim(), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.href.length > crawlLimits.urlChars)
    return null
  url.hash = ''
  url.username = ''
  url.password = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/]*/i, '')
  if (url.search === '') url.search = ''
  else {
    const kept = [...url.searchParams].filter(([name]) => !noise.test(name))
    // delete all in one pass: each single delete re-serializes the others
    if (kept.length < url.searchParams.size) url.search = new URLSearchParams(kept).toString()
  }
  return url
}

/** Equal for two notations of one address: normalizes escapes and the order of parameters. */
export function keyOf(url: URL): string {
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, escaped => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
  })
  const parameters = [...url.searchParams].map(([name, value]) => `${name}=${value}`).toSorted()
  return `${url.protocol}//${url.host}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
}

const bare = (host: string) => host.replace(/^www\./, '').replace(/\.$/, '')

/**
 * Whether an address belongs to the site: the host of its start with or without www, on the same port, and its
 * subdomains if included.
 */
export function isSameSite(url: URL, start: URL, withSubdomains: boolean): boolean {
  if (portOf(url) !== portOf(start)) return false
  const [host, home] = [bare(url.hostname), bare(start.hostname)]
  return host === home || (withSubdomains && host.endsWith(`.${home}`))
}

/** Without an explicit port, http and https are the same site. */
const portOf = (url: URL) => url.port || 'web'

const files =
  /\.(pdf|zip|gz|bz2|xz|7z|rar|tar|tgz|exe|msi|dmg|iso|apk|deb|rpm|jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|ogg|ogv|wav|flac|avi|mov|mkv|woff2?|ttf|otf|eot|css|m?js|json|xml|rss|atom|txt|csv|docx?|xlsx?|pptx?|odt|ods|wasm|bin)$/i
/** Whether an address names a file without links to follow. */
export const isFile = (url: URL) => files.test(url.pathname)

const numbers = /\d+/g

/**
 * A pattern shared by pages that may be endless: the same path with a query, or with two or more numbers (calendars,
 * paging). Null for any other address.
 */
export function shapeOf(url: URL): string | null {
  const names = [...new Set([...url.searchParams.keys()])].toSorted()
  if (names.length > 0) return `${url.host}${url.pathname.replace(numbers, '#')}?${names.join('&')}`.slice(0, 500)
  return (url.pathname.match(numbers)?.length ?? 0) >= 2
    ? `${url.host}${url.pathname.replace(numbers, '#')}`.slice(0, 500)
    : null
}

/** Relative links that repeat path segments ever deeper. */
export function isSpiral(url: URL): boolean {
  const parts = url.pathname.split('/').filter(Boolean)
  if (parts.length > 20) return true
  const times = new Map<string, number>()
  for (const part of parts) times.set(part, (times.get(part) ?? 0) + 1)
  return [...times.values()].some(count => count > 3)
}
