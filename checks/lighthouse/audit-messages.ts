import { z } from 'zod'
import { Found } from './findings.ts'
import type { Category } from './kind.ts'

/** Message to the audit process. */
export interface AuditRequest {
  url: string
  chromium: string
  arguments: string[]
  /** The temporary folder of the browser. */
  profile: string
  lighthouse: string
  puppeteer: string
  formFactor: 'mobile' | 'desktop'
  categories: readonly Category[]
  /** How long the page may take to become idle before it is audited as it is. */
  loadMs: number
}

export const AuditReply = z.union([
  z.object({ found: Found, browser: z.string().max(80) }),
  z.object({ failed: z.string().max(300) }),
  z.object({ memory: z.literal('too much') }),
])
export type AuditReply = z.output<typeof AuditReply>

/** Kills a process and everything it started. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has already ended
  }
}
