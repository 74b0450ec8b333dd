import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { encodingFor } from '#control-plane/http/compress.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import { pictureOriginsOf, policyOf } from '#control-plane/identity/pages/brand.ts'
import { brandOfHost } from '#control-plane/identity/pages/brand-of-host.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const suffixes = { br: '.br', gzip: '.gz' } as const

/**
 * The app in the browser, from the folder of its build: its files, whose names hold a hash of their content, and one
 * document for all of its addresses. The document allows two style tags of React Aria by a nonce of its own, and
 * frames with previews that we make. A browser
 * without a session is led to the sign-in page, and back from there.
 */
export function webRoutes(services: Services, folder: string): Router {
  const router = new Router()
  const files = new Map(
    (existsSync(folder) ? readdirSync(join(folder, 'files')) : []).map(name => [
      name,
      readFileSync(join(folder, 'files', name)),
    ]),
  )
  const document = existsSync(folder) ? readFileSync(join(folder, 'index.html'), 'utf8') : undefined

  router.get('/web/files/:name', context => {
    context.state.route = '/web/files'
    const name = context.params.name ?? ''
    const type = types[extname(name)]
    const plain = files.get(name)
    if (type === undefined || plain === undefined) return
    const encoding = encodingFor(context.get('Accept-Encoding'))
    const packed = encoding && files.get(name + suffixes[encoding])
    context.vary('Accept-Encoding')
    context.set('Cache-Control', 'public, max-age=31536000, immutable')
    if (encoding && packed) context.set('Content-Encoding', encoding)
    context.type = type
    context.body = packed ?? plain
  })
  router.get('/', context => context.redirect('/app'))
  router.get(/^\/(app|console|ops)(\/.*)?$/, async (context: Context) => {
    context.state.route = '/app'
    // a screen on a wall has a token of its own, which no request of the browser for a page shows
    if (context.path !== '/app/wall' && sessionOf(context.req.headers.cookie, services.config) === undefined) {
      context.status = 303
      return context.redirect(`/login?next=${encodeURIComponent(context.url)}`)
    }
    const brand = await brandOfHost(services, context.host)
    const nonce = randomBytes(16).toString('base64')
    context.set({
      'Content-Security-Policy': policyOf(brand).replace(
        "style-src 'self'",
        `frame-src 'self'; style-src 'self' 'nonce-${nonce}'`,
      ),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
    })
    context.type = 'text/html; charset=utf-8'
    context.status = document === undefined ? 503 : 200
    context.body =
      document
        ?.replace('%NONCE%', nonce)
        .replace('%PICTURES%', pictureOriginsOf(brand).join(' '))
        .replace('%BRAND%', () => escapeHtml(brand.name)) ?? 'The app is not built: node cli/vedette.js build'
  })
  return router
}
