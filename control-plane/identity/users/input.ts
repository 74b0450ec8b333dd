import { z } from 'zod'
import { line } from '#contract/line.ts'

export const personName = line(255)

export const email = z.email().max(255)

/** The strength is judged later, with the names of its owner. */
export const password = z
  .string()
  .min(1)
  .max(1_000)
  .meta({ description: 'At least 12 characters, hard to guess, not known from a breach.' })

export const language = z
  .string()
  .max(10)
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Must be a language such as en or pt-BR.')

export const timezone = z.string().max(64).refine(isTimezone, 'Must be a time zone such as Europe/Berlin.')

export function isTimezone(name: string): boolean {
  try {
    // an offset is not a zone: it has no summer time
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
