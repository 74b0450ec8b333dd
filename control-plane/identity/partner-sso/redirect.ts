const base = 'https://origin.invalid'

/** Whether a text is a path of our own: it begins with one slash, and no reading of it leads to another host. */
export function isOwnPath(text: string): boolean {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return false
  const url = URL.parse(text, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return false
  // a proxy that decodes the path must not read another host in it
  try {
    return !/^[/\\]{2}|[\p{Cc}\\]/u.test(decodeURIComponent(url.pathname))
  } catch {
    return false
  }
}
