import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Context } from 'koa'

const secure = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  strictTransportSecurity: false, // an operator's decision, and sent over https alone: see `hsts`
})

/** What keeps browsers careful with every answer. Helmet says the same each time, so it is asked once. */
export const guardHeaders: readonly (readonly [name: string, value: string])[] = collect()

/** Names and values in turn, as `writeHead` takes them: what keeps browsers careful, and in place of it what is declared. */
export function guarded(declared: Readonly<Record<string, string>>): string[] {
  const headers = new Map(guardHeaders.map(([name, value]) => [name.toLowerCase(), [name, value]]))
  for (const [name, value] of Object.entries(declared)) headers.set(name.toLowerCase(), [name, value])
  return [...headers.values()].flat()
}

/** For answers that no endpoint gives: the same headers, and whatever was to be told so far. */
export function guard({ res, state }: Context): void {
  for (const [name, value] of guardHeaders) res.setHeader(name, value)
  for (let at = 0; at < state.told.length; at += 2) res.setHeader(state.told[at], state.told[at + 1])
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
