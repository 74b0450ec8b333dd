import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context } from 'koa'
import { homeOf } from './home.ts'
import { htmlOf } from './html.ts'
import { pageLanguages } from './page.ts'
import { pages } from './pages.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const fileOf = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url))

/** The pages that links in mails lead to, for people without a dashboard; they do nothing that the API does not. */
export function pageRoutes({ baseUrl }: { baseUrl: string }): Router {
  const router = new Router()
  const send = (context: Context, type: string, body: string | Buffer) => {
    context.state.route = context.path
    context.set({ 'Cache-Control': 'public, max-age=60', 'Content-Security-Policy': policy })
    context.type = type
    context.body = body
  }
  const languageOf = (context: Context) => {
    context.set('Vary', 'Accept-Language')
    const wanted = context.acceptsLanguages(...pageLanguages)
    return pageLanguages.find(language => language === wanted) ?? 'en'
  }
  router.get('/', context => send(context, 'text/html; charset=utf-8', homeOf(languageOf(context), baseUrl)))
  for (const page of pages) router.get(page.path, context => send(context, 'text/html; charset=utf-8', htmlOf(page, languageOf(context))))
  const files = {
    '/pages/page.js': ['text/javascript; charset=utf-8', fileOf('page.js')],
    '/pages/page.css': ['text/css; charset=utf-8', fileOf('page.css')],
    '/favicon.ico': ['image/x-icon', fileOf('favicon.ico')],
  } as const
  for (const [path, [type, content]] of Object.entries(files)) router.get(path, context => send(context, type, content))
  return router
}
