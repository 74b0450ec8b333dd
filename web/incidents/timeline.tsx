import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { eventsOf } from './events.ts'
import type { Decision, IncidentDetail } from './queries.ts'

const choices = ['all', 'machine', 'people'] as const

/** What happened, from the first failure to the recovery. */
export function Timeline({ incident, decisions }: { incident: IncidentDetail; decisions: readonly Decision[] }) {
  const { t } = useTranslation('incidents')
  const times = useTimes()
  const [shown, setShown] = useState<(typeof choices)[number]>('all')
  const formats = {
    duration: times.duration,
    moment: (at: string) => times.absolute(at),
    through: (type: string) => t(`through.${type}`, { defaultValue: type }),
  }
  const events = eventsOf(incident, decisions, formats)
  const those = events.filter(({ by }) => shown === 'all' || by === shown)
  const zero = Date.parse(incident.started_at)
  const sinceStart = ({ at, word }: Pick<(typeof events)[number], 'at' | 'word'>) =>
    word === 'started' ? '' : `+${times.duration(Math.max(0, Date.parse(at) - zero))}`
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('timeline')}</h2>
        <fieldset className="row plain">
          <legend className="unseen">{t('timeline.filter')}</legend>
          {choices.map(choice => (
            <Button
              key={choice}
              variant={choice === shown ? 'primary' : 'plain'}
              aria-pressed={choice === shown}
              onPress={() => setShown(choice)}
            >
              {t(`timeline.${choice}`)}
            </Button>
          ))}
        </fieldset>
      </div>
      {those.length === 0 && <p>{t('timeline.none')}</p>}
      <ol className="timeline">
        {those.map(({ key, at, word, values, who, text, tone }) => (
          <li key={key} className={tone}>
            <span className="number">
              <Moment at={at} style="time" />
              <small className="soft">{sinceStart({ at, word })}</small>
            </span>
            <div>
              {who !== null && <strong>{who} </strong>}
              {t(`event.${word}`, values)}
              {text !== null && <blockquote>{text}</blockquote>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
