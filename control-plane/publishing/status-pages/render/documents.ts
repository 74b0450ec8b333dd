import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Liquid, type Template } from 'liquidjs'
import { dayText, duration, moment } from '#contract/figures.ts'
import type { Impact } from '#contract/status-page.ts'
import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { overallSentence } from '#control-plane/publishing/status-pages/rollup.ts'
import { type Language, languages, nameOf as nameOfLanguage } from '#locales/languages.ts'
import { counted, fill, type StatusPageTexts, texts } from '#locales/texts.ts'
import { historyOf, responseOf } from './component-view.ts'
import { htmlOfMarkdown } from './markdown.ts'
import {
  type PageBrand,
  type PageGroup,
  type PageMaintenance,
  type PageModel,
  type PagePost,
  unknownIn,
} from './model.ts'
import type { SignInProblem } from './problems.ts'
import { pageScript } from './script.ts'
import { styleOf } from './style.ts'

export interface View {
  language: Language
  /** The language was named in the address: links inside the page keep it. */
  isForced: boolean
  /** What the paths of the page begin with: `/status/acme`, or nothing on a domain of its own. */
  base: string
  /** The origin that was asked, of a domain of the page or of a portal; without it, that of the installation. */
  origin?: string | undefined
  /** When the stores were last read, if that is too long ago to be called current. */
  staleSince: number | null
  /** For the editor: shown in a frame of our own pages, without the script that refreshes it. */
  isPreview?: boolean
}

export interface Document {
  html: string
  /** Strong within one encoding; a proxy may compress the document. */
  etag: string
  contentSecurityPolicy: string
}

const engine = new Liquid({
  outputEscape: 'escape',
  strictFilters: true,
  ownPropertyOnly: true,
  memoryLimit: 100_000_000,
})
export const read = (name: string): Template[] =>
  engine.parse(readFileSync(new URL(`./templates/${name}.liquid`, import.meta.url), 'utf8'))
const templates = {
  layout: read('layout'),
  page: read('page'),
  incident: read('incident'),
  history: read('history'),
  gate: read('gate'),
}

const dayMs = 86_400_000
/** How long past incidents stay on the page itself. */
const pastDays = 14
const mostPast = 10
/** Updates of one incident on the page itself; all are on its own. */
const mostUpdates = 5

export const classOfStatus: Record<ComponentStatus, string> = {
  operational: 'ok',
  degraded_performance: 'minor',
  partial_outage: 'minor',
  major_outage: 'major',
  maintenance: 'maint',
  no_data: 'none',
}
const classOfImpact: Record<Impact, string> = { none: 'none', minor: 'minor', major: 'major', critical: 'major' }

/** The page itself. */
export function renderPage(model: PageModel, view: View): Document {
  const said = texts('status-pages', view.language)
  const own = model.texts[view.language]
  const active = model.posts.filter(post => post.phase !== 'resolved')
  const past = model.posts.filter(
    post => post.phase === 'resolved' && (post.resolvedAt ?? post.startedAt) > model.asOf - pastDays * dayMs,
  )
  const over = (model.pastMaintenance ?? []).filter(({ endsAt }) => endsAt > model.asOf - pastDays * dayMs)
  const running = model.maintenance.filter(({ isRunning }) => isRunning)
  const upcoming = model.maintenance.filter(({ isRunning }) => !isRunning)
  const maintenances = [
    { id: 'running', isFirst: true, title: said.runningMaintenance, from: running },
    { id: 'upcoming', isFirst: false, title: said.upcomingMaintenance, from: upcoming },
  ].filter(({ from }) => from.length > 0)
  const headline = overallSentence(model.status, view.language, unknownIn(model))
  const body = render(templates.page, {
    said,
    status: { class: classOfStatus[model.status] },
    headline,
    lead: own?.description ?? model.description,
    announcement: own?.announcement,
    stale: staleText(model, view),
    active: active.map(post => viewPost(post, model, view, mostUpdates)),
    measured: measuredOf(model, said, view.language),
    past: pastOf(past, over, model, view, 0).slice(0, mostPast),
    maintenances: maintenances.map(list => ({
      ...list,
      windows: list.from.map(window => viewMaintenance(window, model, view)),
    })),
    groups: model.groups
      .filter(({ components }) => components.length > 0)
      .map((group, index) => viewGroup(group, index, model, view)),
    calendar: pathTo(view, '/maintenance.ics'),
    history: pathTo(view, '/history'),
  })
  return documentOf(model, view, { title: `${headline} · ${nameOf(model, view)}`, body, path: '', isRefreshed: true })
}

