import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dayText, milliseconds, percent } from '../../contract/figures.ts'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, SwitchField } from '../parts/field.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Table } from '../parts/table.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { queries } from '../queries.ts'
import { profileQuery } from '../shared-queries.ts'
import { usePerson } from '../shell/session.ts'
import { languageOfTag } from '../words.ts'
import { Objectives } from './objectives.tsx'
import { monthsQuery, reportQuery } from './queries.ts'

/** How a month was: for people who want it on paper, by mail, or as an objective that was reached or not. */
export function Reports() {
  const { t, i18n } = useTranslation('reports')
  const { timezone } = usePerson()
  const { month: asked } = useSearch({ from: '/app/app/reports' })
  const navigate = useNavigate()
  const months = useSuspenseQuery(monthsQuery(timezone)).data.data
  const month = months.find(each => each.month === asked)?.month ?? months[0]?.month
  const nameOf = (name: string) => dayText(name, i18n.language, 'month')
  return (
    <div className="page">
      <PageHead title={t('title')} />
      {month === undefined ? (
        <EmptyState title={t('empty')} icon="chart">
          {t('empty.says')}
        </EmptyState>
      ) : (
        <>
          <div className="row">
            <SelectField
              label={t('month')}
              choices={months.map(each => ({ id: each.month, label: nameOf(each.month) }))}
              value={month}
              onChange={chosen => navigate({ to: '/app/reports', search: { month: chosen } })}
            />
            <PdfButton month={month} zone={timezone} />
          </div>
          <Month month={month} zone={timezone} />
        </>
      )}
      <Objectives />
      <ByMail />
    </div>
  )
}

/** Fetched rather than linked to: a link does not name the team that a reseller has stepped into. */
function PdfButton({ month, zone }: { month: string; zone: string }) {
  const { t, i18n } = useTranslation('reports')
  const language = languageOfTag(i18n.language)
  const fetchPdf = async () => {
    try {
      const file = await bodyOf(
        api.GET('/api/v1/monthly-report.pdf', {
          params: { query: { month, timezone: zone, language } },
          parseAs: 'blob',
        }),
      )
      const url = URL.createObjectURL(file as unknown as Blob)
      const link = document.createElement('a')
      link.href = url
      link.download = `report-${month}.pdf`
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  return (
    <Button icon="download" onPress={fetchPdf}>
      {t('pdf')}
    </Button>
  )
}

type Row = Schemas['MonthlyReport']['monitors'][number]

function Month({ month, zone }: { month: string; zone: string }) {
  const { t, i18n } = useTranslation('reports')
  const times = useTimes()
  const report = useQuery(reportQuery(month, zone)).data?.data
  const { language } = i18n
  const lasted = (seconds: number | null) => (seconds === null ? '–' : times.duration(seconds * 1_000))
  if (!report) return <div className="loading" />
  const figures = [
    [t('uptime'), percent(report.uptime_pct, language)],
    [t('before'), percent(report.before.uptime_pct, language)],
    [t('downtime'), lasted(report.downtime_s)],
    [t('incidents'), report.incidents_count],
    [t('monitors'), report.monitors_count],
  ] as const
  return (
    <section className="card">
      <h2>{t('table')}</h2>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Table<Row>
        caption={t('table')}
        rows={report.monitors}
        keyOf={row => row.monitor_id}
        columns={[
          {
            id: 'monitor',
            header: t('monitor'),
            cell: row => (row.is_removed ? t('monitor.removed', { name: row.monitor_name }) : row.monitor_name),
          },
          { id: 'uptime', header: t('uptime'), cell: row => percent(row.uptime_pct, language) },
          { id: 'before', header: t('before'), cell: row => percent(row.before.uptime_pct, language) },
          { id: 'downtime', header: t('downtime'), cell: row => lasted(row.downtime_s) },
          { id: 'incidents', header: t('incidents'), cell: row => row.incidents_count },
          { id: 'mttr', header: t('mttr'), cell: row => lasted(row.mttr_s) },
          { id: 'p95', header: t('p95'), cell: row => milliseconds(row.p95_response_ms, language) },
        ]}
      />
      {report.incidents.length > 0 && (
        <>
          <h3>{t('longest')}</h3>
          <Table
            caption={t('longest')}
            rows={report.incidents}
            keyOf={row => `${row.started_at} ${row.monitor_name} ${row.title}`}
            columns={[
              { id: 'title', header: t('incident'), cell: row => row.title },
              { id: 'monitor', header: t('monitor'), cell: row => row.monitor_name },
              { id: 'began', header: t('began'), cell: row => <Moment at={row.started_at} /> },
              { id: 'lasted', header: t('lasted'), cell: row => lasted(row.duration_s) },
            ]}
          />
        </>
      )}
      {report.imported && (
        <>
          <h3>{t('imported')}</h3>
          <p className="soft">{t('imported.says', { formula: report.imported.formula })}</p>
          <Table
            caption={t('imported')}
            rows={report.imported.monitors}
            keyOf={row => row.monitor_id}
            columns={[
              { id: 'monitor', header: t('monitor'), cell: row => row.monitor_name },
              { id: 'days', header: t('days'), cell: row => row.days_count },
              { id: 'uptime', header: t('uptime'), cell: row => percent(row.uptime_pct, language) },
              { id: 'downtime', header: t('downtime'), cell: row => lasted(row.downtime_s) },
              { id: 'incidents', header: t('incidents'), cell: row => row.incidents_count },
            ]}
          />
        </>
      )}
      {report.sent && (
        <p className="soft">
          {t('sent', { at: times.absolute(report.sent.at, 'long') })}{' '}
          {report.sent.now &&
            t('sent.now', {
              uptime: percent(report.sent.now.uptime_pct, language),
              downtime: lasted(report.sent.now.downtime_s),
              version: report.sent.now.formula_version,
            })}
        </p>
      )}
      <p className="soft">{t('formula', { version: report.formula_version, zone: report.timezone })}</p>
    </section>
  )
}

function ByMail() {
  const { t } = useTranslation('reports')
  const profile = useSuspenseQuery(profileQuery).data.data
  const put = async (isWanted: boolean) => {
    try {
      const saved = await bodyOf(api.PATCH('/api/v1/profile', { body: { monthly_report: isWanted } }))
      queries.setQueryData(profileQuery.queryKey, saved)
      toast.success(t('saved'))
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  return (
    <section className="card">
      <h2>{t('mail')}</h2>
      <p className="soft">{t('mail.says')}</p>
      <SwitchField
        label={t('mail.mine')}
        description={t('mail.to', { address: profile.email })}
        isSelected={profile.monthly_report}
        onChange={put}
      />
    </section>
  )
}
