import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../../contract/figures.ts'
import type { Schemas } from '../../api.ts'
import { HistoryNote } from '../../parts/history-note.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { type Check, resultsQuery } from '../queries.ts'

type Result = Schemas['CheckResult']

const shown = 30

/** The newest runs of a check with their phases: the view of kinds whose result is an answer, and nothing more. */
export function RunsView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation(['check-views', 'monitors'])
  const { data: results, meta } = useSuspenseQuery(resultsQuery(check.id, shown)).data
  const note = <HistoryNote since={meta.history_waits_since} />
  if (results.length === 0)
    return (
      <>
        <p>{t('none')}</p>
        {note}
      </>
    )
  const ms = (value: number | null) => milliseconds(value, i18n.language)
  const hasPhases = results.some(({ phases }) => phases.total !== null)
  return (
    <>
      <Table
        caption={t('runs.caption')}
        isCaptionShown
        rows={results}
        keyOf={({ region, at, attempt }) => `${region} ${at} ${attempt}`}
        columns={[
          { id: 'at', header: t('runs.at'), cell: ({ at }) => <Moment at={at} /> },
          { id: 'region', header: t('region'), cell: ({ region }) => region },
          {
            id: 'result',
            header: t('runs.result'),
            cell: ({ result, summary, excerpt }) => (
              <>
                <span className={`result ${result}`}>{t(`result.${result}`, { ns: 'monitors' })}</span>
                {summary !== null && <small>{summary}</small>}
                {excerpt !== null && (
                  <details>
                    <summary>{t('runs.excerpt')}</summary>
                    <pre>{excerpt}</pre>
                  </details>
                )}
              </>
            ),
          },
          ...(hasPhases
            ? [
                {
                  id: 'status',
                  header: t('httpStatus'),
                  isNumeric: true,
                  cell: (row: Result) => row.http_status ?? '–',
                },
                { id: 'dns', header: t('runs.dns'), isNumeric: true, cell: (row: Result) => ms(row.phases.dns) },
                {
                  id: 'tcp',
                  header: t('runs.connect'),
                  isNumeric: true,
                  cell: (row: Result) => ms(row.phases.connect),
                },
                { id: 'tls', header: t('runs.tls'), isNumeric: true, cell: (row: Result) => ms(row.phases.tls) },
                {
                  id: 'byte',
                  header: t('runs.firstByte'),
                  isNumeric: true,
                  cell: (row: Result) => ms(row.phases.first_byte),
                },
              ]
            : []),
          { id: 'total', header: t('runs.response'), isNumeric: true, cell: row => ms(row.response_ms) },
        ]}
      />
      {note}
    </>
  )
}