/** On how many of the last days an interruption was measured, as far as the page shows days. */
function measuredOf({ groups, dates }: PageModel, said: StatusPageTexts, language: Language): string {
  const histories = groups.flatMap(({ components }) => components.flatMap(({ days }) => (days === null ? [] : [days])))
  const recent = dates.map((_, index) => index).slice(-pastDays)
  const n = recent.filter(index => histories.some(days => (days[index]?.downMs ?? 0) > 0)).length
  return n === 0 ? '' : counted(said, 'measured', n, language)
}

/** The page of one incident. */
export function renderIncident(model: PageModel, post: PagePost, view: View): Document {
  const body = render(templates.incident, {
    said: texts('status-pages', view.language),
    stale: staleText(model, view),
    post: viewPost(post, model, view, Number.POSITIVE_INFINITY),
    home: pathTo(view, ''),
  })
  const title = `${post.title} · ${nameOf(model, view)}`
  return documentOf(model, view, {
    title,
    heading: post.title,
    body,
    path: `/incidents/${post.id}`,
    isRefreshed: true,
  })
}

/** The incidents and the completed maintenance that began in a month, `2026-11`, of the time zone of the page. */
export function renderHistory(model: PageModel, month: string, view: View): Document {
  const said = texts('status-pages', view.language)
  const isOfMonth = (ms: number) => monthOf(ms, model.timezone) === month
  const posts = model.posts.filter(({ startedAt }) => isOfMonth(startedAt))
  const over = (model.pastMaintenance ?? []).filter(({ startsAt }) => isOfMonth(startsAt))
  const heading = fill(said.historyOf, { month: dayText(month, view.language, 'month') })
  const [first, last] = monthsOf(model)
  const body = render(templates.history, {
    said,
    heading,
    stale: staleText(model, view),
    posts: pastOf(posts, over, model, view, 1),
    earlier: month > first ? pathTo(view, '/history', { month: nextMonth(month, -1) }) : null,
    later: month < last ? pathTo(view, '/history', { month: nextMonth(month, 1) }) : null,
    home: pathTo(view, ''),
  })
  return documentOf(model, view, {
    title: `${heading} · ${nameOf(model, view)}`,
    heading,
    body,
    path: '/history',
    isRefreshed: false,
  })
}

/** The first and the last month that the history has. */
export function monthsOf({ asOf, timezone, historyDays }: PageModel): [first: string, last: string] {
  return [monthOf(asOf - Math.max(historyDays, 31) * dayMs, timezone), monthOf(asOf, timezone)]
}

const monthFormats = new Map<string, Intl.DateTimeFormat>()
export function monthOf(ms: number, timezone: string): string {
  const format =
    monthFormats.get(timezone) ??
    new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone: timezone })
  monthFormats.set(timezone, format)
  return format.format(ms).slice(0, 7)
}

export function nextMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** What visitors see before they have shown that they may read a page. It names neither the page nor the team. */
export type GateProblem = 'wrong' | 'sent' | 'expired' | 'slow' | 'unavailable'

export function renderGate(
  mode: 'password' | 'email_domain',
  view: Pick<View, 'language' | 'base'>,
  problem: GateProblem | null = null,
): Document {
  const { gate } = texts('status-pages', view.language)
  const field = {
    password: { name: 'password', label: gate.passwordLabel, button: gate.passwordButton, autocomplete: 'off' },
    email_domain: { name: 'email', label: gate.emailLabel, button: gate.emailButton, autocomplete: 'email' },
  }[mode]
  const body = render(templates.gate, {
    heading: gate.title,
    text: { password: gate.password, email_domain: gate.email }[mode],
    problem: problem && gate[problem],
    field,
    action: `${view.base}/access?lang=${view.language}`,
  })
  return plainDocument(gate.title, body, view.language)
}

