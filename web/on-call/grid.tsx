import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moment } from '../../contract/figures.ts'
import { useNow, useTimes } from '../parts/time.tsx'
import { type Block, blockAt, type Row } from './blocks.ts'

const hourMs = 3_600_000
const dayHours = 24
/** As many colours as there are lines of a chart. */
const mostColors = 5

export interface Span {
  from: number
  to: number
}

interface GridProps {
  /** Midnights in the person's zone: of each day that is shown, and of the day after. */
  midnights: readonly number[]
  /** The last one is who is on call; those above it are its layers. */
  rows: readonly Row[]
  nameOf(person: string): string
  /** The people in the order of their colours. */
  people: readonly string[]
  /** A span was drawn with the pointer, or chosen with the keys. Without it nothing can be chosen. */
  onPick?: ((span: Span) => void) | undefined
}

/**
 * Who is on call, by layer: time goes to the right. A span is chosen by dragging over it, or with the arrows, with Shift
 * to extend it, and Enter.
 */
export function Grid({ midnights, rows, nameOf, people, onPick }: GridProps) {
  const { t, i18n } = useTranslation('on-call')
  const { zone } = useTimes()
  const now = useNow()
  const from = midnights[0] ?? 0
  const to = midnights.at(-1) ?? from
  const days = midnights.slice(0, -1)
  const ticks = days.length > 1 ? days : days.flatMap(day => hoursOf(day, to))
  const place = (span: Span) => ({
    left: `${(100 * (Math.max(span.from, from) - from)) / (to - from)}%`,
    width: `${(100 * (Math.min(span.to, to) - Math.max(span.from, from))) / (to - from)}%`,
  })
  const nameOfTick = (at: number) =>
    moment(at, { language: i18n.language, zone, style: days.length > 1 ? 'weekday' : 'minute' })
  const chooses = onPick !== undefined
  return (
    <div className="on-call-grid">
      <div className="on-call-names" aria-hidden="true">
        {rows.map(({ id, name }) => (
          <div key={id}>{name}</div>
        ))}
      </div>
      <Tracks
        span={{ from, to }}
        stepMs={days.length > 1 ? hourMs : hourMs / 2}
        duties={rows.at(-1)?.blocks ?? []}
        nameOf={nameOf}
        place={place}
        onPick={onPick}
      >
        <div className="on-call-ticks" aria-hidden="true">
          {ticks.map((at, index) => (
            <span key={at} style={place({ from: at, to: ticks[index + 1] ?? to })}>
              {nameOfTick(at)}
            </span>
          ))}
        </div>
        {rows.map(({ id, name, blocks }) => (
          <ul key={id} className="on-call-track" aria-label={name}>
            {blocks.map(block => (
              <BlockItem
                key={`${block.from} ${block.person} ${block.source}`}
                block={block}
                name={block.person === null ? t('nobody') : nameOf(block.person)}
                color={block.person === null ? 'gap' : `color-${(people.indexOf(block.person) % mostColors) + 1}`}
                style={place(block)}
              />
            ))}
          </ul>
        ))}
        {from <= now && now < to && (
          <div
            className={now > from + (to - from) * 0.8 ? 'on-call-now late' : 'on-call-now'}
            style={{ left: place({ from, to: now }).width }}
          >
            <span>{t('grid.now', { time: moment(now, { language: i18n.language, zone }) })}</span>
          </div>
        )}
      </Tracks>
      {chooses && <p className="soft on-call-help">{t('grid.help')}</p>}
    </div>
  )
}

const hoursOf = (day: number, to: number) =>
  Array.from({ length: dayHours / 2 + 1 }, (_, index) => day + 2 * index * hourMs).filter(at => at < to)

interface BlockProps {
  block: Block
  name: string
  color: string
  style: { left: string; width: string }
}

function BlockItem({ block: { from, to, source }, name, color, style }: BlockProps) {
  const { t } = useTranslation('on-call')
  const times = useTimes()
  const spoken = t('grid.block', { name, from: times.absolute(from), to: times.absolute(to) })
  return (
    <li className={source === 'override' ? `${color} override` : color} style={style} title={spoken}>
      <span aria-hidden="true">{name}</span>
      <span className="unseen">{source === 'override' ? `${spoken}, ${t('source.override')}` : spoken}</span>
    </li>
  )
}

interface TracksProps {
  span: Span
  /** What a span is made of. */
  stepMs: number
  duties: readonly Block[]
  nameOf(person: string): string
  place(span: Span): { left: string; width: string }
  onPick: ((span: Span) => void) | undefined
  children: React.ReactNode
}

/** What is chosen, in steps: where it began, and where it is extended to. */
interface Chosen {
  anchor: number
  at: number
}

function Tracks({ span: { from, to }, stepMs, duties, nameOf, place, onPick, children }: TracksProps) {
  const { t } = useTranslation('on-call')
  const times = useTimes()
  const slider = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const dragged = useRef(false)
  const last = Math.ceil((to - from) / stepMs) - 1
  const nowStep = Math.floor((Date.now() - from) / stepMs)
  const { anchor, at } = chosen ?? start(Math.min(Math.max(nowStep, 0), last))
  const spanOf = (one: number, other: number): Span => ({
    from: from + Math.min(one, other) * stepMs,
    to: Math.min(to, from + (Math.max(one, other) + 1) * stepMs),
  })
  const span = spanOf(anchor, at)
  const stepAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * (last + 1))))
  }
  if (!onPick) return <div className="on-call-tracks">{children}</div>
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: last }[
      event.key
    ]
    if (next !== undefined) {
      const to = Math.min(last, Math.max(0, next))
      setChosen({ anchor: event.shiftKey ? anchor : to, at: to })
    } else if (event.key === 'Enter') onPick(span)
    else if (event.key === 'Escape' && chosen) setChosen(null)
    else return
    event.preventDefault()
  }
  const person = blockAt(duties, from + at * stepMs)?.person
  return (
    // the keys do the same: they belong to the slider
    <div
      className="on-call-tracks chooses"
      onPointerDown={event => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = false
        setChosen(start(stepAt(event)))
        slider.current?.focus()
      }}
      onPointerMove={event => {
        if (!chosen || !event.currentTarget.hasPointerCapture(event.pointerId)) return
        const step = stepAt(event)
        if (step !== chosen.at) dragged.current = true
        setChosen({ anchor: chosen.anchor, at: step })
      }}
      onPointerUp={() => {
        if (dragged.current) onPick(span)
        dragged.current = false
      }}
      onPointerCancel={() => {
        dragged.current = false
        setChosen(null)
      }}
    >
      {children}
      <div
        ref={slider}
        className="on-call-slider"
        role="slider"
        tabIndex={0}
        aria-label={t('grid.choose')}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={t('grid.block', {
          name: person ? nameOf(person) : t('nobody'),
          ...{ from: times.absolute(span.from), to: times.absolute(span.to) },
        })}
        onKeyDown={onKeyDown}
      >
        <div className={chosen ? 'on-call-chosen drawn' : 'on-call-chosen'} style={place(span)} />
      </div>
    </div>
  )
}

const start = (step: number): Chosen => ({ anchor: step, at: step })
