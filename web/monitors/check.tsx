import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusPill } from '../parts/status-pill.tsx'
import { Ago } from '../parts/time.tsx'
import { type Check, type CheckType, checksQuery } from './queries.ts'

type View = ComponentType<{ check: Check }>

/** A view of a module of its own, which is loaded when it is shown. */
const view = <Name extends string>(load: () => Promise<Record<Name, View>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const runs = view(() => import('./views/runs.tsx'), 'RunsView')
const crawl = () => import('./views/crawl.tsx')
const connections = () => import('./views/connections.tsx')

/** The kinds with a view of their own; the others show their newest runs. */
const views: Partial<Record<CheckType, View>> = {
  ssl: view(() => import('./views/certificate.tsx'), 'CertificateView'),
  dns: view(() => import('./views/dns.tsx'), 'DnsView'),
  domain_expiry: view(() => import('./views/domain.tsx'), 'DomainView'),
  security_headers: view(() => import('./views/headers.tsx'), 'HeadersView'),
  redirect_chain: view(() => import('./views/redirects.tsx'), 'RedirectsView'),
  lighthouse: view(() => import('./views/lighthouse.tsx'), 'LighthouseView'),
  dnsbl: view(() => import('./views/block-lists.tsx'), 'BlockListsView'),
  robots_txt: view(() => import('./views/robots.tsx'), 'RobotsView'),
  sitemap: view(() => import('./views/sitemap.tsx'), 'SitemapView'),
  crawl: view(crawl, 'CrawlView'),
  broken_links: view(crawl, 'LinksView'),
  mixed_content: view(crawl, 'MixedContentView'),
  ping: view(connections, 'PingView'),
  tcp: view(connections, 'TcpView'),
  application_health: view(connections, 'HealthView'),
}

/** One check: what its newest runs yielded, in the view of its kind. */
export function CheckPage() {
  const { t } = useTranslation(['monitors', 'check-views'])
  const { monitor, check: id } = useParams({ from: '/app/app/monitors/$monitor/checks/$check' })
  const { data: checks } = useSuspenseQuery(checksQuery(monitor))
  const check = checks.find(each => each.id === id)
  const back = (
    <Link to="/app/monitors/$monitor/checks" params={{ monitor }}>
      {t('all', { ns: 'check-views' })}
    </Link>
  )
  if (!check)
    return (
      <p>
        {t('gone', { ns: 'check-views' })} {back}
      </p>
    )
  const Found = views[check.type] ?? runs
  return (
    <section className="card">
      <p>{back}</p>
      <h2>{t(`kind.${check.type}`)}</h2>
      <p>
        <StatusPill status={check.is_enabled ? check.status : 'paused'} />{' '}
        {check.latest_run_at !== null && <Ago at={check.latest_run_at} />}
      </p>
      <p>{check.latest_summary ?? t(`why.${check.type}`)}</p>
      <Suspense fallback={<p className="loading" />}>
        <Found check={check} />
      </Suspense>
    </section>
  )
}