/** What visitors see before they have signed in at the provider of the team. While no one can, there is no link to it. */
export function renderSignIn(view: Pick<View, 'language' | 'base'>, problem: SignInProblem | null = null): Document {
  const { title, sso } = texts('status-pages', view.language).gate
  const body = render(templates.gate, {
    heading: title,
    text: problem === 'off' ? sso.problems.off : sso.text,
    problem: problem && problem !== 'off' && sso.problems[problem],
    link: problem === 'off' ? null : { label: sso.button, href: `${view.base}/access?sign-in&lang=${view.language}` },
  })
  return plainDocument(title, body, view.language)
}

/** An unknown page and one that is not published are answered alike. */
export const renderMissing = (language: Language): Document =>
  renderMessage(texts('status-pages', language).missing, language)

/** The stores are unavailable, and this page was never read. */
export const renderAway = (language: Language): Document =>
  renderMessage(texts('status-pages', language).away, language)

const renderMessage = ({ title, text }: { title: string; text: string }, language: Language) =>
  plainDocument(title, render(templates.gate, { heading: title, text }), language)

/** Texts of people are escaped: the form, and the link in the form of a button, are ours. */
const hasForm = (body: string) => body.includes('<form ') || body.includes('class="go"')

function plainDocument(title: string, body: string, language: Language): Document {
  const style = styleOf({ brand: { color: '#1f6feb' }, theme: 'auto' }, { hasForm: hasForm(body) })
  return framed(
    render(templates.layout, {
      said: texts('status-pages', language),
      language,
      title,
      body,
      style,
      noindex: true,
      description: '',
    }),
    { style, script: null, images: [], framedBy: "'none'" },
  )
}

interface OwnContent {
  language: Language
  title: string
  name: string
  home: string
  canonical: string
  tongues: readonly { language: Language; name: string; href: string; isCurrent: boolean }[]
}

/** A document that belongs to no page, which search engines may list. */
export function documentOfOurs(body: string, { language, ...content }: OwnContent): Document {
  const style = styleOf({ brand: { color: '#1f6feb' }, theme: 'auto' }, { hasForm: false })
  return framed(
    render(templates.layout, {
      said: texts('status-pages', language),
      language,
      ...content,
      body,
      style,
      description: '',
    }),
    { style, script: null, images: [], framedBy: "'none'" },
  )
}

interface Content {
  title: string
  /** What networks of people show in place of the name of the page. */
  heading?: string
  body: string
  path: string
  isRefreshed: boolean
}

const tagPlace = '{tag}'

/** A document of a page, with its name, links and style around `body`. `path` is below the page. */
export function documentOf(
  model: PageModel,
  view: View,
  { title, heading, body, path, isRefreshed }: Content,
): Document {
  const said = texts('status-pages', view.language)
  const { brand } = model
  const style = styleOf(model, { hasForm: hasForm(body) })
  const script = isRefreshed && !view.isPreview ? pageScript : null
  const images = {
    logo: webUrl(brand.logoUrl),
    logo_dark: webUrl(brand.logoUrlDark),
    favicon: webUrl(brand.faviconUrl),
  }
  if (model.theme === 'dark' && images.logo_dark) images.logo = images.logo_dark
  const html = render(templates.layout, {
    said,
    language: view.language,
    title,
    description: model.texts[view.language]?.description ?? model.description,
    noindex: model.noindex || model.access.mode !== 'public',
    canonical: addressOf(model, view) + path,
    graph: graphOf(model, view, heading ?? nameOf(model, view), path),
    feeds: model.access.mode === 'public' ? feedLinks(model, view) : [],
    ...images,
    logo_dark: model.theme === 'auto' ? images.logo_dark : null,
    style,
    script,
    tag_place: tagPlace,
    name: nameOf(model, view),
    home: pathTo(view, ''),
    header_links: [
      ...webLinks(model.headerLinks),
      ...(model.hasSubscriptions ? [{ label: said.subscribe, url: pathTo(view, '/subscribe') }] : []),
    ],
    footer_links: [...webLinks(model.footerLinks), ...brandLinks(brand, said)],
    tongues: languages
      .filter(language => model.locales.length > 1 && model.locales.includes(language))
      .map(language => ({
        language,
        name: nameOfLanguage(language),
        href: `${view.base}${path || (view.base === '' ? '/' : '')}?lang=${language}`,
        isCurrent: language === view.language,
      })),
    subscriptions: subscriptionsOf(model, view, said),
    lines: [
      ...(model.show.uptime ? [fill(said.formula, { version: model.uptimeFormula })] : []),
      ...(model.historyWaitsSince == null
        ? []
        : [
            fill(said.historyWaits, {
              time: moment(model.historyWaitsSince, { language: view.language, zone: model.timezone, style: 'full' }),
            }),
          ]),
      ...(model.texts[view.language]?.footer ? [model.texts[view.language]?.footer] : []),
      ...(brand.footerText === null ? [] : [brand.footerText]),
      ...(brand.hidesPoweredBy ? [] : [said.poweredBy]),
    ],
    body,
  })
  return framed(html, {
    style,
    script,
    images: Object.values(images).flatMap(url => (url === null ? [] : [url])),
    framedBy: view.isPreview ? "'self'" : "'none'",
  })
}

