import { asRecord, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf).filter(text => text !== '') : []

/** Whole seconds from one moment to another; null if one of them is missing. */
export function secondsBetween(from: unknown, to: unknown): number | null {
  const seconds = Math.floor((Date.parse(textOf(to)) - Date.parse(textOf(from))) / 1_000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

/** How long an incident lasted in seconds; null: it is not over. Stored messages of earlier versions lack its field. */
export const durationOf = ({ duration_s, started_at, resolved_at }: Scope): number | null =>
  typeof duration_s === 'number' ? duration_s : secondsBetween(started_at, resolved_at)

/** The name of the managed team of a forwarded event; empty for the tenant's own events. */
export const teamOf = (data: Scope): string => textOf(asRecord(data._managed_tenant).name)

/** A sentence as a part of a line. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

const mostNamed = 8
/** Names in one line, at most `mostNamed` of them. */
export function listed({ say }: Voice, names: readonly string[]): string {
  const rest = names.length - mostNamed
  const shown = names.slice(0, mostNamed).join(', ')
  return rest <= 0 ? shown : `${shown} ${say('more', { rest })}`
}
