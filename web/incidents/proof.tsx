import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Phase, waterfall } from '../../charts/waterfall.ts'
import { milliseconds } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Pill, type Status } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { type IncidentDetail, type Proof, usualQuery } from './queries.ts'

type RegionProof = Schemas['RegionProof']
type Usual = Schemas['MonitorPerformance']['regions'][number]
type Vote = 'failed' | 'ok' | 'silent' | 'excluded'

interface Row {
  region: string
  vote: Vote
  /** Why the region had no vote. */
  why: string | null
  proof: RegionProof | undefined
}

const tones: Record<Vote, Status> = { failed: 'down', ok: 'up', silent: 'unknown', excluded: 'paused' }

function rowsOf({ asked, failed, ok, silent, excluded, regions }: Proof): Row[] {
  const why = new Map(excluded.map(one => [one.region, one.why]))
  const names = new Set([...failed, ...ok, ...silent, ...why.keys(), ...asked])
  const voteOf = (region: string): Vote => {
    if (failed.includes(region)) return 'failed'
    if (ok.includes(region)) return 'ok'
    return why.has(region) ? 'excluded' : 'silent'
  }
  return [...names].map(region => ({
    region,
    vote: voteOf(region),
    why: why.get(region) ?? null,
    proof: regions[region],
  }))
}

/** What each region saw when the incident was opened. */
export function ProofTable({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const { data: before } = useQuery({ ...usualQuery(incident), enabled: !incident.is_monitor_removed })
  const { quorum, imported_from: source } = incident
  const rows = rowsOf(quorum)
  if (rows.length === 0)
    return (
      <section className="card">
        <h2>{t('proof')}</h2>
        <p>{source === null ? t('proof.direct') : t('proof.imported', { source })}</p>
      </section>
    )
  return (
    <section className="card proof">
      <div className="row spread">
        <h2>{t('proof')}</h2>
        <CopyButton text={JSON.stringify(quorum, null, 2)} label={t('proof.json')} />
      </div>
      <p className="soft">{t(`proof.policy.${quorum.policy.mode}`, { count: quorum.required })}</p>
      <Table
        caption={t('proof')}
        rows={rows}
        keyOf={({ region }) => region}
        columns={[
          { id: 'region', header: t('proof.region'), cell: ({ region }) => region },
          {
            id: 'vote',
            header: t('proof.vote'),
            cell: ({ vote, why }) => (
              <>
                <Pill tone={tones[vote]}>{t(`vote.${vote}`)}</Pill>
                <small>{why ?? (vote === 'silent' ? t('vote.silent.why') : null)}</small>
              </>
            ),
          },
          {
            id: 'at',
            header: t('proof.at'),
            cell: ({ proof }) => (proof ? <Moment at={proof.at} style="time" /> : '–'),
          },
          {
            id: 'error',
            header: t('proof.error'),
            cell: ({ proof }) => <Answer proof={proof} />,
          },
          {
            id: 'http',
            header: t('proof.http'),
            isNumeric: true,
            cell: ({ proof }) => proof?.http_status ?? '–',
          },
          {
            id: 'phases',
            header: t('proof.phases'),
            cell: ({ region, proof }) => <PhasesOf region={region} proof={proof} usual={before?.get(region)} />,
          },
        ]}
      />
      <p className="soft">{before && before.size > 0 ? t('proof.usual.says') : t('proof.usual.none')}</p>
    </section>
  )
}

/** The error in words, and the beginning of the answer behind a fold. */
function Answer({ proof }: { proof: RegionProof | undefined }) {
  const { t } = useTranslation('incidents')
  if (!proof) return '–'
  return (
    <>
      {proof.error === null ? (
        '–'
      ) : (
        <>
          {proof.error.message} <code className="soft">{proof.error.code}</code>
        </>
      )}
      {proof.excerpt !== null && proof.excerpt !== '' && (
        <details>
          <summary>{t('proof.excerpt')}</summary>
          <pre className="excerpt">{proof.excerpt}</pre>
        </details>
      )}
    </>
  )
}

const rowHeight = 16
const width = 260

/** The phases of the run as text, then as a picture, and what is usual for the region. */
function PhasesOf({
  region,
  proof,
  usual,
}: {
  region: string
  proof: RegionProof | undefined
  usual: Usual | undefined
}) {
  const { t, i18n } = useTranslation('incidents')
  const times = useTimes()
  const ms = (value: number | null) => milliseconds(value === null ? null : Math.round(value), i18n.language)
  const { dns = null, connect = null, tls = null, first_byte = null, total = null } = proof?.phases ?? {}
  const before = usual?.p50_ms ?? null
  const phases: Phase[] = [
    { label: t('phase.dns'), ms: dns, fill: 'var(--series-1)' },
    { label: t('phase.connect'), ms: connect, fill: 'var(--series-2)' },
    { label: t('phase.tls'), ms: tls, fill: 'var(--series-3)' },
    { label: t('phase.first_byte'), ms: first_byte, fill: 'var(--series-4)' },
  ].filter(phase => phase.ms !== null)
  if (phases.length === 0 && total === null)
    return before === null ? '–' : <span className="soft">{t('proof.usual', { usual: ms(before) })}</span>
  const drawn = waterfall(phases, {
    ...{ width, height: phases.length * rowHeight, formatValue: ms },
    title: t('proof.waterfall', { region }),
    description: phases.map(phase => `${phase.label} ${ms(phase.ms)}`).join(', '),
  })
  return (
    <>
      {total !== null && <span className="number">{t('proof.total', { total: times.duration(total) })}</span>}{' '}
      {before !== null && <span className="soft">{t('proof.usual', { usual: ms(before) })}</span>}
      {phases.length > 0 && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a picture of charts/, whose texts are escaped
        <div className="waterfall" dangerouslySetInnerHTML={{ __html: drawn }} />
      )}
    </>
  )
}