/**
 * The tag of a document is the hash of its content; the document names it, as scripts cannot read the headers of their
 * own page.
 */
function framed(
  html: string,
  {
    style,
    script,
    images,
    framedBy,
  }: {
    style: string
    script: string | null
    images: readonly string[]
    framedBy: "'self'" | "'none'"
  },
): Document {
  const etag = `W/"${hash('sha1', html, 'base64url')}"`
  const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
  const origins = [...new Set(images.map(url => new URL(url).origin))]
  return {
    html: html.replace(`data-tag="${tagPlace}"`, `data-tag="${etag.replaceAll('"', '&quot;')}"`),
    etag,
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      ...(script === null ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
      ...(origins.length === 0 ? [] : [`img-src ${origins.join(' ')}`]),
      "form-action 'self'",
      `frame-ancestors ${framedBy}`,
      "base-uri 'none'",
    ].join('; '),
  }
}

export const render = (template: Template[], scope: object): string => String(engine.renderSync(template, scope)).trim()

/** What the page is called in this language. */
export const nameOf = ({ name, texts }: PageModel, { language }: Pick<View, 'language'>) =>
  texts[language]?.name ?? name

const isoOf = (ms: number) => new Date(ms).toISOString()

/** A path of the page in the language of the reader. */
export function pathTo({ base, isForced, language }: View, path: string, query: Record<string, string> = {}): string {
  const asked = new URLSearchParams({ ...query, ...(isForced && { lang: language }) }).toString()
  return `${base}${path || (base === '' ? '/' : '')}${asked && `?${asked}`}`
}

const staleText = ({ timezone }: PageModel, { staleSince, language }: View) =>
  staleSince === null
    ? null
    : fill(texts('status-pages', language).stale, {
        time: moment(staleSince, { language, zone: timezone, style: 'full' }),
      })

function viewGroup(group: PageGroup, index: number, model: PageModel, view: View) {
  const said = texts('status-pages', view.language)
  const before = model.groups.slice(0, index).reduce((sum, { components }) => sum + components.length, 0)
  return {
    id: group.id === null ? null : `g-${index}`,
    name: group.name,
    heading: group.id === null ? 'h3' : 'h4',
    class: classOfStatus[group.status],
    status: said.status[group.status],
    isOpen: group.isOpen || (group.status !== 'operational' && group.status !== 'no_data'),
    components: group.components.map((component, place) => ({
      name: component.name,
      description: component.description,
      class: classOfStatus[component.status],
      status: said.status[component.status],
      response: responseOf(component, model, view.language, said),
      history: historyOf(component, model, view.language, said, `d${before + place}`),
    })),
  }
}

function viewPost(post: PagePost, { timezone }: PageModel, view: View, updates: number) {
  const said = texts('status-pages', view.language)
  const { language } = view
  return {
    title: post.title,
    href: pathTo(view, `/incidents/${post.id}`),
    class: post.phase === 'resolved' ? 'ok' : classOfImpact[post.impact],
    phase: said.phase[post.phase],
    impact: said.impact[post.impact],
    affected: post.components.map(({ name }) => name).join(', '),
    iso: isoOf(post.startedAt),
    time: moment(post.startedAt, { language, zone: timezone, style: 'full' }),
    isAhead: post.phase !== (post.updates[0]?.phase ?? post.phase),
    ended:
      post.resolvedAt === null
        ? said.phase[post.phase]
        : fill(said.resolvedAfter, { duration: duration(post.resolvedAt - post.startedAt, language) }),
    postmortem: updates > mostUpdates && post.postmortem !== null ? htmlOfMarkdown(post.postmortem) : null,
    updates: post.updates.slice(0, updates).map(({ phase, at, body }) => ({
      phase: said.phase[phase],
      iso: isoOf(at),
      time: moment(at, { language, zone: timezone, style: 'full' }),
      html: htmlOfMarkdown(body),
    })),
  }
}

