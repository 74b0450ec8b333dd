/** Whether nobody on the way can read what is sent to this address: https, or a machine that talks to itself. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:') return url?.protocol === 'https:'
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
