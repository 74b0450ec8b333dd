import { useTranslation } from 'react-i18next'
import { milliseconds, number } from '../../../contract/figures.ts'
import { Table } from '../../parts/table.tsx'
import type { Check } from '../queries.ts'
import { Dial, Newest, Pairs, Texts, toneOf } from './parts.tsx'

const categories = ['performance', 'accessibility', 'best_practices', 'seo'] as const
const times = [
  'first_contentful_paint_ms',
  'largest_contentful_paint_ms',
  'total_blocking_time_ms',
  'speed_index_ms',
  'time_to_first_byte_ms',
] as const

/** The four scores as dials, the times, and what costs most. */
export function LighthouseView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const ms = (value: number | null) => milliseconds(value, i18n.language)
  return (
    <Newest kind="lighthouse" check={check}>
      {seen => (
        <>
          {seen.error !== null && <p>{seen.error.message}</p>}
          <div className="dials">
            {categories.map(name => (
              <Dial
                key={name}
                label={t(`lighthouse.${name}`)}
                value={seen.scores[name]}
                tone={toneOf(seen.scores[name])}
              />
            ))}
          </div>
          <Pairs
            of={[
              ...times.map(name => [t(`lighthouse.${name}`), ms(seen.metrics[name])] as const),
              [
                t('lighthouse.cumulative_layout_shift'),
                seen.metrics.cumulative_layout_shift == null
                  ? null
                  : number(seen.metrics.cumulative_layout_shift, i18n.language, 3),
              ],
              [t('lighthouse.device'), t(`lighthouse.${seen.form_factor}`)],
              [t('lighthouse.browser'), seen.browser],
            ]}
          />
          {seen.worst.length > 0 && (
            <Table
              caption={t('lighthouse.worst')}
              isCaptionShown
              rows={seen.worst}
              keyOf={({ id, category }) => id + category}
              columns={[
                { id: 'title', header: t('lighthouse.audit'), cell: ({ title }) => title },
                { id: 'category', header: t('lighthouse.category'), cell: row => t(`lighthouse.${row.category}`) },
                { id: 'found', header: t('lighthouse.found'), cell: ({ found }) => found },
                { id: 'saves', header: t('lighthouse.saves'), isNumeric: true, cell: row => ms(row.saves_ms) },
              ]}
            />
          )}
          <Texts of={seen.notes} />
        </>
      )}
    </Newest>
  )
}
