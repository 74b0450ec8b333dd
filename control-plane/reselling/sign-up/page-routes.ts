import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Router from '@koa/router'
import { sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { brandOfTenant, type PageBrand } from '#control-plane/identity/pages/brand.ts'
import { type PageAnswer, servePage } from '#control-plane/identity/pages/serve.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { portalOfRequest } from './find.ts'

const files = {
  '/pages/sign-up.js': ['text/javascript; charset=utf-8', fileURLToPath(import.meta.resolve('./sign-up.js'))],
  '/pages/altcha.js': ['text/javascript; charset=utf-8', fileURLToPath(import.meta.resolve('altcha/external'))],
  '/pages/altcha-worker.js': [
    'text/javascript; charset=utf-8',
    fileURLToPath(import.meta.resolve('altcha/workers/pbkdf2')),
  ],
  '/pages/altcha.css': ['text/css; charset=utf-8', fileURLToPath(import.meta.resolve('altcha/altcha.css'))],
} as const

type PortalPage = Row<'portals', 'tenant_id' | 'support_email'>

/** The pages of portals: `/p/{slug}`, and the form to sign up, at the domain of a portal or below its slug. */
export function signUpPages(services: Services): Router {
  const router = new Router()
  router.get(
    '/sign-up',
    servePage(services, '/sign-up', async ({ context, language }) => {
      await portalOfRequest(services, context.host, undefined)
      return formOf(language)
    }),
  )
  router.get(
    '/p/:slug/sign-up',
    servePage(services, '/p/{slug}/sign-up', async ({ context, language }) => {
      const { slug = '' } = context.params
      const portal = await portalOfRequest(services, '', slug)
      return { ...formOf(language, slug), brand: await brandOfTenant(services, portal.reseller.id) }
    }),
  )
  router.get(
    '/p/:slug',
    servePage(services, '/p/{slug}', async ({ context, language }) => {
      const { slug = '' } = context.params
      const portal = await findPortal(services, slug)
      const brand = await brandOfTenant(services, portal.tenant_id)
      const isOpen = await portalOfRequest(services, '', slug).then(
        () => true,
        () => false,
      )
      return { ...homeOf(language, brand, slug, portal.support_email, isOpen), brand }
    }),
  )
  for (const [path, [type, file]] of Object.entries(files)) {
    const content = readFileSync(file)
    router.get(path, context => {
      context.state.route = path
      context.set('Cache-Control', 'public, max-age=3600')
      context.type = type
      context.body = content
    })
  }
  return router
}

async function findPortal({ platform }: Pick<Services, 'platform'>, slug: string): Promise<PortalPage> {
  const [row] = await rows(platform, portalPage(slug))
  if (!row) throw notFound('Portal')
  return row
}

function homeOf(
  language: Language,
  brand: PageBrand,
  slug: string,
  supportEmail: string | null,
  isOpen: boolean,
): PageAnswer {
  const said = texts('pages', language).signUp
  const links = [
    { to: '/login', text: said.signIn },
    ...(isOpen ? [{ to: `/p/${encodeURIComponent(slug)}/sign-up`, text: said.title }] : []),
    ...(supportEmail === null ? [] : [{ to: `mailto:${supportEmail}`, text: said.support }]),
  ]
  return { title: brand.name, template: 'portal', values: { links } }
}

function formOf(language: Language, slug?: string): PageAnswer {
  const words = texts('pages', language).signUp
  const query = slug === undefined ? '' : `?portal=${encodeURIComponent(slug)}`
  const fields = [
    { name: 'email', type: 'email', autocomplete: 'email', label: words.email },
    { name: 'name', type: 'text', autocomplete: 'name', label: words.name },
    { name: 'team_name', type: 'text', autocomplete: 'organization', label: words.team },
  ]
  return { title: words.title, template: 'sign-up', values: { words, fields, slug, query } }
}

const portalPage = prepared(
  'portal-page',
  (slug: string) => sql<PortalPage>`
    select p.tenant_id, p.support_email from portals p
    join tenants t on t.id = p.tenant_id and t.deleted_at is null and t.suspended_at is null
    where p.slug = ${slug} and p.is_enabled`,
)
