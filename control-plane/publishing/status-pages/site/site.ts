import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Refusal } from '#control-plane/base/refusal.ts'
import { type RateCounter, rateKeyOfIp } from '#control-plane/http/rate.ts'
import { clientAddressOf } from '#control-plane/http/stages/address.ts'
import { SsoFailure } from '#control-plane/identity/sso/outcome.ts'
import { visitRefusalOf, visitRefusals } from '#control-plane/identity/sso/visit-refusal.ts'
import { isPassword } from '#control-plane/identity/users/password.ts'
import { isOfDomain } from '#control-plane/publishing/status-pages/email-domains.ts'
import { badgeOf } from '#control-plane/publishing/status-pages/render/badge.ts'
import {
  addressOf,
  type Document,
  type GateProblem,
  monthOf,
  monthsOf,
  renderAway,
  renderGate,
  renderHistory,
  renderIncident,
  renderMissing,
  renderPage,
  renderSignIn,
  type View,
} from '#control-plane/publishing/status-pages/render/documents.ts'
import { calendarOf, feedOf } from '#control-plane/publishing/status-pages/render/feeds.ts'
import { renderIndex } from '#control-plane/publishing/status-pages/render/index-page.ts'
import { makeHtmlOf } from '#control-plane/publishing/status-pages/render/markdown.ts'
import type { PageAccess, PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import type { SignInProblem, SubscriptionProblem } from '#control-plane/publishing/status-pages/render/problems.ts'
import { jsonOf } from '#control-plane/publishing/status-pages/render/statuspage-api.ts'
import {
  emptyForm,
  renderSubscribe,
  renderSubscribed,
  type SubscriptionValues,
} from '#control-plane/publishing/status-pages/render/subscribe.ts'
import type { Wish } from '#control-plane/publishing/status-pages/subscribers/subscribe.ts'
import { isInstallationHost } from '#control-plane/tenancy/portal-hosts/installation-host.ts'
import { portalOrigin } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { isLanguage, type Language, languages } from '#locales/languages.ts'
import { privateCaching, publicCaching, type ReadyDocument, readyDocument, send } from './answers.ts'
import { slugShape } from './folder.ts'
import { languageFor, ownLanguage } from './language.ts'
import { type CachedPage, documentOf, type PageCache } from './page-cache.ts'
import { type Target, targetOf } from './paths.ts'
import type { PageSignIn } from './sign-in.ts'
import { type CachedIndex, mostNumbers, type StatusIndex } from './status-index.ts'
import { longestSubscription, problemOf, subscriptionValues, wishOf } from './subscribe-form.ts'
import { cookieOf, isLinkToken, type KeyedAccess, linkTokenOf, mayRead } from './visitor.ts'

export interface SiteOptions {
  cache: PageCache
  log: Logger
  /** The public address of the installation: pages are served for its host, and for those of `hosts`. */
  baseUrl: string
  trustedProxies: number
  hsts?: string | null | undefined
  rate: RateCounter
  /** The list of public pages; without it there is none. */
  index?: StatusIndex | undefined
  nowMs(): number
  /** The page of a domain of its own; undefined for other hosts. */
  slugOfHost?(host: string): string | undefined
  /** Whether a page has this domain of its own. */
  isDomainOf?(slug: string, host: string): boolean
  /** The team or reseller whose portal a host is; undefined for other hosts. Their pages are served there too. */
  portalOfHost?(host: string): string | undefined
  /** Sends the link of a private page to a visitor; without it none can be sent. */
  mailLink?(page: PageModel, link: { email: string; language: Language; url: string; expiresAt: Date }): Promise<void>
  /** How visitors sign in at the provider of a team; without it none can. */
  signIn?: PageSignIn
  /** Draws the picture of a page as PNG; without it there is none. */
  drawPicture?(page: PageModel, language: Language): Promise<Buffer>
  /** Subscribes a visitor, or throws a `Refusal`; without it none can be subscribed. */
  subscribe?(slug: string, wish: Wish): Promise<void>
  observe?(method: string, status: number, seconds: number): void
  /** From this age on a page says how old it is. */
  staleAfterMs?: number
}

/** A page that is asked for is read again each minute; one that is older than this could not be read. */
const defaultStaleMs = 150_000

/** Requests a minute: passwords and mails by address of the caller and by page, pages that do not exist by address. */
const attempts = { ofAddress: 10, ofPage: 300, mailsOfAddress: 5, mailsOfPage: 60 }
const longestForm = 4_096
/** A visitor does not wait longer for stores that do not answer; what was asked may still be done later. */
const storedWithinMs = 10_000
/** A provider has ten seconds to describe itself. */
const begunWithinMs = 15_000

interface Asked {
  request: IncomingMessage
  response: ServerResponse
  page: CachedPage
  slug: string
  base: string
  target: Target
  query: URLSearchParams
  ip: string
  /** The owner of the portal that was asked. */
  portal?: string | undefined
}

/** What a request is for, by its host and path. */
interface Place {
  slug: string
  base: string
  target: Target
  query: string
  /** The owner of the portal that was asked. */
  portal?: string | undefined
}

/** The list of public pages. */
interface ListPlace {
  slug: null
  query: string
}

/**
 * Status pages over HTTP, ahead of the API: documents in memory, made of the model of a page. It needs no store itself.
 */
export class Site {
  readonly #options: SiteOptions
  readonly #baseHost: string
  readonly #plain = new Map<string, ReadyDocument>()

  constructor(options: SiteOptions) {
    this.#options = options
    this.#baseHost = hostOf(new URL(options.baseUrl).host)
  }

  /** Whether a host, as its header has it, is the domain of a page, which has all of its paths. */
  hasHost(header: string): boolean {
    const host = hostOf(header)
    return !this.#isOurs(host) && this.#options.slugOfHost?.(host) !== undefined
  }

  /** Answers a request for a status page; false: it is for another part of the service. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '/', headers } = request
    const place = this.#placeOf(url, hostOf(headers.host ?? ''))
    if (place === undefined) return false
    const started = performance.now()
    const { observe } = this.#options
    if (observe)
      response.once('finish', () =>
        observe(request.method ?? '', response.statusCode, (performance.now() - started) / 1_000),
      )
    try {
      const answered = this.#answer(request, response, place)
      if (answered instanceof Promise) answered.catch(error => this.#fail(error, response))
    } catch (error) {
      this.#fail(error, response)
    }
    return true
  }

  #fail(error: unknown, response: ServerResponse): void {
    this.#options.log.error({ err: error }, 'status page answer failure')
    response.destroy()
  }

  /** Whose page a request is for, and what of it; null: none, also not of another part of the service. */
  #placeOf(url: string, host: string): Place | ListPlace | null | undefined {
    const end = url.indexOf('?')
    const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
    const own = this.#isOurs(host) ? undefined : this.#options.slugOfHost?.(host)
    if (own !== undefined) {
      const target = targetOf(path)
      return target ? { slug: own, base: '', target, query } : null
    }
    if (path === '/status' || path === '/status/') return this.#isOurs(host) ? { slug: null, query } : null
    if (!path.startsWith('/status/')) return undefined
    const portal = this.#isOurs(host) ? undefined : this.#options.portalOfHost?.(host)
    if (portal === undefined && !this.#isOurs(host)) return null
    const slash = path.indexOf('/', 8)
    const slug = slash === -1 ? path.slice(8) : path.slice(8, slash)
    const target = targetOf(slash === -1 ? '' : path.slice(slash))
    if (!target) return undefined
    return slugShape.test(slug) ? { slug, base: `/status/${slug}`, target, query, portal } : null
  }

  #isOurs(host: string): boolean {
    return isInstallationHost(host, this.#baseHost)
  }

  #answer(request: IncomingMessage, response: ServerResponse, place: Place | ListPlace | null): void | Promise<void> {
    const query = new URLSearchParams(place?.query)
    if (place === null) return this.#sendMissing(request, response, query)
    if (place.slug === null) return this.#sendIndex(request, response, query)
    const ip = clientAddressOf(request, this.#options.trustedProxies)
    const give = (page: CachedPage | null | undefined): void | Promise<void> => {
      if (page === undefined) return this.#sendAway(request, response, query)
      const isForeign = place.portal !== undefined && !page?.model.owners?.includes(place.portal)
      if (page === null || isForeign) return this.#sendMissing(request, response, query)
      const asked = { ...place, request, response, page, query, ip }
      return place.base !== '' && page.model.slug !== place.slug ? this.#lead(asked) : this.#give(asked)
    }
    const page = this.#options.cache.find(place.slug)
    return page instanceof Promise ? page.then(give) : give(page)
  }

  /** From a former address of a page to its present one; it may be another page's later. */
  #lead({ request, response, page: { model }, slug, query, ip }: Asked): void | Promise<void> {
    const { access } = model
    const visitor = { cookies: undefined, ip, nowMs: this.#options.nowMs() }
    if (access.mode === 'ip' && !mayRead(access, visitor)) return this.#sendMissing(request, response, query)
    const isPublic = access.mode === 'public'
    response
      .writeHead(307, {
        Location: `/status/${model.slug}${(request.url ?? '').slice(`/status/${slug}`.length)}`,
        'Cache-Control': isPublic ? publicCaching : privateCaching,
        'Content-Length': '0',
        ...(isPublic && shared),
      })
      .end()
  }

  /** The list of public pages, where the operator wants one. */
  #sendIndex(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void | Promise<void> {
    const { index, baseUrl } = this.#options
    const named = query.get('page') ?? '1'
    const number = /^[1-9]\d{0,2}$/.test(named) ? Number(named) : 0
    if (!index || number < 1 || number > mostNumbers) return this.#sendMissing(request, response, query)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response, 'GET, HEAD')
    const give = (list: CachedIndex | undefined): void | Promise<void> => {
      if (list === undefined) return this.#sendAway(request, response, query)
      const { model } = list
      if (model.pages.length === 0 && number > 1) return this.#sendMissing(request, response, query)
      const accepted = request.headers['accept-language']
      const view = {
        ...languageFor({ locale: 'en', locales: languages }, query.get('lang'), accepted),
        isStale: this.#isStale(model),
        baseUrl,
      }
      const key = `${view.language} ${view.isForced} ${view.isStale}`
      const document = documentOf(list, key, () => readyHtml(renderIndex(model, view), publicCaching))
      return send(document, request, response, this.#hsts)
    }
    const list = index.find(number)
    return list instanceof Promise ? list.then(give) : give(list)
  }

  #give(asked: Asked): void | Promise<void> {
    const { request, response, page, target, query, ip } = asked
    const { model } = page
    if (target.kind === 'access') return this.#enter(asked)
    const isForm = target.kind === 'subscribe'
    const isSent = isForm && request.method === 'POST'
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isSent)
      return refuseMethod(response, isForm ? 'GET, HEAD, POST' : 'GET, HEAD')
    const { access } = model
    if (access.mode !== 'public') {
      const visitor = { cookies: request.headers.cookie, ip, nowMs: this.#options.nowMs() }
      if (!mayRead(access, visitor)) return this.#refuse(asked)
    }
    if (isSent && model.hasSubscriptions) return this.#subscribe(asked)
    if (target.kind === 'picture') return this.#sendPicture(asked)
    const document = this.#documentOf(page, asked)
    if (document === null) return this.#sendMissing(request, response, query)
    if (document instanceof Promise) return document.then(made => send(made, request, response, this.#hsts))
    return send(document, request, response, this.#hsts)
  }

  /** The picture of a public page: those who show it cannot open a private one. */
  async #sendPicture(asked: Asked): Promise<void> {
    const { request, response, page, query } = asked
    const { model } = page
    const { drawPicture, log } = this.#options
    if (!drawPicture || model.access.mode !== 'public') return this.#sendMissing(request, response, query)
    const { language } = this.#viewOf(asked)
    const key = `picture ${language}`
    const drawing = documentOf(page, key, async () =>
      readyDocument({
        type: 'image/png',
        text: await drawPicture(model, language),
        caching: publicCaching,
        headers: shared,
      }),
    )
    try {
      return await send(await Promise.race([drawing, late(storedWithinMs)]), request, response, this.#hsts)
    } catch (error) {
      page.documents.delete(key)
      log.warn({ err: error, slug: model.slug }, 'status page picture failure')
      response.writeHead(503, { 'Retry-After': '5', 'Cache-Control': 'no-store', 'Content-Length': '0' }).end()
    }
  }

  /** Read too long ago to be called current. */
  #isStale({ asOf }: { asOf: number }): boolean {
    const { nowMs, staleAfterMs = defaultStaleMs } = this.#options
    return nowMs() - asOf > staleAfterMs
  }

  get #hsts(): readonly string[] {
    const { hsts } = this.#options
    return hsts ? ['Strict-Transport-Security', hsts] : []
  }

  #viewOf({ page: { model }, query, request, base, portal }: Asked): View {
    const isOwn = base !== '' && portal === undefined
    return {
      ...languageFor(model, query.get('lang'), request.headers['accept-language']),
      base,
      origin: isOwn ? undefined : portalOrigin(this.#options.baseUrl, hostOf(request.headers.host ?? '')),
      staleSince: this.#isStale(model) ? model.asOf : null,
    }
  }

  /** Null: the page has no such incident, or no such month, or takes no subscribers. */
  #documentOf(page: CachedPage, asked: Asked): ReadyDocument | Promise<ReadyDocument> | null {
    const { target, query, base } = asked
    const { model } = page
    const view = this.#viewOf(asked)
    const key = `${view.origin ?? ''} ${base} ${view.language} ${view.isForced} ${view.staleSince !== null}`
    const caching = model.access.mode === 'public' ? publicCaching : privateCaching
    const html = (name: string, render: () => Document) =>
      withHtml(page, `${key} ${name}`, () => readyHtml(render(), caching))
    const placed = { ...model, url: addressOf(model, view) }
    const document = (type: string, make: () => string) => () =>
      readyDocument({ type, text: make(), caching, headers: caching === publicCaching ? shared : {} })
    const other = (type: string, make: () => string) =>
      documentOf(page, `${key} ${target.kind}${target.kind === 'json' ? target.document : ''}`, document(type, make))
    switch (target.kind) {
      case 'page':
        return html('page', () => renderPage(model, view))
      case 'incident': {
        const post = model.posts.find(({ id }) => id === target.id)
        return post ? html(post.id, () => renderIncident(model, post, view)) : null
      }
      case 'history': {
        const [first, last] = monthsOf(model)
        const month = query.get('month') ?? monthOf(model.asOf, model.timezone)
        if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) || month < first || month > last) return null
        return html(month, () => renderHistory(model, month, view))
      }
      case 'json':
        return other('application/json; charset=utf-8', () => JSON.stringify(jsonOf(placed, target.document)))
      case 'atom':
      case 'rss':
        return withHtml(
          page,
          `${key} ${target.kind}`,
          document(`application/${target.kind}+xml; charset=utf-8`, () =>
            feedOf(placed, view.language, target.kind === 'atom' ? 'atom' : 'rss'),
          ),
        )
      case 'calendar':
        return other('text/calendar; charset=utf-8', () => calendarOf(placed, view.language))
      case 'badge':
        return other('image/svg+xml', () => badgeOf(model.status, view.language))
      case 'subscribe':
        return model.hasSubscriptions ? html('subscribe', () => renderSubscribe(model, view, emptyForm)) : null
      case 'access':
      case 'picture':
        return null
    }
  }

  /** The form by which a visitor who may read a page subscribes to it. */
  async #subscribe(asked: Asked): Promise<void> {
    const { request, response, page, slug, query, ip } = asked
    const { model } = page
    const form = await readForm(request, longestSubscription)
    if (form === null) return refuseLong(response)
    const values = subscriptionValues(form)
    const decline = (problem: SubscriptionProblem, headers?: readonly string[]) =>
      this.#sendDeclined(asked, values, problem, headers)
    const { subscribe } = this.#options
    if (!subscribe) return decline('unavailable')
    const wish = wishOf(values, model)
    if (typeof wish === 'string') return decline(wish)
    const view = this.#viewOf(asked)
    try {
      // who may read a page with a password has shown it, or has signed in; other pages are judged by the address
      const isAdmitted = model.access.mode === 'password' || model.access.mode === 'sso'
      const asking = { ...wish, locale: view.language, ip, isAdmitted }
      await Promise.race([subscribe(slug, asking), late(storedWithinMs)])
    } catch (error) {
      const problem = problemOf(error, values)
      if (problem === null) return this.#sendMissing(request, response, query)
      if (problem === 'unavailable') this.#options.log.warn({ err: error }, 'status page subscription failure')
      const wait = error instanceof Refusal ? error.headers['Retry-After'] : undefined
      return decline(problem, wait === undefined ? [] : ['Retry-After', wait])
    }
    return send(readyHtml(renderSubscribed(model, view), privateCaching), request, response, this.#hsts)
  }

  #sendDeclined(
    asked: Asked,
    values: SubscriptionValues,
    problem: SubscriptionProblem,
    headers: readonly string[] = [],
  ): void | Promise<void> {
    const document = renderSubscribe(asked.page.model, this.#viewOf(asked), { values, problem })
    const status = problem === 'slow' ? 429 : problem === 'unavailable' ? 503 : 422
    const more = [...this.#hsts, ...headers]
    return send(readyHtml(document, privateCaching, status), asked.request, asked.response, more)
  }

  /** A visitor who has not shown that it may read the page is given nothing of it, not its name. */
  #refuse(asked: Asked): void | Promise<void> {
    const { request, response, page, target, query, base } = asked
    const { access } = page.model
    const { mode } = access
    if (mode === 'ip' || mode === 'public') return this.#sendMissing(request, response, query)
    const isPage = ['page', 'incident', 'history', 'subscribe'].includes(target.kind)
    if (isPage && mode === 'sso') return this.#sendSignIn(asked, access.isOpen ? null : 'off')
    if (isPage && mode !== 'sso') return this.#sendGate(mode, request, response, query, base, null)
    const text = JSON.stringify({ message: 'Unauthenticated.' })
    const type = 'application/json; charset=utf-8'
    return send(readyDocument({ status: 401, type, text, caching: privateCaching }), request, response, this.#hsts)
  }

  #sendGate(
    mode: 'password' | 'email_domain',
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    base: string,
    problem: GateProblem | null,
  ): void | Promise<void> {
    const language = ownLanguage(query.get('lang'), request.headers['accept-language'])
    const gate = renderGate(mode, { language, base }, problem)
    const status = problem === 'slow' ? 429 : problem === 'sent' ? 200 : problem === 'unavailable' ? 503 : 401
    return send(readyHtml(gate, privateCaching, status), request, response, this.#hsts)
  }

  #sendSignIn({ request, response, query, base }: Asked, problem: SignInProblem | null): void | Promise<void> {
    const language = ownLanguage(query.get('lang'), request.headers['accept-language'])
    const status = problem === 'slow' ? 429 : problem === 'unavailable' ? 503 : 401
    const gate = renderSignIn({ language, base }, problem)
    return send(readyHtml(gate, privateCaching, status), request, response, this.#hsts)
  }

  /** Begins a sign-in at the provider of the team, and takes the ticket that it ends with. */
  async #enterBySso(asked: Asked, access: Extract<PageAccess, { mode: 'sso' }>): Promise<void> {
    const { request, response, page, query } = asked
    const gate = (problem: SignInProblem | null) => this.#sendSignIn(asked, problem)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response, 'GET, HEAD')
    if (!access.isOpen) return gate('off')
    const ticket = query.get('ticket')
    const isAsking = ticket !== null || query.has('sign-in')
    if (!isAsking || request.method === 'HEAD')
      return gate(visitRefusals.find(refusal => refusal === query.get('refused')) ?? null)
    const { signIn } = this.#options
    if (!signIn) return gate('unavailable')
    if (await this.#isSlow(asked, attempts.ofAddress, attempts.ofPage)) return gate('slow')
    try {
      if (ticket !== null) {
        const isTaken = await Promise.race([signIn.take(page.model, ticket), late(storedWithinMs)])
        return isTaken ? this.#open(asked, access) : gate('again')
      }
      const { location, cookie } = await Promise.race([this.#beginSignIn(asked, signIn), late(begunWithinMs)])
      return this.#redirect(response, location, cookie)
    } catch (error) {
      if (error instanceof SsoFailure) return gate(visitRefusalOf(error.outcome))
      this.#options.log.warn({ err: error }, 'status page sign-in failure')
      return gate('unavailable')
    }
  }

  /** On a domain of the page itself no provider answers: a sign-in begins where the team is, and leads back. */
  async #beginSignIn(
    { request, page: { model }, slug, base, query, portal }: Asked,
    signIn: PageSignIn,
  ): Promise<{ location: string; cookie?: string }> {
    const { baseUrl, isDomainOf } = this.#options
    const asked = request.headers.host ?? ''
    const lang = query.get('lang')
    const named: Record<string, string> = isLanguage(lang) ? { lang } : {}
    if (base === '') {
      const search = new URLSearchParams({ 'sign-in': '', at: hostOf(asked), ...named })
      return { location: `${await signIn.originOf(model)}/status/${slug}/access?${search}` }
    }
    const at = hostOf(query.get('at') ?? '')
    const home = isDomainOf?.(slug, at)
      ? portalOrigin(baseUrl, at)
      : (portal === undefined ? baseUrl : portalOrigin(baseUrl, hostOf(asked))) + base
    return signIn.begin(model, {
      host: asked,
      cookies: request.headers.cookie,
      requestId: randomUUID(),
      returnTo: `${home}/access?${new URLSearchParams(named)}`,
    })
  }

  async #isSlow({ page, ip }: Asked, ofAddress: number, ofPage: number): Promise<boolean> {
    const { rate, nowMs } = this.#options
    const counts = [
      await rate.count(`status-page:ip:${rateKeyOfIp(ip)}`, ofAddress, nowMs()),
      await rate.count(`status-page:page:${page.model.id}`, ofPage, nowMs()),
    ]
    return counts.some(({ isRefused }) => isRefused)
  }

  /** The form of a private page, and the link of its mail. */
  async #enter(asked: Asked): Promise<void> {
    const { request, response, page, query, base } = asked
    const { access } = page.model
    if (access.mode === 'public' || access.mode === 'ip') return this.#redirect(response, `${base}/`)
    if (access.mode === 'sso') return this.#enterBySso(asked, access)
    const gate = (problem: GateProblem | null) => this.#sendGate(access.mode, request, response, query, base, problem)
    const nowMs = this.#options.nowMs()
    if (request.method === 'GET' || request.method === 'HEAD') {
      const token = query.get('token')
      if (access.mode !== 'email_domain' || token === null) return gate(null)
      return isLinkToken(access.key, token, nowMs) ? this.#open(asked, access) : gate('expired')
    }
    if (request.method !== 'POST') return refuseMethod(response, 'GET, HEAD, POST')
    const form = await readForm(request, longestForm)
    if (form === null) return refuseLong(response)
    const isMail = access.mode === 'email_domain'
    const [ofAddress, ofPage] = isMail
      ? [attempts.mailsOfAddress, attempts.mailsOfPage]
      : [attempts.ofAddress, attempts.ofPage]
    if (await this.#isSlow(asked, ofAddress, ofPage)) return gate('slow')
    if (access.mode === 'password') {
      const given = form.get('password') ?? ''
      const isRight = given.length <= 200 && (await isPassword(access.hash, given))
      return isRight ? this.#open(asked, access) : gate('wrong')
    }
    const { mailLink } = this.#options
    if (!mailLink) return gate('unavailable')
    const email = (form.get('email') ?? '').trim()
    // the answer is the same for every address: it reveals no domain
    if (emailShape.test(email) && isOfDomain(email, access.domains)) {
      const { token, expiresAt } = linkTokenOf(access.key, nowMs)
      const url = `${addressOf(page.model, this.#viewOf(asked))}/access?token=${token}`
      const { language } = languageFor(page.model, query.get('lang'), request.headers['accept-language'])
      try {
        await Promise.race([mailLink(page.model, { email, language, url, expiresAt }), late(storedWithinMs)])
      } catch (error) {
        this.#options.log.warn({ err: error }, 'status page link mail failure')
        return gate('unavailable')
      }
    }
    return gate('sent')
  }

  #open({ response, base, query }: Asked, access: KeyedAccess): void {
    const isSecure = this.#options.baseUrl.startsWith('https:')
    const cookie = cookieOf(access, { base, isSecure }, this.#options.nowMs())
    const lang = query.get('lang')
    this.#redirect(response, `${base || '/'}${isLanguage(lang) ? `?lang=${lang}` : ''}`, cookie)
  }

  #redirect(response: ServerResponse, to: string, cookie?: string): void {
    response
      .writeHead(303, {
        Location: to,
        'Cache-Control': privateCaching,
        'Content-Length': '0',
        'Referrer-Policy': 'no-referrer',
        ...(cookie !== undefined && { 'Set-Cookie': cookie }),
      })
      .end()
  }

  #sendMissing(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void | Promise<void> {
    return this.#sendPlain('missing', 404, renderMissing, request, response, query)
  }

  #sendAway(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void | Promise<void> {
    return this.#sendPlain('away', 503, renderAway, request, response, query)
  }

  #sendPlain(
    name: string,
    status: number,
    render: (language: Language) => Document,
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): void | Promise<void> {
    const language = ownLanguage(query.get('lang'), request.headers['accept-language'])
    const key = `${name} ${language}`
    const document =
      this.#plain.get(key) ?? readyHtml(render(language), status === 404 ? 'public, max-age=15' : 'no-store', status)
    this.#plain.set(key, document)
    return send(document, request, response, this.#hsts)
  }
}