/** Incidents and completed maintenance, the one that began last first. */
const pastOf = (
  posts: readonly PagePost[],
  over: readonly PageMaintenance[],
  model: PageModel,
  view: View,
  updates: number,
) =>
  [
    ...posts.map(post => ({ at: post.startedAt, ...viewPost(post, model, view, updates) })),
    ...over.map(window => ({ at: window.startsAt, ...viewCompleted(window, model, view) })),
  ].toSorted((one, other) => other.at - one.at)

/** Maintenance in a list of past incidents. It has no page of its own. */
function viewCompleted(window: PageMaintenance, model: PageModel, view: View) {
  const { title, startsIso, starts, affected, html } = viewMaintenance(window, model, view)
  const said = texts('status-pages', view.language)
  const lasted = fill(said.completedAfter, { duration: duration(window.endsAt - window.startsAt, view.language) })
  return {
    class: 'maint',
    href: null,
    title,
    iso: startsIso,
    time: starts,
    ended: affected === '' ? lasted : `${lasted} · ${said.affected}: ${affected}`,
    updates: [{ html }],
  }
}

const viewMaintenance = (window: PageMaintenance, { timezone }: PageModel, { language }: View) => ({
  title: window.title,
  startsIso: isoOf(window.startsAt),
  starts: moment(window.startsAt, { language, zone: timezone, style: 'full' }),
  endsIso: isoOf(window.endsAt),
  ends: moment(window.endsAt, { language, zone: timezone, style: 'full' }),
  affected: window.components.map(({ name }) => name).join(', '),
  html: htmlOfMarkdown(window.description),
})

/** What networks of people show of a link to a page (Open Graph). Their readers open pictures of public pages alone. */
/** The address of the page at the host that was asked: on a domain of a team or a reseller no other is named. */
export const addressOf = (model: PageModel, view: Pick<View, 'base' | 'origin'>): string =>
  view.origin === undefined ? model.url : view.origin + view.base

function graphOf(model: PageModel, view: View, title: string, path: string) {
  const address = addressOf(model, view)
  return {
    title,
    text: overallSentence(model.status, view.language, unknownIn(model)),
    url: address + path,
    site: model.brand.name,
    image: model.access.mode === 'public' ? `${address}/og.png?lang=${view.language}` : null,
  }
}

const feedLinks = (model: PageModel, view: View) => [
  { type: 'application/atom+xml', href: `${view.base}/feed.atom`, title: nameOf(model, view) },
  { type: 'application/rss+xml', href: `${view.base}/feed.rss`, title: nameOf(model, view) },
]

function subscriptionsOf({ access, hasSubscriptions }: PageModel, view: View, said: StatusPageTexts) {
  const form = hasSubscriptions ? [{ label: said.byMail, url: pathTo(view, '/subscribe') }] : []
  // programs that read feeds cannot show that they may read a private page
  if (access.mode !== 'public') return form
  return [
    ...form,
    { label: 'Atom', url: `${view.base}/feed.atom` },
    { label: 'RSS', url: `${view.base}/feed.rss` },
    { label: 'JSON', url: `${view.base}/summary.json` },
    { label: said.calendar, url: `${view.base}/maintenance.ics` },
  ]
}

const brandLinks = ({ imprintUrl, privacyUrl, supportUrl }: PageBrand, said: StatusPageTexts) =>
  webLinks(
    [
      { label: said.imprint, url: imprintUrl },
      { label: said.privacy, url: privacyUrl },
      { label: said.support, url: supportUrl },
    ].flatMap(({ label, url }) => (url === null ? [] : [{ label, url }])),
  )

/** An address that a page may link to or load; others are left out. */
function webUrl(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null
}

const linkSchemes = /^(?:https?|mailto):$/
const webLinks = (links: readonly { label: string; url: string }[]) =>
  links.flatMap(({ label, url }) => {
    const parsed = URL.parse(url)
    return parsed && linkSchemes.test(parsed.protocol) ? [{ label, url: parsed.href }] : []
  })
