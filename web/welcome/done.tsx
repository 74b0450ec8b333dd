import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { type Monitor, monitorQuery } from '../monitors/queries.ts'
import { infoQuery } from '../ops/queries.ts'
import { Button } from '../parts/button.tsx'
import { CopyText } from '../parts/copy-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { usePerson } from '../shell/session.ts'
import { languageOfTag } from '../words.ts'

/** The command where the service runs, with its data folder; `npm start` alone serves the sample sites. */
function DemoCommand({ label }: { label: string }) {
  const { data: info } = useQuery(infoQuery)
  if (!info) return null
  const { data_folder: folder } = info.data.configuration
  const quoted = folder !== null && /[^\w./-]/.test(folder) ? `'${folder.replaceAll("'", `'\\''`)}'` : folder
  return <CopyText text={`node cli/vedette.js demo${quoted === null ? '' : ` --data ${quoted}`}`} label={label} />
}

/** What there is now, and the ways on. */
export function Done({ monitor: id }: { monitor: string | undefined }) {
  const { t } = useTranslation('welcome')
  const { isOperator } = usePerson()
  const { data: monitor } = useQuery({ ...monitorQuery(id ?? ''), enabled: id !== undefined })
  return (
    <>
      <PageHead title={t('done.title')} subtitle={<p>{t('done.says')}</p>} />
      {monitor && <Made monitor={monitor} />}
      <section className="card">
        <h2>{t('done.ways')}</h2>
        <ul className="welcome-ways">
          <li>
            <Link to="/app/monitors/new">{t('done.way.monitors')}</Link>
            <p className="soft">{t('done.way.monitors.says')}</p>
          </li>
          <li>
            <Link to="/app/team">{t('done.way.team')}</Link>
            <p className="soft">{t('done.way.team.says')}</p>
          </li>
          <li>
            <Link to="/app/settings/tokens">{t('done.way.api')}</Link>
            <p className="soft">{t('done.way.api.says')}</p>
          </li>
          {isOperator ? (
            <li>
              <Link to="/ops/tenants">{t('done.way.reseller')}</Link>
              <p className="soft">{t('done.way.reseller.says')}</p>
              <DemoCommand label={t('done.way.reseller')} />
            </li>
          ) : (
            <li>
              <Link to="/app/heartbeats/new">{t('done.way.heartbeats')}</Link>
              <p className="soft">{t('done.way.heartbeats.says')}</p>
            </li>
          )}
        </ul>
      </section>
      <p>
        <Link className="button primary" to="/app">
          {t('done.overview')}
        </Link>
      </p>
    </>
  )
}

function Made({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('welcome')
  const badge = `/api/badges/${monitor.id}`
  return (
    <div className="welcome-made">
      <section className="card">
        <h2>{t('done.monitor')}</h2>
        <p className="row">
          <Link to="/app/monitors/$monitor" params={{ monitor: monitor.id }}>
            {monitor.name}
          </Link>
          <StatusPill status={monitor.status} />
        </p>
      </section>
      <section className="card">
        <h2>{t('done.badge')}</h2>
        <p>
          <img src={badge} alt={t('done.uptime')} height={20} />
        </p>
        <CopyText text={`![${t('done.uptime')}](${location.origin}${badge})`} label={t('done.badge')} />
      </section>
      <DraftPage monitor={monitor} />
    </div>
  )
}

/** A status page that nobody else sees: it is made with one component, the monitor. */
function DraftPage({ monitor: { id, name } }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation('welcome')
  const { timezone } = usePerson()
  const locale = languageOfTag(i18n.language)
  const create = useMutation({
    mutationFn: async () => {
      // an address that is free for certain; it can be changed before the page is published
      const slug = `status-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`
      const page = { name: t('done.page.name', { name }), slug, locale, locales: [locale], timezone }
      const { data } = await bodyOf(api.POST('/api/v1/status-pages', { body: page }))
      const path = { status_page: data.id }
      const body = { type: 'monitor', monitor_id: id, name } as const
      await bodyOf(api.POST('/api/v1/status-pages/{status_page}/components', { params: { path }, body }))
      return data
    },
  })
  return (
    <section className="card">
      <h2>{t('done.page')}</h2>
      <p>{create.data ? t('done.page.made', { name: create.data.name }) : t('done.page.says')}</p>
      <Failure error={create.error} />
      {!create.data && (
        <Button onPress={() => create.mutate()} isPending={create.isPending}>
          {t('done.page.create')}
        </Button>
      )}
    </section>
  )
}
