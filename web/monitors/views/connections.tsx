import { useTranslation } from 'react-i18next'
import { milliseconds, percent } from '../../../contract/figures.ts'
import { Pill } from '../../parts/status-pill.tsx'
import { Table } from '../../parts/table.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs, Verdict } from './parts.tsx'

const step = 18

/** The packets of a run: a full square was answered, an empty one was lost. */
export function PingView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const ms = (value: number | null) => milliseconds(value, i18n.language)
  return (
    <Newest kind="ping" check={check}>
      {seen => (
        <>
          <p>{t('ping.packets', { sent: seen.sent, received: seen.received })}</p>
          <svg className="packets" viewBox={`0 0 ${seen.sent * step} ${step}`} aria-hidden="true">
            {Array.from({ length: seen.sent }, (_, index) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: packets have no other name
                key={index}
                className={index < seen.received ? 'received' : 'lost'}
                x={index * step + 2}
                y="2"
                width={step - 4}
                height={step - 4}
              />
            ))}
          </svg>
          <Pairs
            of={[
              [t('ping.loss'), percent(seen.loss_percent, i18n.language)],
              [t('ping.min'), ms(seen.min_ms)],
              [t('ping.avg'), ms(seen.avg_ms)],
              [t('ping.max'), ms(seen.max_ms)],
            ]}
          />
        </>
      )}
    </Newest>
  )
}

/** What the port answered. */
export function TcpView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="tcp" check={check}>
      {({ matched, banner }) => (
        <>
          {matched !== null && <Verdict isGood={matched}>{t(matched ? 'tcp.matched' : 'tcp.notMatched')}</Verdict>}
          {banner === null ? <p>{t('tcp.silent')}</p> : <pre>{banner}</pre>}
        </>
      )}
    </Newest>
  )
}

const tones = { ok: 'up', warning: 'warning', failed: 'down', skipped: 'paused' } as const

/** The parts of an application as it reports them. */
export function HealthView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="application_health" check={check}>
      {seen => (
        <>
          <Pairs
            of={[
              [t('httpStatus'), seen.http_status],
              [t('health.form'), seen.form],
              [t('health.parts'), seen.total],
            ]}
          />
          <Table
            caption={t('health.parts')}
            rows={seen.checks}
            keyOf={({ name }) => name}
            columns={[
              { id: 'name', header: t('health.part'), cell: ({ name }) => name },
              {
                id: 'status',
                header: t('health.status'),
                cell: ({ status }) => <Pill tone={tones[status]}>{t(`health.${status}`)}</Pill>,
              },
              { id: 'message', header: t('health.message'), cell: ({ message }) => message },
            ]}
          />
        </>
      )}
    </Newest>
  )
}
