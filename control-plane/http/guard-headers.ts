import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Context } from 'koa'

const secure = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  strictTransportSecurity: false, // an operator's decision, and sent over https alone: see `hsts`
})

/** The security headers of every answer. Helmet returns the same each time, so they are computed once. */
export const guardHeaders: readonly (readonly [name: string, value: string])[] = collect()

/**
 * Security headers and declared headers, names and values in turn, as `writeHead` takes them. A declared header
 * replaces one of ours.
 */
export function guarded(declared: Readonly<Record<string, string>>): string[] {
  const headers = new Map(guardHeaders.map(([name, value]) => [name.toLowerCase(), [name, value]]))
  for (const [name, value] of Object.entries(declared)) headers.set(name.toLowerCase(), [name, value])
  return [...headers.values()].flat()
}

/** Sets the security headers, and the headers that earlier stages collected, on an answer of no endpoint. */
export function guard({ res, state }: Context): void {
  for (const [name, value] of guardHeaders) res.setHeader(name, value)
  const { responseHeaders } = state
  for (let at = 0; at < responseHeaders.length; at += 2) res.setHeader(responseHeaders[at], responseHeaders[at + 1])
}

function collect(): [string, string][] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  secure({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}
