import type { IncomingMessage, ServerResponse } from 'node:http'
import { isForPerson, isOfPrograms } from '#control-plane/http/for-person.ts'
import { sendJson } from './health.ts'

interface Plain {
  status: 404 | 503
  message: string
  code: string
  headers?: Record<string, string>
}

const texts = {
  404: { title: 'There is nothing here', says: 'The address may be mistyped, or another server answers for it.' },
  503: { title: 'The service is starting', says: 'This page opens by itself in a moment.' },
}
const styles =
  ':root{color-scheme:light dark}' +
  'body{max-width:40rem;margin:20vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}'

/** Where no page of ours can be made: JSON for programs, and for a browser a page that needs nothing else. */
export function sendPlain(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, code, headers = {} }: Plain,
): void {
  if (isOfPrograms(path) || !isForPerson(request.headers.accept)) {
    sendJson(response, status, { message, code }, headers)
    return
  }
  if (response.headersSent || response.destroyed) return
  const { title, says } = texts[status]
  const again = status === 503 ? '<meta http-equiv="refresh" content="2">' : ''
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${again}<title>${title}</title><style>${styles}</style></head>
<body><main><h1>${title}</h1><p>${says}</p></main></body></html>
`
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}
