import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Icon, type IconName } from './icons.tsx'
import './status-pill.css'

const icons = {
  up: 'up',
  warning: 'alert',
  down: 'down',
  paused: 'pause',
  on_hold: 'pause',
  maintenance: 'maintenance',
  pending: 'pending',
  unknown: 'unknown',
} as const satisfies Record<string, IconName>

export type Status = keyof typeof icons

export const isStatus = (word: string): word is Status => word in icons

/** A status as the API names it; null: nothing has been measured yet. Words that we do not know are "unknown". */
export function StatusPill({ status }: { status: string | null }) {
  const { t } = useTranslation('parts')
  const word = status === null ? 'pending' : isStatus(status) ? status : 'unknown'
  return (
    <Pill tone={word} icon={icons[word]}>
      {t(`status.${word}`)}
    </Pill>
  )
}

/** The word for a monitor: one that the plan holds is not paused by a person, and a silent one is not just new. */
export function labelOf({ status, state }: Pick<Schemas['Monitor'], 'status' | 'state'>): string | null {
  if (status === 'paused' && state.state === 'on_hold') return 'on_hold'
  return status === null && state.state === 'unknown' && state.cause !== 'not_judged' ? 'unknown' : status
}

interface PillProps {
  tone: Status
  icon?: IconName
  children: ReactNode
}

/** A word in the colour of a status, for other states: always with a text, and an icon of its shape. */
export const Pill = ({ tone, icon = icons[tone], children }: PillProps) => (
  <span className={`pill ${tone === 'on_hold' ? 'paused' : tone}`}>
    <Icon name={icon} />
    {children}
  </span>
)
