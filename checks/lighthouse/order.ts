import { z } from 'zod'
import { Found } from './findings.ts'
import type { Category } from './kind.ts'

/** What is said to the process that makes an audit, and what it answers. */
export interface AuditOrder {
  url: string
  chromium: string
  arguments: string[]
  /** The folder that is the browser’s alone, and goes with it. */
  profile: string
  lighthouse: string
  puppeteer: string
  formFactor: 'mobile' | 'desktop'
  categories: readonly Category[]
  /** How long the page may take to come to rest before it is taken as it is. */
  loadMs: number
}

export const AuditWord = z.union([
  z.object({ found: Found, browser: z.string().max(80) }),
  z.object({ failed: z.string().max(300) }),
  z.object({ memory: z.literal('too much') }),
])
export type AuditWord = z.output<typeof AuditWord>

/** Ends a process and all that it started. */
export function stop(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
