import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context } from 'koa'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { encodingFor, Packed, worthBytes } from '#control-plane/http/compress.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'
import { isKnown } from '#control-plane/http/etag.ts'
import { rateHeaders, rateKeyOfIp, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Audience, audiences, describe } from './document.ts'

/** Bytes that all who read them share: a text would be copied for everybody who asks and does not read the answer. */
interface Page {
  body: Packed
  etag: string
}

/** The tag is weak: however it is compressed, it reads alike. */
function pageOf(content: string | Buffer): Page {
  const body = Buffer.from(content)
  return { body: new Packed(body), etag: `W/"${hash('sha1', body, 'base64url')}"` }
}

const settings = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hideTestRequestButton: false,
}

const scripted = (name: string, title: string) =>
  pageOf(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title></head>
<body><div id="app"></div>
<script src="/api/docs/scalar.js"></script>
<script type="module" src="/api/docs/${name}.js"></script>
</body></html>`)
const docs = scripted('start', 'API reference')
const start = pageOf(
  `Scalar.createApiReference('#app', ${JSON.stringify({ url: '/api/v1/openapi.json', ...settings })})`,
)
// others than signed-in resellers are led to the sign-in page, or read why not
const resellerDocs = scripted('reseller-start', 'API for resellers')
const resellerScript = readFileSync(new URL('reference/reseller-start.js', import.meta.url), 'utf8')
const resellerStart = pageOf(`const settings = ${JSON.stringify(settings)}\n${resellerScript}`)

// the reference draws itself with inline styles; nothing may be asked of any other host
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src blob:; frame-ancestors 'none'"

/**
 * The machine-readable description at /api/v1/openapi.json (with `?audience=reseller` only the endpoints for reseller
 * tokens) and the interactive reference at /api/docs, which loads nothing from other hosts. The one at
 * /api/docs/reseller reads the document of a signed-in reseller.
 */
export function openapiRoutes(
  endpoints: readonly Endpoint[],
  services: Pick<Services, 'config' | 'rate' | 'clock' | 'metrics'>,
): Router {
  const router = new Router()
  const { config, rate, clock, metrics } = services
  const documents = new Map<Audience, Page>()
  let scalar: Page | undefined

  const send = async (context: Context, type: string, { body, etag }: Page, maxAge: number): Promise<void> => {
    context.state.route = context.path
    context.set('Cache-Control', `public, max-age=${maxAge}`)
    context.set('Content-Security-Policy', policy)
    context.set('ETag', etag)
    context.vary('Accept-Encoding')
    context.type = type
    context.status = 304
    const seen = context.req.headers['if-none-match']
    if (seen !== undefined && isKnown(seen, etag)) return
    context.status = 200
    const encoding = body.plain.length >= worthBytes ? encodingFor(context.req.headers['accept-encoding']) : undefined
    if (encoding) context.set('Content-Encoding', encoding)
    context.body = encoding ? await body.by(encoding) : body.plain
  }
  /** Limited by address: the answer is large and needs no token. */
  const count = async (context: Context) => {
    const counted = await rate.count(`docs:ip:${rateKeyOfIp(context.state.ip)}`, rateLimits.docs, clock.nowMs())
    if (!counted.isRefused) return context.set(rateHeaders(counted))
    metrics.rateRefusals.inc({ class: 'docs' })
    throw tooMany(counted)
  }
  router.get('/api/v1/openapi.json', async context => {
    await count(context)
    const { audience: asked = 'all' } = context.query
    const audience = audiences.find(known => known === asked)
    if (!audience)
      throw invalid({ audience: [new Sentence('Must be one of {values}.', { values: audiences.join(', ') })] })
    const document = documents.get(audience) ?? pageOf(JSON.stringify(describe(endpoints, config.baseUrl, audience)))
    documents.set(audience, document)
    return send(context, 'application/json; charset=utf-8', document, 60)
  })
  router.get('/api/docs', context => send(context, 'text/html; charset=utf-8', docs, 60))
  router.get('/api/docs/start.js', context => send(context, 'text/javascript; charset=utf-8', start, 60))
  router.get('/api/docs/reseller', context => send(context, 'text/html; charset=utf-8', resellerDocs, 60))
  router.get('/api/docs/reseller-start.js', context =>
    send(context, 'text/javascript; charset=utf-8', resellerStart, 60),
  )
  router.get('/api/docs/scalar.js', async context => {
    await count(context)
    scalar ??= pageOf(readFileSync(new URL('./reference/scalar.js', import.meta.url)))
    return send(context, 'text/javascript; charset=utf-8', scalar, 86_400)
  })
  return router
}
