import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

const secure = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
})

/** What keeps browsers careful with every answer. Helmet says the same each time, so it is asked once. */
export const guardHeaders: readonly (readonly [name: string, value: string])[] = collect()

function collect(): [string, string][] {
  const headers: [string, string][] = []
  const response = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => undefined }
  secure({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}
