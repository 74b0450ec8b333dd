import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { number } from '../../../contract/figures.ts'
import { Segments } from '../../parts/segments.tsx'
import { Pill } from '../../parts/status-pill.tsx'
import { Ago, Moment } from '../../parts/time.tsx'
import type { Check } from '../queries.ts'
import { type Latest, type StatisticKind, useStatistic } from './statistics.ts'
import './views.css'

interface NewestProps<Kind extends StatisticKind> {
  kind: Kind
  check: Check
  children(latest: Latest<Kind>): ReactNode
}

/** What the newest run of a region yielded. With several regions a person chooses which. */
export function Newest<Kind extends StatisticKind>({ kind, check, children }: NewestProps<Kind>) {
  const { t } = useTranslation('check-views')
  const { statistic, measured } = useStatistic(kind, check)
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = measured.find(({ region }) => region === chosen) ?? measured[0]
  if (!shown) return <p>{t('none')}</p>
  return (
    <>
      {measured.length > 1 && (
        <Segments
          label={t('region')}
          choices={measured.map(({ region }) => ({ id: region, label: region }))}
          value={shown.region}
          onChange={setChosen}
        />
      )}
      <p className="soft">
        {t('from', { region: shown.region })} <Ago at={shown.at} />
      </p>
      {children(shown.latest)}
      {'changes' in statistic && statistic.changes.length > 0 && <Changes changes={statistic.changes} />}
    </>
  )
}

interface Change {
  at: string
  event: string
  regions: readonly string[]
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation('check-views')
  return (
    <>
      <h3>{t('changes')}</h3>
      <ul className="bare-list">
        {changes.map(({ at, event, regions }) => (
          <li key={at + event}>
            <Moment at={at} /> <code>{event}</code> {regions.join(', ')}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Names and values; what is null is left out. */
export const Pairs = ({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="pairs findings">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** Whether something is as it should be, as a word with its shape. */
export const Verdict = ({ isGood, children }: { isGood: boolean; children: ReactNode }) => (
  <Pill tone={isGood ? 'up' : 'down'}>{children}</Pill>
)

/** Texts below each other, as a site or a server gave them. */
export const Texts = ({ of }: { of: readonly string[] }) => (
  <ul className="bare-list">
    {of.map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text may come twice, and the list changes as a whole
      <li key={index}>
        <code className="given">{text}</code>
      </li>
    ))}
  </ul>
)

/** A number of 100 as an arc, with the number in it. */
export function Dial({ label, value, tone }: { label: string; value: number | null; tone: 'up' | 'warning' | 'down' }) {
  const length = Math.PI * 2 * 26
  const { i18n } = useTranslation('check-views')
  return (
    <figure className={`dial ${tone}`}>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <circle className="dial-whole" cx="32" cy="32" r="26" />
        <circle
          cx="32"
          cy="32"
          r="26"
          strokeDasharray={`${((value ?? 0) / 100) * length} ${length}`}
          transform="rotate(-90 32 32)"
        />
        <text x="32" y="38" textAnchor="middle">
          {value === null ? '–' : number(value, i18n.language, 3)}
        </text>
      </svg>
      <figcaption>
        {label}
        <span className="unseen">: {value ?? '–'}</span>
      </figcaption>
    </figure>
  )
}

export const toneOf = (score: number | null) =>
  score === null ? 'warning' : score >= 90 ? 'up' : score >= 50 ? 'warning' : 'down'
