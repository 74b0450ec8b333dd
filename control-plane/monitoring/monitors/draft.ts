import type { z } from 'zod'
import type { NewCheck, PassiveType } from '#control-plane/monitoring/checks/input.ts'
import type { Guard } from '#egress/guard.ts'
import { NewMonitor, NewPassive } from './input.ts'
import { readUrl } from './validate.ts'

/** A monitor without runs, such as a job or a server. Its address is for people; the default is built from its name. */
type PassiveMonitor = Omit<NewMonitor, 'type' | 'url'> & { type: PassiveType; url: string | undefined }
/** A monitor that is to be made, of any type. */
export type WantedMonitor = NewMonitor | PassiveMonitor

const defaults = NewMonitor.parse({ name: 'any', url: 'https://example.com/' })

/** One word is enough: it comes from the job, or the server, itself. */
export const passiveMonitor = (
  type: PassiveType,
  own: z.input<typeof NewPassive>,
  url: string | undefined,
  checks: NewCheck[],
): PassiveMonitor => ({
  ...defaults,
  ...NewPassive.parse(own),
  confirmations: 1,
  recovery_confirmations: 1,
  type,
  url,
  checks,
})

/** A wanted monitor's address as it is stored, or why it is refused. */
export const addressOf = ({ type, name, url }: WantedMonitor, guard: Guard): { url: string } | { error: string } =>
  url === undefined ? { url: `${type}://${slugOf(name) || type}` } : readUrl(url, type, guard)

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