/** Widgets on other sites may read what is public. */
const shared = { 'Access-Control-Allow-Origin': '*' }

const emailShape = /^[^\s@<>",;:\\()[\]]{1,64}@[a-z\d.-]{3,189}$/i

const readyHtml = ({ html, etag, contentSecurityPolicy }: Document, caching: string, status = 200): ReadyDocument =>
  readyDocument({
    status,
    type: 'text/html; charset=utf-8',
    text: html,
    etag,
    caching,
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
  })

/** A document with texts of people, which are made to HTML before. */
const withHtml = (page: CachedPage, key: string, make: () => ReadyDocument): ReadyDocument | Promise<ReadyDocument> =>
  documentOf<ReadyDocument | Promise<ReadyDocument>>(page, key, async () => {
    try {
      await makeHtmlOf(page.model)
      const made = make()
      page.documents.set(key, made)
      return made
    } catch (error) {
      page.documents.delete(key)
      throw error
    }
  })

/** In lower case and without a port. */
const hostOf = (header: string) => header.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

async function late(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false })
  throw new Error(`not done in ${ms} ms`)
}

function refuseLong(response: ServerResponse): void {
  response.writeHead(413, { Connection: 'close', 'Content-Length': '0' }).end()
}

/** The fields of a form; null: it has more bytes than `most`. */
async function readForm(request: IncomingMessage, most: number): Promise<URLSearchParams | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    parts.push(part)
    bytes += part.length
    if (bytes > most) return null
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

function refuseMethod(response: ServerResponse, allow: string): void {
  response.writeHead(405, { Allow: allow, 'Content-Length': '0' }).end()
}
