/** Where signing in leads without another wish: the app. */
export const home = '/app'
const longest = 2_000
const inside = 'http://inside.invalid'

/**
 * A path of our own to go on to, with query and fragment; null for all else. It begins with exactly one slash: browsers
 * read `//host`, `/\host` and a tab between the slashes as another site.
 */
export function ownPath(text: string | null | undefined): string | null {
  if (!text || text.length > longest || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return null
  const url = URL.parse(text, inside)
  if (url === null || url.origin !== inside) return null
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? null : path
}

/** The page on which a signed-in person confirms who they are, and goes on to `next`. */
export const stepUpPath = (next: string): string => `/step-up?next=${encodeURIComponent(next)}`
