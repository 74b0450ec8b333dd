import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context } from 'koa'
import { appPage } from './app.ts'
import { homeOf } from './home.ts'
import { htmlOf } from './html.ts'
import { type PageLanguage, pageLanguages } from './page.ts'
import { pages } from './pages.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const fileOf = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url))

/** The pages that links in mails and alerts open. They only call the API. */
export function pageRoutes({ baseUrl }: { baseUrl: string }): Router {
  const router = new Router()
  const send = (context: Context, type: string, body: string | Buffer) => {
    context.state.route ??= context.path
    context.set({ 'Cache-Control': 'public, max-age=60', 'Content-Security-Policy': policy })
    context.type = type
    context.body = body
  }
  const sendHtml = (context: Context, write: (language: PageLanguage) => string) => {
    context.set('Vary', 'Accept-Language')
    const wanted = context.acceptsLanguages(...pageLanguages)
    send(context, 'text/html; charset=utf-8', write(pageLanguages.find(language => language === wanted) ?? 'en'))
  }
  router.get('/', context => sendHtml(context, language => homeOf(language, baseUrl)))
  for (const page of pages) router.get(page.path, context => sendHtml(context, language => htmlOf(page, language)))
  router.get(/^\/app(\/.*)?$/, context => {
    // metrics have the route as a label, not the id in it
    context.state.route = '/app'
    sendHtml(context, language => appPage(context.path, baseUrl, language))
  })
  const files = {
    '/pages/page.js': ['text/javascript; charset=utf-8', fileOf('page.js')],
    '/pages/page.css': ['text/css; charset=utf-8', fileOf('page.css')],
    '/favicon.ico': ['image/x-icon', fileOf('favicon.ico')],
  } as const
  for (const [path, [type, content]] of Object.entries(files)) router.get(path, context => send(context, type, content))
  return router
}
