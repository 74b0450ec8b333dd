/** Whether a request to this address cannot be read on the way: https, or loopback. */
export function isSecureUrl(address: string): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:') return url?.protocol === 'https:'
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
