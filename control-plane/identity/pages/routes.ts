import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context } from 'koa'
import type { Services } from '#control-plane/http/services.ts'
import { teamParameter } from '#control-plane/tenancy/portal-hosts/origin.ts'
import type { Language } from '#locales/languages.ts'
import { brandCss, type PageBrand, policyOf } from './brand.ts'
import { brandOfHost } from './brand-of-host.ts'
import { htmlOf } from './html.ts'
import { pages } from './pages.ts'
import { languageOf } from './serve.ts'

const fileOf = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url))

/** The pages that links in mails and alerts open. They only call the API. */
export function pageRoutes(services: Services): Router {
  const router = new Router()
  const send = (context: Context, type: string, body: string | Buffer) => {
    context.state.route ??= context.path
    context.set({ 'Cache-Control': 'public, max-age=60' })
    context.type = type
    context.body = body
  }
  const sendHtml = async (context: Context, write: (language: Language, brand: PageBrand) => string) => {
    const brand = await brandOfHost(services, context.host, context.query[teamParameter])
    const html = write(languageOf(context), brand)
    context.set('Content-Security-Policy', policyOf(brand))
    context.vary('Host')
    send(context, 'text/html; charset=utf-8', html)
  }
  for (const page of pages)
    router.get(page.path, context => sendHtml(context, (language, brand) => htmlOf(page, language, brand)))
  router.get('/pages/brand.css', context => {
    const css = brandCss(String(context.query.color ?? ''))
    if (css !== null) send(context, 'text/css; charset=utf-8', css)
  })
  const files = {
    '/pages/page.js': ['text/javascript; charset=utf-8', fileOf('page.js')],
    '/pages/page.css': ['text/css; charset=utf-8', fileOf('page.css')],
    '/favicon.ico': ['image/x-icon', fileOf('favicon.ico')],
  } as const
  for (const [path, [type, content]] of Object.entries(files)) router.get(path, context => send(context, type, content))
  return router
}
