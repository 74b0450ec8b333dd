import type { Target } from '#contract/check.ts'

const special = /^https?:/i

/**
 * Host and port of a target. `host://name` is parsed by the rules of http URLs, so that every notation of an address
 * and every international name gets its canonical form, without brackets.
 */
export function hostOf(target: Target): { host: string; port: number | null } {
  const url = new URL(special.test(target.url) ? target.url : target.url.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:'))
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port ? Number(url.port) : null }
}
