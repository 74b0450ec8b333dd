import { useTranslation } from 'react-i18next'
import { useNow, useTimes } from '../parts/time.tsx'
import type { Block } from './blocks.ts'

/** Who is on call, one after the other: stands on a phone in the place of the grid. */
export function ShiftList({ blocks, nameOf }: { blocks: readonly Block[]; nameOf(person: string): string }) {
  const { t } = useTranslation('on-call')
  const times = useTimes()
  const now = useNow()
  return (
    <ol className="on-call-shifts">
      {blocks.map(({ from, to, person, source }) => (
        <li key={from} aria-current={from <= now && now < to ? 'time' : undefined}>
          <strong className={person === null ? 'down' : undefined}>
            {person === null ? t('nobody') : nameOf(person)}
          </strong>
          {from <= now && now < to && <span className="on-call-note"> · {t('grid.current')}</span>}
          <div className="on-call-note soft">
            {times.absolute(from)} – {times.absolute(to)}
            {source === 'override' && ` · ${t('source.override')}`}
          </div>
        </li>
      ))}
    </ol>
  )
}
